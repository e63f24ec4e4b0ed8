//! API v1: a tenant's own records, with keys and writes.

mod analysis;
mod analysis_comparison;
mod analysis_share_wire;
mod analysis_wire;
mod approval;
mod approval_wire;
mod arrangement;
mod arrangement_input;
mod assessment;
mod assessment_wire;
mod audit;
mod blast_radius;
mod bulk;
mod bundle;
mod comment;
mod comment_wire;
mod compliance;
mod control;
mod control_wire;
mod correction;
mod coverage;
mod cra_report;
mod cra_report_input;
mod cra_report_wire;
mod custom_field;
mod delivery;
mod drill_run;
mod drill_run_input;
mod drill_run_wire;
mod event;
mod event_hook;
mod event_hook_docs;
mod event_stream;
mod evidence;
mod evidence_content;
mod evidence_request;
mod evidence_request_wire;
mod evidence_upload;
mod evidence_wire;
mod exchange_rate;
mod export;
mod finding;
mod finding_import;
mod finding_retest;
mod finding_wire;
mod function;
mod incident;
mod incident_import;
mod incident_log;
mod incident_report;
mod incident_report_wire;
mod incident_wire;
mod kept_simulation;
mod key;
mod management_review;
mod measure;
mod oscal;
mod own_framework;
mod own_framework_file;
mod own_framework_wire;
mod person;
mod profile;
mod programme;
mod proof;
mod provider;
mod provider_review;
mod provider_review_wire;
mod provider_wire;
mod record;
mod record_import;
mod register;
mod register_file;
mod register_filing;
mod register_filing_wire;
mod register_row;
mod register_take_over;
mod report;
mod report_template;
mod risk;
mod risk_wire;
mod sample;
mod scan;
mod simulation;
mod statement;
mod tag;
mod task;
mod task_wire;
mod test_case;
mod test_case_input;
mod threshold;
mod timeline;
mod training;
mod training_wire;
mod view;
mod webhook;
mod wire;

use app::{App, search::HitKind};
use utoipa::openapi::Paths;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) use comment::list_of;
pub(crate) use event::event_schemas;

/// Routes on one subject.
#[derive(Debug)]
pub(crate) struct Subject {
    /// The tag of its operations in the document.
    pub(crate) tag: &'static str,
    pub(crate) about: &'static str,
    /// The kind of search result its records are, and the address above them.
    found: Option<(HitKind, &'static str)>,
    routes: fn(OpenApiRouter<App>) -> OpenApiRouter<App>,
}

/// The subjects of a tenant's own records, in display order.
pub(crate) const SUBJECTS: &[Subject] = &[
    finding::SUBJECT,
    programme::SUBJECT,
    test_case::SUBJECT,
    control::SUBJECT,
    assessment::SUBJECT,
    own_framework::SUBJECT,
    incident::SUBJECT,
    drill_run::SUBJECT,
    evidence::SUBJECT,
    evidence_request::SUBJECT,
    risk::SUBJECT,
    task::SUBJECT,
    approval::SUBJECT,
    training::SUBJECT,
    cra_report::SUBJECT,
    arrangement::SUBJECT,
    register_filing::SUBJECT,
    provider::SUBJECT,
    analysis::SUBJECT,
    function::SUBJECT,
    comment::SUBJECT,
    tag::SUBJECT,
    view::SUBJECT,
    custom_field::SUBJECT,
    bulk::SUBJECT,
    record_import::SUBJECT,
    profile::SUBJECT,
    webhook::SUBJECT,
    event_stream::SUBJECT,
    key::SUBJECT,
    person::SUBJECT,
    audit::SUBJECT,
    bundle::SUBJECT,
    report::SUBJECT,
    report_template::SUBJECT,
    sample::SUBJECT,
];

/// The requests that webhooks and event hooks send.
pub(crate) fn webhooks() -> Paths {
    event_hook_docs::add(event::webhooks())
}

/// The address above the records of a kind.
pub(crate) fn address_of(kind: HitKind) -> Option<&'static str> {
    SUBJECTS.iter().filter_map(|subject| subject.found).find(|(of, _)| *of == kind).map(|(_, path)| path)
}

/// Every route, with its documentation.
pub(crate) fn router() -> OpenApiRouter<App> {
    SUBJECTS.iter().fold(shared(), |router, subject| (subject.routes)(router))
}

/// Reference data that is the same for every tenant.
fn shared() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(compliance::all))
        .routes(routes!(compliance::dora))
        .routes(routes!(compliance::marisk))
        .routes(routes!(compliance::iso_27001))
        .routes(routes!(compliance::cra))
        .routes(routes!(compliance::nis2))
        .routes(routes!(measure::list))
        .routes(routes!(measure::get))
        .routes(routes!(timeline::list))
        .routes(routes!(timeline::sync))
        .routes(routes!(scan::latest))
        .routes(routes!(export::measures_csv))
        .routes(routes!(export::measures_json))
}
