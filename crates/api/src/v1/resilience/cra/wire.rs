//! The wire types of the stages of a report under CRA Art. 14.

use app::cra_report::{CraReportView, Stage as AppStage};
use domain::{
    cra_report::Interim,
    incident::{contents::Said, report::Obligation},
    moment::Moment,
    wording::Language,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::v1::wire::words;

words! {
    StageState = domain::clock::StageState, "The state of a reporting stage.";
}

/// The three stages of a report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraStages {
    /// Due 24 hours after becoming aware.
    early_warning: CraStage,
    /// Due 72 hours after becoming aware.
    notification: CraStage,
    /// Due 14 days after a corrective measure is available (vulnerability) or one month after the notification
    /// (incident).
    final_report: CraStage,
}

/// The contents of the three stages.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraContents {
    early_warning: Vec<CraPoint>,
    notification: Vec<CraPoint>,
    final_report: Vec<CraPoint>,
}

/// One point of a stage.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CraContentPoint)]
pub(crate) struct CraPoint {
    #[schema(example = "measures_taken")]
    field: &'static str,
    name: &'static str,
    /// The provision of Regulation (EU) 2024/2847 that asks for it.
    #[schema(example = "Art. 14(2)(b)")]
    article: &'static str,
    /// A text, or whether it is so; null while it is not known.
    #[schema(value_type = Value)]
    value: Value,
    /// `yes`, or `if` for what is asked only if applicable or available.
    #[schema(value_type = String, example = "if")]
    obligation: Obligation,
    missing: bool,
}

impl From<&CraReportView> for CraContents {
    fn from(report: &CraReportView) -> Self {
        let of = |stage: &AppStage| stage.contents.iter().map(CraPoint::from).collect();
        Self {
            early_warning: of(&report.early_warning),
            notification: of(&report.notification),
            final_report: of(&report.final_report),
        }
    }
}

impl From<&domain::cra_report::CraPoint> for CraPoint {
    fn from(one: &domain::cra_report::CraPoint) -> Self {
        Self {
            field: one.point.field,
            name: one.point.name.text(Language::English),
            article: one.point.article,
            value: match &one.value {
                None => Value::Null,
                Some(Said::Text(text)) => Value::from(text.as_str()),
                Some(Said::Flag(flag)) => Value::from(*flag),
            },
            obligation: one.point.obligation,
            missing: one.missing,
        }
    }
}

/// The intermediate report.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraInterim {
    #[schema(value_type = Option<String>, format = DateTime)]
    requested_at: Option<Moment>,
    #[schema(value_type = Option<String>, format = DateTime)]
    submitted_at: Option<Moment>,
    reference: Option<String>,
    /// Whether a request is not answered yet; it is to be answered without undue delay.
    owed: bool,
}

/// The state of a stage at the time of the request.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CraStage {
    /// Null until its deadline is known.
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<Moment>,
    /// Extension. The last moment at which it is in time, by which `state` and `seconds_left` are judged: the end of the
    /// day in the institution's time zone for a limit in days or months, which is our reading of Regulation (EEC,
    /// Euratom) No 1182/71, Art. 3(2).
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<Moment>,
    /// When it was filed with the authority; lateness is judged by it.
    #[schema(value_type = Option<String>, format = DateTime)]
    submitted_at: Option<Moment>,
    /// Extension. When the filing was recorded here.
    #[schema(value_type = Option<String>, format = DateTime)]
    recorded_at: Option<Moment>,
    /// Extension. Under which reference the authority keeps it.
    reference: Option<String>,
    /// Extension. Why nothing was filed: the information was provided with the stage before.
    already_provided: Option<String>,
    state: StageState,
    /// Negative once overdue; null if no deadline is running.
    seconds_left: Option<i64>,
    /// The provision that requires it.
    citation: Option<String>,
}

impl From<&CraReportView> for CraStages {
    fn from(report: &CraReportView) -> Self {
        Self {
            early_warning: CraStage::from(&report.early_warning),
            notification: CraStage::from(&report.notification),
            final_report: CraStage::from(&report.final_report),
        }
    }
}

impl From<&AppStage> for CraStage {
    fn from(stage: &AppStage) -> Self {
        Self {
            due_at: stage.reading.due_at,
            ends_at: stage.reading.ends_at,
            submitted_at: stage.reading.submitted_at,
            recorded_at: stage.filed.as_ref().map(|filed| filed.recorded_at),
            reference: stage
                .filed
                .as_ref()
                .and_then(|filed| filed.reference.as_ref().map(ToString::to_string)),
            already_provided: stage
                .filed
                .as_ref()
                .and_then(|filed| filed.already_provided.as_ref().map(ToString::to_string)),
            state: stage.reading.state.into(),
            seconds_left: stage.reading.seconds_left,
            citation: stage.citation.clone(),
        }
    }
}

impl From<&Interim> for CraInterim {
    fn from(interim: &Interim) -> Self {
        let sent = interim.sent.as_ref();
        Self {
            requested_at: interim.requested_at,
            submitted_at: sent.map(|sent| sent.submitted_at),
            reference: sent.and_then(|sent| sent.reference.as_ref()).map(ToString::to_string),
            owed: interim.is_owed(),
        }
    }
}
