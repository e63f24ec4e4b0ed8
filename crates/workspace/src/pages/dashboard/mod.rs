//! The first page of the day, from the same widgets the API lists.

mod alerts;
mod clocks;
mod concentration;
mod deadlines;
mod findings;
mod performance;
mod requirements;
mod risks;
mod steps;
mod tests;
mod vulnerabilities;

use app::{
    dashboard::Dashboard,
    programme::{Programme, ProgrammeFilter},
};
use axum::{Router, extract::State, routing::get};
use domain::{
    finding::FindingStatus, page::PageRequest, programme::ProgrammeStatus, test_case::TestCaseStatus,
    vocabulary::Severity, wording::Label,
};
use maud::{Markup, html};

use super::{compliance, webhook};
use crate::{
    Workspace,
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::dashboard as texts,
    ui::{
        self, chart,
        table::{Column, table},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::HOME, get(show))
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let dashboard = workspace.app.dashboard(visit.caller()).await?;
    let running = running(&workspace, &visit).await?;
    let steps = steps::card(&workspace, &visit).await?;
    let user = &visit.session().user;
    let hello = if user.is_nameless() {
        visit.t(texts::HELLO_NAMELESS).to_owned()
    } else {
        visit.fill(texts::HELLO, &[("name", &user.name)])
    };
    let board = Board { view: &visit, dashboard: &dashboard };
    let content = html! {
        (ui::head(&hello, visit.session().tenant_name.as_str(), None))
        @if !board.has_begun() { (steps) }
        (board.figures())
        (board.arranged(&running))
        @if board.has_begun() { (steps) }
    };
    respond::page(ui::layout::page(&visit, visit.t(texts::TITLE), &content))
}

/// The programmes under way, soonest to end first.
async fn running(workspace: &Workspace, visit: &Visit) -> Result<Vec<Programme>, Oops> {
    let wanted = ProgrammeFilter { status: Some(ProgrammeStatus::Active), ..ProgrammeFilter::default() };
    let few = PageRequest::new(Some(5), None).unwrap_or_default();
    Ok(workspace.app.programmes(visit.caller(), &wanted, few).await?.items)
}

/// What every widget looks at.
struct Board<'b> {
    view: &'b View,
    dashboard: &'b Dashboard,
}

impl Board<'_> {
    fn t(&self, label: Label) -> &'static str {
        self.view.t(label)
    }

    /// There is something to look at, which then comes before what is still to be set up.
    fn has_begun(&self) -> bool {
        self.dashboard.analysis.is_some() || self.dashboard.findings.total() > 0
    }

    /// Every widget in its place: what presses first, then what is behind it, then what takes room.
    fn arranged(&self, running: &[Programme]) -> Markup {
        html! {
            div.split {
                div {
                    (self.widget("widget-alerts", texts::ALERTS, &self.alerts()))
                    (ui::section(self.t(texts::DEADLINES), &self.deadlines()))
                    (self.widget("widget-open-findings", texts::BY_SEVERITY, &self.findings()))
                    (self.widget("widget-test-programmes", texts::PROGRAMMES, &self.programmes(running)))
                    (self.widget("widget-test-types", texts::TEST_TYPES, &self.test_types()))
                }
                div {
                    (self.widget("widget-cra-clocks", texts::CLOCKS, &self.clocks()))
                    (ui::section(self.t(texts::CONCENTRATION), &self.concentration()))
                    (self.widget("widget-limit-breaches", texts::BREACHES, &self.breaches()))
                    (self.widget("widget-test-coverage", texts::TEST_COVERAGE, &self.coverage()))
                    (self.widget("widget-compliance-score", texts::SCORES, &self.scores()))
                    (self.widget("widget-deadlines-ahead", texts::DATES, &self.dates()))
                    @if !self.dashboard.failing_webhooks.is_empty() {
                        (ui::section(self.t(texts::FAILING), &self.failing()))
                    }
                }
            }
            div.halves {
                div {
                    (self.widget("widget-concentration", texts::GROUPS, &self.groups()))
                    (self.widget("widget-service-performance", texts::PERFORMANCE, &self.performance()))
                }
                div {
                    (self.widget("widget-vulnerabilities", texts::VULNERABILITIES, &self.vulnerabilities()))
                }
            }
            (self.widget("widget-compliance-status", texts::REQUIREMENTS, &self.requirements()))
            (self.widget("widget-risk-matrix", texts::RISK_MATRIX, &self.risks()))
        }
    }

    /// A widget under the title the catalogue gives it; `label` where an edited catalogue has none of this id.
    fn widget(&self, id: &str, label: Label, content: &Markup) -> Markup {
        let widget = self.dashboard.edition.widgets.get(id);
        let title = widget.map_or(self.t(label), |widget| widget.title.get(self.view.language));
        html! { section.card data-widget=(id) { h2 { (title) } (content) } }
    }

    fn figures(&self) -> Markup {
        let dashboard = self.dashboard;
        let of = |severity| dashboard.findings.matching(FindingStatus::is_open, Some(severity));
        let tests = |status| dashboard.test_cases.with_status(status);
        let shown = [
            (texts::OPEN_FINDINGS, dashboard.findings.open(), route::FINDINGS.to_owned()),
            (texts::CRITICAL, of(Severity::Critical), format!("{}?severity=critical", route::FINDINGS)),
            (texts::OVERDUE, dashboard.overdue, format!("{}?overdue=true", route::FINDINGS)),
            (
                texts::TESTS_UNDER_WAY,
                tests(TestCaseStatus::InProgress),
                format!("{}?status=in_progress", route::TEST_CASES),
            ),
            (
                texts::TESTS_FAILED,
                tests(TestCaseStatus::Failed),
                format!("{}?status=failed", route::TEST_CASES),
            ),
            (
                texts::BREACHES,
                dashboard.analysis.as_ref().map_or(0, |analysis| analysis.head.breaches),
                route::CONCENTRATION.to_owned(),
            ),
        ];
        html! {
            div.stats {
                @for (label, number, address) in shown {
                    a href=(address) { span.quiet { (self.t(label)) } span.figure { (number) } }
                }
            }
        }
    }

    fn programmes(&self, running: &[Programme]) -> Markup {
        let columns = [
            Column::text(self.t(texts::PROGRAMME)),
            Column::number(self.t(texts::TESTS)),
            Column::number(self.t(texts::OPEN_FINDINGS)),
        ];
        let rows: Vec<_> = running
            .iter()
            .map(|programme| {
                let row = &programme.row;
                vec![
                    html! { a href={ (route::PROGRAMMES) "/" (row.id.to_string()) } { (row.programme.name.as_str()) } },
                    html! { (programme.test_cases.total()) },
                    html! { (programme.findings.open()) },
                ]
            })
            .collect();
        html! {
            @if rows.is_empty() {
                p.quiet { (self.t(texts::NO_PROGRAMMES)) }
                p { a href=(route::PROGRAMMES) { (self.t(texts::TO_PROGRAMMES)) } }
            } @else { (table(self.t(texts::PROGRAMMES), &columns, &rows)) }
        }
    }

    /// Coverage of each framework, with how it moved.
    fn scores(&self) -> Markup {
        let (view, scores) = (self.view, &self.dashboard.scores);
        let gauges = html! {
            div.gauges {
                @for score in scores {
                    (chart::gauge(&compliance::coverage_gauge(view, view.t(score.status.framework.label()), score.status.tally)))
                }
            }
        };
        let columns = [
            Column::text(self.t(crate::texts::record::FRAMEWORK)),
            Column::number(self.t(texts::COVERAGE)),
            Column::text(self.t(texts::TREND_NAME)),
        ];
        let rows: Vec<_> = scores
            .iter()
            .map(|score| {
                let framework = score.status.framework;
                vec![
                    html! { a href=(compliance::framework_address(framework)) { (view.t(framework.label())) } },
                    html! { (view.percent(score.status.tally.coverage_pct())) },
                    compliance::trend(view, score),
                ]
            })
            .collect();
        html! {
            (chart::figure(view, self.t(texts::SCORES), &gauges, &columns, &rows))
            p { a href=(route::COMPLIANCE) { (self.t(texts::TO_COMPLIANCE)) } }
        }
    }

    fn failing(&self) -> Markup {
        html! {
            ul.steps {
                @for webhook in &self.dashboard.failing_webhooks {
                    li {
                        a href={ (route::WEBHOOKS) "/" (webhook.id.to_string()) } { (webhook.name.as_str()) }
                        (webhook::health(self.view, webhook))
                    }
                }
            }
        }
    }
}
