//! Runs of drills: what participants see depends on the scenario and the clock. A run raises no events, so that no
//! receiver can mistake it for a real incident.

mod finish;
mod invite;
mod log;
mod part;

use std::{borrow::Cow, sync::Arc};

use catalogue::drill::{Drill, Inject, Solution};
use domain::{
    change::Change,
    drill_run::{
        ClassificationInput, DrillRun, DrillRunComplaint, DrillRunInput, DrillRunLinks, DrillRunStatus,
        Outcome, ReportInput, ScenarioFacts, Share,
    },
    moment::Moment,
    programme::Programme,
    right::Resource,
    test_case::TestCase,
    test_type::TestType,
    text::{Name, Prose},
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, drill_run as rows, drill_run_log, record};

use crate::{
    Core, Error, Result,
    author::Author,
    catalogue::Edition,
    records::{RecordKind, RecordRequest},
    words::{Kind, Texts},
};

pub use self::{log::DecisionEntry, part::DrillPart};
pub use store::{
    drill_run::{DrillRunFilter, DrillRunRow},
    drill_run_log::DecisionRow,
};

/// The current state of a run.
#[derive(Debug, Clone)]
pub struct DrillRunView {
    pub row: DrillRunRow,
    pub now: Moment,
    pub edition: Arc<Edition>,
}

/// The changes that requests make to a run.
#[derive(Debug, Clone)]
pub enum DrillRunChange {
    Fields(Box<DrillRunInput>),
    Start,
    /// Marks a step as done, counted from 1: first the injects, then the tasks.
    Step(u32),
    Classify(ClassificationInput),
    Report(ReportInput),
    /// Judges a success criterion, counted from 1.
    Criterion(u32, Change<String>),
    /// Scores the run. Findings are created in a language if requested.
    Finish {
        findings: bool,
        language: Language,
    },
}

impl From<DrillRunInput> for DrillRunChange {
    fn from(input: DrillRunInput) -> Self {
        Self::Fields(Box::new(input))
    }
}

impl DrillRunChange {
    /// Whether only the lead of the run makes this change: judgements, the end, and another lead or other participants
    /// once it runs.
    fn is_for_lead(&self, run: &DrillRun) -> bool {
        match self {
            Self::Criterion(..) | Self::Finish { .. } => true,
            Self::Report(input) => input.right != Change::Keep,
            Self::Fields(input) => {
                run.status == DrillRunStatus::Running
                    && (input.status != Change::Keep
                        || input.lead != Change::Keep
                        || input.participants != Change::Keep)
            }
            Self::Start | Self::Step(_) | Self::Classify(_) => false,
        }
    }
}

impl DrillRunView {
    /// `None` if the catalogue no longer has it.
    pub fn scenario(&self) -> Option<&Drill> {
        self.edition.drills.get(&self.row.record.scenario)
    }

    /// Whole minutes since the start, until the end.
    pub fn minute(&self) -> Option<u32> {
        self.row.record.minute(self.now)
    }

    /// The injects up to the current minute, with their numbers.
    pub fn injects(&self) -> Vec<(u32, &Inject)> {
        let Some((drill, minute)) = self.scenario().zip(self.minute()) else { return Vec::new() };
        (1..).zip(&drill.injects).take_while(|(_, inject)| inject.at_minute <= minute).collect()
    }

    /// Seconds until the next inject of a run in progress.
    pub fn next_inject_in(&self) -> Option<i64> {
        let record = &self.row.record;
        let started = record.started_at.filter(|_| record.status == DrillRunStatus::Running)?;
        let next = self.scenario()?.injects.get(self.injects().len())?;
        Some(self.now.seconds_until(started.plus_seconds(60 * i64::from(next.at_minute))).max(0))
    }

    /// Whether the tasks and success criteria are shown: from the start on.
    pub fn is_open_to_participants(&self) -> bool {
        self.row.record.started_at.is_some()
    }

    /// The model solution, which stays hidden until the run is finished.
    pub fn solution(&self) -> Option<&Solution> {
        let finished = self.row.record.status == DrillRunStatus::Finished;
        self.scenario().filter(|_| finished)?.solution.as_ref()
    }
}

/// The facts of the scenario that the rules of a run need.
fn facts(drill: &Drill, language: Language) -> ScenarioFacts {
    let solution = drill.solution.iter().flat_map(|solution| &solution.classification);
    ScenarioFacts {
        title: drill.title.get(language).to_owned(),
        inject_minutes: drill.injects.iter().map(|inject| inject.at_minute).collect(),
        tasks: drill.tasks.len(),
        criteria: drill.success_criteria.len(),
        clocks: drill.clocks.iter().map(ToString::to_string).collect(),
        solution: solution.map(|judged| (judged.criterion, judged.judgement)).collect(),
    }
}

impl Author {
    /// The records that the request names.
    fn drill_links(
        &self,
        tx: &mut Tx<'_>,
        input: &DrillRunInput,
        before: Option<&DrillRun>,
    ) -> Result<DrillRunLinks> {
        let programme = match input.named_programme() {
            Some(id) => record::get::<Programme>(tx, self.scope(), id)?.map(|row| row.id),
            None => None,
        };
        let test_case = match input.test_case(before.and_then(|run| run.test_case_id)) {
            Some(id) => record::get::<TestCase>(tx, self.scope(), id)?,
            None => None,
        };
        let test_case = test_case.map(|row| {
            let fits = row.record.test_type == TestType::ScenarioBasedTest && finish::can_be_executed(&row);
            (row.id, row.record.programme_id, fits)
        });
        Ok(DrillRunLinks { programme, test_case })
    }

    /// The scenario of a run, without which the run cannot be changed.
    fn with_scenario<T>(&self, run: &DrillRun, work: impl FnOnce(&Drill) -> Result<T>) -> Result<T> {
        let edition = self.core.catalogue()?;
        let drill = edition.drills.get(&run.scenario);
        work(drill.ok_or_else(|| Error::invalid("scenario", DrillRunComplaint::NoScenario))?)
    }
}

impl RecordKind for DrillRun {
    type Input = DrillRunInput;
    type New = DrillRunInput;
    type Change = DrillRunChange;
    type View = DrillRunView;

    const NOUN: &'static str = "drill_run";
    const LIST: &'static str = "drill_runs";
    const WORDS: Kind = Kind::new('d');
    const FOUND: Option<&'static str> = Some("drill_run");
    const RESOURCE: Resource = Resource::DrillRuns;

    fn create(author: &Author, tx: &mut Tx<'_>, new: &DrillRunInput) -> Result<Self> {
        let edition = author.core.catalogue()?;
        let drill = new.named_scenario().and_then(|id| edition.drills.get(id));
        let scenario = drill.map(|drill| facts(drill, new.language));
        let links = author.drill_links(tx, new, None)?;
        let reference = rows::next_reference(tx, author.scope())?;
        let run = new.create(reference, scenario.as_ref(), &links)?;
        author.led(tx, run)
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &DrillRunRow,
        change: &DrillRunChange,
    ) -> Result<Self> {
        let (run, now) = (&before.record, author.now);
        let usual = Language::default();
        if change.is_for_lead(run) {
            author.require_lead(tx, run)?;
        }
        match change {
            DrillRunChange::Fields(input) => {
                let links = author.drill_links(tx, input, Some(run))?;
                Ok(input.change(run, &links)?)
            }
            DrillRunChange::Start => author.with_scenario(run, |_| Ok(run.start(now)?)),
            DrillRunChange::Step(number) => author.with_scenario(run, |drill| {
                let by = author.caller.actor().to_string();
                run.tick(*number, &facts(drill, usual), (now, &by))?.ok_or(Error::NotFound)
            }),
            DrillRunChange::Classify(input) => Ok(run.classify(input, now)?),
            DrillRunChange::Report(input) => {
                author.with_scenario(run, |drill| Ok(run.answer(input, &facts(drill, usual), now)?))
            }
            DrillRunChange::Criterion(number, result) => {
                run.judge(*number, result, now)?.ok_or(Error::NotFound)
            }
            DrillRunChange::Finish { findings, language } => author.with_scenario(run, |drill| {
                let finished = run.finish(&facts(drill, *language), now)?;
                author.finish_drill(tx, finished, drill, (*findings, *language))
            }),
        }
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference,
            "practice": true,
            "scenario": self.scenario,
            "title": self.title.as_str(),
            "planned_for": self.planned_for,
            "lead": self.lead.as_ref().map(Name::as_str),
            "participants": self.participants.iter().map(Name::as_str).collect::<Vec<_>>(),
            "programme_id": self.programme_id,
            "test_case_id": self.test_case_id,
            "status": self.status,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "steps": self.steps.iter().map(|step| json!({
                "number": step.number, "at": step.at, "by": step.by,
            })).collect::<Value>(),
            "classification": self.classification.iter().map(|judged| json!({
                "criterion": judged.criterion, "judgement": judged.judgement, "at_minute": judged.at_minute,
            })).collect::<Value>(),
            "reports": self.reports.iter().map(|report| json!({
                "clock": report.clock, "due": report.due.as_ref().map(Name::as_str),
                "sent_at_minute": report.sent_at_minute, "right": report.right,
            })).collect::<Value>(),
            "criteria": self.criteria,
            "outcome": self.outcome.as_ref().map(outcome_fields),
            "findings": self.findings,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let people = self.participants.iter().chain(&self.lead).map(Name::as_str);
        let body = people.chain([self.scenario.as_str()]);
        Texts {
            heading: vec![Cow::Borrowed(self.title.as_str()), Cow::Owned(self.reference.to_string())],
            body: body.collect(),
        }
    }

    fn search_text(filter: &DrillRunFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<DrillRunRow>,
    ) -> Result<Vec<DrillRunView>> {
        let (edition, now) = (core.catalogue()?, core.clock.now());
        Ok(rows.into_iter().map(|row| DrillRunView { row, now, edition: Arc::clone(&edition) }).collect())
    }

    fn row(view: &DrillRunView) -> &DrillRunRow {
        &view.row
    }

    fn created(author: &Author, tx: &mut Tx<'_>, row: &DrillRunRow) -> Result<()> {
        author.invite(tx, row)
    }

    fn changed(author: &Author, tx: &mut Tx<'_>, before: &DrillRunRow, after: &DrillRunRow) -> Result<()> {
        author.invite_again(tx, before, after)
    }

    /// A run that started is proof of testing and cannot be deleted, also when it was broken off.
    fn release(author: &Author, tx: &mut Tx<'_>, row: &DrillRunRow) -> Result<()> {
        if row.record.started_at.is_some() {
            return Err(Error::invalid("drill_run", DrillRunComplaint::Kept));
        }
        drill_run_log::delete(tx, author.scope(), row.id).map_err(Error::from)
    }
}

impl RecordRequest<DrillRun> for DrillRunInput {
    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

impl RecordRequest<DrillRun> for DrillRunChange {
    fn note(&self) -> Option<Prose> {
        match self {
            Self::Fields(input) => input.note(),
            _ => None,
        }
    }
}

fn outcome_fields(outcome: &Outcome) -> Value {
    let share = |share: Share| json!({ "reached": share.reached, "possible": share.possible });
    json!({
        "score": outcome.score,
        "criteria": share(outcome.criteria),
        "classification": share(outcome.classification),
        "reports": share(outcome.reports),
    })
}
