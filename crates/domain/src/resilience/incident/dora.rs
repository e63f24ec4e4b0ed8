//! When an incident is major under DORA: Delegated Regulation (EU) 2024/1772, Art. 6, 8 and 9.
//!
//! An incident is major if it affects critical services and either includes a successful malicious access (9(5)(b))
//! or meets the thresholds of two or more of the criteria of Art. 9(1) to (6). Three interpretations are ours, because
//! the text leaves them open: the points of one paragraph of Art. 9 count as one threshold; an access that did lead to
//! losses of data still counts under 9(5)(b), because otherwise it would weigh less than one that only might; and the
//! own Member State is one of the two of 9(4), although Art. 4 assesses the impact in other Member States.

use crate::{country::Country, currency::Currency, moment::Moment, vocabulary::Word, wording::sentences};

use super::{
    facts::{Facts, Times, duration},
    met::Met,
    range::Range,
    reason::{Limit, Observed, PerMille, Quantity, Reason, Unit, flag, inexact, needs},
    words::{Criterion, Fact, Outcome, Reputation},
};

/// EUR 100 000 in cents (9(6)).
const COSTS_LIMIT: u64 = 10_000_000;
const CLIENTS_LIMIT: u64 = 100_000;
const DURATION_LIMIT: u64 = 24 * 3600;
const DOWNTIME_LIMIT: u64 = 2 * 3600;
const STATES_LIMIT: u64 = 2;
/// How many thresholds make an incident major (8(1)(b)).
const THRESHOLDS: usize = 2;

/// The facts of one incident, or of several together, for the thresholds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measures {
    pub clients: (Range, Range),
    pub counterparts: (Range, Range),
    pub transactions: (Range, Range),
    /// Minor units of `currency`.
    pub amount: (Range, Range),
    pub currency: Currency,
    pub relevant_client: Met,
    pub reputation: Option<Vec<Reputation>>,
    pub duration: Range,
    pub downtime: Range,
    /// Art. 9(3)(b), and whether it was only inferred.
    pub function: (Met, bool),
    /// The states known to be affected, and whether these are all.
    pub states: (Vec<Country>, bool),
    pub data_loss: Met,
    pub access: Met,
    /// `None` counts as true.
    pub access_may_lose_data: Option<bool>,
    pub services: Met,
    /// Euro cents.
    pub costs: Range,
    /// Without a rate, costs in another currency cannot be compared with a limit in euro.
    pub rate_missing: bool,
}

impl Measures {
    #[must_use]
    pub fn of(facts: &Facts, times: &Times, now: Moment) -> Self {
        let dora = &facts.dora;
        let seconds = |minutes: u64| minutes.saturating_mul(60);
        Self {
            clients: Range::within(dora.clients_affected.into(), dora.clients_total.into()),
            counterparts: Range::within(dora.counterparts_affected.into(), dora.counterparts_total.into()),
            transactions: (dora.transactions_affected.into(), dora.transactions_daily_average.into()),
            amount: (dora.amount_affected.into(), dora.amount_daily_average.into()),
            currency: facts.currency,
            relevant_client: dora.relevant_client.into(),
            reputation: dora.reputation.clone(),
            duration: duration(times, dora.duration_estimate_minutes, now),
            downtime: dora.downtime_minutes.map(seconds).into(),
            function: dora.function(),
            states: (dora.member_states.clone().unwrap_or_default(), dora.member_states.is_some()),
            data_loss: dora.data_loss.into(),
            access: dora.malicious_access.into(),
            access_may_lose_data: dora.access_may_lose_data,
            services: dora.services(),
            costs: facts.in_euro(dora.expected_costs()),
            rate_missing: !facts.converts(),
        }
    }
}

/// The assessment of an incident against the thresholds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    pub outcome: Outcome,
    pub verdict: Verdict,
    pub reasons: Vec<Reason>,
}

impl Assessment {
    /// Whether the threshold of a criterion is met, by any of its conditions.
    pub fn criterion(&self, criterion: Criterion) -> Met {
        Met::any(self.reasons.iter().filter(|reason| reason.criterion == criterion).map(|reason| reason.met))
    }

    /// The criteria that are met, as field 2.5 of the report lists them.
    pub fn criteria(&self) -> Vec<Criterion> {
        Criterion::ALL.iter().copied().filter(|criterion| self.criterion(*criterion).is_yes()).collect()
    }

    /// The facts that would decide criteria which are still open.
    pub fn needs(&self) -> Vec<Fact> {
        if self.outcome != Outcome::Undetermined {
            return Vec::new();
        }
        let mut needs: Vec<Fact> = Vec::new();
        for reason in self.reasons.iter().filter(|reason| self.criterion(reason.criterion).is_unknown()) {
            for fact in &reason.needs {
                if !needs.contains(fact) {
                    needs.push(*fact);
                }
            }
        }
        needs
    }
}

sentences! {
    /// The result as a sentence.
    Verdict {
        ByAccess =
            "major: critical services are affected and there was a successful malicious access that may lead to data losses (2024/1772 Art. 8(1)(a))",
            "schwerwiegend: Kritische Dienste sind betroffen und es gab einen erfolgreichen böswilligen Zugriff, der zu Datenverlusten führen kann (2024/1772 Art. 8 Abs. 1 Buchst. a)";
        ByThresholds { met: usize } =
            "major: critical services are affected and {met} of the thresholds are met; two are enough (2024/1772 Art. 8(1)(b))",
            "schwerwiegend: Kritische Dienste sind betroffen und {met} der Schwellen sind erreicht; zwei genügen (2024/1772 Art. 8 Abs. 1 Buchst. b)";
        NotCritical =
            "not major: no critical services are affected (2024/1772 Art. 8(1))",
            "nicht schwerwiegend: Kritische Dienste sind nicht betroffen (2024/1772 Art. 8 Abs. 1)";
        TooFew { met: usize } =
            "not major: fewer than two thresholds are met ({met}) and there was no malicious access that may lead to data losses (2024/1772 Art. 8(1))",
            "nicht schwerwiegend: Weniger als zwei Schwellen sind erreicht ({met}) und es gab keinen böswilligen Zugriff, der zu Datenverlusten führen kann (2024/1772 Art. 8 Abs. 1)";
        Open { met: usize } =
            "undetermined: thresholds met so far: {met}; open facts may still change the result",
            "noch offen: bisher erreichte Schwellen: {met}; offene Angaben können das Ergebnis noch ändern";
    }
}

/// Compares the measures with every threshold.
#[must_use]
pub fn assess(measures: &Measures) -> Assessment {
    let mut reasons = critical_services(measures);
    reasons.extend(clients(measures));
    reasons.push(reputation(measures));
    reasons.extend(durations(measures));
    reasons.push(states(measures));
    let access = malicious_access(measures);
    let loss =
        flag("2024/1772 Art. 9(5)(a)", Criterion::DataLosses, Fact::DataLoss, measures.data_loss.known());
    let by_access = access.met;
    let by_loss = loss.met;
    reasons.extend([loss, access, costs(measures)]);
    let mut assessment =
        Assessment { outcome: Outcome::Undetermined, verdict: Verdict::NotCritical, reasons };
    let critical = assessment.criterion(Criterion::CriticalServices);
    let groups = [
        assessment.criterion(Criterion::Clients),
        assessment.criterion(Criterion::Reputation),
        assessment.criterion(Criterion::Duration),
        assessment.criterion(Criterion::Geography),
        by_loss,
        assessment.criterion(Criterion::EconomicImpact),
    ];
    let met = groups.iter().filter(|group| group.is_yes()).count();
    let thresholds = Met::at_least(THRESHOLDS, &groups);
    (assessment.outcome, assessment.verdict) = match critical.and(by_access.or(thresholds)) {
        Met::Yes if by_access.is_yes() => (Outcome::Major, Verdict::ByAccess),
        Met::Yes => (Outcome::Major, Verdict::ByThresholds { met }),
        Met::No if critical == Met::No => (Outcome::NotMajor, Verdict::NotCritical),
        Met::No => (Outcome::NotMajor, Verdict::TooFew { met }),
        Met::Unknown => (Outcome::Undetermined, Verdict::Open { met }),
    };
    assessment
}

fn critical_services(measures: &Measures) -> Vec<Reason> {
    vec![
        flag(
            "2024/1772 Art. 6(a), (b)",
            Criterion::CriticalServices,
            Fact::CriticalServices,
            measures.services.known(),
        ),
        flag(
            "2024/1772 Art. 6(c)",
            Criterion::CriticalServices,
            Fact::MaliciousAccess,
            measures.access.known(),
        ),
    ]
}

fn share(
    article: &'static str,
    (part, whole): (Range, Range),
    per_mille: u64,
    unit: Unit,
    facts: [Fact; 2],
) -> Reason {
    let met = part.more_than_share(per_mille, whole);
    Reason {
        article,
        criterion: Criterion::Clients,
        value: Observed::share(part, whole, unit),
        threshold: Limit::MoreThanShare { share: PerMille(per_mille) },
        met,
        needs: needs(met, inexact(&[(facts[0], part), (facts[1], whole)])),
    }
}

/// Art. 9(1).
fn clients(measures: &Measures) -> Vec<Reason> {
    let (affected, _) = measures.clients;
    let many = affected.more_than(CLIENTS_LIMIT);
    let money = Unit::Amount(measures.currency);
    vec![
        share(
            "2024/1772 Art. 9(1)(a)",
            measures.clients,
            100,
            Unit::Count,
            [Fact::ClientsAffected, Fact::ClientsTotal],
        ),
        Reason {
            article: "2024/1772 Art. 9(1)(b)",
            criterion: Criterion::Clients,
            value: Observed::range(affected, Unit::Count),
            threshold: Limit::MoreThan(Quantity { value: CLIENTS_LIMIT, unit: Unit::Count }),
            met: many,
            needs: needs(many, vec![Fact::ClientsAffected]),
        },
        share(
            "2024/1772 Art. 9(1)(c)",
            measures.counterparts,
            300,
            Unit::Count,
            [Fact::CounterpartsAffected, Fact::CounterpartsTotal],
        ),
        share(
            "2024/1772 Art. 9(1)(d)",
            measures.transactions,
            100,
            Unit::Count,
            [Fact::TransactionsAffected, Fact::TransactionsDailyAverage],
        ),
        share(
            "2024/1772 Art. 9(1)(e)",
            measures.amount,
            100,
            money,
            [Fact::AmountAffected, Fact::AmountDailyAverage],
        ),
        flag(
            "2024/1772 Art. 9(1)(f)",
            Criterion::Clients,
            Fact::RelevantClient,
            measures.relevant_client.known(),
        ),
    ]
}

/// Art. 9(2) with Art. 2(1).
fn reputation(measures: &Measures) -> Reason {
    let effects = measures.reputation.as_deref();
    let met = Met::from(effects.map(|effects| !effects.is_empty()));
    Reason {
        article: "2024/1772 Art. 9(2), Art. 2(1)",
        criterion: Criterion::Reputation,
        value: Observed::effects(effects),
        threshold: Limit::Any,
        met,
        needs: needs(met, vec![Fact::Reputation]),
    }
}

/// Art. 9(3).
fn durations(measures: &Measures) -> [Reason; 2] {
    let long = measures.duration.more_than(DURATION_LIMIT);
    let down = measures.downtime.more_than(DOWNTIME_LIMIT);
    let (function, concluded) = measures.function;
    let met = down.and(function);
    let supports = if concluded {
        Observed::Concluded { from: Word::of(Fact::CriticalServices) }
    } else {
        Observed::flag(function)
    };
    let mut open = inexact(&[(Fact::DowntimeMinutes, measures.downtime)]);
    if function.is_unknown() {
        open.push(Fact::CriticalFunction);
    }
    [
        Reason {
            article: "2024/1772 Art. 9(3)(a)",
            criterion: Criterion::Duration,
            value: Observed::range(measures.duration, Unit::Seconds),
            threshold: Limit::MoreThan(Quantity { value: DURATION_LIMIT, unit: Unit::Seconds }),
            met: long,
            needs: needs(long, vec![Fact::ResolvedAt]),
        },
        Reason {
            article: "2024/1772 Art. 9(3)(b)",
            criterion: Criterion::Duration,
            value: Observed::both(Observed::range(measures.downtime, Unit::Seconds), supports),
            threshold: Limit::MoreThan(Quantity { value: DOWNTIME_LIMIT, unit: Unit::Seconds }),
            met,
            needs: needs(met, open),
        },
    ]
}

/// Art. 9(4).
fn states(measures: &Measures) -> Reason {
    let (states, complete) = &measures.states;
    let known = u64::try_from(states.len()).unwrap_or(u64::MAX);
    let count = if *complete { Range::exactly(known) } else { Range::at_least(known) };
    let met = count.at_least_met(STATES_LIMIT);
    Reason {
        article: "2024/1772 Art. 9(4)",
        criterion: Criterion::Geography,
        value: Observed::range(count, Unit::Count),
        threshold: Limit::AtLeast(Quantity { value: STATES_LIMIT, unit: Unit::Count }),
        met,
        needs: needs(met, vec![Fact::MemberStates]),
    }
}

/// Art. 9(5)(b).
fn malicious_access(measures: &Measures) -> Reason {
    let met = measures.access.and(measures.access_may_lose_data.unwrap_or(true).into());
    let value = match (measures.access, measures.access_may_lose_data) {
        (Met::Yes, None) => Observed::Concluded { from: Word::of(Fact::MaliciousAccess) },
        _ => Observed::flag(met),
    };
    Reason {
        article: "2024/1772 Art. 9(5)(b)",
        criterion: Criterion::DataLosses,
        value,
        threshold: Limit::Holds,
        met,
        needs: needs(met, vec![Fact::MaliciousAccess]),
    }
}

/// Art. 9(6) with Art. 7.
fn costs(measures: &Measures) -> Reason {
    let met = measures.costs.more_than(COSTS_LIMIT);
    let euro = Unit::Amount(Currency::EUR);
    let fact = if measures.rate_missing { Fact::EuroRate } else { Fact::Costs };
    Reason {
        article: "2024/1772 Art. 9(6)",
        criterion: Criterion::EconomicImpact,
        value: Observed::range(measures.costs, euro),
        threshold: Limit::MoreThan(Quantity { value: COSTS_LIMIT, unit: euro }),
        met,
        needs: needs(met, vec![fact]),
    }
}
