//! The wire types of incidents.

use app::{history::Detail, incident::IncidentView};
use domain::{
    id::{ControlId, CraReportId, EvidenceId, FindingId, IncidentId},
    incident::{
        Classification, Decision, FiledReport, Incident, Outcome, Reason, Regime, due::Stage, threat,
    },
    moment::Moment,
    reference::IncidentReference,
    wording::Language,
};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::reports::wire::IncidentReport;
use crate::v1::{
    records::correction::Correction,
    wire::{HistoryStep, ORDER, moves, words},
};

words! {
    IncidentStatus = domain::incident::IncidentStatus, moves::<domain::incident::IncidentStatus>();
    IncidentSort = domain::incident::IncidentSort, ORDER;
}

/// An ICT-related incident, under every regime it falls under.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Incident)]
pub(crate) struct IncidentItem {
    #[schema(value_type = String, example = "inc_01k9x14js0e00000000000000a")]
    id: IncidentId,
    #[schema(value_type = String, example = "I-2026-0007")]
    reference: IncidentReference,
    #[schema(example = "Card payments down")]
    title: String,
    description: Option<String>,
    status: IncidentStatus,
    /// Who has to see to it: an account or a plain name.
    owner: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    occurred_at: Option<Moment>,
    /// The earliest trace in a log, when the occurrence itself is not known.
    #[schema(value_type = Option<String>, format = DateTime)]
    logged_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    detected_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    aware_at: Moment,
    /// When services were back at the level before the incident.
    #[schema(value_type = Option<String>, format = DateTime)]
    recovered_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    resolved_at: Option<Moment>,
    /// `dora`, `nis2`, `gdpr`, `cra`.
    #[schema(value_type = Vec<String>)]
    regimes: Vec<Regime>,
    functions: Vec<String>,
    providers: Vec<String>,
    #[schema(value_type = Vec<String>)]
    findings: Vec<FindingId>,
    /// Measures of the institution: its controls.
    #[schema(value_type = Vec<String>)]
    controls: Vec<ControlId>,
    /// The report under the CRA that belongs to it and keeps the limits of the CRA.
    #[schema(value_type = Option<String>, example = "cra_01k9x14js0e00000000000000a")]
    cra_report_id: Option<CraReportId>,
    /// Facts by name; `null` is unknown. Amounts are minor units of `currency`.
    #[schema(value_type = Object)]
    facts: Value,
    classification: IncidentClassification,
    /// Whether the facts make it a significant cyber threat (2024/1772 Art. 10): `true`, `false` or `unknown`.
    #[schema(example = "unknown")]
    significant_threat: &'static str,
    reports: Vec<IncidentReport>,
    /// The first incident of the series this one seems to belong to, proposed every month: incidents with the same
    /// root cause within six months.
    #[schema(value_type = Option<String>)]
    recurring_group: Option<IncidentId>,
    root_cause: Option<String>,
    measures_taken: Option<String>,
    lessons: Option<String>,
    /// What was entered for reports, by field.
    #[schema(value_type = Object)]
    report_values: Map<String, Value>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// Since when it is archived; null while it is not.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
}

/// An incident with the history of its status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentDetail {
    #[serde(flatten)]
    incident: IncidentItem,
    /// Everything that was sent, in the order it was recorded.
    filed: Vec<IncidentFiling>,
    /// Corrections of what was recorded as sent, oldest first.
    corrections: Vec<Correction>,
    /// Changes of the status, oldest first.
    history: Vec<HistoryStep>,
}

/// A report that was sent. Its content is at `/reports/{regime}/{stage}?sent={number}`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentFiling {
    #[schema(value_type = String, example = "dora")]
    regime: Regime,
    #[schema(value_type = String, example = "initial")]
    stage: Stage,
    /// 1 for the first time the stage was sent, 2 for the second.
    number: usize,
    #[schema(value_type = String, format = DateTime)]
    submitted_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    recorded_at: Moment,
    /// The id of who recorded it; null where that was not kept.
    recorded_by: Option<String>,
    /// The evidence with the receipt of the authority.
    #[schema(value_type = Option<String>, example = "evd_01k9x14js0e00000000000000a")]
    receipt: Option<EvidenceId>,
    /// The authority's reference.
    reference: Option<String>,
    /// Why no report of its own was sent: its information was provided with an earlier stage.
    already_provided: Option<String>,
    /// The mandatory fields that were empty.
    missing: Vec<String>,
}

/// What an incident is, and why.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentClassification {
    /// `major`, `not_major`, `undetermined` or `significant`: the stored result, or the computed one before.
    #[schema(value_type = String, example = "major")]
    result: Outcome,
    /// What the facts give now.
    #[schema(value_type = String, example = "major")]
    computed: Outcome,
    reasons: Vec<IncidentReason>,
    /// `null` until a classification is stored.
    #[schema(value_type = Option<String>, format = DateTime)]
    classified_at: Option<Moment>,
    classified_by: Option<String>,
    /// Why the stored result is not the computed one, or why it was changed.
    reason: Option<String>,
    /// The classifications before the one that stands, oldest first.
    earlier: Vec<EarlierClassification>,
}

/// A classification that was replaced by a later one.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EarlierClassification {
    #[schema(value_type = String, example = "major")]
    result: Outcome,
    /// What the facts gave at that time.
    #[schema(value_type = String, example = "major")]
    computed: Outcome,
    #[schema(value_type = String, format = DateTime)]
    classified_at: Moment,
    classified_by: String,
    reason: Option<String>,
}

/// One condition of one article, held against the facts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentReason {
    #[schema(value_type = String, example = "dora")]
    regime: Regime,
    #[schema(example = "2024/1772 Art. 9(1)(a)")]
    article: &'static str,
    #[schema(example = "clients_financial_counterparts_and_transactions_affected")]
    criterion: &'static str,
    #[schema(example = "1001 of 10000")]
    value: String,
    #[schema(example = "more than 10 %")]
    threshold: String,
    /// `true`, `false` or `unknown`.
    #[schema(example = "true")]
    met: &'static str,
    /// The facts that would decide an unknown condition.
    needs: Vec<&'static str>,
    /// What is our reading in it rather than the text of the law; absent where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    reading: Option<&'static str>,
}

impl From<&IncidentView> for IncidentItem {
    fn from(incident: &IncidentView) -> Self {
        let row = &incident.row;
        let record = &row.record;
        Self {
            id: row.id,
            reference: record.reference,
            title: record.title.to_string(),
            description: record.description.as_ref().map(ToString::to_string),
            status: record.status.into(),
            owner: record.owner.as_ref().map(ToString::to_string),
            occurred_at: record.times.occurred_at,
            logged_at: record.times.logged_at,
            detected_at: record.times.detected_at,
            aware_at: record.times.aware_at,
            recovered_at: record.times.recovered_at,
            resolved_at: record.times.resolved_at,
            regimes: record.regimes.clone(),
            functions: record.functions.clone(),
            providers: record.providers.clone(),
            findings: record.findings.clone(),
            controls: record.controls.clone(),
            cra_report_id: record.cra_report,
            facts: record.facts.to_json(),
            classification: IncidentClassification::of(record, &incident.classification),
            significant_threat: threat::is_significant(&record.facts.threat).as_str(),
            reports: incident.reports.iter().map(IncidentReport::from).collect(),
            recurring_group: record.recurring_group,
            root_cause: record.root_cause.as_ref().map(ToString::to_string),
            measures_taken: record.measures_taken.as_ref().map(ToString::to_string),
            lessons: record.lessons.as_ref().map(ToString::to_string),
            report_values: record.report_values.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
            archived_at: row.archived_at,
        }
    }
}

impl From<&Detail<IncidentView>> for IncidentDetail {
    fn from(detail: &Detail<IncidentView>) -> Self {
        let history = detail.history.iter().map(HistoryStep::from).collect();
        let filed =
            detail.record.row.record.numbered_filings().into_iter().map(IncidentFiling::from).collect();
        let corrections = detail.corrections.iter().map(Correction::from).collect();
        Self { incident: IncidentItem::from(&detail.record), filed, corrections, history }
    }
}

impl From<(usize, &FiledReport)> for IncidentFiling {
    fn from((number, filed): (usize, &FiledReport)) -> Self {
        Self {
            regime: filed.regime,
            stage: filed.stage,
            number,
            submitted_at: filed.at,
            recorded_at: filed.recorded_at,
            recorded_by: filed.recorded_by.clone(),
            receipt: filed.receipt,
            reference: filed.reference.as_ref().map(ToString::to_string),
            already_provided: filed.already_provided.as_ref().map(ToString::to_string),
            missing: filed.missing.clone(),
        }
    }
}

impl From<&Decision> for EarlierClassification {
    fn from(decision: &Decision) -> Self {
        Self {
            result: decision.result,
            computed: decision.computed,
            classified_at: decision.at,
            classified_by: decision.by.clone(),
            reason: decision.reason.as_ref().map(ToString::to_string),
        }
    }
}

impl IncidentClassification {
    pub(crate) fn of(record: &Incident, classification: &Classification) -> Self {
        let computed = classification.outcome();
        let decision = record.decision.as_ref();
        Self {
            result: decision.map_or(computed, |decision| decision.result),
            reason: decision.and_then(|decision| decision.reason.as_ref()).map(ToString::to_string),
            classified_at: decision.map(|decision| decision.at),
            classified_by: decision.map(|decision| decision.by.clone()),
            earlier: record.earlier_decisions.iter().map(EarlierClassification::from).collect(),
            ..Self::computed(classification)
        }
    }

    /// The classification computed from the facts, without the stored one.
    pub(crate) fn computed(classification: &Classification) -> Self {
        let computed = classification.outcome();
        let reasons = classification.reasons().into_iter().map(IncidentReason::from).collect();
        Self {
            result: computed,
            computed,
            reasons,
            classified_at: None,
            classified_by: None,
            reason: None,
            earlier: Vec::new(),
        }
    }
}

impl From<(Regime, &Reason)> for IncidentReason {
    fn from((regime, reason): (Regime, &Reason)) -> Self {
        Self {
            regime,
            article: reason.article,
            criterion: reason.criterion.as_str(),
            value: reason.value.to_string(),
            threshold: reason.threshold.to_string(),
            met: reason.met.as_str(),
            needs: reason.needs.iter().map(|fact| fact.as_str()).collect(),
            reading: reason.reading().map(|reading| reading.text(Language::English)),
        }
    }
}
