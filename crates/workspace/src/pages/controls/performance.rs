//! The performances of a control: recording one, and correcting what was recorded.

use app::control::Performed;
use axum::extract::{Path, State};
use domain::{
    control::{Control, PerformedInput},
    correction::CorrectedField,
    right::{Resource, Right},
    text::Prose,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::record::{
        self,
        correction::{self, Corrections, Now},
    },
    respond::Answer,
    texts::{control as texts, correction as corrected},
    ui::field::{self, Field},
};

pub(super) fn performing(visit: &Visit, form: &Form, address: &str, offers_implemented: bool) -> Markup {
    let filled = form.value("on");
    let today = Form::filled([("on", visit.now.day().to_string())]);
    let shown = if filled.is_empty() { &today } else { form };
    html! {
        form.stack method="post" action={ (address) "/performed" } {
            (visit.form_token())
            (Field::day(visit, shown, "on", texts::PERFORMED_ON).render())
            (field::area(visit, form, "note", texts::PERFORM_NOTE, None))
            @if offers_implemented {
                (field::switch(visit, form, "implements", texts::IMPLEMENTS, None))
            }
            div.form-end { button.button.primary type="submit" { (visit.t(texts::PERFORM)) } }
        }
    }
}

/// What was recorded, each with who recorded it and what was corrected.
pub(super) fn list(
    visit: &Visit,
    address: &str,
    performed: &[Performed],
    corrections: &Corrections,
    form: &Form,
) -> Markup {
    let may_correct = visit.may(Resource::Controls, Right::Decide);
    html! {
        @if performed.is_empty() { p.hint { (visit.t(texts::NEVER_PERFORMED)) } }
        @else {
            ol.history {
                @for row in performed {
                    li {
                        strong { (visit.day(row.performance.on)) }
                        @if let Some(note) = &row.performance.note { p.prose { (note.as_str()) } }
                        p.hint {
                            (visit.t(corrected::RECORDED_BY)) " " (corrections.person(visit, &row.actor)) ", "
                            (visit.time(row.recorded_at))
                        }
                        (corrections.list(visit, |place| place == row.number.to_string()))
                        @if may_correct {
                            @let action = format!("{address}/performances/{}/correct", row.number);
                            (correction::form(visit, form, (&prefix(row.number), &action), &now(row), false))
                        }
                    }
                }
            }
        }
    }
}

fn prefix(number: i64) -> String {
    format!("performance-{number}")
}

fn now(row: &Performed) -> Vec<Now> {
    let note = row.performance.note.as_ref().map(|note| Prose::as_str(note).to_owned());
    vec![Now::Day(CorrectedField::On, row.performance.on), Now::Text(note)]
}

pub(super) async fn perform(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, record::form::id_of::<Control>(&id)?);
    let input = PerformedInput {
        on: form.filled_change("on"),
        note: form.change("note"),
        implements: form.is_checked("implements"),
        ..PerformedInput::default()
    };
    let result = workspace
        .app
        .compliance
        .perform_control(visit.caller(), id, input, record::precondition(&form))
        .await;
    record::form::settled::<Control, _>(&workspace, &visit, id, form, result, "performed").await
}

pub(super) async fn correct(
    State(workspace): State<Workspace>,
    Path((id, number)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, record::form::id_of::<Control>(&id)?);
    visit.caller().require_right(Resource::Controls, Right::Decide)?;
    let number: i64 = number.parse().map_err(|_| PageError::NotFound)?;
    let app = &workspace.app;
    let performed = app.compliance.control_performances(visit.caller(), id).await?;
    let now = performed.iter().find(|row| row.number == number).map(now).ok_or(PageError::NotFound)?;
    let inputs = correction::inputs(&visit, &mut form, &prefix(number), &now);
    let saved = match form.finish(Some(inputs)) {
        Ok(inputs) => {
            let precondition = record::precondition(&form);
            app.records.correct_record::<Control>(visit.caller(), id, number, inputs, precondition).await
        }
        Err(error) => Err(error),
    };
    record::form::settled::<Control, _>(&workspace, &visit, id, form, saved, "corrected").await
}
