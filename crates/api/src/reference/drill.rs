use app::catalogue::{
    Edition,
    drill::{self as source, Judgement},
    record::Shelf,
    vocabulary::{Difficulty, Role},
};
use domain::{incident::Criterion, wording::Language};
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
    /// What those who lead the drill prepare and watch for.
    facilitator: Vec<String>,
    solution: Option<Solution>,
    /// The score sheet; the points add up to 100.
    scoring: Vec<Score>,
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

/// The model solution of a drill.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DrillSolution)]
pub(crate) struct Solution {
    /// What the classification comes to, and why.
    result: String,
    classification: Vec<Judged>,
    due: Vec<Due>,
    /// The decisions that are expected, in order.
    decisions: Vec<String>,
}

/// One criterion of DORA Art. 18(1) applied to the scenario.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DrillCriterion)]
pub(crate) struct Judged {
    #[schema(value_type = String, example = "data_losses")]
    criterion: Criterion,
    #[schema(value_type = word::Judgement)]
    judgement: Judgement,
    reason: String,
}

/// When a report is due in the scenario.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DrillDue)]
pub(crate) struct Due {
    /// The id of the clock.
    clock: String,
    at: String,
}

/// A line of the score sheet.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DrillScore)]
pub(crate) struct Score {
    points: u32,
    text: String,
}

impl Solution {
    fn new(solution: &source::Solution, language: Language) -> Self {
        let judged = |judged: &source::Judged| Judged {
            criterion: judged.criterion,
            judgement: judged.judgement,
            reason: judged.reason.get(language).to_owned(),
        };
        let due =
            |due: &source::Due| Due { clock: due.clock.to_string(), at: due.at.get(language).to_owned() };
        Self {
            result: solution.result.get(language).to_owned(),
            classification: solution.classification.iter().map(judged).collect(),
            due: solution.due.iter().map(due).collect(),
            decisions: spoken(&solution.decisions, language),
        }
    }
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
        let score =
            |line: &source::Score| Score { points: line.points, text: line.text.get(language).to_owned() };
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
            facilitator: spoken(&drill.facilitator, language),
            solution: drill.solution.as_ref().map(|solution| Solution::new(solution, language)),
            scoring: drill.scoring.iter().map(score).collect(),
            clocks: clocks.map(|clock| Clock::new(clock, edition, language)).collect(),
            measures: owned(&drill.measures),
            citation: drill.cite.to_string(),
            source: optional(drill.source.as_deref()),
        }
    }
}
