//! The SQL texts of a list, composed from its static parts.

use std::borrow::Cow;

use super::{Asked, Dialect, End, FEW, Found, List, Order, Step};
use crate::sql::{Reader, Result, Value};

/// How SQLite orders rows. By default it scans an index in that order whenever there is one, even if only few rows
/// match the filters, and then reads the whole table. PostgreSQL estimates how many match and chooses itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Scans along the order until the page is full: fast when many rows match.
    InOrder,
    /// Selects the matching rows by the filters, then sorts them: fast when few match.
    Sort,
}

impl Way {
    /// In the order of creation every filter has an index; in other orders few rows are sorted.
    pub(super) fn to(total: u64, order: &Order) -> Self {
        if total <= FEW && !order.is_as_made() { Self::Sort } else { Self::InOrder }
    }
}

/// The parts of a list that one text is composed of.
#[derive(Clone, Copy)]
pub(super) struct Shape<'q> {
    pub(super) list: &'static List,
    pub(super) columns: &'static str,
    pub(super) filters: &'q [Asked],
    pub(super) search: Option<&'static Found>,
    /// Only rows after a cursor.
    pub(super) step: Option<Step>,
}

impl Shape<'_> {
    pub(super) fn count(self, dialect: Dialect) -> String {
        let (rest, _) = self.rest(dialect);
        format!("SELECT COUNT(*) {rest}")
    }

    pub(super) fn total(self, reader: &mut Reader<'_>, values: &[Value<'_>]) -> Result<u64> {
        let mut total = 0;
        let text = self.count(reader.dialect());
        reader.each_row((self.list.name, &text), values, &mut |row| {
            total = row.get(0)?;
            Ok(())
        })?;
        Ok(total)
    }

    /// A page of rows; the last two columns give the position of each row.
    pub(super) fn page(self, dialect: Dialect, order: &Order, end: End, way: Way) -> String {
        // Sorting gains nothing without a filter, and search results are sorted in any case.
        let way = if self.filters.is_empty() || self.search.is_some() { Way::InOrder } else { way };
        let (rest, next) = self.rest(dialect);
        let (columns, cursor) = (self.columns, &self.list.cursor);
        let (key, order) = match self.search {
            Some(_) if order.is_as_made() => ("d.doc", order.found_text(end).to_owned()),
            _ => (cursor.key, order.way_text(dialect, end, way)),
        };
        format!(
            "SELECT {columns}, {key}, {} {rest} ORDER BY {order} LIMIT ${next} OFFSET ${}",
            cursor.changed,
            next + 1
        )
    }

    /// Every text for a page in this order.
    pub(super) fn pages(self, dialect: Dialect, order: &'static Order) -> Vec<String> {
        let ways: &[Way] =
            if dialect == Dialect::Sqlite { &[Way::InOrder, Way::Sort] } else { &[Way::InOrder] };
        let mut texts = Vec::new();
        for end in [End::First, End::Last] {
            texts.extend(ways.iter().map(|way| self.page(dialect, order, end, *way)));
        }
        if let step @ Some(_) = Step::of(self.list, order, self.search.is_some()) {
            texts.push(Self { step, ..self }.page(dialect, order, End::First, Way::InOrder));
        }
        texts
    }

    /// The text from `FROM` to the end of the conditions, and the number of the next parameter.
    fn rest(self, dialect: Dialect) -> (String, usize) {
        let from = self.search.map_or_else(|| self.list.from.to_owned(), |_| Found::from(self.list));
        let mut text = format!("FROM {from} WHERE {}", self.list.base);
        let mut next = 2;
        let found = self.search.iter().flat_map(|found| found.conditions(dialect)).map(Cow::Borrowed);
        for condition in found.chain(self.filters.iter().map(|filter| filter.condition(dialect))) {
            text.push_str(" AND ");
            if condition.contains('?') {
                text.push_str(&condition.replace('?', &format!("${next}")));
                next += 1;
            } else {
                text.push_str(&condition);
            }
        }
        if let Some(step) = self.step {
            next = step.condition(&self.list.cursor, next, &mut text);
        }
        (text, next)
    }
}
