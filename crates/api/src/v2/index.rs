//! The index of v2.

use axum::response::Response;
use domain::page::{Page, PageRequest};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{Envelope, KeyedErrors};
use crate::{
    ApiError,
    docs::{self, RouteSummary},
    extract::{PageParams, PageQuery, Reader},
    respond,
};

/// An operation of API v2.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = V2Route)]
pub(crate) struct Route {
    #[schema(example = "/api/v2/risk-register")]
    path: String,
    summary: String,
    /// Its query parameters.
    parameters: Vec<String>,
}

impl From<&RouteSummary> for Route {
    fn from(route: &RouteSummary) -> Self {
        Self {
            path: route.path.clone(),
            summary: route.summary.clone(),
            parameters: route.parameters.clone(),
        }
    }
}

/// Lists the operations of API v2.
#[utoipa::path(get, path = "/api/v2", operation_id = "listV2Routes",
    tag = "API", params(PageParams), security(("bearer" = [])),
    responses((status = 200, body = Envelope<Route>), KeyedErrors))]
pub(crate) async fn get(_: Reader, query: PageQuery) -> Result<Response, ApiError> {
    let routes =
        docs::routes().iter().filter(|route| route.path.starts_with("/api/v2") && route.method == "GET");
    let routes: Vec<RouteSummary> = routes.cloned().collect();
    let page: Page<RouteSummary> = Page::cut(routes.into_iter(), query.page);
    debug_assert!(page.total <= u64::from(PageRequest::MAX_LIMIT));
    Ok(respond::json(StatusCode::OK, respond::to_json(&Envelope::<Route>::of(&page))))
}
