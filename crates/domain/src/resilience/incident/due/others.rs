//! The reports of NIS2 Art. 23(4), GDPR Art. 33 and 34 and CRA Art. 14.

use crate::{
    clock::{Clocks, Span},
    moment::Moment,
};

use super::{
    Case, Due, DueReport, Stage, clock,
    rule::{DueRule, NotOwed, Waiting},
};
use crate::incident::{
    Met,
    words::{ProviderType, Regime},
};

/// Regulation (EU) 2016/679, Art. 33(1). The catalogue contains no clocks of the GDPR.
const GDPR_NOTIFICATION: Span = Span::Hours(72);

/// A stage that starts at awareness once the facts require it.
fn from_awareness(case: &Case<'_>, notifiable: Met, span: Option<Span>) -> Due {
    let at = case.times.aware_at;
    match (notifiable, span) {
        (Met::No, _) => Due::NotOwed(NotOwed::NotNotifiable),
        (_, None) => Due::NotOwed(NotOwed::NoClock),
        (Met::Yes, Some(span)) => Due::at(span.after(at), DueRule::AfterAwareness { span, at }),
        (Met::Unknown, Some(span)) => Due::Waits { waiting: Waiting::Facts, at_latest: Some(span.after(at)) },
    }
}

/// The state of a later stage while the regime does not require it.
fn unless_owed(notifiable: Met, due: impl FnOnce() -> Due) -> Due {
    match notifiable {
        Met::Yes => due(),
        Met::Unknown => Due::waits(Waiting::Facts),
        Met::No => Due::NotOwed(NotOwed::NotNotifiable),
    }
}

pub(super) fn nis2(case: &Case<'_>, clocks: &Clocks) -> Vec<DueReport> {
    let regime = Regime::Nis2;
    let owed = case.classification.notifiable(regime);
    let length =
        |applies_to, stage| clock(clocks, regime, applies_to, stage).map(|clock| clock.bound.duration);
    let is_trust_service = case.provider_type == Some(ProviderType::TrustService);
    let (kind, article) = if is_trust_service {
        ("trust_service_incident", "2022/2555 Art. 23(4), second subparagraph")
    } else {
        ("significant_incident", "2022/2555 Art. 23(4)(b)")
    };
    let of = |stage, article, due| DueReport::new(case, regime, stage, article, due);
    let interim = || match case.interim_requested_at {
        Some(at) => Due::Promptly { rule: DueRule::OnRequest { at } },
        None => Due::waits(Waiting::Request),
    };
    let (progress, last) = nis2_end(case, clocks);
    let warning = length("significant_incident", "early_warning");
    vec![
        of(Stage::EarlyWarning, "2022/2555 Art. 23(4)(a)", from_awareness(case, owed, warning)),
        of(Stage::Notification, article, from_awareness(case, owed, length(kind, "notification"))),
        DueReport::filed(
            case,
            regime,
            Stage::Interim,
            "2022/2555 Art. 23(4)(c)",
            unless_owed(owed, interim),
            answered_at(case),
        ),
        of(Stage::Progress, "2022/2555 Art. 23(4)(e)", unless_owed(owed, || progress)),
        of(Stage::Final, "2022/2555 Art. 23(4)(d), (e)", unless_owed(owed, || last)),
    ]
}

/// When the latest request for an interim report was answered. One sent before it answered another.
fn answered_at(case: &Case<'_>) -> Option<Moment> {
    let asked = case.interim_requested_at;
    case.filed(Regime::Nis2, Stage::Interim).filter(|at| asked.is_none_or(|asked| *at >= asked)).min()
}

/// The end of an incident under NIS2: one month after the notification a final report, or a progress report while it
/// is ongoing and a final report one month after its handling.
fn nis2_end(case: &Case<'_>, clocks: &Clocks) -> (Due, Due) {
    let regime = Regime::Nis2;
    let ordinary = clock(clocks, regime, "significant_incident", "final_report");
    let ongoing = clock(clocks, regime, "ongoing_significant_incident", "final_report");
    let (Some(ordinary), Some(ongoing)) = (ordinary, ongoing) else {
        return (Due::NotOwed(NotOwed::NoClock), Due::NotOwed(NotOwed::NoClock));
    };
    let Some(notified) = case.first(regime, Stage::Notification) else {
        return (Due::waits(Waiting::Notification), Due::waits(Waiting::Notification));
    };
    let span = ordinary.bound.duration;
    let month = span.after(notified);
    let at_month = || Due::at(month, DueRule::AfterNotification { span, at: notified });
    match case.times.resolved_at {
        Some(resolved) if resolved <= month => (Due::NotOwed(NotOwed::FinalInstead), at_month()),
        None if case.now < month => (Due::waits(Waiting::StillOngoing { at: month }), at_month()),
        None => (at_month(), Due::waits(Waiting::Handling)),
        Some(at) => {
            let span = ongoing.bound.duration;
            (at_month(), Due::at(span.after(at), DueRule::AfterHandling { span, at }))
        }
    }
}

pub(super) fn gdpr(case: &Case<'_>) -> Vec<DueReport> {
    let regime = Regime::Gdpr;
    let owed = case.classification.notifiable(regime);
    let communication = match case.classification.gdpr.as_ref().map_or(Met::No, |gdpr| gdpr.communication) {
        Met::Yes => Due::Promptly { rule: DueRule::WithoutDelay { at: case.times.aware_at } },
        Met::Unknown => Due::waits(Waiting::Facts),
        Met::No => Due::NotOwed(NotOwed::NoHighRisk),
    };
    let notification = from_awareness(case, owed, Some(GDPR_NOTIFICATION));
    vec![
        DueReport::new(case, regime, Stage::Notification, "2016/679 Art. 33(1)", notification),
        DueReport::new(case, regime, Stage::Communication, "2016/679 Art. 34(1)", communication),
    ]
}

/// An event of both kinds is reported as an exploited vulnerability: its final report waits for a measure.
pub(super) fn cra(case: &Case<'_>, clocks: &Clocks) -> Vec<DueReport> {
    let regime = Regime::Cra;
    let owed = case.classification.notifiable(regime);
    let is_vulnerability =
        case.classification.cra.as_ref().is_some_and(|event| event.exploited_vulnerability.is_yes());
    let (kind, articles) = if is_vulnerability {
        (
            "exploited_vulnerability",
            ["2024/2847 Art. 14(2)(a)", "2024/2847 Art. 14(2)(b)", "2024/2847 Art. 14(2)(c)"],
        )
    } else {
        ("severe_incident", ["2024/2847 Art. 14(4)(a)", "2024/2847 Art. 14(4)(b)", "2024/2847 Art. 14(4)(c)"])
    };
    let length = |stage| clock(clocks, regime, kind, stage).map(|clock| clock.bound.duration);
    let last = || match (length("final_report"), is_vulnerability) {
        (None, _) => Due::NotOwed(NotOwed::NoClock),
        (Some(span), true) => {
            let rule = |at| DueRule::AfterMeasure { span, at };
            after(span, case.cra.corrective_measure_at, rule, Waiting::Measure)
        }
        (Some(span), false) => {
            let rule = |at| DueRule::AfterNotification { span, at };
            after(span, case.first(regime, Stage::Notification), rule, Waiting::Notification)
        }
    };
    let of = |stage, article, due| {
        let is_kept_there = case.has_cra_report && case.first(regime, stage).is_none();
        let due = if is_kept_there { Due::NotOwed(NotOwed::AtCraReport) } else { due };
        DueReport::new(case, regime, stage, article, due)
    };
    vec![
        of(Stage::EarlyWarning, articles[0], from_awareness(case, owed, length("early_warning"))),
        of(Stage::Notification, articles[1], from_awareness(case, owed, length("notification"))),
        of(Stage::Final, articles[2], unless_owed(owed, last)),
    ]
}

fn after(span: Span, event: Option<Moment>, rule: impl FnOnce(Moment) -> DueRule, waiting: Waiting) -> Due {
    event.map_or_else(|| Due::waits(waiting), |at| Due::at(span.after(at), rule(at)))
}
