//! Public reference data, readable without a key.
//!
//! Every response depends on the catalogue, the language and the coding alone, so it is serialised once and served
//! from memory.

mod body_cache;
mod bundle_key;
mod change;
mod index;
mod lists;
mod module;
pub(crate) mod oscal;
mod requirement;
mod risk;
mod signal;
mod stats;
mod timeline;
mod vendor;
mod wire;

use app::App;
use axum::Extension;
use utoipa_axum::{router::OpenApiRouter, routes};

use self::body_cache::BodyCache;
pub(crate) use self::module::in_contract;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(index::get))
        .routes(routes!(risk::list))
        .routes(routes!(vendor::list))
        .routes(routes!(lists::incident_drills))
        .routes(routes!(lists::gap_analysis))
        .routes(routes!(lists::measures))
        .routes(routes!(lists::evidence))
        .routes(routes!(signal::list))
        .routes(routes!(module::list))
        .routes(routes!(stats::get))
        .routes(routes!(lists::frameworks))
        .routes(routes!(requirement::list))
        .routes(routes!(requirement::get))
        .routes(routes!(lists::acts))
        .routes(routes!(lists::sources))
        .routes(routes!(oscal::catalog))
        .routes(routes!(oscal::mappings))
        .routes(routes!(lists::clocks))
        .routes(routes!(change::list))
        .routes(routes!(lists::critical_providers))
        .routes(routes!(timeline::calendar))
        .routes(routes!(signal::atom))
        .routes(routes!(bundle_key::get))
        .route_layer(Extension(BodyCache::default()))
}
