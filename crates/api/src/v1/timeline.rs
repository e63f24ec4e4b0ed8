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
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{BodyErrors, KeyedErrors, listed};
use crate::{
    ApiError,
    extract::{LanguageParams, ListParams, OptionalBody, Writer},
    reference::{ReferenceQuery, SearchParams},
    respond::{self, Data, List},
    schema::word,
};

/// A date of the compliance timeline.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TimelineItem {
    id: String,
    title: String,
    description: String,
    /// One of the frameworks, or `other`.
    #[schema(example = "dora")]
    framework: &'static str,
    #[schema(schema_with = word::<MilestoneCategory>)]
    category: MilestoneCategory,
    authority: String,
    #[schema(value_type = String, format = Date)]
    date: Day,
    /// As it is today; due soon is within 90 days.
    #[schema(schema_with = word::<MilestoneStatus>)]
    status: MilestoneStatus,
    reference: String,
    /// The feed it came from, or what the catalogue's fact rests on; null for primary sources.
    source: Option<String>,
}

impl TimelineItem {
    fn new(milestone: &Milestone, today: Day, language: Language) -> Self {
        Self {
            id: milestone.id.to_string(),
            title: milestone.title.get(language).to_owned(),
            description: milestone.summary.get(language).to_owned(),
            framework: milestone.framework_word(),
            category: milestone.category,
            authority: milestone.authority.to_string(),
            date: milestone.date,
            status: milestone.status(today),
            reference: milestone.reference.to_string(),
            source: milestone.source.as_ref().map(ToString::to_string),
        }
    }
}

/// What a synchronisation did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Synchronised {
    added: u64,
    /// Changed in any way, its status included.
    updated: u64,
    unchanged: u64,
    removed: u64,
    #[schema(value_type = String, format = DateTime)]
    synced_at: Moment,
    /// Sources that could not be read; what they gave before stays.
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

#[derive(Debug, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only; the handler reads the values")]
pub(crate) struct TimelineParams {
    #[param(schema_with = word::<MilestoneStatus>)]
    status: Option<String>,
    #[param(schema_with = word::<MilestoneCategory>)]
    category: Option<String>,
}

/// The compliance timeline, earliest first.
#[utoipa::path(get, path = "/api/v1/compliance-timeline", tag = "timeline",
    params(TimelineParams, ListParams, SearchParams, LanguageParams),
    responses((status = 200, body = List<TimelineItem>), KeyedErrors))]
pub(crate) async fn list(State(app): State<App>, request: ReferenceQuery) -> Result<Response, ApiError> {
    let mut request = request.walked();
    let filter = MilestoneFilter {
        status: request.query.filter("status"),
        category: request.query.filter("category"),
    };
    let request = request.checked()?;
    let (timeline, language) = (app.timeline().await?, request.language);
    let keep = |milestone: &Milestone| filter.keeps(milestone, timeline.today);
    let positions = timeline.milestones.positions(&request.needle(), language, keep);
    let records = timeline.records("v1", language, |timeline| {
        let item = |milestone| TimelineItem::new(milestone, timeline.today, language);
        Records::of(timeline.milestones.iter().map(item))
    })?;
    // Feeds and the states of milestones change from day to day.
    request.page(&records, (positions, timeline.today), listed)
}

/// Reads the catalogue and every configured feed again. Twice in a row changes nothing the second time.
#[utoipa::path(post, path = "/api/v1/compliance-timeline/sync", tag = "timeline",
    responses((status = 200, body = Data<Synchronised>), KeyedErrors, BodyErrors))]
pub(crate) async fn sync(
    State(app): State<App>,
    Writer(caller): Writer,
    _: OptionalBody,
) -> Result<Response, ApiError> {
    let (report, synced_at) = app.sync_timeline(&caller).await?;
    let body = respond::to_json(&Data { data: Synchronised::new(report, synced_at) });
    Ok(respond::json(StatusCode::OK, body))
}
