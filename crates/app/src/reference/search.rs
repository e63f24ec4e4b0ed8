//! Search across modules: every record of the catalogue and the tenant's own, best match first, with the matching
//! passage.
//!
//! The catalogue is searched in memory, the tenant's records by the store's full-text index. Each record of the
//! catalogue has its own score. The tenant's have one of two, depending on whether every word is in the heading,
//! newest first within each: so they form two blocks between the results of the catalogue, and any page is cut from
//! the blocks without reading the ones before it.

mod grouped;
mod lists;
mod own;

use std::sync::Arc;

use catalogue::search::{Asked, Marker, Match, Query, graded};
use domain::{
    page::{Page, PageRequest},
    text::TextError,
    violation::{FieldComplaint, Violations},
    wording::Language,
};
use store::{
    Reader, TenantScope,
    document::{self, Documents},
};

use crate::{Reference, Result, authz::Caller, catalogue::Edition, words::Everywhere};

pub use self::{
    grouped::{Group, Grouped},
    lists::{NarrowedBy, NarrowedList},
    own::HitKind,
};
pub use catalogue::kind::Kind;

/// A record that matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    pub kind: HitKind,
    pub id: String,
    pub title: String,
    /// HTML: everything escaped, the matching words in `<mark>`.
    pub snippet: String,
    /// The language of the snippet if it comes from the catalogue; `None` for the institution's own texts.
    pub snippet_language: Option<Language>,
    /// Above 0 and below 1; the higher, the better.
    pub score: f32,
    /// The status of a record of the tenant, if its kind has states.
    pub status: Option<&'static str>,
}

/// The text of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchText(String);

impl SearchText {
    pub const LONGEST: usize = 200;

    pub fn parse(text: Option<&str>) -> Result<Self, Violations> {
        match text {
            None => Err(Violations::one("q", FieldComplaint::NoSearchWords)),
            Some(text) if text.trim().is_empty() => Err(Violations::one("q", TextError::Empty)),
            Some(text) if text.chars().count() > Self::LONGEST => {
                Err(Violations::one("q", TextError::TooLong(Self::LONGEST)))
            }
            // Trailing space is kept: it means that the last word is complete.
            Some(text) => Ok(Self(text.trim_start().to_owned())),
        }
    }
}

impl Reference {
    /// Every match the caller may see, best first.
    pub async fn search(
        &self,
        caller: &Caller,
        question: SearchText,
        language: Language,
        request: PageRequest,
    ) -> Result<Page<Hit>> {
        let (edition, viewer) = (self.edition_of(caller).await?, caller.clone());
        // Runs on a thread of the store, which may block: the first search builds the index.
        let find = move |reader: &mut Reader<'_>| {
            let query = Query::new(&question.0, language);
            Finder::new(&edition, &query, language, viewer.clone()).page(reader, request)
        };
        self.db.tenant(caller.scope()).read(find).await
    }
}

/// How many pages one merge step writes: a few milliseconds each, so that no writer waits long.
const STEP: u32 = 64;
/// The maximum number of steps in one run of the job.
const STEPS: u64 = 2_000;

impl Reference {
    /// Merges the segments of the search index and returns the number of steps. A job calls it.
    pub async fn tidy_search(&self) -> Result<u64> {
        let mut steps = 0;
        while steps < STEPS && self.db.platform().bookkeep(|tx| document::merge(tx, STEP)).await? {
            steps += 1;
        }
        Ok(steps)
    }
}

/// The weight of a word in the heading of a tenant's record and of one elsewhere: similar to those in the catalogue.
const HEADING: f32 = 13.0;
const TEXT: f32 = 5.0;

/// One running search.
struct Finder<'e> {
    edition: &'e Edition,
    language: Language,
    matches: Vec<Match<'e>>,
    marker: Marker<'e>,
    /// For the institution's own requirements.
    own_marker: Option<Marker<'e>>,
    asked: Asked,
    scope: TenantScope,
    everywhere: Everywhere,
    /// Decides which kinds of records are shown.
    viewer: Caller,
}

impl<'e> Finder<'e> {
    fn new(edition: &'e Arc<Edition>, query: &Query, language: Language, viewer: Caller) -> Self {
        let scope = *viewer.scope();
        let asked = Asked::of(query);
        let everywhere = Everywhere::of(scope.tenant(), &asked);
        let (mut matches, marker) = (edition.find(query), edition.search().marker(query));
        matches.retain(|found| !found.is_own || viewer.sees(HitKind::OWN_REQUIREMENT.as_str()));
        let own_marker = edition.own_search().map(|index| index.marker(query));
        Self { edition, language, matches, marker, own_marker, asked, scope, everywhere, viewer }
    }

    fn page(&self, reader: &mut Reader<'_>, request: PageRequest) -> Result<Page<Hit>> {
        let [heading, text] = [HEADING, TEXT].map(|each| self.worth(each));
        let first = self.matches.partition_point(|found| found.score > heading);
        let middle = self.matches.partition_point(|found| found.score > text);
        let anywhere = document::find(reader, &self.scope, &self.everywhere.anywhere)?;
        let in_headings = document::find(reader, &self.scope, &self.everywhere.in_headings)?;
        let in_texts = &anywhere - &in_headings;
        let [in_headings, in_texts] = [self.shown(reader, in_headings)?, self.shown(reader, in_texts)?];
        let mut cut = Cut::of(request);
        self.add_matches(&mut cut, &self.matches[..first]);
        self.add_own(reader, &mut cut, &in_headings, heading)?;
        self.add_matches(&mut cut, &self.matches[first..middle]);
        self.add_own(reader, &mut cut, &in_texts, text)?;
        self.add_matches(&mut cut, &self.matches[middle..]);
        let total = self.matches.len() as u64 + in_headings.len() + in_texts.len();
        Ok(Page::new(cut.hits, total, request))
    }

    /// What is shown of these records: all of them, or those that the viewer may read.
    fn shown(&self, reader: &mut Reader<'_>, found: Documents) -> Result<Found> {
        if own::sees_all(&self.viewer) {
            return Ok(Found::All(found));
        }
        let ids = document::records(reader, &self.scope, &found, LOOKED_AT, 0)?;
        Ok(Found::Some(self.visible(reader, ids)?))
    }

    /// Those of the records that the viewer may see.
    fn visible(&self, reader: &mut Reader<'_>, ids: Vec<String>) -> Result<Vec<String>> {
        if own::sees_all(&self.viewer) {
            return Ok(ids);
        }
        own::shown(reader, &self.viewer, ids)
    }

    #[expect(clippy::cast_precision_loss, reason = "a question has a dozen words")]
    fn worth(&self, each: f32) -> f32 {
        graded(each * self.asked.words().len() as f32)
    }

    fn add_matches(&self, cut: &mut Cut, matches: &[Match<'_>]) {
        let skipped = cut.skip.min(matches.len() as u64);
        let rest = matches.iter().skip(usize::try_from(skipped).unwrap_or(usize::MAX));
        let taken = rest.take(usize::try_from(cut.left).unwrap_or(usize::MAX));
        let before = cut.hits.len();
        cut.hits.extend(taken.map(|found| self.of_catalogue(found)));
        cut.skip -= skipped;
        cut.left -= (cut.hits.len() - before) as u64;
    }

    fn add_own(&self, reader: &mut Reader<'_>, cut: &mut Cut, found: &Found, score: f32) -> Result<()> {
        let skipped = cut.skip.min(found.len());
        let ids = match found {
            Found::All(found) => document::records(reader, &self.scope, found, cut.left, skipped)?,
            Found::Some(ids) => {
                let place = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
                ids.iter().skip(place(skipped)).take(place(cut.left)).cloned().collect()
            }
        };
        for id in &ids {
            cut.hits.extend(own::hit(reader, &self.scope, id, &self.asked, score)?);
        }
        cut.skip -= skipped;
        cut.left -= ids.len() as u64;
        Ok(())
    }

    fn of_catalogue(&self, found: &Match<'_>) -> Hit {
        let marker = self.own_marker.as_ref().filter(|_| found.is_own).unwrap_or(&self.marker);
        let (snippet, language) = marker.snippet(self.edition, found.record);
        Hit {
            kind: HitKind::of(found),
            id: found.record.id().to_owned(),
            title: found.record.title().get(self.language).to_owned(),
            snippet: snippet.to_html(),
            snippet_language: (!found.is_own).then_some(language),
            score: found.score,
            status: None,
        }
    }
}

/// The maximum number of own records, the best and newest, whose kind is looked at.
const LOOKED_AT: u64 = 2_000;

/// The own records of one block of the results.
enum Found {
    All(Documents),
    Some(Vec<String>),
}

impl Found {
    fn len(&self) -> u64 {
        match self {
            Self::All(found) => found.len(),
            Self::Some(ids) => ids.len() as u64,
        }
    }
}

/// The page while it is filled.
struct Cut {
    /// Results still to be skipped.
    skip: u64,
    /// Results still needed.
    left: u64,
    hits: Vec<Hit>,
}

impl Cut {
    fn of(request: PageRequest) -> Self {
        Self { skip: request.offset(), left: u64::from(request.limit()), hits: Vec::new() }
    }
}
