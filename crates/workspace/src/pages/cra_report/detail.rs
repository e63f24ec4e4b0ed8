//! One report: its clocks, what to file when, and its next step.

use app::{cra_report::CraReport, history::Detail};
use axum::extract::{Path, State};
use domain::{
    country::Country, cra_report::CraReportInput, id::CraReportId, permission::Permission, text::Prose,
    transition::Lifecycle as _,
};
use maud::{Markup, html};

use super::{address_of, product, report_id, stage, tone};
use crate::{
    Workspace,
    form::Form,
    oops::Oops,
    pages::{past, record},
    respond::{self, Answer},
    route,
    texts::{common, cra_report as texts, record as shared},
    ui::{self, badge::badge, history, notice::complaints},
    visit::{Posted, Visit},
};

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, report_id(&id)?, &Form::default()).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, id: CraReportId, form: &Form) -> Result<Markup, Oops> {
    let (Detail { record, history: steps }, _) = workspace.app.cra_report(visit.caller(), id).await?;
    let status_badge = |word: &str| record::status_badge(visit, word, tone);
    let past = past::section(workspace, visit, id, &steps, status_badge).await?;
    let t = |label| visit.t(label);
    let may_write = visit.caller().may(Permission::Write);
    let (address, title) = (address_of(id), record.row.report.title.as_str());
    let status = record.row.report.status;
    let edit = may_write.then(|| ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false));
    let content = html! {
        (ui::head(title, t(record.row.report.kind.label()), edit))
        (ui::notice::done(visit, &record::DONE))
        (complaints(visit, form, &[("status", common::STATUS), ("note", shared::NOTE)]))
        div.split {
            div {
                section.card { (facts(visit, &record)) }
                section.stack { h2 { (t(texts::STAGES)) } (stage::all(visit, &record)) }
            }
            div {
                @if may_write && !status.moves().is_empty() {
                    (ui::section(t(shared::NEXT_STEP), &html! {
                        p.hint { (t(texts::STAMPED)) }
                        (history::moves(visit, form, &format!("{address}/move"), status, |_| true))
                    }))
                }
                (stage::besides(visit, &record))
                (past)
                @if may_write { (record::deletion(visit, &address, title)) }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn facts(visit: &Visit, report: &CraReport) -> Markup {
    let (record, t) = (&report.row.report, |label| visit.t(label));
    let states: Vec<_> = record.member_states.iter().map(Country::as_str).collect();
    let states = (!states.is_empty()).then(|| states.join(", "));
    html! {
        div.row {
            (badge(tone(record.status), t(record.status.label())))
            (record::severity_badge(visit, record.severity))
        }
        dl.facts {
            dt { (t(texts::PRODUCT)) } dd { (product(report)) }
            dt { (t(texts::AWARE_AT)) } dd { (visit.time(record.aware_at)) }
            dt { (t(texts::CORRECTIVE_AT)) } dd { (visit.time_or_none(record.corrective_measure_at)) }
            dt { (t(texts::MEMBER_STATES)) } dd { (visit.or_none(states)) }
            @if let Some(cve) = &record.cve { dt { (t(texts::CVE)) } dd { code { (cve.as_str()) } } }
            dt { (t(common::CHANGED)) } dd { (visit.time(report.row.updated_at)) }
        }
        (record::passage(visit, shared::DESCRIPTION, record.description.as_ref().map(Prose::as_str)))
    }
}

pub(super) async fn make_move(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, report_id(&id)?);
    let input = CraReportInput {
        status: form.required_change("status"),
        note: form.change("note"),
        ..CraReportInput::default()
    };
    match workspace.app.change_cra_report(visit.caller(), id, input, record::precondition(&form)).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "moved")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, id, &form).await?)
        }
    }
}

pub(super) async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let precondition = record::precondition(&posted.form);
    workspace.app.delete_cra_report(posted.visit.caller(), report_id(&id)?, precondition).await?;
    respond::go_to(&route::done(route::CRA_REPORTS, "deleted"))
}
