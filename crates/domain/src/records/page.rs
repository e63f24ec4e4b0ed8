//! The requested page of a list: the same rules on every list of the service.

use crate::{
    custom_field::Holding,
    moment::{Day, Moment},
    tag::Tag,
    wording::sentence,
};

/// The start and the maximum length of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageRequest {
    limit: u32,
    offset: u64,
    updated_since: Option<Moment>,
    tag: Option<Tag>,
    holding: Holding,
    cursor: Option<Cursor>,
}

/// Which part of a list of records is read besides what its own filters leave out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// The records as they were at the end of this day; `None` for now.
    pub day: Option<Day>,
    /// Only records with this tag.
    pub tag: Option<Tag>,
    /// Only records with these values in own fields.
    pub holding: Holding,
}

impl Reading {
    /// Everything, as it was at the end of this day or is now.
    #[must_use]
    pub fn as_of(day: Option<Day>) -> Self {
        Self { day, ..Self::default() }
    }
}

/// A cursor: the list continues after the row with this key. The key never changes, so added and deleted rows do not
/// move it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    pub order: CursorOrder,
    pub key: u128,
}

/// The orders that cursors support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CursorOrder {
    /// By identifier, the newest row first.
    Newest,
    /// By identifier, the oldest row first.
    Oldest,
    /// By the number a row has in the search index, the newest first.
    FoundNewest,
    /// By the number a row has in the search index, the oldest first.
    FoundOldest,
    /// Rows changed since a moment, oldest change first; `at` is the change at the cursor.
    Changed { since: Moment, at: Moment },
}

impl PageRequest {
    pub const DEFAULT_LIMIT: u32 = 50;
    pub const MAX_LIMIT: u32 = 500;

    /// A limit above the maximum is applied as the maximum.
    pub fn new(limit: Option<u64>, offset: Option<u64>) -> Result<Self, ZeroLimit> {
        let limit = match limit {
            None => Self::DEFAULT_LIMIT,
            Some(0) => return Err(ZeroLimit),
            Some(limit) => u32::try_from(limit).map_or(Self::MAX_LIMIT, |limit| limit.min(Self::MAX_LIMIT)),
        };
        // Stores count in signed 64 bits; a larger offset is past every end anyway.
        let offset = offset.unwrap_or(0).min(i64::MAX.unsigned_abs());
        Ok(Self { limit, offset, ..Self::default() })
    }

    /// A part of a list that is read whole, longer than callers may request.
    #[must_use]
    pub fn part(limit: u32, offset: u64) -> Self {
        Self { limit, offset, ..Self::default() }
    }

    /// Only what changed at that moment or later, oldest change first.
    #[must_use]
    pub fn since(self, updated_since: Moment) -> Self {
        Self { updated_since: Some(updated_since), ..self }
    }

    /// Only records with this tag, of a list of records.
    #[must_use]
    pub fn tagged(self, tag: Option<Tag>) -> Self {
        Self { tag, ..self }
    }

    /// Only records with these values in own fields, of a list of records.
    #[must_use]
    pub fn holding(self, holding: Holding) -> Self {
        Self { holding, ..self }
    }

    /// Continues after a cursor.
    #[must_use]
    pub fn after(self, cursor: Cursor) -> Self {
        let updated_since = match cursor.order {
            CursorOrder::Changed { since, .. } => Some(since),
            _ => self.updated_since,
        };
        Self { cursor: Some(cursor), updated_since, offset: 0, ..self }
    }

    pub fn limit(self) -> u32 {
        self.limit
    }

    pub fn offset(self) -> u64 {
        self.offset
    }

    pub fn updated_since(self) -> Option<Moment> {
        self.updated_since
    }

    pub fn tag(self) -> Option<Tag> {
        self.tag
    }

    pub fn held(self) -> Holding {
        self.holding
    }

    /// Whether it asks for a part of the records besides the filters of their list.
    pub fn is_narrowed(self) -> bool {
        self.tag.is_some() || !self.holding.is_empty()
    }

    pub fn cursor(self) -> Option<Cursor> {
        self.cursor
    }
}

impl Default for PageRequest {
    fn default() -> Self {
        Self {
            limit: Self::DEFAULT_LIMIT,
            offset: 0,
            updated_since: None,
            tag: None,
            holding: Holding::default(),
            cursor: None,
        }
    }
}

sentence! {
    /// A page with a limit of zero.
    ZeroLimit =
        "must be a whole number of at least 1",
        "muss eine ganze Zahl ab 1 sein";
}

/// One page of a list and how many items the whole list has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub total: u64,
    pub request: PageRequest,
    /// The cursor of the next page; `None` at the end, and in an order that changes of rows would affect.
    pub next: Option<Cursor>,
}

impl<T> Page<T> {
    pub fn new(items: Vec<T>, total: u64, request: PageRequest) -> Self {
        Self { items, total, request, next: None }
    }

    /// The same page with each item made into another.
    pub fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U> {
        let Self { items, total, request, next } = self;
        Page { items: items.into_iter().map(each).collect(), total, request, next }
    }

    /// The same page with other items.
    pub fn with<U>(&self, items: Vec<U>) -> Page<U> {
        Page { items, total: self.total, request: self.request, next: self.next }
    }

    /// Cuts the page out of a list that is already in memory.
    pub fn cut(all: impl ExactSizeIterator<Item = T>, request: PageRequest) -> Self {
        let total = all.len() as u64;
        let skip = usize::try_from(request.offset).unwrap_or(usize::MAX);
        let items = all.skip(skip).take(request.limit as usize).collect();
        Self::new(items, total, request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_capped_not_refused() {
        assert_eq!(PageRequest::new(Some(501), None).unwrap().limit(), 500);
        assert_eq!(PageRequest::new(Some(u64::MAX), None).unwrap().limit(), 500);
        assert_eq!(PageRequest::new(Some(0), None), Err(ZeroLimit));
        assert_eq!(PageRequest::new(None, Some(u64::MAX)).unwrap().offset(), i64::MAX.unsigned_abs());
    }

    #[test]
    fn a_page_beyond_the_end_is_empty_with_the_true_total() {
        let page = Page::cut(0..3_i32, PageRequest::new(None, Some(7)).unwrap());
        assert_eq!((page.items.len(), page.total), (0, 3));
    }
}
