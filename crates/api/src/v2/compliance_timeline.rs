//! The compliance timeline.

use app::{
    App,
    catalogue::{
        Records,
        milestone::{Milestone as Source, MilestoneCategory, MilestoneFilter, MilestoneStatus},
    },
};
use axum::{extract::State, response::Response};
use domain::{moment::Day, wording::Language};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire::{Envelope, KeyedErrors, NotModified, enveloped};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams, Parsed},
    reference::{ReferenceQuery, SearchParams},
    schema::word,
};

/// A compliance milestone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Milestone {
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
    #[schema(value_type = word::MilestoneStatus)]
    status: MilestoneStatus,
    reference: String,
    citation: String,
    source: Option<String>,
}

impl Milestone {
    fn new(milestone: &Source, today: Day, language: Language) -> Self {
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
            citation: milestone.cite.to_string(),
            source: milestone.source.as_ref().map(ToString::to_string),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TimelineParams {
    /// Only milestones with this status today.
    #[param(value_type = Option<word::MilestoneStatus>)]
    status: Option<Parsed<MilestoneStatus>>,
    /// Only milestones of this category.
    #[param(value_type = Option<word::MilestoneCategory>)]
    category: Option<Parsed<MilestoneCategory>>,
}

/// Lists compliance milestones.
///
/// The earliest come first.
#[utoipa::path(get, path = "/api/v2/compliance-timeline", operation_id = "listMilestones",
    tag = "timeline", security(("bearer" = [])),
    params(TimelineParams, PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Milestone>), NotModified, KeyedErrors))]
pub(crate) async fn list(State(app): State<App>, mut request: ReferenceQuery) -> Result<Response, ApiError> {
    let params: TimelineParams = request.query.read();
    let filter = MilestoneFilter {
        status: params.status.map(Parsed::value),
        category: params.category.map(Parsed::value),
    };
    let request = request.checked()?;
    let (timeline, language) = (app.resilience.timeline().await?, request.language);
    let keep = |milestone: &Source| filter.keeps(milestone, timeline.today);
    let positions = timeline.milestones.positions(&request.needle(), language, keep);
    let records = timeline.records("v2", language, |timeline| {
        Records::of(timeline.milestones.iter().map(|source| Milestone::new(source, timeline.today, language)))
    })?;
    request.page(&records, (positions, timeline.today), enveloped)
}
