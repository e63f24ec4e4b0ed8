//! The plain fields that many records of a list get at once: how each is asked for.

use domain::{text::Name, wording::Label};
use maud::{Markup, html};

use super::form::RecordForm;
use crate::{
    extract::Visit,
    form::Form,
    texts::{bulk as texts, common, record as shared},
    ui::field::{self, Choice, Field, switch},
};

/// The words of a field in the reader's language.
type Words = fn(&Visit) -> Vec<Choice>;

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
    Step(Words, fn(&Form) -> K::Input),
}

impl<K: RecordForm> BulkField<K> {
    const fn of(name: &'static str, label: Label, entry: Entry<K>) -> Self {
        Self { name, label, entry, is_optional: true }
    }

    pub(crate) const fn line(name: &'static str, label: Label) -> Self {
        Self::of(name, label, Entry::Line)
    }

    pub(crate) const fn person(name: &'static str, label: Label) -> Self {
        Self::of(name, label, Entry::Person)
    }

    pub(crate) const fn day(name: &'static str, label: Label) -> Self {
        Self::of(name, label, Entry::Day)
    }

    pub(crate) const fn prose(name: &'static str, label: Label) -> Self {
        Self::of(name, label, Entry::Prose)
    }

    pub(crate) const fn number(name: &'static str, label: Label, range: (i64, i64)) -> Self {
        Self::of(name, label, Entry::Number(range))
    }

    pub(crate) const fn words(name: &'static str, label: Label, words: Words) -> Self {
        Self::of(name, label, Entry::Words(words)).required()
    }

    pub(crate) const fn step(words: Words, step: fn(&Form) -> K::Input) -> Self {
        Self::of("status", common::STATUS, Entry::Step(words, step)).required()
    }

    /// The same for a field that every record has.
    pub(crate) const fn required(self) -> Self {
        let Self { name, label, entry, .. } = self;
        Self { name, label, entry, is_optional: false }
    }

    /// The same for words that a record can be without.
    pub(crate) const fn optional(self) -> Self {
        let Self { name, label, entry, .. } = self;
        Self { name, label, entry, is_optional: true }
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
        let entry = match self.entry {
            Entry::Line => Field::text(visit, form, &name, label).optional().at_most(Name::MAX).render(),
            Entry::Person => Field::person(visit, form, &name, label).render(),
            Entry::Day => Field::day(visit, form, &name, label).optional().render(),
            Entry::Prose => field::area(visit, form, &name, label, None),
            Entry::Number(range) => Field::number(visit, form, &name, label, range).optional().render(),
            Entry::Words(words) => select(visit, form, &name, label, words),
            Entry::Step(words, _) => html! {
                (select(visit, form, &name, label, words))
                (Field::text(visit, form, "bulk_note", shared::NOTE).optional().render())
            },
        };
        html! {
            div.bulk-field data-bulk-field=(self.name) {
                (entry)
                @if self.is_optional { (switch(visit, form, &self.emptied_as(), texts::EMPTY, None)) }
            }
        }
    }
}

fn select(visit: &Visit, form: &Form, name: &str, label: Label, words: Words) -> Markup {
    let mut choices = vec![Choice::new("", visit.t(texts::KEEP))];
    choices.extend(words(visit));
    field::select(visit, form, name, label, &choices)
}
