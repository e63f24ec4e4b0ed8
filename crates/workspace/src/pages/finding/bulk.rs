//! Bulk changes of findings: all of them or none.

use std::collections::BTreeSet;

use app::finding::BulkOutcome;
use axum::extract::State;
use domain::{
    finding::{Finding, FindingInput, FindingStatus},
    id::FindingId,
    right::{Resource, Right},
    violation::Violations,
};
use maud::{Markup, html};

use super::{address_of, detail::is_offered};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, finding as texts, record as shared},
    ui::{self, field::Field, notice::complaints},
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
    if ids.is_empty() {
        return respond::refused(page(&visit, &form, visit.t(texts::BULK_NONE), &html! {}));
    }
    match workspace.app.change_findings(visit.caller(), ids, input(&form)).await {
        Ok(BulkOutcome::Done { changed, unchanged }) => {
            let sentence = visit.fill(texts::BULK_DONE, &[("changed", &changed), ("unchanged", &unchanged)]);
            respond::page(page(&visit, &form, &sentence, &html! {}))
        }
        Ok(BulkOutcome::Refused(refused)) => {
            let list = refusals(&workspace, &visit, &refused).await?;
            respond::refused(page(&visit, &form, visit.t(texts::BULK_REFUSED), &list))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&visit, &form, visit.t(texts::BULK_REFUSED), &html! {}))
        }
    }
}

fn page(visit: &Visit, form: &Form, sentence: &str, list: &Markup) -> Markup {
    let content = html! {
        (ui::head(visit.t(texts::BULK_TITLE), sentence, None))
        (complaints(visit, form, &[]))
        (list)
        div.row { (ui::link_button(route::FINDINGS, visit.t(texts::TITLE), true)) }
    };
    ui::layout::page(visit, visit.t(texts::BULK_TITLE), &content)
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
    Ok(html! { ul.card.bullets { @for line in &lines { (line) } } })
}
