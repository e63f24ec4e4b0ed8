//! The plain fields that many records of a list get at once: how each is asked for.

use domain::{field::Field as Named, text::Name, wording::Label};
use maud::{Markup, html};

use super::{
    field::{Entry as FormEntry, FormField, Need, all as form_fields},
    form::RecordForm,
};
use crate::{
    extract::{View, Visit},
    form::Form,
    texts::{bulk as texts, common, record as shared},
    ui::field::{self, Choice, Field, switch},
};

/// The words of a field in the reader's language.
type Words = fn(&View) -> Vec<Choice>;

/// A field that many records of a kind can get at once.
#[derive(Debug)]
pub(crate) struct BulkField<K: RecordForm> {
    pub(crate) name: &'static str,
    pub(crate) label: Label,
    entry: Entry<K>,
    /// Whether a record can be without it.
    is_optional: bool,
}

#[derive(Debug)]
enum Entry<K: RecordForm> {
    Line,
    Person,
    Day,
    Prose,
    Number((i64, i64)),
    Words(Words),
    /// The next state, with a note for the history.
    Step(fn(&Visit) -> Vec<Choice>, fn(&Form) -> K::Input),
}

impl<K: RecordForm> Copy for BulkField<K> {}
impl<K: RecordForm> Copy for Entry<K> {}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived one asks for a kind whose records can be copied"
)]
impl<K: RecordForm> Clone for BulkField<K> {
    fn clone(&self) -> Self {
        *self
    }
}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived one asks for a kind whose records can be copied"
)]
impl<K: RecordForm> Clone for Entry<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: RecordForm> BulkField<K> {
    pub(crate) const fn step(words: fn(&Visit) -> Vec<Choice>, step: fn(&Form) -> K::Input) -> Self {
        Self { name: "status", label: common::STATUS, entry: Entry::Step(words, step), is_optional: false }
    }

    /// A field of the form, if many records can get it at once.
    fn of_form(asked: &FormField<K>) -> Option<Self> {
        let entry = match asked.entry {
            FormEntry::Title(_) | FormEntry::Line(_) | FormEntry::Text(_) => Entry::Line,
            FormEntry::Person(_) => Entry::Person,
            FormEntry::Day(_) => Entry::Day,
            FormEntry::Prose(_) => Entry::Prose,
            FormEntry::Number(range, _) => Entry::Number(range),
            FormEntry::Choice(words, _) => Entry::Words(words),
            FormEntry::Flag(_)
            | FormEntry::Moment(_)
            | FormEntry::Decimal(_)
            | FormEntry::Words(..)
            | FormEntry::Chosen(..)
            | FormEntry::Suggested(..)
            | FormEntry::Requirements(_)
            | FormEntry::Lines(_)
            | FormEntry::Records(..)
            | FormEntry::Record(..)
            | FormEntry::Custom(..) => return None,
        };
        let Named { name, label } = asked.field;
        let is_optional = asked.need == Need::Optional;
        asked.in_bulk.then_some(Self { name, label, entry, is_optional })
    }

    /// Whether it is running text, which comes last.
    fn is_prose(&self) -> bool {
        matches!(self.entry, Entry::Prose)
    }

    /// The input that a change of the state has apart from other fields.
    pub(crate) fn step_input(&self) -> Option<fn(&Form) -> K::Input> {
        match self.entry {
            Entry::Step(_, step) => Some(step),
            _ => None,
        }
    }

    /// Its name in the form below the list, where other forms have fields of the same name.
    pub(crate) fn entered_as(&self) -> String {
        format!("bulk_{}", self.name)
    }

    /// The name of the box that empties it.
    pub(crate) fn emptied_as(&self) -> String {
        format!("bulk_empty_{}", self.name)
    }

    /// What asks for it. A script shows only the fields that the reader picks.
    pub(crate) fn render(&self, visit: &Visit, form: &Form) -> Markup {
        let (name, label) = (self.entered_as(), self.label);
        let mut is_optional = self.is_optional;
        let entry = match self.entry {
            Entry::Line => Field::text(visit, form, &name, label).optional().at_most(Name::MAX).render(),
            Entry::Person => Field::person(visit, form, &name, label).render(),
            Entry::Day => Field::day(visit, form, &name, label).optional().render(),
            Entry::Prose => field::area(visit, form, &name, label, None),
            Entry::Number(range) => Field::number(visit, form, &name, label, range).optional().render(),
            Entry::Words(words) => {
                let mut words = words(visit);
                // An empty entry leaves records as they are; that they have none of the words is asked for apart.
                is_optional |= words.iter().any(|word| word.value.is_empty());
                words.retain(|word| !word.value.is_empty());
                select(visit, form, &name, label, words)
            }
            Entry::Step(words, _) => html! {
                (select(visit, form, &name, label, words(visit)))
                (Field::text(visit, form, "bulk_note", shared::NOTE).optional().render())
            },
        };
        html! {
            div.bulk-field data-bulk-field=(self.name) {
                (entry)
                @if is_optional { (switch(visit, form, &self.emptied_as(), texts::EMPTY, None)) }
            }
        }
    }
}

/// Every field that many records can get at once.
pub(super) fn all<K: RecordForm>() -> Vec<BulkField<K>> {
    let of_form = form_fields::<K>().filter_map(BulkField::of_form);
    let mut fields: Vec<_> = K::BULK.iter().copied().chain(of_form).collect();
    fields.sort_by_key(BulkField::is_prose);
    fields
}

fn select(visit: &Visit, form: &Form, name: &str, label: Label, words: Vec<Choice>) -> Markup {
    let mut choices = vec![Choice::new("", visit.t(texts::KEEP))];
    choices.extend(words);
    field::select(visit, form, name, label, &choices)
}
