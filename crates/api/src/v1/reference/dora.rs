//! DORA measures.

use app::{
    App,
    catalogue::{
        Edition,
        measure::{self as source, Pillar, Provenance},
        record::Shelf,
        vocabulary::{Cadence, FrameworkId, Priority, Role},
    },
};
use axum::{extract::State, response::Response};
use domain::wording::Language;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{IdPath, IfNoneMatch, LanguageParams, ListParams, Parsed, Reader, Spoken},
    reference::{Reference, ReferenceQuery, SearchParams},
    respond::{self, Data, List},
    schema::word,
    v1::wire::{KeyedErrors, NotModified, listed},
};

/// A measure that a financial entity takes to meet requirements of DORA.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DoraMeasure)]
pub(crate) struct Measure {
    id: String,
    title: String,
    summary: String,
    /// What to do.
    action: String,
    /// Why it is done.
    rationale: String,
    #[schema(value_type = word::Role)]
    owner: Role,
    #[schema(value_type = word::Cadence)]
    cadence: Cadence,
    #[schema(value_type = word::Priority)]
    priority: Priority,
    #[schema(value_type = word::Pillar)]
    pillar: Pillar,
    /// The articles of DORA it implements, as cited.
    articles: Vec<String>,
    /// The ids of the DORA requirements it implements.
    requirements: Vec<String>,
    /// The evidence that it is in operation.
    evidence: Vec<EvidenceTitle>,
    /// Requirements of other frameworks that it also covers.
    mappings: Vec<MeasureMapping>,
    citation: String,
    source: Option<String>,
}

/// The id and title of an item of evidence.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EvidenceTitle {
    id: String,
    title: String,
}

/// A requirement of another framework that a measure also covers.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MeasureMapping {
    #[schema(value_type = word::FrameworkId)]
    framework: FrameworkId,
    requirement: String,
    /// The number of the requirement, as cited.
    number: String,
    #[schema(value_type = word::Provenance)]
    provenance: Provenance,
    source: Option<String>,
}

impl Reference for Measure {
    type Source = source::Measure;

    const NAME: &'static str = "v1 measures";

    fn shelf(edition: &Edition) -> &Shelf<source::Measure> {
        &edition.measures
    }

    fn new(measure: &source::Measure, edition: &Edition, language: Language) -> Self {
        let number =
            |id: &str| edition.requirements.get(id).map(|requirement| requirement.number.to_string());
        let evidence = measure.evidence.iter().filter_map(|id| edition.evidence.get(id));
        let mapping = |mapping: &source::Mapping| MeasureMapping {
            framework: mapping.framework,
            requirement: mapping.requirement.to_string(),
            number: number(&mapping.requirement).unwrap_or_default(),
            provenance: mapping.provenance,
            source: mapping.source.as_ref().map(ToString::to_string),
        };
        Self {
            id: measure.id.to_string(),
            title: measure.title.get(language).to_owned(),
            summary: measure.summary.get(language).to_owned(),
            action: measure.action.get(language).to_owned(),
            rationale: measure.rationale.get(language).to_owned(),
            owner: measure.owner,
            cadence: measure.cadence,
            priority: measure.priority,
            pillar: measure.pillar,
            articles: measure.requirements.iter().filter_map(|id| number(id)).collect(),
            requirements: measure.requirements.iter().map(ToString::to_string).collect(),
            evidence: evidence
                .map(|item| EvidenceTitle {
                    id: item.id.to_string(),
                    title: item.title.get(language).to_owned(),
                })
                .collect(),
            mappings: measure.mappings.iter().map(mapping).collect(),
            citation: measure.cite.to_string(),
            source: measure.source.as_ref().map(ToString::to_string),
        }
    }
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MeasureParams {
    /// Only measures of this pillar.
    #[param(value_type = Option<word::Pillar>)]
    pillar: Option<Parsed<Pillar>>,
    /// Only measures of this priority.
    #[param(value_type = Option<word::Priority>)]
    priority: Option<Parsed<Priority>>,
}

/// Lists DORA measures.
///
/// They are ordered by pillar and article.
#[utoipa::path(get, path = "/api/v1/dora/measures", tag = "measures",
    params(MeasureParams, ListParams, SearchParams, LanguageParams),
    responses((status = 200, body = List<Measure>), NotModified, KeyedErrors))]
pub(crate) async fn list(request: ReferenceQuery) -> Result<Response, ApiError> {
    let mut request = request.with_cursor();
    let MeasureParams { pillar, priority } = request.query.read();
    let keep = |measure: &source::Measure| {
        pillar.is_none_or(|Parsed(pillar)| pillar == measure.pillar)
            && priority.is_none_or(|Parsed(priority)| priority == measure.priority)
    };
    request.list::<Measure>(keep, listed)
}

/// Gets a DORA measure.
#[utoipa::path(get, path = "/api/v1/dora/measures/{id}", tag = "measures",
    params(("id" = String, Path), LanguageParams),
    responses((status = 200, body = Data<Measure>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    _: Reader,
    IdPath(id): IdPath<String>,
    Spoken(language): Spoken,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let edition = app.catalogue()?;
    let position = edition.measures.position(&id).ok_or_else(ApiError::not_found)?;
    let records = edition.records(&Measure::set(), language)?;
    let (record, validator) = records.one(position).ok_or_else(ApiError::not_found)?;
    let body = || respond::json(StatusCode::OK, format!("{{\"data\":{record}}}"));
    Ok(respond::spoken(respond::validated(&validator, &if_none_match, body), language))
}
