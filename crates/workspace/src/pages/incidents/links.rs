//! What an incident is connected with, each by its name or title.

use app::{Error, incident::IncidentView};
use domain::{
    finding::Finding,
    function::Function,
    id::{ControlId, FunctionId, ProviderId},
    incident::Incident,
    provider::Provider,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    pages::{controls, findings::address_of as finding_address},
    route,
    texts::incident as texts,
    ui,
};

pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
) -> Result<Markup, PageError> {
    let parts = [
        (Incident::FUNCTIONS.label, functions(workspace, visit, incident).await?),
        (Incident::PROVIDERS.label, providers(workspace, visit, incident).await?),
        (Incident::FINDINGS.label, findings(workspace, visit, incident).await?),
        (Incident::CONTROLS.label, controls(workspace, visit, incident).await?),
    ];
    let content = html! {
        dl.facts {
            @for (label, links) in &parts {
                dt { (visit.t(*label)) }
                dd {
                    @if links.is_empty() { (visit.or_none(None::<&str>)) }
                    @for link in links { (link) br; }
                }
            }
        }
    };
    Ok(ui::section(visit.t(texts::LINKS), &content))
}

/// Leads to the list, narrowed to a name.
fn in_list(list: &str, name: &str) -> Markup {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("search", name).finish();
    html! { a href={ (list) "?" (query) } { (name) } }
}

/// What is gone goes by its id.
fn found<T>(
    found: Result<T, Error>,
    id: &str,
    link: impl FnOnce(T) -> (String, String),
) -> Result<Markup, PageError> {
    match found {
        Ok(found) => {
            let (address, name) = link(found);
            Ok(html! { a href=(address) { (name) } })
        }
        Err(Error::NotFound) => Ok(html! { code { (id) } }),
        Err(error) => Err(error.into()),
    }
}

async fn functions(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
) -> Result<Vec<Markup>, PageError> {
    let mut links = Vec::new();
    for name in &incident.row.record.functions {
        links.push(match name.parse::<FunctionId>() {
            Err(_) => in_list(route::FUNCTIONS, name),
            Ok(id) => {
                let function = workspace.app.records.record::<Function>(visit.caller(), id).await;
                found(function, name, |(detail, _)| {
                    (format!("{}/{id}", route::FUNCTIONS), detail.record.row.record.name.to_string())
                })?
            }
        });
    }
    Ok(links)
}

async fn providers(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
) -> Result<Vec<Markup>, PageError> {
    let mut links = Vec::new();
    for name in &incident.row.record.providers {
        links.push(match name.parse::<ProviderId>() {
            Err(_) => in_list(route::PROVIDERS, name),
            Ok(id) => {
                let provider = workspace.app.records.record::<Provider>(visit.caller(), id).await;
                found(provider, name, |(detail, _)| {
                    (format!("{}/{id}", route::PROVIDERS), detail.record.row.record.name.to_string())
                })?
            }
        });
    }
    Ok(links)
}

async fn findings(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
) -> Result<Vec<Markup>, PageError> {
    let mut links = Vec::new();
    for id in &incident.row.record.findings {
        let finding = workspace.app.records.record::<Finding>(visit.caller(), *id).await;
        links.push(found(finding, &id.to_string(), |(detail, _)| {
            let row = &detail.record;
            (finding_address(*id), format!("{} {}", row.record.reference, row.record.title))
        })?);
    }
    Ok(links)
}

async fn controls(
    workspace: &Workspace,
    visit: &Visit,
    incident: &IncidentView,
) -> Result<Vec<Markup>, PageError> {
    let ids = &incident.row.record.controls;
    let rows = workspace.app.resilience.controls_named(visit.caller(), ids).await?;
    let link = |id: ControlId| {
        let Some(row) = rows.iter().find(|row| row.id == id) else { return html! { code { (id) } } };
        let name = format!("{} {}", row.record.reference, row.record.title);
        html! { a href=(controls::address_of(id)) { (name) } }
    };
    Ok(ids.iter().copied().map(link).collect())
}
