//! The signed-in web pages, rendered on the server.
//!
//! A page extracts, makes one call to `app`, and shows the result; it holds no rule. Every action works as a plain
//! form without any script; the one small script of our own adds comfort. What makes the pages safe is not left to
//! the pages: [`attend`] resolves the cookie and dresses errors, [`csrf`] refuses what another site caused, and
//! [`headers`] forbids everything a page does not need.
//!
//! An API key opens nothing here, and the cookie opens nothing under `/api`.

mod assets;
mod attend;
mod cookie;
mod csrf;
mod form;
mod headers;
mod oops;
mod pages;
mod proof;
mod request_id;
mod respond;
mod route;
mod security_txt;
mod texts;
mod ui;
mod upload;
mod visit;

use std::{net::IpAddr, sync::Arc};

use app::{App, token::Token};
use axum::{Router, middleware};
use http::Extensions;
use tower_http::{
    CompressionLevel,
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
};

/// What the pages need to know besides the application.
#[derive(Debug, Clone)]
pub struct WorkspaceOptions {
    /// Where people reach the service. With `https` the cookie is bound to that; forms are taken from this origin.
    pub public_url: String,
    /// Finds the address a request comes from, which the listener left with it.
    pub client: fn(&Extensions) -> Option<IpAddr>,
    /// Whether the page of the design system exists, for those who build pages.
    pub design: bool,
    /// Where weaknesses of this installation are reported, if that is said.
    pub security_contact: Option<String>,
}

/// What every page can reach.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    pub(crate) app: App,
    pub(crate) options: Arc<WorkspaceOptions>,
}

impl Workspace {
    pub(crate) fn is_https(&self) -> bool {
        self.options.public_url.starts_with("https://")
    }
}

/// Where the holder of a one-time link goes.
pub fn link_path(token: &Token) -> String {
    format!("{}/{}", route::LINK, token.reveal())
}

/// Everything under `/workspace`, and the way there from `/`.
pub fn router(app: &App, options: WorkspaceOptions) -> Router {
    let workspace = Workspace { app: app.clone(), options: Arc::new(options) };
    pages::router()
        .layer(middleware::from_fn_with_state(workspace.clone(), csrf::guard))
        .layer(middleware::from_fn_with_state(workspace.clone(), attend::attend))
        .merge(assets::router())
        .merge(security_txt::router())
        .layer(CatchPanicLayer::custom(oops::panicked))
        .layer(middleware::from_fn_with_state(workspace.clone(), headers::guard))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(middleware::map_request(request_id::only_plain))
        .with_state(workspace)
}
