//! Open work by its last change, oldest change first, for programs that keep a copy.
//!
//! Many records can change in one moment, such as those of an import. Within a moment the order is that of a digest of
//! what identifies an item, which never changes, so that a cursor neither skips nor repeats one.

use domain::{
    moment::Moment,
    page::{Cursor, CursorOrder, Page, PageRequest},
    task::TaskType,
    violation::FieldComplaint,
};
use sha2::{Digest as _, Sha256};
use store::{
    Reader,
    work::{self as rows, WorkFilter},
};

use super::{TaskFilter, TaskReader, WorkItem, group::asked_kinds, people::names_of};
use crate::{Error, Result};

/// Where a page begins: after this item, or at the first one that changed since the moment.
struct Start {
    since: Moment,
    at: Moment,
    key: Option<u128>,
}

impl Start {
    fn of(request: PageRequest) -> Result<Self> {
        match (request.cursor(), request.updated_since()) {
            (Some(Cursor { order: CursorOrder::Changed { since, at }, key }), _) => {
                Ok(Self { since, at, key: Some(key) })
            }
            (None, Some(since)) => Ok(Self { since, at: since.plus_millis(-1), key: None }),
            (Some(_), _) | (None, None) => Err(Error::invalid("cursor", FieldComplaint::OtherCursor)),
        }
    }

    fn is_before(&self, (at, key): (Moment, u128)) -> bool {
        at > self.at || (at == self.at && self.key.is_some_and(|seen| key > seen))
    }
}

impl WorkItem {
    /// The place of the item in the order of changes.
    fn place_of_change(&self) -> (Moment, u128) {
        let mut hasher = Sha256::new();
        for part in
            [self.kind.as_str(), self.action.as_str(), &self.id, self.report.as_deref().unwrap_or_default()]
        {
            hasher.update(part.as_bytes());
            hasher.update([0]);
        }
        let digest: [u8; 32] = hasher.finalize().into();
        let key = digest.iter().take(16).fold(0, |key, byte| (key << 8) | u128::from(*byte));
        (self.updated_at, key)
    }
}

impl TaskReader<'_> {
    pub(super) fn changed(
        &self,
        reader: &mut Reader<'_>,
        seen: Option<&[TaskType]>,
        filter: &TaskFilter,
        request: PageRequest,
    ) -> Result<Page<WorkItem>> {
        let start = Start::of(request)?;
        let names = filter.owner.as_deref().map(|owner| names_of(reader, self.scope, owner)).transpose()?;
        let (mut items, mut total) = (Vec::new(), 0);
        for kind in asked_kinds(seen, filter) {
            let stored = WorkFilter { names: names.clone(), due_before: filter.due_before, kind };
            total += rows::changed_since(reader, self.scope, &stored, start.since)?;
            items.extend(self.stored_after(reader, &stored, &start, request.limit())?);
            let reports = self.reports(reader, &stored)?.into_iter();
            let reports: Vec<_> = reports.filter(|report| report.updated_at >= start.since).collect();
            total += reports.len() as u64;
            items.extend(reports);
        }
        items.retain(|item| start.is_before(item.place_of_change()));
        items.sort_by_key(WorkItem::place_of_change);
        let has_more = items.len() > request.limit() as usize;
        items.truncate(request.limit() as usize);
        let last = items.last().filter(|_| has_more).map(WorkItem::place_of_change);
        let next =
            last.map(|(at, key)| Cursor { order: CursorOrder::Changed { since: start.since, at }, key });
        Ok(Page { next, ..Page::new(items, total, request) })
    }

    /// At least so many stored items and one more, with all that changed in the same moment as the last one.
    fn stored_after(
        &self,
        reader: &mut Reader<'_>,
        filter: &WorkFilter,
        start: &Start,
        limit: u32,
    ) -> Result<Vec<WorkItem>> {
        let mut found = match start.key {
            Some(_) => rows::changed_at(reader, self.scope, filter, start.at)?,
            None => Vec::new(),
        };
        let mut later = rows::changed_after(reader, self.scope, filter, start.at, limit.saturating_add(1))?;
        if later.len() > limit as usize
            && let Some(last) = later.last().map(|row| row.updated_at)
        {
            later.retain(|row| row.updated_at != last);
            later.extend(rows::changed_at(reader, self.scope, filter, last)?);
        }
        found.extend(later);
        self.items(reader, found)
    }
}
