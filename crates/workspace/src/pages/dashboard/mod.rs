//! The start page: what follows from the tenant's own records, drawn by the widgets that the API lists. Content of
//! the catalogue alone is in the library.

mod alerts;
mod clocks;
mod concentration;
mod deadlines;
mod figures;
mod findings;
mod performance;
mod scores;
mod steps;
mod tests;
mod vulnerabilities;

use std::collections::HashMap;

use app::{
    assessment::MetDay,
    dashboard::Dashboard,
    programme::{ProgrammeFilter, ProgrammeView},
};
use axum::{Router, extract::State, routing::get};
use domain::{
    framework::Framework,
    page::PageRequest,
    programme::{Programme, ProgrammeStatus},
    right::{Resource, Right},
    user::Role,
    wording::Label,
};
use maud::{Markup, html};

use self::figures::Counts;
use super::webhooks;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::dashboard as texts,
    ui::{
        self,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::HOME, get(show))
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let dashboard = workspace.app.work.dashboard(visit.caller()).await?;
    let running = running(&workspace, &visit).await?;
    let steps = steps::card(&workspace, &visit, &dashboard).await?;
    let user = &visit.session().user;
    let (counts, period) = (Counts::read(&workspace, &visit).await?, period(&visit));
    let since = visit.now.day().plus_days(-period);
    let board = Board {
        view: &visit,
        dashboard: &dashboard,
        counts: &counts,
        period,
        met_before: workspace.app.compliance.met_since(visit.caller(), since).await?,
        role: user.role,
        may_write: visit.may(Resource::Webhooks, Right::Write),
        all: visit.query("widgets").is_some_and(|which| which == "all"),
    };
    let hello = if user.is_nameless() {
        visit.t(texts::HELLO_NAMELESS).to_owned()
    } else {
        visit.fill(texts::HELLO, &[("name", &user.name.as_str())])
    };
    let content = html! {
        (ui::head(&hello, visit.session().tenant_name.as_str(), None))
        @if dashboard.is_empty() { (steps) div.board { (board.without_records()) } }
        @else {
            div.to-do {
                (board.widget("widget-statutory-clocks", texts::CLOCKS, board.clocks()))
                (board.waiting())
            }
            (board.figures())
            div.board { @if board.all { (board.widgets(&running)) } @else { (board.first_widgets(&running)) } }
            @if board.all { (board.of_the_service()) (steps) }
            (board.more_or_fewer())
        }
    };
    respond::page(ui::layout::page(&visit, visit.t(texts::TITLE), &content))
}

/// The programmes in progress, soonest to end first.
async fn running(workspace: &Workspace, visit: &Visit) -> Result<Vec<ProgrammeView>, PageError> {
    let wanted = ProgrammeFilter { status: ProgrammeStatus::Active.into(), ..ProgrammeFilter::default() };
    let few = PageRequest::new(Some(5), None).unwrap_or_default();
    Ok(workspace.app.records.records::<Programme>(visit.caller(), &wanted, few).await?.items)
}

/// The periods over which the change of the frameworks can be shown, in days.
const PERIODS: [i64; 4] = [7, 30, 90, 365];
const USUAL_PERIOD: i64 = 30;

/// The period that the address names.
fn period(view: &View) -> i64 {
    let named = view.query("period").and_then(|text| text.parse().ok());
    named.filter(|days| PERIODS.contains(days)).unwrap_or(USUAL_PERIOD)
}

/// The context of all widgets.
struct Board<'b> {
    view: &'b View,
    dashboard: &'b Dashboard,
    counts: &'b Counts,
    /// The days over which changes are shown, and how much was met at their beginning.
    period: i64,
    met_before: HashMap<Framework, MetDay>,
    role: Role,
    /// Whether the register, CRA reports and webhooks may be changed.
    may_write: bool,
    /// Everything, not only the widgets for the role.
    all: bool,
}

impl Board<'_> {
    fn t(&self, label: Label) -> &'static str {
        self.view.t(label)
    }

    /// Urgent widgets first, then their background, then large ones. The clocks of the law come before all of them.
    fn widgets(&self, running: &[ProgrammeView]) -> Markup {
        html! {
            (self.widget("widget-alerts", texts::ALERTS, Some(self.alerts())))
            (ui::section(self.t(texts::DEADLINES), &self.deadlines()))
            (self.widget("widget-open-findings", texts::BY_SEVERITY, self.findings()))
            (self.widget("widget-test-programmes", texts::PROGRAMMES, self.programmes(running)))
            (self.widget("widget-compliance-score", texts::SCORES, self.scores()))
            (self.concentrated())
            (self.widget("widget-limit-breaches", texts::BREACHES, self.breaches()))
            (self.widget("widget-concentration", texts::GROUPS, self.groups()))
            (self.widget("widget-test-coverage", texts::TEST_COVERAGE, self.coverage()))
            (self.widget("widget-test-types", texts::TEST_TYPES, self.test_types()))
            (self.widget("widget-deadlines-ahead", texts::DATES, Some(self.dates())))
            @if self.may_write && !self.dashboard.failing_webhooks.is_empty() {
                (ui::section(self.t(texts::FAILING), &self.failing()))
            }
        }
    }

    /// What the role decides or does first, in that order. Everything else is one click away.
    fn first_widgets(&self, running: &[ProgrammeView]) -> Markup {
        let alerts = || self.widget("widget-alerts", texts::ALERTS, Some(self.alerts()));
        let deadlines = || ui::section(self.t(texts::DEADLINES), &self.deadlines());
        let findings = || self.widget("widget-open-findings", texts::BY_SEVERITY, self.findings());
        let scores = || self.widget("widget-compliance-score", texts::SCORES, self.scores());
        let dates = || self.widget("widget-deadlines-ahead", texts::DATES, Some(self.dates()));
        let programmes =
            || self.widget("widget-test-programmes", texts::PROGRAMMES, self.programmes(running));
        let breaches = || self.widget("widget-limit-breaches", texts::BREACHES, self.breaches());
        html! {
            @match self.role {
                Role::Administrator | Role::Manager => {
                    (alerts()) (scores()) (deadlines()) (findings())
                    @if self.may_write && !self.dashboard.failing_webhooks.is_empty() {
                        (ui::section(self.t(texts::FAILING), &self.failing()))
                    }
                }
                Role::Contributor => { (deadlines()) (alerts()) (findings()) (programmes()) }
                Role::Auditor => { (scores()) (findings()) (deadlines()) (programmes()) (dates()) }
                Role::Viewer => { (scores()) (self.concentrated()) (breaches()) (findings()) (dates()) }
            }
        }
    }

    fn concentrated(&self) -> Markup {
        let concentration = self.concentration();
        html! {
            @if let Some(concentration) = concentration {
                (ui::section(self.t(texts::CONCENTRATION), &concentration))
            }
        }
    }

    /// The page without any record: alerts, and the next legal dates.
    fn without_records(&self) -> Markup {
        let alerts = (!self.dashboard.alerts.is_empty()).then(|| self.alerts());
        html! {
            (self.widget("widget-alerts", texts::ALERTS, alerts))
            (self.widget("widget-deadlines-ahead", texts::DATES, Some(self.dates())))
        }
    }

    /// The state of the service itself, for its administrators.
    fn of_the_service(&self) -> Markup {
        let widgets = html! {
            (self.widget("widget-vulnerabilities", texts::VULNERABILITIES, Some(self.vulnerabilities())))
            (self.widget("widget-service-performance", texts::PERFORMANCE, Some(self.performance())))
        };
        if self.role != Role::Administrator {
            return html! {};
        }
        html! {
            details.service open[self.all] {
                summary { h2 { (self.t(texts::THIS_SERVICE)) } span.quiet { (self.t(texts::THIS_SERVICE_HELP)) } }
                div.board { (widgets) }
            }
        }
    }

    /// A widget under its title in the catalogue, if it has content and the role may see it; `label` is used if
    /// an edited catalogue has none of this id.
    fn widget(&self, id: &str, label: Label, content: Option<Markup>) -> Markup {
        let Some(content) = content.filter(|_| Dashboard::offers(id, self.role)) else {
            return html! {};
        };
        let widget = self.dashboard.edition.widgets.get(id);
        let title = widget.map_or(self.t(label), |widget| widget.title.get(self.view.language));
        html! { section.card data-widget=(id) { h2 { (title) } (content) } }
    }

    /// The link to all widgets, and back to those for the role.
    fn more_or_fewer(&self) -> Markup {
        let (address, text) = if self.all {
            (route::HOME.to_owned(), texts::FEWER_WIDGETS)
        } else {
            (format!("{}?widgets=all", route::HOME), texts::ALL_WIDGETS)
        };
        html! { p { a href=(address) { (self.t(text)) } } }
    }

    fn programmes(&self, running: &[ProgrammeView]) -> Option<Markup> {
        if self.dashboard.programmes == 0 {
            return None;
        }
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
                    html! { a href={ (route::PROGRAMMES) "/" (row.id.to_string()) } { (row.record.name.as_str()) } },
                    html! { (programme.test_cases.total()) },
                    html! { (programme.findings.open()) },
                ]
            })
            .collect();
        Some(html! {
            @if rows.is_empty() {
                p.quiet { (self.t(texts::NO_PROGRAMMES)) }
                p { a href=(route::PROGRAMMES) { (self.t(texts::TO_PROGRAMMES)) } }
            } @else { (table(self.t(texts::PROGRAMMES), &columns, &rows)) }
        })
    }

    fn failing(&self) -> Markup {
        html! {
            ul.steps {
                @for webhook in &self.dashboard.failing_webhooks {
                    li {
                        a href={ (route::WEBHOOKS) "/" (webhook.id.to_string()) } { (webhook.name.as_str()) }
                        (webhooks::health(self.view, webhook))
                    }
                }
            }
        }
    }
}
