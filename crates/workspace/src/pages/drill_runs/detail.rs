//! One run on one page: the injects so far, the tasks, and finally the result.

use app::{
    drill_run::{DecisionEntry, DrillPart, DrillRunChange, DrillRunView},
    history::Detail,
};
use axum::extract::{Path, State};
use domain::{
    drill_run::{DrillRun, DrillRunStatus},
    evidence::LinkType,
    id::DrillRunId,
    page::{Page, PageRequest},
    right::{Resource, Right},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{DONE, address_of, course, practice, result, run_id, tone};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::{
        comments, evidence, file,
        names::Names,
        past,
        record::{self, form::settled},
    },
    respond::{self, Answer},
    route,
    texts::{drill_run as texts, record as shared},
    ui::{self, badge::badge, history},
};

/// What the page asks for that is no field of a run.
const NAMES: [(&str, Label); 5] = [
    ("note", shared::NOTE),
    ("text", texts::LOG_TEXT),
    ("drill_run", texts::DRILL_RUN),
    ("step", texts::STEP),
    ("clock", DrillRun::REPORTS.label),
];

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    if let Some(id) = id.strip_suffix(".pdf") {
        let (id, comments) = (run_id(id)?, comments::are_printed(&visit));
        let pdf = workspace.app.report.drill_run_pdf(visit.caller(), id, visit.language, comments).await?;
        return file::pdf(pdf);
    }
    respond::page(page(&workspace, &visit, run_id(&id)?, &Form::default()).await?)
}

pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: DrillRunId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (app, caller) = (&workspace.app, visit.caller());
    let (Detail { record: run, history: steps, .. }, _) = app.records.record::<DrillRun>(caller, id).await?;
    let all = PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default();
    let decisions = app.resilience.drill_decisions(caller, id, all).await?;
    let may_write = visit.may(Resource::DrillRuns, Right::Write);
    let part = app.resilience.drill_part(caller, &run.row.record).await?;
    let status_badge = |word: &str| record::status_badge(visit, word, tone);
    let history = past::section(workspace, visit, id, &steps, status_badge).await?;
    let evidence = evidence::section(
        workspace,
        visit,
        LinkType::DrillRun,
        id,
        visit.may(Resource::Evidence, Right::Write),
    )
    .await?;
    let (record, t) = (&run.row.record, |label| visit.t(label));
    let title = record.title.as_str();
    let of_reports = course::names(&run);
    let of_reports = of_reports.iter().map(|(name, label)| (name.as_str(), *label));
    let names: Vec<(&str, Label)> = NAMES.into_iter().chain(of_reports).collect();
    let may_edit = may_write && record.status.is_open();
    let deletion = record::deletable::<DrillRun>(workspace, visit, id, (&address_of(id), title)).await?;
    let actions = html! {
        a.button href={ (address_of(id)) ".pdf" } { "PDF" }
        @if may_edit { (ui::link_button(&format!("{}/edit", address_of(id)), t(shared::EDIT), false)) }
    };
    let content = html! {
        (practice(visit, record))
        (ui::head(title, &record.reference.to_string(), Some(actions)))
        (ui::notice::done(visit, &DONE))
        (record::form::complaints::<DrillRun>(visit, form, &names))
        div.row #drill_run {
            (badge(tone(record.status), t(record.status.label())))
            (minute(visit, &run))
        }
        @if record.status == DrillRunStatus::Planned && may_write { (start_part(visit, id)) }
        div.split {
            div {
                (result::section(visit, &run))
                @if run.is_open_to_participants() {
                    (course::injects(visit, &run))
                    (course::classification(visit, &run))
                    (course::reports(visit, &run, form, part))
                    (course::criteria(visit, &run, part))
                }
            }
            div {
                @if record.status == DrillRunStatus::Running && may_write && part.leads { (finish_part(visit, id)) }
                @if run.is_open_to_participants() {
                    (log(visit, &run, &decisions, form))
                    (course::tasks(visit, &run))
                }
                (facts(workspace, visit, &run).await?)
                (facilitator(visit, &run, part))
                (evidence)
                (history)
                @if may_write { (leave(visit, form, &run, part, &deletion)) }
            }
        }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn minute(visit: &Visit, run: &DrillRunView) -> Markup {
    let Some((minute, drill)) = run.minute().zip(run.scenario()) else { return html! {} };
    html! {
        strong {
            (visit.fill(texts::MINUTE_OF, &[("minute", &minute), ("duration", &drill.duration_minutes)]))
        }
    }
}

fn start_part(visit: &Visit, id: DrillRunId) -> Markup {
    let content = html! {
        p { (visit.t(texts::START_HELP)) }
        (ui::post_button(visit, &format!("{}/start", address_of(id)), visit.t(texts::START)))
    };
    ui::section(visit.t(shared::NEXT_STEP), &content)
}

/// The confirmation before a run ends, which opens in place without a script.
fn finish_part(visit: &Visit, id: DrillRunId) -> Markup {
    html! {
        details.confirm {
            summary.button.danger { (visit.t(texts::FINISH)) }
            form.confirm-body method="post" action={ (address_of(id)) "/finish" } {
                (visit.form_token())
                p { (visit.t(texts::FINISH_ASK)) }
                (ui::field::switch(visit, &Form::default(), "findings", texts::FINISH_FINDINGS, None))
                button.button.danger.solid type="submit" { (visit.t(texts::FINISH_SURE)) }
            }
        }
    }
}

fn log(visit: &Visit, run: &DrillRunView, page: &Page<DecisionEntry>, form: &Form) -> Markup {
    let content = html! {
        @if course::is_open(visit, run) {
            form method="post" action={ (address_of(run.row.id)) "/decisions" } {
                (visit.form_token())
                (ui::field::required_area(visit, form, "text", texts::LOG_TEXT, None))
                div.form-end { button.button.primary type="submit" { (visit.t(texts::LOG_ADD)) } }
            }
        }
        @if page.items.is_empty() { p.quiet { (visit.t(texts::LOG_EMPTY)) } }
        ol.history {
            @for entry in &page.items {
                li {
                    strong { (visit.time(entry.row.at)) }
                    p.prose { (entry.row.text.as_str()) }
                    p.hint { (history::author(visit, Some(&entry.who))) }
                }
            }
        }
    };
    html! { div #log { (ui::section(visit.t(texts::LOG), &content)) } }
}

async fn facts(workspace: &Workspace, visit: &Visit, run: &DrillRunView) -> Result<Markup, PageError> {
    let (record, t) = (&run.row.record, |label| visit.t(label));
    let (app, caller) = (&workspace.app, visit.caller());
    let names = Names::of(workspace, visit, record.findings.iter().map(ToString::to_string)).await?;
    // A deleted programme or test case is left out.
    let programme = match record.programme_id {
        Some(id) => record::programme_link(app, caller, id).await.ok(),
        None => None,
    };
    let test_case = match record.test_case_id {
        Some(id) => record::test_case_link(app, caller, id).await.ok(),
        None => None,
    };
    let people: Vec<&str> = record.participants.iter().map(Name::as_str).collect();
    let content = html! {
        dl.facts {
            dt { (t(DrillRun::SCENARIO.label)) }
            dd {
                @if let Some(drill) = run.scenario() {
                    a href={ (route::DRILLS) "/" (drill.id) } { (drill.title.get(visit.language)) }
                } @else { (t(texts::SCENARIO_GONE)) }
            }
            (record::field::facts(visit, record))
            dt { (t(DrillRun::PARTICIPANTS.label)) }
            dd { (visit.or_none((!people.is_empty()).then(|| people.join(", ")))) }
            dt { (t(DrillRun::STARTED.label)) } dd { (visit.time_or_none(record.started_at)) }
            dt { (t(DrillRun::FINISHED.label)) } dd { (visit.time_or_none(record.finished_at)) }
            @if let Some(link) = &programme { dt { (t(DrillRun::PROGRAMME.label)) } dd { (link) } }
            @if let Some(link) = &test_case { dt { (t(DrillRun::TEST_CASE.label)) } dd { (link) } }
            @if !record.findings.is_empty() {
                dt { (t(DrillRun::FINDINGS.label)) }
                dd { @for id in &record.findings { (names.link(&id.to_string())) br; } }
            }
        }
    };
    Ok(ui::section(t(texts::DRILL_RUN), &content))
}

/// Notes for the exercise lead; participants do not see them.
fn facilitator(visit: &Visit, run: &DrillRunView, part: DrillPart) -> Markup {
    let Some(drill) = run.scenario().filter(|_| part.leads && !part.takes_part) else {
        return html! {};
    };
    html! {
        details {
            summary { (visit.t(texts::FACILITATOR)) }
            ul.bullets { @for note in &drill.facilitator { li { (note.get(visit.language)) } } }
        }
    }
}

/// Cancelling a run, and deleting one that never took place.
fn leave(visit: &Visit, form: &Form, run: &DrillRunView, part: DrillPart, deletion: &Markup) -> Markup {
    let (record, address) = (&run.row.record, address_of(run.row.id));
    let may_cancel = record.status == DrillRunStatus::Planned || part.leads;
    let offered = |to: DrillRunStatus| to == DrillRunStatus::Cancelled && may_cancel;
    html! {
        (history::danger_moves(visit, form, &format!("{address}/move"), record.status, offered))
        @if record.started_at.is_none() { (deletion) }
    }
}

/// Makes a change and returns to the page, or shows what was wrong with it.
pub(super) async fn changed(
    workspace: &Workspace,
    visit: &Visit,
    id: DrillRunId,
    change: DrillRunChange,
    (form, done): (Form, &str),
) -> Answer {
    let precondition = record::precondition(&form);
    let changed =
        workspace.app.records.change_record::<DrillRun>(visit.caller(), id, change, precondition).await;
    settled::<DrillRun, _>(workspace, visit, id, form, changed, done).await
}

pub(super) async fn start(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, run_id(&id)?);
    changed(&workspace, &visit, id, DrillRunChange::Start, (form, "started")).await
}

pub(super) async fn finish(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, run_id(&id)?);
    let change = DrillRunChange::Finish { findings: form.is_checked("findings"), language: visit.language };
    changed(&workspace, &visit, id, change, (form, "finished")).await
}
