//! A cache of serialised findings, by id and version.
//!
//! When a list changes, most of its records do not. A page is composed from cached texts; only new or changed records
//! are read and serialised. A version never has two texts, so entries never become stale; the size is bounded by a
//! setting.

use std::sync::Arc;

use domain::{id::FindingId, page::Page};
use quick_cache::{Weighter, sync::Cache};

use crate::Result;

/// A typical record, to size the cache's tables.
const TYPICAL_RECORD: u64 = 600;

/// The id and version of a record.
pub(crate) type Stamp = (FindingId, i64);

#[derive(Debug, Clone)]
struct Bytesize;

impl Weighter<Stamp, Arc<str>> for Bytesize {
    fn weight(&self, _: &Stamp, text: &Arc<str>) -> u64 {
        // The constant is the size of the entry itself and the allocator's overhead.
        (text.len() + 100) as u64
    }
}

/// The cache of texts.
#[derive(Debug)]
pub(crate) struct RecordCache(Cache<Stamp, Arc<str>, Bytesize>);

impl RecordCache {
    pub(crate) fn new(max_bytes: u64) -> Self {
        let items = usize::try_from(max_bytes / TYPICAL_RECORD).unwrap_or(usize::MAX).max(16);
        Self(Cache::with_weighter(items, max_bytes, Bytesize))
    }

    /// The texts of a page; `write` gets the ids of those that are not cached, and returns them with their stamps.
    pub(crate) fn of(
        &self,
        page: &Page<Stamp>,
        write: impl FnOnce(&[FindingId]) -> Result<Vec<(Stamp, String)>>,
    ) -> Result<Page<Arc<str>>> {
        let mut texts: Vec<Option<Arc<str>>> = page.items.iter().map(|stamp| self.0.get(stamp)).collect();
        let missing: Vec<FindingId> = page
            .items
            .iter()
            .zip(&texts)
            .filter(|(_, text)| text.is_none())
            .map(|((id, _), _)| *id)
            .collect();
        if !missing.is_empty() {
            for (stamp, text) in write(&missing)? {
                let text: Arc<str> = text.into();
                let place = page.items.iter().position(|other| *other == stamp);
                if let Some(slot) = place.and_then(|place| texts.get_mut(place)) {
                    *slot = Some(Arc::clone(&text));
                }
                self.0.insert(stamp, text);
            }
        }
        Ok(page.with(texts.into_iter().flatten().collect()))
    }
}

#[cfg(test)]
mod tests {
    use domain::{id::Uuid7, page::PageRequest};

    use super::*;

    fn stamp(number: u128, version: i64) -> Stamp {
        (Uuid7::from_parts(1, number).into(), version)
    }

    #[test]
    fn only_what_is_not_there_is_written_and_everything_keeps_its_place() {
        let cache = RecordCache::new(1 << 20);
        let ask = |stamps: &[Stamp]| {
            let page = Page::new(stamps.to_vec(), 9, PageRequest::default());
            let mut asked = Vec::new();
            let texts = cache.of(&page, |missing| {
                asked = missing.to_vec();
                // In another order than requested.
                let stamps = stamps.iter().rev().filter(|(id, _)| missing.contains(id));
                Ok(stamps.map(|stamp| (*stamp, format!("{stamp:?}"))).collect())
            });
            let texts: Vec<String> = texts.unwrap().items.iter().map(ToString::to_string).collect();
            assert_eq!(texts, stamps.iter().map(|stamp| format!("{stamp:?}")).collect::<Vec<_>>());
            asked
        };
        let [one, two, three] = [stamp(1, 1), stamp(2, 1), stamp(3, 1)];
        assert_eq!(ask(&[one, two]), [one.0, two.0]);
        assert_eq!(ask(&[three, two, one]), [three.0]);
        let changed = stamp(2, 2);
        assert_eq!(ask(&[three, changed, one]), [two.0]);
        assert_eq!(ask(&[one, changed]), []);
    }

    #[test]
    fn memory_stays_within_its_bound() {
        let cache = RecordCache::new(64 * 1024);
        for number in 0..1000 {
            cache.0.insert(stamp(number, 1), "x".repeat(500).into());
            assert!(cache.0.weight() <= 64 * 1024);
        }
        assert!(cache.0.weight() > 32 * 1024, "and it is used");
    }
}
