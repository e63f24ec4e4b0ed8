//! The first page of the day.

use app::dashboard::Dashboard;
use axum::{Router, extract::State, routing::get};
use domain::{
    exact::Hundredths,
    finding::FindingStatus,
    moment::Day,
    page::PageRequest,
    permission::Permission,
    test_case::TestCaseStatus,
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use super::{analysis, record, webhook};
use crate::{
    Workspace,
    charts::{self, Bar},
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::dashboard as texts,
    ui::{
        self,
        badge::{Tone, badge},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::HOME, get(show))
}

/// Something a new institution does once.
struct Step {
    done: bool,
    address: &'static str,
    title: Label,
    help: Label,
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let dashboard = workspace.app.dashboard(visit.caller()).await?;
    let steps = first_steps(&workspace, &visit).await?;
    let name = visit.session().user.name.as_str();
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(&visit.fill(texts::HELLO, &[("name", &name)]), visit.session().tenant_name.as_str(), None))
        @if steps.iter().any(|step| !step.done) { (steps_card(&visit, &steps)) }
        (figures(&visit, &dashboard))
        div.split {
            div {
                (ui::section(t(texts::DEADLINES), &deadlines(&visit, &dashboard)))
                (ui::section(t(texts::BY_SEVERITY), &by_severity(&visit, &dashboard)))
            }
            div {
                (ui::section(t(texts::SCORES), &scores(&visit, &dashboard)))
                (ui::section(t(texts::CONCENTRATION), &concentration(&visit, &dashboard)))
                @if !dashboard.failing_webhooks.is_empty() { (failing(&visit, &dashboard)) }
            }
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn figures(view: &View, dashboard: &Dashboard) -> Markup {
    let of = |severity| dashboard.findings.matching(FindingStatus::is_open, Some(severity));
    let tests = |status| dashboard.test_cases.with_status(status);
    let shown = [
        (texts::OPEN_FINDINGS, dashboard.findings.open(), route::FINDINGS.to_owned()),
        (Severity::Critical.label(), of(Severity::Critical), format!("{}?severity=critical", route::FINDINGS)),
        (texts::OVERDUE, dashboard.overdue, format!("{}?overdue=true", route::FINDINGS)),
        (
            texts::TESTS_UNDER_WAY,
            tests(TestCaseStatus::InProgress),
            format!("{}?status=in_progress", route::TEST_CASES),
        ),
        (texts::TESTS_FAILED, tests(TestCaseStatus::Failed), format!("{}?status=failed", route::TEST_CASES)),
        (
            texts::BREACHES,
            dashboard.analysis.as_ref().map_or(0, |analysis| analysis.breaches),
            route::CONCENTRATION.to_owned(),
        ),
    ];
    html! {
        div.stats {
            @for (label, number, address) in shown {
                a href=(address) { span.quiet { (view.t(label)) } span.figure { (number) } }
            }
        }
    }
}

fn by_severity(view: &View, dashboard: &Dashboard) -> Markup {
    let open = dashboard.findings.open();
    let bars: Vec<_> = Severity::ALL
        .iter()
        .map(|severity| {
            let count = dashboard.findings.matching(FindingStatus::is_open, Some(*severity));
            Bar {
                label: view.t(severity.label()).to_owned(),
                percent: charts::percent(count, open),
                shown: count.to_string(),
                tone: record::severity_tone(*severity),
            }
        })
        .collect();
    html! {
        @if open == 0 { p.quiet { (view.t(texts::NO_FINDINGS)) } }
        @else { (charts::bars(view.t(texts::BY_SEVERITY), &bars, None)) }
    }
}

/// Something with a day, whatever it is.
struct Deadline<'d> {
    day: Day,
    kind: Label,
    title: &'d str,
    address: String,
}

fn deadlines(view: &View, dashboard: &Dashboard) -> Markup {
    let findings = dashboard.due_findings.iter().filter_map(|row| {
        let address = format!("{}/{}", route::FINDINGS, row.id);
        Some(Deadline { day: row.finding.due_on?, kind: texts::FINDING, title: row.finding.title.as_str(), address })
    });
    let tests = dashboard.due_test_cases.iter().filter_map(|row| {
        let address = format!("{}/{}", route::TEST_CASES, row.id);
        let test_case = &row.test_case;
        Some(Deadline { day: test_case.due_on?, kind: texts::TEST_CASE, title: test_case.title.as_str(), address })
    });
    let today = dashboard.timeline.today;
    let ahead = dashboard.timeline.milestones.iter().filter(|milestone| milestone.date >= today).take(4);
    let milestones = ahead.map(|milestone| Deadline {
        day: milestone.date,
        kind: texts::MILESTONE,
        title: milestone.title.get(view.language),
        address: route::TIMELINE.to_owned(),
    });
    let mut all: Vec<_> = findings.chain(tests).chain(milestones).collect();
    all.sort_by_key(|deadline| deadline.day);
    html! {
        @if all.is_empty() { p.quiet { (view.t(texts::NO_DEADLINES)) } }
        ul.steps {
            @for deadline in &all {
                li {
                    div {
                        a href=(deadline.address) { (deadline.title) }
                        p.hint { (view.t(deadline.kind)) ", " (view.day(deadline.day)) }
                    }
                    (left(view, today.days_until(deadline.day)))
                }
            }
        }
    }
}

/// How many days are left, and loudly so when it is few or too late.
fn left(view: &View, days: i64) -> Markup {
    match days {
        ..0 => badge(Tone::Critical, &view.fill(texts::DAYS_LATE, &[("days", &-days)])),
        0 => badge(Tone::Warning, view.t(texts::DUE_TODAY)),
        1..=7 => badge(Tone::Warning, &view.fill(texts::IN_DAYS, &[("days", &days)])),
        _ => badge(Tone::Neutral, &view.fill(texts::IN_DAYS, &[("days", &days)])),
    }
}

fn scores(view: &View, dashboard: &Dashboard) -> Markup {
    html! {
        ul.steps {
            @for score in &dashboard.scores {
                @let share = score.status.tally.coverage_pct();
                li {
                    div {
                        a href={ (route::COMPLIANCE) "/" (score.status.framework.as_str()) } {
                            (view.t(score.status.framework.label()))
                        }
                        @if let Some(change) = score.previous.map(|before| share.minus(before)) {
                            p.hint { (view.fill(texts::TREND, &[("change", &signed(view, change))])) }
                        }
                    }
                    strong { (view.percent(share)) }
                }
            }
        }
    }
}

fn signed(view: &View, change: Hundredths) -> String {
    let sign = if change.get() > 0 { "+" } else { "" };
    format!("{sign}{}", view.decimal(change))
}

fn concentration(view: &View, dashboard: &Dashboard) -> Markup {
    html! {
        @match &dashboard.analysis {
            None => { p { a href=(route::CONCENTRATION) { (view.t(texts::NOT_ANALYSED)) } } }
            Some(head) => {
                div.row {
                    (analysis::level_badge(view, &head.level))
                    a href=(route::CONCENTRATION) { (head.breaches) " " (view.t(texts::BREACHES)) }
                }
                p.hint { (view.t(texts::LAST_ANALYSED)) " " (view.time(head.analysed_at)) }
            }
        }
    }
}

fn failing(view: &View, dashboard: &Dashboard) -> Markup {
    let list = html! {
        ul.steps {
            @for webhook in &dashboard.failing_webhooks {
                li {
                    a href={ (route::WEBHOOKS) "/" (webhook.id.to_string()) } { (webhook.name.as_str()) }
                    (webhook::health(view, webhook))
                }
            }
        }
    };
    ui::section(view.t(texts::FAILING), &list)
}

async fn first_steps(workspace: &Workspace, visit: &Visit) -> Result<Vec<Step>, Oops> {
    let (app, caller) = (&workspace.app, visit.caller());
    let one = PageRequest::new(Some(2), None).unwrap_or_default();
    let mut steps = vec![Step {
        done: visit.session().user.has_second_factor,
        address: route::PROFILE,
        title: texts::STEP_SECOND_FACTOR,
        help: texts::STEP_SECOND_FACTOR_HELP,
    }];
    if caller.may(Permission::Write) {
        steps.push(Step {
            done: app.thresholds(caller).await?.0.updated_at.is_some(),
            address: route::SETTINGS,
            title: texts::STEP_THRESHOLDS,
            help: texts::STEP_THRESHOLDS_HELP,
        });
        steps.push(Step {
            done: app.webhooks(caller, one).await?.total > 0,
            address: route::WEBHOOKS,
            title: texts::STEP_WEBHOOK,
            help: texts::STEP_WEBHOOK_HELP,
        });
    }
    if caller.may(Permission::ManageKeys) {
        steps.push(Step {
            done: app.list_keys(caller, one).await?.total > 0,
            address: route::API_KEYS,
            title: texts::STEP_KEY,
            help: texts::STEP_KEY_HELP,
        });
    }
    if caller.may_administer() {
        steps.push(Step {
            done: app.users(caller, one).await?.total > 1,
            address: route::USERS,
            title: texts::STEP_USERS,
            help: texts::STEP_USERS_HELP,
        });
    }
    Ok(steps)
}

fn steps_card(visit: &Visit, steps: &[Step]) -> Markup {
    let list = html! {
        ul.steps {
            @for step in steps {
                li {
                    div {
                        a href=(step.address) { (visit.t(step.title)) }
                        p.hint { (visit.t(step.help)) }
                    }
                    @if step.done { (badge(Tone::Good, visit.t(texts::DONE))) }
                    @else { (badge(Tone::Notice, visit.t(texts::OPEN))) }
                }
            }
        }
    };
    ui::section(visit.t(texts::FIRST_STEPS), &list)
}
