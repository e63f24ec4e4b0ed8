//! When an incident is significant under NIS2.
//!
//! For the providers of Implementing Regulation (EU) 2024/2690 its Art. 3 and the article of their kind decide, one
//! condition being enough; for every other essential or important entity the general terms of Directive (EU)
//! 2022/2555 Art. 23(3). Banks report under DORA; these are the thresholds of their suppliers.

use crate::currency::Currency;

use super::{
    facts::{Facts, Nis2Facts},
    met::Met,
    range::Range,
    reason::{Limit, Observed, PerMille, Quantity, Reason, Unit, flag, inexact, needs},
    words::{Criterion, Fact, ProviderType},
};

/// A condition of the article of one kind of provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// Completely unavailable for more than so many minutes.
    Unavailable(u64),
    /// Unavailable for more than so many minutes of a calendar week.
    UnavailableInWeek(u64),
    /// Completely unavailable to more than a share, or a number, of users.
    UnavailableTo(Users),
    /// Limited availability for more than so many minutes.
    Limited(u64),
    LimitedTo(Users),
    LimitedToFor(Users, u64),
    /// Answers take more than so many milliseconds on average, for more than so many minutes.
    Slow(u64, u64),
    Compromised,
    /// Except for the misconfiguration of a few domain names.
    CompromisedBeyondMisconfiguration,
    CompromisedMaliciously,
    CompromisedFor(Users),
    PhysicalAccess,
}

/// A share or a number of users in the Union, whichever is less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Users {
    per_mille: u64,
    number: u64,
}

const MANY: Users = Users { per_mille: 50, number: 1_000_000 };
const HOUR: u64 = 60;
/// EUR 500 000 in cents, or 5 % of the annual turnover.
const LOSS_LIMIT: u64 = 50_000_000;
const LOSS_PER_MILLE: u64 = 50;

type Table = &'static [(&'static str, Condition)];

/// The conditions of Art. 5 to 14 by kind of provider.
fn table(provider: ProviderType) -> Table {
    use Condition as C;
    match provider {
        ProviderType::Dns => &[
            ("2024/2690 Art. 5(a)", C::Unavailable(30)),
            ("2024/2690 Art. 5(b)", C::Slow(10_000, HOUR)),
            ("2024/2690 Art. 5(c)", C::CompromisedBeyondMisconfiguration),
        ],
        ProviderType::TldRegistry => &[
            ("2024/2690 Art. 6(a)", C::Unavailable(0)),
            ("2024/2690 Art. 6(b)", C::Slow(10_000, HOUR)),
            ("2024/2690 Art. 6(c)", C::Compromised),
        ],
        ProviderType::Cloud => &[
            ("2024/2690 Art. 7(a)", C::Unavailable(30)),
            ("2024/2690 Art. 7(b)", C::LimitedToFor(MANY, HOUR)),
            ("2024/2690 Art. 7(c)", C::CompromisedMaliciously),
            ("2024/2690 Art. 7(d)", C::CompromisedFor(MANY)),
        ],
        ProviderType::DataCentre => &[
            ("2024/2690 Art. 8(a)", C::Unavailable(0)),
            ("2024/2690 Art. 8(b)", C::Limited(HOUR)),
            ("2024/2690 Art. 8(c)", C::CompromisedMaliciously),
            ("2024/2690 Art. 8(d)", C::PhysicalAccess),
        ],
        ProviderType::ContentDelivery => &[
            ("2024/2690 Art. 9(a)", C::Unavailable(30)),
            ("2024/2690 Art. 9(b)", C::LimitedToFor(MANY, HOUR)),
            ("2024/2690 Art. 9(c)", C::CompromisedMaliciously),
            ("2024/2690 Art. 9(d)", C::CompromisedFor(MANY)),
        ],
        ProviderType::ManagedService => &[
            ("2024/2690 Art. 10(a)", C::Unavailable(30)),
            ("2024/2690 Art. 10(b)", C::LimitedToFor(MANY, HOUR)),
            ("2024/2690 Art. 10(c)", C::CompromisedMaliciously),
            ("2024/2690 Art. 10(d)", C::CompromisedFor(MANY)),
        ],
        ProviderType::Marketplace => &[
            ("2024/2690 Art. 11(a)", C::UnavailableTo(MANY)),
            ("2024/2690 Art. 11(b)", C::LimitedTo(MANY)),
            ("2024/2690 Art. 11(c)", C::CompromisedMaliciously),
            ("2024/2690 Art. 11(d)", C::CompromisedFor(MANY)),
        ],
        ProviderType::SearchEngine => &[
            ("2024/2690 Art. 12(a)", C::UnavailableTo(MANY)),
            ("2024/2690 Art. 12(b)", C::LimitedTo(MANY)),
            ("2024/2690 Art. 12(c)", C::CompromisedMaliciously),
            ("2024/2690 Art. 12(d)", C::CompromisedFor(MANY)),
        ],
        ProviderType::SocialNetwork => &[
            ("2024/2690 Art. 13(a)", C::UnavailableTo(MANY)),
            ("2024/2690 Art. 13(b)", C::LimitedTo(MANY)),
            ("2024/2690 Art. 13(c)", C::CompromisedMaliciously),
            ("2024/2690 Art. 13(d)", C::CompromisedFor(MANY)),
        ],
        ProviderType::TrustService => &[
            ("2024/2690 Art. 14(a)", C::Unavailable(20)),
            ("2024/2690 Art. 14(b)", C::UnavailableInWeek(HOUR)),
            ("2024/2690 Art. 14(c)", C::LimitedTo(Users { per_mille: 10, number: 200_000 })),
            ("2024/2690 Art. 14(d)", C::PhysicalAccess),
            ("2024/2690 Art. 14(e)", C::CompromisedFor(Users { per_mille: 1, number: 100 })),
        ],
        ProviderType::Other => &[],
    }
}

/// Whether the incident is significant, with a reason per condition.
#[must_use]
pub fn assess(facts: &Facts) -> (Met, Vec<Reason>) {
    let nis2 = &facts.nis2;
    let maintenance = Reason {
        threshold: Limit::Holds,
        ..flag(
            "2024/2690 Art. 3(2)",
            Criterion::Other,
            Fact::ScheduledMaintenance,
            nis2.scheduled_maintenance,
        )
    };
    let Some(provider) = nis2.provider_type else {
        let open = flag("2022/2555 Art. 23(3)", Criterion::Other, Fact::ProviderType, None);
        return (Met::Unknown, vec![open]);
    };
    if provider == ProviderType::Other {
        let reasons = general(nis2);
        return (Met::any(reasons.iter().map(|reason| reason.met)), reasons);
    }
    let mut reasons = common(facts);
    reasons.extend(table(provider).iter().map(|(article, condition)| condition.held(article, nis2)));
    let any = Met::any(reasons.iter().map(|reason| reason.met));
    // Maintenance is never presumed: a missing answer must not delay a warning due within a day.
    let planned = Met::from(nis2.scheduled_maintenance.unwrap_or(false));
    if planned.is_yes() {
        reasons.push(maintenance);
    }
    (any.and(planned.not()), reasons)
}

/// Directive (EU) 2022/2555 Art. 23(3).
fn general(nis2: &Nis2Facts) -> Vec<Reason> {
    vec![
        flag("2022/2555 Art. 23(3)(a)", Criterion::Other, Fact::SevereDisruption, nis2.severe_disruption),
        flag("2022/2555 Art. 23(3)(b)", Criterion::Other, Fact::ConsiderableDamage, nis2.considerable_damage),
    ]
}

/// Art. 3(1)(a) of (EU) 2024/2690: more than EUR 500 000 or 5 % of the turnover, whichever is lower.
pub(super) fn direct_loss(facts: &Facts, loss: Range) -> Reason {
    let euro = facts.in_euro(loss);
    let turnover = Range::from(facts.nis2.annual_turnover);
    let met = euro.more_than(LOSS_LIMIT).or(loss.more_than_share(LOSS_PER_MILLE, turnover));
    let mut open = inexact(&[(Fact::DirectLoss, loss), (Fact::AnnualTurnover, turnover)]);
    if !facts.converts() {
        open.push(Fact::EuroRate);
    }
    Reason {
        article: "2024/2690 Art. 3(1)(a)",
        criterion: Criterion::Other,
        value: Observed::range(loss, Unit::Amount(facts.currency)),
        threshold: Limit::ShareOrNumber {
            share: PerMille(LOSS_PER_MILLE),
            number: Quantity { value: LOSS_LIMIT, unit: Unit::Amount(Currency::EUR) },
        },
        met,
        needs: needs(met, open),
    }
}

/// Art. 3(1) of (EU) 2024/2690, for every listed provider.
fn common(facts: &Facts) -> Vec<Reason> {
    let nis2 = &facts.nis2;
    vec![
        direct_loss(facts, nis2.direct_loss.into()),
        flag("2024/2690 Art. 3(1)(b)", Criterion::Other, Fact::TradeSecrets, nis2.trade_secrets),
        flag("2024/2690 Art. 3(1)(c)", Criterion::Other, Fact::Death, nis2.death),
        flag("2024/2690 Art. 3(1)(d)", Criterion::Other, Fact::HealthDamage, nis2.health_damage),
        flag("2024/2690 Art. 3(1)(e)", Criterion::Other, Fact::DisruptiveAccess, nis2.disruptive_access),
    ]
}

const COUNT: Unit = Unit::Count;

fn minutes(minutes: u64) -> Quantity {
    Quantity { value: minutes.saturating_mul(60), unit: Unit::Seconds }
}

fn time(article: &'static str, fact: Fact, stated: Option<u64>, limit: u64) -> Reason {
    let range = Range::from(stated.map(|minutes| minutes.saturating_mul(60)));
    let met = range.more_than(minutes(limit).value);
    Reason {
        article,
        criterion: Criterion::Other,
        value: Observed::range(range, Unit::Seconds),
        threshold: Limit::MoreThan(minutes(limit)),
        met,
        needs: needs(met, vec![fact]),
    }
}

impl Users {
    fn held(self, article: &'static str, fact: Fact, stated: Option<u64>, total: Option<u64>) -> Reason {
        let (affected, total) = Range::within(stated.into(), total.into());
        let met = affected.more_than(self.number).or(affected.more_than_share(self.per_mille, total));
        Reason {
            article,
            criterion: Criterion::Other,
            value: Observed::share(affected, total, COUNT),
            threshold: Limit::ShareOrNumber {
                share: PerMille(self.per_mille),
                number: Quantity { value: self.number, unit: COUNT },
            },
            met,
            needs: needs(met, inexact(&[(fact, affected), (Fact::UsersTotal, total)])),
        }
    }

    /// The same, and for longer than a time.
    fn held_for(self, article: &'static str, nis2: &Nis2Facts, limit: u64) -> Reason {
        let users = self.held(article, Fact::LimitedUsers, nis2.limited_users, nis2.users_total);
        let long = time(article, Fact::LimitedMinutes, nis2.limited_minutes, limit);
        let met = users.met.and(long.met);
        Reason {
            value: Observed::both(users.value, long.value),
            threshold: Limit::ShareOrNumberFor {
                share: PerMille(self.per_mille),
                number: Quantity { value: self.number, unit: COUNT },
                time: minutes(limit),
            },
            needs: needs(met, [users.needs, long.needs].concat()),
            met,
            article,
            criterion: Criterion::Other,
        }
    }
}

impl Condition {
    fn held(self, article: &'static str, nis2: &Nis2Facts) -> Reason {
        let yes = |fact, stated| flag(article, Criterion::Other, fact, stated);
        match self {
            Self::Unavailable(limit) => {
                time(article, Fact::UnavailableMinutes, nis2.unavailable_minutes, limit)
            }
            Self::UnavailableInWeek(limit) => {
                time(article, Fact::UnavailableWeekMinutes, nis2.unavailable_week_minutes, limit)
            }
            Self::UnavailableTo(users) => {
                users.held(article, Fact::UnavailableUsers, nis2.unavailable_users, nis2.users_total)
            }
            Self::Limited(limit) => time(article, Fact::LimitedMinutes, nis2.limited_minutes, limit),
            Self::LimitedTo(users) => {
                users.held(article, Fact::LimitedUsers, nis2.limited_users, nis2.users_total)
            }
            Self::LimitedToFor(users, limit) => users.held_for(article, nis2, limit),
            Self::Slow(average, limit) => slow(article, nis2, average, limit),
            Self::Compromised => yes(Fact::DataCompromised, nis2.data_compromised),
            Self::CompromisedBeyondMisconfiguration => beyond_misconfiguration(article, nis2),
            Self::CompromisedMaliciously => {
                yes(Fact::DataCompromisedMaliciously, nis2.data_compromised_maliciously)
            }
            Self::CompromisedFor(users) => {
                users.held(article, Fact::CompromisedUsers, nis2.compromised_users, nis2.users_total)
            }
            Self::PhysicalAccess => yes(Fact::PhysicalAccess, nis2.physical_access),
        }
    }
}

fn slow(article: &'static str, nis2: &Nis2Facts, average: u64, limit: u64) -> Reason {
    let (millis, long) =
        (Range::from(nis2.response_millis), time(article, Fact::SlowMinutes, nis2.slow_minutes, limit));
    let met = millis.more_than(average).and(long.met);
    Reason {
        value: Observed::both(Observed::range(millis, Unit::Millis), long.value),
        threshold: Limit::SlowFor {
            average: Quantity { value: average, unit: Unit::Millis },
            time: minutes(limit),
        },
        needs: needs(met, [inexact(&[(Fact::ResponseMillis, millis)]), long.needs].concat()),
        met,
        article,
        criterion: Criterion::Other,
    }
}

fn beyond_misconfiguration(article: &'static str, nis2: &Nis2Facts) -> Reason {
    // The exception has to be claimed; otherwise it does not apply.
    let minor = Met::from(nis2.minor_misconfiguration.unwrap_or(false));
    let met = Met::from(nis2.data_compromised).and(minor.not());
    Reason {
        article,
        criterion: Criterion::Other,
        value: Observed::flag(met),
        threshold: Limit::Holds,
        met,
        needs: needs(met, vec![Fact::DataCompromised]),
    }
}
