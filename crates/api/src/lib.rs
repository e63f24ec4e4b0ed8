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

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use app::App;
use axum::Router;
use ipnet::IpNet;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use self::middleware::{
    answer_cache::AnswerCache,
    compression::CompressLayer,
    keyed::KeyedLayer,
    request_context::{RequestContext, RequestContextLayer},
};
pub use self::{
    error::ApiError,
    middleware::{
        cached_answer::CachedAnswers,
        client::ClientAddr,
        observe::{ContinueTrace, ObserveLayer},
    },
    ops::{metrics, operator_router},
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
    /// Continues the traces of clients, if requests are traced.
    pub continue_trace: Option<ContinueTrace>,
}

/// Everything under `/api` and the workspace pages, ready to be served.
pub fn service(app: &App, options: &ApiOptions, pages: Router) -> CachedAnswers {
    let answer_cache = AnswerCache::new(app);
    let context = Arc::new(
        RequestContext::new(options, app.clock.clone()).remembering(answer_cache.clone()).noting(app.clone()),
    );
    let routes = routes(app, Arc::clone(&context), options.continue_trace);
    CachedAnswers::new(app, answer_cache, context, pages.merge(routes))
}

fn routes(app: &App, context: Arc<RequestContext>, continue_trace: Option<ContinueTrace>) -> Router {
    let unknown = axum::middleware::from_fn(middleware::unknown::layer);
    let v1 = SURFACES.v1.clone().route_layer((CompressLayer, KeyedLayer::v1(app), unknown.clone()));
    let v2 = SURFACES.v2.clone().route_layer((CompressLayer, KeyedLayer::v2(app), unknown));
    // Public bodies are compressed in advance; all others are compressed on the fly.
    let ops = SURFACES.ops.clone().route_layer(CompressLayer);
    let layers = (ObserveLayer::new(app, continue_trace), RequestContextLayer::new(context));
    let router = SURFACES.public.clone().merge(ops).merge(v1).merge(v2);
    router
        .merge(docs::router().layer((CompressLayer, axum::middleware::map_response(docs::protect))))
        .merge(scim::router(app))
        .fallback(error::no_route)
        .method_not_allowed_fallback(error::wrong_method)
        // As one layer: a router boxes a route again for every layer it is given.
        .layer(layers)
        .with_state(app.clone())
}

/// The routes of the documented surfaces, and the document that they declare.
///
/// They are the same for every application, and building them takes longer than anything else in making a service: a
/// process builds them once.
struct Surfaces {
    public: Router<App>,
    ops: Router<App>,
    v1: Router<App>,
    v2: Router<App>,
    /// Taken by the first reader, who keeps it.
    document: Mutex<Option<OpenApi>>,
}

static SURFACES: LazyLock<Surfaces> = LazyLock::new(|| {
    let mut document = docs::base();
    let mut routes_of = |surface: OpenApiRouter<App>| {
        let (router, declared) = surface.split_for_parts();
        document.merge(declared);
        router
    };
    let public = routes_of(public::router());
    let ops = routes_of(ops::router());
    let (v1, v2) = (routes_of(v1::router()), routes_of(v2::router()));
    Surfaces { public, ops, v1, v2, document: Mutex::new(Some(document)) }
});

/// The document as the routes declare it. It exists once: the second call gets none.
fn declared() -> Option<OpenApi> {
    SURFACES.document.lock().unwrap_or_else(PoisonError::into_inner).take()
}
