//! Dashboard widgets.

use axum::response::Response;

use super::wire::{Envelope, KeyedErrors, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams},
    reference::{ReferenceQuery, SearchParams, Widget},
};

/// The widgets a dashboard can be put together from.
#[utoipa::path(get, path = "/api/v2/dashboard-widgets", tag = "v2", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Widget>), KeyedErrors))]
pub(crate) async fn list(request: ReferenceQuery) -> Result<Response, ApiError> {
    request.list::<Widget>(|_| true, enveloped)
}
