//! Merges the four layers of settings.

use std::{
    ffi::OsString,
    fmt, fs,
    path::{Path, PathBuf},
};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    ConfigError, DEFAULTS, Source,
    suggest::nearest,
    value::{Raw, Value, Values},
};

const PREFIX: &str = "TIDEWALL_";
/// Names the configuration file; it is not a setting itself.
const FILE_VARIABLE: &str = "TIDEWALL_CONFIG";
/// Variables with this prefix configure the project's own tests and are no settings.
const TEST_PREFIX: &str = "TIDEWALL_TEST_";

/// The operator's input, not validated yet.
#[derive(Clone, Default)]
pub struct Layers {
    file: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    flags: Vec<(&'static str, String)>,
}

impl fmt::Debug for Layers {
    /// Without values, some of which are secrets.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags: Vec<_> = self.flags.iter().map(|(setting, _)| setting).collect();
        out.debug_struct("Layers").field("file", &self.file).field("flags", &flags).finish_non_exhaustive()
    }
}

impl Layers {
    /// The file named on the command line. It wins over the one named in the environment.
    #[must_use]
    pub fn with_file(mut self, file: Option<PathBuf>) -> Self {
        self.file = file;
        self
    }

    #[must_use]
    pub fn with_environment(mut self, variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        self.environment = variables.into_iter().collect();
        self
    }

    /// The flag that sets `setting`, if it was given.
    #[must_use]
    pub fn with_flag(mut self, setting: &'static str, value: Option<String>) -> Self {
        self.flags.extend(value.map(|value| (setting, value)));
        self
    }

    pub(super) fn merge(&self) -> Result<Values, ConfigError> {
        let mut values = Values::new(defaults()?);
        if let Some(path) = self.configuration_file() {
            apply_file(&mut values, &path)?;
        }
        self.apply_environment(&mut values)?;
        for (setting, value) in &self.flags {
            let flag = format!("--{}", setting.replace('_', "-"));
            set(&mut values, setting, setting, Raw::Text(value.clone()), Source::Flag(flag))?;
        }
        Ok(values)
    }

    fn configuration_file(&self) -> Option<PathBuf> {
        let from_environment = || {
            let named = self.environment.iter().find(|(name, _)| name == FILE_VARIABLE);
            named.map(|(_, path)| PathBuf::from(path)).filter(|path| !path.as_os_str().is_empty())
        };
        self.file.clone().or_else(from_environment)
    }

    fn apply_environment(&self, values: &mut Values) -> Result<(), ConfigError> {
        for (variable, value) in &self.environment {
            let Some(variable) = variable.to_str().filter(|name| is_setting_variable(name)) else { continue };
            let text = value.to_str().ok_or_else(|| ConfigError::NotText { name: variable.to_owned() })?;
            let source = Source::Environment(variable.to_owned());
            let setting = setting_of_variable(variable);
            set(values, &setting, variable, Raw::Text(text.to_owned()), source)?;
        }
        Ok(())
    }
}

fn is_setting_variable(name: &str) -> bool {
    name.starts_with(PREFIX) && !name.starts_with(TEST_PREFIX) && name != FILE_VARIABLE
}

fn setting_of_variable(variable: &str) -> String {
    variable.trim_start_matches(PREFIX).replace("__", ".").to_lowercase()
}

fn variable_of_setting(setting: &str) -> String {
    format!("{PREFIX}{}", setting.replace('.', "__").to_uppercase())
}

/// Sets one value or explains, in the spelling the operator used, why there is no such setting.
fn set(
    values: &mut Values,
    setting: &str,
    written: &str,
    raw: Raw,
    place: Source,
) -> Result<(), ConfigError> {
    if values.set(setting, raw, place.clone()) {
        return Ok(());
    }
    let group = format!("{setting}.");
    let spelled = |name: &str| match place {
        Source::Environment(_) => variable_of_setting(name),
        _ => name.to_owned(),
    };
    let remedy = if let Some(member) = values.names().find(|name| name.starts_with(&group)) {
        format!("it is a group of settings, set one of them, for example {}", spelled(member))
    } else if let Some(name) = nearest(setting, values.names()) {
        format!("did you mean {}?", spelled(name))
    } else {
        "remove it, or see `tidewall config` for the names of all settings".to_owned()
    };
    // A variable is its own name, so it is not repeated.
    let place = match place {
        Source::Environment(_) => "environment".to_owned(),
        other => other.to_string(),
    };
    Err(ConfigError::Unknown { name: written.to_owned(), place, remedy })
}

fn apply_file(values: &mut Values, path: &Path) -> Result<(), ConfigError> {
    let text =
        fs::read_to_string(path).map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
    for leaf in leaves(&text, path)? {
        let place = Source::File { path: path.to_owned(), line: line_at(&text, leaf.position) };
        set(values, &leaf.name, &leaf.name, leaf.raw, place)?;
    }
    Ok(())
}

fn defaults() -> Result<Vec<Value>, ConfigError> {
    let leaves = leaves(DEFAULTS, Path::new("config/default.toml"))?;
    Ok(leaves.into_iter().map(|leaf| Value::of_default(leaf.name, leaf.raw)).collect())
}

/// A setting found in a TOML text.
struct Leaf {
    name: String,
    raw: Raw,
    position: usize,
}

/// All settings of a TOML text in their order.
fn leaves(text: &str, path: &Path) -> Result<Vec<Leaf>, ConfigError> {
    let table = DeTable::parse(text).map_err(|error| ConfigError::NotToml {
        path: path.to_owned(),
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        message: error.message().replace('\n', " "),
    })?;
    let mut leaves = Vec::new();
    collect(&mut leaves, "", table.get_ref());
    leaves.sort_by_key(|leaf| leaf.position);
    Ok(leaves)
}

fn collect(leaves: &mut Vec<Leaf>, prefix: &str, table: &DeTable<'_>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => collect(leaves, &format!("{name}."), inner),
            DeValue::Table(_) => {}
            leaf => leaves.push(Leaf { name, raw: Raw::from_toml(leaf), position: start(value) }),
        }
    }
}

fn start(value: &Spanned<DeValue<'_>>) -> usize {
    value.span().start
}

fn line_at(text: &str, position: usize) -> usize {
    text.bytes().take(position).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_and_its_variable_name_each_other() {
        assert_eq!(setting_of_variable("TIDEWALL_LIMITS__V1__BLOCK_SECONDS"), "limits.v1.block_seconds");
        assert_eq!(variable_of_setting("limits.v1.block_seconds"), "TIDEWALL_LIMITS__V1__BLOCK_SECONDS");
        assert_eq!(setting_of_variable("TIDEWALL_DATA_DIR"), "data_dir");
    }
}
