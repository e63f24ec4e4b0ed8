//! What waits for the reader, and the figures of their role. Every number leads to the list that it counts.

use app::{
    finding::FindingFilter,
    incident::IncidentFilter,
    risk::RiskFilter,
    work::{
        TaskFilter,
        group::{TaskGroup, TaskGroups},
    },
};
use domain::{
    finding::{Finding, FindingStatus},
    incident::{Incident, Outcome},
    page::PageRequest,
    risk::Risk,
    test_case::TestCaseStatus,
    user::Role,
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use super::Board;
use crate::{
    Workspace, error::PageError, extract::Visit, pages::trainings, route, texts::dashboard as texts,
};

/// Counts that belong to the reader, or are not on the dashboard of every role.
#[derive(Debug)]
pub(super) struct Counts {
    major_incidents: u64,
    above_appetite: u64,
    own_findings: u64,
    own_name: String,
    unread: u64,
    decisions: u64,
    work: TaskGroups,
}

impl Counts {
    pub(super) async fn read(workspace: &Workspace, visit: &Visit) -> Result<Self, PageError> {
        let (app, caller) = (&workspace.app, visit.caller());
        let one = PageRequest::new(Some(1), None).unwrap_or_default();
        let session = visit.session();
        let own_name = session.user.name.to_string();
        let major =
            IncidentFilter { open: Some(true), result: Outcome::Major.into(), ..IncidentFilter::default() };
        let above = RiskFilter { above_appetite: true, ..RiskFilter::default() };
        let own = FindingFilter { owner: own_name.clone().into(), ..FindingFilter::default() };
        let mine = TaskFilter { owner: Some(session.user.id.to_string()), due_before: None, kind: None };
        Ok(Self {
            major_incidents: app.records.records::<Incident>(caller, &major, one).await?.total,
            above_appetite: app.records.records::<Risk>(caller, &above, one).await?.total,
            own_findings: app.records.records::<Finding>(caller, &own, one).await?.total,
            unread: session.unread,
            decisions: app.approval.approvals_waiting(caller).await?,
            work: app.work.task_groups(caller, &mine).await?,
            own_name,
        })
    }
}

/// A number with its name and the address of the list it counts.
type Figure = (Label, u64, String);

impl Board<'_> {
    /// What the reader has to do or to decide, each with its number. Further kinds of decisions get a line here.
    pub(super) fn waiting(&self) -> Markup {
        let counts = self.counts;
        let lines = [
            (texts::WAITING_DECISIONS, counts.decisions, route::APPROVALS.to_owned()),
            (texts::WAITING_LATE, counts.work.of(TaskGroup::Late), format!("{}#late", route::WORK)),
            (texts::WAITING_WEEK, counts.work.of(TaskGroup::ThisWeek), format!("{}#this-week", route::WORK)),
            (texts::WAITING_UNREAD, counts.unread, route::INBOX.to_owned()),
        ];
        let some: Vec<_> = lines.into_iter().filter(|(_, count, _)| *count > 0).collect();
        html! {
            section.card.waiting data-part="waiting" {
                h2 { (self.t(texts::WAITING)) }
                @if some.is_empty() { p.quiet { (self.t(texts::WAITING_NONE)) } }
                ul.steps {
                    @for (label, count, address) in &some {
                        li { a href=(address) { (self.t(*label)) } strong { (count) } }
                    }
                }
                p { a href=(route::WORK) { (self.t(texts::TO_WORK)) } }
            }
        }
    }

    pub(super) fn figures(&self) -> Markup {
        html! {
            div.stats {
                @for (label, number, address) in self.of_the_role() {
                    a href=(address) { span.quiet { (self.t(label)) } span.figure { (number) } }
                }
                // For the daily work of a role they would be one line too many.
                @if let Some(totals) = self.dashboard.trainings.as_ref().filter(|_| self.all) {
                    (trainings::glance(self.view, totals))
                }
            }
        }
    }

    /// The figures of each role, in the order of what it decides.
    fn of_the_role(&self) -> Vec<Figure> {
        let (overdue, critical) = (self.overdue(), self.of_severity(Severity::Critical));
        let (major, above) = (self.major_incidents(), self.above_appetite());
        let failed = self.test_cases(texts::TESTS_FAILED, TestCaseStatus::Failed);
        let running = self.test_cases(texts::TESTS_UNDER_WAY, TestCaseStatus::InProgress);
        let open = (texts::OPEN_FINDINGS, self.dashboard.findings.open(), route::FINDINGS.to_owned());
        let mut figures = match self.role {
            Role::Administrator | Role::Manager => vec![major, overdue, above, critical, failed],
            Role::Contributor => vec![self.own_findings(), overdue, running, failed, critical],
            Role::Auditor => vec![open, overdue, above, failed, major],
            Role::Viewer => vec![major, above, critical, overdue, open],
        };
        let breaches = self.dashboard.analysis.as_ref().map(|analysis| analysis.head.breaches);
        figures.extend(breaches.map(|count| (texts::BREACHES, count, route::CONCENTRATION.to_owned())));
        figures
    }

    fn overdue(&self) -> Figure {
        (texts::OVERDUE_FINDINGS, self.dashboard.overdue, format!("{}?overdue=true", route::FINDINGS))
    }

    fn of_severity(&self, severity: Severity) -> Figure {
        let count = self.dashboard.findings.matching(FindingStatus::is_open, Some(severity));
        (texts::CRITICAL, count, format!("{}?severity={severity}", route::FINDINGS))
    }

    fn major_incidents(&self) -> Figure {
        let address = format!("{}?result={}&open=true", route::INCIDENTS, Outcome::Major);
        (texts::MAJOR_INCIDENTS, self.counts.major_incidents, address)
    }

    fn above_appetite(&self) -> Figure {
        (texts::ABOVE_APPETITE, self.counts.above_appetite, format!("{}?appetite=above", route::RISKS))
    }

    fn own_findings(&self) -> Figure {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("owner", &self.counts.own_name)
            .finish();
        (texts::OWN_FINDINGS, self.counts.own_findings, format!("{}?{query}", route::FINDINGS))
    }

    fn test_cases(&self, label: Label, status: TestCaseStatus) -> Figure {
        let count = self.dashboard.test_cases.with_status(status);
        (label, count, format!("{}?status={status}", route::TEST_CASES))
    }
}
