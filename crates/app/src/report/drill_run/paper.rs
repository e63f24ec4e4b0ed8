//! One drill run as a document: the plan, the injects, the decisions, and the comparison with the model solution. A
//! watermark on every page marks it as an exercise.

use catalogue::drill::Solution;
use domain::{
    drill_run::{CriterionResult, DrillRun, Judgement, Outcome, PRACTICE, ScenarioFacts, Share},
    id::DrillRunId,
    incident::Criterion,
    page::PageRequest,
    text::Name,
    wording::{Label, Language},
};
use reports::document::{Badge, Cell, Column, Section, Table, Tone};

use super::super::{ReportContext, words as shared, words::word};
use crate::{
    Reports, Result,
    authz::Caller,
    drill_run::{DecisionEntry, DrillRunView},
    report::File,
};

const DRILL_RUN: Label = word("Drill run", "Übung");
const OBJECTIVE: Label = word("Objective", "Ziel");
const PLAN: Label = word("Plan", "Plan");
const SCENARIO_GONE: Label =
    word("The catalogue no longer has this scenario.", "Der Katalog enthält dieses Szenario nicht mehr.");
const PLANNED_MINUTES: Label = word("Planned length in minutes", "Geplante Dauer in Minuten");
const NOT_STARTED: Label = word("The drill has not begun.", "Die Übung hat noch nicht begonnen.");
const POINTS: Label = word("points of 100", "von 100 Punkten");
const OF: Label = word("of", "von");
const CRITERIA_SHARE: Label = word("Success criteria (weight 50)", "Erfolgskriterien (Gewicht 50)");
const CLASSIFICATION_SHARE: Label = word("Classification (weight 30)", "Klassifizierung (Gewicht 30)");
const REPORTS_SHARE: Label = word("Reports (weight 20)", "Meldungen (Gewicht 20)");
const SITUATION: Label = word("Situation", "Lage");
const MINUTE: Label = word("Minute", "Minute");
const INFORMATION: Label = word("Information", "Information");
const DONE: Label = word("Done", "Erledigt");
const TASKS: Label = word("Tasks", "Aufgaben");
const ROLE: Label = word("Role", "Rolle");
const TASK: Label = word("Task", "Aufgabe");
const DECISIONS: Label = word("Decisions", "Entscheidungen");
const DECISION: Label = word("Decision", "Entscheidung");
const NO_DECISION: Label = word("No decision is logged.", "Es ist keine Entscheidung festgehalten.");
const CRITERION: Label = word("Criterion", "Kriterium");
const ANSWER: Label = word("Answer", "Antwort");
const MODEL: Label = word("Model solution", "Musterlösung");
const REASON: Label = word("Reason", "Begründung");
const NOT_JUDGED: Label = word("Not judged", "Nicht bewertet");
const REPORT: Label = word("Report", "Meldung");
const WOULD_BE_DUE: Label = word("Would be due", "Wäre fällig");
const SENT: Label = word("Would be sent in minute", "Ginge hinaus in Minute");
const RIGHT: Label = word("Right", "Richtig");
const WRONG: Label = word("Wrong", "Falsch");
const MARK: Label = word("Mark", "Bewertung");
const EXPECTED: Label = word("Expected decisions", "Erwartete Entscheidungen");

impl Reports {
    /// One run as a document. It contains the model solution once the run is finished.
    pub async fn drill_run_pdf(
        &self,
        caller: &Caller,
        id: DrillRunId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (detail, _) = self.records.record::<DrillRun>(caller, id).await?;
        let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
        let mut decisions = self.resilience.drill_decisions(caller, id, all).await?.items;
        decisions.reverse();
        let ctx = ReportContext::new(self, caller, language).await?;
        let run = &detail.record;
        let record = &run.row.record;
        let section = plan(&ctx, Section::new(format!("{} {}", record.reference, record.title)), run);
        let section = match record.started_at {
            None => section.paragraph(ctx.t(NOT_STARTED)),
            Some(_) => course(&ctx, section, run, &decisions),
        };
        let document = ctx
            .document(format!("{}: {}", ctx.t(PRACTICE), record.title))
            .subtitle(ctx.t(DRILL_RUN))
            .mark(ctx.t(PRACTICE))
            .fact(ctx.t(shared::VERSION), run.row.version.to_string())
            .section(section);
        let document = self.with_comments(caller, &ctx, document, (id, comments)).await?;
        ctx.set(document, format!("drill-run-{}", record.reference.to_string().to_lowercase())).await
    }
}

fn plan(ctx: &ReportContext, section: Section, run: &DrillRunView) -> Section {
    let record = &run.row.record;
    let scenario = run.scenario();
    let people: Vec<&str> = record.participants.iter().map(Name::as_str).collect();
    let title = scenario.map_or(ctx.t(SCENARIO_GONE), |drill| drill.title.get(ctx.language));
    let mut facts = vec![
        ctx.pair(DrillRun::SCENARIO, title),
        ctx.pair(DrillRun::PLANNED_FOR, ctx.day(Some(record.planned_for))),
        ctx.pair(DrillRun::LEAD, record.lead.as_ref().map_or("–", Name::as_str)),
        ctx.pair(DrillRun::PARTICIPANTS, if people.is_empty() { "–".to_owned() } else { people.join(", ") }),
    ];
    if let Some(drill) = scenario {
        facts.push(ctx.pair(OBJECTIVE, drill.objective.get(ctx.language)));
        facts.push(ctx.pair(PLANNED_MINUTES, drill.duration_minutes.to_string()));
    }
    facts.push(ctx.pair(DrillRun::STARTED, ctx.moment_or_none(record.started_at)));
    facts.push(ctx.pair(DrillRun::FINISHED, ctx.moment_or_none(record.finished_at)));
    let badges = [
        Badge::new(Tone::Critical, ctx.t(PRACTICE)),
        Badge::new(record.status.tone(), ctx.t(record.status.label())),
    ];
    section.badges(badges).heading(ctx.t(PLAN)).key_values(facts)
}

/// Everything from the start on, in the order in which it is read.
fn course(ctx: &ReportContext, section: Section, run: &DrillRunView, decisions: &[DecisionEntry]) -> Section {
    let solution = run.solution();
    let section = match &run.row.record.outcome {
        Some(outcome) => score(ctx, section, outcome),
        None => section,
    };
    let section = section.heading(ctx.t(SITUATION)).table(injects(ctx, run));
    let section = section.heading(ctx.t(DECISIONS)).table(logged(ctx, decisions));
    let section = section.heading(ctx.t(DrillRun::CLASSIFICATION.label));
    let section = match solution {
        Some(solution) => section.paragraph(solution.result.get(ctx.language)),
        None => section,
    };
    let section = section.table(classification(ctx, run, solution));
    let section = reports(ctx, section, run, solution);
    let section = section.heading(ctx.t(DrillRun::CRITERIA.label)).table(criteria(ctx, run));
    let section = section.heading(ctx.t(TASKS)).table(tasks(ctx, run));
    match solution {
        Some(solution) => expected(ctx, section, solution),
        None => section,
    }
}

fn score(ctx: &ReportContext, section: Section, outcome: &Outcome) -> Section {
    let shares = [
        (CRITERIA_SHARE, outcome.criteria),
        (CLASSIFICATION_SHARE, outcome.classification),
        (REPORTS_SHARE, outcome.reports),
    ];
    let pair = |(label, share): (Label, Share)| {
        ctx.pair(label, format!("{} {} {}", share.reached, ctx.t(OF), share.possible))
    };
    let counted = shares.into_iter().filter(|(_, share)| share.possible > 0).map(pair);
    section
        .heading(ctx.t(DrillRun::OUTCOME.label))
        .lead(format!("{} {}", outcome.score, ctx.t(POINTS)))
        .key_values(counted.collect::<Vec<_>>())
}

fn done_at(ctx: &ReportContext, run: &DrillRunView, number: u32) -> String {
    ctx.moment_or_none(run.row.record.step(number).map(|step| step.at))
}

fn injects(ctx: &ReportContext, run: &DrillRunView) -> Table {
    let columns = [
        Column::points(ctx.t(MINUTE), 44).row_header(),
        Column::share(ctx.t(INFORMATION), 1),
        Column::points(ctx.t(DONE), 100),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(shared::NONE));
    run.injects().into_iter().fold(empty, |table, (number, inject)| {
        let text = inject.text.get(ctx.language).to_owned();
        table.row([inject.at_minute.to_string(), text, done_at(ctx, run, number)])
    })
}

fn tasks(ctx: &ReportContext, run: &DrillRunView) -> Table {
    let columns = [
        Column::points(ctx.t(ROLE), 110).row_header(),
        Column::share(ctx.t(TASK), 1),
        Column::points(ctx.t(DONE), 100),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(shared::NONE));
    let Some(drill) = run.scenario() else { return empty };
    // Tasks are numbered after the injects.
    let numbered = (1..).skip(drill.injects.len()).zip(&drill.tasks);
    numbered.fold(empty, |table, (number, task)| {
        let role = ctx.t(task.role.label()).to_owned();
        table.row([role, task.text.get(ctx.language).to_owned(), done_at(ctx, run, number)])
    })
}

fn logged(ctx: &ReportContext, decisions: &[DecisionEntry]) -> Table {
    let columns = [
        Column::points(ctx.t(shared::WHEN), 104).row_header(),
        Column::points(ctx.t(shared::BY), 90),
        Column::share(ctx.t(DECISION), 1),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(NO_DECISION));
    decisions.iter().fold(empty, |table, entry| {
        let who = ctx.person(Some(&entry.who));
        table.row([ctx.moment(entry.row.at), who, entry.row.text.to_string()])
    })
}

/// Each criterion as judged and as expected.
fn classification(ctx: &ReportContext, run: &DrillRunView, solution: Option<&Solution>) -> Table {
    let mut columns =
        vec![Column::share(ctx.t(CRITERION), 2).row_header(), Column::points(ctx.t(ANSWER), 92)];
    if solution.is_some() {
        columns.extend([Column::points(ctx.t(MODEL), 84), Column::share(ctx.t(REASON), 3)]);
    }
    let row = |criterion: Criterion| {
        let judged = run.row.record.judged(criterion);
        let model = solution
            .and_then(|solution| solution.classification.iter().find(|judged| judged.criterion == criterion));
        let given = judged.map(|judged| judged.judgement);
        let word = ctx.t(given.map_or(NOT_JUDGED, Judgement::label));
        let minute = judged.map(|judged| format!(" ({} {})", ctx.t(MINUTE), judged.at_minute));
        let text = format!("{word}{}", minute.unwrap_or_default());
        let answer = match model {
            Some(model) if given == Some(model.judgement) => Cell::badge(Tone::Good, text),
            Some(_) => Cell::badge(Tone::Critical, text),
            None => Cell::from(text),
        };
        let mut cells = vec![Cell::from(ctx.t(criterion.label())), answer];
        if solution.is_some() {
            cells.push(Cell::from(model.map_or("–", |model| ctx.t(model.judgement.label()))));
            cells.push(Cell::from(model.map_or("–", |model| model.reason.get(ctx.language))));
        }
        cells
    };
    ScenarioFacts::criteria_of_law().fold(Table::new(columns), |table, criterion| table.row(row(criterion)))
}

fn reports(
    ctx: &ReportContext,
    section: Section,
    run: &DrillRunView,
    solution: Option<&Solution>,
) -> Section {
    let clocks = run.scenario().map(|drill| drill.clocks.as_slice()).unwrap_or_default();
    if clocks.is_empty() {
        return section;
    }
    let mut columns = vec![
        Column::share(ctx.t(REPORT), 2).row_header(),
        Column::share(ctx.t(WOULD_BE_DUE), 2),
        Column::points(ctx.t(SENT), 70),
        Column::points(ctx.t(MARK), 62),
    ];
    if solution.is_some() {
        columns.push(Column::share(ctx.t(MODEL), 2));
    }
    let row = |id: &str| {
        let answer = run.row.record.report(id);
        let title = run.edition.clocks.get(id).map_or(id, |clock| clock.title.get(ctx.language));
        let sent = answer.and_then(|report| report.sent_at_minute).map(|minute| minute.to_string());
        let mut cells = vec![
            Cell::from(title),
            Cell::from(answer.and_then(|report| report.due.as_ref()).map_or("–", Name::as_str)),
            Cell::from(sent.unwrap_or_else(|| "–".to_owned())),
            match answer.and_then(|report| report.right) {
                Some(true) => Cell::badge(Tone::Good, ctx.t(RIGHT)),
                Some(false) => Cell::badge(Tone::Critical, ctx.t(WRONG)),
                None => Cell::from(ctx.t(NOT_JUDGED)),
            },
        ];
        if let Some(solution) = solution {
            let due = solution.due.iter().find(|due| *due.clock == *id);
            cells.push(Cell::from(due.map_or("–", |due| due.at.get(ctx.language))));
        }
        cells
    };
    let table = clocks.iter().fold(Table::new(columns), |table, id| table.row(row(id)));
    section.heading(ctx.t(DrillRun::REPORTS.label)).table(table)
}

fn criteria(ctx: &ReportContext, run: &DrillRunView) -> Table {
    let columns = [
        Column::share(ctx.t(CRITERION), 1).row_header(),
        Column::points(ctx.t(DrillRun::OUTCOME.label), 100),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(shared::NONE));
    let Some(drill) = run.scenario() else { return empty };
    (1_usize..).zip(&drill.success_criteria).fold(empty, |table, (number, text)| {
        let result = run.row.record.result(number);
        let tone = match result {
            Some(CriterionResult::Met) => Tone::Good,
            Some(CriterionResult::Partly) => Tone::Warning,
            Some(CriterionResult::Not) => Tone::Critical,
            None => Tone::Neutral,
        };
        let word = ctx.t(result.map_or(NOT_JUDGED, CriterionResult::label));
        table.row([Cell::from(text.get(ctx.language)), Cell::badge(tone, word)])
    })
}

fn expected(ctx: &ReportContext, section: Section, solution: &Solution) -> Section {
    let section = section.heading(ctx.t(EXPECTED));
    (1..).zip(&solution.decisions).fold(section, |section, (number, decision)| {
        section.paragraph(format!("{number}. {}", decision.get(ctx.language)))
    })
}
