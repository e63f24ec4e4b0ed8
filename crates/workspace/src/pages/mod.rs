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

use domain::id::UserId;

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
