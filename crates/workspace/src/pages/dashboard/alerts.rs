//! Alerts that need a decision now, worst first.

use app::alert::{Alert, Cause};
use maud::{Markup, html};

use super::Board;
use crate::{
    pages::{cra_reports, incidents, record},
    route,
    texts::{dashboard as texts, incident as incident_texts, own_risk},
};

/// How many are shown initially.
const MOST: usize = 3;

impl Board<'_> {
    pub(super) fn alerts(&self) -> Markup {
        let alerts = &self.dashboard.alerts;
        let all = self.view.query("alerts").is_some_and(|which| which == "all");
        let shown = if all { alerts.len() } else { alerts.len().min(MOST) };
        html! {
            @if alerts.is_empty() { p.quiet { (self.t(texts::NO_ALERTS)) } }
            ul.steps #alerts {
                @for alert in &alerts[..shown] {
                    li {
                        @let about = format!("{} · {}", self.age(alert), self.responsible(alert));
                        div { (self.alert(alert)) p.hint title=(about) { (about) } }
                        (record::severity_badge(self.view, alert.severity))
                    }
                }
            }
            @if alerts.len() > shown || self.dashboard.overdue > 0 { div.row {
                @if alerts.len() > shown {
                    a href={ (self.view.path()) "?alerts=all#alerts" } {
                        (self.view.fill(texts::MORE_ALERTS, &[("count", &(alerts.len() - shown))]))
                    }
                }
                @if self.dashboard.overdue > 0 {
                    a href={ (route::FINDINGS) "?overdue=true" } {
                        (self.view.fill(texts::ALL_OVERDUE, &[("count", &self.dashboard.overdue)]))
                    }
                }
            } }
        }
    }

    /// An alert, as a link to where it can be dealt with.
    fn alert(&self, alert: &Alert) -> Markup {
        let view = self.view;
        let (address, said) = match &alert.cause {
            Cause::FindingOverdue { id, reference, title, .. } => (
                format!("{}/{id}", route::FINDINGS),
                view.fill(texts::ALERT_OVERDUE, &[("reference", reference), ("title", title)]),
            ),
            Cause::LimitBreached { dimension, name, share, threshold, .. } => (
                route::CONCENTRATION.to_owned(),
                view.fill(
                    texts::ALERT_BREACH,
                    &[
                        ("name", name),
                        ("dimension", &view.t(dimension.label())),
                        ("share", &view.percent(*share)),
                        ("threshold", &view.percent(*threshold)),
                    ],
                ),
            ),
            Cause::RiskAboveAppetite { id, reference, title, level, appetite, .. } => (
                format!("{}/{id}", route::RISKS),
                view.fill(
                    own_risk::ALERT_APPETITE,
                    &[
                        ("reference", reference),
                        ("title", title),
                        ("level", &view.t(level.label())),
                        ("appetite", &view.t(appetite.label())),
                    ],
                ),
            ),
            Cause::WebhookFailing { id, name, switched_off } => {
                let said = if *switched_off { texts::ALERT_SWITCHED_OFF } else { texts::ALERT_FAILING };
                (format!("{}/{id}", route::WEBHOOKS), view.fill(said, &[("name", name)]))
            }
            Cause::CraStageDue { id, title, stage, overdue, .. } => {
                let said = if *overdue { texts::ALERT_STAGE_OVERDUE } else { texts::ALERT_STAGE_SOON };
                let values: [(&str, &dyn std::fmt::Display); 2] =
                    [("stage", &view.t(stage.label())), ("title", title)];
                (cra_reports::address_of(*id), view.fill(said, &values))
            }
            Cause::IncidentReportDue { id, reference, title, regime, stage, overdue, .. } => {
                let said = if *overdue { incident_texts::ALERT_OVERDUE } else { incident_texts::ALERT_SOON };
                let values: [(&str, &dyn std::fmt::Display); 4] = [
                    ("regime", &view.t(regime.label())),
                    ("stage", &view.t(stage.label_under(*regime))),
                    ("reference", reference),
                    ("title", title),
                ];
                (incidents::address_of(*id), view.fill(said, &values))
            }
            Cause::KeyExpiring { name, expires_at, .. } => {
                let day = view.day(expires_at.day());
                (route::API_KEYS.to_owned(), view.fill(texts::ALERT_KEY, &[("name", name), ("day", &day)]))
            }
            Cause::KeyUnused { name, .. } => {
                (route::API_KEYS.to_owned(), view.fill(texts::ALERT_KEY_UNUSED, &[("name", name)]))
            }
            Cause::MilestoneNear { id, title, .. } => {
                (format!("{}#{id}", route::TIMELINE), title.get(view.language).to_owned())
            }
            Cause::ServiceImpaired { check, status } => {
                let values: [(&str, &dyn std::fmt::Display); 2] =
                    [("check", check), ("status", &view.t(status.label()))];
                return html! { (view.fill(texts::ALERT_SERVICE, &values)) };
            }
        };
        html! { a href=(address) title=(said) { (said) } }
    }

    /// Who has to decide: the owner of the record, or the function responsible for such alerts.
    fn responsible(&self, alert: &Alert) -> String {
        if let Some(owner) = alert.cause.owner() {
            return self.view.fill(texts::OWNED_BY, &[("name", &owner)]);
        }
        let role = self.t(alert.cause.responsible().label());
        self.view.fill(texts::RESPONSIBLE, &[("role", &role)])
    }

    fn age(&self, alert: &Alert) -> String {
        let view = self.view;
        match &alert.cause {
            Cause::MilestoneNear { date, .. } => view.fill(texts::ON_DAY, &[("day", &view.day(*date))]),
            Cause::CraStageDue { due_at, .. } | Cause::IncidentReportDue { due_at, .. } => {
                view.fill(texts::DUE_AT, &[("time", &view.moment(*due_at))])
            }
            _ => view.fill(texts::SINCE_DAY, &[("day", &view.day(alert.since.day()))]),
        }
    }
}
