//! The author of a change, and the buttons of the next steps.

use app::{audit::Who, history::HistoryRow};
use domain::transition::Lifecycle;
use maud::{Markup, html};

use crate::{
    extract::{View, Visit},
    form::Form,
    texts::{audit, record as texts},
    ui::field,
};

pub(crate) fn author(view: &View, who: Option<&Who>) -> String {
    match who {
        Some(Who::Person { name, .. } | Who::Key { name, .. } | Who::Unknown(name)) => name.clone(),
        Some(Who::Operator) => view.t(audit::OPERATOR).to_owned(),
        Some(Who::System) | None => view.t(audit::SYSTEM).to_owned(),
    }
}

/// The button that undoes the last step, if there is one. `offered` leaves out steps that need more than a click.
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

/// One button for each allowed step, with a note for all of them. Steps that need more input are elsewhere. `form`
/// contains the entries of a refused step.
pub(crate) fn moves<S: Lifecycle>(
    visit: &Visit,
    form: &Form,
    action: &str,
    status: S,
    offered: impl Fn(S) -> bool,
) -> Markup {
    moves_with(visit, form, action, status, offered, &html! {})
}

/// The same for steps that end the work on a record: none of them is the usual next one.
pub(crate) fn danger_moves<S: Lifecycle>(
    visit: &Visit,
    form: &Form,
    action: &str,
    status: S,
    offered: impl Fn(S) -> bool,
) -> Markup {
    buttons(visit, form, action, (status, true), offered, &html! {})
}

/// The same with further fields of a step.
pub(crate) fn moves_with<S: Lifecycle>(
    visit: &Visit,
    form: &Form,
    action: &str,
    status: S,
    offered: impl Fn(S) -> bool,
    fields: &Markup,
) -> Markup {
    buttons(visit, form, action, (status, false), offered, fields)
}

fn buttons<S: Lifecycle>(
    visit: &Visit,
    form: &Form,
    action: &str,
    (status, is_danger): (S, bool),
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
                    button.button.primary[index == 0 && !is_danger].danger[is_danger] type="submit" name="status" value=(step.to.as_str()) {
                        (visit.t(step.action))
                    }
                }
            }
        }
    }
}
