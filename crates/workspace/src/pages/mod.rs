//! The pages, one module per noun: its routes, what it asks `app`, and how it looks.

pub(crate) mod api_key;
mod audit;
mod dashboard;
mod design;
pub(crate) mod error;
mod link;
mod profile;
mod session;
mod setting;
mod user;
mod webhook;

use axum::{
    Router,
    response::{IntoResponse as _, Redirect, Response},
    routing::{any, get},
};

use crate::{Workspace, oops::Oops, route};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .merge(api_key::router())
        .merge(audit::router())
        .merge(dashboard::router())
        .merge(design::router())
        .merge(link::router())
        .merge(profile::router())
        .merge(session::router())
        .merge(setting::router())
        .merge(user::router())
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
