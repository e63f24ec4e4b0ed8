//! Search across modules: every record of the catalogue, best match first, with the passage that matched.

use std::sync::Arc;

use catalogue::search::Query;
use domain::{
    page::{Page, PageRequest},
    violation::Violations,
    wording::Language,
};

use crate::{App, Error, Result, authz::Caller, catalogue::Edition};

pub use catalogue::kind::Kind;

/// A record that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub kind: Kind,
    pub id: String,
    pub title: String,
    /// HTML: everything escaped, the words that hit in `<mark>`.
    pub snippet: String,
    /// Above 0 and below 1; the higher, the better.
    pub score: f32,
}

/// What somebody looks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question(String);

impl Question {
    pub const LONGEST: usize = 200;

    pub fn parse(text: Option<&str>) -> Result<Self, Violations> {
        let bad = |message: String| Violations::one("q", message);
        match text {
            None => Err(bad("is required: the words to search for".to_owned())),
            Some(text) if text.trim().is_empty() => Err(bad("must not be empty".to_owned())),
            Some(text) if text.chars().count() > Self::LONGEST => {
                Err(bad(format!("must be at most {} characters long", Self::LONGEST)))
            }
            // The end stays as typed: a space says that the last word is complete.
            Some(text) => Ok(Self(text.trim_start().to_owned())),
        }
    }
}

impl App {
    /// Every match the caller may see, best first.
    pub async fn search(
        &self,
        _caller: &Caller,
        question: Question,
        language: Language,
        request: PageRequest,
    ) -> Result<Page<Hit>> {
        let edition = self.catalogue()?;
        // The index is built by the first question, which takes longer than a request should hold its thread.
        let search = move || search_catalogue(&edition, &question, language, request);
        tokio::task::spawn_blocking(search).await.map_err(Error::internal)
    }
}

fn search_catalogue(
    edition: &Arc<Edition>,
    question: &Question,
    language: Language,
    request: PageRequest,
) -> Page<Hit> {
    let (index, query) = (edition.search(), Query::new(&question.0, language));
    let matches = Page::cut(index.find(edition, &query).into_iter(), request);
    let marker = index.marker(&query);
    let hit = |found: &catalogue::search::Match<'_>| Hit {
        kind: found.record.kind(),
        id: found.record.id().to_owned(),
        title: found.record.title().get(language).to_owned(),
        snippet: marker.snippet(found.record).to_html(),
        score: found.score,
    };
    Page { items: matches.items.iter().map(hit).collect(), total: matches.total, request }
}
