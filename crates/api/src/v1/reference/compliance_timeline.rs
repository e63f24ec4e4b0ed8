//! The compliance timeline and its synchronisation.

use app::{
    App,
    catalogue::{
        Records,
        milestone::{Milestone, MilestoneCategory, MilestoneFilter, MilestoneStatus},
    },
    timeline::{SyncFailure, SyncReport},
};
use axum::{extract::State, response::Response};
use domain::{
    moment::{Day, Moment},
    wording::Language,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{LanguageParams, ListParams, OptionalBody, Parsed, Writer},
    reference::{ReferenceQuery, SearchParams},
    respond::{self, Data, List},
    schema::word,
    v1::wire::{BodyErrors, KeyedErrors, NotModified, listed},
};

/// A date of the compliance timeline.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TimelineItem {
    id: String,
    title: String,
    description: String,
    /// One of the frameworks, or `other`.
    #[schema(example = "dora")]
    framework: String,
    #[schema(value_type = word::MilestoneCategory)]
    category: MilestoneCategory,
    authority: String,
    #[schema(value_type = String, format = Date)]
    date: Day,
    /// The status today; `due_soon` means within 90 days.
    #[schema(value_type = word::MilestoneStatus)]
    status: MilestoneStatus,
    reference: String,
    /// The feed or secondary source of the item; null if it comes from the primary source.
    source: Option<String>,
}

impl TimelineItem {
    fn new(milestone: &Milestone, today: Day, language: Language) -> Self {
        Self {
            id: milestone.id.to_string(),
            title: milestone.title.get(language).to_owned(),
            description: milestone.summary.get(language).to_owned(),
            framework: milestone.framework_word().to_owned(),
            category: milestone.category,
            authority: milestone.authority.to_string(),
            date: milestone.date,
            status: milestone.status(today),
            reference: milestone.reference.to_string(),
            source: milestone.source.as_ref().map(ToString::to_string),
        }
    }
}

/// The result of a synchronisation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Synchronised {
    added: u64,
    /// Items with any change, including the status.
    updated: u64,
    unchanged: u64,
    removed: u64,
    #[schema(value_type = String, format = DateTime)]
    synced_at: Moment,
    /// Sources that could not be read; their earlier items remain.
    failures: Vec<Failure>,
}

/// A source that could not be read.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncFailure)]
pub(crate) struct Failure {
    /// `catalogue`, or the host or file of a feed.
    source: String,
    error: String,
}

impl Synchronised {
    fn new(report: SyncReport, synced_at: Moment) -> Self {
        let failure = |failure: SyncFailure| Failure { source: failure.source, error: failure.error };
        Self {
            added: report.added,
            updated: report.updated,
            unchanged: report.unchanged,
            removed: report.removed,
            synced_at,
            failures: report.failures.into_iter().map(failure).collect(),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimelineParams {
    /// Only items with this status.
    #[param(value_type = Option<word::MilestoneStatus>)]
    status: Option<Parsed<MilestoneStatus>>,
    /// Only items of this category.
    #[param(value_type = Option<word::MilestoneCategory>)]
    category: Option<Parsed<MilestoneCategory>>,
}

/// Lists the compliance timeline.
///
/// The earliest dates come first.
#[utoipa::path(get, path = "/api/v1/compliance-timeline", tag = "timeline",
    params(TimelineParams, ListParams, SearchParams, LanguageParams),
    responses((status = 200, body = List<TimelineItem>), NotModified, KeyedErrors))]
pub(crate) async fn list(State(app): State<App>, request: ReferenceQuery) -> Result<Response, ApiError> {
    let mut request = request.with_cursor();
    let params: TimelineParams = request.query.read();
    let filter = MilestoneFilter {
        status: params.status.map(Parsed::value),
        category: params.category.map(Parsed::value),
    };
    let request = request.checked()?;
    let (timeline, language) = (app.resilience.timeline().await?, request.language);
    let keep = |milestone: &Milestone| filter.keeps(milestone, timeline.today);
    let positions = timeline.milestones.positions(&request.needle(), language, keep);
    let records = timeline.records("v1", language, |timeline| {
        let item = |milestone| TimelineItem::new(milestone, timeline.today, language);
        Records::of(timeline.milestones.iter().map(item))
    })?;
    // Feeds and the states of milestones change from day to day.
    request.page(&records, (positions, timeline.today), listed)
}

/// Synchronises the timeline with the catalogue and all configured feeds.
///
/// A second synchronisation without new data changes nothing.
#[utoipa::path(post, path = "/api/v1/compliance-timeline/sync", tag = "timeline",
    responses((status = 200, body = Data<Synchronised>), KeyedErrors, BodyErrors))]
pub(crate) async fn sync(
    State(app): State<App>,
    Writer(caller): Writer,
    _: OptionalBody,
) -> Result<Response, ApiError> {
    let (report, synced_at) = app.resilience.sync_timeline(&caller).await?;
    let body = respond::to_json(&Data { data: Synchronised::new(report, synced_at) });
    Ok(respond::json(StatusCode::OK, body))
}
