//! Dashboard widgets.

use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{ReferenceQuery, SearchParams, Widget},
};

/// Lists dashboard widgets.
#[utoipa::path(get, path = "/api/v2/dashboard-widgets", tag = "dashboards", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Widget>), NotModified, KeyedErrors))]
pub(crate) async fn list(request: ReferenceQuery) -> Result<Response, ApiError> {
    request.list::<Widget>(|_| true, enveloped)
}
