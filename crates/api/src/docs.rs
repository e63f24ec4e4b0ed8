//! The OpenAPI document, made from the handlers, and the page to read it.

use app::App;
use axum::{Router, response::Html, routing::get};
use http::StatusCode;
use utoipa::openapi::{
    Components, Info, License, OpenApi, OpenApiBuilder,
    security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
};

use crate::respond;

/// The part of the document no handler knows.
pub(crate) fn base() -> OpenApi {
    let mut info = Info::new("Tidewall", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Compliance and operational resilience for banks, insurers and their suppliers. \
         Operations tagged `extension` go beyond the service contract."
            .into(),
    );
    info.license = Some(License::new("Apache-2.0"));
    let mut components = Components::new();
    components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let header = ApiKey::Header(ApiKeyValue::new("X-API-Key"));
    components.add_security_scheme("api_key", SecurityScheme::ApiKey(header));
    OpenApiBuilder::new()
        .info(info)
        .components(Some(components))
        .security(Some([
            SecurityRequirement::new::<_, _, &str>("bearer", []),
            SecurityRequirement::new::<_, _, &str>("api_key", []),
        ]))
        .build()
}

/// The document as it is served and committed.
pub fn openapi(app: &App) -> OpenApi {
    crate::documented(app).split_for_parts().1
}

pub(crate) fn router(openapi: &OpenApi) -> Router<App> {
    let body = bytes::Bytes::from(respond::to_json(openapi));
    Router::new()
        .route("/api/openapi.json", get(move || async move { respond::json(StatusCode::OK, body) }))
        .route("/api/docs", get(|| async { Html("") }))
}
