//! The signed-in web pages, rendered on the server.
//!
//! A page extracts its input, calls `app`, and renders the result; it contains no rule. Every action works as a plain
//! form without any script; one small script adds convenience. Security does not depend on the pages: [`session_layer`]
//! resolves the cookie and renders errors, [`csrf`] refuses changes caused by other sites, and [`headers`] forbids
//! everything a page does not need.
//!
//! An API key gives no access here, and the cookie gives no access under `/api`.

mod assets;
mod cookie;
mod csrf;
mod error;
mod extract;
mod form;
mod headers;
mod pages;
mod proof;
mod request_id;
mod respond;
mod route;
mod security_txt;
mod session_layer;
mod texts;
mod ui;
mod upload;

use std::{net::IpAddr, sync::Arc};

use app::{App, passkey::RelyingParty, token::Token};
use axum::{Router, middleware};
use http::Extensions;
use tower_http::{
    CompressionLevel,
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
};

/// The options of the workspace besides the application.
#[derive(Debug, Clone)]
pub struct WorkspaceOptions {
    /// The public URL of the service. With `https` the cookie requires https; forms are accepted from this origin.
    pub public_url: String,
    /// Finds the client's address, which the listener attached to the request.
    pub client: fn(&Extensions) -> Option<IpAddr>,
    /// Whether the page of the design system exists, for developers.
    pub design: bool,
    /// The contact for reporting vulnerabilities of this installation, if there is one.
    pub security_contact: Option<String>,
}

/// The shared state of all pages.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    pub(crate) app: App,
    pub(crate) options: Arc<WorkspaceOptions>,
}

impl Workspace {
    pub(crate) fn is_https(&self) -> bool {
        self.options.public_url.starts_with("https://")
    }

    /// The site that passkeys belong to; `None` at an address for which browsers make none.
    pub(crate) fn relying_party(&self) -> Option<RelyingParty> {
        RelyingParty::at(&self.options.public_url)
    }
}

/// The path of a one-time link.
pub fn link_path(token: &Token) -> String {
    format!("{}/{}", route::LINK, token.reveal())
}

/// Everything under `/workspace`, and the redirect from `/`.
pub fn router(app: &App, options: WorkspaceOptions) -> Router {
    let workspace = Workspace { app: app.clone(), options: Arc::new(options) };
    pages::router()
        .layer(middleware::from_fn_with_state(workspace.clone(), csrf::guard))
        .layer(middleware::from_fn_with_state(workspace.clone(), session_layer::load))
        .merge(assets::router())
        .merge(security_txt::router())
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(middleware::from_fn_with_state(workspace.clone(), headers::guard))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(middleware::map_request(request_id::only_plain))
        .with_state(workspace)
}
