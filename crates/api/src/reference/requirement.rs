use app::catalogue::{
    Edition,
    applicability::{self, Addressee, FactLimit, Force, OperatorRole, SizeRelief},
    compliance::Coverage,
    crosswalk::{Related, Relation},
    framework as source,
    record::Shelf,
    vocabulary::FrameworkId,
};
use domain::{entity_kind::EntityKind, moment::Day, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Proof, Reference, optional};
use crate::schema::word;

/// A requirement of a framework: an article, a paragraph, a clause, a control or a module.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Requirement {
    #[schema(example = "dora-art-06-05")]
    id: String,
    #[schema(value_type = word::FrameworkId)]
    framework: FrameworkId,
    section: String,
    /// The number, as cited.
    #[schema(example = "Art. 6(5)")]
    number: String,
    title: String,
    summary: String,
    /// The entities it is limited to; null if it applies to all.
    applies_to: Option<String>,
    /// The version of the framework it comes from, if relevant.
    version: Option<String>,
    /// How far the measures of the catalogue cover it.
    #[schema(value_type = word::Coverage)]
    coverage: Coverage,
    /// The ids of the measures that cover it.
    measures: Vec<String>,
    /// The requirements it details, such as the article of a regulation that a delegated act specifies.
    basis: Vec<String>,
    /// How often the text itself asks for something.
    #[schema(example = "weekly")]
    cadence: Option<String>,
    /// How an auditor tests it, step by step.
    audit_steps: Vec<String>,
    /// A proposed wording, if the requirement is a clause of a contract.
    model: Option<String>,
    applicability: Applicability,
    /// Requirements of other frameworks that crosswalks relate to it.
    related: Vec<RelatedRequirement>,
    citation: String,
    source: Option<String>,
    proof: Proof,
    /// The first day of the provision in the form described: its own, or the day on which the act applies.
    #[schema(value_type = Option<String>, format = Date)]
    valid_from: Option<Day>,
    /// The last day; null while it is in force.
    #[schema(value_type = Option<String>, format = Date)]
    valid_until: Option<Day>,
    /// The requirement that took its place.
    superseded_by: Option<String>,
    /// The issuer's explanation, which is no part of the requirement itself.
    explanation: Option<String>,
}

/// A requirement of another framework and how it relates.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RelatedRequirement {
    #[schema(example = "iso-27001-a-5-1")]
    requirement: String,
    /// Seen from the requirement that lists it.
    #[schema(value_type = word::Relation)]
    relation: Relation,
    /// The crosswalk that says so, as `/api/oscal/mappings` names it.
    #[schema(example = "crosswalk-nist-csf-iso-27001")]
    crosswalk: String,
    /// Why they are related.
    reason: String,
}

impl RelatedRequirement {
    fn new(related: Related<'_>, language: Language) -> Self {
        Self {
            reason: related.reason.get(language).to_owned(),
            requirement: related.requirement.id.to_string(),
            relation: related.relation,
            crosswalk: related.crosswalk.id.to_string(),
        }
    }
}

/// For whom a requirement holds. An empty list or null narrows nothing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Applicability {
    /// The kinds of entities it is limited to.
    #[schema(value_type = Vec<word::EntityKind>)]
    entities: Vec<EntityKind>,
    /// The roles it is limited to: economic operators of the CRA, providers of Implementing Regulation (EU) 2024/2690.
    #[schema(value_type = Vec<word::OperatorRole>)]
    roles: Vec<OperatorRole>,
    /// The countries whose law it is.
    #[schema(example = json!(["DE"]))]
    countries: Vec<String>,
    /// The ICT risk management framework of DORA it belongs to.
    #[schema(example = "full")]
    regime: Option<String>,
    /// Reliefs and exemptions by size.
    #[schema(value_type = Vec<word::SizeRelief>)]
    sizes: Vec<SizeRelief>,
    /// Significant or less significant credit institutions only.
    #[schema(example = "less-significant")]
    significance: Option<String>,
    /// Who has to act.
    #[schema(value_type = word::Addressee)]
    addressee: Addressee,
    /// How binding it is.
    #[schema(value_type = word::Force)]
    force: Force,
    /// What single facts of the institution decide.
    #[schema(value_type = Vec<word::FactLimit>)]
    limits: Vec<FactLimit>,
    /// The day from which it applies, where that is not the act's own.
    #[schema(value_type = Option<String>, format = Date)]
    applies_from: Option<Day>,
}

impl From<&applicability::Applicability> for Applicability {
    fn from(applies: &applicability::Applicability) -> Self {
        Self {
            entities: applies.entities.clone(),
            roles: applies.roles.clone(),
            countries: applies.countries.iter().map(ToString::to_string).collect(),
            regime: applies.regime.map(|regime| regime.to_string()),
            sizes: applies.sizes.clone(),
            significance: applies.significance.map(|whom| whom.to_string()),
            addressee: applies.addressee,
            force: applies.force,
            limits: applies.limits.clone(),
            applies_from: applies.applies_from,
        }
    }
}

impl Reference for Requirement {
    type Source = source::Requirement;

    const NAME: &'static str = "requirements";

    fn shelf(edition: &Edition) -> &Shelf<source::Requirement> {
        &edition.requirements
    }

    fn new(requirement: &source::Requirement, edition: &Edition, language: Language) -> Self {
        Self {
            id: requirement.id.to_string(),
            framework: requirement.framework,
            section: requirement.section.to_string(),
            number: requirement.number.to_string(),
            title: requirement.title.get(language).to_owned(),
            summary: requirement.summary.get(language).to_owned(),
            applies_to: requirement.applies_to.map(|whom| whom.to_string()),
            version: optional(requirement.version.as_deref()),
            coverage: edition.coverage_of(&requirement.id).unwrap_or(Coverage::Gap),
            measures: edition.measures_for(&requirement.id).map(|measure| measure.id.to_string()).collect(),
            basis: requirement.basis.iter().map(ToString::to_string).collect(),
            cadence: requirement.cadence.map(|cadence| cadence.to_string()),
            audit_steps: requirement.audit_steps.iter().map(|step| step.get(language).to_owned()).collect(),
            model: requirement.model.as_ref().map(|text| text.get(language).to_owned()),
            applicability: Applicability::from(&requirement.applicability),
            related: edition
                .related_to(&requirement.id)
                .map(|related| RelatedRequirement::new(related, language))
                .collect(),
            citation: requirement.cite.to_string(),
            source: optional(requirement.source.as_deref()),
            proof: edition
                .proven(&requirement.cite, requirement.source.as_deref(), &requirement.proof, language)
                .into(),
            valid_from: edition.valid_from(requirement),
            valid_until: requirement.validity.until,
            superseded_by: optional(requirement.validity.superseded_by.as_deref()),
            explanation: requirement.explanation.as_ref().map(|text| text.get(language).to_owned()),
        }
    }
}
