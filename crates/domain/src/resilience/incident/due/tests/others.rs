//! The clocks of NIS2, the GDPR and the CRA.

use super::*;
use crate::incident::{CraFacts, GdprFacts, Nis2Facts, PersonalRisk, ProviderType};

fn nis2(provider: ProviderType) -> Story {
    let nis2 =
        Nis2Facts { provider_type: Some(provider), unavailable_minutes: Some(600), ..Nis2Facts::default() };
    Story {
        facts: Facts { nis2, ..Facts::default() },
        regimes: vec![Regime::Nis2],
        ..Story::dora("2026-11-14T08:00:00Z", None)
    }
}

#[test]
fn nis2_warns_within_a_day_and_ends_a_month_later() {
    let story = nis2(ProviderType::Cloud);
    assert_eq!(story.due(Stage::EarlyWarning), "2026-11-15T08:00:00Z", "no weekend relief under NIS2");
    assert_eq!(story.due(Stage::Notification), "2026-11-17T08:00:00Z");
    assert_eq!(nis2(ProviderType::TrustService).due(Stage::Notification), "2026-11-15T08:00:00Z");
    assert_eq!(story.because(Stage::Final), "waits for the notification to be sent");
    assert_eq!(story.because(Stage::Interim), "is due only at the request of the CSIRT or authority");
    let notified = story.filed(Stage::Notification, "2026-11-16T08:00:00Z");
    assert_eq!(notified.due(Stage::Final), "2026-12-16T22:59:59.999Z");
    let after_a_month = Story { now: at("2026-12-20T08:00:00Z"), ..notified.clone() };
    assert_eq!(
        after_a_month.due(Stage::Progress),
        "2026-12-16T22:59:59.999Z",
        "still ongoing: a progress report"
    );
    assert_eq!(after_a_month.because(Stage::Final), "waits for the end of the handling of the incident");
    let mut handled = after_a_month;
    handled.times.resolved_at = Some(at("2027-01-31T08:00:00Z"));
    assert_eq!(handled.due(Stage::Final), "2027-02-28T22:59:59.999Z");
    let mut soon = notified;
    soon.times.resolved_at = Some(at("2026-11-30T08:00:00Z"));
    assert_eq!(soon.report(Stage::Progress).due, Due::NotOwed(NotOwed::FinalInstead));
    let mut asked = nis2(ProviderType::Cloud);
    asked.facts.nis2.interim_requested_at = Some(at("2026-11-18T08:00:00Z"));
    assert!(asked.because(Stage::Interim).contains("the authority asked for it (2026-11-18T08:00:00Z)"));
    let early = asked.clone().filed(Stage::Interim, "2026-11-16T08:00:00Z");
    assert_eq!(early.report(Stage::Interim).submitted_at, None, "it answered an earlier request");
    let answered = early.filed(Stage::Interim, "2026-11-19T08:00:00Z");
    assert_eq!(answered.report(Stage::Interim).submitted_at, Some(at("2026-11-19T08:00:00Z")));
}

#[test]
fn open_facts_show_the_latest_time_a_warning_could_be_due() {
    let mut story = nis2(ProviderType::Cloud);
    story.facts.nis2.unavailable_minutes = None;
    assert_eq!(
        story.report(Stage::EarlyWarning).due,
        Due::Waits { waiting: Waiting::Facts, at_latest: Some(at("2026-11-15T08:00:00Z")) }
    );
}

#[test]
fn personal_data_breaches_have_72_hours_and_persons_are_notified_without_delay() {
    let mut story = Story::dora("2026-11-13T08:00:00Z", None);
    story.regimes = vec![Regime::Gdpr];
    story.facts.gdpr = GdprFacts {
        personal_data: Some(true),
        personal_risk: Some(PersonalRisk::Likely),
        persons_protected: None,
    };
    assert_eq!(story.due(Stage::Notification), "2026-11-16T08:00:00Z");
    assert_eq!(story.report(Stage::Communication).due, Due::NotOwed(NotOwed::NoHighRisk));
    story.facts.gdpr.personal_risk = Some(PersonalRisk::High);
    assert!(story.because(Stage::Communication).starts_with("without undue delay"));
}

#[test]
fn products_follow_the_clocks_of_the_cra() {
    let mut story = Story::dora("2026-11-13T08:00:00Z", None);
    story.regimes = vec![Regime::Cra];
    story.facts.cra = CraFacts { exploited_vulnerability: Some(true), ..CraFacts::default() };
    assert_eq!(story.due(Stage::EarlyWarning), "2026-11-14T08:00:00Z");
    assert_eq!(story.due(Stage::Notification), "2026-11-16T08:00:00Z");
    assert_eq!(story.because(Stage::Final), "waits for a corrective or mitigating measure to be available");
    story.facts.cra.corrective_measure_at = Some(at("2026-11-20T08:00:00Z"));
    assert_eq!(story.due(Stage::Final), "2026-12-04T22:59:59.999Z");
    story.facts.cra = CraFacts { product_security: Some(true), ..CraFacts::default() };
    assert_eq!(story.because(Stage::Final), "waits for the notification to be sent");
    let notified = story.filed(Stage::Notification, "2026-11-15T08:00:00Z");
    assert_eq!(notified.due(Stage::Final), "2026-12-15T22:59:59.999Z");
    let kept_apart = Story { has_cra_report: true, ..notified };
    assert_eq!(kept_apart.report(Stage::EarlyWarning).due, Due::NotOwed(NotOwed::AtCraReport));
    assert_eq!(kept_apart.report(Stage::Notification).state, ReportState::Submitted, "what was sent stays");
}

#[test]
fn recipients_and_users_are_informed_without_a_number_of_hours() {
    let mut recipients = nis2(ProviderType::Cloud);
    assert_eq!(
        recipients.because(Stage::Communication),
        "waits for the fact that decides it: recipients_affected"
    );
    recipients.facts.nis2.recipients_affected = Some(true);
    assert_eq!(recipients.report(Stage::Communication).state, ReportState::Pending);
    let mut users = Story::dora("2026-11-13T08:00:00Z", None);
    users.regimes = vec![Regime::Cra];
    users.facts.cra = CraFacts { product_security: Some(true), ..CraFacts::default() };
    assert_eq!(users.because(Stage::Communication), "waits for the fact that decides it: users_impacted");
    users.facts.cra.users_impacted = Some(true);
    users.has_cra_report = true;
    let owed = users.report(Stage::Communication);
    assert!(owed.is_owed(), "a CRA report has no stage for it");
    assert_eq!(owed.article, "2024/2847 Art. 14(8)");
}

#[test]
fn an_event_of_both_kinds_runs_both_clocks() {
    let mut story = Story::dora("2026-11-13T08:00:00Z", None);
    story.regimes = vec![Regime::Cra];
    story.facts.cra = CraFacts {
        exploited_vulnerability: Some(true),
        product_malicious_code: Some(true),
        corrective_measure_at: Some(at("2026-11-20T08:00:00Z")),
        ..CraFacts::default()
    };
    assert_eq!(story.report(Stage::EarlyWarning).article, "2024/2847 Art. 14(2)(a), (4)(a)");
    assert_eq!(story.because(Stage::FinalIncident), "waits for the notification to be sent");
    let notified = story.filed(Stage::Notification, "2026-11-15T08:00:00Z");
    assert_eq!(notified.due(Stage::Final), "2026-12-04T22:59:59.999Z", "14 days after the measure");
    assert_eq!(
        notified.due(Stage::FinalIncident),
        "2026-12-15T22:59:59.999Z",
        "a month after the notification"
    );
}

#[test]
fn an_intermediate_report_under_the_cra_is_owed_on_request() {
    let mut story = Story::dora("2026-11-13T08:00:00Z", None);
    story.regimes = vec![Regime::Cra];
    story.facts.cra = CraFacts { product_security: Some(true), ..CraFacts::default() };
    assert_eq!(story.because(Stage::Interim), "is due only at the request of the CSIRT or authority");
    story.facts.cra.interim_requested_at = Some(at("2026-11-18T08:00:00Z"));
    assert!(story.report(Stage::Interim).is_owed());
    let answered = story.filed(Stage::Interim, "2026-11-19T08:00:00Z");
    assert_eq!(answered.report(Stage::Interim).state, ReportState::Submitted);
}
