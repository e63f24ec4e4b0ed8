//! Tags of records of every kind, and the filter of lists by a tag.

use std::str::FromStr;

use app::{App, records::KINDS};
use axum::{extract::State, response::Response};
use domain::{
    tag::{Tag, TagsInput},
    violation::Complaint,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::comments::{OfRecord, at};
use crate::{
    ApiError,
    extract::{Body, PageQuery, Parsed, Reader, Writer},
    respond::{self, Data},
    schema::body,
    v1::{
        Subject,
        wire::{BodyErrors, KeyedErrors},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "tags",
    about: "Tags on records of every kind: short labels of the institution's own, which lists are filtered by.",
    list: None,
    routes: |router| KINDS.iter().fold(router, |router, kind| router.routes(at(kind, routes!(get, put)))),
};

/// What every list of records takes besides its own filters.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TagParams {
    /// Only records that have this tag now, in upper or lower case.
    #[param(value_type = Option<String>, max_length = 40, example = "audit 2026")]
    tag: Option<Parsed<Wanted>>,
}

/// The tag of a filter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted(Tag);

impl FromStr for Wanted {
    type Err = Complaint;

    fn from_str(text: &str) -> Result<Self, Complaint> {
        Tag::parse(text).map(Self)
    }
}

/// Narrows the page to the tag that the query string names.
pub(crate) fn narrow(query: &mut PageQuery) {
    let wanted = query.read::<TagParams>().tag.map(|Parsed(Wanted(tag))| tag);
    query.page = query.page.tagged(wanted);
}

/// The tags of a record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tags {
    /// In alphabetical order.
    #[schema(example = json!(["audit 2026", "outsourcing"]))]
    tags: Vec<String>,
}

impl From<&[Tag]> for Tags {
    fn from(tags: &[Tag]) -> Self {
        Self { tags: tags.iter().map(ToString::to_string).collect() }
    }
}

body! {
    /// The tags that a record is to have.
    NewTags from TagsChange {
        required: ["tags"],
        without: [],
        example: { "tags": ["audit 2026", "outsourcing"] }
    }
}

/// The tags of a record as a request sends them.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "tags": ["audit 2026", "outsourcing"] }))]
pub(crate) struct TagsChange {
    /// Each of 1 to 40 characters, without commas. An empty list removes all.
    #[schema(max_items = 20, nullable = false)]
    tags: Option<Option<Vec<String>>>,
}

impl TagsChange {
    pub(crate) fn sent(self) -> Option<Option<Vec<String>>> {
        self.tags
    }
}

fn answer(tags: &[Tag]) -> Response {
    respond::json(StatusCode::OK, respond::to_json(&Data { data: Tags::from(tags) }))
}

/// Gets the tags of a record.
#[utoipa::path(get, path = "/api/v1/{noun}/{id}/tags", tag = "tags", params(("id" = String, Path)),
    responses((status = 200, body = Data<Tags>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    OfRecord(record): OfRecord,
) -> Result<Response, ApiError> {
    Ok(answer(&app.records.tags(&caller, record).await?.tags))
}

/// Replaces the tags of a record.
///
/// Its version stays the same. Tags that differ only in upper and lower case are the same tag.
#[utoipa::path(put, path = "/api/v1/{noun}/{id}/tags", tag = "tags", request_body = NewTags,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<Tags>), KeyedErrors, BodyErrors))]
pub(crate) async fn put(
    State(app): State<App>,
    Writer(caller): Writer,
    OfRecord(record): OfRecord,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let input = TagsInput { tags: fields.read::<TagsChange>().sent().into() };
    let input = fields.finish(Some(input))?;
    Ok(answer(&app.records.set_tags(&caller, record, input).await?))
}
