//! Bulk changes of findings: all of them or none. The list itself changes as many as it can; this address stays for
//! what sends to it.

use std::{collections::BTreeSet, fmt::Display};

use app::finding::BulkOutcome;
use axum::extract::State;
use domain::{
    finding::{Finding, FindingInput},
    id::FindingId,
    right::{Resource, Right},
    violation::Violations,
};
use http::StatusCode;
use maud::{Markup, html};

use super::{address_of, list};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::Answer,
    route,
    texts::finding as texts,
    ui::{
        badge::Tone,
        notice::{complaints, notice},
    },
};

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
        match workspace.app.resilience.change_findings(visit.caller(), ids, input(&form)).await {
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
    let mut page = list(State(workspace), visit.at(address, said, None)).await?;
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
        let name = match workspace.app.records.record::<Finding>(visit.caller(), *id).await {
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
