//! Findings.

pub(crate) mod import;
pub(crate) mod retests;
pub(crate) mod wire;

use app::{
    App,
    finding::{FindingRow, FindingWriting},
};
use axum::{extract::State, response::Response};
use domain::finding::Finding;
use utoipa_axum::routes;

use self::wire::{FindingChange, FindingDetail, FindingItem, FindingParams, NewFinding};
use crate::{
    ApiError,
    extract::{IfNoneMatch, ListParams, ListQuery, Reader},
    respond::{self, List},
    v1::{
        Subject, WholeList,
        record::{self, AsOfParams, RequirementParams, record_routes},
        records::tags::TagParams,
        wire::{KeyedErrors, NotModified},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "findings",
    about: "Weaknesses found by tests, audits and scanners, from detection to closure.",
    list: Some(WholeList::changed::<Finding>()),
    routes: |router| {
        record_routes(router.routes(routes!(list)))
            .routes(routes!(import::import))
            .routes(routes!(import::template))
            .routes(routes!(retests::list, retests::create))
    },
};

/// Lists findings.
///
/// Without `status`, only open findings are listed. The newest come first.
#[utoipa::path(get, path = "/api/v1/findings", tag = "findings", params(ListParams, AsOfParams, TagParams,
    RequirementParams, FindingParams),
    responses((status = 200, body = List<FindingItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(mut query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    if query.has("as_of") {
        return record::list::<Finding>(&app, &caller, query, &if_none_match).await;
    }
    let filter = record::filter_of::<Finding>(&app, &caller, &mut query).await?;
    let page = query.check()?.page;
    let record = |row: &FindingRow| respond::to_text(&record::item::<Finding>(row));
    let writing = FindingWriting { record, list: respond::list_body };
    let rendered = app.resilience.finding_page(&caller, filter, page, writing).await?;
    Ok(respond::page(rendered, &if_none_match))
}

record_routes! {
    Finding, "a finding", FindingDetail;

    create(NewFinding);
    get;
    /// Updates a finding.
    ///
    /// Fields that are absent keep their values. The status can only move along the transitions of `FindingStatus`.
    patch(FindingChange);
    /// Deletes a finding that was never resolved, closed, accepted or marked as a false positive.
    ///
    /// Any other finding is archived instead. The reference is not used again.
    delete;
    /// Archives a finding that is closed or a false positive: it leaves the lists and keeps its history.
    archive;
    /// Brings an archived finding back into the lists.
    restore;
    versions;
    version;
}
