//! The people for whom tables of records are written as workbooks: their language and time zone, and what they call
//! records.

use std::collections::{BTreeMap, HashMap};

use domain::{custom_field::CustomValue, moment::Moment, time_zone::TimeZone, wording::Language};
use reports::xlsx::{Days, Heading};
use serde_json::Value;
use store::Reader;

use super::{
    column::{Holds, TableColumn, divided},
    words,
};
use crate::{
    Core, Result,
    authz::Caller,
    records::{AnyKind, any::title_of},
};

/// The people for whom a workbook is written.
#[derive(Debug, Clone)]
pub(crate) struct TableReader {
    pub(crate) language: Language,
    pub(crate) zone: TimeZone,
}

impl Core {
    /// A reader of this language, in their time zone.
    pub(crate) async fn table_reader(&self, caller: &Caller, language: Language) -> Result<TableReader> {
        let tenant = self.tenant_of(caller).await?;
        Ok(TableReader { language, zone: self.zone_of(caller, &tenant).await? })
    }
}

impl TableReader {
    pub(super) fn days(&self) -> Days {
        match self.language {
            Language::English => Days::YearFirst,
            Language::German => Days::DayFirst,
        }
    }

    pub(super) fn heading<'h>(&self, column: &TableColumn) -> Heading<'h> {
        let text = column.label.text(self.language);
        Heading { text, kind: column.kind(), is_hidden: column.is_id() }
    }

    /// The local time to the second.
    fn local(&self, at: Moment) -> String {
        format!("{}:{:02}", self.zone.field(at), at.millis().div_euclid(1_000).rem_euclid(60))
    }

    /// A value of an own field as people read it. Numbers and days are real ones in a workbook.
    pub(super) fn own_value(&self, value: Option<&CustomValue>) -> String {
        match value {
            Some(CustomValue::Flag(true)) => words::YES.text(self.language).to_owned(),
            Some(CustomValue::Flag(false)) => words::NO.text(self.language).to_owned(),
            Some(value) => value.to_string(),
            None => String::new(),
        }
    }

    /// A cell as people read it.
    pub(crate) fn shown(&self, column: &TableColumn, cell: &str, names: &Names) -> String {
        match column.holds {
            Holds::Text | Holds::Number | Holds::Day | Holds::Items(_) | Holds::Id => cell.to_owned(),
            Holds::Moment => cell.parse::<Moment>().map_or(cell.to_owned(), |at| self.local(at)),
            Holds::Flag | Holds::Word(_) => column.worded(self.language, cell),
            Holds::Records(_, between) => {
                let called: Vec<&str> = column.ids(cell).into_iter().map(|id| names.of(id)).collect();
                called.join(if between.trim().is_empty() { "; " } else { between })
            }
        }
    }
}

/// What records are called, by their ids: their reference, or their title where their kind has no references.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<String, String>);

impl Names {
    fn of<'n>(&'n self, id: &'n str) -> &'n str {
        self.0.get(id).map_or(id, String::as_str)
    }

    /// A cell with the ids of the records that it held before in place of what they are called, whatever has become of
    /// them since.
    pub(crate) fn identified(&self, column: &TableColumn, cell: &str, before: &str) -> String {
        let Holds::Records(_, between) = column.holds else { return cell.to_owned() };
        let mut held = column.ids(before);
        let mut identified = Vec::new();
        for name in divided(cell, between) {
            let place = held.iter().position(|id| self.of(id) == name);
            identified.push(place.map_or(name, |place| held.remove(place)));
        }
        identified.join(between)
    }

    /// The names of the records with these ids, in one statement for each kind that the caller may read.
    pub(crate) fn read<'i>(
        reader: &mut Reader<'_>,
        caller: &Caller,
        ids: impl IntoIterator<Item = &'i str>,
    ) -> Result<Self> {
        let mut by_kind: BTreeMap<&str, (&AnyKind, Vec<&str>)> = BTreeMap::new();
        for id in ids {
            if let Some(kind) = AnyKind::of_id(id).filter(|kind| kind.is_open_to(caller)) {
                by_kind.entry(kind.table).or_insert((kind, Vec::new())).1.push(id);
            }
        }
        let mut names = HashMap::new();
        for (kind, mut ids) in by_kind.into_values() {
            ids.sort_unstable();
            ids.dedup();
            for (id, _, fields) in kind.contents(reader, caller.scope(), &ids)? {
                let reference = fields.get("reference").and_then(Value::as_str);
                if let Some(name) = reference.or_else(|| title_of(&fields)) {
                    names.insert(id, name.to_owned());
                }
            }
        }
        Ok(Self(names))
    }
}
