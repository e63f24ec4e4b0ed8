//! The report under the CRA that belongs to an incident: its clocks, or the press that makes it.

use app::{
    Error,
    cra_report::{CraReportFilter, CraReportView},
    incident::{IncidentChange, IncidentView},
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    cra_report::{CraReport, CraReportInput, CraReportKind, ProductInput},
    id::CraReportId,
    incident::{Incident, IncidentInput, Met, Regime},
    page::PageRequest,
    right::{Resource, Right},
    text::Name,
    vocabulary::Severity,
};
use maud::{Markup, html};

use super::{address_of, detail, incident_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{cra_reports, record},
    respond::{self, Answer},
    route,
    texts::incident as texts,
    ui::{
        self,
        badge::badge,
        field::{self, Choice, Field, words},
    },
};

/// How many reports are offered to be linked, latest first.
const OFFERED: u64 = 20;

pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
    validator: &str,
    form: &Form,
) -> Result<Markup, PageError> {
    let (record, may_write) = (&incident.row.record, visit.may(Resource::CraReports, Right::Write));
    let content = match record.cra_report {
        Some(id) => linked(workspace, visit, incident, id, validator).await?,
        None if !record.regimes.contains(&Regime::Cra) || !may_write => return Ok(html! {}),
        None if incident.classification.notifiable(Regime::Cra) == Met::No => return Ok(html! {}),
        None => start(workspace, visit, incident, validator, form).await?,
    };
    Ok(html! { div #cra { (ui::section(visit.t(Incident::CRA_REPORT.label), &content)) } })
}

/// The report with its clocks; one that is gone goes by its id.
async fn linked(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
    id: CraReportId,
    validator: &str,
) -> Result<Markup, PageError> {
    let report = match workspace.app.records.record::<CraReport>(visit.caller(), id).await {
        Ok((detail, _)) => detail.record,
        Err(Error::NotFound) => return Ok(html! { code { (id) } }),
        Err(error) => return Err(error.into()),
    };
    let of_report = &report.row.record;
    Ok(html! {
        p {
            a href=(cra_reports::address_of(id)) { (of_report.title.as_str()) }
            br;
            span.quiet { (of_report.product.name.as_str()) }
        }
        div.row { (badge(cra_reports::tone(of_report.status), visit.t(of_report.status.label()))) }
        (cra_reports::in_short(visit, &report))
        @if visit.may(Resource::Incidents, Right::Write) {
            form method="post" action={ (address_of(incident.row.id)) "/cra-report" } {
                (visit.form_token())
                (record::seen(validator))
                input type="hidden" name="cra_report" value="";
                button.button type="submit" { (visit.t(texts::CRA_UNLINK)) }
            }
        }
    })
}

async fn start(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
    validator: &str,
    form: &Form,
) -> Result<Markup, PageError> {
    let entered = incident.row.record.report_values.get("cra.product").and_then(|value| value.as_str());
    let proposed =
        [("severity", Severity::High.to_string()), ("product.name", entered.unwrap_or("").to_owned())];
    let form = form.clone().or(&Form::filled(proposed));
    let address = format!("{}/cra-report", address_of(incident.row.id));
    let is_decided = incident.classification.notifiable(Regime::Cra).is_yes();
    let others = free_reports(workspace, visit).await?;
    Ok(html! {
        p.hint { (visit.t(texts::CRA_HELP)) }
        form method="post" action=(address) {
            (visit.form_token())
            (record::seen(validator))
            @if !is_decided { (field::select(visit, &form, "cra_kind", CraReport::KIND.label, &words::<CraReportKind>(visit))) }
            (Field::text(visit, &form, "product.name", CraReport::PRODUCT_NAME.label).at_most(Name::MAX).render())
            (Field::text(visit, &form, "product.version", CraReport::PRODUCT_VERSION.label).optional().at_most(Name::MAX).render())
            (field::select(visit, &form, "severity", CraReport::SEVERITY.label, &words::<Severity>(visit)))
            div.form-end { button.button.primary type="submit" { (visit.t(texts::CRA_START)) } }
        }
        @if !others.is_empty() {
            form method="post" action=(address) {
                (visit.form_token())
                (record::seen(validator))
                (field::select(visit, &form, "cra_report", texts::CRA_EXISTING, &others))
                div.form-end { button.button type="submit" { (visit.t(texts::CRA_LINK)) } }
            }
        }
    })
}

/// The reports that are worked on and belong to no incident.
async fn free_reports(workspace: &Workspace, visit: &Visit) -> Result<Vec<Choice>, PageError> {
    let request = PageRequest::new(Some(OFFERED), None).unwrap_or_default();
    let filter = CraReportFilter::default();
    let page = workspace.app.records.records::<CraReport>(visit.caller(), &filter, request).await?;
    let is_free =
        |report: &&CraReportView| report.incident.is_none() && report.row.record.status.is_running();
    let choice = |report: &CraReportView| {
        let of_report = &report.row.record;
        Choice::new(report.row.id.to_string(), format!("{} ({})", of_report.title, of_report.product.name))
    };
    Ok(page.items.iter().filter(is_free).map(choice).collect())
}

/// Makes the report, links one that is there, or removes the link.
pub(super) async fn save(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, incident_id(&id)?);
    let (app, precondition) = (&workspace.app, record::precondition(&form));
    let saved = match form.change("cra_report") {
        Change::Keep => {
            let input = (input(&form), precondition);
            app.resilience
                .start_cra_report(visit.caller(), id, input, None, |_| String::new())
                .await
                .map(|_| "cra")
        }
        link => {
            let input = IncidentInput { cra_report_id: link, ..IncidentInput::default() };
            let change = IncidentChange::from(input);
            app.records
                .change_record::<Incident>(visit.caller(), id, change, precondition)
                .await
                .map(|_| "changed")
        }
    };
    match saved {
        Ok(done) => respond::go_to(&format!("{}#cra", route::done(&address_of(id), done))),
        Err(Error::Stale) => {
            form.overtake(record::SEEN, String::new());
            respond::overtaken(detail::page(&workspace, &visit, id, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            form.relocate(|_, name, message| {
                let name = if name == "kind" { "cra_kind" } else { name };
                (name.to_owned(), message.clone())
            });
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}

fn input(form: &Form) -> CraReportInput {
    CraReportInput {
        kind: form.filled_change("cra_kind"),
        product: Change::Set(ProductInput {
            name: form.required_change("product.name"),
            version: form.filled_change("product.version"),
        }),
        severity: form.required_change("severity"),
        ..CraReportInput::default()
    }
}
