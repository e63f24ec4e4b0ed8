//! The JSON surfaces: public reference, v1, v2, operations, and SCIM for directories.
//!
//! A handler extracts, makes one call to `app`, and translates. Routes are registered together with their
//! documentation, so the OpenAPI document cannot miss one; SCIM describes itself, as its standard asks.

pub mod docs;
mod error;
mod extract;
pub mod middleware;
mod ops;
mod public;
mod reference;
mod respond;
mod schema;
mod scim;
mod stream;
mod v1;
mod v2;

use std::sync::Arc;

use app::App;
use axum::Router;
use ipnet::IpNet;
use utoipa_axum::router::OpenApiRouter;

use self::middleware::{
    answer_cache::AnswerCache,
    compression::CompressLayer,
    keyed::KeyedLayer,
    request_context::{RequestContext, RequestContextLayer},
};
pub use self::{
    error::ApiError,
    middleware::{cached_answer::CachedAnswers, client::ClientAddr, observe::ObserveLayer},
    ops::operator_router,
};

/// The options of the APIs besides the application.
#[derive(Debug, Clone, Default)]
pub struct ApiOptions {
    /// Origins that browsers may call keyed routes from; none by default.
    pub cors_origins: Vec<String>,
    /// Requests per minute and address on routes without a key; unlimited by default.
    pub public_per_minute: Option<u32>,
    /// Networks whose clients may read operational data; any by default.
    pub operations_networks: Vec<IpNet>,
}

/// Everything under `/api` and the workspace pages, ready to be served.
pub fn service(app: &App, options: &ApiOptions, pages: Router) -> CachedAnswers {
    let answer_cache = AnswerCache::new(app);
    let context = Arc::new(
        RequestContext::new(options, app.clock.clone()).remembering(answer_cache.clone()).noting(app.clone()),
    );
    let routes = routes(app, Arc::clone(&context));
    CachedAnswers::new(app, answer_cache, context, pages.merge(routes))
}

fn routes(app: &App, context: Arc<RequestContext>) -> Router {
    let (router, _) = documented(Some(app)).split_for_parts();
    let layers = (ObserveLayer::new(app), RequestContextLayer::new(context));
    router
        .merge(docs::router().layer((CompressLayer, axum::middleware::map_response(docs::protect))))
        .merge(scim::router(app))
        .fallback(error::no_route)
        .method_not_allowed_fallback(error::wrong_method)
        // As one layer: a router boxes a route again for every layer it is given.
        .layer(layers)
        .with_state(app.clone())
}

/// The routes with their documentation. Without an application only the documentation can be used.
fn documented(app: Option<&App>) -> OpenApiRouter<App> {
    let (mut v1, mut v2) = (v1::router(), v2::router());
    if let Some(app) = app {
        let unknown = axum::middleware::from_fn(middleware::unknown::layer);
        v1 = v1.route_layer((CompressLayer, KeyedLayer::v1(app), unknown.clone()));
        v2 = v2.route_layer((CompressLayer, KeyedLayer::v2(app), unknown));
    }
    // Public bodies are compressed in advance; all others are compressed on the fly.
    let ops = ops::router().route_layer(CompressLayer);
    OpenApiRouter::with_openapi(docs::base()).merge(public::router()).merge(ops).merge(v1).merge(v2)
}
