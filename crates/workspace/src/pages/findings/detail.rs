//! One finding: its content, its history, and its next step.

use app::{archive::Removal, finding::FindingRow, history::Detail};
use axum::extract::{Path, State};
use domain::transition::Lifecycle as _;
use domain::{
    approval::ApprovalAction,
    evidence::LinkType,
    finding::{Finding, FindingStatus},
    id::FindingId,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, age, due_fact, retest, source_of};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{approvals, comments, evidence, file, measures, past, record, requirements},
    respond::{self, Answer},
    texts::{common, finding as texts, record as shared},
    ui::{
        self,
        badge::badge,
        field::{self, Field},
        history,
    },
};

fn finding_id(id: &str) -> Result<FindingId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    if let Some(id) = id.strip_suffix(".pdf") {
        let (id, comments) = (finding_id(id)?, comments::are_printed(&visit));
        let pdf = workspace.app.report.finding_pdf(visit.caller(), id, visit.language, comments).await?;
        return file::pdf(pdf);
    }
    let page = page(&workspace, &visit, finding_id(&id)?, &Form::default()).await?;
    respond::page(page)
}

/// The page; `form` contains the entries of a refused step.
pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: FindingId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (detail, _) = workspace.app.records.record::<Finding>(visit.caller(), id).await?;
    let removal = detail.removal(workspace.app.records.is_kept::<Finding>(visit.caller(), id).await?);
    let Detail { record, history: steps_made, .. } = detail;
    let past =
        past::section(workspace, visit, id, &steps_made, |word| record::finding_badge(visit, word)).await?;
    let origin = origin(workspace, visit, &record).await?;
    let measures = html! {
        (requirements::linked(workspace, visit, &record.record.requirements).await?)
        (measures::controls(workspace, visit, &record.record.controls).await?)
        (measures::linked(workspace, visit, &record.record.measures)?)
        (requirements::behind(workspace, visit, &record.record.measures, &record.record.controls).await?)
    };
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::Findings, Right::Write);
    let may_decide = visit.may(Resource::Findings, Right::Decide);
    let may_change = may_write && record.archived_at.is_none();
    let may_attach = may_change && visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::Finding, id, may_attach).await?;
    let retests = retest::section(workspace, visit, id, form, may_change).await?;
    let to_ask = workspace.app.approval.actions_to_ask(visit.caller(), id.to_string()).await?;
    let archive = may_change && !may_decide && removal == Removal::Archive;
    let asked = archive.then_some(ApprovalAction::Archive);
    let waiting = approvals::offer(workspace, visit, id.to_string(), asked).await?;
    let address = address_of(id);
    let title = record.record.title.as_str();
    let actions = html! {
        a.button href={ (address) ".pdf" } { "PDF" }
        @if may_change { (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false)) }
    };
    let content = html! {
        (ui::head(title, &record.record.reference.to_string(), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (ui::notice::done(visit, &[("retested", texts::WAS_RETESTED)]))
        (record::archived(visit, &address, record.archived_at, may_decide))
        @if may_change {
            (history::undo(visit, &format!("{address}/move"), &steps_made, record.record.status,
                |to| is_offered(visit, &to_ask, to)))
        }
        (record::form::complaints::<Finding>(visit, form, &[("finding", texts::FINDING), ("note", shared::NOTE),
            (retest::FIELD, Finding::RETEST_EVIDENCE.label)]))
        div.split {
            div {
                section.card { (facts(visit, &record, &origin)) (passages(visit, &record, &measures)) }
                (retests)
                (evidence)
            }
            div {
                (waiting)
                @if may_change { (steps(visit, &record, form, &to_ask)) }
                (past)
                @if may_decide { div #finding { (record::removal(visit, &address, title, removal)) } }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

/// Its programme and test case.
async fn origin(workspace: &Workspace, visit: &Visit, row: &FindingRow) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let programme = match row.record.programme_id {
        Some(id) => Some(record::programme_link(app, caller, id).await?),
        None => None,
    };
    let test_case = match row.record.test_case_id {
        Some(id) => Some(record::test_case_link(app, caller, id).await?),
        None => None,
    };
    let sources = app.resilience.finding_sources(caller, vec![row.id]).await?;
    Ok(html! {
        dt { (visit.t(texts::SOURCE)) } dd { (source_of(visit, sources.get(&row.id))) }
        @if let Some(link) = programme { dt { (visit.t(Finding::PROGRAMME.label)) } dd { (link) } }
        @if let Some(link) = test_case { dt { (visit.t(Finding::TEST_CASE.label)) } dd { (link) } }
    })
}

fn facts(visit: &Visit, row: &FindingRow, origin: &Markup) -> Markup {
    let (finding, t) = (&row.record, |label| visit.t(label));
    html! {
        div.row {
            (record::severity_badge(visit, finding.severity))
            (badge(record::finding_tone(finding.status), t(finding.status.label())))
        }
        dl.facts {
            dt { (t(Finding::DUE_ON.label)) } dd { (due_fact(visit, row)) }
            (record::field::facts(visit, finding))
            (origin)
            @if let Some(cve) = &finding.cve { dt { (t(Finding::CVE.label)) } dd { code { (cve.as_str()) } } }
            @if let Some(cvss) = finding.cvss { dt { (t(Finding::CVSS.label)) } dd { (visit.score(cvss)) } }
            dt { (t(Finding::DETECTED.label)) } dd { (visit.time(finding.detected_at)) " (" (age(visit, row)) ")" }
            @if let Some(at) = finding.closed_at { dt { (t(Finding::CLOSED.label)) } dd { (visit.time(at)) } }
            dt { (t(common::CHANGED)) } dd { (visit.time(row.updated_at)) }
        }
    }
}

fn passages(visit: &Visit, row: &FindingRow, measures: &Markup) -> Markup {
    let finding = &row.record;
    html! {
        (record::field::passages(visit, finding))
        @if let Some(acceptance) = &finding.acceptance {
            h2.part { (visit.t(Finding::ACCEPTANCE.label)) }
            p.prose { (acceptance.reason.as_str()) }
            p.hint { (visit.t(Finding::UNTIL.label)) " " (visit.day(acceptance.until)) }
        }
        (measures)
    }
}

/// Whether a step is one of the buttons: an acceptance has a form of its own, and some steps are decisions.
pub(super) fn is_offered(visit: &Visit, to_ask: &[ApprovalAction], to: FindingStatus) -> bool {
    if action_of(to).is_some_and(|action| to_ask.contains(&action)) {
        return false;
    }
    let may_decide = visit.may(Resource::Findings, Right::Decide);
    to != FindingStatus::RiskAccepted && (may_decide || !to.is_decision())
}

/// The decision that leads to a state.
fn action_of(to: FindingStatus) -> Option<ApprovalAction> {
    match to {
        FindingStatus::RiskAccepted => Some(ApprovalAction::Accept),
        FindingStatus::FalsePositive => Some(ApprovalAction::FalsePositive),
        FindingStatus::Closed => Some(ApprovalAction::Close),
        FindingStatus::Open | FindingStatus::InProgress | FindingStatus::Resolved => None,
    }
}

fn steps(visit: &Visit, row: &FindingRow, form: &Form, to_ask: &[ApprovalAction]) -> Markup {
    let status = row.record.status;
    let action = format!("{}/move", address_of(row.id));
    let accepts = status.can_become(FindingStatus::RiskAccepted)
        && visit.may(Resource::Findings, Right::Decide)
        && !to_ask.contains(&ApprovalAction::Accept);
    let subject = row.id.to_string();
    let asked =
        FindingStatus::ALL.iter().filter(|to| status.can_become(**to)).filter_map(|to| action_of(*to));
    let asked: Vec<_> = asked.filter(|action| to_ask.contains(action)).collect();
    ui::section(
        visit.t(shared::NEXT_STEP),
        &html! {
            (history::moves(visit, form, &action, status, |to| is_offered(visit, to_ask, to)))
            @for action in &asked { p { (approvals::ask_link(visit, &subject, *action)) } }
            @if accepts {
                details.confirm open[!form.complaints("acceptance.until").is_empty()
                    || !form.complaints("acceptance.reason").is_empty()] {
                    summary.button { (visit.t(texts::ACCEPT)) }
                    form.confirm-body method="post" action=(action) {
                        (visit.form_token())
                        p.hint { (visit.t(texts::ACCEPT_HELP)) }
                        input type="hidden" name="status" value=(FindingStatus::RiskAccepted.as_str());
                        (field::required_area(visit, form, "acceptance.reason", Finding::REASON.label, None))
                        (Field::day(visit, form, "acceptance.until", Finding::UNTIL.label).render())
                        button.button type="submit" { (visit.t(texts::ACCEPT)) }
                    }
                }
            }
        },
    )
}
