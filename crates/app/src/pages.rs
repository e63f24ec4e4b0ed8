//! Serialised pages of tenants, kept as long as the tenant's revision stands still.
//!
//! No surface and no SQL knows of it: a surface says how to render, the store which revision a snapshot shows.
//! A page is served from memory only if it was rendered from exactly the revision that is current now.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use bytes::Bytes;
use domain::id::TenantId;
use quick_cache::{Weighter, sync::Cache};
use store::{Reader, Revision};

use crate::{App, Error, Result, authz::Caller};

/// Which page: whose, of which route, for which question, in which variant of rights.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct PageKey {
    tenant: TenantId,
    route: &'static str,
    question: String,
    permissions: String,
}

#[derive(Debug, Clone)]
struct KeptPage {
    revision: Revision,
    body: Bytes,
}

#[derive(Debug, Clone)]
struct Bytesize;

impl Weighter<PageKey, KeptPage> for Bytesize {
    fn weight(&self, key: &PageKey, page: &KeptPage) -> u64 {
        // The constant stands for the entry itself and the allocator's overhead.
        (key.question.len() + key.permissions.len() + page.body.len() + 200) as u64
    }
}

/// The bounded cache of serialised pages.
#[derive(Debug)]
pub struct Pages(Cache<PageKey, KeptPage, Bytesize>);

impl Pages {
    /// A typical page of 50 records, to size the cache's tables.
    const TYPICAL_PAGE: u64 = 16 * 1024;

    #[must_use]
    pub fn new(max_bytes: u64) -> Self {
        let items = usize::try_from(max_bytes / Self::TYPICAL_PAGE).unwrap_or(usize::MAX).max(16);
        Self(Cache::with_weighter(items, max_bytes, Bytesize))
    }

    /// How many bytes are kept now; at most the configured maximum.
    pub fn weight(&self) -> u64 {
        self.0.weight()
    }
}

/// A rendered body with its validator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub body: Bytes,
    pub etag: String,
}

impl App {
    /// The page for this question: from memory if nothing changed, else read and rendered on a store thread.
    ///
    /// What depends on the time of day must carry that time in `question`, or it would be kept too long.
    pub async fn page<T: Send + 'static>(
        &self,
        caller: &Caller,
        route: &'static str,
        question: &str,
        load: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
        render: impl Fn(&T) -> Vec<u8> + Send + 'static,
    ) -> Result<Rendered> {
        let permissions = caller.permissions().to_string();
        let key = PageKey { tenant: caller.tenant(), route, question: question.to_owned(), permissions };
        let db = self.db.tenant(caller.scope());
        let current = db.revision().await?;
        if let Some(kept) = self.pages.0.get(&key)
            && kept.revision == current
        {
            return Ok(self.rendered(&key, kept));
        }
        let (body, revision) =
            db.read_at(move |reader| load(reader).map(|page| Bytes::from(render(&page)))).await?;
        let page = KeptPage { revision, body };
        self.pages.0.insert(key.clone(), page.clone());
        Ok(self.rendered(&key, page))
    }

    fn rendered(&self, key: &PageKey, page: KeptPage) -> Rendered {
        // The question may hold the day, with which the body changes although no record did.
        let mut question = DefaultHasher::new();
        key.question.hash(&mut question);
        let variant = format!("{}-{:x}", key.permissions.replace(',', "."), question.finish());
        let etag = self.etag(&format!("r{}-{variant}", page.revision.0));
        Rendered { body: page.body, etag }
    }

    /// A validator bound to this life of the store: after a restore none given out before fits.
    pub fn etag(&self, state: &str) -> String {
        format!("\"{}-{state}\"", self.epoch)
    }

    /// The validator of one record: its version decides whether a conditional change fits.
    pub fn record_etag(&self, version: i64, revision: Revision) -> String {
        self.etag(&format!("v{version}-r{}", revision.0))
    }

    /// The validator of a record that shows a running clock: it holds for this second only.
    pub fn moment_etag(&self, version: i64, revision: Revision) -> String {
        let second = self.clock.now().millis().div_euclid(1000);
        self.etag(&format!("v{version}-r{}-{second}", revision.0))
    }

    /// Checks a caller's `If-Match` against the version a record has now.
    pub(crate) fn check_match(&self, precondition: &Precondition, version: i64) -> Result<()> {
        match precondition {
            Precondition::None | Precondition::Exists => Ok(()),
            Precondition::Tags(tags) => {
                let wanted = format!("\"{}-v{version}-r", self.epoch);
                let fits = tags.iter().any(|tag| tag.starts_with(&wanted));
                if fits { Ok(()) } else { Err(Error::Stale) }
            }
        }
    }
}

/// What a change demands of the record it changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    #[default]
    None,
    /// `If-Match: *`
    Exists,
    /// `If-Match` with validators the caller was given.
    Tags(Vec<String>),
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid7;

    use super::*;

    #[test]
    fn memory_stays_within_its_bound() {
        let pages = Pages::new(256 * 1024);
        for number in 0..1000 {
            let key = PageKey {
                tenant: Uuid7::from_parts(1, number).into(),
                route: "webhooks",
                question: number.to_string(),
                permissions: "read".into(),
            };
            pages.0.insert(key, KeptPage { revision: Revision(1), body: Bytes::from(vec![0; 10_000]) });
            assert!(pages.weight() <= 256 * 1024);
        }
        assert!(pages.weight() > 100 * 1024, "and it is used");
    }
}
