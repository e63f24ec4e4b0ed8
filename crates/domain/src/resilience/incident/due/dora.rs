//! The three reports of DORA Art. 19(4): Delegated Regulation (EU) 2025/301, Art. 5.

use crate::{
    clock::{Clock, Clocks},
    moment::Moment,
};

use super::{
    Case, Due, DueReport, Stage, clock,
    rule::{DueRule, NotOwed, Waiting},
};
use crate::incident::{
    Met,
    words::{Fact, Regime},
};

const REGIME: Regime = Regime::Dora;

pub(super) fn reports(case: &Case<'_>, clocks: &Clocks) -> Vec<DueReport> {
    let of = |stage, article, due| DueReport::new(case, REGIME, stage, article, due);
    let update = unless_reclassified(case, Stage::IntermediateUpdate, update(case));
    let intermediate = unless_reclassified(case, Stage::Intermediate, intermediate(case, clocks));
    let last = unless_reclassified(case, Stage::Final, last(case, clocks));
    let clients = unless_reclassified(case, Stage::Communication, clients(case));
    let reclassified = case.reclassified_at.map(|at| {
        let due = Due::Promptly { rule: DueRule::OnReclassification { at } };
        of(Stage::Reclassified, "2025/302 Art. 5", due)
    });
    let regular = [
        of(Stage::Initial, "2025/301 Art. 5(1)(a), (2)", initial(case, clocks)),
        of(Stage::Intermediate, "2025/301 Art. 5(1)(b)", intermediate),
        DueReport::filed(
            case,
            REGIME,
            Stage::IntermediateUpdate,
            "2025/301 Art. 5(1)(b)",
            update,
            updated_at(case),
        ),
        of(Stage::Final, "2025/301 Art. 5(1)(c)", last),
        of(Stage::Communication, "2022/2554 Art. 19(3)", clients),
    ];
    regular.into_iter().chain(reclassified).collect()
}

/// Reports that were not sent before the reclassification as not major are no longer required.
fn unless_reclassified(case: &Case<'_>, stage: Stage, due: Due) -> Due {
    if case.reclassified_at.is_some() && case.first(REGIME, stage).is_none() {
        return Due::NotOwed(NotOwed::Reclassified);
    }
    due
}

/// What prevents the clocks from starting: facts, or a pending classification by a person.
fn before_classification(case: &Case<'_>, at_latest: Option<Moment>) -> Due {
    match case.classification.notifiable(REGIME) {
        Met::Yes => Due::Waits { waiting: Waiting::Classification, at_latest },
        Met::Unknown => Due::Waits { waiting: Waiting::Facts, at_latest },
        Met::No => Due::NotOwed(NotOwed::NotNotifiable),
    }
}

/// Four hours after the classification and no later than 24 hours after awareness; after a late classification four
/// hours alone.
fn initial(case: &Case<'_>, clocks: &Clocks) -> Due {
    let Some(in_time) = clock(clocks, REGIME, "major_incident", "initial_notification") else {
        return Due::NotOwed(NotOwed::NoClock);
    };
    let aware = case.aware_at(REGIME);
    let outer = in_time.cap.as_ref().map(|cap| cap.duration.after(aware));
    if case.reclassified_at.is_some() {
        return Due::NotOwed(NotOwed::Reclassified);
    }
    let Some(classified) = case.major_since else {
        let still_ahead = outer.filter(|outer| *outer >= case.now);
        return before_classification(case, still_ahead);
    };
    let is_late = outer.is_some_and(|outer| classified > outer);
    let late = clock(clocks, REGIME, "major_incident_classified_late", "initial_notification");
    let (limit, rule) = match (is_late, late, outer, &in_time.cap) {
        (true, Some(late), ..) => {
            let span = late.bound.duration;
            (span.after(classified), DueRule::AfterLateClassification { span, at: classified })
        }
        (_, _, Some(outer), Some(cap)) if outer < in_time.bound.duration.after(classified) => {
            (outer, DueRule::AfterAwarenessAtLatest { span: cap.duration, at: aware })
        }
        _ => {
            let span = in_time.bound.duration;
            (span.after(classified), DueRule::AfterClassification { span, at: classified })
        }
    };
    relieved(case, Stage::Initial, limit, rule)
}

/// 72 hours after the initial notification was sent.
fn intermediate(case: &Case<'_>, clocks: &Clocks) -> Due {
    let Some(clock) = clock(clocks, REGIME, "major_incident", "intermediate_report") else {
        return Due::NotOwed(NotOwed::NoClock);
    };
    match case.first(REGIME, Stage::Initial) {
        Some(at) => {
            after(case, Stage::Intermediate, clock, at, |span, at| DueRule::AfterInitial { span, at })
        }
        None => waits_for(case, Waiting::InitialNotification),
    }
}

/// One month after the intermediate report or its last update was sent.
fn last(case: &Case<'_>, clocks: &Clocks) -> Due {
    let Some(clock) = clock(clocks, REGIME, "major_incident", "final_report") else {
        return Due::NotOwed(NotOwed::NoClock);
    };
    let latest = case.last(REGIME, Stage::Intermediate).max(case.last(REGIME, Stage::IntermediateUpdate));
    match latest {
        Some(at) => after(case, Stage::Final, clock, at, |span, at| DueRule::AfterIntermediate { span, at }),
        None if case.first(REGIME, Stage::Initial).is_none() => waits_for(case, Waiting::InitialNotification),
        None => Due::waits(Waiting::IntermediateReport),
    }
}

/// The update that recovery requires. An intermediate report sent after the recovery already is that update.
fn update(case: &Case<'_>) -> Due {
    if case.first(REGIME, Stage::Intermediate).is_none() {
        return waits_for(case, Waiting::IntermediateReport);
    }
    match case.times.recovered_at {
        None => Due::waits(Waiting::Recovery),
        Some(at) => Due::Promptly { rule: DueRule::OnRecovery { at } },
    }
}

/// Art. 19(3): clients are informed of a major incident that affects their financial interests.
fn clients(case: &Case<'_>) -> Due {
    if case.major_since.is_none() {
        return before_classification(case, None);
    }
    case.communication(REGIME, case.facts.dora.client_interests, Fact::ClientInterests)
}

fn updated_at(case: &Case<'_>) -> Option<Moment> {
    let recovered = case.times.recovered_at?;
    case.filed(REGIME, Stage::Intermediate)
        .chain(case.filed(REGIME, Stage::IntermediateUpdate))
        .filter(|at| *at >= recovered)
        .min()
}

fn waits_for(case: &Case<'_>, waiting: Waiting) -> Due {
    if case.major_since.is_some() { Due::waits(waiting) } else { before_classification(case, None) }
}

fn after(
    case: &Case<'_>,
    stage: Stage,
    clock: &Clock,
    event: Moment,
    rule: impl FnOnce(crate::clock::Span, Moment) -> DueRule,
) -> Due {
    let span = clock.bound.duration;
    relieved(case, stage, case.limit(span, event), rule(span, event))
}

fn relieved(case: &Case<'_>, stage: Stage, limit: Moment, rule: DueRule) -> Due {
    let reported_at = case.first(REGIME, Stage::Initial).unwrap_or(case.now);
    let (at, relief) = case.filer.relieve(stage, limit, reported_at);
    Due::At { at, rule, limit, relief }
}
