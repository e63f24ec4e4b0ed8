//! The same change to many records of a kind.

use std::collections::BTreeMap;

use app::{
    App,
    authz::Caller,
    records::{BulkChange, BulkResult, RecordKind},
};
use axum::{
    extract::{FromRequestParts, State},
    response::Response,
};
use domain::{
    bulk::BulkComplaint,
    change::Change,
    custom_field::{CUSTOM, Sent},
    key_limits::Verb,
    page::Reading,
    tag::TagsInput,
    violation::Violations,
};
use http::{StatusCode, request::Parts};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::comments::at_list;
use crate::{
    ApiError,
    extract::{Body, Fields, PageQuery, Writer},
    respond::{self, Data},
    v1::{
        Subject, WholeList,
        record::{self, Noun},
        whole_list::Answer,
        wire::{BodyErrors, KeyedErrors},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "bulk changes",
    about: "The same change to many records of a kind, with an answer for each.",
    list: None,
    routes: |router| {
        let lists = WholeList::every().filter(|list| list.change.is_some());
        lists.fold(router, |router, list| router.routes(at_list(&list.address(), routes!(change))))
    },
};

/// Changes the records of one kind.
pub(crate) type Run = fn(App, Caller, BulkFields) -> Answer;

/// What changes the records of a kind, without its type.
pub(crate) fn run_of<N: Noun<Change: From<<N as RecordKind>::Input>>>(
    app: App,
    caller: Caller,
    fields: BulkFields,
) -> Answer {
    Box::pin(run::<N>(app, caller, fields))
}

/// What to change in which records: either `ids` or `filter`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = BulkChange, example = json!({
    "ids": ["fnd_01k9x14js0e00000000000000a"], "change": { "owner": "Anna Weber", "tags": ["audit 2026"] },
    "dry_run": true
}))]
pub(crate) struct BulkFields {
    /// The ids of the records.
    #[schema(max_items = 10_000, nullable = false)]
    ids: Option<Vec<String>>,
    /// The query string of the list: all records that match it, at most 10,000.
    #[schema(example = "severity=high", nullable = false)]
    filter: Option<String>,
    /// The fields of a change of one record of this kind, `custom` among them, and `tags`.
    #[schema(value_type = Option<Object>, nullable = false)]
    change: Option<Map<String, Value>>,
    /// Says what would happen, and stores nothing.
    #[schema(nullable = false)]
    dry_run: Option<bool>,
}

/// What became of the records.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BulkAnswer {
    /// Whether nothing was stored because the request asked for that.
    dry_run: bool,
    changed: u64,
    unchanged: u64,
    refused: u64,
    /// One for each record.
    results: Vec<BulkItem>,
}

/// What became of one record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BulkItem {
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    id: String,
    /// `changed`, `unchanged` or `refused`.
    #[schema(example = "refused")]
    result: &'static str,
    /// Why it was refused, by field.
    details: BTreeMap<String, Vec<String>>,
}

impl BulkItem {
    fn new((id, result): &(String, BulkResult)) -> Self {
        let (word, details) = match result {
            BulkResult::Changed => ("changed", BTreeMap::new()),
            BulkResult::Unchanged => ("unchanged", BTreeMap::new()),
            BulkResult::Refused(violations) => ("refused", texts(violations)),
        };
        Self { id: id.clone(), result: word, details }
    }
}

pub(crate) fn texts(violations: &Violations) -> BTreeMap<String, Vec<String>> {
    let fields = violations.fields().iter();
    fields.map(|(field, all)| (field.clone(), all.iter().map(ToString::to_string).collect())).collect()
}

impl BulkAnswer {
    fn new(dry_run: bool, results: &[(String, BulkResult)]) -> Self {
        let results: Vec<_> = results.iter().map(BulkItem::new).collect();
        let count = |word: &str| results.iter().filter(|item| item.result == word).count() as u64;
        Self {
            dry_run,
            changed: count("changed"),
            unchanged: count("unchanged"),
            refused: count("refused"),
            results,
        }
    }
}

/// What changes the records of the list that a path names.
#[derive(Debug)]
pub(crate) struct OfList(Run);

impl<S: Send + Sync> FromRequestParts<S> for OfList {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let address = parts.uri.path().trim_end_matches("/bulk");
        let found = WholeList::every().find(|list| list.address() == address);
        found.and_then(|list| list.change).map(Self).ok_or_else(ApiError::not_found)
    }
}

/// Changes many records at once.
///
/// What is possible is stored, in transactions of 500 records, and each record gets an answer: one that is refused does
/// not keep the others from being changed. To repeat the request changes nothing that was changed already.
#[utoipa::path(post, path = "/api/v1/{noun}/bulk", tag = "bulk changes", request_body = BulkFields,
    responses((status = 200, body = Data<BulkAnswer>), KeyedErrors, BodyErrors))]
pub(crate) async fn change(
    State(app): State<App>,
    Writer(caller): Writer,
    OfList(run): OfList,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let wanted = fields.read::<BulkFields>();
    let wanted = fields.finish(Some(wanted))?;
    run(app, caller, wanted).await
}

async fn run<N: Noun<Change: From<<N as RecordKind>::Input>>>(
    app: App,
    caller: Caller,
    wanted: BulkFields,
) -> Result<Response, ApiError> {
    // The answers say which records a filter finds and what they are.
    caller.require_noun(N::NOUN, Verb::Read)?;
    let dry_run = wanted.dry_run.unwrap_or_default();
    let change = change_of::<N>(wanted.change.unwrap_or_default(), dry_run)?;
    let ids = match (wanted.ids, wanted.filter) {
        (Some(ids), None) => ids,
        (None, Some(filter)) => {
            let mut query = PageQuery::choosing(&filter);
            let filter = record::filter_of::<N>(&app, &caller, &mut query).await?;
            let page = query.check()?.page;
            let part = Reading { tag: page.tag(), holding: page.held(), day: None };
            app.records.ids_of::<N>(&caller, filter, part).await?
        }
        _ => return Err(Violations::one("ids", BulkComplaint::EitherWay).into()),
    };
    let results = app.records.change_many::<N>(&caller, ids, change).await?;
    let answer = BulkAnswer::new(dry_run, &results);
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: answer })))
}

/// The change of one record, and its tags, which are no field of it.
fn change_of<N: Noun<Change: From<<N as RecordKind>::Input>>>(
    mut sent: Map<String, Value>,
    dry_run: bool,
) -> Result<BulkChange<N>, ApiError> {
    let tags = match sent.remove("tags") {
        Some(tags) => {
            let mut fields = Fields::new(Map::from_iter([("tags".to_owned(), tags)]));
            let tags = TagsInput { tags: Change::from(fields.read::<super::tags::TagsChange>().sent()) };
            Some(fields.finish(Some(tags))?.read()?)
        }
        None => None,
    };
    let has_fields = sent.keys().any(|name| name != CUSTOM);
    let Sent { input, custom } = record::sent::<N>(Fields::new(sent))?;
    Ok(BulkChange { changes: has_fields.then(|| input.into()).into_iter().collect(), custom, tags, dry_run })
}
