//! A question to a list of the catalogue, the same for every keyed surface: whose key, which page, which words, in
//! which language.

use std::sync::Arc;

use app::{
    App,
    catalogue::{Edition, RecordPage, Records, record::Needle},
};
use axum::{extract::FromRequestParts, response::Response};
use bytes::Bytes;
use domain::wording::Language;
use http::{StatusCode, request::Parts};
use utoipa::IntoParams;

use super::Reference;
use crate::{
    ApiError,
    extract::{IfNoneMatch, PageQuery, Reader, Spoken},
    middleware::remember::{Lasting, Question},
    respond,
};

/// `search` as every list of the catalogue documents it.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; ReferenceQuery reads the value")]
pub(crate) struct SearchParams {
    /// Only records whose texts contain all these words. Case and accents are ignored.
    #[param(max_length = 200)]
    search: Option<String>,
}

/// A longer search is a mistake.
const LONGEST_SEARCH: usize = 200;

#[derive(Debug)]
pub(crate) struct ReferenceQuery {
    pub edition: Arc<Edition>,
    pub query: PageQuery,
    pub language: Language,
    /// Path and query as they were sent.
    words: Box<str>,
    question: Option<Question>,
    if_none_match: IfNoneMatch,
}

impl FromRequestParts<App> for ReferenceQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Reader::from_request_parts(parts, app).await?;
        let query = PageQuery::from_request_parts(parts, app).await?;
        let Spoken(language) = Spoken::of(query.text("lang"), &parts.headers)?;
        let if_none_match =
            IfNoneMatch::from_request_parts(parts, app).await.unwrap_or_else(|never| match never {});
        let words = parts.uri.path_and_query().map_or("", |sent| sent.as_str()).into();
        let question = Question::of(parts);
        Ok(Self { edition: app.catalogue()?, query, language, words, question, if_none_match })
    }
}

/// How a surface writes a page of records.
pub(crate) type WritePage = fn(&RecordPage<'_>) -> Vec<u8>;

impl ReferenceQuery {
    /// Answers 422 if any parameter asked for was wrong.
    pub(crate) fn checked(mut self) -> Result<Self, ApiError> {
        if self.query.text("search").is_some_and(|words| words.chars().count() > LONGEST_SEARCH) {
            let rule = format!("must be at most {LONGEST_SEARCH} characters long");
            self.query.complain("search", rule);
        }
        self.query = self.query.check()?;
        Ok(self)
    }

    pub(crate) fn needle(&self) -> Needle {
        Needle::new(self.query.text("search").unwrap_or_default())
    }

    /// The page of the records that the filter keeps and the words occur in.
    pub(crate) fn list<R: Reference>(
        self,
        keep: impl Fn(&R::Source) -> bool,
        write: WritePage,
    ) -> Result<Response, ApiError> {
        let request = self.checked()?;
        let (edition, language) = (&request.edition, request.language);
        let page = edition.page(&request.words, language, || {
            let positions = R::shelf(edition).positions(&request.needle(), language, keep);
            let records = edition.records(&R::set(), language)?;
            let page = records.page(&positions, request.query.page);
            Ok((write(&page), page.etag))
        })?;
        let mut response = request.answer(&page.etag, || page.body);
        if let Some(question) = request.question {
            response.extensions_mut().insert(Lasting { question, edition: Arc::downgrade(edition) });
        }
        Ok(response)
    }

    /// The page of the records at these positions.
    pub(crate) fn page(&self, records: &Records, positions: &[usize], write: WritePage) -> Response {
        let page = records.page(positions, self.query.page);
        self.answer(&page.etag, || write(&page))
    }

    /// A body with its validator, in the language that was asked for.
    pub(crate) fn answer<B: Into<Bytes>>(&self, etag: &str, body: impl FnOnce() -> B) -> Response {
        let response =
            respond::validated(etag, &self.if_none_match, || respond::json(StatusCode::OK, body()));
        respond::spoken(response, self.language)
    }
}
