//! The pages at `/api/docs`: the interactive reference and the guide. They work without internet access.

use std::{
    error::Error,
    io::Read as _,
    sync::{Arc, LazyLock},
};

use app::App;
use axum::{
    Router,
    extract::Path,
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::json;
use utoipa_swagger_ui::Config;

use crate::{
    ApiError, error,
    extract::coding::{self, Coding},
    respond,
};

const REFERENCE: &str = include_str!("page/reference.html");
const GUIDE_PAGE: &str = include_str!("page/guide.html");
const STYLE: &str = include_str!("page/page.css");
const REFERENCE_SCRIPT: &str = include_str!("page/reference.js");
const GUIDE_SCRIPT: &str = include_str!("page/guide.js");

/// Only files of this server run and load; pictures may also be part of a style sheet. The viewer sets styles through
/// scripts, which needs no permission.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// Adds the content security policy of these pages to their responses.
pub(crate) async fn protect(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
}

fn script(text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript")], text)
}
const GUIDE: &str = include_str!("../../../../docs/api-client.md");

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/api/openapi.json", get(|| async { respond::json(StatusCode::OK, document()) }))
        .route("/api/docs", get(|| async { Redirect::to("/api/docs/") }))
        .route("/api/docs/", get(|| async { Html(REFERENCE) }))
        .route("/api/docs/guide", get(|| async { Html(GUIDE_PAGE) }))
        .route(
            "/api/docs/guide.json",
            get(|| async { respond::json(StatusCode::OK, respond::to_json(&guide())) }),
        )
        .route("/api/docs/page.css", get(|| async { ([(header::CONTENT_TYPE, "text/css")], STYLE) }))
        .route("/api/docs/reference.js", get(|| async { script(REFERENCE_SCRIPT) }))
        .route("/api/docs/guide.js", get(|| async { script(GUIDE_SCRIPT) }))
        .route("/api/docs/{file}", get(viewer))
}

fn document() -> Bytes {
    static WRITTEN: LazyLock<Bytes> = LazyLock::new(|| respond::to_json(super::openapi()).into());
    WRITTEN.clone()
}

/// The viewer renders Markdown only in the description of a document, so the guide is one without operations.
fn guide() -> serde_json::Value {
    let text = GUIDE.split_once('\n').map_or(GUIDE, |(_, rest)| rest);
    let info =
        json!({ "title": "Write a client", "version": env!("CARGO_PKG_VERSION"), "description": text });
    json!({ "openapi": "3.1.0", "info": info, "paths": {} })
}

/// The files of the viewer that the pages load.
const VIEWER: &[&str] = &["swagger-ui.css", "swagger-ui-bundle.js"];

async fn viewer(Path(file): Path<String>, headers: HeaderMap) -> Response {
    if !VIEWER.contains(&file.as_str()) {
        return error::no_route().await;
    }
    match viewer_file(&file, coding::accepts(&headers, Coding::Gzip)) {
        Ok(Some(response)) => response,
        Ok(None) => ApiError::not_found().into_response(),
        Err(problem) => {
            tracing::error!(%problem, "a file of the API viewer cannot be read");
            error::internal()
        }
    }
}

/// The files are stored compressed and sent like that to clients that accept it.
fn viewer_file(name: &str, compressed: bool) -> Result<Option<Response>, Box<dyn Error>> {
    let Some(file) = utoipa_swagger_ui::serve(name, Arc::new(Config::from("/api/openapi.json")))? else {
        return Ok(None);
    };
    let content_type = [(header::CONTENT_TYPE, file.content_type)];
    if compressed {
        let coding = [
            (header::CONTENT_ENCODING, Coding::Gzip.as_str()),
            (header::VARY, header::ACCEPT_ENCODING.as_str()),
        ];
        return Ok(Some((content_type, coding, file.bytes.into_owned()).into_response()));
    }
    let mut plain = Vec::new();
    MultiGzDecoder::new(&*file.bytes).read_to_end(&mut plain)?;
    Ok(Some((content_type, plain).into_response()))
}
