//! A run in progress: injects arrive, steps are ticked off, participants classify, report and are judged.

use app::{
    catalogue::drill::{Drill, Task},
    drill_run::{DrillPart, DrillRunChange, DrillRunView},
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    drill_run::{
        ClassificationInput, CriterionResult, DecisionInput, DrillRun, DrillRunStatus, Judgement,
        ReportInput, ScenarioFacts,
    },
    right::{Resource, Right},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, detail, run_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::drill_run as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
    },
};

/// The page reloads at least this often, because other users change it too.
const AGAIN_SECONDS: i64 = 60;
/// The longest scenario of the catalogue.
const LAST_MINUTE: i64 = 36 * 60;

/// Whether the caller can add to the run.
pub(super) fn is_open(visit: &Visit, run: &DrillRunView) -> bool {
    run.row.record.status == DrillRunStatus::Running && visit.may(Resource::DrillRuns, Right::Write)
}

/// A finished step shows its time; an open one has a button.
fn step(visit: &Visit, run: &DrillRunView, number: u32) -> Markup {
    if let Some(done) = run.row.record.step(number) {
        return html! { (badge(Tone::Good, visit.t(texts::DONE))) " " span.quiet { (visit.time(done.at)) } };
    }
    if !is_open(visit, run) {
        return html! {};
    }
    let action = format!("{}/steps/{number}/done", address_of(run.row.id));
    ui::post_button(visit, &action, visit.t(texts::DONE))
}

/// The injects so far, latest first.
pub(super) fn injects(visit: &Visit, run: &DrillRunView) -> Markup {
    let shown = run.injects();
    let content = html! {
        @if run.row.record.status == DrillRunStatus::Running { (next(visit, run)) }
        @if shown.is_empty() { p.quiet { (visit.t(texts::NO_INJECTS)) } }
        ol.history {
            @for (number, inject) in shown.iter().rev() {
                li {
                    strong { (visit.fill(texts::AT_MINUTE, &[("minute", &inject.at_minute)])) }
                    p.prose { (inject.text.get(visit.language)) }
                    (step(visit, run, *number))
                }
            }
        }
    };
    html! { div #step { (ui::section(visit.t(texts::INJECTS), &content)) } }
}

/// When the next inject arrives, with a link. A script follows it unless a field is being edited.
fn next(visit: &Visit, run: &DrillRunView) -> Markup {
    let coming = run.next_inject_in();
    let again = coming.map_or(AGAIN_SECONDS, |seconds| seconds.saturating_add(1).min(AGAIN_SECONDS));
    html! {
        p.hint {
            @if let Some(seconds) = coming {
                (visit.fill(texts::NEXT_IN, &[("minutes", &seconds.div_euclid(60).saturating_add(1))]))
            } @else { (visit.t(texts::ALL_SHOWN)) }
        }
        a.button href=(address_of(run.row.id)) data-again=(again) { (visit.t(texts::SHOW_NEW)) }
    }
}

pub(super) fn tasks(visit: &Visit, run: &DrillRunView) -> Markup {
    let Some(drill) = run.scenario() else { return html! {} };
    let content = html! {
        ul.steps {
            @for (number, task) in numbered(drill) {
                li {
                    div {
                        strong { (visit.t(task.role.label())) }
                        p { (task.text.get(visit.language)) }
                    }
                    (step(visit, run, number))
                }
            }
        }
    };
    ui::section(visit.t(texts::TASKS), &content)
}

/// Tasks are numbered after the injects.
fn numbered(drill: &Drill) -> impl Iterator<Item = (u32, &Task)> {
    (1..).skip(drill.injects.len()).zip(&drill.tasks)
}

/// The criteria as fields while the run is in progress. Afterwards the result compares them.
pub(super) fn classification(visit: &Visit, run: &DrillRunView) -> Markup {
    if !is_open(visit, run) {
        return html! {};
    }
    let record = &run.row.record;
    let filled = Form::filled(ScenarioFacts::criteria_of_law().map(|criterion| {
        let judged = record.judged(criterion).map(|judged| judged.judgement.to_string());
        (criterion.as_str(), judged.unwrap_or_default())
    }));
    let mut choices = vec![Choice::new("", visit.t(texts::NOT_JUDGED))];
    choices.extend(Judgement::ALL.iter().map(|word| Choice::new(word.as_str(), visit.t(word.label()))));
    let content = html! {
        p.hint { (visit.t(texts::CLASSIFICATION_HELP)) }
        form method="post" action={ (address_of(run.row.id)) "/classification" } {
            (visit.form_token())
            @for criterion in ScenarioFacts::criteria_of_law() {
                (field::select(visit, &filled, criterion.as_str(), criterion.label(), &choices))
            }
            div.form-end { button.button.primary type="submit" { (visit.t(texts::CLASSIFY)) } }
        }
    };
    html! { div #classification { (ui::section(visit.t(DrillRun::CLASSIFICATION.label), &content)) } }
}

/// One small form for each reporting clock of the scenario.
pub(super) fn reports(visit: &Visit, run: &DrillRunView, form: &Form, part: DrillPart) -> Markup {
    let clocks = run.scenario().map(|drill| drill.clocks.as_slice()).unwrap_or_default();
    if clocks.is_empty() || !is_open(visit, run) {
        return html! {};
    }
    let content = html! {
        p.hint { (visit.t(texts::REPORTS_HELP)) }
        @for (place, clock) in (1..).zip(clocks) { (report_form(visit, run, (place, clock), (form, part))) }
    };
    html! { div #reports { (ui::section(visit.t(DrillRun::REPORTS.label), &content)) } }
}

/// The fields of the report forms, with their labels.
pub(super) fn names(run: &DrillRunView) -> Vec<(String, Label)> {
    let clocks = run.scenario().map_or(0, |drill| drill.clocks.len());
    let fields = [("due", texts::DUE), ("sent_at_minute", texts::SENT), ("right", texts::RIGHT)];
    let of = |place: usize| fields.map(|(name, label)| (format!("{name}.{place}"), label));
    (1..=clocks).flat_map(of).collect()
}

fn report_form(
    visit: &Visit,
    run: &DrillRunView,
    (place, clock): (usize, &str),
    (form, part): (&Form, DrillPart),
) -> Markup {
    let answer = run.row.record.report(clock);
    let [due, sent, right] = ["due", "sent_at_minute", "right"].map(|name| format!("{name}.{place}"));
    let marked = answer.and_then(|report| report.right);
    let filled = Form::filled([
        (
            due.as_str(),
            answer.and_then(|report| report.due.as_ref()).map(Name::to_string).unwrap_or_default(),
        ),
        (
            sent.as_str(),
            answer
                .and_then(|report| report.sent_at_minute)
                .map(|minute| minute.to_string())
                .unwrap_or_default(),
        ),
        (right.as_str(), marked.map(|right| right.to_string()).unwrap_or_default()),
    ]);
    let form = if form.is_checked(&due) { form } else { &filled };
    let title = run.edition.clocks.get(clock).map_or(clock, |clock| clock.title.get(visit.language));
    let choices = [
        Choice::new("", visit.t(texts::RIGHT_OPEN)),
        Choice::new("true", visit.t(texts::RIGHT_YES)),
        Choice::new("false", visit.t(texts::RIGHT_NO)),
    ];
    html! {
        form method="post" action={ (address_of(run.row.id)) "/reports" } {
            (visit.form_token())
            input type="hidden" name="clock" value=(clock);
            input type="hidden" name="place" value=(place);
            h3 { (title) }
            (Field::text(visit, form, &due, texts::DUE).optional().at_most(Name::MAX).render())
            div.columns {
                (Field::number(visit, form, &sent, texts::SENT, (0, LAST_MINUTE)).optional().render())
                @if part.leads { (field::select(visit, form, &right, texts::RIGHT, &choices)) }
            }
            div.form-end { button.button type="submit" { (visit.t(texts::SAVE_REPORT)) } }
        }
    }
}

pub(super) fn result_badge(view: &View, result: Option<CriterionResult>) -> Markup {
    let tone = match result {
        Some(CriterionResult::Met) => Tone::Good,
        Some(CriterionResult::Partly) => Tone::Warning,
        Some(CriterionResult::Not) => Tone::Critical,
        None => Tone::Neutral,
    };
    badge(tone, view.t(result.map_or(texts::NOT_JUDGED, CriterionResult::label)))
}

/// The success criteria with their judgement, and buttons while the run is in progress.
pub(super) fn criteria(visit: &Visit, run: &DrillRunView, part: DrillPart) -> Markup {
    let Some(drill) = run.scenario() else { return html! {} };
    let content = html! {
        p.hint { (visit.t(texts::CRITERIA_HELP)) }
        ol.history {
            @for (number, text) in (1_usize..).zip(&drill.success_criteria) {
                li {
                    p.prose { (text.get(visit.language)) }
                    (result_badge(visit, run.row.record.result(number)))
                    @if part.leads && is_open(visit, run) { (judge(visit, run, number)) }
                }
            }
        }
    };
    html! { div #criteria { (ui::section(visit.t(DrillRun::CRITERIA.label), &content)) } }
}

fn judge(visit: &Visit, run: &DrillRunView, number: usize) -> Markup {
    html! {
        form.inline method="post" action={ (address_of(run.row.id)) "/criteria/" (number) } {
            (visit.form_token())
            @for word in CriterionResult::ALL {
                button.button type="submit" name="result" value=(word.as_str()) { (visit.t(word.label())) }
            }
        }
    }
}

fn numbered_path(id: &str, number: &str) -> Result<(domain::id::DrillRunId, u32), PageError> {
    Ok((run_id(id)?, number.parse().map_err(|_| PageError::NotFound)?))
}

pub(super) async fn step_done(
    State(workspace): State<Workspace>,
    Path((id, number)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, (id, number)) = (posted, numbered_path(&id, &number)?);
    detail::changed(&workspace, &visit, id, DrillRunChange::Step(number), (form, "saved")).await
}

pub(super) async fn criterion(
    State(workspace): State<Workspace>,
    Path((id, number)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, (id, number)) = (posted, numbered_path(&id, &number)?);
    let change = DrillRunChange::Criterion(number, form.required_change("result"));
    detail::changed(&workspace, &visit, id, change, (form, "saved")).await
}

pub(super) async fn classify(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, run_id(&id)?);
    let judgements = ScenarioFacts::criteria_of_law()
        .map(|criterion| (criterion, form.change(criterion.as_str())))
        .collect();
    let change = DrillRunChange::Classify(ClassificationInput { judgements });
    detail::changed(&workspace, &visit, id, change, (form, "saved")).await
}

pub(super) async fn report(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, run_id(&id)?);
    let place = form.value("place").to_owned();
    let named = |name: &str| format!("{name}.{place}");
    let right = match form.change(&named("right")) {
        Change::Set(word) => word.parse().map_or(Change::Keep, Change::Set),
        Change::Clear => Change::Clear,
        Change::Keep => Change::Keep,
    };
    let input = ReportInput {
        clock: form.required_change("clock"),
        due: form.change(&named("due")),
        sent_at_minute: form.decimal(&named("sent_at_minute")),
        right,
    };
    let input = form.finish(Some(input));
    let changed = match input {
        Ok(input) => {
            let change = DrillRunChange::Report(input);
            let precondition = crate::pages::record::precondition(&form);
            workspace
                .app
                .records
                .change_record::<DrillRun>(visit.caller(), id, change, precondition)
                .await
                .map(|_| ())
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(()) => respond::go_to(&format!("{}#reports", route::done(&address_of(id), "saved"))),
        Err(error) => {
            form.refuse(error)?;
            form.relocate(|_, name, message| {
                let of_form = ["due", "sent_at_minute", "right"].contains(&name);
                (if of_form { named(name) } else { name.to_owned() }, message.clone())
            });
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}

pub(super) async fn decide(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, run_id(&id)?);
    let input = DecisionInput { text: form.required_change("text") };
    match workspace.app.resilience.log_drill_decision(visit.caller(), id, input).await {
        Ok(_) => respond::go_to(&format!("{}#log", route::done(&address_of(id), "saved"))),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}
