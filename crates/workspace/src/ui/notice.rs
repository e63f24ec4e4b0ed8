//! Messages after a change, and violations of a form.

use domain::wording::Label;
use maud::{Markup, html};

use super::badge::Tone;
use crate::{extract::View, form::Form, texts::common};

pub(crate) fn notice(tone: Tone, title: &str, content: &Markup) -> Markup {
    html! {
        div class={ "note " (tone.as_str()) } role=[(tone == Tone::Critical).then_some("alert")] {
            p.note-title { (super::badge::badge(tone, title)) }
            (content)
        }
    }
}

/// What became of a form that was sent from this page, and the message for the word in the address, if it is one of
/// these.
pub(crate) fn done(view: &View, known: &[(&str, Label)]) -> Markup {
    let said = view.query("done");
    let label = said.and_then(|said| known.iter().find(|(name, _)| *name == said).map(|(_, label)| *label));
    html! {
        @if let Some(said) = &view.said { (said) }
        @if let Some(label) = label {
            div class="note good" role="status" { p.note-title { (super::badge::badge(Tone::Good, view.t(label))) } }
        }
    }
}

/// All violations of a form above it, each linked to its field. `names` are the fields that the form shows.
pub(crate) fn complaints(view: &View, form: &Form, names: &[(&str, Label)]) -> Markup {
    complaints_of(view, form, |field| {
        names.iter().find(|(name, _)| *name == field).map(|(_, label)| view.t(*label).to_owned())
    })
}

/// The same for a form whose fields are named by a function.
pub(crate) fn complaints_of(view: &View, form: &Form, name_of: impl Fn(&str) -> Option<String>) -> Markup {
    if form.violations().is_empty() {
        return html! {};
    }
    html! {
        div.note.critical role="alert" {
            p.note-title { (super::badge::badge(Tone::Critical, view.t(common::PLEASE_CHECK))) }
            ul {
                @for (field, messages) in form.violations().fields() {
                    @let label = name_of(field);
                    @for message in messages {
                        li {
                            @if let Some(label) = &label {
                                a href={ "#" (field) } { (label) } " " (view.complaint(message))
                            } @else {
                                (field) " " (view.complaint(message))
                            }
                        }
                    }
                }
            }
        }
    }
}
