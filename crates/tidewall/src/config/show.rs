//! The output of `tidewall config`: every setting in force and its layer, secrets masked.

use std::fmt;

use serde::Serialize;

use super::{
    Source, secret,
    value::{Raw, Value, Values},
};

/// One setting, ready to print.
#[derive(Clone, Debug, Serialize)]
pub struct ShownSetting {
    pub name: String,
    pub value: serde_json::Value,
    #[serde(serialize_with = "as_text")]
    pub source: Source,
    /// Whether the value is that of the defaults file, whichever layer set it.
    #[serde(skip)]
    pub is_default: bool,
}

impl ShownSetting {
    /// The assignment as in a configuration file. JSON's notation of text, whole numbers, booleans and lists of text
    /// is also TOML's.
    pub fn assignment(&self) -> String {
        format!("{} = {}", self.name, self.value)
    }
}

impl fmt::Display for ShownSetting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:<50} # {}", self.assignment(), self.source)
    }
}

pub(super) fn shown(values: &Values) -> Vec<ShownSetting> {
    let show = |value: &Value| ShownSetting {
        name: value.name.clone(),
        value: printable(value),
        source: value.source.clone(),
        is_default: value.is_default(),
    };
    values.iter().map(show).collect()
}

fn printable(value: &Value) -> serde_json::Value {
    let masked =
        |text: &String| if secret::is_secret(&value.name) { secret::mask(text) } else { text.clone() };
    match &value.raw {
        Raw::Text(text) => masked(text).into(),
        Raw::Integer(number) => (*number).into(),
        Raw::Decimal(number) => number.parse::<f64>().map_or_else(|_| number.clone().into(), Into::into),
        Raw::Boolean(flag) => (*flag).into(),
        Raw::List(items) => items.iter().map(masked).collect::<Vec<_>>().into(),
        Raw::Other(shown) => shown.clone().into(),
    }
}

fn as_text<S: serde::Serializer>(source: &Source, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(source)
}
