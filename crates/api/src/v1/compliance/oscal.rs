//! The institution's assessments in the form of OSCAL 1.2 assessment results, which other tools for compliance read.
//!
//! The document depends on the records, the catalogue and the language alone, byte for byte: identifiers are derived
//! from names, and times are those of the records.

use app::{
    App,
    assessment::{AssessmentFilter, AssessmentView},
    catalogue::{Edition, framework::Requirement},
    own_framework::FrameworkInForce,
};
use axum::{extract::State, response::Response};
use domain::{
    assessment::AssessmentStatus, framework::Framework, moment::Moment, page::PageRequest, wording::Language,
};
use http::StatusCode;
use serde::Serialize;

use super::assessments::SummaryParams;
use crate::{
    ApiError,
    extract::{LanguageParams, PageQuery, Reader, Spoken},
    public::oscal::{OSCAL_VERSION, OscalDocument, catalog_address, uuid},
    respond,
    v1::wire::KeyedErrors,
};

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Document {
    assessment_results: AssessmentResults,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct AssessmentResults {
    uuid: String,
    metadata: Metadata,
    import_ap: Import,
    results: Vec<AssessmentResult>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Metadata {
    title: &'static str,
    last_modified: String,
    version: String,
    oscal_version: &'static str,
}

/// The model asks for a plan. The plan here is the catalogue itself: every requirement of the framework.
#[derive(Debug, Serialize)]
struct Import {
    href: String,
    remarks: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct AssessmentResult {
    uuid: String,
    title: String,
    description: String,
    start: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    reviewed_controls: Reviewed,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Reviewed {
    links: [CatalogLink; 1],
    control_selections: [Selection; 1],
}

#[derive(Debug, Serialize)]
struct CatalogLink {
    href: String,
    rel: &'static str,
    #[serde(skip)]
    is_own: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Selection {
    include_all: Everything,
}

#[derive(Debug, Serialize)]
struct Everything {}

#[derive(Debug, Serialize)]
struct Finding {
    uuid: String,
    title: String,
    description: String,
    props: Vec<Property>,
    target: Target,
}

#[derive(Debug, Serialize)]
struct Property {
    name: &'static str,
    ns: &'static str,
    value: String,
}

#[derive(Debug, Serialize)]
struct Target {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "target-id")]
    id: String,
    status: TargetStatus,
}

#[derive(Debug, Serialize)]
struct TargetStatus {
    state: &'static str,
    reason: &'static str,
}

/// The namespace of the properties.
const NAMESPACE: &str = "urn:tidewall:oscal";

/// Gets the assessments as OSCAL assessment results.
///
/// There is one result for each framework and one finding for each requirement that was assessed. A requirement that is
/// met is `satisfied`; one that is met partly or not is `not-satisfied`. What does not apply is left out. Frameworks of
/// the institution's own that are in force are included.
#[utoipa::path(get, path = "/api/v1/oscal/assessment-results", tag = "assessments",
    params(SummaryParams, LanguageParams),
    responses((status = 200, body = OscalDocument), KeyedErrors))]
pub(crate) async fn assessment_results(
    State(app): State<App>,
    Reader(caller): Reader,
    Spoken(language): Spoken,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let edition = app.edition_of(&caller).await?;
    let params: SummaryParams = query.read();
    let framework = query.framework("framework", params.framework.as_deref(), &edition);
    query.check()?;
    let filter = AssessmentFilter { framework: framework.into(), ..AssessmentFilter::default() };
    let all = PageRequest::part(u32::MAX, 0);
    let (page, _) = app.compliance.assessments(&caller, &filter, all, language).await?;
    let tenant = caller.scope().tenant().to_string();
    let own = app.compliance.own_frameworks_in_force(&caller).await?;
    let wanted = edition.frameworks.iter().map(|one| one.id);
    let wanted = wanted.filter(|id| framework.is_none_or(|one| one == *id));
    let results = wanted.map(|id| {
        let catalog = catalog(&edition, &own, id);
        result(&edition, (&tenant, id), catalog, &page.items, language)
    });
    let results: Vec<AssessmentResult> = results.collect();
    let catalogs = results.iter().flat_map(|result| &result.reviewed_controls.links);
    // The public catalogue is known by its version.
    let own: Vec<&str> = catalogs.filter(|link| link.is_own).map(|link| link.href.as_str()).collect();
    let own = own.concat();
    let changed = page.items.iter().filter(|view| view.row.version > 0).map(|view| view.row.updated_at).max();
    let document = Document {
        assessment_results: AssessmentResults {
            uuid: uuid(&format!("assessment-results:{tenant}:{framework:?}:{language}:{changed:?}{own}")),
            metadata: Metadata {
                title: match language {
                    Language::English => "Assessments of the institution",
                    Language::German => "Bewertungen des Instituts",
                },
                last_modified: time(&edition, changed),
                version: edition.version.to_string(),
                oscal_version: OSCAL_VERSION,
            },
            import_ap: Import {
                href: "#".to_owned(),
                remarks: "There is no separate plan: every requirement of the catalogue is assessed.",
            },
            results,
        },
    };
    Ok(respond::spoken(respond::json(StatusCode::OK, respond::to_json(&document)), language))
}

/// A time of the records; that of the catalogue if there is none.
fn time(edition: &Edition, at: Option<Moment>) -> String {
    at.map_or_else(|| format!("{}T00:00:00Z", edition.version), |at| at.to_string())
}

/// The catalogue with the statements that a result refers to. That of an own framework is the set in force.
fn catalog(edition: &Edition, own: &[FrameworkInForce], framework: Framework) -> CatalogLink {
    let held = own.iter().find(|held| held.key == framework).filter(|_| edition.is_own(framework));
    let href = held.map_or_else(
        || catalog_address(framework.as_str()),
        |held| format!("/api/v1/own-frameworks/{}/export?content={}", held.id, held.in_force.content),
    );
    CatalogLink { href, rel: "reference", is_own: held.is_some() }
}

fn result(
    edition: &Edition,
    (tenant, framework): (&str, Framework),
    catalog: CatalogLink,
    views: &[AssessmentView],
    language: Language,
) -> AssessmentResult {
    let own = views.iter().filter_map(|view| {
        let requirement = edition.requirements.get(&view.row.requirement)?;
        let counts = view.row.assessment.counts(view.by_profile);
        let is_own = requirement.framework == framework && counts;
        let is_assessed = view.row.assessment.status != AssessmentStatus::NotAssessed;
        (is_own && is_assessed).then_some((requirement, view))
    });
    let own: Vec<(&Requirement, &AssessmentView)> = own.collect();
    let times = own.iter().filter_map(|(_, view)| view.row.assessment.assessed.as_ref().map(|by| by.at));
    let about = edition.frameworks.get(framework.as_str());
    let applicable = views.iter().filter(|view| {
        let requirement = edition.requirements.get(&view.row.requirement);
        requirement.is_some_and(|one| one.framework == framework) && view.applies()
    });
    let (assessed, applicable) = (own.len(), applicable.count());
    AssessmentResult {
        uuid: uuid(&format!("result:{tenant}:{framework}:{language}")),
        title: about.map(|about| about.title.get(language).to_owned()).unwrap_or_default(),
        description: match language {
            Language::English => format!("{assessed} of {applicable} applicable requirements are assessed."),
            Language::German => {
                format!("{assessed} von {applicable} anwendbaren Anforderungen sind bewertet.")
            }
        },
        start: time(edition, times.clone().min()),
        end: times.max().map(|at| at.to_string()),
        reviewed_controls: Reviewed {
            links: [catalog],
            control_selections: [Selection { include_all: Everything {} }],
        },
        findings: own.iter().map(|(one, view)| finding(tenant, one, view, language)).collect(),
    }
}

fn finding(tenant: &str, requirement: &Requirement, view: &AssessmentView, language: Language) -> Finding {
    let said = &view.row.assessment;
    let property = |name, value: String| Property { name, ns: NAMESPACE, value };
    let mut props = vec![property("status", said.status.to_string())];
    props.extend(said.maturity.map(|level| property("maturity", level.to_string())));
    props.push(property("approved", said.approved.is_some().to_string()));
    props.push(property("in-doubt", view.is_in_doubt().to_string()));
    let is_met = said.status == AssessmentStatus::Met;
    let rationale = said.rationale.as_ref().map(ToString::to_string);
    let title = format!("{} {}", requirement.number, requirement.title.get(language));
    Finding {
        uuid: uuid(&format!("finding:{tenant}:{}", requirement.id)),
        description: rationale.unwrap_or_else(|| said.status.label().text(language).to_owned()),
        title: title.trim().to_owned(),
        props,
        target: Target {
            kind: "statement-id",
            id: format!("{}_smt", requirement.id),
            status: TargetStatus {
                state: if is_met { "satisfied" } else { "not-satisfied" },
                reason: match said.status {
                    AssessmentStatus::Met => "pass",
                    AssessmentStatus::NotMet => "fail",
                    _ => "other",
                },
            },
        },
    }
}
