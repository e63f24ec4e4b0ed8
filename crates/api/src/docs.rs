//! The OpenAPI document, made from the handlers, and the page to read it.

use std::sync::LazyLock;

use app::App;
use axum::Router;
use utoipa::openapi::{
    Components, Info, License, OpenApi, OpenApiBuilder, RefOr,
    path::Operation,
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

/// One documented operation, for the indexes.
#[derive(Debug, Clone)]
pub(crate) struct RouteSummary {
    pub method: String,
    pub path: String,
    pub summary: String,
    pub parameters: Vec<String>,
    tags: Vec<String>,
}

impl RouteSummary {
    fn new(method: &str, path: &str, operation: Operation) -> Self {
        let parameters = operation.parameters.unwrap_or_default().into_iter();
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            summary: operation.summary.unwrap_or_default(),
            parameters: parameters
                .filter_map(|parameter| match parameter {
                    RefOr::T(parameter) => Some(parameter.name),
                    RefOr::Ref(_) => None,
                })
                .collect(),
            tags: operation.tags.unwrap_or_default(),
        }
    }

    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|own| own == tag)
    }
}

/// Every documented operation, in the order of the document.
pub(crate) fn routes() -> &'static [RouteSummary] {
    static ROUTES: LazyLock<Vec<RouteSummary>> = LazyLock::new(|| {
        let mut routes = Vec::new();
        for (path, item) in openapi().paths.paths {
            let operations = [
                ("GET", item.get),
                ("POST", item.post),
                ("PUT", item.put),
                ("PATCH", item.patch),
                ("DELETE", item.delete),
            ];
            for (method, operation) in operations {
                routes.extend(operation.map(|operation| RouteSummary::new(method, &path, operation)));
            }
        }
        routes
    });
    &ROUTES
}

/// The document, and a page to read it and try it, both working without the internet.
pub(crate) fn router(openapi: OpenApi) -> Router<App> {
    SwaggerUi::new("/api/docs").url("/api/openapi.json", named(openapi)).into()
}
