//! The wire types of the reports on an incident.

use app::incident::{ReportContent, ReportField};
use domain::{
    incident::{
        Regime,
        due::{Due, DueReport, ReportState, Stage},
        report::Obligation,
    },
    moment::Moment,
    wording::Language,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// When a report is due.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentReport {
    #[schema(value_type = String, example = "dora")]
    regime: Regime,
    #[schema(value_type = String, example = "initial")]
    stage: Stage,
    #[schema(example = "2025/301 Art. 5(1)(a), (2)")]
    article: &'static str,
    /// `null` where no time is set or the clock does not run yet.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Moment>,
    /// The latest it could be, while the clock waits.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at_latest: Option<Moment>,
    /// The rule that sets the time, or what the clock waits for.
    due_because: String,
    /// What weekends and bank holidays did to the limit.
    relief: Option<String>,
    /// What of the due time is our reading rather than the text of the law.
    reading: Option<&'static str>,
    #[schema(value_type = Option<String>, format = DateTime)]
    submitted_at: Option<Moment>,
    /// `not_due`, `pending`, `due_soon`, `overdue`, `submitted` or `submitted_late`.
    #[schema(value_type = String, example = "pending")]
    state: ReportState,
}

/// The content of a report, as it would be sent now or as it was sent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentReportContent {
    fields: Vec<IncidentReportField>,
    /// What stands in the way of a correct file.
    complaints: Vec<IncidentReportComplaint>,
    /// `null` until it is recorded as sent.
    #[schema(value_type = Option<String>, format = DateTime)]
    submitted_at: Option<Moment>,
    /// The authority's reference.
    reference: Option<String>,
}

/// One field of a report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentReportField {
    #[schema(example = "2.4")]
    field: &'static str,
    name: &'static str,
    /// A text, a number, a list or an object, as the field asks; null while it is not known.
    #[schema(value_type = Value)]
    value: Value,
    /// `yes`, `if` or `no`.
    #[schema(value_type = String, example = "yes")]
    obligation: Obligation,
    missing: bool,
}

/// What is wrong with one field of a report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IncidentReportComplaint {
    #[schema(example = "3.10")]
    field: &'static str,
    message: String,
}

impl From<&DueReport> for IncidentReport {
    fn from(report: &DueReport) -> Self {
        let (because, relief, at_latest) = match &report.due {
            Due::At { rule, relief, .. } => {
                (rule.to_string(), relief.as_ref().map(ToString::to_string), None)
            }
            Due::Promptly { rule } => (rule.to_string(), None, None),
            Due::Waits { waiting, at_latest } => (waiting.to_string(), None, *at_latest),
            Due::NotOwed(why) => (why.to_string(), None, None),
        };
        Self {
            regime: report.regime,
            stage: report.stage,
            article: report.article,
            due_at: report.due.moment(),
            due_at_latest: at_latest,
            due_because: because,
            relief,
            reading: report.reading().map(|reading| reading.text(Language::English)),
            submitted_at: report.submitted_at,
            state: report.state,
        }
    }
}

impl From<&ReportField> for IncidentReportField {
    fn from(field: &ReportField) -> Self {
        Self {
            field: field.field,
            name: field.name.text(Language::English),
            value: field.value.clone(),
            obligation: field.obligation,
            missing: field.missing,
        }
    }
}

impl From<&ReportContent> for IncidentReportContent {
    fn from(content: &ReportContent) -> Self {
        let complaint = |(field, complaint): &(&'static str, _)| IncidentReportComplaint {
            field,
            message: ToString::to_string(complaint),
        };
        Self {
            fields: content.fields.iter().map(IncidentReportField::from).collect(),
            complaints: content.complaints.iter().map(complaint).collect(),
            submitted_at: content.filed.as_ref().map(|filed| filed.at),
            reference: content
                .filed
                .as_ref()
                .and_then(|filed| filed.reference.as_ref())
                .map(ToString::to_string),
        }
    }
}
