//! Style, script, icon and typeface, compiled in. Their names contain a digest of their content, so browsers cache
//! them for ever and fetch a new one as soon as it changes.

use std::sync::LazyLock;

use axum::{
    Router,
    extract::Path,
    response::{IntoResponse as _, Response},
    routing::get,
};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use http::{HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::Workspace;

const FOLDER: &str = "/workspace/assets";

/// One file as it is served.
#[derive(Debug)]
pub(crate) struct Asset {
    name: String,
    content: Bytes,
    kind: &'static str,
}

impl Asset {
    fn new(stem: &str, extension: &str, kind: &'static str, content: Bytes) -> Self {
        let digest = Sha256::digest(&content);
        let short = HEXLOWER.encode(&digest[..8]);
        Self { name: format!("{stem}.{short}.{extension}"), content, kind }
    }

    pub(crate) fn path(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }
}

/// The parts in the order of their dependencies.
const STYLE_SHEET: &str = concat!(
    include_str!("../assets/tokens.css"),
    include_str!("../assets/base.css"),
    include_str!("../assets/layout.css"),
    include_str!("../assets/components.css"),
    include_str!("../assets/charts.css"),
    include_str!("../assets/print.css"),
);

/// A text as browsers need it: without indentation, empty lines and comments on lines of their own.
fn lean(text: &str) -> String {
    let is_comment = |line: &str| line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
    let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !is_comment(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A style sheet without the spaces between declarations, too. No text of ours in it has a semicolon or a brace.
fn lean_style(text: &str) -> String {
    lean(text).replace(" { ", "{").replace("; }", "}").replace("; ", ";")
}

/// The placeholder of the typeface's address in the style sheet.
const TYPEFACE_PLACE: &str = "typeface-address";

pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let style = lean_style(STYLE_SHEET).replace(TYPEFACE_PLACE, &TYPEFACE.path());
    Asset::new("style", "css", "text/css; charset=utf-8", style.into())
});
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = lean(include_str!("../assets/script.js"));
    Asset::new("script", "js", "text/javascript; charset=utf-8", script.into())
});
/// The script of uploads; only the page that takes files loads it.
pub(crate) static FILES_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = lean(include_str!("../assets/files.js"));
    Asset::new("files", "js", "text/javascript; charset=utf-8", script.into())
});
/// The script of the register's table; only its page loads it.
pub(crate) static GRID_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../assets/grid.js");
    Asset::new("grid", "js", "text/javascript; charset=utf-8", script.into())
});
/// The script of passkeys; only pages that ask for one load it.
pub(crate) static PASSKEY_SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let script = include_str!("../assets/passkey.js");
    Asset::new("passkey", "js", "text/javascript; charset=utf-8", script.into())
});
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_str!("../assets/icon.svg").into()));
/// Inter, the Latin part, of every weight.
pub(crate) static TYPEFACE: LazyLock<Asset> = LazyLock::new(|| {
    let font: &[u8] = include_bytes!("../assets/inter-latin.woff2");
    Asset::new("inter", "woff2", "font/woff2", font.into())
});

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(&format!("{FOLDER}/{{name}}"), get(serve))
}

async fn serve(Path(name): Path<String>) -> Response {
    let all = [&*STYLE, &*SCRIPT, &*FILES_SCRIPT, &*GRID_SCRIPT, &*PASSKEY_SCRIPT, &*ICON, &*TYPEFACE];
    let found = all.into_iter().find(|asset| asset.name == name);
    let Some(asset) = found else { return StatusCode::NOT_FOUND.into_response() };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(asset.kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")),
    ];
    (headers, asset.content.clone()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_follows_from_the_content() {
        let (one, other) = (Asset::new("a", "css", "", "x".into()), Asset::new("a", "css", "", "y".into()));
        assert_ne!(one.name, other.name);
        assert_eq!(one.name, Asset::new("a", "css", "", "x".into()).name);
    }

    #[test]
    fn a_first_visit_loads_little() {
        let texts = STYLE.content.len() + SCRIPT.content.len() + ICON.content.len();
        assert!(texts < 60_000, "{texts} bytes before compression");
        assert!(FILES_SCRIPT.content.len() < 4_000);
        assert!(GRID_SCRIPT.content.len() < 11_000);
        assert!(PASSKEY_SCRIPT.content.len() < 5_000);
        assert!(TYPEFACE.content.len() < 50_000);
    }

    #[test]
    fn the_style_needs_nothing_from_elsewhere() {
        let style = std::str::from_utf8(&STYLE.content).unwrap();
        for forbidden in ["url(http", "@import", "//", TYPEFACE_PLACE] {
            assert!(!style.contains(forbidden), "{forbidden}");
        }
        assert_eq!(style.matches("url(").count(), 1);
        assert!(style.contains(&TYPEFACE.path()));
    }
}
