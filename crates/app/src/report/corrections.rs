//! The corrections of what was recorded, in the document of a record.

use std::collections::HashMap;

use domain::{
    correction::Correction,
    moment::{Day, Moment},
    wording::Label,
};
use reports::document::{Cell, Column, Section, Table};

use super::{ReportContext, words as shared, words::word};
use crate::audit::Who;

const CORRECTIONS: Label = word("Corrections", "Korrekturen");
const FIELD: Label = word("Field", "Feld");
const FIRST: Label = word("First value", "Erster Wert");
const VALUE: Label = word("Value", "Wert");
const REASON: Label = word("Reason", "Grund");

impl ReportContext {
    /// The corrections, oldest first, with who recorded the first value; nothing if there are none.
    pub(super) fn corrections<'c>(
        &self,
        section: Section,
        corrections: impl Iterator<Item = &'c Correction>,
        people: &HashMap<String, Who>,
    ) -> Section {
        let mut corrections = corrections.peekable();
        if corrections.peek().is_none() {
            return section;
        }
        let columns = [
            Column::points(self.t(FIELD), 80),
            Column::points(self.t(FIRST), 92),
            Column::points(self.t(VALUE), 92),
            Column::points(self.t(shared::BY), 84),
            Column::share(self.t(REASON), 1),
        ];
        let person = |actor: &str| self.person(people.get(actor));
        let table = corrections.fold(Table::new(columns), |table, each| {
            let recorded = each.value.recorded_by.as_deref().map(|by| format!(" ({})", person(by)));
            let first = self.value(each.value.before.as_deref()) + &recorded.unwrap_or_default();
            let by = format!("{}, {}", person(&each.corrected_by), self.moment(each.corrected_at));
            table.row([
                Cell::from(self.t(each.field.label())),
                Cell::from(first),
                Cell::from(self.value(each.value.after.as_deref())),
                Cell::from(by),
                Cell::from(each.reason.to_string()),
            ])
        });
        section.subheading(self.t(CORRECTIONS)).table(table)
    }

    /// A value as it was recorded; days and times in the reader's format.
    fn value(&self, value: Option<&str>) -> String {
        let Some(text) = value else { return "–".to_owned() };
        if let Ok(day) = text.parse::<Day>() {
            return self.day(Some(day));
        }
        text.parse::<Moment>().map_or_else(|_| text.to_owned(), |at| self.moment(at))
    }
}

/// The ids of the people that corrections name.
pub(super) fn actors(corrections: &[Correction]) -> Vec<String> {
    let named = |each: &Correction| {
        each.value.recorded_by.iter().cloned().chain([each.corrected_by.clone()]).collect::<Vec<_>>()
    };
    corrections.iter().flat_map(named).collect()
}
