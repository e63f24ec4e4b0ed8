//! Liveness.

use app::App;
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::moment::Moment;
use http::{HeaderValue, header};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Pong {
    pong: bool,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Alive {
    status: &'static str,
}

/// The service answers.
#[utoipa::path(get, path = "/api/ping", tag = "operations", security(()), responses((status = 200, body = Pong)))]
pub(crate) async fn ping(State(app): State<App>) -> Response {
    uncached(&Pong { pong: true, at: app.clock.now() })
}

/// The process lives and serves. Touches no dependency.
#[utoipa::path(get, path = "/api/healthz", tag = "operations", security(()), responses((status = 200, body = Alive)))]
pub(crate) async fn healthz() -> Response {
    uncached(&Alive { status: "ok" })
}

pub(crate) fn uncached(body: &impl Serialize) -> Response {
    let mut response = Json(body).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
