//! Alerts: the tenant's own overdue work, and approaching dates of the platform.
//!
//! Nothing is stored: an alert exists as long as its cause does. Other modules add their kinds here.

mod rules;

use catalogue::vocabulary::Role;
use domain::{
    concentration::Dimension,
    cra_report::{CraReport, CraStage},
    finding::Finding,
    health::HealthStatus,
    id::{ApiKeyId, BreachId, CraReportId, FindingId, IncidentId, RiskId, WebhookId},
    incident::{Incident, Regime, due::Stage as ReportStage},
    moment::{Day, Moment},
    page::PageRequest,
    permission::Permission,
    reference::{FindingReference, IncidentReference},
    risk::{RiskLevel, RiskReference},
    rounding::Hundredths,
    vocabulary::Severity,
};
use store::{
    Reader, analysis,
    finding::{FindingFilter, States},
    record, webhook,
};

use self::rules::{above_appetite, expiring, unused};
pub(crate) use self::rules::{breached, failing, near, overdue, reports_due, sampled, stages_due};
use crate::{Result, Work, authz::Caller, cra_report::CraReportFilter, incident::IncidentFilter};

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
        owner: Option<String>,
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
        owner: Option<String>,
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
            Self::FindingOverdue { owner, .. }
            | Self::RiskAboveAppetite { owner, .. }
            | Self::CraStageDue { owner, .. }
            | Self::IncidentReportDue { owner, .. } => owner.as_deref(),
            _ => None,
        }
    }

    /// The kind of record it is about; none for the service and the catalogue.
    fn noun(&self) -> Option<&'static str> {
        match self {
            Self::FindingOverdue { .. } => Some("finding"),
            Self::LimitBreached { .. } => Some("analysis"),
            Self::RiskAboveAppetite { .. } => Some("risk"),
            Self::WebhookFailing { .. } => Some("webhook"),
            Self::CraStageDue { .. } => Some("cra_report"),
            Self::IncidentReportDue { .. } => Some("incident"),
            Self::KeyExpiring { .. } | Self::KeyUnused { .. } => Some("api_key"),
            Self::MilestoneNear { .. } | Self::ServiceImpaired { .. } => None,
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

impl Work {
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
        alerts.retain(|alert| alert.cause.noun().is_none_or(|noun| caller.sees(noun)));
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
        let health = self.operations.health().await;
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
        let page =
            self.records.records::<CraReport>(caller, &CraReportFilter::default(), longest_page()).await?;
        Ok(page.items.iter().flat_map(stages_due).collect())
    }

    async fn incident_reports_due(&self, caller: &Caller) -> Result<Vec<Alert>> {
        let filter = IncidentFilter { open: Some(true), ..IncidentFilter::default() };
        let page = self.records.records::<Incident>(caller, &filter, longest_page()).await?;
        Ok(page.items.iter().flat_map(reports_due).collect())
    }

    pub(crate) async fn key_alerts(&self, caller: &Caller, now: Moment) -> Result<Vec<Alert>> {
        // A caller who may not see the keys gets no alerts about them.
        if !caller.may(Permission::ManageKeys) {
            return Ok(Vec::new());
        }
        let keys = self.people.list_keys(caller, longest_page()).await?;
        let working = keys.items.iter().filter(|key| key.works(now));
        Ok(working.flat_map(|key| [expiring(key, now), unused(key, now)]).flatten().collect())
    }

    async fn near_milestones(&self, now: Moment) -> Result<Vec<Alert>> {
        Ok(near(&*self.resilience.timeline().await?, now.day()))
    }
}

/// The maximum number of alerts of one kind.
fn longest_page() -> PageRequest {
    PageRequest::new(Some(PageRequest::MAX_LIMIT.into()), None).unwrap_or_default()
}
