//! The fields of a record on its page: facts, running text, lists, and the records that it names.

use domain::text::Prose;
use maud::{Markup, html};

use super::{
    super::{items, passage},
    Entry, FormField, all,
};
use crate::{
    extract::View,
    pages::{names::Names, record::form::RecordForm},
    texts::common,
};

impl<K: RecordForm> FormField<K> {
    /// The value among the facts of the page, of a field that is no running text and no list.
    fn fact(&self, view: &View, record: &K) -> Option<Markup> {
        Some(match self.entry {
            Entry::Line(of) | Entry::Person(of) => view.or_none(of(record)),
            Entry::Text(of) => view.or_none(of(record)),
            Entry::Decimal(of) => view.or_none(of(view, record)),
            Entry::Day(of) => view.day_or_none(of(record)),
            Entry::Moment(of) => view.time_or_none(of(record)),
            Entry::Number(_, of) => view.or_none(of(record).map(|number| number.to_string())),
            Entry::Flag(of) => {
                html! { (view.t(if of(record) { common::YES } else { common::NO })) }
            }
            Entry::Choice(words, of) => {
                let value = of(record);
                view.or_none(words(view).into_iter().find(|word| word.value == value).map(|word| word.text))
            }
            Entry::Words(words, of) => {
                let values = of(record);
                let named = words(view).into_iter().filter(|word| values.contains(&&*word.value));
                let named: Vec<_> = named.map(|word| word.text).collect();
                view.or_none((!named.is_empty()).then(|| named.join(", ")))
            }
            Entry::Title(_)
            | Entry::Prose(_)
            | Entry::Lines(_)
            | Entry::Suggested(..)
            | Entry::Chosen(..)
            | Entry::Requirements(_)
            | Entry::Records(..)
            | Entry::Record(..)
            | Entry::Custom(..) => return None,
        })
    }

    fn ids(&self, record: &K) -> Vec<String> {
        match self.entry {
            Entry::Records(_, of) => of(record),
            Entry::Record(_, of) => of(record).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// Every field that the page shows as any field of its sort.
fn plain<K: RecordForm>() -> impl Iterator<Item = &'static FormField<K>> {
    all::<K>().filter(|field| field.is_plain)
}

/// The fields of a record for a list of facts.
pub(crate) fn facts<K: RecordForm>(view: &View, record: &K) -> Markup {
    html! {
        @for field in plain::<K>() {
            @if let Some(value) = field.fact(view, record) {
                dt { (view.t(field.field.label)) } dd { (value) }
            }
        }
    }
}

/// Running text and lists of a record, each under its own heading.
pub(crate) fn passages<K: RecordForm>(view: &View, record: &K) -> Markup {
    html! {
        @for field in plain::<K>() {
            @match field.entry {
                Entry::Prose(of) => (passage(view, field.field.label, of(record).map(Prose::as_str))),
                Entry::Lines(of) | Entry::Suggested(_, of) => (items(view, field.field.label, of(record).iter().map(String::as_str))),
                _ => {}
            }
        }
    }
}

/// The ids of the records that a record names in its fields.
pub(crate) fn linked<K: RecordForm>(record: &K) -> impl Iterator<Item = String> {
    all::<K>().flat_map(move |field| field.ids(record))
}

/// The records that a record names in its fields, each list under its own heading.
pub(in crate::pages) fn links<K: RecordForm>(view: &View, names: &Names, record: &K) -> Markup {
    html! {
        @for field in plain::<K>() {
            @let ids = field.ids(record);
            @if !ids.is_empty() {
                h2.part { (view.t(field.field.label)) }
                ol.numbered { @for id in &ids { li { (names.link(id)) } } }
            }
        }
    }
}
