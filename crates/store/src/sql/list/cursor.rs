//! Cursors: paging through a list while rows are added and deleted. Each page says after which row the next one
//! begins.
//!
//! A cursor names a row by an immutable value, its identifier or the number of its document, so that no row that
//! exists throughout is skipped or repeated. Only in the order of changes can a row occur again, with its latest
//! change.

use std::fmt::Write as _;

use domain::{
    id::Uuid7,
    moment::Moment,
    page::{Cursor, CursorOrder, Page, PageRequest},
};

use super::{End, Filter, List, ListQuery, Order, Shape, Way, rows};
use crate::sql::{Error, Reader, Result, Row, Value};

/// The columns that cursors of a list use.
#[derive(Debug)]
pub struct CursorColumns {
    /// The column with the identifier of a row, and its prefix.
    pub key: &'static str,
    pub prefix: &'static str,
    /// When a row last changed.
    pub changed: &'static str,
    pub since: Filter,
    /// Oldest change first.
    pub by_change: Order,
}

/// A [`CursorColumns`] by the identifier in one column and the time in another.
macro_rules! cursor_columns {
    ($key:literal, $kind:ident, $changed:literal) => {
        $crate::sql::CursorColumns {
            key: $key,
            prefix: domain::id::$kind::PREFIX,
            changed: $changed,
            since: $crate::sql::Filter { name: "updated_since", condition: concat!($changed, " >= ?") },
            by_change: $crate::sql::Order {
                name: "updated_at",
                by: concat!($changed, ", ", $key),
                back: concat!($changed, " DESC, ", $key, " DESC"),
            },
        }
    };
}
pub(crate) use cursor_columns;

/// The position of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowPosition {
    key: u128,
    changed_at: Moment,
}

impl RowPosition {
    /// From the last two columns: an identifier, or the number of a document, and a time.
    pub(super) fn of(row: &Row<'_>) -> Result<Self> {
        let columns = row.len();
        let (key, changed_at) = (columns.saturating_sub(2), columns.saturating_sub(1));
        let key = match row.text(key) {
            Ok(id) => Uuid7::of_id(id).ok_or_else(|| Error::corrupt(format_args!("{id:?} as an id")))?.bits(),
            Err(_) => u128::from(row.get::<u64>(key)?),
        };
        Ok(Self { key, changed_at: row.get(changed_at)? })
    }
}

/// The order in which a list is paged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Newest,
    Oldest,
    FoundNewest,
    FoundOldest,
    Changed,
}

impl Step {
    /// `None` for orders that changes of rows affect.
    pub(super) fn of(list: &'static List, order: &Order, is_search: bool) -> Option<Self> {
        let key = list.cursor.key;
        if order.by == list.cursor.by_change.by {
            Some(Self::Changed)
        } else if order.by == key {
            Some(if is_search { Self::FoundOldest } else { Self::Oldest })
        } else if order.by.strip_suffix(" DESC") == Some(key) {
            Some(if is_search { Self::FoundNewest } else { Self::Newest })
        } else {
            None
        }
    }

    pub(super) fn fits(self, cursor: Cursor) -> bool {
        let of_cursor = match cursor.order {
            CursorOrder::Newest => Self::Newest,
            CursorOrder::Oldest => Self::Oldest,
            CursorOrder::FoundNewest => Self::FoundNewest,
            CursorOrder::FoundOldest => Self::FoundOldest,
            CursorOrder::Changed { .. } => Self::Changed,
        };
        self == of_cursor
    }

    fn order(self, place: RowPosition, request: PageRequest) -> CursorOrder {
        match self {
            Self::Newest => CursorOrder::Newest,
            Self::Oldest => CursorOrder::Oldest,
            Self::FoundNewest => CursorOrder::FoundNewest,
            Self::FoundOldest => CursorOrder::FoundOldest,
            Self::Changed => CursorOrder::Changed {
                since: request.updated_since().unwrap_or(place.changed_at),
                at: place.changed_at,
            },
        }
    }

    /// Adds the condition that a row comes after the cursor; its values are [`values`](Self::values). Search results
    /// are cut off at the position instead.
    pub(super) fn condition(self, columns: &CursorColumns, next: usize, text: &mut String) -> usize {
        let (key, changed, following) = (columns.key, columns.changed, next + 1);
        // Writing to a String cannot fail.
        let _ = match self {
            Self::Newest => write!(text, " AND {key} < ${next}"),
            Self::Oldest => write!(text, " AND {key} > ${next}"),
            Self::Changed => write!(text, " AND ({changed}, {key}) > (${next}, ${following})"),
            Self::FoundNewest | Self::FoundOldest => return next,
        };
        if self == Self::Changed { next + 2 } else { next + 1 }
    }

    pub(super) fn values(cursor: Cursor, columns: &CursorColumns) -> Vec<Value<'static>> {
        let id = || Value::from(Uuid7::from_bits(cursor.key).to_id(columns.prefix));
        match cursor.order {
            CursorOrder::Newest | CursorOrder::Oldest => vec![id()],
            CursorOrder::FoundNewest | CursorOrder::FoundOldest => Vec::new(),
            CursorOrder::Changed { at, .. } => vec![Value::from(at), id()],
        }
    }
}

impl ListQuery<'_> {
    pub(super) fn step(&self) -> Option<Step> {
        Step::of(self.list, self.order, self.search.is_some())
    }

    /// The rows after the request's cursor.
    pub(super) fn page_after<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        total: u64,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        let (Some(step), Some(cursor)) = (self.step(), request.cursor()) else { return Err(Error::Cursor) };
        let shape = Shape { step: Some(step), ..self.shape() };
        let text = shape.page(reader.dialect(), self.order, End::First, Way::InOrder);
        let mut values = self.params.clone();
        values.extend(Step::values(cursor, &self.list.cursor));
        // One row more than requested shows whether there is another page.
        let wanted = u64::from(request.limit());
        let rows = rows(reader, (self.list.name, &text), values, (wanted + 1, 0), read)?;
        Ok(self.ended_at(rows, total, request))
    }

    /// The page of these rows; the last one may be one too many.
    pub(super) fn ended_at<T>(
        &self,
        mut rows: Vec<(T, RowPosition)>,
        total: u64,
        request: PageRequest,
    ) -> Page<T> {
        let wanted = request.limit() as usize;
        let more = rows.len() > wanted;
        rows.truncate(wanted);
        self.ended(rows, total, request, more)
    }

    /// The page of these rows, with a cursor at its end if there are more.
    pub(super) fn ended<T>(
        &self,
        rows: Vec<(T, RowPosition)>,
        total: u64,
        request: PageRequest,
        more: bool,
    ) -> Page<T> {
        let last = rows.last().map(|(_, place)| *place).filter(|_| more);
        let next = last.zip(self.step());
        let next = next.map(|(place, step)| Cursor { order: step.order(place, request), key: place.key });
        Page { items: rows.into_iter().map(|(item, _)| item).collect(), total, request, next }
    }
}
