//! The form in place of a cell, of records and of assessments.

use domain::{text::Name, wording::Label};
use maud::{Markup, html};

use super::super::{SEEN, seen};
use crate::{
    extract::{Editing, Visit},
    form::Form,
    texts::{cell as texts, common, error, record as shared},
    ui::field::{Choice, people},
};

/// The id of the form, so that an address leads to it.
pub(super) const PLACE: &str = "cell";

/// The form in place of a cell.
#[derive(Debug)]
pub(crate) struct CellForm<'c> {
    /// The record, and what a reader calls it.
    pub(crate) id: &'c str,
    pub(crate) record: &'c str,
    /// Where the form is sent.
    pub(crate) address: &'c str,
    /// The column, and the field of the form.
    pub(crate) names: (&'static str, &'static str),
    pub(crate) label: Label,
    pub(crate) entry: Entry,
    /// Whether a note is asked for beside the value.
    pub(crate) has_note: bool,
    /// The present value as a reader sees it.
    pub(crate) now: &'c str,
}

/// How a value is entered.
#[derive(Debug)]
pub(crate) enum Entry {
    Choices(Vec<Choice>),
    Person,
    Day { is_required: bool },
}

impl CellForm<'_> {
    /// The cell as its form; `other` names the fields that a complaint can be about besides its own.
    pub(crate) fn editing(
        &self,
        visit: &Visit,
        form: &Form,
        other: impl Fn(&str) -> Option<Label>,
    ) -> Editing {
        let place = format!("{}.{}", self.id, self.names.0);
        let markup = html! {
            form.cell-form #(PLACE) method="post" action=(self.address) data-cell-form=(place) {
                (visit.form_token())
                (seen(form.value(SEEN)))
                input type="hidden" name="cell" value=(self.names.0);
                input type="hidden" name="back" value=(visit.address);
                (self.entry(visit, form))
                (wrong(visit, form, other))
                @if form.is_overtaken() {
                    p.wrong role="alert" {
                        (visit.t(error::STALE)) ". "
                        (visit.fill(texts::NOW, &[("value", &self.now)]))
                    }
                }
                div.row {
                    button.button.primary type="submit" { (visit.t(common::SAVE)) }
                    a.button href=(visit.address) data-cell-cancel { (visit.t(common::CANCEL)) }
                }
            }
        };
        Editing { place, form: markup }
    }

    fn entry(&self, visit: &Visit, form: &Form) -> Markup {
        let (field, value) = (self.names.1, form.value(self.names.1));
        let label = visit.fill(texts::VALUE_OF, &[("field", &visit.t(self.label)), ("name", &self.record)]);
        let wrong = (!form.violations().is_empty()).then_some("true");
        let described = wrong.map(|_| "cell-wrong");
        html! {
            @match &self.entry {
                Entry::Choices(choices) => {
                    select name=(field) aria-label=(label) aria-invalid=[wrong] aria-describedby=[described] {
                        @for choice in choices {
                            option value=(choice.value) selected[choice.value == value] { (choice.text) }
                        }
                    }
                }
                Entry::Person => {
                    input type="text" name=(field) value=(value) maxlength=(Name::MAX) list="cell-people"
                        autocomplete="off" aria-label=(label) aria-invalid=[wrong] aria-describedby=[described];
                    (people("cell"))
                }
                Entry::Day { is_required } => {
                    input type="date" name=(field) value=(value) required[*is_required] aria-label=(label)
                        aria-invalid=[wrong] aria-describedby=[described];
                }
            }
            @if self.has_note {
                input type="text" name="note" value=(form.value("note")) placeholder=(visit.t(shared::NOTE))
                    aria-label=(visit.fill(texts::NOTE_OF, &[("name", &self.record)]));
            }
        }
    }
}

fn wrong(visit: &Visit, form: &Form, other: impl Fn(&str) -> Option<Label>) -> Markup {
    html! {
        @if !form.violations().is_empty() {
            div #cell-wrong role="alert" {
                @for (field, complaints) in form.violations().fields() {
                    @let other = other(field);
                    @for complaint in complaints {
                        p.wrong {
                            @if let Some(other) = other { (visit.t(other)) " " }
                            (visit.complaint(complaint))
                        }
                    }
                }
            }
        }
    }
}
