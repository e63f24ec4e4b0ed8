use app::catalogue::{
    Edition,
    evidence::{self as source, EvidenceKind},
    record::Shelf,
    vocabulary::{Cadence, Role},
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional};
use crate::schema::word;

/// Evidence that measures are in operation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Evidence {
    id: String,
    title: String,
    summary: String,
    #[schema(value_type = word::EvidenceKind)]
    kind: EvidenceKind,
    #[schema(value_type = word::Role)]
    owner: Role,
    /// A recommendation, not a legal requirement.
    #[schema(minimum = 1)]
    retention_years: u32,
    #[schema(value_type = word::Cadence)]
    cadence: Cadence,
    /// The ids of the measures it supports.
    measures: Vec<String>,
    citation: String,
    source: Option<String>,
}

impl Reference for Evidence {
    type Source = source::Evidence;

    const NAME: &'static str = "evidence";

    fn shelf(edition: &Edition) -> &Shelf<source::Evidence> {
        &edition.evidence
    }

    fn new(evidence: &source::Evidence, edition: &Edition, language: Language) -> Self {
        let measures = edition.measures.iter().filter(|measure| measure.evidence.contains(&evidence.id));
        Self {
            id: evidence.id.to_string(),
            title: evidence.title.get(language).to_owned(),
            summary: evidence.summary.get(language).to_owned(),
            kind: evidence.kind,
            owner: evidence.owner,
            retention_years: evidence.retention_years,
            cadence: evidence.cadence,
            measures: measures.map(|measure| measure.id.to_string()).collect(),
            citation: evidence.cite.to_string(),
            source: optional(evidence.source.as_deref()),
        }
    }
}
