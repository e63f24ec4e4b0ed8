//! A query of a list of the catalogue, the same for v1 and v2: the caller, the page, the filters and the language.

use std::sync::Arc;

use app::{
    App, Error,
    catalogue::{Edition, RecordPage, Records, record::Needle},
};
use axum::{extract::FromRequestParts, response::Response};
use bytes::Bytes;
use domain::{
    moment::{Day, Moment},
    page::PageRequest,
    violation::Complaint,
    wording::Language,
};
use http::{StatusCode, request::Parts};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Reference;
use crate::{
    ApiError,
    extract::{IfNoneMatch, ListParams, PageQuery, Parsed, Reader, Search, Spoken, cursor},
    middleware::answer_cache::{CachedRequest, Lasting},
    respond,
};

/// `search` as every list of the catalogue documents it.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchParams {
    /// Only records whose texts contain all these words. Case and accents are ignored.
    #[param(value_type = Option<String>, max_length = 200)]
    search: Option<Search>,
}

#[derive(Debug)]
pub(crate) struct ReferenceQuery {
    pub edition: Arc<Edition>,
    pub query: PageQuery,
    pub language: Language,
    search: Option<Search>,
    question: Option<CachedRequest>,
    if_none_match: IfNoneMatch,
    /// Where the next page begins, on routes with cursors.
    cursor: Option<String>,
    /// Only what changed at this moment or later, on those routes.
    updated_since: Option<Moment>,
}

impl FromRequestParts<App> for ReferenceQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Reader::from_request_parts(parts, app).await?;
        let mut query = PageQuery::from_request_parts(parts, app).await?;
        let Spoken(language) = Spoken::of(&query.read(), &parts.headers)?;
        let SearchParams { search } = query.read();
        let if_none_match =
            IfNoneMatch::from_request_parts(parts, app).await.unwrap_or_else(|never| match never {});
        let question = CachedRequest::of(parts);
        let edition = app.catalogue()?;
        let (cursor, updated_since) = (None, None);
        Ok(Self { edition, query, language, search, question, if_none_match, cursor, updated_since })
    }
}

/// How an API serialises a page of records.
pub(crate) type WritePage = fn(&RecordPage<'_>) -> Vec<u8>;

impl ReferenceQuery {
    /// Parses `updated_since` and `cursor`, as every v1 list does.
    pub(crate) fn with_cursor(mut self) -> Self {
        let params: ListParams = self.query.read();
        self.updated_since = params.updated_since.map(Parsed::value);
        self.cursor = params.cursor;
        if self.cursor.is_some() && params.offset.is_some() {
            self.query.complain("offset", "cannot be combined with cursor");
        }
        self
    }

    /// The positions of changed records, if the records last changed on this day: those of a list change together.
    fn changed(&self, positions: Vec<usize>, last_change: Day) -> Vec<usize> {
        let is_older = |since: Moment| last_change < since.day();
        if self.updated_since.is_some_and(is_older) { Vec::new() } else { positions }
    }

    /// The requested page in the list of these records.
    fn part(&self, records: &Records, positions: &[usize]) -> app::Result<PageRequest> {
        let page = self.query.page;
        let Some(text) = &self.cursor else { return Ok(page) };
        let position = cursor::parse_position(text, &records.list_tag(positions)).ok_or_else(|| {
            let rule = "does not belong to this list as it is now: begin again without it";
            Error::invalid("cursor", Complaint::protocol(rule))
        })?;
        Ok(PageRequest::part(page.limit(), position))
    }

    /// Returns 422 if any parameter was invalid.
    pub(crate) fn checked(mut self) -> Result<Self, ApiError> {
        self.query = self.query.check()?;
        Ok(self)
    }

    pub(crate) fn needle(&self) -> Needle {
        Needle::new(self.search.as_ref().map_or("", Search::as_str))
    }

    /// The page of the records that pass the filter and contain the words.
    pub(crate) fn list<R: Reference>(
        self,
        keep: impl Fn(&R::Source) -> bool,
        write: WritePage,
    ) -> Result<Response, ApiError> {
        let request = self.checked()?;
        let (edition, language) = (&request.edition, request.language);
        let positions = R::shelf(edition).positions(&request.needle(), language, &keep);
        let positions = request.changed(positions, edition.version);
        let records = edition.records(&R::set(), language)?;
        let page = records.page(&positions, request.part(&records, &positions)?);
        let mut response = request.answer(&page.validator, || write(&page));
        if let Some(question) = request.question {
            response.extensions_mut().insert(Lasting { question, edition: Arc::downgrade(edition) });
        }
        Ok(response)
    }

    /// The page of the records at these positions, which last changed on this day.
    pub(crate) fn page(
        &self,
        records: &Records,
        (positions, last_change): (Vec<usize>, Day),
        write: WritePage,
    ) -> Result<Response, ApiError> {
        let positions = self.changed(positions, last_change);
        let page = records.page(&positions, self.part(records, &positions)?);
        Ok(self.answer(&page.validator, || write(&page)))
    }

    /// A body with its validator, in the requested language.
    pub(crate) fn answer<B: Into<Bytes>>(&self, validator: &str, body: impl FnOnce() -> B) -> Response {
        let response =
            respond::validated(validator, &self.if_none_match, || respond::json(StatusCode::OK, body()));
        respond::spoken(response, self.language)
    }
}
