//! The reports of NIS2 Art. 23(4), GDPR Art. 33 and 34 and CRA Art. 14.

use crate::{
    clock::{Clock, Clocks, Span},
    moment::Moment,
};

use super::{
    Case, Due, DueReport, Stage, clock,
    rule::{DueRule, NotOwed, Waiting},
};
use crate::incident::{
    Met,
    words::{Fact, ProviderType, Regime},
};

/// A stage that starts at awareness once the facts require it.
fn from_awareness(case: &Case<'_>, regime: Regime, notifiable: Met, span: Option<Span>) -> Due {
    let at = case.aware_at(regime);
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
    let is_trust_service = case.facts.nis2.provider_type == Some(ProviderType::TrustService);
    let (kind, article) = if is_trust_service {
        ("trust_service_incident", "2022/2555 Art. 23(4), second subparagraph")
    } else {
        ("significant_incident", "2022/2555 Art. 23(4)(b)")
    };
    let of = |stage, article, due| DueReport::new(case, regime, stage, article, due);
    let asked = case.facts.nis2.interim_requested_at;
    let recipients =
        || case.communication(regime, case.facts.nis2.recipients_affected, Fact::RecipientsAffected);
    let (progress, last) = nis2_end(case, clocks);
    let warning = length("significant_incident", "early_warning");
    vec![
        of(Stage::EarlyWarning, "2022/2555 Art. 23(4)(a)", from_awareness(case, regime, owed, warning)),
        of(Stage::Notification, article, from_awareness(case, regime, owed, length(kind, "notification"))),
        DueReport::filed(
            case,
            regime,
            Stage::Interim,
            "2022/2555 Art. 23(4)(c)",
            unless_owed(owed, || interim(asked)),
            case.answered(regime, asked),
        ),
        of(Stage::Progress, "2022/2555 Art. 23(4)(e)", unless_owed(owed, || progress)),
        of(Stage::Final, "2022/2555 Art. 23(4)(d), (e)", unless_owed(owed, || last)),
        of(Stage::Communication, "2022/2555 Art. 23(1), (2)", unless_owed(owed, recipients)),
    ]
}

/// A report that is owed only at the request of the CSIRT or authority.
fn interim(asked: Option<Moment>) -> Due {
    match asked {
        Some(at) => Due::Promptly { rule: DueRule::OnRequest { at } },
        None => Due::waits(Waiting::Request),
    }
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
    let month = case.limit(span, notified);
    let at_month = || Due::at(month, DueRule::AfterNotification { span, at: notified });
    match case.times.resolved_at {
        Some(resolved) if resolved <= month => (Due::NotOwed(NotOwed::FinalInstead), at_month()),
        None if case.now < month => (Due::waits(Waiting::StillOngoing { at: month }), at_month()),
        None => (at_month(), Due::waits(Waiting::Handling)),
        Some(at) => {
            let span = ongoing.bound.duration;
            (at_month(), Due::at(case.limit(span, at), DueRule::AfterHandling { span, at }))
        }
    }
}

pub(super) fn gdpr(case: &Case<'_>, clocks: &Clocks) -> Vec<DueReport> {
    let regime = Regime::Gdpr;
    let owed = case.classification.notifiable(regime);
    let communication = match case.classification.gdpr.as_ref().map_or(Met::No, |gdpr| gdpr.communication) {
        Met::Yes => Due::Promptly { rule: DueRule::WithoutDelay { at: case.aware_at(regime) } },
        Met::Unknown => Due::waits(Waiting::Facts),
        Met::No => Due::NotOwed(NotOwed::NoHighRisk),
    };
    let clock = clock(clocks, regime, "personal_data_breach", "notification");
    let notification = from_awareness(case, regime, owed, clock.map(|clock| clock.bound.duration));
    vec![
        DueReport::new(case, regime, Stage::Notification, "2016/679 Art. 33(1)", notification),
        DueReport::new(case, regime, Stage::Communication, "2016/679 Art. 34(1)", communication),
    ]
}

/// The kinds of cases of CRA Art. 14, as the catalogue names them.
const VULNERABILITY: &str = "exploited_vulnerability";
const INCIDENT: &str = "severe_incident";

/// An event of both kinds has two duties, Art. 14(1) and (3): their early warnings and notifications are due at the same
/// time and are sent as one, and each has a final report of its own.
pub(super) fn cra(case: &Case<'_>, clocks: &Clocks) -> Vec<DueReport> {
    let regime = Regime::Cra;
    let owed = case.classification.notifiable(regime);
    let event = case.classification.cra.as_ref();
    let is_vulnerability = event.is_some_and(|event| event.exploited_vulnerability.is_yes());
    let is_both = is_vulnerability && event.is_some_and(|event| event.severe_incident.is_yes());
    let (kind, articles) = match (is_vulnerability, is_both) {
        (_, true) => (VULNERABILITY, ["2024/2847 Art. 14(2)(a), (4)(a)", "2024/2847 Art. 14(2)(b), (4)(b)"]),
        (true, false) => (VULNERABILITY, ["2024/2847 Art. 14(2)(a)", "2024/2847 Art. 14(2)(b)"]),
        (false, false) => (INCIDENT, ["2024/2847 Art. 14(4)(a)", "2024/2847 Art. 14(4)(b)"]),
    };
    let length = |stage| clock(clocks, regime, kind, stage).map(|clock| clock.bound.duration);
    let at_report = |stage, due| {
        let is_kept_there = case.has_cra_report && case.first(regime, stage).is_none();
        if is_kept_there { Due::NotOwed(NotOwed::AtCraReport) } else { due }
    };
    let of = |stage, article, due| DueReport::new(case, regime, stage, article, at_report(stage, due));
    let (asked, facts) = (case.facts.cra.interim_requested_at, &case.facts.cra);
    let users = || case.communication(regime, facts.users_impacted, Fact::UsersImpacted);
    let last = if is_vulnerability {
        of(Stage::Final, "2024/2847 Art. 14(2)(c)", unless_owed(owed, || after_measure(case, clocks)))
    } else {
        of(Stage::Final, "2024/2847 Art. 14(4)(c)", unless_owed(owed, || after_notification(case, clocks)))
    };
    let second = is_both.then(|| {
        let due = after_notification(case, clocks);
        DueReport::new(case, regime, Stage::FinalIncident, "2024/2847 Art. 14(4)(c)", due)
    });
    let (warning, notification) = (length("early_warning"), length("notification"));
    let mut reports = vec![
        of(Stage::EarlyWarning, articles[0], from_awareness(case, regime, owed, warning)),
        of(Stage::Notification, articles[1], from_awareness(case, regime, owed, notification)),
        DueReport::filed(
            case,
            regime,
            Stage::Interim,
            "2024/2847 Art. 14(6)",
            at_report(Stage::Interim, unless_owed(owed, || interim(asked))),
            case.answered(regime, asked),
        ),
        last,
    ];
    reports.extend(second);
    let due = unless_owed(owed, users);
    reports.push(DueReport::new(case, regime, Stage::Communication, "2024/2847 Art. 14(8)", due));
    reports
}

/// The final report on a vulnerability.
fn after_measure(case: &Case<'_>, clocks: &Clocks) -> Due {
    let rule = |span, at| DueRule::AfterMeasure { span, at };
    let event = (case.facts.cra.corrective_measure_at, Waiting::Measure);
    after(case, clock(clocks, Regime::Cra, VULNERABILITY, "final_report"), event, rule)
}

/// The final report on an incident.
fn after_notification(case: &Case<'_>, clocks: &Clocks) -> Due {
    let rule = |span, at| DueRule::AfterNotification { span, at };
    let event = (case.first(Regime::Cra, Stage::Notification), Waiting::Notification);
    after(case, clock(clocks, Regime::Cra, INCIDENT, "final_report"), event, rule)
}

fn after(
    case: &Case<'_>,
    clock: Option<&Clock>,
    (event, waiting): (Option<Moment>, Waiting),
    rule: impl FnOnce(Span, Moment) -> DueRule,
) -> Due {
    match (clock, event) {
        (None, _) => Due::NotOwed(NotOwed::NoClock),
        (Some(_), None) => Due::waits(waiting),
        (Some(clock), Some(at)) => {
            let span = clock.bound.duration;
            Due::at(case.limit(span, at), rule(span, at))
        }
    }
}
