//! The wire types of drill runs. Every response says that it is an exercise.

use app::{
    catalogue::drill::{Drill, Solution},
    drill_run::{DecisionEntry, DecisionRow, DrillRunView},
    history::Detail,
};
use domain::{
    drill_run::{
        CriterionResult, DrillRun, DrillRunReference, Judgement, Outcome, PRACTICE, ScenarioFacts, Share,
    },
    id::{DrillRunId, FindingId, ProgrammeId, TestCaseId},
    incident::Criterion,
    moment::{Day, Moment},
    wording::Language,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    schema::word,
    v1::wire::{HistoryStep, ORDER, moves, words},
};

words! {
    DrillRunStatus = domain::drill_run::DrillRunStatus, moves::<domain::drill_run::DrillRunStatus>();
    DrillRunSort = domain::drill_run::DrillRunSort, ORDER;
}

/// A drill run. It is practice: nothing of it is an incident or a report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DrillRun)]
pub(crate) struct DrillRunItem {
    #[schema(value_type = String, example = "drn_01k9x14js0e00000000000000a")]
    id: DrillRunId,
    /// Counted apart from incidents.
    #[schema(value_type = String, example = "DR-0001")]
    reference: DrillRunReference,
    /// Always true.
    #[schema(example = true)]
    practice: bool,
    /// The id of the scenario in the catalogue.
    #[schema(example = "drill-ransomware-core-banking")]
    scenario: String,
    title: String,
    #[schema(value_type = String, format = Date)]
    planned_for: Day,
    /// Who leads the run and judges it: an account or a plain name.
    lead: Option<String>,
    participants: Vec<String>,
    /// The programme in which the finished run counts as a test case.
    #[schema(value_type = Option<String>)]
    programme_id: Option<ProgrammeId>,
    /// The test case that the run executes or, when it is finished, was recorded as.
    #[schema(value_type = Option<String>)]
    test_case_id: Option<TestCaseId>,
    status: DrillRunStatus,
    #[schema(value_type = Option<String>, format = DateTime)]
    started_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Moment>,
    /// From 0 to 100, once the run is finished.
    #[schema(maximum = 100)]
    score: Option<u8>,
    /// Made of success criteria that were not met.
    #[schema(value_type = Vec<String>)]
    findings: Vec<FindingId>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&DrillRunView> for DrillRunItem {
    fn from(run: &DrillRunView) -> Self {
        let (row, record) = (&run.row, &run.row.record);
        Self {
            id: row.id,
            reference: record.reference,
            practice: true,
            scenario: record.scenario.clone(),
            title: record.title.to_string(),
            planned_for: record.planned_for,
            lead: record.lead.as_ref().map(ToString::to_string),
            participants: record.participants.iter().map(ToString::to_string).collect(),
            programme_id: record.programme_id,
            test_case_id: record.test_case_id,
            status: record.status.into(),
            started_at: record.started_at,
            finished_at: record.finished_at,
            score: record.outcome.map(|outcome| outcome.score),
            findings: record.findings.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// A drill run with what its participants know by now. The solution is hidden until the run is finished.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DrillRunDetail {
    #[serde(flatten)]
    run: DrillRunItem,
    /// To be shown above everything of the run.
    #[schema(example = "EXERCISE — not a report")]
    notice: &'static str,
    /// Whole minutes since the start, until the end.
    minute: Option<u32>,
    /// Seconds until the next inject; `null` when there is none to come.
    next_inject_in_seconds: Option<i64>,
    /// The injects whose minute has come.
    injects: Vec<RunInject>,
    /// From the start on.
    tasks: Vec<RunTask>,
    /// What the participants made of the criteria of DORA Art. 18(1).
    classification: Vec<RunClassification>,
    /// What the participants said about each report.
    reports: Vec<RunReport>,
    /// The success criteria, from the start on.
    criteria: Vec<RunCriterion>,
    breakdown: Option<ScoreBreakdown>,
    solution: Option<RunSolution>,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// An inject that has come.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunInject {
    /// The number of the step.
    number: u32,
    at_minute: u32,
    text: String,
    #[schema(value_type = Option<String>, format = DateTime)]
    done_at: Option<Moment>,
    done_by: Option<String>,
}

/// A task of a participant.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunTask {
    /// The number of the step; tasks are numbered after all injects.
    number: u32,
    #[schema(value_type = word::Role)]
    role: app::catalogue::vocabulary::Role,
    text: String,
    #[schema(value_type = Option<String>, format = DateTime)]
    done_at: Option<Moment>,
    done_by: Option<String>,
}

/// One criterion as the participants judged it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunClassification {
    #[schema(value_type = String, example = "data_losses")]
    criterion: Criterion,
    #[schema(value_type = Option<word::Judgement>)]
    judgement: Option<Judgement>,
    /// The minute of the run in which it was judged.
    at_minute: Option<u32>,
    /// The judgement of the model solution, once the run is finished.
    #[schema(value_type = Option<word::Judgement>)]
    expected: Option<Judgement>,
    /// Why, once the run is finished.
    reason: Option<String>,
}

/// What the participants said about the report of one clock.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunReport {
    /// The id of the clock.
    clock: String,
    title: String,
    /// When it would have been due, in the words of the participants.
    due: Option<String>,
    /// The minute of the scenario in which they would have sent it.
    sent_at_minute: Option<u32>,
    /// What the person who leads the drill says of the answer.
    right: Option<bool>,
    /// When it is due in the model solution, once the run is finished.
    expected: Option<String>,
}

/// A success criterion of the scenario.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunCriterion {
    number: u32,
    text: String,
    #[schema(value_type = Option<String>, example = "partly")]
    result: Option<CriterionResult>,
}

/// What was reached of what could be.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ScoreShare {
    reached: u32,
    possible: u32,
}

impl From<Share> for ScoreShare {
    fn from(share: Share) -> Self {
        Self { reached: share.reached, possible: share.possible }
    }
}

/// What the score is made of: success criteria weigh 50, the classification 30, the reports 20.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ScoreBreakdown {
    /// Two points for a criterion that was met, one for one that was met partly.
    criteria: ScoreShare,
    /// One point for each criterion judged as in the model solution.
    classification: ScoreShare,
    /// One point for each report whose due time was answered right.
    reports: ScoreShare,
}

impl From<Outcome> for ScoreBreakdown {
    fn from(outcome: Outcome) -> Self {
        Self {
            criteria: outcome.criteria.into(),
            classification: outcome.classification.into(),
            reports: outcome.reports.into(),
        }
    }
}

/// The model solution, beside what stands at each criterion and report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunSolution {
    /// What the classification comes to, and why.
    result: String,
    /// The decisions that were expected, in order.
    decisions: Vec<String>,
}

impl RunSolution {
    fn new(solution: &Solution, language: Language) -> Self {
        Self {
            result: solution.result.get(language).to_owned(),
            decisions: solution.decisions.iter().map(|text| text.get(language).to_owned()).collect(),
        }
    }
}

impl DrillRunDetail {
    pub(crate) fn new(detail: &Detail<DrillRunView>, language: Language) -> Self {
        let run = &detail.record;
        let shown = run.scenario().filter(|_| run.is_open_to_participants());
        Self {
            run: DrillRunItem::from(run),
            notice: PRACTICE.text(language),
            minute: run.minute(),
            next_inject_in_seconds: run.next_inject_in(),
            injects: injects(run, language),
            tasks: shown.map(|drill| tasks(&run.row.record, drill, language)).unwrap_or_default(),
            classification: classification(run, language),
            reports: run.scenario().map(|drill| reports(run, drill, language)).unwrap_or_default(),
            criteria: shown.map(|drill| criteria(&run.row.record, drill, language)).unwrap_or_default(),
            breakdown: run.row.record.outcome.map(ScoreBreakdown::from),
            solution: run.solution().map(|solution| RunSolution::new(solution, language)),
            history: detail.history.iter().map(HistoryStep::from).collect(),
        }
    }
}

impl From<&Detail<DrillRunView>> for DrillRunDetail {
    fn from(detail: &Detail<DrillRunView>) -> Self {
        Self::new(detail, Language::default())
    }
}

fn injects(run: &DrillRunView, language: Language) -> Vec<RunInject> {
    let shown = run.injects();
    let inject = |(number, inject): &(u32, &app::catalogue::drill::Inject)| {
        let done = run.row.record.step(*number);
        RunInject {
            number: *number,
            at_minute: inject.at_minute,
            text: inject.text.get(language).to_owned(),
            done_at: done.map(|step| step.at),
            done_by: done.map(|step| step.by.clone()),
        }
    };
    shown.iter().map(inject).collect()
}

fn tasks(record: &DrillRun, drill: &Drill, language: Language) -> Vec<RunTask> {
    let numbered = (1..).zip(drill.injects.iter().map(|_| None).chain(drill.tasks.iter().map(Some)));
    let task = |(number, task): (u32, Option<&app::catalogue::drill::Task>)| {
        let (task, done) = (task?, record.step(number));
        Some(RunTask {
            number,
            role: task.role,
            text: task.text.get(language).to_owned(),
            done_at: done.map(|step| step.at),
            done_by: done.map(|step| step.by.clone()),
        })
    };
    numbered.filter_map(task).collect()
}

fn classification(run: &DrillRunView, language: Language) -> Vec<RunClassification> {
    let solution = run.solution();
    let judged = |criterion: Criterion| {
        let answer = run.row.record.judged(criterion);
        let model = solution
            .and_then(|solution| solution.classification.iter().find(|judged| judged.criterion == criterion));
        RunClassification {
            criterion,
            judgement: answer.map(|judged| judged.judgement),
            at_minute: answer.map(|judged| judged.at_minute),
            expected: model.map(|judged| judged.judgement),
            reason: model.map(|judged| judged.reason.get(language).to_owned()),
        }
    };
    ScenarioFacts::criteria_of_law().map(judged).collect()
}

fn reports(run: &DrillRunView, drill: &Drill, language: Language) -> Vec<RunReport> {
    let solution = run.solution();
    let report = |id: &str| {
        let answer = run.row.record.report(id);
        let due = solution.and_then(|solution| solution.due.iter().find(|due| *due.clock == *id));
        let clock = run.edition.clocks.get(id);
        RunReport {
            clock: id.to_owned(),
            title: clock.map_or_else(|| id.to_owned(), |clock| clock.title.get(language).to_owned()),
            due: answer.and_then(|report| report.due.as_ref()).map(ToString::to_string),
            sent_at_minute: answer.and_then(|report| report.sent_at_minute),
            right: answer.and_then(|report| report.right),
            expected: due.map(|due| due.at.get(language).to_owned()),
        }
    };
    drill.clocks.iter().map(|id| report(id)).collect()
}

fn criteria(record: &DrillRun, drill: &Drill, language: Language) -> Vec<RunCriterion> {
    let results = record.criteria.iter().copied().chain(std::iter::repeat(None));
    let numbered = (1..).zip(drill.success_criteria.iter().zip(results));
    numbered
        .map(|(number, (text, result))| RunCriterion { number, text: text.get(language).to_owned(), result })
        .collect()
}

/// A line of the decision log. Lines are added and never changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DrillDecision {
    /// Counted from 1.
    number: i64,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    text: String,
    /// The key or person that wrote it.
    by: String,
    /// Always true.
    #[schema(example = true)]
    practice: bool,
}

impl From<&DecisionRow> for DrillDecision {
    fn from(row: &DecisionRow) -> Self {
        Self {
            number: row.seq,
            at: row.at,
            text: row.text.to_string(),
            by: row.actor.clone(),
            practice: true,
        }
    }
}

impl From<&DecisionEntry> for DrillDecision {
    fn from(entry: &DecisionEntry) -> Self {
        Self::from(&entry.row)
    }
}
