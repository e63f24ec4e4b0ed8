//! What needs attention now: the tenant's own overdue work, and dates of the platform that come near.
//!
//! Nothing is kept: an alert is there as long as its cause is. Other modules add their kinds here.

use catalogue::{milestone::Milestone, vocabulary::Role};
use domain::{
    clock::StageState,
    concentration::Dimension,
    cra_report::CraStage,
    exact::Hundredths,
    finding::Finding,
    health::HealthStatus,
    id::{ApiKeyId, BreachId, CraReportId, FindingId, WebhookId},
    moment::{Day, Moment},
    page::PageRequest,
    permission::Permission,
    reference::FindingReference,
    vocabulary::Severity,
};
use store::{
    Reader,
    analysis::{self, BreachRow},
    api_key::ApiKeyRow,
    finding::{self, FindingQuery, FindingRow, States},
    webhook::{self, WebhookRow},
};

use crate::{
    App, Result,
    authz::Caller,
    cra_report::{CraReport, CraReportFilter, Stage},
    health::Sample,
    timeline::Timeline,
};

/// Dates of the timeline are announced this many days ahead.
const MILESTONE_DAYS: i64 = 30;
/// A key that ends is announced this long ahead.
const KEY_MS: i64 = 14 * 24 * 60 * 60 * 1000;
/// A key that was not used for so long is better revoked.
const UNUSED_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// One thing that needs attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    pub cause: Cause,
    pub severity: Severity,
    /// Since when it is one.
    pub since: Moment,
}

/// What raised the alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    FindingOverdue {
        id: FindingId,
        reference: FindingReference,
        title: String,
        due_on: Day,
        /// Who has to put it right, if the record says so.
        owner: Option<String>,
    },
    /// A concentration limit that the latest analysis breaches.
    LimitBreached {
        id: BreachId,
        dimension: Dimension,
        name: String,
        share: Hundredths,
        threshold: Hundredths,
    },
    /// A webhook whose destination takes nothing, or that was switched off for that.
    WebhookFailing {
        id: WebhookId,
        name: String,
        switched_off: bool,
    },
    /// A stage of a CRA report that is due within hours, or overdue.
    CraStageDue {
        id: CraReportId,
        title: String,
        stage: CraStage,
        due_at: Moment,
        overdue: bool,
    },
    KeyExpiring {
        id: ApiKeyId,
        name: String,
        expires_at: Moment,
    },
    /// A key that works and was not used for ninety days.
    KeyUnused {
        id: ApiKeyId,
        name: String,
        /// Not at all, if nothing.
        last_used_at: Option<Moment>,
    },
    MilestoneNear {
        id: String,
        title: catalogue::language::Text,
        date: Day,
    },
    /// Something is wrong with the service itself.
    ServiceImpaired {
        check: String,
        status: HealthStatus,
    },
}

impl Cause {
    /// The person or team the record itself names.
    pub fn owner(&self) -> Option<&str> {
        match self {
            Self::FindingOverdue { owner, .. } => owner.as_deref(),
            _ => None,
        }
    }

    /// The function of the institution that has to decide.
    pub fn responsible(&self) -> Role {
        match self {
            Self::FindingOverdue { .. } => Role::Ciso,
            Self::LimitBreached { .. } => Role::ThirdPartyManager,
            Self::CraStageDue { .. } => Role::Development,
            Self::MilestoneNear { .. } => Role::Compliance,
            Self::WebhookFailing { .. }
            | Self::KeyExpiring { .. }
            | Self::KeyUnused { .. }
            | Self::ServiceImpaired { .. } => Role::ItOperations,
        }
    }
}

impl App {
    /// The tenant's alerts and the platform's, worst first.
    pub async fn alerts(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let now = self.clock.now();
        let mut alerts = self.overdue_findings(caller, now.day()).await?;
        alerts.extend(self.breached_limits(caller).await?);
        alerts.extend(self.failing_webhooks(caller).await?);
        alerts.extend(self.cra_stages_due(caller).await?);
        alerts.extend(self.key_alerts(caller, now).await?);
        alerts.extend(self.impairments().await);
        alerts.extend(self.near_milestones(now).await?);
        alerts.sort_by_key(|alert| (alert.severity, alert.since));
        Ok(alerts)
    }

    async fn overdue_findings(&self, caller: &Caller, today: Day) -> Result<Vec<Alert>> {
        let scope = *caller.scope();
        let query =
            FindingQuery { states: States::Open, overdue: Some((true, today)), ..FindingQuery::default() };
        let read = move |r: &mut Reader<'_>| finding::list(r, &scope, &query, longest_page());
        let page = self.db.tenant(&scope).read(read).await?;
        Ok(page.items.into_iter().filter_map(overdue).collect())
    }

    async fn breached_limits(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| match analysis::latest(r, &scope)? {
            Some((head, _)) => analysis::breaches(r, &scope, head.id, None, false, longest_page()).map(Some),
            None => Ok(None),
        };
        let breaches = self.db.tenant(&scope).read(read).await?;
        Ok(breaches.into_iter().flat_map(|page| page.items).map(breached).collect())
    }

    async fn failing_webhooks(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| webhook::list(r, &scope, longest_page());
        let page = self.db.tenant(&scope).read(read).await?;
        Ok(page.items.iter().filter_map(failing).collect())
    }

    /// What every tenant may know of the service: which part is not well, not why.
    async fn impairments(&self) -> Vec<Alert> {
        let health = self.health().await;
        let since = health.checked_at;
        let impaired = health.checks.into_iter().filter(|check| check.status != HealthStatus::Fine);
        impaired
            .map(|check| Alert {
                severity: if check.status == HealthStatus::Down { Severity::High } else { Severity::Medium },
                cause: Cause::ServiceImpaired { check: check.name.to_owned(), status: check.status },
                since,
            })
            .collect()
    }

    async fn cra_stages_due(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let (page, _) = self.cra_reports(caller, &CraReportFilter::default(), longest_page()).await?;
        Ok(page.items.iter().flat_map(stages_due).collect())
    }

    pub(crate) async fn key_alerts(&self, caller: &Caller, now: Moment) -> Result<Vec<Alert>> {
        // Who may not see the keys is not told of them either.
        if !caller.may(Permission::ManageKeys) {
            return Ok(Vec::new());
        }
        let keys = self.list_keys(caller, longest_page()).await?;
        let working = keys.items.iter().filter(|key| key.works(now));
        Ok(working.flat_map(|key| [expiring(key, now), unused(key, now)]).flatten().collect())
    }

    async fn near_milestones(&self, now: Moment) -> Result<Vec<Alert>> {
        Ok(near(&*self.timeline().await?, now.day()))
    }
}

fn expiring(key: &ApiKeyRow, now: Moment) -> Option<Alert> {
    // A key that was replaced is meant to end.
    let expires_at = key.limits.ends_at.filter(|_| key.replaced_by.is_none())?;
    let since = expires_at.plus_millis(-KEY_MS).max(key.created_at);
    let cause = Cause::KeyExpiring { id: key.id, name: key.name.to_string(), expires_at };
    (since <= now).then_some(Alert { cause, severity: Severity::Medium, since })
}

fn unused(key: &ApiKeyRow, now: Moment) -> Option<Alert> {
    let since = key.last_used_at.unwrap_or(key.created_at).plus_millis(UNUSED_MS);
    let cause = Cause::KeyUnused { id: key.id, name: key.name.to_string(), last_used_at: key.last_used_at };
    (since <= now).then_some(Alert { cause, severity: Severity::Low, since })
}

/// The dates that come near.
pub(crate) fn near(timeline: &Timeline, today: Day) -> Vec<Alert> {
    let near = |milestone: &&Milestone| (0..=MILESTONE_DAYS).contains(&today.days_until(milestone.date));
    let alert = |milestone: &Milestone| Alert {
        cause: Cause::MilestoneNear {
            id: milestone.id.to_string(),
            title: milestone.title.clone(),
            date: milestone.date,
        },
        severity: Severity::Info,
        since: milestone.date.plus_days(-MILESTONE_DAYS).start(),
    };
    timeline.milestones.iter().filter(near).map(alert).collect()
}

/// What the sample of a minute says is not well. It costs nothing to ask, which looking anew would.
pub(crate) fn sampled(sample: &Sample) -> Vec<Alert> {
    let severity = if sample.status == HealthStatus::Down { Severity::High } else { Severity::Medium };
    let alert = |check: &String| Alert {
        cause: Cause::ServiceImpaired { check: check.clone(), status: sample.status },
        severity,
        since: sample.row.at,
    };
    sample.troubles.iter().map(alert).collect()
}

/// More alerts of one kind than this say nothing more.
fn longest_page() -> PageRequest {
    PageRequest::new(Some(PageRequest::MAX_LIMIT.into()), None).unwrap_or_default()
}

pub(crate) fn breached(row: BreachRow) -> Alert {
    let cause = Cause::LimitBreached {
        id: row.id,
        dimension: row.dimension,
        name: row.name,
        share: Hundredths::new(row.share),
        threshold: Hundredths::new(row.threshold * 100),
    };
    Alert { cause, severity: row.severity.parse().unwrap_or(Severity::Medium), since: row.first_detected_at }
}

pub(crate) fn failing(row: &WebhookRow) -> Option<Alert> {
    let switched_off = row.switched_off_at.filter(|_| !row.active);
    let since = switched_off.or(row.health.failing_since.filter(|_| row.active))?;
    let cause = Cause::WebhookFailing {
        id: row.id,
        name: row.name.to_string(),
        switched_off: switched_off.is_some(),
    };
    let severity = if switched_off.is_some() { Severity::High } else { Severity::Medium };
    Some(Alert { cause, severity, since })
}

pub(crate) fn stages_due(report: &CraReport) -> Vec<Alert> {
    let stages = [
        (CraStage::EarlyWarning, &report.early_warning),
        (CraStage::Notification, &report.notification),
        (CraStage::FinalReport, &report.final_report),
    ];
    let alert = |(stage, place): (CraStage, &Stage)| {
        let due_at = place.reading.due_at?;
        let overdue = match place.reading.state {
            StageState::Overdue => true,
            StageState::DueSoon => false,
            StageState::Pending | StageState::Submitted | StageState::SubmittedLate => return None,
        };
        let (id, title) = (report.row.id, report.row.report.title.to_string());
        let (severity, since) = if overdue {
            (Severity::Critical, due_at)
        } else {
            (Severity::High, domain::clock::DUE_SOON.before_moment(due_at))
        };
        Some(Alert { cause: Cause::CraStageDue { id, title, stage, due_at, overdue }, severity, since })
    };
    stages.into_iter().filter_map(alert).collect()
}

pub(crate) fn overdue(row: FindingRow) -> Option<Alert> {
    let Finding { title, severity, due_on, owner, .. } = row.finding;
    let due_on = due_on?;
    let cause = Cause::FindingOverdue {
        id: row.id,
        reference: row.reference,
        title: title.to_string(),
        due_on,
        owner: owner.map(|owner| owner.to_string()),
    };
    Some(Alert { cause, severity, since: due_on.plus_days(1).start() })
}
