//! The rules of alerts: when a record raises one, since when, and how severe it is.

use catalogue::milestone::Milestone;
use domain::{
    clock::StageState,
    cra_report::CraStage,
    finding::Finding,
    health::HealthStatus,
    incident::due::ReportState,
    moment::{Day, Moment},
    page::PageRequest,
    risk::{Appetite, Risk, RiskLevel},
    rounding::Hundredths,
    vocabulary::Severity,
};
use store::{
    Reader, TenantScope,
    analysis::BreachRow,
    api_key::ApiKeyRow,
    finding::FindingRow,
    record,
    risk::{self, RiskRow},
    risk_appetite,
    webhook::WebhookRow,
};

use super::{Alert, Cause};
use crate::{
    Result,
    cra_report::{CraReportView, Stage},
    health::Sample,
    incident::IncidentView,
    timeline::Timeline,
};

/// How many days ahead dates of the timeline raise an alert.
const MILESTONE_DAYS: i64 = 30;
/// How long before its end a key raises an alert.
const KEY_MS: i64 = 14 * 24 * 60 * 60 * 1000;
/// A key that was not used for this long should be revoked.
const UNUSED_MS: i64 = 90 * 24 * 60 * 60 * 1000;

pub(super) fn expiring(key: &ApiKeyRow, now: Moment) -> Option<Alert> {
    // A replaced key is expected to end.
    let expires_at = key.limits.ends_at.filter(|_| key.replaced_by.is_none())?;
    let since = expires_at.plus_millis(-KEY_MS).max(key.created_at);
    let cause = Cause::KeyExpiring { id: key.id, name: key.name.to_string(), expires_at };
    (since <= now).then_some(Alert { cause, severity: Severity::Medium, since })
}

pub(super) fn unused(key: &ApiKeyRow, now: Moment) -> Option<Alert> {
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

/// The gravest open risks above the appetite of their category.
pub(super) fn above_appetite(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<Alert>> {
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
    let level = row.record.residual?.level();
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

pub(crate) fn stages_due(report: &CraReportView) -> Vec<Alert> {
    let stages = [
        (CraStage::EarlyWarning, &report.early_warning),
        (CraStage::Notification, &report.notification),
        (CraStage::FinalReport, &report.final_report),
    ];
    let alert = |(stage, place): (CraStage, &Stage)| {
        let due_at = place.reading.ends_at?;
        let overdue = match place.reading.state {
            StageState::Overdue => true,
            StageState::DueSoon => false,
            StageState::Pending | StageState::Submitted | StageState::SubmittedLate => return None,
        };
        let (id, title) = (report.row.id, report.row.record.title.to_string());
        let owner = report.row.record.owner.as_ref().map(ToString::to_string);
        let cause = Cause::CraStageDue { id, title, stage, due_at, overdue, owner };
        Some(statutory(cause, due_at, overdue))
    };
    stages.into_iter().filter_map(alert).collect()
}

/// A limit of the law within hours is as grave as one that has passed: afterwards it is too late to act.
fn statutory(cause: Cause, due_at: Moment, overdue: bool) -> Alert {
    let since = if overdue { due_at } else { domain::clock::DUE_SOON.before_moment(due_at) };
    Alert { cause, severity: Severity::Critical, since }
}

pub(crate) fn reports_due(incident: &IncidentView) -> Vec<Alert> {
    let record = &incident.row.record;
    let alert = |report: &&domain::incident::due::DueReport| {
        let due_at = report.due.moment()?;
        let overdue = match report.state {
            ReportState::Overdue => true,
            ReportState::DueSoon => false,
            _ => return None,
        };
        let cause = Cause::IncidentReportDue {
            id: incident.row.id,
            reference: record.reference,
            title: record.title.to_string(),
            regime: report.regime,
            stage: report.stage,
            due_at,
            overdue,
            owner: record.owner.as_ref().map(ToString::to_string),
        };
        Some(statutory(cause, due_at, overdue))
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
