//! Lists with optional filters and a choice of orders, composed from static parts.
//!
//! The whole space of variants can be enumerated, so tests prepare and explain every text that can ever run.

use domain::page::{Page, PageRequest};

use super::{Reader, Result, Row, Value};
use crate::{TenantScope, params};

/// One list: its columns, where they come from, and what may be asked of it. `$1` is the tenant.
#[derive(Debug)]
pub struct List {
    pub name: &'static str,
    pub columns: &'static str,
    pub from: &'static str,
    /// The condition every variant has, binding the tenant as `$1`.
    pub base: &'static str,
    pub filters: &'static [Filter],
    /// The first order is the default.
    pub orders: &'static [Order],
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
}

impl List {
    pub fn query(&'static self, scope: &TenantScope) -> ListQuery<'static> {
        let order = self.orders.first().map_or("", |order| order.by);
        ListQuery { list: self, conditions: String::new(), params: params![scope.tenant()].to_vec(), order }
    }

    /// The texts of every combination of filters and orders, count queries included.
    pub fn variants(&'static self) -> Vec<String> {
        let mut texts = Vec::new();
        for chosen in 0..1_u32 << self.filters.len() {
            let (mut conditions, mut next) = (String::new(), 2);
            for (bit, filter) in self.filters.iter().enumerate() {
                if chosen & (1 << bit) != 0 {
                    conditions.push_str(&numbered(filter, next));
                    next += 1;
                }
            }
            texts.push(self.count_text(&conditions));
            texts.extend(self.orders.iter().map(|order| self.page_text(&conditions, order.by, next)));
        }
        texts
    }

    fn count_text(&self, conditions: &str) -> String {
        format!("SELECT COUNT(*) FROM {} WHERE {}{conditions}", self.from, self.base)
    }

    fn page_text(&self, conditions: &str, order: &str, next: usize) -> String {
        format!(
            "SELECT {} FROM {} WHERE {}{conditions} ORDER BY {order} LIMIT ${next} OFFSET ${}",
            self.columns,
            self.from,
            self.base,
            next + 1
        )
    }
}

fn numbered(filter: &Filter, number: usize) -> String {
    format!(" AND {}", filter.condition.replace('?', &format!("${number}")))
}

/// One question to a list.
#[derive(Debug, Clone)]
pub struct ListQuery<'v> {
    list: &'static List,
    conditions: String,
    params: Vec<Value<'v>>,
    order: &'static str,
}

impl<'v> ListQuery<'v> {
    /// Adds the named filter. A name the list does not have is a defect of the caller and is ignored loudly in tests.
    #[must_use]
    pub fn filter(mut self, name: &str, value: impl Into<Value<'v>>) -> Self {
        let filter = self.list.filters.iter().find(|filter| filter.name == name);
        debug_assert!(filter.is_some(), "{} has no filter {name}", self.list.name);
        if let Some(filter) = filter {
            self.conditions.push_str(&numbered(filter, self.params.len() + 1));
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

    #[must_use]
    pub fn order(mut self, name: &str) -> Self {
        if let Some(order) = self.list.orders.iter().find(|order| order.name == name) {
            self.order = order.by;
        }
        self
    }

    pub fn total(&self, reader: &mut Reader<'_>) -> Result<u64> {
        let mut total = 0;
        reader.each_row(&self.list.count_text(&self.conditions), &self.params, |row| {
            total = row.get(0)?;
            Ok(())
        })?;
        Ok(total)
    }

    /// The rows of one page, without the total.
    pub fn rows<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut params = self.params.clone();
        params.extend([Value::from(request.limit()), Value::from(request.offset())]);
        let text = self.list.page_text(&self.conditions, self.order, self.params.len() + 1);
        let mut items = Vec::with_capacity(request.limit() as usize);
        reader.each_row(&text, &params, |row| {
            items.push(read(row)?);
            Ok(())
        })?;
        Ok(items)
    }

    pub fn page<T>(
        &self,
        reader: &mut Reader<'_>,
        request: PageRequest,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Page<T>> {
        Ok(Page { total: self.total(reader)?, items: self.rows(reader, request, read)?, request })
    }
}
