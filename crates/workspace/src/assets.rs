//! Style, script and icon, compiled in. Their names carry a digest of their content, so browsers keep them for ever
//! and fetch a new one the moment it changes.

use std::sync::LazyLock;

use axum::{
    Router,
    extract::Path,
    response::{IntoResponse as _, Response},
    routing::get,
};
use data_encoding::HEXLOWER;
use http::{HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::Workspace;

const FOLDER: &str = "/workspace/assets";

/// One file as it is served.
#[derive(Debug)]
pub(crate) struct Asset {
    name: String,
    content: &'static str,
    kind: &'static str,
}

impl Asset {
    fn new(stem: &str, extension: &str, kind: &'static str, content: &'static str) -> Self {
        let digest = Sha256::digest(content.as_bytes());
        let short = HEXLOWER.encode(&digest[..8]);
        Self { name: format!("{stem}.{short}.{extension}"), content, kind }
    }

    pub(crate) fn path(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }
}

/// The parts in the order they build on each other.
const STYLE_SHEET: &str = concat!(
    include_str!("../assets/tokens.css"),
    include_str!("../assets/base.css"),
    include_str!("../assets/layout.css"),
    include_str!("../assets/components.css"),
    include_str!("../assets/charts.css"),
    include_str!("../assets/print.css"),
);

pub(crate) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("style", "css", "text/css; charset=utf-8", STYLE_SHEET));
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("script", "js", "text/javascript; charset=utf-8", include_str!("../assets/script.js"))
});
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_str!("../assets/icon.svg")));

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(&format!("{FOLDER}/{{name}}"), get(serve))
}

async fn serve(Path(name): Path<String>) -> Response {
    let found = [&*STYLE, &*SCRIPT, &*ICON].into_iter().find(|asset| asset.name == name);
    let Some(asset) = found else { return StatusCode::NOT_FOUND.into_response() };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(asset.kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")),
    ];
    (headers, asset.content).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_follows_from_the_content() {
        let (one, other) = (Asset::new("a", "css", "", "x"), Asset::new("a", "css", "", "y"));
        assert_ne!(one.name, other.name);
        assert_eq!(one.name, Asset::new("a", "css", "", "x").name);
    }

    #[test]
    fn a_first_visit_loads_little() {
        let bytes = STYLE.content.len() + SCRIPT.content.len() + ICON.content.len();
        assert!(bytes < 80_000, "{bytes} bytes before compression");
    }

    #[test]
    fn the_style_needs_nothing_from_elsewhere() {
        for forbidden in ["url(http", "@import", "//"] {
            assert!(!STYLE.content.contains(forbidden), "{forbidden}");
        }
    }
}
