//! Lists with optional filters and a choice of orders, composed from static parts.
//!
//! The whole space of variants can be enumerated, so tests prepare and explain every text that can ever run.

mod found;

use domain::page::{Page, PageRequest};

use super::{Reader, Result, Row, Search, Text, Value};
use crate::{TenantScope, params};

pub use found::Found;

/// One list: its columns, where they come from, and what may be asked of it. `$1` is the tenant.
#[derive(Debug)]
pub struct List {
    pub name: &'static str,
    pub columns: &'static str,
    /// The columns that tell one state of a row from another, if rows are asked for by them alone.
    pub stamps: Option<&'static str>,
    pub from: &'static str,
    /// The condition every variant has, binding the tenant as `$1`.
    pub base: &'static str,
    pub filters: &'static [Filter],
    /// The first order is the default.
    pub orders: &'static [Order],
    /// Where the rows come from when words are searched for, if they can be.
    pub found: Option<Found>,
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
    /// The same order from its other end, to reach the last pages from there.
    pub back: &'static str,
}

/// For a list that declares no order, which none does.
static UNORDERED: Order = Order { name: "", by: "1", back: "1" };

/// From which end of an order rows are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// How SQLite puts rows in order. Left alone it walks along an index in that order whenever there is one, however
/// few rows fit the filters, and then looks at every row there is. PostgreSQL knows how many fit and chooses itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Along the order until the page is full: quick when many rows fit.
    Walk,
    /// First what fits, by the filters, then sorted: quick when few do.
    Sort,
}

impl Way {
    /// By the order in which rows are made every filter has an index; otherwise few rows are sorted.
    fn to(total: u64, order: &Order) -> Self {
        if total <= FEW && !order.is_as_made() { Self::Sort } else { Self::Walk }
    }
}

/// So many rows are sorted in no time, and more of them are met soon enough on a walk.
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

    /// The order for this way: a plus sign keeps SQLite from finding an index for a column.
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

    /// The texts of every combination of filters, search and orders, count queries included.
    pub fn variants(&'static self, dialect: Dialect) -> Vec<String> {
        let mut texts: Vec<_> = self.found.iter().flat_map(|found| found.variants(self, dialect)).collect();
        for chosen in 0..1_u32 << self.filters.len() {
            let all = self.filters.iter().enumerate();
            let filters: Vec<_> =
                all.filter(|(bit, _)| chosen & (1 << bit) != 0).map(|(_, filter)| filter).collect();
            for search in std::iter::once(None).chain(self.found.as_ref().map(Some)) {
                for columns in std::iter::once(self.columns).chain(self.stamps) {
                    let shape = Shape { list: self, columns, filters: &filters, search };
                    texts.push(shape.count(dialect));
                    let orders =
                        self.orders.iter().flat_map(|order| [(order, End::First), (order, End::Last)]);
                    let ways: &[Way] =
                        if dialect == Dialect::Sqlite { &[Way::Walk, Way::Sort] } else { &[Way::Walk] };
                    texts.extend(orders.flat_map(|(order, end)| {
                        ways.iter().map(move |way| shape.page(dialect, order, end, *way))
                    }));
                }
            }
        }
        texts
    }
}

/// Which parts of a list one text is made of.
#[derive(Clone, Copy)]
struct Shape<'q> {
    list: &'static List,
    columns: &'static str,
    filters: &'q [&'static Filter],
    search: Option<&'static Found>,
}

impl Shape<'_> {
    fn count(self, dialect: Dialect) -> String {
        let (rest, _) = self.rest(dialect);
        format!("SELECT COUNT(*) {rest}")
    }

    fn total(self, reader: &mut Reader<'_>, values: &[Value<'_>]) -> Result<u64> {
        let mut total = 0;
        reader.each_row(&self.count(reader.dialect()), values, &mut |row| {
            total = row.get(0)?;
            Ok(())
        })?;
        Ok(total)
    }

    fn page(self, dialect: Dialect, order: &Order, end: End, way: Way) -> String {
        // Nothing is gained by sorting what has no filter, and what was found is sorted in any case.
        let way = if self.filters.is_empty() || self.search.is_some() { Way::Walk } else { way };
        let (rest, next) = self.rest(dialect);
        let (columns, order) = (self.columns, order.way_text(dialect, end, way));
        format!("SELECT {columns} {rest} ORDER BY {order} LIMIT ${next} OFFSET ${}", next + 1)
    }

    /// From `FROM` to the end of the conditions, and the number of the next parameter.
    fn rest(self, dialect: Dialect) -> (String, usize) {
        let from = self.search.map_or_else(|| self.list.from.to_owned(), |_| Found::from(self.list));
        let mut text = format!("FROM {from} WHERE {}", self.list.base);
        let mut next = 2;
        let found = self.search.iter().flat_map(|found| found.conditions(dialect));
        for condition in found.chain(self.filters.iter().map(|filter| filter.condition)) {
            text.push_str(" AND ");
            if condition.contains('?') {
                text.push_str(&condition.replace('?', &format!("${next}")));
                next += 1;
            } else {
                text.push_str(condition);
            }
        }
        (text, next)
    }
}

/// One question to a list.
#[derive(Debug, Clone)]
pub struct ListQuery<'v> {
    list: &'static List,
    scope: TenantScope,
    filters: Vec<&'static Filter>,
    search: Option<Search>,
    params: Vec<Value<'v>>,
    order: &'static Order,
    columns: &'static str,
}

impl<'v> ListQuery<'v> {
    /// Adds the named filter. A name the list does not have is a defect of the caller and is ignored loudly in tests.
    #[must_use]
    pub fn filter(mut self, name: &str, value: impl Into<Value<'v>>) -> Self {
        let filter = self.list.filters.iter().find(|filter| filter.name == name);
        debug_assert!(filter.is_some(), "{} has no filter {name}", self.list.name);
        if let Some(filter) = filter {
            self.filters.push(filter);
            self.params.push(value.into());
        }
        self
    }

    #[must_use]
    pub fn filter_opt(self, name: &str, value: Option<impl Into<Value<'v>>>) -> Self {
        match value {
            Some(value) => self.filter(name, value),
            None => self,
        }
    }

    /// Asks only for what tells one state of a row from another.
    #[must_use]
    pub fn stamps(mut self) -> Self {
        debug_assert!(self.list.stamps.is_some(), "{} has no stamps", self.list.name);
        self.columns = self.list.stamps.unwrap_or(self.columns);
        self
    }

    /// Keeps only rows with all these words.
    #[must_use]
    pub fn search(mut self, search: Option<Search>) -> Self {
        debug_assert!(search.is_none() || self.list.found.is_some(), "{} has no search", self.list.name);
        self.search = search.filter(|_| self.list.found.is_some());
        self
    }

    /// Puts the rows in the named order; without a name they have the first.
    #[must_use]
    pub fn order_opt(mut self, name: Option<&str>) -> Self {
        let Some(name) = name else { return self };
        let order = self.list.orders.iter().find(|order| order.name == name);
        debug_assert!(order.is_some(), "{} has no order {name}", self.list.name);
        self.order = order.unwrap_or(self.order);
        self
    }

    fn shape(&self) -> Shape<'_> {
        Shape { list: self.list, columns: self.columns, filters: &self.filters, search: None }
    }

    pub fn page<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        if let Some(search) = self.list.found.as_ref().zip(self.search.as_ref()) {
            return self.found_page(reader, search, request, read);
        }
        let total = self.shape().total(reader, &self.params)?;
        self.page_of(reader, request, total, read)
    }

    /// One page of a list whose length is known. A page in the second half is reached from the end.
    pub fn page_of<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        total: u64,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        let end = request.offset().saturating_add(u64::from(request.limit())).min(total);
        let items = if request.offset() >= total {
            Vec::new()
        } else if request.offset() > total / 2 {
            let part = (end - request.offset(), total - end);
            let mut items = self.rows(reader, End::Last, Way::to(total, self.order), part, read)?;
            items.reverse();
            items
        } else {
            let part = (u64::from(request.limit()), request.offset());
            self.rows(reader, End::First, Way::to(total, self.order), part, read)?
        };
        Ok(Page { items, total, request })
    }

    fn rows<T>(
        &self,
        reader: &mut Reader<'_>,
        end: End,
        way: Way,
        part: (u64, u64),
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let text = self.shape().page(reader.dialect(), self.order, end, way);
        rows(reader, &text, self.params.clone(), part, read)
    }
}

/// So many rows after so many.
fn rows<T>(
    reader: &mut Reader<'_>,
    text: &str,
    mut values: Vec<Value<'_>>,
    (limit, offset): (u64, u64),
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    values.extend([Value::from(limit), Value::from(offset)]);
    let mut items = Vec::new();
    reader.each_row(text, &values, &mut |row| {
        items.push(read(row)?);
        Ok(())
    })?;
    Ok(items)
}
