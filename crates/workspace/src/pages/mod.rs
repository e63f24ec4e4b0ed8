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
pub(crate) mod evidence_requests;
mod file;
mod findings;
mod functions;
mod ict_arrangements;
pub(crate) mod identity_provider;
mod inbox;
mod incidents;
mod kinds;
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

use app::records::PickKind;
use domain::{
    approval::Approval, arrangement::Arrangement, control::Control, cra_report::CraReport,
    drill_run::DrillRun, evidence::Evidence, evidence_request::EvidenceRequest, finding::Finding,
    function::Function, id::UserId, incident::Incident, own_framework::OwnFramework, programme::Programme,
    provider::Provider, register_filing::RegisterFiling, risk::Risk, task::Task, test_case::TestCase,
    training::Training,
};

pub(crate) use self::kinds::PageKind;
use self::kinds::{any_form_label, form_label};
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

/// Every kind of record that has pages of its own.
static PAGE_KINDS: [PageKind; 18] = [
    PageKind::form::<Finding>(Some(findings::FOUND))
        .drawn(|at, list, input| samples::boxed::<Finding>(at, list, findings::filter_of(list), input)),
    PageKind::list::<Control>(Some(controls::FOUND)),
    PageKind::list::<Evidence>(Some(evidence::FOUND)),
    PageKind::list::<Function>(None),
    PageKind::list::<OwnFramework>(Some(own_frameworks::FOUND)),
    PageKind::list::<Programme>(Some(programmes::FOUND)),
    PageKind::form::<Provider>(Some(providers::FOUND))
        .drawn(|at, list, input| samples::boxed::<Provider>(at, list, providers::filter_of(list), input))
        .without_past(),
    PageKind::list::<Risk>(Some(risks::FOUND)),
    PageKind::list::<TestCase>(Some(test_cases::FOUND)),
    PageKind::list::<CraReport>(Some(cra_reports::FOUND)),
    PageKind::list::<DrillRun>(Some(drill_runs::FOUND)),
    PageKind::list::<Incident>(Some(incidents::FOUND)),
    PageKind::form::<Training>(None)
        .drawn(|at, list, input| samples::boxed::<Training>(at, list, trainings::filter_of(list), input)),
    PageKind::list::<EvidenceRequest>(Some(evidence_requests::FOUND)),
    PageKind::form::<Task>(Some(work::FOUND)).without_past(),
    PageKind::form::<Arrangement>(Some(ict_arrangements::FOUND)).drawn(|at, list, input| {
        samples::boxed::<Arrangement>(at, list, ict_arrangements::filter_of(list), input)
    }),
    PageKind::page::<Approval>(route::APPROVALS, Some(approvals::FOUND)),
    PageKind::page::<RegisterFiling>(route::REGISTER_FILINGS, None),
];

/// What a task can be about.
const TASK_SUBJECTS: [PickKind; 10] = [
    PickKind("finding"),
    PickKind("risk"),
    PickKind("control"),
    PickKind("incident"),
    PickKind("test_case"),
    PickKind("programme"),
    PickKind("provider"),
    PickKind("arrangement"),
    PickKind("evidence"),
    PickKind("drill_run"),
];

/// What evidence can be asked for.
const REQUEST_SUBJECTS: [PickKind; 13] = [
    PickKind("control"),
    PickKind("risk"),
    PickKind("finding"),
    PickKind("incident"),
    PickKind("test_case"),
    PickKind("programme"),
    PickKind("drill_run"),
    PickKind("provider"),
    PickKind("arrangement"),
    PickKind("function"),
    PickKind("own_framework"),
    PickKind("evidence"),
    PickKind("training"),
];

/// What evidence can be attached to.
const EVIDENCE_TARGETS: [PickKind; 8] = [
    PickKind("control"),
    PickKind("finding"),
    PickKind("risk"),
    PickKind("test_case"),
    PickKind("incident"),
    PickKind("arrangement"),
    PickKind("drill_run"),
    PickKind("provider"),
];

/// The texts that are in the folders of their kinds, for the tests of all texts.
#[cfg(test)]
pub(crate) const TEXTS: &[(&str, &[(&str, domain::wording::Label)])] =
    &[("evidence_requests", evidence_requests::texts::ALL)];

/// The page of a record or a user, by its id.
fn page_by_id(id: &str) -> Option<String> {
    let user = id.parse::<UserId>().is_ok().then_some(route::USERS);
    let address = user.or_else(|| Some(PageKind::of_id(id)?.address))?;
    Some(format!("{address}/{id}"))
}

async fn nowhere() -> Response {
    PageError::NotFound.into_response()
}

async fn wrong_method() -> Response {
    PageError::WrongMethod.into_response()
}
