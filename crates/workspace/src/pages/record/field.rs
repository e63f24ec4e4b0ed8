//! Plain fields of a record: each is declared once, asked for in the form and shown on the page.

use domain::{
    moment::Day,
    text::{Name, Prose},
    wording::Label,
};
use maud::{Markup, html};

use super::{form::filled, passage};
use crate::{
    extract::View,
    form::Form,
    ui::field::{self, Field},
};

/// A field that may be left empty and has no rule besides its type.
#[derive(Debug)]
pub(crate) struct PlainField<R: 'static> {
    pub(crate) name: &'static str,
    pub(crate) label: Label,
    value: Plain<R>,
}

#[derive(Debug)]
enum Plain<R: 'static> {
    Line(fn(&R) -> Option<&Name>),
    Person(fn(&R) -> Option<&Name>),
    Day(fn(&R) -> Option<Day>),
    Prose(fn(&R) -> Option<&Prose>),
}

impl<R> PlainField<R> {
    pub(crate) const fn line(name: &'static str, label: Label, value: fn(&R) -> Option<&Name>) -> Self {
        Self { name, label, value: Plain::Line(value) }
    }

    pub(crate) const fn person(name: &'static str, label: Label, value: fn(&R) -> Option<&Name>) -> Self {
        Self { name, label, value: Plain::Person(value) }
    }

    pub(crate) const fn day(name: &'static str, label: Label, value: fn(&R) -> Option<Day>) -> Self {
        Self { name, label, value: Plain::Day(value) }
    }

    pub(crate) const fn prose(name: &'static str, label: Label, value: fn(&R) -> Option<&Prose>) -> Self {
        Self { name, label, value: Plain::Prose(value) }
    }

    /// The value in the form.
    pub(crate) fn filled(&self, record: &R) -> (&'static str, String) {
        let value = match self.value {
            Plain::Line(of) | Plain::Person(of) => filled(of(record)),
            Plain::Day(of) => filled(of(record)),
            Plain::Prose(of) => filled(of(record)),
        };
        (self.name, value)
    }

    fn is_prose(&self) -> bool {
        matches!(self.value, Plain::Prose(_))
    }

    fn entry(&self, view: &View, form: &Form) -> Markup {
        let Self { name, label, ref value } = *self;
        match value {
            Plain::Line(_) => Field::text(view, form, name, label).optional().at_most(Name::MAX).render(),
            Plain::Person(_) => Field::person(view, form, name, label).render(),
            Plain::Day(_) => Field::day(view, form, name, label).optional().render(),
            Plain::Prose(_) => field::area(view, form, name, label, None),
        }
    }

    fn shown(&self, view: &View, record: &R) -> Markup {
        match self.value {
            Plain::Line(of) | Plain::Person(of) => self.fact(view, &view.or_none(of(record))),
            Plain::Day(of) => self.fact(view, &view.day_or_none(of(record))),
            Plain::Prose(of) => passage(view, self.label, of(record).map(Prose::as_str)),
        }
    }

    fn fact(&self, view: &View, value: &Markup) -> Markup {
        html! { dt { (view.t(self.label)) } dd { (value) } }
    }
}

/// The entries for all fields but running text.
pub(crate) fn entries<R>(fields: &[PlainField<R>], view: &View, form: &Form) -> Markup {
    html! { @for field in fields.iter().filter(|field| !field.is_prose()) { (field.entry(view, form)) } }
}

/// The entries for running text.
pub(crate) fn areas<R>(fields: &[PlainField<R>], view: &View, form: &Form) -> Markup {
    html! { @for field in fields.iter().filter(|field| field.is_prose()) { (field.entry(view, form)) } }
}

/// All fields but running text, for a list of facts.
pub(crate) fn facts<R>(fields: &[PlainField<R>], view: &View, record: &R) -> Markup {
    html! { @for field in fields.iter().filter(|field| !field.is_prose()) { (field.shown(view, record)) } }
}

/// Running text, each under its own heading.
pub(crate) fn passages<R>(fields: &[PlainField<R>], view: &View, record: &R) -> Markup {
    html! { @for field in fields.iter().filter(|field| field.is_prose()) { (field.shown(view, record)) } }
}
