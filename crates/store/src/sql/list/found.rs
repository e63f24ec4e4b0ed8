//! Searching a list: words give a set of documents, filters narrow it, and only the rows of one page are read.

use domain::page::{Cursor, CursorOrder, Page, PageRequest};

use super::{
    Asked, Dialect, End, FEW, Filter, List, ListQuery, Order, Row, RowPosition, Shape, Step, Text, Value,
    Way, rows,
};
use crate::sql::{
    Reader, Result, Search,
    documents::{Documents, listed},
};

/// How a list is searched.
#[derive(Debug)]
pub struct Found {
    /// The condition that joins rows and their documents `d`.
    pub on: &'static str,
}

/// Selects documents by their numbers.
const AMONG: Text = Text::Differs {
    why: "each engine has its own way to bind a list",
    sqlite: "d.doc IN (SELECT value FROM json_each('[' || ? || ']'))",
    postgres: "d.doc = ANY(CAST(string_to_array(?, ',') AS BIGINT[]))",
};

impl Found {
    /// Documents first, then their rows. SQLite does not reorder a `CROSS JOIN`.
    pub(super) fn from(list: &List) -> String {
        format!("documents d CROSS JOIN {}", list.from)
    }

    /// The conditions that select the rows of some documents.
    pub(super) fn conditions(&self, dialect: Dialect) -> [&'static str; 2] {
        [self.on, AMONG.on(dialect)]
    }

    /// The documents changed after `$2` whose rows match the filter.
    fn passing(&self, list: &List, filter: Asked, dialect: Dialect) -> String {
        format!(
            "SELECT d.doc FROM {} WHERE d.tenant_id = $1 AND d.changed_in > $2 AND {} AND {} AND {}",
            Self::from(list),
            self.on,
            list.base,
            filter.condition(dialect).replace('?', "$3")
        )
    }

    /// All documents in the order of their rows.
    fn in_order(&self, list: &List, order: &Order, end: End) -> String {
        format!(
            "SELECT d.doc FROM {} CROSS JOIN documents d WHERE {} AND {} ORDER BY {}",
            list.from,
            list.base,
            self.on,
            order.text(end)
        )
    }

    /// The texts this search adds to a list; documents are read along an order on SQLite only.
    pub(super) fn variants(&'static self, list: &'static List, dialect: Dialect) -> Vec<String> {
        let asked = list.every_filter().flat_map(Filter::ways);
        let passing = asked.map(|filter| self.passing(list, filter, dialect));
        let ends = |order| [End::First, End::Last].map(|end| self.in_order(list, order, end));
        let ordered = list.orders.iter().filter(|order| !order.is_as_made()).flat_map(ends);
        passing.chain(ordered.filter(|_| dialect == Dialect::Sqlite)).collect()
    }
}

impl ListQuery<'_> {
    pub(super) fn found_page<T>(
        &self,
        reader: &mut Reader<'_>,
        (found, search): (&'static Found, &Search),
        request: PageRequest,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        let mut documents = reader.find(&self.scope, search)?;
        if documents.len() <= FEW && !self.filters.is_empty() {
            return self.page_of_few(reader, (found, documents), request, read);
        }
        for (filter, value) in self.filters.iter().zip(self.params.iter().skip(1)) {
            let passing = found.passing(self.list, *filter, reader.dialect());
            reader.narrow(&mut documents, &self.scope, (self.list.name, &passing), value)?;
        }
        let total = documents.len();
        let shape =
            Shape { list: self.list, columns: self.columns, filters: &[], search: Some(found), step: None };
        if self.step() == Some(Step::Changed) {
            return self.page_by_change(reader, (shape, &documents), request, read);
        }
        documents.go_on(request.cursor());
        let left = documents.len();
        if request.offset() >= left {
            return Ok(Page::new(Vec::new(), total, request));
        }
        let (numbers, offset) = self.page_numbers(reader, (found, &documents), request)?;
        let rows = self.rows_among(reader, shape, numbers, (request.limit(), offset), read)?;
        let end = request.offset().saturating_add(u64::from(request.limit()));
        Ok(self.ended(rows, total, request, end < left))
    }

    /// For few rows, testing each row is cheaper than computing the whole set of a filter.
    fn page_of_few<T>(
        &self,
        reader: &mut Reader<'_>,
        (found, mut documents): (&'static Found, Documents),
        request: PageRequest,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        let filters = &self.filters;
        let shape =
            Shape { list: self.list, columns: self.columns, filters, search: Some(found), step: None };
        let total = shape.total(reader, &self.values_among(shape, documents.every(), None))?;
        if self.step() == Some(Step::Changed) && request.cursor().is_some() {
            return self.after_change(reader, (shape, &documents), (total, request), read);
        }
        documents.go_on(request.cursor());
        let part = (request.limit().saturating_add(1), request.offset());
        let rows = self.rows_among(reader, shape, documents.every(), part, read)?;
        Ok(self.ended_at(rows, total, request))
    }

    /// A page of narrowed documents, oldest change first.
    fn page_by_change<T>(
        &self,
        reader: &mut Reader<'_>,
        (shape, documents): (Shape<'_>, &Documents),
        request: PageRequest,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        if request.cursor().is_some() {
            return self.after_change(reader, (shape, documents), (documents.len(), request), read);
        }
        let part = (request.limit().saturating_add(1), request.offset());
        let rows = self.rows_among(reader, shape, documents.every(), part, read)?;
        Ok(self.ended_at(rows, documents.len(), request))
    }

    fn after_change<T>(
        &self,
        reader: &mut Reader<'_>,
        (shape, documents): (Shape<'_>, &Documents),
        (total, request): (u64, PageRequest),
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        let shape = Shape { step: Some(Step::Changed), ..shape };
        let text = shape.page(reader.dialect(), self.order, End::First, Way::InOrder);
        let values = self.values_among(shape, documents.every(), request.cursor());
        let rows = rows(reader, (self.list.name, &text), values, (u64::from(request.limit()) + 1, 0), read)?;
        Ok(self.ended_at(rows, total, request))
    }

    /// The numbers of documents that contain the page, and how many of them to skip.
    fn page_numbers(
        &self,
        reader: &mut Reader<'_>,
        (found, documents): (&'static Found, &Documents),
        request: PageRequest,
    ) -> Result<(String, u64)> {
        let (limit, offset) = (u64::from(request.limit()), request.offset());
        match self.step() {
            Some(Step::FoundNewest) => Ok((documents.newest(limit, offset), 0)),
            Some(Step::FoundOldest) => Ok((documents.oldest(limit, offset), 0)),
            // PostgreSQL returns only whole results, and sorts quickly.
            _ if documents.len() <= FEW || reader.dialect() == Dialect::Postgres => {
                Ok((documents.every(), offset))
            }
            _ => Ok((self.met_in_order(reader, (found, documents), request)?, 0)),
        }
    }

    /// Reads along the order, from the nearer end, until the page is full.
    fn met_in_order(
        &self,
        reader: &mut Reader<'_>,
        (found, documents): (&'static Found, &Documents),
        request: PageRequest,
    ) -> Result<String> {
        let total = documents.len();
        let last = request.offset().saturating_add(request.limit().into()).min(total);
        let (end, mut pass_over, mut wanted) = if request.offset() > total / 2 {
            (End::Last, total - last, last - request.offset())
        } else {
            (End::First, request.offset(), last - request.offset())
        };
        let mut met = Vec::new();
        let text = found.in_order(self.list, self.order, end);
        reader.each_row_while((self.list.name, &text), &self.params[..1], &mut |row| {
            let doc = row.get(0)?;
            if documents.contains(doc) {
                if pass_over > 0 {
                    pass_over -= 1;
                } else {
                    met.push(doc);
                    wanted -= 1;
                }
            }
            Ok(wanted > 0)
        })?;
        Ok(listed(met.into_iter()))
    }

    /// The tenant, the documents, the filters of the shape, the place: in the order they are numbered.
    fn values_among(&self, shape: Shape<'_>, numbers: String, cursor: Option<Cursor>) -> Vec<Value<'_>> {
        let filters = self.params.iter().skip(1).take(shape.filters.len()).cloned();
        let tenant = self.params.iter().take(1).cloned();
        let place = cursor.filter(|_| shape.step.is_some());
        let place = place.map(|cursor| Step::values(cursor, &self.list.cursor)).unwrap_or_default();
        tenant.chain([Value::from(numbers)]).chain(filters).chain(place).collect()
    }

    fn rows_among<T>(
        &self,
        reader: &mut Reader<'_>,
        shape: Shape<'_>,
        numbers: String,
        (limit, offset): (u32, u64),
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<(T, RowPosition)>> {
        let values = self.values_among(shape, numbers, None);
        let text = shape.page(reader.dialect(), self.order, End::First, Way::Sort);
        rows(reader, (self.list.name, &text), values, (limit.into(), offset), read)
    }
}

impl Documents {
    /// Removes everything up to and including the cursor's position.
    fn go_on(&mut self, cursor: Option<Cursor>) {
        let Some(Cursor { order, key }) = cursor else { return };
        let number = u64::try_from(key).unwrap_or(u64::MAX);
        match order {
            CursorOrder::FoundNewest => self.keep_below(number),
            CursorOrder::FoundOldest => self.keep_above(number),
            _ => {}
        }
    }
}
