//! Query parameters: paging for every list, and filters whose values are checked.

use std::{collections::HashMap, fmt::Display, str::FromStr};

use app::Error;
use axum::extract::FromRequestParts;
use domain::{
    page::PageRequest,
    text::TextError,
    violation::{Complaint, Violations},
};
use http::request::Parts;
use utoipa::{
    IntoParams, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type},
    },
};

use crate::ApiError;

/// `limit` and `offset` as every list documents them.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; PageQuery reads the values")]
pub(crate) struct PageParams {
    /// Items per page. The maximum is 500; a larger number is treated as 500.
    #[param(inline, value_type = Option<Limit>)]
    limit: Option<u64>,
    /// The number of items to skip.
    #[param(inline, value_type = Option<Offset>)]
    offset: Option<u64>,
}

/// A whole number with a least and a usual value. Any larger number is accepted, so the schema has no format.
pub(crate) fn whole_number(least: u64, usual: u64) -> RefOr<Schema> {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number.minimum(Some(least)).default(Some(usual.into())).into()
}

#[derive(Debug)]
enum Limit {}

impl utoipa::PartialSchema for Limit {
    fn schema() -> RefOr<Schema> {
        whole_number(1, 50)
    }
}

impl ToSchema for Limit {}

#[derive(Debug)]
pub(crate) enum Offset {}

impl utoipa::PartialSchema for Offset {
    fn schema() -> RefOr<Schema> {
        whole_number(0, 0)
    }
}

impl ToSchema for Offset {}

/// A longer search is a mistake.
const MAX_SEARCH: usize = 200;

/// The query string of a list: the page and whatever filters the route asks for.
#[derive(Debug)]
pub(crate) struct PageQuery {
    pub page: PageRequest,
    params: HashMap<String, String>,
    violations: Violations,
}

impl<S: Send + Sync> FromRequestParts<S> for PageQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        let params: HashMap<String, String> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut query = Self { page: PageRequest::default(), params, violations: Violations::default() };
        let limit = query.number("limit", "must be a whole number of at least 1");
        let offset = query.number("offset", "must be a whole number of at least 0");
        let page = PageRequest::new(limit, offset);
        query.page = query.violations.keep("limit", page).unwrap_or_default();
        query.check()
    }
}

impl PageQuery {
    fn number(&mut self, name: &str, rule: &str) -> Option<u64> {
        let text = self.params.get(name)?;
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits {
            self.violations.add(name, Complaint::protocol(rule));
            return None;
        }
        // More digits than fit are a large number all the same.
        Some(text.parse().unwrap_or(u64::MAX))
    }

    /// A parameter as it stands.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.params.get(name).map(String::as_str)
    }

    /// A filter whose value must be one of those `T` knows.
    pub(crate) fn filter<T: FromStr<Err: Display>>(&mut self, name: &str) -> Option<T> {
        let text = self.params.get(name)?;
        self.violations.keep(name, text.parse().map_err(Complaint::protocol))
    }

    /// A filter by the id of a record. One that does not exist is a filter nothing passes.
    pub(crate) fn id<T: FromStr>(&mut self, name: &str, record: &str) -> Option<T> {
        let id = self.params.get(name)?.parse().ok();
        if id.is_none() {
            self.violations.add(name, Complaint::protocol(format_args!("must be the id of {record}")));
        }
        id
    }

    /// The words to search for; without any, nothing is searched.
    pub(crate) fn search(&mut self) -> Option<String> {
        let text = self.params.get("search")?.trim();
        if text.chars().count() > MAX_SEARCH {
            self.violations.add("search", TextError::TooLong(MAX_SEARCH));
            return None;
        }
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A switch: `true` or `false`, also as 1 and 0.
    pub(crate) fn switch(&mut self, name: &str) -> Option<bool> {
        match self.params.get(name)?.as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => {
                self.violations.add(name, Complaint::protocol("must be true or false"));
                None
            }
        }
    }

    pub(crate) fn complain(&mut self, name: &str, message: impl Display) {
        self.violations.add(name, Complaint::protocol(message));
    }

    /// Answers 422 if any parameter asked for so far was wrong.
    pub(crate) fn check(mut self) -> Result<Self, ApiError> {
        let violations = std::mem::take(&mut self.violations);
        violations.check().map_err(|violations| ApiError::App(Error::Invalid(violations)))?;
        Ok(self)
    }
}
