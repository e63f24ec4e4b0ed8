//! The pages, one module per kind of record: routes, calls to `app`, and markup.

mod analysis;
mod api_key;
mod approval;
mod arrangement;
mod assessment;
mod audit;
mod bundle;
mod calendar;
mod comment;
mod compliance;
mod control;
mod cra_report;
mod custom_field;
mod dashboard;
mod design;
mod drill;
mod drill_run;
mod due_diligence;
pub(crate) mod error;
mod event_hook;
mod evidence;
mod evidence_request;
mod file;
mod finding;
mod function;
pub(crate) mod identity_provider;
mod inbox;
mod incident;
mod link;
mod mail_address;
mod measures;
mod names;
mod own_framework;
mod own_risk;
mod passkey;
mod past;
mod pick;
mod profile;
mod programme;
mod provider;
mod question;
mod record;
mod reference;
mod refused_sign_ins;
mod register;
mod report;
mod requirement;
mod risk;
mod sample;
mod saved_view;
mod search;
mod session;
mod setting;
mod signal;
mod tag;
mod test_case;
mod timeline;
mod training;
mod trainings;
mod user;
mod vendor;
mod webhook;
mod work;

use axum::{
    Router,
    response::{IntoResponse as _, Redirect, Response},
    routing::{any, get},
};

use domain::{
    arrangement::Arrangement,
    control::Control,
    cra_report::CraReport,
    drill_run::DrillRun,
    evidence::Evidence,
    evidence_request::EvidenceRequest,
    finding::Finding,
    function::Function,
    id::{ApprovalId, RegisterFilingId, UserId},
    incident::Incident,
    own_framework::OwnFramework,
    programme::Programme,
    provider::Provider,
    risk::Risk,
    task::Task,
    test_case::TestCase,
    training::Training,
    wording::Label,
};

use self::{
    record::form::{RecordForm, label_of},
    search::Found,
};
use crate::{Workspace, error::PageError, route};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .merge(analysis::router())
        .merge(api_key::router())
        .merge(approval::router())
        .merge(arrangement::router())
        .merge(assessment::router())
        .merge(audit::router())
        .merge(bundle::router())
        .merge(report::router())
        .merge(calendar::router())
        .merge(comment::router())
        .merge(compliance::router())
        .merge(control::router())
        .merge(cra_report::router())
        .merge(custom_field::router())
        .merge(dashboard::router())
        .merge(design::router())
        .merge(drill::router())
        .merge(drill_run::router())
        .merge(due_diligence::router())
        .merge(evidence::router())
        .merge(evidence_request::router())
        .merge(finding::router())
        .merge(identity_provider::router())
        .merge(incident::router())
        .merge(function::router())
        .merge(inbox::router())
        .merge(link::router())
        .merge(mail_address::router())
        .merge(own_framework::router())
        .merge(own_risk::router())
        .merge(passkey::router())
        .merge(pick::router())
        .merge(requirement::router())
        .merge(profile::router())
        .merge(programme::router())
        .merge(provider::router())
        .merge(register::router())
        .merge(risk::router())
        .merge(sample::router())
        .merge(saved_view::router())
        .merge(search::router())
        .merge(session::router())
        .merge(setting::router())
        .merge(signal::router())
        .merge(tag::router())
        .merge(test_case::router())
        .merge(timeline::router())
        .merge(question::router())
        .merge(training::router())
        .merge(trainings::router())
        .merge(user::router())
        .merge(vendor::router())
        .merge(webhook::router())
        .merge(event_hook::router())
        .merge(work::router())
        .route("/", get(async || Redirect::to(route::HOME)))
        .route("/workspace/", get(async || Redirect::to(route::HOME)))
        .route("/workspace/{*nowhere}", any(nowhere))
        .method_not_allowed_fallback(wrong_method)
}

/// How the search shows the institution's own records.
const FOUND: &[Found] = &[
    approval::FOUND,
    arrangement::FOUND,
    control::FOUND,
    cra_report::FOUND,
    drill_run::FOUND,
    evidence::FOUND,
    evidence_request::FOUND,
    finding::FOUND,
    incident::FOUND,
    own_framework::FOUND,
    own_risk::FOUND,
    programme::FOUND,
    provider::FOUND,
    test_case::FOUND,
    work::FOUND,
    comment::FOUND,
];

/// A kind of record that has a form.
struct FormKind {
    is_id: fn(&str) -> bool,
    address: &'static str,
    label: fn(&str) -> Option<Label>,
}

impl FormKind {
    const fn of<K: RecordForm>() -> Self {
        Self { is_id: |text| text.parse::<K::Id>().is_ok(), address: K::ADDRESS, label: label_of::<K> }
    }

    fn with_id(id: &str) -> Option<&'static Self> {
        FORM_KINDS.iter().find(|kind| (kind.is_id)(id))
    }
}

static FORM_KINDS: [FormKind; 16] = [
    FormKind::of::<Finding>(),
    FormKind::of::<Control>(),
    FormKind::of::<Evidence>(),
    FormKind::of::<Function>(),
    FormKind::of::<OwnFramework>(),
    FormKind::of::<Programme>(),
    FormKind::of::<Provider>(),
    FormKind::of::<Risk>(),
    FormKind::of::<TestCase>(),
    FormKind::of::<CraReport>(),
    FormKind::of::<DrillRun>(),
    FormKind::of::<Incident>(),
    FormKind::of::<Training>(),
    FormKind::of::<EvidenceRequest>(),
    FormKind::of::<Task>(),
    FormKind::of::<Arrangement>(),
];

/// The label of a field in the form of a record, by the id of the record.
fn form_label(record: &str, field: &str) -> Option<Label> {
    (FormKind::with_id(record)?.label)(field)
}

/// The label of a field in the first form that has it.
fn any_form_label(field: &str) -> Option<Label> {
    FORM_KINDS.iter().find_map(|kind| (kind.label)(field))
}

/// The page of a record or a user, by its id.
fn page_by_id(id: &str) -> Option<String> {
    let others = [
        (id.parse::<ApprovalId>().is_ok(), route::APPROVALS),
        (id.parse::<RegisterFilingId>().is_ok(), route::REGISTER_FILINGS),
        (id.parse::<UserId>().is_ok(), route::USERS),
    ];
    let address = others.into_iter().find(|(is_id, _)| *is_id).map(|(_, address)| address);
    let address = address.or_else(|| Some(FormKind::with_id(id)?.address))?;
    Some(format!("{address}/{id}"))
}

async fn nowhere() -> Response {
    PageError::NotFound.into_response()
}

async fn wrong_method() -> Response {
    PageError::WrongMethod.into_response()
}
