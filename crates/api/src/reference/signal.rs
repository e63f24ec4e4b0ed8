use app::catalogue::{
    Edition,
    record::Shelf,
    signal::{self as source, Impact},
    vocabulary::FrameworkId,
};
use domain::{moment::Day, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Proof, Reference, optional};
use crate::schema::word;

/// A publication of a supervisor or legislator, and what follows from it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RadarSignal)]
pub(crate) struct Signal {
    id: String,
    title: String,
    summary: String,
    authority: String,
    #[schema(value_type = String, format = Date)]
    date: Day,
    topic: String,
    /// How much it changes for a financial entity.
    #[schema(value_type = word::Impact)]
    impact: Impact,
    #[schema(value_type = Vec<word::FrameworkId>)]
    frameworks: Vec<FrameworkId>,
    /// What a financial entity should do.
    so_what: String,
    url: Option<String>,
    citation: String,
    source: Option<String>,
    proof: Proof,
}

impl Reference for Signal {
    type Source = source::Signal;

    const NAME: &'static str = "signals";

    fn shelf(edition: &Edition) -> &Shelf<source::Signal> {
        &edition.signals
    }

    fn new(signal: &source::Signal, edition: &Edition, language: Language) -> Self {
        Self {
            id: signal.id.to_string(),
            title: signal.title.get(language).to_owned(),
            summary: signal.summary.get(language).to_owned(),
            authority: signal.authority.to_string(),
            date: signal.date,
            topic: signal.topic.get(language).to_owned(),
            impact: signal.impact,
            frameworks: signal.frameworks.clone(),
            so_what: signal.so_what.get(language).to_owned(),
            url: optional(signal.proof.url.as_deref()),
            citation: signal.cite.to_string(),
            source: optional(signal.source.as_deref()),
            proof: edition.proven(&signal.cite, signal.source.as_deref(), &signal.proof, language).into(),
        }
    }
}
