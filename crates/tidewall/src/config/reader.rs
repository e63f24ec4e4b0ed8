//! Typed access to merged values: all errors about settings are created here, in one form.

use std::{cell::RefCell, collections::BTreeSet, ops::RangeInclusive, path::PathBuf, time::Duration};

use super::{
    ConfigError, SecretUrl, Source, duration,
    secret::{is_secret, mask},
    value::{Raw, Value, Values},
};

/// Reads settings by name and records which were read, so that a test can find documented settings that no code
/// reads.
#[derive(Debug)]
pub(super) struct Reader<'v> {
    values: &'v Values,
    read: RefCell<BTreeSet<&'static str>>,
}

impl<'v> Reader<'v> {
    pub(super) fn new(values: &'v Values) -> Self {
        Self { values, read: RefCell::default() }
    }

    /// An error about the value of `name` in force.
    pub(super) fn bad(
        &self,
        name: &'static str,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ConfigError {
        let place = self.values.get(name).map_or(Source::Default, |value| value.source.clone());
        ConfigError::Bad { setting: name, place, problem: problem.into(), remedy: remedy.into() }
    }

    fn value(&self, name: &'static str) -> Result<&'v Value, ConfigError> {
        self.read.borrow_mut().insert(name);
        self.values.get(name).ok_or_else(|| self.bad(name, "has no default", "add it to config/default.toml"))
    }

    /// Text that may be empty.
    pub(super) fn text(&self, name: &'static str) -> Result<&'v str, ConfigError> {
        match &self.value(name)?.raw {
            Raw::Text(text) => Ok(text.trim()),
            other => Err(self.bad(name, format!("is {}", described(other)), "write it as text in quotes")),
        }
    }

    /// Text, or `None` when it is empty.
    pub(super) fn optional(&self, name: &'static str) -> Result<Option<&'v str>, ConfigError> {
        Ok(Some(self.text(name)?).filter(|text| !text.is_empty()))
    }

    pub(super) fn path(&self, name: &'static str) -> Result<Option<PathBuf>, ConfigError> {
        Ok(self.optional(name)?.map(PathBuf::from))
    }

    /// Text that `parse` accepts.
    pub(super) fn parsed<T>(
        &self,
        name: &'static str,
        remedy: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, ConfigError> {
        let text = self.text(name)?;
        parse(text).ok_or_else(|| self.bad(name, format!("cannot be {text:?}"), remedy))
    }

    /// Like `parsed`, with empty text meaning "not set".
    pub(super) fn parsed_if_set<T>(
        &self,
        name: &'static str,
        remedy: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        self.optional(name)?.map(|_| self.parsed(name, remedy, parse)).transpose()
    }

    /// An address with credentials: its text never appears in the error.
    pub(super) fn secret_url(
        &self,
        name: &'static str,
        remedy: &str,
        valid: impl FnOnce(&str) -> bool,
    ) -> Result<Option<SecretUrl>, ConfigError> {
        match self.optional(name)? {
            None => Ok(None),
            Some(text) if valid(text) => Ok(Some(SecretUrl::new(text.to_owned()))),
            Some(_) => Err(self.bad(name, "is not an address of that kind", remedy)),
        }
    }

    pub(super) fn boolean(&self, name: &'static str) -> Result<bool, ConfigError> {
        match &self.value(name)?.raw {
            Raw::Boolean(flag) => Ok(*flag),
            other => Err(self.bad(name, format!("is {}", described(other)), "write true or false")),
        }
    }

    /// A whole number within bounds.
    pub(super) fn number<N>(&self, name: &'static str, bounds: RangeInclusive<N>) -> Result<N, ConfigError>
    where
        N: TryFrom<i64> + PartialOrd + std::fmt::Display,
    {
        let remedy = || format!("write a whole number from {} to {}", bounds.start(), bounds.end());
        let raw = &self.value(name)?.raw;
        let Raw::Integer(number) = raw else {
            return Err(self.bad(name, format!("is {}", described(raw)), remedy()));
        };
        let within = N::try_from(*number).ok().filter(|number| bounds.contains(number));
        within.ok_or_else(|| self.bad(name, format!("cannot be {number}"), remedy()))
    }

    /// A share from 0 to 1.
    pub(super) fn share(&self, name: &'static str) -> Result<f64, ConfigError> {
        let raw = &self.value(name)?.raw;
        let number = match raw {
            Raw::Integer(number) => number.to_string().parse::<f64>().ok(),
            Raw::Decimal(number) => number.parse().ok(),
            _ => None,
        };
        let within = number.filter(|number| (0.0..=1.0).contains(number));
        within
            .ok_or_else(|| self.bad(name, format!("is {}", described(raw)), "write a number from 0.0 to 1.0"))
    }

    /// A duration within bounds.
    pub(super) fn duration(
        &self,
        name: &'static str,
        bounds: RangeInclusive<Duration>,
    ) -> Result<Duration, ConfigError> {
        let (least, most) = (duration::format(*bounds.start()), duration::format(*bounds.end()));
        let remedy = format!("write a number with a unit, such as \"30s\" or \"5m\", from {least} to {most}");
        match &self.value(name)?.raw {
            Raw::Text(_) => {
                self.parsed(name, &remedy, |text| duration::parse(text).filter(|span| bounds.contains(span)))
            }
            other => Err(self.bad(name, format!("is {}", described(other)), remedy)),
        }
    }

    /// A list whose items `parse` accepts.
    pub(super) fn list<T>(
        &self,
        name: &'static str,
        remedy: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, ConfigError> {
        let raw = &self.value(name)?.raw;
        let Raw::List(items) = raw else {
            let problem = format!("is {}", described(raw));
            return Err(self.bad(name, problem, "write a list of texts, such as [\"a\", \"b\"]"));
        };
        let shown = |text: &str| if is_secret(name) { mask(text) } else { text.to_owned() };
        let item = |text: &String| {
            parse(text.trim()).ok_or_else(|| self.bad(name, format!("cannot hold {:?}", shown(text)), remedy))
        };
        items.iter().map(item).collect()
    }

    #[cfg(test)]
    pub(super) fn never_read(&self) -> Vec<&'v str> {
        self.values.names().filter(|name| !self.read.borrow().contains(name)).collect()
    }
}

fn described(raw: &Raw) -> String {
    match raw {
        Raw::Text(text) if text.is_empty() => "empty".to_owned(),
        Raw::Text(text) => format!("{text:?}"),
        Raw::Integer(number) => format!("the number {number}"),
        Raw::Boolean(flag) => flag.to_string(),
        Raw::List(_) => "a list".to_owned(),
        Raw::Decimal(shown) | Raw::Other(shown) => shown.clone(),
    }
}
