//! A cache of serialised records, by id and version.
//!
//! When a list changes, most of its records do not. A page is composed from cached texts; only new or changed records
//! are read and serialised. A version has one text for each context, which is a digest of what else the text follows
//! from, such as the profile of the institution; a text that changes with time has an end. So entries never become
//! stale; the size is bounded by a setting.

use std::sync::Arc;

use domain::{id::Uuid7, moment::Moment, page::Page};
use quick_cache::{Weighter, sync::Cache};

use crate::Result;

/// A typical record, to size the cache's tables.
const TYPICAL_RECORD: u64 = 600;

/// The id and version of a record.
pub(crate) type Stamp<I> = (I, i64);

/// What one text follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct TextKey {
    record: Uuid7,
    version: i64,
    context: u64,
}

#[derive(Debug, Clone)]
struct Text {
    text: Arc<str>,
    /// The last moment at which it is true; `None` if time does not change it.
    until: Option<Moment>,
}

/// A record that was serialised.
#[derive(Debug)]
pub(crate) struct Written<I> {
    pub(crate) stamp: Stamp<I>,
    pub(crate) text: String,
    /// The last moment at which it is true; `None` if time does not change it.
    pub(crate) until: Option<Moment>,
}

#[derive(Debug, Clone)]
struct Bytesize;

impl Weighter<TextKey, Text> for Bytesize {
    fn weight(&self, _: &TextKey, text: &Text) -> u64 {
        // The constant is the size of the entry itself and the allocator's overhead.
        (text.text.len() + 120) as u64
    }
}

/// The cache of texts.
#[derive(Debug)]
pub(crate) struct RecordCache(Cache<TextKey, Text, Bytesize>);

impl RecordCache {
    pub(crate) fn new(max_bytes: u64) -> Self {
        let items = usize::try_from(max_bytes / TYPICAL_RECORD).unwrap_or(usize::MAX).max(16);
        Self(Cache::with_weighter(items, max_bytes, Bytesize))
    }

    /// The texts of a page in a context at a moment; `write` gets the ids of those that are not cached.
    pub(crate) fn of<I: Copy + PartialEq + Into<Uuid7>>(
        &self,
        page: &Page<Stamp<I>>,
        context: u64,
        now: Moment,
        write: impl FnOnce(&[I]) -> Result<Vec<Written<I>>>,
    ) -> Result<Page<Arc<str>>> {
        let key = |(id, version): Stamp<I>| TextKey { record: id.into(), version, context };
        let cached = |stamp: &Stamp<I>| {
            let text = self.0.get(&key(*stamp))?;
            text.until.is_none_or(|until| until >= now).then_some(text.text)
        };
        let mut texts: Vec<Option<Arc<str>>> = page.items.iter().map(cached).collect();
        let missing: Vec<I> = page
            .items
            .iter()
            .zip(&texts)
            .filter(|(_, text)| text.is_none())
            .map(|((id, _), _)| *id)
            .collect();
        if !missing.is_empty() {
            for Written { stamp, text, until } in write(&missing)? {
                let text: Arc<str> = text.into();
                let place = page.items.iter().position(|other| *other == stamp);
                if let Some(slot) = place.and_then(|place| texts.get_mut(place)) {
                    *slot = Some(Arc::clone(&text));
                }
                self.0.insert(key(stamp), Text { text, until });
            }
        }
        Ok(page.with(texts.into_iter().flatten().collect()))
    }
}

#[cfg(test)]
mod tests {
    use domain::{id::FindingId, page::PageRequest};

    use super::*;

    fn stamp(number: u128, version: i64) -> Stamp<FindingId> {
        (Uuid7::from_parts(1, number).into(), version)
    }

    /// Asks for a page and returns the ids that had to be written; every text says its stamp.
    fn written(
        cache: &RecordCache,
        stamps: &[Stamp<FindingId>],
        (context, now): (u64, i64),
        until: Option<i64>,
    ) -> Vec<FindingId> {
        let page = Page::new(stamps.to_vec(), 9, PageRequest::default());
        let mut asked = Vec::new();
        let texts = cache.of(&page, context, Moment::from_millis(now), |missing| {
            asked = missing.to_vec();
            // In another order than requested.
            let stamps = stamps.iter().rev().filter(|(id, _)| missing.contains(id));
            let until = until.map(Moment::from_millis);
            Ok(stamps.map(|stamp| Written { stamp: *stamp, text: format!("{stamp:?}"), until }).collect())
        });
        let texts: Vec<String> = texts.unwrap().items.iter().map(ToString::to_string).collect();
        assert_eq!(texts, stamps.iter().map(|stamp| format!("{stamp:?}")).collect::<Vec<_>>());
        asked
    }

    #[test]
    fn only_what_is_not_there_is_written_and_everything_keeps_its_place() {
        let cache = RecordCache::new(1 << 20);
        let ask = |stamps: &[Stamp<FindingId>]| written(&cache, stamps, (0, 0), None);
        let [one, two, three] = [stamp(1, 1), stamp(2, 1), stamp(3, 1)];
        assert_eq!(ask(&[one, two]), [one.0, two.0]);
        assert_eq!(ask(&[three, two, one]), [three.0]);
        let changed = stamp(2, 2);
        assert_eq!(ask(&[three, changed, one]), [two.0]);
        assert_eq!(ask(&[one, changed]), []);
    }

    #[test]
    fn a_text_is_written_again_after_its_end_and_in_another_context() {
        let cache = RecordCache::new(1 << 20);
        let one = stamp(1, 1);
        assert_eq!(written(&cache, &[one], (0, 500), Some(1000)), [one.0]);
        assert_eq!(written(&cache, &[one], (0, 1000), Some(1000)), [], "its last moment");
        assert_eq!(written(&cache, &[one], (1, 1000), None), [one.0], "another profile");
        assert_eq!(written(&cache, &[one], (0, 1001), None), [one.0]);
        assert_eq!(written(&cache, &[one], (0, 9000), None), [], "time no longer changes it");
    }

    #[test]
    fn memory_stays_within_its_bound() {
        let cache = RecordCache::new(64 * 1024);
        for number in 0..1000 {
            let key = TextKey { record: Uuid7::from_parts(1, number), version: 1, context: 0 };
            cache.0.insert(key, Text { text: "x".repeat(500).into(), until: None });
            assert!(cache.0.weight() <= 64 * 1024);
        }
        assert!(cache.0.weight() > 32 * 1024, "and it is used");
    }
}
