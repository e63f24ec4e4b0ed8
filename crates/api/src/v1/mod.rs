//! API v1: a tenant's own records, with keys and writes.

mod compliance;
mod messages;
mod operations;
mod people;
mod record;
mod records;
mod reference;
mod resilience;
mod third_parties;
mod whole_list;
mod wire;

use app::{App, records::KINDS, search::HitKind};
use utoipa::openapi::Paths;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) use messages::webhooks::events::event_schemas;
pub(crate) use records::comments::list_of;
use records::comments::list_of_table;
pub(crate) use whole_list::WholeList;

/// Routes on one subject.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The tag of its operations in the document.
    pub(crate) tag: &'static str,
    pub(crate) about: &'static str,
    /// What is done with the whole list of its records.
    list: Option<WholeList>,
    routes: fn(OpenApiRouter<App>) -> OpenApiRouter<App>,
}

/// The subjects of a tenant's own records, in display order.
pub(crate) const SUBJECTS: &[Subject] = &[
    resilience::findings::SUBJECT,
    resilience::programmes::SUBJECT,
    resilience::test_cases::SUBJECT,
    compliance::controls::SUBJECT,
    compliance::assessments::SUBJECT,
    compliance::own_frameworks::SUBJECT,
    resilience::incidents::SUBJECT,
    resilience::drill_runs::SUBJECT,
    compliance::evidence::SUBJECT,
    compliance::evidence_requests::SUBJECT,
    compliance::risks::SUBJECT,
    records::tasks::SUBJECT,
    records::approvals::SUBJECT,
    compliance::trainings::SUBJECT,
    resilience::cra::SUBJECT,
    third_parties::ict_arrangements::SUBJECT,
    third_parties::register::SUBJECT,
    third_parties::providers::SUBJECT,
    third_parties::concentration_risk::SUBJECT,
    compliance::functions::SUBJECT,
    records::comments::SUBJECT,
    records::tags::SUBJECT,
    records::views::SUBJECT,
    records::custom_fields::SUBJECT,
    records::bulk::SUBJECT,
    records::import::SUBJECT,
    compliance::profile::SUBJECT,
    messages::webhooks::SUBJECT,
    messages::events::SUBJECT,
    people::keys::SUBJECT,
    people::SUBJECT,
    operations::audit::SUBJECT,
    operations::bundles::SUBJECT,
    operations::reports::SUBJECT,
    operations::report_templates::SUBJECT,
    records::samples::SUBJECT,
];

/// The requests that webhooks and event hooks send.
pub(crate) fn webhooks() -> Paths {
    messages::event_hooks::docs::add(messages::webhooks::events::webhooks())
}

/// The address above the results of a kind.
pub(crate) fn address_of(result: HitKind) -> Option<String> {
    let table = match KINDS.iter().find(|kind| kind.found == Some(result.as_str())) {
        Some(kind) => kind.table,
        None if result == HitKind::COMMENT => "comments",
        None if result == HitKind::OWN_REQUIREMENT => "assessments",
        None => return None,
    };
    Some(list_of_table(table))
}

/// Every route, with its documentation.
pub(crate) fn router() -> OpenApiRouter<App> {
    SUBJECTS.iter().fold(shared(), |router, subject| (subject.routes)(router))
}

/// Reference data that is the same for every tenant.
fn shared() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(reference::compliance_status::all))
        .routes(routes!(reference::compliance_status::dora))
        .routes(routes!(reference::compliance_status::marisk))
        .routes(routes!(reference::compliance_status::iso_27001))
        .routes(routes!(reference::compliance_status::cra))
        .routes(routes!(reference::compliance_status::nis2))
        .routes(routes!(reference::dora::list))
        .routes(routes!(reference::dora::get))
        .routes(routes!(reference::compliance_timeline::list))
        .routes(routes!(reference::compliance_timeline::sync))
        .routes(routes!(operations::vulnerability_scan::latest))
        .routes(routes!(reference::exports::measures_csv))
        .routes(routes!(reference::exports::measures_json))
}
