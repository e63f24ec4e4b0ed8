use app::catalogue::{Edition, framework as source, record::Shelf, vocabulary::FrameworkId};
use domain::{moment::Day, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Proof, Reference, optional};
use crate::schema::word;

/// A framework: a regulation, a directive, a circular or a standard.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReferenceFramework)]
pub(crate) struct Framework {
    #[schema(value_type = word::FrameworkId)]
    id: FrameworkId,
    title: String,
    version: String,
    summary: String,
    /// Its chapters, module groups or annex parts.
    sections: Vec<Section>,
    citation: String,
    source: Option<String>,
    proof: Proof,
}

/// A section of a framework.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FrameworkSection)]
pub(crate) struct Section {
    id: String,
    title: String,
    /// The number of requirements in the section.
    requirements: usize,
}

/// A level-2 act, a guideline or a circular that belongs to a framework.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FrameworkAct {
    id: String,
    #[schema(value_type = word::FrameworkId)]
    framework: FrameworkId,
    number: String,
    title: String,
    summary: String,
    /// The day it entered into force.
    #[schema(value_type = Option<String>, format = Date)]
    in_force: Option<Day>,
    citation: String,
    source: Option<String>,
    proof: Proof,
}

impl Reference for Framework {
    type Source = source::Framework;

    const NAME: &'static str = "frameworks";

    fn shelf(edition: &Edition) -> &Shelf<source::Framework> {
        &edition.frameworks
    }

    fn new(framework: &source::Framework, edition: &Edition, language: Language) -> Self {
        let own = edition.sections.iter().filter(|section| section.framework == framework.id);
        let requirements = |id: &str| edition.requirements.iter().filter(|r| &*r.section == id).count();
        let section = |section: &source::Section| Section {
            id: section.id.to_string(),
            title: section.title.get(language).to_owned(),
            requirements: requirements(&section.id),
        };
        Self {
            id: framework.id,
            title: framework.title.get(language).to_owned(),
            version: framework.version.to_string(),
            summary: framework.summary.get(language).to_owned(),
            sections: own.map(section).collect(),
            citation: framework.cite.to_string(),
            source: optional(framework.source.as_deref()),
            proof: edition
                .proven(&framework.cite, framework.source.as_deref(), &framework.proof, language)
                .into(),
        }
    }
}

impl Reference for FrameworkAct {
    type Source = source::Reference;

    const NAME: &'static str = "acts";

    fn shelf(edition: &Edition) -> &Shelf<source::Reference> {
        &edition.references
    }

    fn new(act: &source::Reference, edition: &Edition, language: Language) -> Self {
        Self {
            id: act.id.to_string(),
            framework: act.framework,
            number: act.number.to_string(),
            title: act.title.get(language).to_owned(),
            summary: act.summary.get(language).to_owned(),
            in_force: act.in_force,
            citation: act.cite.to_string(),
            source: optional(act.source.as_deref()),
            proof: edition.proven(&act.cite, act.source.as_deref(), &act.proof, language).into(),
        }
    }
}
