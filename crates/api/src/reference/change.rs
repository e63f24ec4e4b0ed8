use app::catalogue::{
    Edition,
    change::{self as source, ChangeKind},
    record::Shelf,
};
use domain::{moment::Day, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Proof, Reference, optional};
use crate::schema::word;

/// A corrigendum, an amendment or a correction of the catalogue, and the requirements it touched.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CatalogueChange {
    #[schema(example = "change-2024-1774-corrigendum")]
    id: String,
    #[schema(value_type = word::ChangeKind)]
    kind: ChangeKind,
    /// The day the catalogue took it in.
    #[schema(value_type = String, format = Date)]
    date: Day,
    /// The day of the official publication.
    #[schema(value_type = Option<String>, format = Date)]
    published: Option<Day>,
    title: String,
    summary: String,
    requirements: Vec<ChangedRequirement>,
    citation: String,
    source: Option<String>,
    proof: Proof,
}

/// A requirement that a change touched.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChangedRequirement {
    #[schema(example = "dora-rts-1774-art-22-d")]
    requirement: String,
    #[schema(example = "2024/1774 Art. 22(d)")]
    number: String,
    /// Its summary before; null if that stayed the same.
    was: Option<String>,
    /// Its summary now.
    now: String,
}

impl Reference for CatalogueChange {
    type Source = source::Change;

    const NAME: &'static str = "changes";

    fn shelf(edition: &Edition) -> &Shelf<source::Change> {
        &edition.changes
    }

    fn new(change: &source::Change, edition: &Edition, language: Language) -> Self {
        let touched = change.requirements.iter().filter_map(|touched| {
            let requirement = edition.requirements.get(&touched.requirement)?;
            Some(ChangedRequirement {
                requirement: requirement.id.to_string(),
                number: requirement.number.to_string(),
                was: touched.was.as_ref().map(|was| was.get(language).to_owned()),
                now: requirement.summary.get(language).to_owned(),
            })
        });
        Self {
            id: change.id.to_string(),
            kind: change.kind,
            date: change.date,
            published: change.published,
            title: change.title.get(language).to_owned(),
            summary: change.summary.get(language).to_owned(),
            requirements: touched.collect(),
            citation: change.cite.to_string(),
            source: optional(change.source.as_deref()),
            proof: edition.proven(&change.cite, change.source.as_deref(), &change.proof, language).into(),
        }
    }
}
