//! What happened to a record, newest first, and the buttons that make the next step.

use std::collections::HashMap;

use app::{audit::Who, history::HistoryRow};
use domain::{transition::Lifecycle, vocabulary::Vocabulary};
use maud::{Markup, html};

use super::badge::{Tone, badge};
use crate::{
    form::Form,
    texts::{audit, record as texts},
    ui::field,
    visit::{View, Visit},
};

/// The names behind the ids a history names.
pub(crate) type Names = HashMap<String, Who>;

pub(crate) fn author(view: &View, who: Option<&Who>) -> String {
    match who {
        Some(Who::Person { name, .. } | Who::Key { name, .. } | Who::Unknown(name)) => name.clone(),
        Some(Who::Operator) => view.t(audit::OPERATOR).to_owned(),
        Some(Who::System) | None => view.t(audit::SYSTEM).to_owned(),
    }
}

pub(crate) fn history<S: Vocabulary>(
    view: &View,
    steps: &[HistoryRow],
    names: &Names,
    tone: fn(S) -> Tone,
) -> Markup {
    html! {
        ol.history {
            @for step in steps.iter().rev() {
                li {
                    div.row {
                        @if step.from.as_ref() == Some(&step.to) {
                            (badge(Tone::Notice, view.t(texts::CORRECTED)))
                        } @else if let Some(status) = S::find(&step.to) {
                            (badge(tone(status), view.t(status.label())))
                        }
                    }
                    @if let Some(note) = &step.note { p.prose { (note.as_str()) } }
                    p.hint { (author(view, names.get(&step.actor))) ", " (view.time(step.at)) }
                }
            }
        }
    }
}

/// The way back from a step just made, where there is one. `offered` leaves out steps that need more than a press.
pub(crate) fn undo<S: Lifecycle>(
    visit: &Visit,
    action: &str,
    steps: &[HistoryRow],
    status: S,
    offered: impl Fn(S) -> bool,
) -> Markup {
    let moved = visit.query("done").is_some_and(|done| done == "moved");
    let before = steps.last().filter(|_| moved).and_then(|step| S::find(step.from.as_deref()?));
    let Some(before) = before.filter(|before| status.can_become(*before) && offered(*before)) else {
        return html! {};
    };
    html! {
        form.inline method="post" action=(action) data-inline {
            (visit.form_token())
            input type="hidden" name="status" value=(before.as_str());
            input type="hidden" name="note" value=(visit.t(texts::UNDONE));
            button.button type="submit" {
                (visit.fill(texts::UNDO, &[("status", &visit.t(before.label()))]))
            }
        }
    }
}

/// One button for each allowed step, with a note for all of them. Steps that need more say so elsewhere. `form` is
/// what was entered for a step that was refused.
pub(crate) fn moves<S: Lifecycle>(
    visit: &Visit,
    form: &Form,
    action: &str,
    status: S,
    offered: impl Fn(S) -> bool,
) -> Markup {
    moves_with(visit, form, action, status, offered, &html! {})
}

/// The same with further fields for what a step records.
pub(crate) fn moves_with<S: Lifecycle>(
    visit: &Visit,
    form: &Form,
    action: &str,
    status: S,
    offered: impl Fn(S) -> bool,
    fields: &Markup,
) -> Markup {
    let steps: Vec<_> = status.moves().iter().filter(|step| offered(step.to)).collect();
    if steps.is_empty() {
        return html! {};
    }
    html! {
        form #status method="post" action=(action) data-inline {
            (visit.form_token())
            (fields)
            (field::area(visit, form, "note", texts::NOTE, None))
            div.row {
                @for (index, step) in steps.iter().enumerate() {
                    button.button.primary[index == 0] type="submit" name="status" value=(step.to.as_str()) {
                        (visit.t(step.action))
                    }
                }
            }
        }
    }
}
