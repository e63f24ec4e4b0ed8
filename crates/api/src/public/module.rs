//! The modules of the platform: which routes each has by the contract, and which of them this build serves.
//!
//! Whether a route is served is looked up in the OpenAPI document, which is generated from the handlers.

mod table;

use app::catalogue::Edition;
use axum::response::Response;
use domain::wording::{Label, Language};
use serde::Serialize;
use utoipa::ToSchema;

pub(super) use self::table::MODULES;
use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, ReferenceMeta},
};
use crate::{
    ApiError,
    docs::{self, RouteSummary},
    extract::LanguageParams,
    respond,
};

/// A part of the platform with its routes in the contract.
#[derive(Debug)]
pub(super) struct ModuleDefinition {
    id: &'static str,
    title: Label,
    contract: &'static [(&'static str, &'static str)],
    /// Where its further routes lie.
    prefixes: &'static [&'static str],
}

/// A module of the platform.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlatformModule)]
pub(crate) struct Module {
    #[schema(example = "risk-register")]
    id: &'static str,
    title: &'static str,
    /// Whether all its routes are served.
    available: bool,
    routes: Vec<ModuleRoute>,
}

/// A route of a module.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModuleRoute {
    #[schema(example = "GET")]
    method: String,
    #[schema(example = "/api/risk-register")]
    path: String,
    served: bool,
    /// Whether it goes beyond the service contract.
    extension: bool,
}

#[derive(Debug, Serialize)]
struct Modules {
    data: Vec<Module>,
    meta: ReferenceMeta,
}

pub(super) const BODY: PublicBody =
    PublicBody { name: "modules", write: |edition, language| Ok(body(edition, language)) };

fn body(edition: &Edition, language: Language) -> Vec<u8> {
    let data: Vec<Module> = MODULES.iter().map(|module| module.describe(docs::routes(), language)).collect();
    let meta = ReferenceMeta { count: data.len() as u64, version: edition.version };
    respond::to_json(&Modules { data, meta })
}

impl ModuleDefinition {
    fn describe(&self, served: &[RouteSummary], language: Language) -> Module {
        let is_served = |method: &str, path: &str| {
            served.iter().any(|route| route.method == method && route.path == path)
        };
        let contract = self.contract.iter().map(|(method, path)| ModuleRoute {
            method: (*method).to_owned(),
            path: (*path).to_owned(),
            served: is_served(method, path),
            extension: false,
        });
        let further = served.iter().filter(|route| self.has_besides(route)).map(|route| ModuleRoute {
            method: route.method.clone(),
            path: route.path.clone(),
            served: true,
            extension: true,
        });
        let routes: Vec<_> = contract.chain(further).collect();
        Module {
            id: self.id,
            title: self.title.text(language),
            available: routes.iter().all(|route| route.served),
            routes,
        }
    }

    /// Whether the route is not in the contract and belongs to this module.
    fn has_besides(&self, route: &RouteSummary) -> bool {
        let reach = |module: &Self| {
            let under = module.prefixes.iter().filter(|prefix| lies_under(&route.path, prefix));
            under.map(|prefix| prefix.len()).max().unwrap_or(0)
        };
        let nearest = MODULES.iter().map(reach).max().unwrap_or(0);
        !in_contract(&route.method, &route.path) && nearest > 0 && reach(self) == nearest
    }
}

/// Whether the contract lists this operation; others are extensions.
pub(crate) fn in_contract(method: &str, path: &str) -> bool {
    MODULES.iter().any(|module| module.contract.contains(&(method, path)))
}

/// The path is the prefix or continues it with a new segment or a suffix such as `.ics`.
fn lies_under(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
}

/// Lists the modules of the platform with their routes.
#[utoipa::path(get, path = "/api/modules", operation_id = "listModules",
    tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Module>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_served_route_stands_in_exactly_one_module() {
        let mut places: HashMap<(String, String), u32> = HashMap::new();
        for module in MODULES {
            for route in module.describe(docs::routes(), Language::English).routes {
                *places.entry((route.method, route.path)).or_default() += 1;
            }
        }
        for route in docs::routes() {
            let place = places.get(&(route.method.clone(), route.path.clone()));
            assert_eq!(place, Some(&1), "{} {}", route.method, route.path);
        }
        assert!(places.values().all(|count| *count == 1));
    }

    #[test]
    fn the_contract_has_all_its_routes() {
        let of = |prefix: &str| {
            let routes = MODULES.iter().flat_map(|module| module.contract);
            routes.filter(|(_, path)| path.starts_with(prefix)).count()
        };
        assert_eq!((of("/api/v1"), of("/api/v2"), of("/api")), (32, 13, 32 + 13 + 10 + 9));
    }
}
