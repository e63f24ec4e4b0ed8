//! A cache of document sets: the documents that a word or a filter matches, as bitmaps.
//!
//! The full-text index returns matches one by one; counting a common word in a hundred thousand records that way
//! takes milliseconds, and testing the records against a filter takes ten times longer. Bitmaps are intersected and
//! counted in microseconds. The key is the tenant and the word or filter. An entry carries the tenant's revision it
//! is valid for; a later reader only examines the documents that any process changed since. Frequent words are few
//! and stay cached; rare ones are cheap to find again. The memory is bounded by `KEPT_BYTES`.

use std::{fmt::Write as _, ops, sync::Arc};

use domain::id::TenantId;
use quick_cache::{Weighter, sync::Cache};
use roaring::RoaringTreemap;

use super::{Dialect, Reader, Result, Search, Statement, Value, search::Term};
use crate::{TenantScope, params};

crate::sql! {
    /// The last revision in which a document of the tenant changed.
    LAST = "SELECT COALESCE(MAX(changed_in), 0) FROM documents WHERE tenant_id = $1";
    CHANGED = "SELECT d.doc FROM documents d WHERE d.tenant_id = $1 AND d.changed_in > $2";
    MATCHING = differs("each engine has its own full-text index",
        sqlite "SELECT rowid FROM document_texts WHERE document_texts MATCH $1",
        postgres "SELECT rowid FROM document_texts WHERE current_setting('tidewall.words', true) = CAST($1 AS TEXT)");
    MATCHING_BETWEEN = differs("each engine has its own full-text index",
        sqlite "SELECT rowid FROM document_texts WHERE document_texts MATCH $1 AND rowid BETWEEN $2 AND $3",
        postgres "SELECT rowid FROM document_texts
                  WHERE current_setting('tidewall.words', true) = CAST($1 AS TEXT) AND rowid BETWEEN $2 AND $3");
    /// On PostgreSQL the row-level policy of the index contains the words that are searched (migration 0340): a policy
    /// may use the index where a condition of the statement may not.
    SET_WORDS = differs("only PostgreSQL has row-level policies",
        sqlite "SELECT CAST($1 AS TEXT)",
        postgres "SELECT set_config('tidewall.words', CAST($1 AS TEXT), true)");
}

/// The maximum size of the cache.
const KEPT_BYTES: u64 = 32 << 20;
/// The approximate size of a set without its numbers.
const OVERHEAD: u64 = 200;
/// The cost of one index seek, in rows scanned.
const ONE_LOOK: u64 = 500;

/// A set of documents by their numbers; later ones were made later.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Documents(RoaringTreemap);

impl Documents {
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, doc: u64) -> bool {
        self.0.contains(doc)
    }

    /// The numbers of the newest documents, after skipping `offset`, for a statement that takes a list.
    pub(crate) fn newest(&self, limit: u64, offset: u64) -> String {
        let end = self.len().saturating_sub(offset);
        self.part(end.saturating_sub(limit), end)
    }

    pub(super) fn oldest(&self, limit: u64, offset: u64) -> String {
        self.part(offset, offset.saturating_add(limit).min(self.len()))
    }

    pub(super) fn every(&self) -> String {
        listed(self.0.iter())
    }

    pub(super) fn keep_below(&mut self, number: u64) {
        self.0.remove_range(number..);
    }

    pub(super) fn keep_above(&mut self, number: u64) {
        self.0.remove_range(..=number);
    }

    /// The ranges the numbers lie in. Gaps too small to be worth a seek are included.
    fn stretches(&self) -> Vec<(u64, u64)> {
        let mut stretches: Vec<(u64, u64)> = Vec::new();
        for number in &self.0 {
            match stretches.last_mut() {
                Some((_, end)) if number - *end <= ONE_LOOK => *end = number,
                _ => stretches.push((number, number)),
            }
        }
        stretches
    }

    fn part(&self, start: u64, end: u64) -> String {
        let Some(first) = self.0.select(start).filter(|_| start < end) else { return String::new() };
        let count = usize::try_from(end - start).unwrap_or(usize::MAX);
        let mut rest = self.0.iter();
        rest.advance_to(first);
        listed(rest.take(count))
    }
}

/// `1,2,3`
pub(super) fn listed(numbers: impl Iterator<Item = u64>) -> String {
    let mut text = String::new();
    for number in numbers {
        let separator = if text.is_empty() { "" } else { "," };
        // Writing to a String cannot fail.
        let _ = write!(text, "{separator}{number}");
    }
    text
}

impl ops::Sub<&Documents> for &Documents {
    type Output = Documents;

    fn sub(self, other: &Documents) -> Documents {
        Documents(&self.0 - &other.0)
    }
}

/// The key of a set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum SetKey {
    /// All documents of the tenant: tokens are marked with a short form of the tenant's id, which is not unique.
    Own,
    Term(Term),
    /// The text of a filter and its value.
    Filter(String, String),
}

#[derive(Debug, PartialEq)]
struct CachedSet {
    /// Valid for this revision of the tenant and every later one in which no document changed.
    revision: i64,
    documents: Documents,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<(TenantId, SetKey), Arc<CachedSet>> for Weight {
    fn weight(&self, _: &(TenantId, SetKey), kept: &Arc<CachedSet>) -> u64 {
        kept.documents.0.serialized_size() as u64 + OVERHEAD
    }
}

/// The cache of sets, shared by all readers of a store.
#[derive(Debug)]
pub(super) struct Sets(Cache<(TenantId, SetKey), Arc<CachedSet>, Weight>);

impl Default for Sets {
    fn default() -> Self {
        Self(Cache::with_weighter(1000, KEPT_BYTES, Weight))
    }
}

impl<'c> Reader<'c> {
    /// The documents that contain a term of every group.
    pub(crate) fn find(&mut self, scope: &TenantScope, search: &Search) -> Result<Documents> {
        if search.is_empty() {
            return Ok(Documents::default());
        }
        let mut sets = self.sets(scope)?;
        let own = sets.own()?;
        let mut found: Option<Documents> = None;
        for group in search.groups() {
            // With a million documents a copy would dominate the cost, so sets are intersected in place.
            let before = found.as_ref().unwrap_or(&own.documents);
            found = Some(sets.any_of(group)?.among(before));
        }
        Ok(found.unwrap_or_default())
    }

    /// Keeps the documents whose records match a filter. The statement returns the matching ones changed after `$2`.
    pub(super) fn narrow(
        &mut self,
        documents: &mut Documents,
        scope: &TenantScope,
        text: (&'static str, &str),
        value: &Value<'_>,
    ) -> Result<()> {
        documents.0 &= &self.sets(scope)?.filter(text, value)?.documents.0;
        Ok(())
    }

    fn sets(&mut self, scope: &TenantScope) -> Result<Readings<'_, 'c>> {
        let last = self.query_one(&LAST, params![scope.tenant()], |row| row.get(0))?;
        Ok(Readings { tenant: scope.tenant(), last, kept: self.kept_sets(), reader: self })
    }

    fn numbers(&mut self, statement: &Statement, values: &[Value<'_>]) -> Result<Documents> {
        self.composed_numbers((statement.name, statement.text.on(self.dialect())), values)
    }

    /// The documents of a statement whose first value is a term. The term is unset afterwards, because other
    /// statements of the transaction must see all words.
    fn matching(&mut self, statement: &Statement, values: &[Value<'_>]) -> Result<Documents> {
        if self.dialect() == Dialect::Sqlite {
            return self.numbers(statement, values);
        }
        self.query_one(&SET_WORDS, &values[..1], |_| Ok(()))?;
        let found = self.numbers(statement, values)?;
        self.query_one(&SET_WORDS, params![""], |_| Ok(()))?;
        Ok(found)
    }

    fn composed_numbers(&mut self, text: (&'static str, &str), values: &[Value<'_>]) -> Result<Documents> {
        let mut documents = RoaringTreemap::new();
        self.each_row(text, values, &mut |row| {
            documents.insert(row.get(0)?);
            Ok(())
        })?;
        Ok(Documents(documents))
    }
}

/// The sets of one tenant, as seen by one reader's snapshot.
struct Readings<'r, 'c> {
    reader: &'r mut Reader<'c>,
    /// The shared cache; `None` inside a write transaction, whose uncommitted changes must not be cached.
    kept: Option<Arc<Sets>>,
    tenant: TenantId,
    last: i64,
}

impl Readings<'_, '_> {
    fn own(&mut self) -> Result<Arc<CachedSet>> {
        self.current(SetKey::Own, |readings, since, _| readings.changed(since).map(Delta::only))
    }

    fn term(&mut self, term: &Term) -> Result<Arc<CachedSet>> {
        self.current(SetKey::Term(term.clone()), |readings, since, known| {
            let asked = Value::Term(term.clone());
            if since > NEVER {
                let changed = readings.changed(since)?;
                let stretches = changed.stretches();
                if stretches.len() as u64 * ONE_LOOK <= known + ONE_LOOK {
                    let now = readings.matching_among(&asked, &changed, &stretches)?;
                    return Ok(Delta { looked_at: Some(changed), now });
                }
            }
            Ok(Delta { looked_at: None, now: readings.reader.matching(&MATCHING, &[asked])? })
        })
    }

    /// Those of the changed documents that contain the term now.
    fn matching_among(
        &mut self,
        term: &Value<'_>,
        changed: &Documents,
        stretches: &[(u64, u64)],
    ) -> Result<Documents> {
        let mut matching = Documents::default();
        for (start, end) in stretches {
            let values = [term.clone(), Value::from(*start), Value::from(*end)];
            matching.0 |= self.reader.matching(&MATCHING_BETWEEN, &values)?.0;
        }
        matching.0 &= &changed.0;
        Ok(matching)
    }

    /// The documents with at least one of these terms.
    fn any_of(&mut self, group: &[Term]) -> Result<Union> {
        let mut union = Union(Vec::new());
        for term in group {
            let kept = self.term(term)?;
            if !kept.documents.is_empty() {
                union.0.push(kept);
            }
        }
        Ok(union)
    }

    fn filter(&mut self, text: (&'static str, &str), value: &Value<'_>) -> Result<Arc<CachedSet>> {
        self.current(SetKey::Filter(text.1.to_owned(), format!("{value:?}")), |readings, since, _| {
            let changed = if since > NEVER { Some(readings.changed(since)?) } else { None };
            let values = [readings.tenant.into(), Value::from(since), value.clone()];
            Ok(Delta { looked_at: changed, now: readings.reader.composed_numbers(text, &values)? })
        })
    }

    fn changed(&mut self, since: i64) -> Result<Documents> {
        self.reader.numbers(&CHANGED, params![self.tenant, since])
    }

    /// The cached set, refreshed by the changes since; `look` gets the set's revision and its size.
    fn current(
        &mut self,
        question: SetKey,
        look: impl FnOnce(&mut Self, i64, u64) -> Result<Delta>,
    ) -> Result<Arc<CachedSet>> {
        let key = (self.tenant, question);
        let kept = self.kept.as_ref().and_then(|sets| sets.0.get(&key));
        // A set that is newer than this snapshot cannot be used here, but stays cached for other readers.
        let is_ahead = kept.as_ref().is_some_and(|kept| kept.revision > self.last);
        let kept = kept.filter(|_| !is_ahead);
        if let Some(kept) = kept.as_ref().filter(|kept| kept.revision == self.last) {
            return Ok(Arc::clone(kept));
        }
        let (since, known) = kept.as_ref().map_or((NEVER, 0), |kept| (kept.revision, kept.documents.len()));
        let delta = look(self, since, known)?;
        let before = kept.as_ref().map(|kept| &kept.documents);
        let current = Arc::new(CachedSet { revision: self.last, documents: delta.after(before) });
        if let Some(sets) = self.kept.as_ref().filter(|_| !is_ahead) {
            sets.0.insert(key, Arc::clone(&current));
        }
        Ok(current)
    }
}

/// Sets whose union has not been computed yet.
struct Union(Vec<Arc<CachedSet>>);

impl Union {
    /// Those of the documents that are in one of the sets.
    fn among(&self, documents: &Documents) -> Documents {
        let parts = self.0.iter().map(|kept| Documents(&documents.0 & &kept.documents.0));
        parts.reduce(|one, other| Documents(one.0 | other.0)).unwrap_or_default()
    }
}

/// Before the first revision.
const NEVER: i64 = -1;

/// The result of examining documents; of all documents if `looked_at` is `None`.
struct Delta {
    looked_at: Option<Documents>,
    now: Documents,
}

impl Delta {
    /// A delta that adds documents and removes none.
    fn only(added: Documents) -> Self {
        Self { looked_at: Some(Documents::default()), now: added }
    }

    fn after(self, before: Option<&Documents>) -> Documents {
        match (before, self.looked_at) {
            (Some(before), Some(looked_at)) => Documents(&(&before.0 - &looked_at.0) | &self.now.0),
            _ => self.now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(numbers: &[u64]) -> Documents {
        Documents(numbers.iter().copied().collect())
    }

    #[test]
    fn neighbours_are_looked_at_together_and_what_is_far_apart_is_not() {
        assert_eq!(documents(&[]).stretches(), []);
        assert_eq!(documents(&[7]).stretches(), [(7, 7)]);
        let (near, far) = (3 + ONE_LOOK, 4 + 2 * ONE_LOOK);
        assert_eq!(documents(&[1, 3, near, far, far + 1]).stretches(), [(1, near), (far, far + 1)]);
    }
}
