//! One programme: the progress of its tests, their findings, and its next step.

use app::{archive::Removal, history::Detail, programme::ProgrammeView, test_case::TestCaseFilter};
use axum::extract::{Path, State};
use domain::{
    finding::{Finding, FindingStatus},
    id::ProgrammeId,
    page::PageRequest,
    programme::{Programme, ProgrammeStatus},
    right::{Resource, Right},
    test_case::{TestCase, TestCaseSort, TestCaseStatus},
    transition::Lifecycle as _,
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, period, unnamed_tests};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    form::Form,
    pages::{comments, file, past, record, test_cases},
    respond::Answer,
    route,
    texts::{common, programme as texts, record as shared},
    ui::{
        self,
        badge::badge,
        chart::{self, Bar},
        history,
    },
};

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    if let Some(id) = id.strip_suffix(".pdf") {
        let pdf = workspace
            .app
            .report
            .programme_pdf(
                visit.caller(),
                record::form::id_of::<Programme>(id)?,
                visit.language,
                comments::are_printed(&visit),
            )
            .await?;
        return file::pdf(pdf);
    }
    record::form::show::<Programme>(State(workspace), Path(id), visit).await
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: ProgrammeId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record, history: steps, .. }, _) =
        workspace.app.records.record::<Programme>(visit.caller(), id).await?;
    let past =
        past::section(workspace, visit, id, &steps, |word| record::programme_badge(visit, word)).await?;
    let sort = Some(TestCaseSort::Due);
    let filter = TestCaseFilter { programme: id.into(), sort, ..TestCaseFilter::default() };
    let planned =
        workspace.app.records.records::<TestCase>(visit.caller(), &filter, PageRequest::default()).await?;
    let unnamed = workspace.app.resilience.tests_without_function(visit.caller(), id).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Programmes, Right::Write);
    let may_archive = visit.may(Resource::Programmes, Right::Decide);
    // The archive is offered apart from the steps, with what it means.
    let offered = |to: ProgrammeStatus| to != ProgrammeStatus::Archived;
    let (address, title) = (address_of(id), record.row.record.name.as_str());
    let actions = html! {
        a.button href={ (address) ".pdf" } { "PDF" }
        @if may_write { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let add = format!("{}/new?programme_id={id}", route::TEST_CASES);
    let removal = workspace.app.records.removal::<Programme>(visit.caller(), id).await?;
    let archived_at = record.row.archived_at;
    let content = html! {
        (ui::head(title, &record.row.record.framework.name(), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (record::archived_as(visit, &address, archived_at, may_archive, texts::ARCHIVED_HELP))
        @if may_write {
            (history::undo(visit, &format!("{address}/move"), &steps, record.row.record.status, offered))
        }
        (record::form::complaints::<Programme>(visit, form,
            &[("note", shared::NOTE), ("programme", shared::PROGRAMME)]))
        div.split {
            div {
                section.card { (facts(visit, &record)) (record::field::passages(visit, &record.row.record)) }
                (ui::section(t(Programme::TEST_CASES.label), &html! {
                    @if !planned.items.is_empty() { (test_cases::short_table(visit, &planned.items)) }
                    (unnamed_tests(visit, unnamed))
                    div.row {
                        @if planned.total > planned.items.len() as u64 {
                            (ui::link_button(&format!("{}?programme_id={id}", route::TEST_CASES),
                                t(Programme::TEST_CASES.label), false))
                        }
                        @if visit.may(Resource::TestCases, Right::Write) { (ui::link_button(&add, t(texts::ADD_TEST_CASE), false)) }
                    }
                }))
                (figures(visit, &record))
            }
            div {
                @if may_write {
                    (ui::section(t(shared::NEXT_STEP),
                        &history::moves(visit, form, &format!("{address}/move"), record.row.record.status, offered)))
                }
                (past)
                @if may_archive { div #programme { (removing(visit, &address, &record, removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

/// Archiving or deleting it. A programme that has nothing to lose can be archived as well, because that is a status.
fn removing(visit: &Visit, address: &str, programme: &ProgrammeView, removal: Removal) -> Markup {
    let (record, name) = (&programme.row.record, programme.row.record.name.as_str());
    let can_archive = record.status.can_become(ProgrammeStatus::Archived);
    html! {
        @if removal == Removal::Delete && can_archive { (record::removal(visit, address, name, Removal::Archive)) }
        (record::removal(visit, address, name, removal))
    }
}

fn facts(visit: &Visit, programme: &ProgrammeView) -> Markup {
    let (record, t) = (&programme.row.record, |label| visit.t(label));
    let findings = format!("{}?programme_id={}&status=all", route::FINDINGS, programme.row.id);
    html! {
        div.row { (badge(record::programme_tone(record.status), t(record.status.label()))) }
        dl.facts {
            dt { (t(texts::PERIOD)) } dd { (period(visit, record.starts_on, record.ends_on)) }
            (record::field::facts(visit, record))
            dt { (t(texts::PROGRESS)) } dd { (progress(visit, programme)) }
            dt { (t(Programme::FINDINGS.label)) }
            dd {
                a href=(findings) {
                    (visit.fill(shared::COUNT_OPEN,
                        &[("open", &programme.findings.open()), ("total", &programme.findings.total())]))
                }
            }
            dt { (t(common::CHANGED)) } dd { (visit.time(programme.row.updated_at)) }
        }
    }
}

/// How many of the tests that are not cancelled have a result.
fn progress(view: &View, programme: &ProgrammeView) -> Markup {
    let counts = &programme.test_cases;
    let done = counts.executed();
    let total = counts.total() - counts.with_status(TestCaseStatus::Cancelled);
    let sentence = view.fill(texts::PROGRESS_OF, &[("done", &done), ("total", &total)]);
    html! {
        @if total > 0 {
            progress.progress max=(total) value=(done) aria-label=(view.t(texts::PROGRESS)) { (sentence) }
            " "
        }
        (sentence)
    }
}

/// Two charts, if there is something to draw.
fn figures(view: &View, programme: &ProgrammeView) -> Markup {
    let states: Vec<_> = TestCaseStatus::ALL
        .iter()
        .map(|status| {
            (
                view.t(status.label()),
                programme.test_cases.with_status(*status),
                record::test_case_tone(*status),
            )
        })
        .collect();
    let severities: Vec<_> = Severity::ALL
        .iter()
        .map(|severity| {
            let open = programme.findings.matching(FindingStatus::is_open, Some(*severity));
            (view.t(severity.label()), open, record::severity_tone(*severity))
        })
        .collect();
    html! {
        @if programme.test_cases.total() > 0 { (counted(view, texts::BY_STATUS, TestCase::STATUS.label, &states)) }
        @if programme.findings.open() > 0 { (counted(view, texts::BY_SEVERITY, Finding::SEVERITY.label, &severities)) }
    }
}

/// Bars as long as their share of all.
fn counted(view: &View, title: Label, heading: Label, counts: &[(&str, u64, ui::badge::Tone)]) -> Markup {
    let title = view.t(title);
    let all: u64 = counts.iter().map(|(_, count, _)| count).sum();
    let bars: Vec<_> = counts
        .iter()
        .filter(|(_, count, _)| *count > 0)
        .map(|(label, count, tone)| Bar {
            label: (*label).to_owned(),
            percent: chart::percent(*count, all),
            shown: count.to_string(),
            tone: *tone,
        })
        .collect();
    ui::section(title, &chart::bar_figure(view, title, [view.t(heading), view.t(shared::COUNT)], &bars))
}
