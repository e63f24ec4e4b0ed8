use app::catalogue::{
    Edition, drill as source,
    record::Shelf,
    vocabulary::{Difficulty, Role},
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Clock, Reference, optional, owned, spoken};
use crate::schema::word;

/// An incident drill scenario.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IncidentDrill)]
pub(crate) struct Drill {
    id: String,
    title: String,
    summary: String,
    #[schema(value_type = word::Difficulty)]
    difficulty: Difficulty,
    duration_minutes: u32,
    objective: String,
    #[schema(value_type = Vec<word::Role>)]
    participants: Vec<Role>,
    /// What the participants learn in the course of the drill, in order.
    injects: Vec<Inject>,
    tasks: Vec<Task>,
    success_criteria: Vec<String>,
    /// The reporting deadlines that the scenario starts.
    clocks: Vec<Clock>,
    /// The ids of the measures that it exercises.
    measures: Vec<String>,
    citation: String,
    source: Option<String>,
}

/// A piece of information for the participants.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DrillInject)]
pub(crate) struct Inject {
    at_minute: u32,
    text: String,
}

/// A task of a participant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DrillTask)]
pub(crate) struct Task {
    #[schema(value_type = word::Role)]
    role: Role,
    text: String,
}

impl Reference for Drill {
    type Source = source::Drill;

    const NAME: &'static str = "drills";

    fn shelf(edition: &Edition) -> &Shelf<source::Drill> {
        &edition.drills
    }

    fn new(drill: &source::Drill, edition: &Edition, language: Language) -> Self {
        let clocks = drill.clocks.iter().filter_map(|id| edition.clocks.get(id));
        let inject = |inject: &source::Inject| Inject {
            at_minute: inject.at_minute,
            text: inject.text.get(language).to_owned(),
        };
        let task = |task: &source::Task| Task { role: task.role, text: task.text.get(language).to_owned() };
        Self {
            id: drill.id.to_string(),
            title: drill.title.get(language).to_owned(),
            summary: drill.summary.get(language).to_owned(),
            difficulty: drill.difficulty,
            duration_minutes: drill.duration_minutes,
            objective: drill.objective.get(language).to_owned(),
            participants: drill.participants.clone(),
            injects: drill.injects.iter().map(inject).collect(),
            tasks: drill.tasks.iter().map(task).collect(),
            success_criteria: spoken(&drill.success_criteria, language),
            clocks: clocks.map(|clock| Clock::new(clock, edition, language)).collect(),
            measures: owned(&drill.measures),
            citation: drill.cite.to_string(),
            source: optional(drill.source.as_deref()),
        }
    }
}
