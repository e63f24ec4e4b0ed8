//! The OpenAPI document, generated from the handlers and completed by rules, and the pages that show it.

pub(crate) mod failures;
mod finish;
mod headers;
mod names;
pub(crate) mod own_fields;
mod page;
mod presence;
mod tags;

use std::sync::LazyLock;

use utoipa::openapi::{
    Components, Info, License, OpenApi, OpenApiBuilder, RefOr,
    path::{Operation, ParameterIn},
    security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
    server::Server,
};

pub(crate) use self::page::{protect, router};
pub(crate) use crate::v1::address_of;

use crate::v1;

const ABOUT: &str = "Compliance and operational resilience for banks, insurers and their suppliers.\n\n\
    Operations under `/api/v1` need an API key in `Authorization: Bearer` or `X-API-Key`, operations under `/api/v2` \
    in `Authorization: Bearer`; the others need none. Times are RFC 3339 in UTC, days are `YYYY-MM-DD`, and a field \
    without a value is `null`. Operations marked `x-extension` are additions to the basic set of operations; they follow the same \
    rules and stay as stable. The guide *Write a client* explains paging, errors, limits, conditional and idempotent requests.";

/// The part of the document that no handler declares.
pub(crate) fn base() -> OpenApi {
    let mut info = Info::new("Tidewall", env!("CARGO_PKG_VERSION"));
    info.description = Some(ABOUT.into());
    info.license = Some(License::new("Apache-2.0"));
    let mut components = Components::new();
    components.add_security_scheme("bearer", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let header = ApiKey::Header(ApiKeyValue::new("X-API-Key"));
    components.add_security_scheme("api_key", SecurityScheme::ApiKey(header));
    v1::event_schemas(&mut components);
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([Server::new("/")]))
        .webhooks(Some(v1::webhooks()))
        .components(Some(components))
        .tags(Some(tags::all()))
        .security(Some([
            SecurityRequirement::new::<_, _, &str>("bearer", []),
            SecurityRequirement::new::<_, _, &str>("api_key", []),
        ]))
        .build()
}

/// The document as served and committed.
pub fn openapi() -> &'static OpenApi {
    static DOCUMENT: LazyLock<OpenApi> =
        LazyLock::new(|| finish::finish(crate::declared().unwrap_or_else(base)));
    &DOCUMENT
}

/// One documented operation, for the indexes.
#[derive(Debug, Clone)]
pub(crate) struct RouteSummary {
    pub method: String,
    pub path: String,
    pub summary: String,
    /// The query parameters it takes.
    pub parameters: Vec<String>,
    tags: Vec<String>,
}

impl RouteSummary {
    fn new(method: &str, path: &str, operation: &Operation, components: &Components) -> Self {
        let resolve = |name: &str| match components.parameters.get(name) {
            Some(RefOr::T(parameter)) => Some(parameter),
            _ => None,
        };
        let parameters = operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
            RefOr::T(parameter) => Some(parameter),
            RefOr::Ref(reference) => resolve(reference.ref_location.rsplit('/').next()?),
        });
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            summary: operation.summary.clone().unwrap_or_default(),
            parameters: parameters
                .filter(|parameter| parameter.parameter_in != ParameterIn::Header)
                .map(|parameter| parameter.name.clone())
                .collect(),
            tags: operation.tags.clone().unwrap_or_default(),
        }
    }

    pub(crate) fn has_tag(&self, tag: &str) -> bool {
        self.tags.iter().any(|own| own == tag)
    }
}

/// Every documented operation, in the order of the document.
pub(crate) fn routes() -> &'static [RouteSummary] {
    static ROUTES: LazyLock<Vec<RouteSummary>> = LazyLock::new(|| {
        let mut document = openapi().clone();
        let components = document.components.take().unwrap_or_default();
        let mut routes = Vec::new();
        for (path, item) in &mut document.paths.paths {
            let operations = finish::operations(item);
            routes.extend(operations.map(|(method, one)| RouteSummary::new(method, path, one, &components)));
        }
        routes
    });
    &ROUTES
}
