//! One test case: its plan, its result, its findings, and its next step.

use app::{
    finding::{FindingFilter, States},
    history::Detail,
    test_case::TestCaseView,
};
use axum::extract::{Path, State};
use domain::{
    evidence::LinkType,
    finding::Finding,
    id::TestCaseId,
    page::PageRequest,
    right::{Resource, Right},
    test_case::{TestCase, TestCaseStatus},
    text::Name,
    transition::Lifecycle as _,
};
use maud::{Markup, html};

use super::{address_of, due};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{comments, evidence, file, findings, measures, past, record, requirements},
    respond::Answer,
    route,
    texts::{common, record as shared, test_case as texts},
    ui::{self, badge::badge, field, history},
};

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    if let Some(id) = id.strip_suffix(".pdf") {
        let pdf = workspace
            .app
            .report
            .test_case_pdf(
                visit.caller(),
                record::form::id_of::<TestCase>(id)?,
                visit.language,
                comments::are_printed(&visit),
            )
            .await?;
        return file::pdf(pdf);
    }
    record::form::show::<TestCase>(State(workspace), Path(id), visit).await
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: TestCaseId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (detail, _) = workspace.app.records.record::<TestCase>(visit.caller(), id).await?;
    let removal = detail.removal(workspace.app.records.is_kept::<TestCase>(visit.caller(), id).await?);
    let Detail { record, history: steps, .. } = detail;
    let past =
        past::section(workspace, visit, id, &steps, |word| record::test_case_badge(visit, word)).await?;
    let filter = FindingFilter { states: States::All, test_case: id.into(), ..FindingFilter::default() };
    let programme =
        record::programme_link(&workspace.app, visit.caller(), record.row.record.programme_id).await?;
    let found =
        workspace.app.records.records::<Finding>(visit.caller(), &filter, PageRequest::default()).await?;
    let measures = html! {
        (measures::controls(workspace, visit, &record.row.record.controls).await?)
        (measures::linked(workspace, visit, &record.row.record.measures)?)
        (requirements::behind(workspace, visit, &record.row.record.measures, &record.row.record.controls).await?)
    };
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::TestCases, Right::Write);
    let may_decide = visit.may(Resource::TestCases, Right::Decide);
    let may_change = may_write && record.row.archived_at.is_none();
    let may_attach = may_change && visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::TestCase, id, may_attach).await?;
    let (address, title) = (address_of(id), record.row.record.title.as_str());
    let actions = html! {
        a.button href={ (address) ".pdf" } { "PDF" }
        @if may_change { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let add =
        format!("{}/new?programme_id={}&test_case_id={id}", route::FINDINGS, record.row.record.programme_id);
    let content = html! {
        (ui::head(title, t(record.row.record.test_type.label()), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (record::archived(visit, &address, record.row.archived_at, may_decide))
        @if may_change {
            (history::undo(visit, &format!("{address}/move"), &steps, record.row.record.status, |_| true))
        }
        (record::form::complaints::<TestCase>(visit, form,
            &[("note", shared::NOTE), ("test_case", shared::TEST_CASE)]))
        div.split {
            div {
                section.card {
                    (facts(visit, &record, &programme))
                    (record::field::passages(visit, &record.row.record))
                    (measures)
                }
                (evidence)
                (ui::section(t(TestCase::FINDINGS.label), &html! {
                    @if !found.items.is_empty() { (findings::short_table(visit, &found.items)) }
                    @if may_change { div.row { (ui::link_button(&add, t(texts::ADD_FINDING), false)) } }
                }))
            }
            div {
                @if may_change {
                    (ui::section(t(shared::NEXT_STEP), &history::moves_with(
                        visit, form, &format!("{address}/move"), record.row.record.status, |_| true,
                        &result_field(visit, form, &record.row.record))))
                }
                (past)
                @if may_decide { div #test_case { (record::removal(visit, &address, title, removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

/// What happened, which a test that failed has to say.
fn result_field(visit: &Visit, form: &Form, record: &TestCase) -> Markup {
    if !record.status.can_become(TestCaseStatus::Failed) {
        return html! {};
    }
    let held = record.actual_result.as_ref().map(ToString::to_string).unwrap_or_default();
    let filled = Form::filled([("actual_result", held)]);
    let is_sent = !form.value("actual_result").is_empty() || !form.complaints("actual_result").is_empty();
    let shown = if is_sent { form } else { &filled };
    field::area(visit, shown, TestCase::ACTUAL.name, TestCase::ACTUAL.label, Some(texts::ACTUAL_HINT))
}

fn facts(visit: &Visit, test_case: &TestCaseView, programme: &Markup) -> Markup {
    let (record, t) = (&test_case.row.record, |label| visit.t(label));
    html! {
        div.row {
            (badge(record::test_case_tone(record.status), t(record.status.label())))
            (record::priority_badge(visit, record.priority))
        }
        dl.facts {
            dt { (t(TestCase::PROGRAMME.label)) } dd { (programme) }
            dt { (t(TestCase::FUNCTIONS.label)) } dd { (functions(visit, record)) }
            dt { (t(TestCase::DUE_ON.label)) } dd { (due(visit, test_case)) }
            (record::field::facts(visit, record))
            dt { (t(TestCase::EXECUTED.label)) } dd { (visit.time_or_never(record.executed_at)) }
            dt { (t(common::CHANGED)) } dd { (visit.time(test_case.row.updated_at)) }
        }
    }
}

fn functions(visit: &Visit, record: &TestCase) -> Markup {
    let names: Vec<_> = record.functions.iter().map(Name::as_str).collect();
    html! {
        @if names.is_empty() { span.quiet { (visit.t(texts::NO_FUNCTION)) } } @else { (names.join(", ")) }
    }
}
