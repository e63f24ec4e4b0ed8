//! The regulatory radar, as JSON and as an Atom feed (RFC 4287).

use std::fmt::Write as _;

use app::catalogue::{Edition, signal::Signal as Source};
use axum::response::Response;
use domain::wording::{Label, Language};
use http::HeaderValue;

use super::{
    body_cache::PublicBody,
    wire::{PublicErrors, PublicRequest, ReferenceList, list as write},
};
use crate::{ApiError, extract::LanguageParams, reference::Signal};

pub(super) const BODY: PublicBody = PublicBody { name: "signals", write: write::<Signal> };
pub(super) const ATOM: PublicBody =
    PublicBody { name: "radar feed", write: |edition, language| Ok(feed(edition, language).into_bytes()) };

const TITLE: Label = Label::new("Regulatory radar", "Regulatorischer Radar");

/// Lists the signals of the regulatory radar.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/radar", operation_id = "listRadarSignals",
    tag = "reference", params(LanguageParams), security(()),
    responses((status = 200, body = ReferenceList<Signal>), PublicErrors))]
pub(crate) async fn list(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer(&BODY).await
}

/// Gets the regulatory radar as an Atom feed.
#[utoipa::path(get, path = "/api/radar.atom", operation_id = "getRadarFeed",
    tag = "reference", params(LanguageParams),
    security(()),
    responses((status = 200, body = String, content_type = "application/atom+xml"), PublicErrors))]
pub(crate) async fn atom(request: PublicRequest) -> Result<Response, ApiError> {
    request.answer_as(&ATOM, HeaderValue::from_static("application/atom+xml; charset=utf-8")).await
}

fn feed(edition: &Edition, language: Language) -> String {
    let updated = edition.signals.iter().map(|signal| signal.date).max().unwrap_or(edition.version);
    let mut feed = Feed(String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"));
    feed.raw(&format!("<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{language}\">"));
    feed.element("id", "urn:tidewall:radar");
    feed.element("title", TITLE.text(language));
    feed.element("updated", &format!("{updated}T00:00:00Z"));
    feed.raw("<author><name>Tidewall</name></author>");
    feed.raw("<link rel=\"self\" type=\"application/atom+xml\" href=\"/api/radar.atom\"/>");
    feed.raw("<link rel=\"alternate\" type=\"application/json\" href=\"/api/radar\"/>");
    for signal in &edition.signals {
        feed.entry(signal, language);
    }
    feed.raw("</feed>");
    feed.0
}

/// A feed while it is written.
#[derive(Debug)]
struct Feed(String);

impl Feed {
    fn entry(&mut self, signal: &Source, language: Language) {
        self.raw("<entry>");
        self.element("id", &format!("urn:tidewall:radar:{}", signal.id));
        self.element("title", signal.title.get(language));
        self.element("updated", &format!("{}T00:00:00Z", signal.date));
        self.raw(&format!("<author><name>{}</name></author>", escaped(&signal.authority)));
        if let Some(url) = &signal.proof.url {
            self.raw(&format!("<link rel=\"alternate\" href=\"{}\"/>", escaped(url)));
        }
        self.element("summary", signal.summary.get(language));
        let (summary, so_what) = (signal.summary.get(language), signal.so_what.get(language));
        self.element("content", &format!("{summary}\n\n{so_what}\n\n{}", signal.cite));
        self.raw("</entry>");
    }

    fn element(&mut self, name: &str, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "<{name}>{}</{name}>", escaped(text));
    }

    fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
        self.0.push('\n');
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML cannot represent these characters.
            sign if sign.is_control() && !"\n\t".contains(sign) => {}
            sign => safe.push(sign),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_stays_text() {
        assert_eq!(escaped("a < b & \"c\" > d\u{0}\n"), "a &lt; b &amp; &quot;c&quot; &gt; d\n");
    }
}
