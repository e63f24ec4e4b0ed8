//! The retests of a finding: what was recorded, and a form for the next one.

use std::collections::HashMap;

use app::{audit::Who, finding::RetestRow, records::PickKind};
use axum::extract::{Path, State};
use domain::{
    finding::Finding,
    id::FindingId,
    retest::{RetestInput, RetestResult},
    right::{Resource, Right},
    text::Name,
};
use maud::{Markup, html};

use super::address_of;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{names::Names, pick, record},
    respond::Answer,
    texts::finding as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        history,
    },
};

const EVIDENCE: [PickKind; 1] = [PickKind("evidence")];
/// The page has another form with a field for evidence.
pub(super) const FIELD: &str = "retest_evidence";

/// The section on the page of the finding.
pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    id: FindingId,
    form: &Form,
    may_change: bool,
) -> Result<Markup, PageError> {
    let rows = workspace.app.resilience.retests(visit.caller(), id).await?;
    let people = rows.iter().map(|row| row.actor.clone()).collect();
    let people = workspace.app.actor_names(visit.caller(), people).await?;
    let evidence: Vec<String> =
        rows.iter().flat_map(|row| &row.retest.evidence).map(ToString::to_string).collect();
    let names = Names::of(workspace, visit, &evidence).await?;
    let is_lacking = may_change && workspace.app.resilience.lacks_retest(visit.caller(), id).await?;
    let entry = if may_change {
        entry(workspace, visit, id, form).await?
    } else {
        html! {}
    };
    Ok(ui::section(
        visit.t(texts::RETESTS),
        &html! {
            @if rows.is_empty() { p.hint { (visit.t(texts::NO_RETEST)) } }
            @if is_lacking { p { (badge(Tone::Warning, visit.t(texts::RETEST_NEEDED))) } }
            @if !rows.is_empty() {
                ol.history { @for row in &rows { li { (one(visit, row, &people, &names)) } } }
            }
            (entry)
        },
    ))
}

fn tone(result: RetestResult) -> Tone {
    match result {
        RetestResult::Passed => Tone::Good,
        RetestResult::Failed => Tone::Critical,
    }
}

/// One retest with who performed and who recorded it.
fn one(visit: &Visit, row: &RetestRow, people: &HashMap<String, Who>, names: &Names) -> Markup {
    let retest = &row.retest;
    let recorder = history::author(visit, people.get(&row.actor));
    html! {
        div.row {
            strong { (visit.day(retest.performed_on)) }
            (badge(tone(retest.result), visit.t(retest.result.label())))
            @if retest.by_owner { (badge(Tone::Notice, visit.t(Finding::RETEST_BY_OWNER.label))) }
        }
        @if let Some(text) = &retest.actual_result { p.prose { (text.as_str()) } }
        @if let Some(by) = &retest.performed_by {
            p.hint { (visit.fill(texts::RETEST_PERFORMED_BY, &[("who", by)])) }
        }
        p.hint {
            (visit.fill(texts::RETEST_RECORDED_BY, &[("who", &recorder), ("when", &visit.moment(row.recorded_at))]))
        }
        @if !retest.evidence.is_empty() {
            ul.bullets { @for id in &retest.evidence { li { (names.link(&id.to_string())) } } }
        }
    }
}

async fn entry(
    workspace: &Workspace,
    visit: &Visit,
    id: FindingId,
    form: &Form,
) -> Result<Markup, PageError> {
    let today = Form::filled([("performed_on", visit.now.day().to_string())]);
    let day = if form.value("performed_on").is_empty() { &today } else { form };
    let results: Vec<_> = RetestResult::ALL
        .iter()
        .map(|result| Choice::new(result.as_str(), visit.t(result.label())))
        .collect();
    let refused = ["result", "performed_on", "performed_by", "actual_result", "evidence", FIELD];
    let is_refused = refused.iter().any(|name| !form.complaints(name).is_empty());
    Ok(html! {
        details.confirm open[is_refused] {
            summary.button { (visit.t(texts::RECORD_RETEST)) }
            form.confirm-body method="post" action={ (address_of(id)) "/retests" } {
                (visit.form_token())
                p.hint { (visit.t(texts::RETEST_HELP)) }
                (field::select(visit, form, "result", Finding::RETEST_RESULT.label, &results))
                (Field::day(visit, day, "performed_on", Finding::RETEST_ON.label).render())
                (Field::text(visit, form, "performed_by", Finding::RETEST_BY.label).hint(texts::RETEST_BY_HINT)
                    .at_most(Name::MAX).optional().render())
                (field::area(visit, form, "actual_result", Finding::RETEST_ACTUAL.label, Some(texts::RETEST_ACTUAL_HINT)))
                (pick::fields(workspace, visit, form, (FIELD, Finding::RETEST_EVIDENCE.label), &EVIDENCE).await?)
                button.button type="submit" { (visit.t(texts::RECORD_RETEST)) }
            }
        }
    })
}

pub(super) async fn take(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, record::form::id_of::<Finding>(&id)?);
    visit.caller().require_right(Resource::Findings, Right::Write)?;
    let evidence = pick::ids(&workspace, &visit, &mut form, FIELD, &EVIDENCE).await?;
    let input = RetestInput {
        result: form.required_change("result"),
        performed_on: form.required_change("performed_on"),
        performed_by: form.change("performed_by"),
        actual_result: form.change("actual_result"),
        evidence,
    };
    let recorded = match form.finish(Some(input)) {
        Ok(input) => {
            workspace.app.resilience.record_retest(visit.caller(), id, input, None, |_| String::new()).await
        }
        Err(error) => Err(error),
    };
    record::form::settled::<Finding, _>(&workspace, &visit, id, form, recorded, "retested").await
}
