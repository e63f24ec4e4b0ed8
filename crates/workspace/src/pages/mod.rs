//! The pages, one module per noun: its routes, what it asks `app`, and how it looks.

mod analysis;
mod api_key;
mod arrangement;
mod audit;
mod compliance;
mod cra_report;
mod dashboard;
mod design;
mod drill;
pub(crate) mod error;
mod file;
mod finding;
mod link;
mod measures;
mod past;
mod profile;
mod programme;
mod record;
mod reference;
mod refused_sign_ins;
mod register;
mod risk;
mod search;
mod session;
mod setting;
mod signal;
mod test_case;
mod timeline;
mod training;
mod user;
mod vendor;
mod webhook;

use axum::{
    Router,
    response::{IntoResponse as _, Redirect, Response},
    routing::{any, get},
};

use crate::{Workspace, oops::Oops, route};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .merge(analysis::router())
        .merge(api_key::router())
        .merge(arrangement::router())
        .merge(audit::router())
        .merge(compliance::router())
        .merge(cra_report::router())
        .merge(dashboard::router())
        .merge(design::router())
        .merge(drill::router())
        .merge(file::router())
        .merge(finding::router())
        .merge(link::router())
        .merge(profile::router())
        .merge(programme::router())
        .merge(register::router())
        .merge(risk::router())
        .merge(search::router())
        .merge(session::router())
        .merge(setting::router())
        .merge(signal::router())
        .merge(test_case::router())
        .merge(timeline::router())
        .merge(training::router())
        .merge(user::router())
        .merge(vendor::router())
        .merge(webhook::router())
        .route("/", get(async || Redirect::to(route::HOME)))
        .route("/workspace/", get(async || Redirect::to(route::HOME)))
        .route("/workspace/{*nowhere}", any(nowhere))
        .method_not_allowed_fallback(wrong_method)
}

async fn nowhere() -> Response {
    Oops::NotFound.into_response()
}

async fn wrong_method() -> Response {
    Oops::WrongMethod.into_response()
}
