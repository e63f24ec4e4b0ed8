//! Compliance status: how far the measures of the catalogue cover each framework.

use app::{
    App,
    catalogue::{
        Edition,
        compliance::{FrameworkStatus, SectionStatus, Tally},
        vocabulary::FrameworkId,
    },
};
use axum::{extract::State, response::Response};
use domain::{moment::Day, rounding::Hundredths, wording::Language};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{LanguageParams, Reader, Spoken},
    respond::{self, Data},
    schema::word,
    v1::wire::KeyedErrors,
};

/// The coverage of a framework by the measures of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ComplianceStatus {
    #[schema(value_type = word::FrameworkId)]
    framework: FrameworkId,
    title: String,
    version: String,
    requirements: u64,
    /// Requirements covered by a measure with defined evidence.
    covered: u64,
    /// Requirements covered only by measures without defined evidence.
    partial: u64,
    /// Requirements not covered by any measure.
    gap: u64,
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    coverage_pct: Hundredths,
    sections: Vec<SectionCoverage>,
    #[schema(value_type = String, format = Date)]
    as_of: Day,
}

/// The coverage of one section of a framework.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SectionCoverage {
    id: String,
    title: String,
    requirements: u64,
    covered: u64,
    partial: u64,
    gap: u64,
}

/// The coverage of all frameworks.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CrossFrameworkStatus {
    frameworks: Vec<ComplianceStatus>,
    overall: OverallCoverage,
    #[schema(value_type = String, format = Date)]
    as_of: Day,
}

/// The coverage of all requirements of all frameworks.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OverallCoverage {
    requirements: u64,
    covered: u64,
    partial: u64,
    gap: u64,
    #[schema(value_type = f64, minimum = 0, maximum = 100)]
    coverage_pct: Hundredths,
}

impl ComplianceStatus {
    fn new(status: &FrameworkStatus, edition: &Edition, as_of: Day, language: Language) -> Self {
        let framework = edition.frameworks.get(status.framework.as_str());
        let Tally { requirements, covered, partial, gap } = status.tally;
        Self {
            framework: status.framework,
            title: framework.map(|framework| framework.title.get(language)).unwrap_or_default().to_owned(),
            version: framework.map(|framework| framework.version.to_string()).unwrap_or_default(),
            requirements,
            covered,
            partial,
            gap,
            coverage_pct: status.tally.coverage_pct(),
            sections: status.sections.iter().map(|s| SectionCoverage::new(s, edition, language)).collect(),
            as_of,
        }
    }
}

impl SectionCoverage {
    fn new(status: &SectionStatus, edition: &Edition, language: Language) -> Self {
        let section = edition.sections.get(&status.section);
        let Tally { requirements, covered, partial, gap } = status.tally;
        Self {
            id: status.section.to_string(),
            title: section.map(|section| section.title.get(language)).unwrap_or_default().to_owned(),
            requirements,
            covered,
            partial,
            gap,
        }
    }
}

impl From<Tally> for OverallCoverage {
    fn from(tally: Tally) -> Self {
        let Tally { requirements, covered, partial, gap } = tally;
        Self { requirements, covered, partial, gap, coverage_pct: tally.coverage_pct() }
    }
}

/// The extractors of every status route.
type Inputs = (State<App>, Reader, Spoken);

/// Gets the compliance status of all frameworks.
#[utoipa::path(get, path = "/api/v1/compliance-status", tag = "compliance", params(LanguageParams),
    responses((status = 200, body = Data<CrossFrameworkStatus>), KeyedErrors))]
pub(crate) async fn all((State(app), _, Spoken(language)): Inputs) -> Result<Response, ApiError> {
    let (edition, as_of) = (app.catalogue()?, app.clock.now().day());
    let frameworks = edition.compliance.frameworks.iter();
    let data = CrossFrameworkStatus {
        frameworks: frameworks.map(|s| ComplianceStatus::new(s, &edition, as_of, language)).collect(),
        overall: edition.compliance.overall.into(),
        as_of,
    };
    Ok(answer(&data, language))
}

/// Gets the compliance status of DORA.
#[utoipa::path(get, path = "/api/v1/compliance-status/dora", operation_id = "getDoraComplianceStatus",
    tag = "compliance", params(LanguageParams),
    responses((status = 200, body = Data<ComplianceStatus>), KeyedErrors))]
pub(crate) async fn dora(asked: Inputs) -> Result<Response, ApiError> {
    one(asked, FrameworkId::DORA)
}

/// Gets the compliance status of MaRisk.
#[utoipa::path(get, path = "/api/v1/compliance-status/marisk", operation_id = "getMariskComplianceStatus",
    tag = "compliance", params(LanguageParams),
    responses((status = 200, body = Data<ComplianceStatus>), KeyedErrors))]
pub(crate) async fn marisk(asked: Inputs) -> Result<Response, ApiError> {
    one(asked, FrameworkId::MARISK)
}

/// Gets the compliance status of ISO 27001.
#[utoipa::path(get, path = "/api/v1/compliance-status/iso-27001",
    operation_id = "getIso27001ComplianceStatus", tag = "compliance", params(LanguageParams),
    responses((status = 200, body = Data<ComplianceStatus>), KeyedErrors))]
pub(crate) async fn iso_27001(asked: Inputs) -> Result<Response, ApiError> {
    one(asked, FrameworkId::ISO_27001)
}

/// Gets the compliance status of the CRA.
#[utoipa::path(get, path = "/api/v1/compliance-status/cra", operation_id = "getCraComplianceStatus",
    tag = "compliance", params(LanguageParams),
    responses((status = 200, body = Data<ComplianceStatus>), KeyedErrors))]
pub(crate) async fn cra(asked: Inputs) -> Result<Response, ApiError> {
    one(asked, FrameworkId::CRA)
}

/// Gets the compliance status of NIS2.
#[utoipa::path(get, path = "/api/v1/compliance-status/nis2", operation_id = "getNis2ComplianceStatus",
    tag = "compliance",
    params(LanguageParams),
    responses((status = 200, body = Data<ComplianceStatus>), KeyedErrors))]
pub(crate) async fn nis2(asked: Inputs) -> Result<Response, ApiError> {
    one(asked, FrameworkId::NIS2)
}

fn one((State(app), _, Spoken(language)): Inputs, id: FrameworkId) -> Result<Response, ApiError> {
    let (edition, as_of) = (app.catalogue()?, app.clock.now().day());
    let status = edition.compliance.framework(id).ok_or_else(ApiError::not_found)?;
    Ok(answer(&ComplianceStatus::new(status, &edition, as_of, language), language))
}

fn answer(data: &impl Serialize, language: Language) -> Response {
    let body = respond::to_json(&Data { data });
    respond::spoken(respond::json(StatusCode::OK, body), language)
}
