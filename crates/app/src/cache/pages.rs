//! A cache of serialised pages of tenants, valid as long as the tenant's revision stays the same.
//!
//! The key is the tenant, the route, the query and the rights of the caller. A page is served from the cache only if
//! it was rendered from exactly the current revision. The caller passes the renderer; the store gives the revision of
//! a snapshot. The size is bounded by a setting.

use std::{
    fmt,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;
use domain::{id::TenantId, page::PageRequest, permission::Permissions};
use quick_cache::{Equivalent, Weighter, sync::Cache};
use sha2::{Digest as _, Sha256};
use store::{Reader, Revision};

use crate::{Core, Error, Result, authz::Caller};

/// The key of a page: tenant, route, query and rights.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct PageKey {
    tenant: TenantId,
    route: &'static str,
    question: Box<str>,
    permissions: Permissions,
}

/// The same, borrowed from a request, so that a lookup needs no allocation. The fields are in the same order, because
/// equal keys must have equal hashes.
#[derive(Debug, Clone, Copy, Hash)]
struct PageKeyRef<'q> {
    tenant: TenantId,
    route: &'static str,
    question: &'q str,
    permissions: Permissions,
}

impl Equivalent<PageKey> for PageKeyRef<'_> {
    fn equivalent(&self, key: &PageKey) -> bool {
        let Self { tenant, route, question, permissions } = *self;
        key.tenant == tenant
            && key.permissions == permissions
            && key.route == route
            && *key.question == *question
    }
}

impl PageKeyRef<'_> {
    fn keep(&self) -> PageKey {
        let Self { tenant, route, question, permissions } = *self;
        PageKey { tenant, route, question: question.into(), permissions }
    }
}

#[derive(Debug, Clone)]
struct CachedPage {
    revision: Revision,
    page: Rendered,
}

#[derive(Debug, Clone)]
struct Bytesize;

impl Weighter<PageKey, CachedPage> for Bytesize {
    fn weight(&self, key: &PageKey, page: &CachedPage) -> u64 {
        // The constant is the size of the entry itself and the allocator's overhead.
        (key.question.len() + page.page.validator.len() + page.page.body.len() + 200) as u64
    }
}

/// The bounded cache of serialised pages.
#[derive(Debug)]
pub struct Pages {
    cache: Cache<PageKey, CachedPage, Bytesize>,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// Hits and misses of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageCounts {
    pub hits: u64,
    pub misses: u64,
}

impl Pages {
    /// A typical page of 50 records, to size the cache's tables.
    const TYPICAL_PAGE: u64 = 16 * 1024;

    #[must_use]
    pub fn new(max_bytes: u64) -> Self {
        let items = usize::try_from(max_bytes / Self::TYPICAL_PAGE).unwrap_or(usize::MAX).max(16);
        let cache = Cache::with_weighter(items, max_bytes, Bytesize);
        Self { cache, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    /// The current size in bytes; at most the configured maximum.
    pub fn weight(&self) -> u64 {
        self.cache.weight()
    }

    pub fn counts(&self) -> PageCounts {
        PageCounts { hits: self.hits.load(Ordering::Relaxed), misses: self.misses.load(Ordering::Relaxed) }
    }
}

/// Cache key of a list query: filter and page. The default filter is left out.
pub(crate) fn question<F: fmt::Debug + Default + PartialEq>(filter: &F, request: PageRequest) -> String {
    let part = part(request);
    if *filter == F::default() { part } else { format!("{filter:?} {part}") }
}

/// The key of the requested page. Most requests name nothing besides the part, and have a short one.
pub(crate) fn part(request: PageRequest) -> String {
    let (offset, limit) = (request.offset(), request.limit());
    if request == PageRequest::part(limit, offset) {
        format!("{offset}+{limit}")
    } else {
        format!("{request:?}")
    }
}

/// Renders a value; boxed because it may capture context.
pub type Renderer<T, O> = Box<dyn Fn(&T) -> O + Send>;

/// Reads and renders a page on a store thread; of a single record, with its version.
type Make = Box<dyn Fn(&mut Reader<'_>) -> Result<(Bytes, Option<i64>)> + Send>;

/// Reads a page and serialises it.
fn made<T: 'static>(
    load: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
    render: impl Fn(&T) -> Vec<u8> + Send + 'static,
) -> Make {
    Box::new(move |reader| load(reader).map(|page| (Bytes::from(render(&page)), None)))
}

/// A rendered body with its validator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub body: Bytes,
    pub validator: Arc<str>,
}

impl Core {
    /// The page for this query: from the cache if nothing changed, else read and rendered on a store thread.
    ///
    /// A page that depends on the time must contain that time in `question`, or it would be served too long.
    pub(crate) fn page<T: 'static>(
        &self,
        caller: &Caller,
        route: &'static str,
        question: &str,
        load: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
        render: impl Fn(&T) -> Vec<u8> + Send + 'static,
    ) -> impl Future<Output = Result<Rendered>> + Send {
        self.kept_page(caller, (route, question), None, made(load, render))
    }

    /// The same for a request that has already read the current revision.
    pub(crate) fn page_at<T: 'static>(
        &self,
        caller: &Caller,
        revision: Revision,
        (route, question): (&'static str, &str),
        load: impl Fn(&mut Reader<'_>) -> Result<T> + Send + 'static,
        render: impl Fn(&T) -> Vec<u8> + Send + 'static,
    ) -> impl Future<Output = Result<Rendered>> + Send {
        self.kept_page(caller, (route, question), Some(revision), made(load, render))
    }

    /// The same for a single record: its version is part of the validator, which conditional changes send.
    pub(crate) fn kept_record(
        &self,
        caller: &Caller,
        route: &'static str,
        question: &str,
        load: impl Fn(&mut Reader<'_>) -> Result<(Vec<u8>, i64)> + Send + 'static,
    ) -> impl Future<Output = Result<Rendered>> + Send {
        let make = move |reader: &mut Reader<'_>| {
            load(reader).map(|(body, version)| (Bytes::from(body), Some(version)))
        };
        self.kept_page(caller, (route, question), None, Box::new(make))
    }

    async fn kept_page(
        &self,
        caller: &Caller,
        (route, question): (&'static str, &str),
        current: Option<Revision>,
        make: Make,
    ) -> Result<Rendered> {
        let asked =
            PageKeyRef { tenant: caller.tenant(), route, question, permissions: caller.permissions() };
        let db = self.db.tenant(caller.scope());
        if let Some(kept) = self.pages.cache.get(&asked)
            && kept.revision == if let Some(current) = current { current } else { db.revision().await? }
        {
            self.pages.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(kept.page);
        }
        self.pages.misses.fetch_add(1, Ordering::Relaxed);
        let ((body, version), revision) = db.read_at(make).await?;
        let validator = match version {
            Some(version) => self.record_validator(version, revision),
            None => self.page_validator(&asked, revision),
        };
        let page = Rendered { body, validator: validator.into() };
        self.pages.cache.insert(asked.keep(), CachedPage { revision, page: page.clone() });
        Ok(page)
    }

    fn page_validator(&self, asked: &PageKeyRef<'_>, revision: Revision) -> String {
        // The query may contain the day, with which the body changes although no record did.
        let mut question = DefaultHasher::new();
        asked.question.hash(&mut question);
        let rights = asked.permissions.to_string().replace(',', ".");
        self.validator(&format!("r{}-{rights}-{:x}", revision.0, question.finish()))
    }

    /// A validator bound to this incarnation of the store: after a restore, none issued before matches.
    pub fn validator(&self, state: &str) -> String {
        format!("{}-{state}", self.epoch)
    }

    /// The validator of one record: a conditional change compares its version.
    pub fn record_validator(&self, version: i64, revision: Revision) -> String {
        self.validator(&format!("v{version}-r{}", revision.0))
    }

    /// The validator of a record that shows a running clock: it is valid for this second only.
    pub fn moment_validator(&self, version: i64, revision: Revision) -> String {
        let second = self.clock.now().millis().div_euclid(1000);
        self.validator(&format!("v{version}-r{}-{second}", revision.0))
    }

    /// The validator of a response that changes with time, by its content.
    pub fn content_validator(&self, body: &[u8]) -> String {
        let digest: [u8; 32] = Sha256::digest(body).into();
        self.validator(&format!("c{}", &store::sql::hex(&digest)[..32]))
    }

    /// Checks the validators a caller sent against the current version of a record.
    pub(crate) fn check_match(&self, precondition: &Precondition, version: i64) -> Result<()> {
        match precondition {
            Precondition::None | Precondition::Exists => Ok(()),
            Precondition::Validators(seen) => {
                let wanted = format!("{}-v{version}-r", self.epoch);
                let fits = seen.iter().any(|validator| validator.starts_with(&wanted));
                if fits { Ok(()) } else { Err(Error::Stale) }
            }
        }
    }
}

/// The precondition of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    #[default]
    None,
    /// The record must exist, in any version.
    Exists,
    /// The record must have one of the validators the caller received.
    Validators(Vec<String>),
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
                question: number.to_string().into(),
                permissions: Permissions::READ_ONLY,
            };
            let page = Rendered { body: Bytes::from(vec![0; 10_000]), validator: "1".into() };
            pages.cache.insert(key, CachedPage { revision: Revision(1), page });
            assert!(pages.weight() <= 256 * 1024);
        }
        assert!(pages.weight() > 100 * 1024, "and it is used");
    }
}
