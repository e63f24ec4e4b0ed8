use app::catalogue::{Edition, clock as source, record::Shelf};
use domain::{clock::Bound, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional};
use crate::schema::word;

/// A statutory reporting deadline: which report is due how long after which event.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegulatoryClock)]
pub(crate) struct Clock {
    id: String,
    title: String,
    summary: String,
    #[schema(value_type = word::Regime)]
    regime: String,
    stage: String,
    /// The kind of case it applies to.
    applies_to: String,
    /// The event from which it counts.
    base: String,
    /// The period in hours, days or months.
    #[schema(example = "24h")]
    duration: String,
    /// A second limit that counts from another event; the earlier one applies.
    cap: Option<ClockCap>,
    citation: String,
    source: Option<String>,
}

/// The second limit of a reporting deadline.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClockCap {
    base: String,
    duration: String,
}

impl Reference for Clock {
    type Source = source::Clock;

    const NAME: &'static str = "clocks";

    fn shelf(edition: &Edition) -> &Shelf<source::Clock> {
        &edition.clocks
    }

    fn new(clock: &source::Clock, _: &Edition, language: Language) -> Self {
        let cap = |bound: &Bound| ClockCap { base: bound.base.clone(), duration: bound.duration.to_string() };
        Self {
            id: clock.id.to_string(),
            title: clock.title.get(language).to_owned(),
            summary: clock.summary.get(language).to_owned(),
            regime: clock.rule.regime.clone(),
            stage: clock.rule.stage.clone(),
            applies_to: clock.rule.applies_to.clone(),
            base: clock.rule.bound.base.clone(),
            duration: clock.rule.bound.duration.to_string(),
            cap: clock.rule.cap.as_ref().map(cap),
            citation: clock.cite.to_string(),
            source: optional(clock.source.as_deref()),
        }
    }
}
