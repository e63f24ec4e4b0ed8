//! The result of a finished run beside the model solution; in a run in progress, the answers so far.

use app::{catalogue::drill::Solution, drill_run::DrillRunView};
use domain::{
    drill_run::{DrillRun, DrillRunStatus, Judgement, Outcome, ScenarioFacts, Share},
    incident::Criterion,
    wording::Label,
};
use maud::{Markup, html};

use super::course::is_open;
use crate::{
    extract::{View, Visit},
    texts::drill_run as texts,
    ui::{
        self,
        badge::{Tone, badge},
        table::{Column, table},
    },
};

pub(super) fn section(visit: &Visit, run: &DrillRunView) -> Markup {
    let record = &run.row.record;
    if !run.is_open_to_participants() || is_open(visit, run) {
        return html! {};
    }
    let solution = run.solution();
    html! {
        @if let Some(outcome) = record.outcome { (score(visit, &outcome)) }
        (ui::section(visit.t(DrillRun::CLASSIFICATION.label), &html! {
            @if let Some(solution) = solution { p.prose { (solution.result.get(visit.language)) } }
            (classification(visit, run, solution))
        }))
        (reports(visit, run, solution))
        @if let Some(solution) = solution {
            (ui::section(visit.t(texts::EXPECTED_DECISIONS), &html! {
                ol.numbered {
                    @for decision in &solution.decisions { li { (decision.get(visit.language)) } }
                }
            }))
        }
    }
}

fn score(view: &View, outcome: &Outcome) -> Markup {
    let share = |label: Label, share: Share| {
        let reached = view.fill(texts::SHARE, &[("reached", &share.reached), ("possible", &share.possible)]);
        html! { @if share.possible > 0 { dt { (view.t(label)) } dd { (reached) } } }
    };
    let content = html! {
        p { strong { (view.fill(texts::SCORE_OF, &[("score", &outcome.score)])) } }
        dl.facts {
            (share(texts::CRITERIA_SHARE, outcome.criteria))
            (share(texts::CLASSIFICATION_SHARE, outcome.classification))
            (share(texts::REPORTS_SHARE, outcome.reports))
        }
    };
    ui::section(view.t(DrillRun::OUTCOME.label), &content)
}

/// Each criterion as judged and as expected.
fn classification(view: &View, run: &DrillRunView, solution: Option<&Solution>) -> Markup {
    let mut columns = vec![Column::text(view.t(texts::CRITERION)), Column::tight(view.t(texts::ANSWER))];
    if solution.is_some() {
        columns.extend([Column::tight(view.t(texts::MODEL)), Column::text(view.t(texts::REASON))]);
    }
    let row = |criterion: Criterion| {
        let answer = run.row.record.judged(criterion);
        let model = solution
            .and_then(|solution| solution.classification.iter().find(|judged| judged.criterion == criterion));
        let given = answer.map(|judged| judged.judgement);
        let tone = match model {
            Some(model) if given == Some(model.judgement) => Tone::Good,
            Some(_) => Tone::Critical,
            None => Tone::Neutral,
        };
        let word = given.map_or(texts::NOT_JUDGED, Judgement::label);
        let minute = answer.map(|judged| view.fill(texts::AT_MINUTE, &[("minute", &judged.at_minute)]));
        let mut cells = vec![
            html! { (view.t(criterion.label())) },
            html! {
                (badge(tone, view.t(word)))
                @if let Some(minute) = minute { br; span.quiet { (minute) } }
            },
        ];
        if solution.is_some() {
            cells.push(html! { @if let Some(model) = model { (view.t(model.judgement.label())) } });
            cells.push(html! { @if let Some(model) = model { (model.reason.get(view.language)) } });
        }
        cells
    };
    let rows: Vec<_> = ScenarioFacts::criteria_of_law().map(row).collect();
    table(view.t(DrillRun::CLASSIFICATION.label), &columns, &rows)
}

fn reports(view: &View, run: &DrillRunView, solution: Option<&Solution>) -> Markup {
    let clocks = run.scenario().map(|drill| drill.clocks.as_slice()).unwrap_or_default();
    if clocks.is_empty() {
        return html! {};
    }
    let is_over = run.row.record.status == DrillRunStatus::Finished;
    let content = html! {
        @for id in clocks {
            @let answer = run.row.record.report(id);
            @let due = solution.and_then(|solution| solution.due.iter().find(|due| due.clock == *id));
            @let title = run.edition.clocks.get(id).map_or(&**id, |clock| clock.title.get(view.language));
            h3 { (title) }
            dl.facts {
                dt { (view.t(texts::DUE)) }
                dd { (view.or_none(answer.and_then(|report| report.due.as_ref()))) }
                dt { (view.t(texts::SENT)) }
                dd { (view.or_none(answer.and_then(|report| report.sent_at_minute).map(|m| m.to_string()))) }
                @if is_over { dt { (view.t(texts::RIGHT)) } dd { (marked(view, answer.and_then(|r| r.right))) } }
                @if let Some(due) = due { dt { (view.t(texts::MODEL)) } dd { (due.at.get(view.language)) } }
            }
        }
    };
    ui::section(view.t(DrillRun::REPORTS.label), &content)
}

fn marked(view: &View, right: Option<bool>) -> Markup {
    match right {
        Some(true) => badge(Tone::Good, view.t(texts::RIGHT_YES)),
        Some(false) => badge(Tone::Critical, view.t(texts::RIGHT_NO)),
        None => badge(Tone::Neutral, view.t(texts::RIGHT_OPEN)),
    }
}
