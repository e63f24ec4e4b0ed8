//! The values that a line gives to a record, by the names of their columns.

use std::collections::HashMap;

use domain::change::Change;

use crate::report::{
    TableColumn,
    column::{Holds, divided},
};

/// The cells of a line that are to change something, and the record's other cells as they are.
#[derive(Debug)]
pub struct Given {
    columns: &'static [TableColumn],
    changes: HashMap<&'static str, Change<String>>,
    /// What the record has, and what the line gives.
    values: HashMap<&'static str, String>,
}

impl Given {
    pub(super) fn new(columns: &'static [TableColumn], current: Option<&[String]>) -> Self {
        let pairs = columns.iter().zip(current.unwrap_or_default());
        let values = pairs.map(|(column, cell)| (column.name, cell.clone())).collect();
        Self { columns, changes: HashMap::new(), values }
    }

    pub(super) fn set(&mut self, name: &'static str, value: String) {
        self.values.insert(name, value.clone());
        self.changes.insert(name, if value.is_empty() { Change::Clear } else { Change::Set(value) });
    }

    /// The names of the columns that change, in the order of an export.
    pub(super) fn changed(&self) -> Vec<&'static str> {
        let names = self.columns.iter().map(|column| column.name);
        names.filter(|name| self.changes.contains_key(name)).collect()
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether the line changes one of these columns.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.changes.contains_key(name))
    }

    pub(crate) fn text(&self, name: &str) -> Change<String> {
        self.changes.get(name).cloned().unwrap_or_default()
    }

    pub(crate) fn number(&self, name: &str) -> Change<f64> {
        self.text(name).map(|text| number(&text))
    }

    pub(crate) fn flag(&self, name: &str) -> Change<bool> {
        self.text(name).map(|text| text == "true")
    }

    pub(crate) fn list(&self, name: &str) -> Change<Vec<String>> {
        let column = self.columns.iter().find(|column| column.name == name);
        let between = match column.map(|column| column.holds) {
            Some(Holds::Items(between) | Holds::Records(_, between)) => between,
            _ => ";",
        };
        self.text(name).map(|text| divided(&text, between).into_iter().map(str::to_owned).collect())
    }

    /// A value whose parts are judged together: what the line does not change is sent as it is.
    pub(crate) fn whole_text(&self, name: &str) -> Change<String> {
        self.value(name).map(str::to_owned).into()
    }

    pub(crate) fn whole_number(&self, name: &str) -> Change<f64> {
        self.whole_text(name).map(|text| number(&text))
    }
}

/// Anything that is no number was refused before.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
