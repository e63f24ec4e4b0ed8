//! The JSON surfaces: public reference, v1, v2 and operations.
//!
//! A handler extracts, makes one call to `app`, and translates. Routes are registered together with their
//! documentation, so the OpenAPI document cannot miss one.

pub mod docs;
mod error;
mod extract;
pub mod middleware;
mod ops;
mod public;
mod reference;
mod respond;
mod schema;
mod stream;
mod v1;
mod v2;

use std::sync::Arc;

use app::App;
use axum::Router;
use ipnet::IpNet;
use utoipa_axum::router::OpenApiRouter;

use self::middleware::{
    envelope::{Envelope, EnvelopeLayer},
    keyed::KeyedLayer,
    pack::PackLayer,
    remember::Memory,
};
pub use self::{
    error::ApiError,
    middleware::{client::ClientAddr, front::Front, observe::ObserveLayer},
    ops::operator_router,
};

/// What the surfaces need to know besides the application.
#[derive(Debug, Clone, Default)]
pub struct ApiOptions {
    /// Origins that browsers may call keyed routes from; none by default.
    pub cors_origins: Vec<String>,
    /// Requests per minute and address on routes without a key; unlimited by default.
    pub public_per_minute: Option<u32>,
    /// Networks whose clients may read operational data; any by default.
    pub operations_networks: Vec<IpNet>,
}

/// Everything under `/api` and the pages beside it, ready to be served.
pub fn service(app: &App, options: &ApiOptions, pages: Router) -> Front {
    let memory = Memory::new(app);
    let envelope =
        Arc::new(Envelope::new(options, app.clock.clone()).remembering(memory.clone()).noting(app.clone()));
    let routes = routes(app, Arc::clone(&envelope));
    Front::new(app, memory, envelope, pages.merge(routes))
}

fn routes(app: &App, envelope: Arc<Envelope>) -> Router {
    let (router, _) = documented(Some(app)).split_for_parts();
    let layers = (ObserveLayer::new(app), EnvelopeLayer::new(envelope));
    router
        .merge(docs::router().layer((PackLayer, axum::middleware::map_response(docs::protect))))
        .fallback(error::no_route)
        .method_not_allowed_fallback(error::wrong_method)
        // In one piece: a router boxes a route anew for every layer it is given.
        .layer(layers)
        .with_state(app.clone())
}

/// The routes with their documentation. Without an application only the documentation is of use.
fn documented(app: Option<&App>) -> OpenApiRouter<App> {
    let (mut v1, mut v2) = (v1::router(), v2::router());
    if let Some(app) = app {
        let unknown = axum::middleware::from_fn(middleware::unknown::layer);
        v1 = v1.route_layer((PackLayer, KeyedLayer::v1(app), unknown.clone()));
        v2 = v2.route_layer((PackLayer, KeyedLayer::v2(app), unknown));
    }
    // Public bodies lie packed in memory; everything else is packed on its way.
    let ops = ops::router().route_layer(PackLayer);
    OpenApiRouter::with_openapi(docs::base()).merge(public::router()).merge(ops).merge(v1).merge(v2)
}
