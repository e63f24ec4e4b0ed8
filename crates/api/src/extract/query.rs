//! Query parameters: paging for every list, and filters whose values are validated.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt::Display,
    str::FromStr,
};

use app::{Error, catalogue::Edition};
use axum::extract::FromRequestParts;
use domain::{
    any_of::AnyOf,
    framework::Framework,
    moment::Moment,
    page::PageRequest,
    violation::{Complaint, Violations},
};
use http::request::Parts;
use serde::{Deserialize, de::DeserializeOwned};
use utoipa::{
    IntoParams, ToSchema,
    openapi::{
        RefOr,
        schema::{ObjectBuilder, Schema, Type},
    },
};

use super::{
    cursor,
    request::{self, Parsed, Source},
};
use crate::ApiError;

/// `limit` and `offset` as every list documents them.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageParams {
    /// Items per page. The maximum is 500; a larger number is treated as 500.
    #[param(inline, value_type = Option<Limit>)]
    limit: Option<Parsed<Limit>>,
    /// The number of items to skip.
    #[param(inline, value_type = Option<Offset>)]
    offset: Option<Parsed<Offset>>,
}

/// What every v1 list takes besides its filters.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListParams {
    /// Results per page, at most 500. Above 500 is applied as 500.
    #[param(inline, value_type = Option<Limit>)]
    pub limit: Option<Parsed<Limit>>,
    /// Where the page starts. Not together with `cursor`.
    #[param(inline, value_type = Option<Offset>)]
    pub offset: Option<Parsed<Offset>>,
    /// Only records changed at this moment or later (RFC 3339), oldest change first. Not together with `sort`.
    #[param(value_type = Option<String>, format = DateTime, example = "2026-11-14T00:00:00Z")]
    pub updated_since: Option<Parsed<Moment>>,
    /// Goes on where a page before ended: its `meta.next_cursor`, sent with the same filters. However many records come
    /// and go meanwhile, none that is there throughout is left out or comes twice; only with `updated_since` a record
    /// that changes meanwhile comes again, with its change. Lists sorted by a field that can change have no cursor:
    /// their `meta.next_cursor` is always null.
    pub cursor: Option<String>,
}

/// A whole number with a minimum and a default. Any larger number is accepted, so the schema has no format.
pub(crate) fn whole_number(least: u64, usual: u64) -> RefOr<Schema> {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number.minimum(Some(least)).default(Some(usual.into())).into()
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit(pub u64);

impl FromStr for Limit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        digits(text).map(Self).ok_or("must be a whole number of at least 1")
    }
}

impl utoipa::PartialSchema for Limit {
    fn schema() -> RefOr<Schema> {
        whole_number(1, 50)
    }
}

impl ToSchema for Limit {}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Offset(pub u64);

impl FromStr for Offset {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        digits(text).map(Self).ok_or("must be a whole number of at least 0")
    }
}

impl utoipa::PartialSchema for Offset {
    fn schema() -> RefOr<Schema> {
        whole_number(0, 0)
    }
}

impl ToSchema for Offset {}

/// A number in digits only. More digits than fit are still a large number.
fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

/// The query string of a list: the page and the filters of the route.
#[derive(Debug)]
pub(crate) struct PageQuery {
    pub page: PageRequest,
    params: HashMap<String, Vec<String>>,
    violations: Violations,
    /// The names that were read, where a name that no one reads is refused.
    read: Option<HashSet<&'static str>>,
}

impl<S: Send + Sync> FromRequestParts<S> for PageQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut query = Self::parse(parts);
        let params: PageParams = query.read();
        query.set_page(params.limit, params.offset);
        query.check()
    }
}

/// The query string of a v1 list, which also supports `updated_since` and cursors.
#[derive(Debug)]
pub(crate) struct ListQuery(pub PageQuery);

impl<S: Send + Sync> FromRequestParts<S> for ListQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let mut query = PageQuery::parse(parts);
        let params: ListParams = query.read();
        query.set_page(params.limit, params.offset);
        query.set_cursor(params);
        query.check().map(Self)
    }
}

/// The query string of a list that is not paged: its filters alone.
#[derive(Debug)]
pub(crate) struct FilterQuery(pub PageQuery);

impl<S: Send + Sync> FromRequestParts<S> for FilterQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        PageQuery::parse(parts).check().map(Self)
    }
}

impl PageQuery {
    fn parse(parts: &Parts) -> Self {
        Self::of(parts.uri.query().unwrap_or_default())
    }

    /// The filters that choose the records for something else than a list, for its first page. A name that the list
    /// does not know would choose too many records, so it is refused.
    pub(crate) fn choosing(query: &str) -> Self {
        Self { read: Some(HashSet::new()), ..Self::of(query) }
    }

    fn of(query: &str) -> Self {
        let mut params: HashMap<String, Vec<String>> = HashMap::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()).into_owned() {
            params.entry(name).or_default().push(value);
        }
        let mut violations = Violations::default();
        // No stored text contains it, and PostgreSQL treats it as the end of a text.
        for (name, _) in params.iter().filter(|(_, values)| values.iter().any(|value| value.contains('\0'))) {
            let rule = Complaint::protocol("must not hold the character U+0000");
            violations.add(name.replace('\0', ""), rule);
        }
        Self { page: PageRequest::default(), params, violations, read: None }
    }

    fn set_page(&mut self, limit: Option<Parsed<Limit>>, offset: Option<Parsed<Offset>>) {
        let limit = limit.map(|Parsed(Limit(limit))| limit);
        let offset = offset.map(|Parsed(Offset(offset))| offset);
        self.page = self.violations.keep("limit", PageRequest::new(limit, offset)).unwrap_or_default();
    }

    fn set_cursor(&mut self, params: ListParams) {
        if let Some(Parsed(since)) = params.updated_since {
            self.page = self.page.since(since);
            if self.params.contains_key("sort") {
                let rule = "cannot be combined with updated_since, which has an order of its own: oldest change first";
                self.violations.add("sort", Complaint::protocol(rule));
            }
        }
        let Some(text) = params.cursor else { return };
        let Some(cursor) = cursor::parse(&text) else {
            self.violations.add(
                "cursor",
                Complaint::protocol("is not one that a list gave: send meta.next_cursor as it is"),
            );
            return;
        };
        if params.offset.is_some() {
            self.violations.add("offset", Complaint::protocol("cannot be combined with cursor"));
        }
        let since = self.page.updated_since();
        self.page = self.page.after(cursor);
        if since.is_some() && self.page.updated_since() != since {
            self.violations
                .add("updated_since", Complaint::protocol("must be the one the cursor was given for"));
        }
    }

    /// The parameters of the route; absent where they violate their types.
    pub(crate) fn read<T: DeserializeOwned + Default>(&mut self) -> T {
        if let Some(read) = &mut self.read {
            read.extend(request::names::<T>());
        }
        let entries =
            self.params.iter().map(|(name, values)| (name.as_str(), Source::Texts(values))).collect();
        request::read(&entries, &mut self.violations)
    }

    /// Takes the parameters of names that no type knows: `custom.region` is the member `region` of `custom`.
    pub(crate) fn members(&mut self, of: &str) -> BTreeMap<String, String> {
        let member = |name: &String| name.strip_prefix(of)?.strip_prefix('.').map(str::to_owned);
        let names: Vec<String> = self.params.keys().filter(|name| member(name).is_some()).cloned().collect();
        let mut members = BTreeMap::new();
        for name in names {
            let mut values = self.params.remove(&name).unwrap_or_default();
            if values.len() > 1 {
                self.complain(&name, "must be sent once");
            }
            members.extend(member(&name).zip(values.pop()));
        }
        members
    }

    /// Whether the parameter was sent.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.params.contains_key(name)
    }

    /// A filter by a framework of the catalogue.
    pub(crate) fn framework(&mut self, name: &str, id: Option<&str>, edition: &Edition) -> Option<Framework> {
        self.violations.keep(name, edition.framework_named(id?))
    }

    /// The same by any of several frameworks.
    pub(crate) fn frameworks(
        &mut self,
        name: &str,
        ids: &AnyOf<String>,
        edition: &Edition,
    ) -> AnyOf<Framework> {
        let known: Vec<_> =
            ids.values().iter().filter_map(|id| self.framework(name, Some(id), edition)).collect();
        AnyOf::new(known).or_unset(ids.asks_unset())
    }

    /// A filter by the ids of records of a kind.
    pub(crate) fn ids<T: FromStr + PartialEq>(
        &mut self,
        name: &str,
        ids: &AnyOf<String>,
        record: &str,
    ) -> AnyOf<T> {
        let known: Vec<_> = ids.values().iter().filter_map(|id| self.id(name, Some(id), record)).collect();
        AnyOf::new(known).or_unset(ids.asks_unset())
    }

    /// A filter by the id of a record. No record matches an id that does not exist.
    pub(crate) fn id<T: FromStr>(&mut self, name: &str, text: Option<&str>, record: &str) -> Option<T> {
        let id = text?.parse().ok();
        if id.is_none() {
            self.violations.add(name, Complaint::protocol(format_args!("must be the id of {record}")));
        }
        id
    }

    pub(crate) fn complain(&mut self, name: &str, message: impl Display) {
        self.violations.add(name, Complaint::protocol(message));
    }

    /// Returns 422 if any parameter read so far was invalid.
    pub(crate) fn check(mut self) -> Result<Self, ApiError> {
        let mut violations = std::mem::take(&mut self.violations);
        if let Some(read) = &self.read {
            for name in self.params.keys().filter(|name| !read.contains(name.as_str())) {
                violations.add(name.as_str(), Complaint::protocol("is no parameter of this list"));
            }
        }
        violations.check().map_err(|violations| ApiError::App(Error::Invalid(violations)))?;
        Ok(self)
    }
}
