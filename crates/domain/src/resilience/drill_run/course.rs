//! Changes between the start and the end of a run, each returning the changed run.

use super::{
    Classified, CriterionResult, DoneStep, DrillRun, DrillRunComplaint, DrillRunStatus, Judgement, Outcome,
    PracticeReport, ScenarioFacts,
};
use crate::{
    change::{Change, Fields},
    incident::Criterion,
    moment::Moment,
    text::{self, Prose},
    transition::Lifecycle as _,
    violation::{FieldComplaint, Violations},
};

/// The maximum length of a line of the decision log.
const MAX_DECISION: usize = 2_000;
/// The duration of the longest scenario of the catalogue: a day and a half.
const LAST_MINUTE: u32 = 36 * 60;

/// A line of the decision log as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionInput {
    pub text: Change<String>,
}

/// Judgements by criterion; `null` removes one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClassificationInput {
    pub judgements: Vec<(Criterion, Change<String>)>,
}

/// The answer about one report. Fields left out stay.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportInput {
    pub clock: Change<String>,
    pub due: Change<String>,
    pub sent_at_minute: Change<f64>,
    pub right: Change<bool>,
}

impl DecisionInput {
    pub fn read(&self, run: &DrillRun) -> Result<Prose, Violations> {
        if run.status != DrillRunStatus::Running {
            return Err(Violations::one("drill_run", DrillRunComplaint::NotRunning));
        }
        let mut fields = Fields::default();
        let line = fields.required("text", &self.text, None, |text| {
            text::prose(text, MAX_DECISION).and_then(Prose::parse)
        });
        fields.finish(line)
    }
}

impl DrillRun {
    pub fn start(&self, now: Moment) -> Result<Self, Violations> {
        let moved = self.status.moved(DrillRunStatus::Running);
        let status = moved.map_err(|refused| Violations::one("status", refused))?;
        Ok(Self { status, started_at: Some(now), ..self.clone() })
    }

    /// The minute of a run in progress.
    fn going(&self, now: Moment) -> Result<u32, Violations> {
        let minute = self.minute(now).filter(|_| self.status == DrillRunStatus::Running);
        minute.ok_or_else(|| Violations::one("drill_run", DrillRunComplaint::NotRunning))
    }

    /// Marks a step as done. The first time is kept. `None` if the scenario has no such step.
    pub fn tick(
        &self,
        number: u32,
        scenario: &ScenarioFacts,
        (now, by): (Moment, &str),
    ) -> Result<Option<Self>, Violations> {
        let minute = self.going(now)?;
        let place = number.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        let Some(place) = place.filter(|place| *place < scenario.inject_minutes.len() + scenario.tasks)
        else {
            return Ok(None);
        };
        if let Some(due) = scenario.inject_minutes.get(place).filter(|due| **due > minute) {
            return Err(Violations::one("step", DrillRunComplaint::NotDue { minute: *due }));
        }
        let mut after = self.clone();
        if self.step(number).is_none() {
            after.steps.push(DoneStep { number, at: now, by: by.to_owned() });
            after.steps.sort_by_key(|step| step.number);
        }
        Ok(Some(after))
    }

    pub fn classify(&self, input: &ClassificationInput, now: Moment) -> Result<Self, Violations> {
        let at_minute = self.going(now)?;
        let mut fields = Fields::default();
        let mut after = self.clone();
        let mut named = false;
        for (criterion, change) in &input.judgements {
            named |= *change != Change::Keep;
            let before = self.judged(*criterion).map(|judged| judged.judgement);
            let judgement: Option<Judgement> =
                fields.optional(criterion.as_str(), change, before, |word| word.parse());
            if judgement != before {
                after.classification.retain(|judged| judged.criterion != *criterion);
                let judged =
                    judgement.map(|judgement| Classified { criterion: *criterion, judgement, at_minute });
                after.classification.extend(judged);
            }
        }
        if !named {
            fields.refuse("classification", DrillRunComplaint::NoJudgement);
        }
        after.classification.sort_by_key(|judged| judged.criterion);
        fields.finish(Some(after))
    }

    /// Records the participants' answer about a report.
    pub fn answer(
        &self,
        input: &ReportInput,
        scenario: &ScenarioFacts,
        now: Moment,
    ) -> Result<Self, Violations> {
        self.going(now)?;
        let mut fields = Fields::default();
        let clock = fields.required("clock", &input.clock, None, |id| {
            let known = scenario.clocks.contains(id);
            if known { Ok(id.clone()) } else { Err(DrillRunComplaint::NoClock) }
        });
        let before = clock.as_deref().and_then(|clock| self.report(clock));
        let due = fields.line("due", &input.due, before.and_then(|report| report.due.clone()));
        let sent_before = before.and_then(|report| report.sent_at_minute);
        let sent_at_minute =
            fields.optional("sent_at_minute", &input.sent_at_minute, sent_before, |number| minute(*number));
        let right_before = before.and_then(|report| report.right);
        let right =
            fields.optional("right", &input.right, right_before, |right| Ok::<_, FieldComplaint>(*right));
        let report = || Some(PracticeReport { clock: clock?, due, sent_at_minute, right });
        let report = fields.finish(report())?;
        let mut after = self.clone();
        match after.reports.iter_mut().find(|known| known.clock == report.clock) {
            Some(known) => *known = report,
            None => after.reports.push(report),
        }
        Ok(after)
    }

    /// Judges a success criterion, counted from 1. `None` if the run has no such criterion.
    pub fn judge(
        &self,
        number: u32,
        result: &Change<String>,
        now: Moment,
    ) -> Result<Option<Self>, Violations> {
        self.going(now)?;
        let place = number.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        let Some(place) = place.filter(|place| *place < self.criteria.len()) else { return Ok(None) };
        let mut fields = Fields::default();
        let judged: Option<CriterionResult> = match result {
            Change::Clear => None,
            change => fields.required("result", change, None, |word| word.parse()),
        };
        let mut after = self.clone();
        if let Some(kept) = after.criteria.get_mut(place) {
            *kept = judged;
        }
        fields.finish(Some(Some(after)))
    }

    /// Ends the run and scores it.
    pub fn finish(&self, scenario: &ScenarioFacts, now: Moment) -> Result<Self, Violations> {
        let moved = self.status.moved(DrillRunStatus::Finished);
        let status = moved.map_err(|refused| Violations::one("status", refused))?;
        let outcome = Some(Outcome::of(self, scenario));
        Ok(Self { status, finished_at: Some(now), outcome, ..self.clone() })
    }
}

/// A whole number of minutes; JSON numbers may have fractions.
fn minute(number: f64) -> Result<u32, DrillRunComplaint> {
    let within = (0.0..=f64::from(LAST_MINUTE)).contains(&number) && number.fract() == 0.0;
    let text = format!("{number:.0}");
    text.parse().ok().filter(|_| within).ok_or(DrillRunComplaint::Minute { most: LAST_MINUTE })
}
