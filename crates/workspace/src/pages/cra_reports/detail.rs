//! One report: its clocks, what to file when, and its next step.

use app::{cra_report::CraReportView, history::Detail};
use domain::{
    country::Country,
    cra_report::CraReport,
    evidence::LinkType,
    finding::Finding,
    id::CraReportId,
    incident::Incident,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, archive, content, filing, product, stage, tone};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::{
        approvals, evidence,
        findings::address_of as finding_address,
        incidents, past,
        record::{
            self,
            correction::{self, Corrections},
        },
    },
    texts::{common, cra_report as texts, record as shared},
    ui::{self, badge::badge},
};

/// What the page asks for that is no field of a report, or is known by another name there.
const NAMES: [(&str, Label); 5] = [
    ("already_provided.notification", texts::ALREADY_PROVIDED),
    ("already_provided.final_report", texts::ALREADY_PROVIDED),
    ("note", shared::NOTE),
    ("report", texts::REPORT),
    ("submission_reference", CraReport::AUTHORITY_REFERENCE.label),
];

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: CraReportId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (Detail { record, history: steps, corrections }, _) =
        workspace.app.records.record::<CraReport>(visit.caller(), id).await?;
    let actors = steps.iter().map(|step| step.actor.clone()).collect();
    let corrections = Corrections::of(workspace, visit, corrections, actors).await?;
    let status_badge = |word: &str| record::status_badge(visit, word, tone);
    let past = past::section(workspace, visit, id, &steps, status_badge).await?;
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::CraReports, Right::Write) && record.row.archived_at.is_none();
    let (address, title) = (address_of(id), record.row.record.title.as_str());
    let (finding, incident) =
        (finding(workspace, visit, &record).await?, incident_of(workspace, visit, &record).await?);
    let may_attach = visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::CraReport, id, may_attach).await?;
    let waiting = approvals::section(workspace, visit, id.to_string()).await?;
    let links = html! { (finding) (incident) };
    let edit = may_write.then(|| ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false));
    let of_contents = content::names(&record);
    let of_contents = of_contents.iter().map(|(name, label)| (name.as_str(), *label));
    let names: Vec<(&str, Label)> = NAMES.into_iter().chain(correction::NAMES).chain(of_contents).collect();
    let content = html! {
        (ui::head(title, t(record.row.record.kind.label()), edit))
        (ui::notice::done(visit, &record::DONE))
        (archive::notice_of(visit, &record))
        (record::form::complaints::<CraReport>(visit, form, &names))
        div.split {
            div {
                section.card { (facts(visit, &record, &links)) }
                section.stack { h2 { (t(texts::STAGES)) } (stage::all(visit, &record, (&steps, &corrections), form)) }
            }
            div {
                (waiting)
                @if may_write { (filing::next_step(visit, &record, form)) }
                (stage::interim(visit, &record, &corrections))
                (stage::besides(visit, &record))
                (evidence)
                (past)
                (archive::part(workspace, visit, &record).await?)
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

/// The finding that led to the report, if it is known.
async fn finding(workspace: &Workspace, visit: &Visit, report: &CraReportView) -> Result<Markup, PageError> {
    let Some(id) = report.row.record.finding else { return Ok(html! {}) };
    let (detail, _) = workspace.app.records.record::<Finding>(visit.caller(), id).await?;
    let row = &detail.record;
    Ok(html! {
        dt { (visit.t(CraReport::FINDING.label)) }
        dd { a href=(finding_address(id)) { (row.record.reference.to_string()) " " (row.record.title.as_str()) } }
    })
}

/// The incident it belongs to, if there is one.
async fn incident_of(
    workspace: &Workspace,
    visit: &Visit,
    report: &CraReportView,
) -> Result<Markup, PageError> {
    let Some(id) = report.incident else { return Ok(html! {}) };
    let (detail, _) = workspace.app.records.record::<Incident>(visit.caller(), id).await?;
    let row = &detail.record.row;
    Ok(html! {
        dt { (visit.t(texts::INCIDENT)) }
        dd { a href=(incidents::address_of(id)) { (row.record.reference) " " (row.record.title.as_str()) } }
    })
}

fn facts(visit: &Visit, report: &CraReportView, links: &Markup) -> Markup {
    let (record, t) = (&report.row.record, |label| visit.t(label));
    let states: Vec<_> = record.member_states.iter().map(Country::as_str).collect();
    let states = (!states.is_empty()).then(|| states.join(", "));
    html! {
        div.row {
            (badge(tone(record.status), t(record.status.label())))
            (record::severity_badge(visit, record.severity))
        }
        dl.facts {
            dt { (t(CraReport::PRODUCT.label)) } dd { (product(report)) }
            (record::field::facts(visit, record))
            dt { (t(CraReport::MEMBER_STATES.label)) } dd { (visit.or_none(states)) }
            @if let Some(cve) = &record.cve { dt { (t(CraReport::CVE.label)) } dd { code { (cve.as_str()) } } }
            (links)
            dt { (t(common::CHANGED)) } dd { (visit.time(report.row.updated_at)) }
        }
        (record::field::passages(visit, record))
    }
}
