//! The OpenAPI document, made from the handlers, and the page to read it.

use std::sync::LazyLock;

use app::App;
use axum::Router;
use utoipa::openapi::{
    Components, Info, License, OpenApi, OpenApiBuilder, RefOr,
    security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
};
use utoipa_swagger_ui::SwaggerUi;

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
pub fn openapi() -> OpenApi {
    named(crate::documented(None).split_for_parts().1)
}

/// Gives every operation an id of its own, made of its method and path.
pub(crate) fn named(mut openapi: OpenApi) -> OpenApi {
    for (path, item) in &mut openapi.paths.paths {
        let words: Vec<_> =
            path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let name = words.join("_");
        let operations = [
            ("get", &mut item.get),
            ("post", &mut item.post),
            ("put", &mut item.put),
            ("patch", &mut item.patch),
            ("delete", &mut item.delete),
        ];
        for (method, operation) in operations {
            if let Some(operation) = operation {
                operation.operation_id = Some(format!("{method}_{name}"));
            }
        }
    }
    openapi
}

/// One documented GET route, for the indexes.
#[derive(Debug, Clone)]
pub(crate) struct RouteSummary {
    pub path: String,
    pub summary: String,
    pub parameters: Vec<String>,
}

/// Every documented GET route, in the order of the document.
pub(crate) fn routes() -> &'static [RouteSummary] {
    static ROUTES: LazyLock<Vec<RouteSummary>> = LazyLock::new(|| {
        let paths = openapi().paths.paths;
        let gets = paths.into_iter().filter_map(|(path, item)| Some((path, item.get?)));
        gets.map(|(path, get)| RouteSummary {
            path,
            summary: get.summary.unwrap_or_default(),
            parameters: get
                .parameters
                .unwrap_or_default()
                .into_iter()
                .filter_map(|parameter| match parameter {
                    RefOr::T(parameter) => Some(parameter.name),
                    RefOr::Ref(_) => None,
                })
                .collect(),
        })
        .collect()
    });
    &ROUTES
}

/// The document, and a page to read it and try it, both working without the internet.
pub(crate) fn router(openapi: OpenApi) -> Router<App> {
    SwaggerUi::new("/api/docs").url("/api/openapi.json", named(openapi)).into()
}
