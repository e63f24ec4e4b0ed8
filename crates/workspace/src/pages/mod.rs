//! The pages, one module per kind of record: routes, calls to `app`, and markup.

mod api_keys;
mod approvals;
mod assessments;
mod audit;
mod bundles;
mod calendar;
mod comments;
mod compliance;
mod concentration_risk;
mod controls;
mod cra_reports;
mod custom_field;
mod dashboard;
mod design;
mod drill_runs;
mod drills;
mod due_diligence;
pub(crate) mod error;
mod event_hooks;
mod evidence;
mod evidence_requests;
mod file;
mod findings;
mod functions;
mod ict_arrangements;
pub(crate) mod identity_provider;
mod inbox;
mod incidents;
mod link;
mod mail_address;
mod measures;
mod names;
mod own_frameworks;
mod passkey;
mod past;
mod pick;
mod profile;
mod programmes;
mod provider_questions;
mod providers;
mod radar;
mod record;
mod reference;
mod refused_sign_ins;
mod register;
mod reports;
mod requirements;
mod risk_register;
mod risks;
mod samples;
mod search;
mod settings;
mod sign_in;
mod tag;
mod test_cases;
mod timeline;
mod training;
mod trainings;
mod users;
mod vendor_scorecard;
mod views;
mod webhooks;
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
        .merge(concentration_risk::router())
        .merge(api_keys::router())
        .merge(approvals::router())
        .merge(ict_arrangements::router())
        .merge(assessments::router())
        .merge(audit::router())
        .merge(bundles::router())
        .merge(reports::router())
        .merge(calendar::router())
        .merge(comments::router())
        .merge(compliance::router())
        .merge(controls::router())
        .merge(cra_reports::router())
        .merge(custom_field::router())
        .merge(dashboard::router())
        .merge(design::router())
        .merge(drills::router())
        .merge(drill_runs::router())
        .merge(due_diligence::router())
        .merge(evidence::router())
        .merge(evidence_requests::router())
        .merge(findings::router())
        .merge(identity_provider::router())
        .merge(incidents::router())
        .merge(functions::router())
        .merge(inbox::router())
        .merge(link::router())
        .merge(mail_address::router())
        .merge(own_frameworks::router())
        .merge(risks::router())
        .merge(passkey::router())
        .merge(pick::router())
        .merge(requirements::router())
        .merge(profile::router())
        .merge(programmes::router())
        .merge(providers::router())
        .merge(register::router())
        .merge(risk_register::router())
        .merge(samples::router())
        .merge(views::router())
        .merge(search::router())
        .merge(sign_in::router())
        .merge(settings::router())
        .merge(radar::router())
        .merge(tag::router())
        .merge(test_cases::router())
        .merge(timeline::router())
        .merge(provider_questions::router())
        .merge(training::router())
        .merge(trainings::router())
        .merge(users::router())
        .merge(vendor_scorecard::router())
        .merge(webhooks::router())
        .merge(event_hooks::router())
        .merge(work::router())
        .route("/", get(async || Redirect::to(route::HOME)))
        .route("/workspace/", get(async || Redirect::to(route::HOME)))
        .route("/workspace/{*nowhere}", any(nowhere))
        .method_not_allowed_fallback(wrong_method)
}

/// How the search shows the institution's own records.
const FOUND: &[Found] = &[
    approvals::FOUND,
    ict_arrangements::FOUND,
    controls::FOUND,
    cra_reports::FOUND,
    drill_runs::FOUND,
    evidence::FOUND,
    evidence_requests::FOUND,
    findings::FOUND,
    incidents::FOUND,
    own_frameworks::FOUND,
    risks::FOUND,
    programmes::FOUND,
    providers::FOUND,
    test_cases::FOUND,
    work::FOUND,
    comments::FOUND,
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
