//! Active alerts.

use std::fmt::Display;

use app::{
    App,
    alert::{Alert as AppAlert, Cause},
    catalogue::vocabulary::Role,
};
use axum::{extract::State, response::Response};
use domain::{
    concentration::Dimension,
    cra_report::CraStage,
    moment::{Day, Moment},
    page::Page,
    vocabulary::Severity,
    wording::Language,
};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::{Envelope, KeyedErrors};
use crate::{
    ApiError,
    extract::{LanguageParams, PageParams, Reader},
    reference::{ReferenceQuery, SearchParams},
    respond,
    schema::word,
};

/// A matter that needs attention now.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Alert {
    /// Stays the same as long as the cause exists.
    id: String,
    /// The kind of alert.
    #[schema(example = "finding_overdue")]
    r#type: &'static str,
    /// `tenant` or `platform`.
    #[schema(example = "tenant")]
    scope: &'static str,
    #[schema(value_type = word::Severity)]
    severity: Severity,
    title: String,
    #[schema(value_type = String, format = DateTime)]
    since: Moment,
    /// The due date; null if there is none.
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    /// The function in the institution that has to act.
    #[schema(value_type = word::Role)]
    responsible: Role,
    subject: Subject,
}

/// The record that an alert concerns.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AlertSubject)]
pub(crate) struct Subject {
    #[schema(example = "finding")]
    r#type: &'static str,
    id: String,
    /// The path of the record.
    url: String,
}

impl Alert {
    fn new(alert: &AppAlert, language: Language) -> Self {
        let english = language == Language::English;
        let (kind, scope, title, due_on, subject) = match &alert.cause {
            Cause::FindingOverdue { id, reference, title, due_on, .. } => {
                let said = if english { "is overdue" } else { "ist überfällig" };
                let subject = Subject::new("finding", id, format!("/api/v1/findings/{id}"));
                ("finding_overdue", "tenant", format!("{reference} {said}: {title}"), Some(*due_on), subject)
            }
            Cause::LimitBreached { id, dimension, name, share, threshold } => {
                let title = breached_limit(english, name, *dimension, (share, threshold));
                let subject = Subject::new("breach", id, "/api/v1/concentration-risk/breaches".to_owned());
                ("limit_breached", "tenant", title, None, subject)
            }
            Cause::RiskAboveAppetite { id, reference, title, level, appetite, .. } => {
                let title = if english {
                    format!("{reference} is {level}, above the appetite of {appetite}: {title}")
                } else {
                    format!(
                        "{reference} ist {}, über dem Risikoappetit ({}): {title}",
                        level.label().de.to_lowercase(),
                        appetite.label().de.to_lowercase()
                    )
                };
                let subject = Subject::new("risk", id, format!("/api/v1/risks/{id}"));
                ("risk_above_appetite", "tenant", title, None, subject)
            }
            Cause::WebhookFailing { id, name, switched_off } => {
                let said = match (english, switched_off) {
                    (true, false) => "is failing",
                    (true, true) => "was switched off because its destination takes nothing",
                    (false, false) => "schlägt fehl",
                    (false, true) => "wurde abgeschaltet, weil ihr Ziel nichts annimmt",
                };
                let noun = if english { "The webhook" } else { "Webhook" };
                let subject = Subject::new("webhook", id, format!("/api/v1/webhooks/{id}"));
                ("webhook_failing", "tenant", format!("{noun} {name} {said}"), None, subject)
            }
            Cause::ServiceImpaired { check, status } => {
                let label = status.label();
                let title = if english {
                    format!("The service is impaired: {check} is {}", status.as_str())
                } else {
                    format!("Der Dienst ist gestört: {check} – {}", label.de)
                };
                let subject = Subject::new("check", check, "/api/health-detailed".to_owned());
                ("service_impaired", "platform", title, None, subject)
            }
            Cause::CraStageDue { id, title, stage, due_at, overdue, .. } => {
                let said = urgency(english, *overdue);
                let subject = Subject::new("cra_report", id, format!("/api/v1/cra/reports/{id}"));
                let title = format!("{} {said} ({due_at}): {title}", stage.label().text(language));
                let kind = match stage {
                    CraStage::EarlyWarning => "cra_early_warning_due",
                    CraStage::Notification => "cra_notification_due",
                    CraStage::FinalReport => "cra_final_report_due",
                };
                (kind, "tenant", title, Some(due_at.day()), subject)
            }
            Cause::IncidentReportDue { id, reference, title, regime, stage, due_at, overdue, .. } => {
                let said = urgency(english, *overdue);
                let subject = Subject::new("incident", id, format!("/api/v1/incidents/{id}"));
                let (regime, stage) =
                    (regime.label().text(language), stage.label_under(*regime).text(language));
                let title = format!("{regime}: {stage} {said} ({due_at}): {reference} {title}");
                ("incident_report_due", "tenant", title, Some(due_at.day()), subject)
            }
            Cause::KeyExpiring { id, name, expires_at } => {
                let title = if english {
                    format!("The API key {name} expires at {expires_at}")
                } else {
                    format!("Der API-Schlüssel {name} läuft ab: {expires_at}")
                };
                let subject = Subject::new("api_key", id, "/api/v1/keys".to_owned());
                ("key_expiring", "tenant", title, Some(expires_at.day()), subject)
            }
            Cause::KeyUnused { id, name, last_used_at } => {
                let title = unused_key(english, name, last_used_at.as_ref());
                let subject = Subject::new("api_key", id, "/api/v1/keys".to_owned());
                ("key_unused", "tenant", title, None, subject)
            }
            Cause::MilestoneNear { id, title, date } => {
                let url = format!("/api/v2/compliance-timeline?search={id}");
                let title = title.get(language).to_owned();
                ("milestone_near", "platform", title, Some(*date), Subject::new("milestone", id, url))
            }
        };
        let id = format!("{kind}:{}", subject.id);
        Self {
            id,
            r#type: kind,
            scope,
            severity: alert.severity,
            title,
            since: alert.since,
            due_on,
            responsible: alert.cause.responsible(),
            subject,
        }
    }
}

fn urgency(english: bool, overdue: bool) -> &'static str {
    match (english, overdue) {
        (true, true) => "is overdue",
        (true, false) => "is due soon",
        (false, true) => "ist überfällig",
        (false, false) => "ist bald fällig",
    }
}

fn breached_limit(
    english: bool,
    name: impl Display,
    dimension: Dimension,
    (share, threshold): (impl Display, impl Display),
) -> String {
    if english {
        format!("{name} stands at {share} %, above the {} limit of {threshold} %", dimension.as_str())
    } else {
        format!("{name} liegt mit {share} % über der Grenze von {threshold} % ({})", dimension.label().de)
    }
}

fn unused_key(english: bool, name: impl Display, last_used_at: Option<impl Display>) -> String {
    match (english, last_used_at) {
        (true, Some(at)) => {
            format!("The API key {name} was last used at {at}: revoke it if nothing needs it")
        }
        (true, None) => format!("The API key {name} was never used: revoke it if nothing needs it"),
        (false, Some(at)) => {
            format!(
                "Der API-Schlüssel {name} wurde zuletzt {at} benutzt: widerrufen, falls nichts ihn braucht"
            )
        }
        (false, None) => {
            format!("Der API-Schlüssel {name} wurde nie benutzt: widerrufen, falls nichts ihn braucht")
        }
    }
}

impl Subject {
    fn new(kind: &'static str, id: &impl ToString, url: String) -> Self {
        Self { r#type: kind, id: id.to_string(), url }
    }
}

impl From<&Self> for Alert {
    fn from(alert: &Self) -> Self {
        alert.clone()
    }
}

/// Lists active alerts of the tenant and of the platform.
///
/// The most severe come first.
#[utoipa::path(get, path = "/api/v2/alerts", tag = "alerts", security(("bearer" = [])),
    params(PageParams, SearchParams, LanguageParams),
    responses((status = 200, body = Envelope<Alert>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    request: ReferenceQuery,
) -> Result<Response, ApiError> {
    let request = request.checked()?;
    let (needle, language) = (request.needle(), request.language);
    let alerts = app.work.alerts(&caller).await?;
    let alerts: Vec<Alert> = alerts.iter().map(|alert| Alert::new(alert, language)).collect();
    let found: Vec<Alert> =
        alerts.into_iter().filter(|alert| needle.is_in_any(&[&alert.id, &alert.title])).collect();
    let page = Page::cut(found.into_iter(), request.query.page);
    let body = respond::to_json(&Envelope::<Alert>::of(&page));
    Ok(respond::spoken(respond::json(StatusCode::OK, body), language))
}
