//! Alerts: the tenant's own overdue work, and approaching dates of the platform.
//!
//! Nothing is stored: an alert exists as long as its cause does. Other modules add their kinds here.

use catalogue::{milestone::Milestone, vocabulary::Role};
use domain::{
    clock::StageState,
    concentration::Dimension,
    cra_report::{CraReport as CraRecord, CraStage},
    finding::Finding,
    health::HealthStatus,
    id::{ApiKeyId, BreachId, CraReportId, FindingId, IncidentId, RiskId, WebhookId},
    incident::{
        Incident as IncidentRecord, Regime,
        due::{ReportState, Stage as ReportStage},
    },
    moment::{Day, Moment},
    page::PageRequest,
    permission::Permission,
    reference::{FindingReference, IncidentReference},
    risk::{Appetite, Risk, RiskLevel, RiskReference},
    rounding::Hundredths,
    vocabulary::Severity,
};
use store::{
    Reader, TenantScope,
    analysis::{self, BreachRow},
    api_key::ApiKeyRow,
    finding::{FindingFilter, FindingRow, States},
    record,
    risk::{self, RiskRow},
    risk_appetite,
    webhook::{self, WebhookRow},
};

use crate::{
    App, Result,
    authz::Caller,
    cra_report::{CraReport, CraReportFilter, Stage},
    health::Sample,
    incident::{Incident, IncidentFilter},
    timeline::Timeline,
};

/// How many days ahead dates of the timeline raise an alert.
const MILESTONE_DAYS: i64 = 30;
/// How long before its end a key raises an alert.
const KEY_MS: i64 = 14 * 24 * 60 * 60 * 1000;
/// A key that was not used for this long should be revoked.
const UNUSED_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// One alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    pub cause: Cause,
    pub severity: Severity,
    /// Since when the cause exists.
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
        /// The owner of the record, if it has one.
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
    /// A risk whose residual level is above the appetite of its category.
    RiskAboveAppetite {
        id: RiskId,
        reference: RiskReference,
        title: String,
        level: RiskLevel,
        appetite: RiskLevel,
        owner: Option<String>,
    },
    /// A webhook whose destination refuses messages, or that was switched off for that reason.
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
    /// A report on an incident that is due within hours, or overdue.
    IncidentReportDue {
        id: IncidentId,
        reference: IncidentReference,
        title: String,
        regime: Regime,
        stage: ReportStage,
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
        /// `None` if it was never used.
        last_used_at: Option<Moment>,
    },
    MilestoneNear {
        id: String,
        title: catalogue::language::Text,
        date: Day,
    },
    /// A part of the service itself is impaired.
    ServiceImpaired {
        check: String,
        status: HealthStatus,
    },
}

impl Cause {
    /// The person or team that the record names.
    pub fn owner(&self) -> Option<&str> {
        match self {
            Self::FindingOverdue { owner, .. } | Self::RiskAboveAppetite { owner, .. } => owner.as_deref(),
            _ => None,
        }
    }

    /// The function of the institution that has to decide.
    pub fn responsible(&self) -> Role {
        match self {
            Self::FindingOverdue { .. } | Self::RiskAboveAppetite { .. } | Self::IncidentReportDue { .. } => {
                Role::Ciso
            }
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
        alerts.extend(self.risks_above_appetite(caller).await?);
        alerts.extend(self.failing_webhooks(caller).await?);
        alerts.extend(self.cra_stages_due(caller).await?);
        alerts.extend(self.incident_reports_due(caller).await?);
        alerts.extend(self.key_alerts(caller, now).await?);
        alerts.extend(self.impairments().await);
        alerts.extend(self.near_milestones(now).await?);
        alerts.sort_by_key(|alert| (alert.severity, alert.since));
        Ok(alerts)
    }

    async fn overdue_findings(&self, caller: &Caller, today: Day) -> Result<Vec<Alert>> {
        let scope = *caller.scope();
        let query =
            FindingFilter { states: States::Open, overdue: Some((true, today)), ..FindingFilter::default() };
        let read = move |r: &mut Reader<'_>| record::list::<Finding>(r, &scope, &query, None, longest_page());
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

    pub(crate) async fn risks_above_appetite(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| above_appetite(r, &scope)).await
    }

    async fn failing_webhooks(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| webhook::list(r, &scope, longest_page());
        let page = self.db.tenant(&scope).read(read).await?;
        Ok(page.items.iter().filter_map(failing).collect())
    }

    /// What every tenant may know of the service: which part is impaired, not why.
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
        let page = self.records::<CraRecord>(caller, &CraReportFilter::default(), longest_page()).await?;
        Ok(page.items.iter().flat_map(stages_due).collect())
    }

    async fn incident_reports_due(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let filter = IncidentFilter { open: Some(true), ..IncidentFilter::default() };
        let page = self.records::<IncidentRecord>(caller, &filter, longest_page()).await?;
        Ok(page.items.iter().flat_map(reports_due).collect())
    }

    pub(crate) async fn key_alerts(&self, caller: &Caller, now: Moment) -> Result<Vec<Alert>> {
        // A caller who may not see the keys gets no alerts about them.
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
    // A replaced key is expected to end.
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

/// The approaching dates.
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

/// The impairments in the latest sample of health. Reading the sample is cheap; a new check would not be.
pub(crate) fn sampled(sample: &Sample) -> Vec<Alert> {
    let severity = if sample.status == HealthStatus::Down { Severity::High } else { Severity::Medium };
    let alert = |check: &String| Alert {
        cause: Cause::ServiceImpaired { check: check.clone(), status: sample.status },
        severity,
        since: sample.row.at,
    };
    sample.troubles.iter().map(alert).collect()
}

/// The maximum number of alerts of one kind.
fn longest_page() -> PageRequest {
    PageRequest::new(Some(PageRequest::MAX_LIMIT.into()), None).unwrap_or_default()
}

/// The gravest open risks above the appetite of their category.
pub(crate) fn above_appetite(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<Alert>> {
    let ids = risk::above_appetite(reader, scope, PageRequest::MAX_LIMIT)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let appetite = risk_appetite::get(reader, scope)?;
    let rows = record::get_many::<Risk>(reader, scope, &ids)?;
    Ok(rows.into_iter().filter_map(|row| too_grave(row, &appetite)).collect())
}

fn too_grave(row: RiskRow, appetite: &Appetite) -> Option<Alert> {
    let most = appetite.exceeded(&row.record)?;
    let level = row.record.residual.level();
    let cause = Cause::RiskAboveAppetite {
        id: row.id,
        reference: row.record.reference,
        title: row.record.title.to_string(),
        level,
        appetite: most,
        owner: row.record.owner.map(|owner| owner.to_string()),
    };
    let severity = match level {
        RiskLevel::Critical => Severity::Critical,
        RiskLevel::High => Severity::High,
        RiskLevel::Medium => Severity::Medium,
        RiskLevel::Low => Severity::Low,
    };
    Some(Alert { cause, severity, since: row.updated_at })
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
        let (id, title) = (report.row.id, report.row.record.title.to_string());
        let (severity, since) = if overdue {
            (Severity::Critical, due_at)
        } else {
            (Severity::High, domain::clock::DUE_SOON.before_moment(due_at))
        };
        Some(Alert { cause: Cause::CraStageDue { id, title, stage, due_at, overdue }, severity, since })
    };
    stages.into_iter().filter_map(alert).collect()
}

pub(crate) fn reports_due(incident: &Incident) -> Vec<Alert> {
    let record = &incident.row.record;
    let alert = |report: &&domain::incident::due::DueReport| {
        let due_at = report.due.moment()?;
        let overdue = match report.state {
            ReportState::Overdue => true,
            ReportState::DueSoon => false,
            _ => return None,
        };
        let (severity, since) = if overdue {
            (Severity::Critical, due_at)
        } else {
            (Severity::High, domain::clock::DUE_SOON.before_moment(due_at))
        };
        let cause = Cause::IncidentReportDue {
            id: incident.row.id,
            reference: record.reference,
            title: record.title.to_string(),
            regime: report.regime,
            stage: report.stage,
            due_at,
            overdue,
        };
        Some(Alert { cause, severity, since })
    };
    incident.owed().iter().filter_map(alert).collect()
}

pub(crate) fn overdue(row: FindingRow) -> Option<Alert> {
    let Finding { reference, title, severity, due_on, owner, .. } = row.record;
    let due_on = due_on?;
    let cause = Cause::FindingOverdue {
        id: row.id,
        reference,
        title: title.to_string(),
        due_on,
        owner: owner.map(|owner| owner.to_string()),
    };
    Some(Alert { cause, severity, since: due_on.plus_days(1).start() })
}
