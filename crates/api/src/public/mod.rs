//! Public reference data, readable without a key.
//!
//! Every response depends on the catalogue, the language and the coding alone, so it is serialised once and served
//! from memory.

mod act;
mod body_cache;
mod bundle_key;
mod change;
mod clock;
mod drill;
mod evidence;
mod framework;
mod gap;
mod index;
mod measure;
mod module;
pub(crate) mod oscal;
mod provider;
mod requirement;
mod risk;
mod signal;
mod source;
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
        .routes(routes!(drill::list))
        .routes(routes!(gap::list))
        .routes(routes!(measure::list))
        .routes(routes!(evidence::list))
        .routes(routes!(signal::list))
        .routes(routes!(module::list))
        .routes(routes!(stats::get))
        .routes(routes!(framework::list))
        .routes(routes!(requirement::list))
        .routes(routes!(requirement::get))
        .routes(routes!(act::list))
        .routes(routes!(source::list))
        .routes(routes!(oscal::catalog))
        .routes(routes!(oscal::mappings))
        .routes(routes!(clock::list))
        .routes(routes!(change::list))
        .routes(routes!(provider::list))
        .routes(routes!(timeline::calendar))
        .routes(routes!(signal::atom))
        .routes(routes!(bundle_key::get))
        .route_layer(Extension(BodyCache::default()))
}
