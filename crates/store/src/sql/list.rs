//! Lists with optional filters and a choice of orders, composed from static parts.
//!
//! All variants can be enumerated, so tests prepare and explain every text that can ever run.

mod asked;
mod cursor;
mod found;
mod shape;

use domain::{
    any_of::AnyOf,
    moment::Day,
    page::{Page, PageRequest},
    vocabulary::Vocabulary,
};

use self::{
    asked::{Asked, HOLDING, How},
    cursor::{RowPosition, Step},
    shape::{Shape, Way},
};
use super::{Error, Reader, Result, Row, Search, Text, Value};
use crate::{TenantScope, params};

pub(crate) use asked::among;
pub use cursor::CursorColumns;
pub(crate) use cursor::cursor_columns;
pub use found::Found;

/// One list: its columns, its tables, its filters and its orders. `$1` is the tenant.
#[derive(Debug)]
pub struct List {
    pub name: &'static str,
    pub columns: &'static str,
    /// The columns that identify a version of a row, for lists that can return them alone.
    pub stamps: Option<&'static str>,
    pub from: &'static str,
    /// The condition every variant has, binding the tenant as `$1`.
    pub base: &'static str,
    pub filters: &'static [Filter],
    /// The first order is the default.
    pub orders: &'static [Order],
    /// How the list is searched, if it can be.
    pub found: Option<Found>,
    /// The condition of a tag, of a list of records that can have tags.
    pub tagged: Option<Filter>,
    /// The columns that cursors use.
    pub cursor: CursorColumns,
}

/// An optional condition; `?` stands for its one value.
#[derive(Debug)]
pub struct Filter {
    pub name: &'static str,
    pub condition: &'static str,
}

/// A choice of order; it ends in a unique column, so that pages are stable.
#[derive(Debug)]
pub struct Order {
    pub name: &'static str,
    pub by: &'static str,
    /// The reverse order, to read the last pages from the end.
    pub back: &'static str,
}

/// For a list that declares no order, which none does.
static UNORDERED: Order = Order { name: "", by: "1", back: "1" };

/// The end of an order that rows are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Up to this many rows are sorted; more are read along an index.
pub const FEW: u64 = 500;

impl Order {
    fn is_as_made(&self) -> bool {
        self.name.ends_with("created_at")
    }

    fn text(&self, end: End) -> &'static str {
        match end {
            End::First => self.by,
            End::Last => self.back,
        }
    }

    /// Rows of a search are ordered by document number, which is the order of creation.
    fn found_text(&self, end: End) -> &'static str {
        match (self.is_as_made(), self.text(end).ends_with("DESC")) {
            (true, true) => "d.doc DESC",
            (true, false) => "d.doc",
            (false, _) => self.text(end),
        }
    }

    /// The order clause for this strategy: a plus sign keeps SQLite from using an index for a column.
    fn way_text(&self, dialect: Dialect, end: End, way: Way) -> String {
        let text = self.text(end);
        match (dialect, way) {
            (Dialect::Sqlite, Way::Sort) => {
                text.split(", ").map(|column| format!("+{column}")).collect::<Vec<_>>().join(", ")
            }
            _ => text.to_owned(),
        }
    }
}

/// Which of the two engines a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

impl Text {
    pub(super) fn on(self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::Sqlite => self.sqlite(),
            Dialect::Postgres => self.postgres(),
        }
    }
}

impl List {
    pub fn query(&'static self, scope: &TenantScope) -> ListQuery<'static> {
        ListQuery {
            list: self,
            scope: *scope,
            filters: Vec::new(),
            search: None,
            params: params![scope.tenant()].to_vec(),
            order: self.orders.first().unwrap_or(&UNORDERED),
            columns: self.columns,
        }
    }

    /// The texts of every filter, every search and every order, including count queries. A further filter only adds a
    /// condition, which makes no index unusable; all filters together are tried as well.
    pub fn variants(&'static self, dialect: Dialect) -> Vec<String> {
        let mut texts: Vec<_> = self.found.iter().flat_map(|found| found.variants(self, dialect)).collect();
        for filters in self.filter_sets() {
            for search in std::iter::once(None).chain(self.found.as_ref().map(Some)) {
                for columns in std::iter::once(self.columns).chain(self.stamps) {
                    let shape = Shape { list: self, columns, filters: &filters, search, step: None };
                    texts.push(shape.count(dialect));
                    texts.extend(self.every_order().flat_map(|order| shape.pages(dialect, order)));
                }
            }
        }
        texts
    }

    /// No filter, each in every way, and all.
    fn filter_sets(&'static self) -> Vec<Vec<Asked>> {
        let filters = || self.every_filter().chain([&self.cursor.since]);
        let all: Vec<Asked> = filters().map(Filter::as_said).collect();
        let each = filters().flat_map(Filter::ways).map(|one| vec![one]);
        [Vec::new(), all].into_iter().chain(each).collect()
    }

    /// Its own filters, and those that every list of records has.
    fn every_filter(&'static self) -> impl Iterator<Item = &'static Filter> {
        self.filters.iter().chain(&self.tagged).chain(self.tagged.as_ref().map(|_| &HOLDING))
    }

    fn every_order(&'static self) -> impl Iterator<Item = &'static Order> {
        self.orders.iter().chain([&self.cursor.by_change])
    }
}

/// One query of a list.
#[derive(Debug, Clone)]
pub struct ListQuery<'v> {
    list: &'static List,
    scope: TenantScope,
    filters: Vec<Asked>,
    search: Option<Search>,
    params: Vec<Value<'v>>,
    order: &'static Order,
    columns: &'static str,
}

impl<'v> ListQuery<'v> {
    /// Adds the named filter. An unknown name is a defect of the caller; it is ignored, and fails an assertion in
    /// tests.
    #[must_use]
    pub fn filter(self, name: &str, value: impl Into<Value<'v>>) -> Self {
        self.asked_how(name, How::AsSaid, value.into())
    }

    fn asked_how(mut self, name: &str, how: How, value: Value<'v>) -> Self {
        let filter = self.list.filters.iter().find(|filter| filter.name == name);
        debug_assert!(filter.is_some(), "{} has no filter {name}", self.list.name);
        if let Some(filter) = filter {
            debug_assert!(filter.takes(how), "{name} is not asked like this");
            self.filters.push(Asked { filter, how });
            self.params.push(value);
        }
        self
    }

    /// Adds the named filter with any of these values, if there are any.
    #[must_use]
    pub fn any<T, V: Into<Value<'v>>>(
        self,
        name: &str,
        wanted: &'v AnyOf<T>,
        value: impl Fn(&'v T) -> V,
    ) -> Self {
        if let Some(one) = wanted.one() {
            return self.filter(name, value(one));
        }
        let how = if wanted.asks_unset() { How::AnyOrUnset } else { How::Any };
        let values = wanted.values().iter().map(|one| value(one).into()).collect();
        if wanted.asks() { self.asked_how(name, how, Value::List(values)) } else { self }
    }

    #[must_use]
    pub fn any_word<T: Vocabulary>(self, name: &str, wanted: &'v AnyOf<T>) -> Self {
        self.any(name, wanted, |word| word.as_str())
    }

    #[must_use]
    pub fn any_text(self, name: &str, wanted: &'v AnyOf<String>) -> Self {
        self.any(name, wanted, String::as_str)
    }

    /// Adds the named filter by days: those before the last of these, and those that are not set if they are wanted.
    #[must_use]
    pub fn before(self, name: &str, wanted: &AnyOf<Day>) -> Self {
        let last = wanted.values().iter().max().copied();
        match (last, wanted.asks_unset()) {
            (_, false) => self.filter_opt(name, last),
            // No day is before an empty text.
            (None, true) => self.asked_how(name, How::BeforeOrUnset, Value::from("")),
            (Some(last), true) => self.asked_how(name, How::BeforeOrUnset, Value::from(last)),
        }
    }

    #[must_use]
    pub fn filter_opt(self, name: &str, value: Option<impl Into<Value<'v>>>) -> Self {
        match value {
            Some(value) => self.filter(name, value),
            None => self,
        }
    }

    /// Selects only the columns that identify a version of a row.
    #[must_use]
    pub fn stamps(mut self) -> Self {
        debug_assert!(self.list.stamps.is_some(), "{} has no stamps", self.list.name);
        self.columns = self.list.stamps.unwrap_or(self.columns);
        self
    }

    /// Keeps only rows that contain all these words.
    #[must_use]
    pub fn search(mut self, search: Option<Search>) -> Self {
        debug_assert!(search.is_none() || self.list.found.is_some(), "{} has no search", self.list.name);
        self.search = search.filter(|_| self.list.found.is_some());
        self
    }

    /// Sets the named order; without a name it is the first.
    #[must_use]
    pub fn order_opt(mut self, name: Option<&str>) -> Self {
        let Some(name) = name else { return self };
        let order = self.list.orders.iter().find(|order| order.name == name);
        debug_assert!(order.is_some(), "{} has no order {name}", self.list.name);
        self.order = order.unwrap_or(self.order);
        self
    }

    fn shape(&self) -> Shape<'_> {
        Shape { list: self.list, columns: self.columns, filters: &self.filters, search: None, step: None }
    }

    pub fn page<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        let query = self.asked(request)?;
        if let Some(search) = query.list.found.as_ref().zip(query.search.as_ref()) {
            return query.found_page(reader, search, request, read);
        }
        let total = query.shape().total(reader, &query.params)?;
        query.slice(reader, request, total, read)
    }

    /// One page of a list whose length is known, unless the request asks for changes since a moment, a tag or own fields.
    pub fn page_of<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        total: u64,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        if request.updated_since().is_some() || request.is_narrowed() {
            return self.page(reader, request, read);
        }
        self.asked(request)?.slice(reader, request, total, read)
    }

    /// Calls `each` with every row until it returns false, without collecting them: for lists larger than memory.
    pub fn each_while(
        &self,
        reader: &mut Reader<'_>,
        each: &mut dyn FnMut(&Row<'_>) -> Result<bool>,
    ) -> Result<()> {
        let text = self.shape().page(reader.dialect(), self.order, End::First, Way::InOrder);
        let mut values = self.params.clone();
        values.extend([Value::from(i64::MAX), Value::from(0_i64)]);
        reader.each_row_while((self.list.name, &text), &values, each)
    }

    /// The query with the cursor and `updated_since` of the request. A cursor of another list is refused.
    fn asked(&self, request: PageRequest) -> Result<Self> {
        let mut query = self.clone();
        if let Some((tag, tagged)) = request.tag().zip(self.list.tagged.as_ref()) {
            query.filters.push(tagged.as_said());
            query.params.push(Value::from(tag.folded()));
        }
        for digest in request.held().digests().filter(|_| self.list.tagged.is_some()) {
            query.filters.push(HOLDING.as_said());
            query.params.push(Value::from(digest.number()));
        }
        if let Some(since) = request.updated_since() {
            query.filters.push(self.list.cursor.since.as_said());
            query.params.push(Value::from(since));
            query.order = &self.list.cursor.by_change;
        }
        let step = query.step();
        match request.cursor() {
            Some(cursor) if step.is_none_or(|step| !step.fits(cursor)) => Err(Error::Cursor),
            _ => Ok(query),
        }
    }

    /// Reads a page; one in the second half is read from the end.
    fn slice<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        total: u64,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        if request.cursor().is_some() {
            return self.page_after(reader, request, total, read);
        }
        let end = request.offset().saturating_add(u64::from(request.limit())).min(total);
        let rows = if request.offset() >= total {
            Vec::new()
        } else if request.offset() > total / 2 {
            let part = (end - request.offset(), total - end);
            let mut rows = self.rows(reader, End::Last, Way::to(total, self.order), part, read)?;
            rows.reverse();
            rows
        } else {
            let part = (u64::from(request.limit()), request.offset());
            self.rows(reader, End::First, Way::to(total, self.order), part, read)?
        };
        Ok(self.ended(rows, total, request, end < total))
    }

    fn rows<T>(
        &self,
        reader: &mut Reader<'_>,
        end: End,
        way: Way,
        part: (u64, u64),
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<(T, RowPosition)>> {
        let text = self.shape().page(reader.dialect(), self.order, end, way);
        rows(reader, (self.list.name, &text), self.params.clone(), part, read)
    }
}

/// The rows of a page.
fn rows<T>(
    reader: &mut Reader<'_>,
    text: (&'static str, &str),
    mut values: Vec<Value<'_>>,
    (limit, offset): (u64, u64),
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<(T, RowPosition)>> {
    values.extend([Value::from(limit), Value::from(offset)]);
    let mut items = Vec::new();
    reader.each_row(text, &values, &mut |row| {
        items.push((read(row)?, RowPosition::of(row)?));
        Ok(())
    })?;
    Ok(items)
}
