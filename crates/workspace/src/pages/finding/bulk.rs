//! Bulk changes of findings: all of them or none.

use std::{collections::BTreeSet, fmt::Display};

use app::finding::BulkOutcome;
use axum::extract::State;
use domain::{
    finding::{Finding, FindingInput, FindingStatus},
    id::FindingId,
    right::{Resource, Right},
    violation::Violations,
};
use http::StatusCode;
use maud::{Markup, html};

use super::{address_of, detail::is_offered, list};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::Answer,
    route,
    texts::{common, finding as texts, record as shared},
    ui::{
        badge::Tone,
        field::Field,
        notice::{complaints, notice},
    },
};

/// The bulk form below the list; the boxes of the list belong to it.
pub(super) fn form(visit: &Visit) -> Markup {
    let (t, empty) = (|label| visit.t(label), Form::default());
    // Accepting a risk needs a reason and an end day of its own, so it is not offered in bulk.
    let states: Vec<_> =
        FindingStatus::ALL.iter().filter(|status| is_offered(visit, &[], **status)).collect();
    html! {
        details.card.bulk {
            summary {
                (t(texts::BULK)) " "
                span.quiet data-chosen=(t(texts::CHOSEN)) {}
            }
            form.stack #bulk method="post" action={ (route::FINDINGS) "/move" } {
                (visit.form_token())
                input type="hidden" name="bulk_back" value=(visit.address);
                p.hint { (t(texts::BULK_HELP)) }
                div.columns {
                    div.field {
                        label for="bulk-status" { (t(common::STATUS)) }
                        select #bulk-status name="status" {
                            option value="" { (t(texts::BULK_KEEP)) }
                            @for status in states { option value=(status.as_str()) { (t(status.label())) } }
                        }
                    }
                    (Field::person(visit, &empty, "owner", shared::OWNER).render())
                    (Field::day(visit, &empty, "due_on", shared::DUE_ON).optional().render())
                    (Field::text(visit, &empty, "note", shared::NOTE).optional().render())
                }
                div.form-end { button.button type="submit" { (t(texts::BULK_SUBMIT)) } }
            }
        }
    }
}

/// An empty field means no change, so that a bulk change clears nothing by accident.
fn input(form: &Form) -> FindingInput {
    FindingInput {
        status: form.filled_change("status"),
        owner: form.filled_change("owner"),
        due_on: form.filled_change("due_on"),
        note: form.filled_change("note"),
        ..FindingInput::default()
    }
}

pub(super) async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Findings, Right::Write)?;
    let ids: BTreeSet<FindingId> = form.all("ids").filter_map(|id| id.parse().ok()).collect();
    let (said, is_done) = if ids.is_empty() {
        (notice(Tone::Warning, visit.t(texts::BULK_NONE), &html! {}), false)
    } else {
        match workspace.app.change_findings(visit.caller(), ids, input(&form)).await {
            Ok(BulkOutcome::Done { changed, unchanged }) => {
                let counts: [(&str, &dyn Display); 2] = [("changed", &changed), ("unchanged", &unchanged)];
                (notice(Tone::Good, &visit.fill(texts::BULK_DONE, &counts), &html! {}), true)
            }
            Ok(BulkOutcome::Refused(refused)) => {
                let list = refusals(&workspace, &visit, &refused).await?;
                (notice(Tone::Warning, visit.t(texts::BULK_REFUSED), &list), false)
            }
            Err(error) => {
                form.refuse(error)?;
                (complaints(&visit, &form, &[]), false)
            }
        }
    };
    shown(workspace, &visit, form.value("bulk_back"), said, is_done).await
}

/// The list that the findings were chosen in, with its filters and with what became of them.
async fn shown(workspace: Workspace, visit: &Visit, back: &str, said: Markup, is_done: bool) -> Answer {
    let is_list = back.split('?').next() == Some(route::FINDINGS);
    let address = if is_list { back } else { route::FINDINGS };
    let mut page = list(State(workspace), visit.at(address, said)).await?;
    if !is_done {
        *page.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(page)
}

async fn refusals(
    workspace: &Workspace,
    visit: &Visit,
    refused: &[(FindingId, Violations)],
) -> Result<Markup, PageError> {
    let mut lines = Vec::with_capacity(refused.len());
    for (id, violations) in refused {
        let name = match workspace.app.record::<Finding>(visit.caller(), *id).await {
            Ok((detail, _)) => {
                let finding = &detail.record.record;
                format!("{} {}", finding.reference, finding.title)
            }
            Err(app::Error::NotFound) => id.to_string(),
            Err(error) => return Err(error.into()),
        };
        let sentence: Vec<_> =
            violations.fields().values().flatten().map(|message| visit.complaint(message)).collect();
        lines.push(html! { li { a href=(address_of(*id)) { (name) } ": " (sentence.join("; ")) } });
    }
    Ok(html! { ul.bullets { @for line in &lines { (line) } } })
}
