//! The fields of a record's form. Each is declared once: the form asks for it, many records of a list get it at once, a
//! cell of the list changes it, and the page shows it.

mod form;
mod page;

use std::pin::Pin;

use app::records::{PickKind, RecordRow};
use domain::{
    field::Field,
    moment::{Day, Moment},
    text::{Name, Prose},
    wording::Label,
};
use maud::Markup;

pub(super) use self::form::values;
pub(in crate::pages) use self::form::{only, sections};
pub(in crate::pages) use self::page::links;
pub(crate) use self::page::{facts, linked, passages};
use super::form::RecordForm;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    ui::field::Choice,
};

/// Fields of a form that belong together.
#[derive(Debug)]
pub(crate) struct Section<K: RecordForm> {
    title: Option<Label>,
    fields: &'static [FormField<K>],
}

impl<K: RecordForm> Section<K> {
    pub(crate) const fn titled(title: Label, fields: &'static [FormField<K>]) -> Self {
        Self { title: Some(title), fields }
    }

    /// The fields of a form that is not divided.
    pub(crate) const fn untitled(fields: &'static [FormField<K>]) -> Self {
        Self { title: None, fields }
    }
}

/// A field of a form.
#[derive(Debug)]
pub(crate) struct FormField<K: RecordForm> {
    pub(crate) field: Field,
    pub(super) entry: Entry<K>,
    pub(super) need: Need,
    hint: Option<Label>,
    /// What stands below the entry, of an entry that depends on more than the form.
    below: Option<Render<K>>,
    place: Place,
    /// Whether the form asks for it; of a new record there is nothing to judge by.
    asked_if: Option<fn(Option<&K>) -> bool>,
    /// Whether many records of the list can get it at once.
    pub(super) in_bulk: bool,
    /// The column of the list whose cell changes it.
    pub(super) column: Option<&'static str>,
    /// Whether the page shows it as it shows any field of this sort.
    is_plain: bool,
}

/// How a field is asked for, and its value in a record.
#[derive(Debug)]
pub(super) enum Entry<K: RecordForm> {
    Title(fn(&K) -> &Name),
    Line(fn(&K) -> Option<&Name>),
    /// A line with a rule of its own.
    Text(fn(&K) -> Option<String>),
    Person(fn(&K) -> Option<&Name>),
    Day(fn(&K) -> Option<Day>),
    /// A time in the reader's time zone.
    Moment(fn(&K) -> Option<Moment>),
    /// A number as the reader's language writes it.
    Decimal(fn(&View, &K) -> Option<String>),
    Prose(fn(&K) -> Option<&Prose>),
    Number((i64, i64), fn(&K) -> Option<u32>),
    Flag(fn(&K) -> bool),
    /// One of some words.
    Choice(fn(&View) -> Vec<Choice>, fn(&K) -> &'static str),
    /// Any of some words.
    Words(fn(&View) -> Vec<Choice>, fn(&K) -> Vec<&'static str>),
    /// One of what the institution or the catalogue has.
    Chosen(Offer<K>, fn(&K) -> Option<String>),
    /// Texts, with what the institution or the catalogue has as suggestions.
    Suggested(Offer<K>, fn(&K) -> Vec<String>),
    /// Texts, each on a line of its own.
    Lines(fn(&K) -> Vec<String>),
    /// Records of these kinds.
    Records(&'static [PickKind], fn(&K) -> Vec<String>),
    /// One record of these kinds.
    Record(&'static [PickKind], fn(&K) -> Option<String>),
    /// Requirements of the catalogue and of own frameworks.
    Requirements(fn(&K) -> Vec<String>),
    Custom(Render<K>, Values<K>),
}

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Beside other narrow ones.
    Beside,
    /// On a line of its own.
    Line,
    /// The same, and the page opens with the cursor in it.
    Focused,
}

/// Whether a record must have a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Optional,
    /// There is always a value; an empty entry of the form keeps it, or has the rules choose one.
    Kept,
    Required,
    /// Required of a new record, and never changed afterwards.
    Fixed,
}

/// What a form is rendered with.
#[derive(Debug)]
pub(crate) struct Ask<'a, K: RecordForm> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) visit: &'a Visit,
    pub(crate) form: &'a Form,
    /// The record that the form changes.
    pub(crate) before: Option<&'a RecordRow<K>>,
}

pub(crate) type Rendered<'a> = Pin<Box<dyn Future<Output = Result<Markup, PageError>> + Send + 'a>>;
pub(crate) type Offered<'a> = Pin<Box<dyn Future<Output = Result<Vec<Choice>, PageError>> + Send + 'a>>;
/// Reads what a field offers.
type Offer<K> = for<'a> fn(&'a Ask<'a, K>) -> Offered<'a>;
/// Renders entries that no other sort of field has.
type Render<K> = for<'a> fn(&'a Ask<'a, K>) -> Rendered<'a>;
/// The values of such entries, by their names in the form.
type Values<K> = fn(&View, &K) -> Vec<(&'static str, String)>;

impl<K: RecordForm> FormField<K> {
    const fn new(field: Field, entry: Entry<K>, is_wide: bool) -> Self {
        Self {
            field,
            entry,
            need: Need::Optional,
            hint: None,
            below: None,
            place: if is_wide { Place::Line } else { Place::Beside },
            asked_if: None,
            in_bulk: false,
            column: None,
            is_plain: true,
        }
    }

    /// The name of the record, which heads its page.
    pub(crate) const fn title(field: Field, value: fn(&K) -> &Name) -> Self {
        Self::new(field, Entry::Title(value), true).required()
    }

    pub(crate) const fn line(field: Field, value: fn(&K) -> Option<&Name>) -> Self {
        Self::new(field, Entry::Line(value), false)
    }

    pub(crate) const fn text(field: Field, value: fn(&K) -> Option<String>) -> Self {
        Self::new(field, Entry::Text(value), false)
    }

    pub(crate) const fn person(field: Field, value: fn(&K) -> Option<&Name>) -> Self {
        Self::new(field, Entry::Person(value), false)
    }

    pub(crate) const fn day(field: Field, value: fn(&K) -> Option<Day>) -> Self {
        Self::new(field, Entry::Day(value), false)
    }

    pub(crate) const fn moment(field: Field, value: fn(&K) -> Option<Moment>) -> Self {
        Self::new(field, Entry::Moment(value), false)
    }

    pub(crate) const fn decimal(field: Field, value: fn(&View, &K) -> Option<String>) -> Self {
        Self::new(field, Entry::Decimal(value), false)
    }

    pub(crate) const fn prose(field: Field, value: fn(&K) -> Option<&Prose>) -> Self {
        Self::new(field, Entry::Prose(value), true)
    }

    pub(crate) const fn number(field: Field, range: (i64, i64), value: fn(&K) -> Option<u32>) -> Self {
        Self::new(field, Entry::Number(range, value), false)
    }

    pub(crate) const fn flag(field: Field, value: fn(&K) -> bool) -> Self {
        Self::new(field, Entry::Flag(value), true)
    }

    pub(crate) const fn choice(
        field: Field,
        words: fn(&View) -> Vec<Choice>,
        value: fn(&K) -> &'static str,
    ) -> Self {
        let choice = Self::new(field, Entry::Choice(words, value), false);
        Self { need: Need::Kept, ..choice }
    }

    pub(crate) const fn words(
        field: Field,
        words: fn(&View) -> Vec<Choice>,
        value: fn(&K) -> Vec<&'static str>,
    ) -> Self {
        Self::new(field, Entry::Words(words, value), true)
    }

    pub(crate) const fn chosen(field: Field, offer: Offer<K>, value: fn(&K) -> Option<String>) -> Self {
        Self::new(field, Entry::Chosen(offer, value), false)
    }

    pub(crate) const fn suggested(field: Field, offer: Offer<K>, value: fn(&K) -> Vec<String>) -> Self {
        Self::new(field, Entry::Suggested(offer, value), true)
    }

    pub(crate) const fn lines(field: Field, value: fn(&K) -> Vec<String>) -> Self {
        Self::new(field, Entry::Lines(value), true)
    }

    pub(crate) const fn records(
        field: Field,
        kinds: &'static [PickKind],
        ids: fn(&K) -> Vec<String>,
    ) -> Self {
        Self::new(field, Entry::Records(kinds, ids), true)
    }

    pub(crate) const fn record(
        field: Field,
        kinds: &'static [PickKind],
        id: fn(&K) -> Option<String>,
    ) -> Self {
        Self::new(field, Entry::Record(kinds, id), true)
    }

    pub(crate) const fn requirements(field: Field, ids: fn(&K) -> Vec<String>) -> Self {
        Self::new(field, Entry::Requirements(ids), true)
    }

    /// Entries that no other sort of field has; the page of the record shows them itself.
    pub(crate) const fn custom(field: Field, render: Render<K>, values: Values<K>) -> Self {
        Self::new(field, Entry::Custom(render, values), true)
    }

    pub(crate) const fn hint(mut self, hint: Label) -> Self {
        self.hint = Some(hint);
        self
    }

    pub(crate) const fn required(mut self) -> Self {
        self.need = Need::Required;
        self
    }

    /// A field that always has a value, also where the entry of the form is left empty.
    pub(crate) const fn kept(mut self) -> Self {
        self.need = Need::Kept;
        self
    }

    /// A field that only a new record is asked for.
    pub(crate) const fn fixed(mut self) -> Self {
        self.need = Need::Fixed;
        self.asked_if(|before| before.is_none())
    }

    /// A field that the form asks for only if this holds of the record; a new one is not there yet.
    pub(crate) const fn asked_if(mut self, holds: fn(Option<&K>) -> bool) -> Self {
        self.asked_if = Some(holds);
        self
    }

    /// With this below its entry.
    pub(crate) const fn below(mut self, render: Render<K>) -> Self {
        self.below = Some(render);
        self
    }

    /// On a line of its own.
    pub(crate) const fn wide(mut self) -> Self {
        self.place = Place::Line;
        self
    }

    /// On a line of its own, with the cursor in it.
    pub(crate) const fn focused(mut self) -> Self {
        self.place = Place::Focused;
        self
    }

    /// Many records of the list can get it at once.
    pub(crate) const fn bulk(mut self) -> Self {
        self.in_bulk = true;
        self
    }

    /// It is changed in its column of the list, which has its name.
    pub(crate) const fn cell(self) -> Self {
        let column = self.field.name;
        self.cell_in(column)
    }

    /// The same for a column with another name.
    pub(crate) const fn cell_in(mut self, column: &'static str) -> Self {
        self.column = Some(column);
        self
    }

    /// The page of the record shows it in its own way.
    pub(crate) const fn shown_apart(mut self) -> Self {
        self.is_plain = false;
        self
    }
}

/// Every field of the form.
pub(super) fn all<K: RecordForm>() -> impl Iterator<Item = &'static FormField<K>> {
    K::FIELDS.iter().flat_map(|section| section.fields)
}
