//! Values as written, before validation, each with its layer.

use std::fmt;

use toml::de::DeValue;

use super::Source;

/// A value as a layer contains it. The environment and flags only have text.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Raw {
    Text(String),
    Integer(i64),
    /// A number with a fraction, as written.
    Decimal(String),
    Boolean(bool),
    List(Vec<String>),
    /// A TOML type that no setting has, kept so that the error can show it.
    Other(String),
}

impl Raw {
    pub(super) fn from_toml(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(text.clone().into_owned()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| Self::Other(number.to_string()), Self::Integer),
            DeValue::Boolean(flag) => Self::Boolean(*flag),
            DeValue::Array(items) => {
                let texts = items.iter().map(|item| match item.get_ref() {
                    DeValue::String(text) => Some(text.clone().into_owned()),
                    _ => None,
                });
                texts
                    .collect::<Option<Vec<_>>>()
                    .map_or_else(|| Self::Other("a list of something other than text".to_owned()), Self::List)
            }
            DeValue::Float(number) => Self::Decimal(number.to_string()),
            DeValue::Datetime(moment) => Self::Other(moment.to_string()),
            DeValue::Table(_) => Self::Other("a group of settings".to_owned()),
        }
    }

    /// Text converted to the type of the default if possible; otherwise left for the validation to refuse.
    fn coerced_like(self, default: &Self) -> Self {
        let Self::Text(text) = self else { return self };
        let converted = match default {
            Self::Integer(_) => text.trim().parse().ok().map(Self::Integer),
            Self::Decimal(_) => {
                text.trim().parse::<f64>().ok().map(|_| Self::Decimal(text.trim().to_owned()))
            }
            Self::Boolean(_) => text.trim().parse().ok().map(Self::Boolean),
            Self::List(_) => Some(Self::List(split_list(&text))),
            Self::Text(_) | Self::Other(_) => None,
        };
        converted.unwrap_or(Self::Text(text))
    }
}

fn split_list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// One setting: its name, its value in force, and its layer.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) name: String,
    pub(super) raw: Raw,
    pub(super) source: Source,
    default: Raw,
}

impl fmt::Debug for Value {
    /// Without the value, which may be a secret.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.name, self.source)
    }
}

impl Value {
    pub(super) fn of_default(name: String, default: Raw) -> Self {
        Self { name, raw: default.clone(), source: Source::Default, default }
    }

    /// Whether the value in force is the default.
    pub(super) fn is_default(&self) -> bool {
        self.raw == self.default
    }
}

/// All settings, in the order of the defaults file. A name that is not in there is no setting.
#[derive(Clone, Debug)]
pub(super) struct Values(Vec<Value>);

impl Values {
    pub(super) fn new(defaults: Vec<Value>) -> Self {
        Self(defaults)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Value> {
        self.0.iter()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|value| value.name.as_str())
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|value| value.name == name)
    }

    /// Sets a later layer's value; `false` if there is no such setting.
    pub(super) fn set(&mut self, name: &str, raw: Raw, source: Source) -> bool {
        let Some(value) = self.0.iter_mut().find(|value| value.name == name) else { return false };
        value.raw = raw.coerced_like(&value.default);
        value.source = source;
        true
    }
}
