//! The columns of tables of records. A CSV file is for programs: it has the names and values of the API. A workbook is
//! for people: it has the words of their language, real days and numbers, and references or names instead of ids.

use std::collections::{BTreeMap, HashMap};

use domain::{
    custom_field::CustomValue,
    moment::Moment,
    time_zone::TimeZone,
    vocabulary::Vocabulary,
    wording::{Label, Language},
};
use reports::{
    csv::ColumnKind,
    xlsx::{Days, Heading},
};
use serde_json::Value;
use store::Reader;

use super::words;
use crate::{
    App, Result,
    authz::Caller,
    records::{AnyKind, any::title_of},
};

/// A column of a table of records.
#[derive(Debug, Clone, Copy)]
pub struct TableColumn {
    /// As the API names it.
    pub name: &'static str,
    pub label: Label,
    pub(crate) holds: Holds,
    /// Whether an import reads it.
    pub is_read: bool,
}

/// What the cells of a column hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Holds {
    Text,
    Number,
    Day,
    Moment,
    Flag,
    /// Words of a vocabulary, by the words of the API.
    Word(fn() -> Vec<(&'static str, Label)>),
    /// Several texts, with this between them.
    Items(&'static str),
    /// One record of these nouns, or several with this between them.
    Records(&'static [&'static str], &'static str),
    /// What names the record itself to programs.
    Id,
}

/// The words of a vocabulary with their labels.
pub(crate) fn words_of<V: Vocabulary>() -> Vec<(&'static str, Label)> {
    V::ALL.iter().map(|word| (word.as_str(), word.label())).collect()
}

impl TableColumn {
    const fn new(name: &'static str, label: Label, holds: Holds) -> Self {
        Self { name, label, holds, is_read: true }
    }

    pub(crate) const fn text(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Text)
    }

    pub(crate) const fn number(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Number)
    }

    pub(crate) const fn day(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Day)
    }

    pub(crate) const fn moment(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Moment)
    }

    pub(crate) const fn flag(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Flag)
    }

    pub(crate) const fn word<V: Vocabulary>(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Word(words_of::<V>))
    }

    pub(crate) const fn items(name: &'static str, label: Label, between: &'static str) -> Self {
        Self::new(name, label, Holds::Items(between))
    }

    pub(crate) const fn record(name: &'static str, label: Label, nouns: &'static [&'static str]) -> Self {
        Self::new(name, label, Holds::Records(nouns, ""))
    }

    pub(crate) const fn records(
        name: &'static str,
        label: Label,
        nouns: &'static [&'static str],
        between: &'static str,
    ) -> Self {
        Self::new(name, label, Holds::Records(nouns, between))
    }

    /// What names the record to programs, of a table whose records have no ids of their own.
    pub(crate) const fn key(name: &'static str, label: Label) -> Self {
        Self::new(name, label, Holds::Id)
    }

    /// The id of the record; people know it by its reference or its name.
    pub(crate) const fn id() -> Self {
        Self::new("id", words::ID, Holds::Id)
    }

    /// A column that follows from others, or that only a step of its own changes.
    #[must_use]
    pub(crate) const fn unread(mut self) -> Self {
        self.is_read = false;
        self
    }

    fn kind(&self) -> ColumnKind {
        match self.holds {
            Holds::Number => ColumnKind::Number,
            Holds::Day => ColumnKind::Day,
            Holds::Moment => ColumnKind::Moment,
            Holds::Text | Holds::Flag | Holds::Word(_) | Holds::Items(_) | Holds::Records(..) | Holds::Id => {
                ColumnKind::Text
            }
        }
    }

    fn is_id(&self) -> bool {
        matches!(self.holds, Holds::Id)
    }

    /// The ids of records in a cell.
    pub(crate) fn ids<'c>(&self, cell: &'c str) -> Vec<&'c str> {
        match self.holds {
            Holds::Records(_, between) => divided(cell, between),
            _ => Vec::new(),
        }
    }
}

/// The items of a cell.
pub(crate) fn divided<'c>(cell: &'c str, between: &str) -> Vec<&'c str> {
    let items: Vec<&str> = match between.trim() {
        "" if between.is_empty() => vec![cell],
        "" => cell.split([' ', '\n', ';']).collect(),
        "|" | ";" => cell.split([';', '|', '\n']).collect(),
        other => cell.split(other).collect(),
    };
    items.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect()
}

/// The columns in the order of a workbook, and the ids, which come last.
pub(super) fn order(columns: &[TableColumn]) -> (Vec<usize>, Vec<usize>) {
    (0..columns.len()).partition(|place| !columns[*place].is_id())
}

/// The people for whom a workbook is written.
#[derive(Debug, Clone)]
pub(crate) struct People {
    pub(crate) language: Language,
    pub(crate) zone: TimeZone,
}

impl App {
    /// A reader of this language, in their time zone.
    pub(crate) async fn table_reader(&self, caller: &Caller, language: Language) -> Result<People> {
        let tenant = self.tenant_of(caller).await?;
        Ok(People { language, zone: self.zone_of(caller, &tenant).await? })
    }
}

impl People {
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
            Holds::Flag => match cell {
                "true" => words::YES.text(self.language).to_owned(),
                "false" => words::NO.text(self.language).to_owned(),
                other => other.to_owned(),
            },
            Holds::Word(words) => {
                let found = words().into_iter().find(|(word, _)| *word == cell);
                found.map_or(cell.to_owned(), |(_, label)| label.text(self.language).to_owned())
            }
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
