//! The known facts of an incident. All of them may be unknown: an incident starts with a time and a guess.

use crate::{country::Country, currency::Currency, moment::Moment, money::ExchangeRate};

use super::{
    met::Met,
    range::Range,
    threat::ThreatFacts,
    words::{CostKind, DataLoss, PersonalRisk, ProviderType, Regime, Reputation},
};

/// When things happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    pub occurred_at: Option<Moment>,
    /// The earliest trace in a log, when the occurrence itself is not known.
    pub logged_at: Option<Moment>,
    pub detected_at: Moment,
    pub aware_at: Moment,
    /// When services were back at the level before the incident.
    pub recovered_at: Option<Moment>,
    pub resolved_at: Option<Moment>,
}

impl Times {
    /// All times set to the moment the incident was noticed.
    #[must_use]
    pub fn noticed(at: Moment) -> Self {
        Self {
            occurred_at: None,
            logged_at: None,
            detected_at: at,
            aware_at: at,
            recovered_at: None,
            resolved_at: None,
        }
    }

    /// The start of the duration: the occurrence, or the earlier of detection and first trace (2024/1772 Art. 3(1);
    /// 2025/302 Annex II, field 3.15).
    pub fn start(&self) -> Moment {
        let traced = self.logged_at.map_or(self.detected_at, |logged| logged.min(self.detected_at));
        self.occurred_at.unwrap_or(traced)
    }
}

/// Costs and losses by kind, gross, in minor units of the facts' currency; `None` is a kind not yet known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Costs(pub [Option<u64>; CostKind::ALL.len()]);

impl Costs {
    pub fn of(&self, kind: CostKind) -> Option<u64> {
        self.0.get(kind as usize).copied().flatten()
    }

    pub fn set(&mut self, kind: CostKind, amount: Option<u64>) {
        if let Some(place) = self.0.get_mut(kind as usize) {
            *place = amount;
        }
    }

    /// All kinds together (Art. 7(4)): at least the known ones.
    pub fn total(&self) -> Range {
        self.0.iter().fold(Range::exactly(0), |sum, kind| sum.plus((*kind).into()))
    }
}

/// The facts for DORA and Delegated Regulation (EU) 2024/1772.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DoraFacts {
    pub clients_affected: Option<u64>,
    pub clients_total: Option<u64>,
    pub counterparts_affected: Option<u64>,
    pub counterparts_total: Option<u64>,
    pub transactions_affected: Option<u64>,
    pub transactions_daily_average: Option<u64>,
    /// In minor units of the facts' currency, like every amount here.
    pub amount_affected: Option<u64>,
    pub amount_daily_average: Option<u64>,
    /// Art. 1(3): a client or counterpart that matters to business objectives or to the market.
    pub relevant_client: Option<bool>,
    /// `None` while nothing was assessed; an empty list means no effect.
    pub reputation: Option<Vec<Reputation>>,
    /// How long the incident is expected to last in all, while it is not resolved (Art. 3(1), third subparagraph).
    pub duration_estimate_minutes: Option<u64>,
    pub downtime_minutes: Option<u64>,
    /// The states of the European Economic Area with an impact, the own one included.
    pub member_states: Option<Vec<Country>>,
    /// Art. 9(5)(a): a loss of data that harms business objectives or regulatory duties.
    pub data_loss: Option<bool>,
    pub data_loss_kinds: Vec<DataLoss>,
    /// Art. 6(c) and 9(5)(b): successful, malicious and unauthorised.
    pub malicious_access: Option<bool>,
    /// Art. 9(5)(b): true unless denied.
    pub access_may_lose_data: Option<bool>,
    /// Art. 6(a) or (b): services that support critical or important functions, or need authorisation.
    pub critical_services: Option<bool>,
    /// Art. 6(a) and 9(3)(b) alone. Follows from `critical_services` unless stated.
    pub critical_function: Option<bool>,
    pub costs: Costs,
    /// What the incident is expected to cost in all (Art. 9(6): "are likely to exceed").
    pub costs_estimate: Option<u64>,
    /// Separate, because recoveries never reduce the costs (Art. 7(1)).
    pub recoveries: Option<u64>,
    /// DORA Art. 19(3): an impact on the financial interests of clients, who are then informed.
    pub client_interests: Option<bool>,
}

/// The facts for NIS2 and Implementing Regulation (EU) 2024/2690.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nis2Facts {
    pub provider_type: Option<ProviderType>,
    pub scheduled_maintenance: Option<bool>,
    /// Caused or possible, in minor units of the facts' currency.
    pub direct_loss: Option<u64>,
    pub annual_turnover: Option<u64>,
    pub trade_secrets: Option<bool>,
    pub death: Option<bool>,
    pub health_damage: Option<bool>,
    pub disruptive_access: Option<bool>,
    pub unavailable_minutes: Option<u64>,
    pub unavailable_week_minutes: Option<u64>,
    pub unavailable_users: Option<u64>,
    pub limited_minutes: Option<u64>,
    pub limited_users: Option<u64>,
    pub users_total: Option<u64>,
    /// Average response time and for how long it was that slow.
    pub response_millis: Option<u64>,
    pub slow_minutes: Option<u64>,
    pub data_compromised: Option<bool>,
    pub data_compromised_maliciously: Option<bool>,
    pub compromised_users: Option<u64>,
    /// 2024/2690 Art. 5(c): fewer than 1,000 domain names and at most 1 % of them, through misconfiguration.
    pub minor_misconfiguration: Option<bool>,
    pub physical_access: Option<bool>,
    /// NIS2 Art. 23(3)(a) and (b), for entities without thresholds of their own.
    pub severe_disruption: Option<bool>,
    pub considerable_damage: Option<bool>,
    /// When the CSIRT or the authority asked for an interim report (NIS2 Art. 23(4)(c)).
    pub interim_requested_at: Option<Moment>,
    /// NIS2 Art. 23(1) and (2): recipients of the services may be affected, who are then informed.
    pub recipients_affected: Option<bool>,
}

/// The facts for the GDPR.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GdprFacts {
    pub personal_data: Option<bool>,
    pub personal_risk: Option<PersonalRisk>,
    /// Art. 34(3)(a) or (b).
    pub persons_protected: Option<bool>,
}

/// The facts for CRA Art. 14, about the institution's own product.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CraFacts {
    pub exploited_vulnerability: Option<bool>,
    pub product_security: Option<bool>,
    pub product_malicious_code: Option<bool>,
    /// When a corrective or mitigating measure became available.
    pub corrective_measure_at: Option<Moment>,
    /// Art. 14(8): users of the product are impacted, who are then informed.
    pub users_impacted: Option<bool>,
    /// When the CSIRT asked for an intermediate report (Art. 14(6)).
    pub interim_requested_at: Option<Moment>,
}

/// When the institution became aware of what one regime is about, where that was not when it became aware of the
/// incident: that personal data are affected is often known later.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Awareness {
    pub dora: Option<Moment>,
    pub nis2: Option<Moment>,
    pub gdpr: Option<Moment>,
    pub cra: Option<Moment>,
}

impl Awareness {
    pub fn of(&self, regime: Regime) -> Option<Moment> {
        match regime {
            Regime::Dora => self.dora,
            Regime::Nis2 => self.nis2,
            Regime::Gdpr => self.gdpr,
            Regime::Cra => self.cra,
        }
    }

    /// The name of its fact.
    pub fn fact(regime: Regime) -> &'static str {
        match regime {
            Regime::Dora => "aware_at_dora",
            Regime::Nis2 => "aware_at_nis2",
            Regime::Gdpr => "aware_at_gdpr",
            Regime::Cra => "aware_at_cra",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub dora: DoraFacts,
    pub nis2: Nis2Facts,
    pub gdpr: GdprFacts,
    pub cra: CraFacts,
    pub aware: Awareness,
    pub threat: ThreatFacts,
    /// The currency of every amount.
    pub currency: Currency,
    /// From `currency` to the euro, in which the thresholds are set.
    pub euro_rate: Option<ExchangeRate>,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            dora: DoraFacts::default(),
            nis2: Nis2Facts::default(),
            gdpr: GdprFacts::default(),
            cra: CraFacts::default(),
            aware: Awareness::default(),
            threat: ThreatFacts::default(),
            currency: Currency::EUR,
            euro_rate: None,
        }
    }
}

impl Facts {
    /// Since when the institution has been aware of what a regime is about.
    pub fn aware_at(&self, regime: Regime, times: &Times) -> Moment {
        self.aware.of(regime).unwrap_or(times.aware_at)
    }

    /// Whether amounts can be compared with a threshold in euro.
    pub fn converts(&self) -> bool {
        self.currency == Currency::EUR || self.euro_rate.is_some()
    }

    /// An amount in euro cents. Zero is zero in every currency; otherwise nothing is known without a rate.
    pub fn in_euro(&self, amount: Range) -> Range {
        let convert = |amount: u64| match (self.currency == Currency::EUR, self.euro_rate) {
            (true, _) => Some(amount),
            (false, _) if amount == 0 => Some(0),
            (false, None) => None,
            (false, Some(rate)) => rate
                .convert(i64::try_from(amount).ok()?, self.currency, Currency::EUR)
                .and_then(|cents| u64::try_from(cents).ok()),
        };
        Range { least: convert(amount.least).unwrap_or(0), most: amount.most.and_then(convert) }
    }
}

/// The duration of an incident in seconds, begun ones counted as full so that anything beyond a limit counts. An
/// unresolved one has lasted at least until now.
pub(super) fn duration(times: &Times, estimate_minutes: Option<u64>, now: Moment) -> Range {
    let seconds = |until| seconds_since_start(times, until);
    let estimate = estimate_minutes.map(|minutes| minutes.saturating_mul(60));
    match (times.resolved_at, estimate) {
        (Some(resolved), _) => Range::exactly(seconds(resolved)),
        (None, Some(estimate)) => Range::exactly(estimate.max(seconds(now))),
        (None, None) => Range::at_least(seconds(now)),
    }
}

fn seconds_since_start(times: &Times, until: Moment) -> u64 {
    let millis = until.millis().saturating_sub(times.start().millis());
    u64::try_from(millis).unwrap_or(0).div_ceil(1000)
}

/// The last moment at which the duration is what it is now; `None` for a resolved incident, whose duration stays.
pub(super) fn duration_lasts_until(
    times: &Times,
    estimate_minutes: Option<u64>,
    now: Moment,
) -> Option<Moment> {
    if times.resolved_at.is_some() {
        return None;
    }
    let estimate = estimate_minutes.map_or(0, |minutes| minutes.saturating_mul(60));
    let seconds = seconds_since_start(times, now).max(estimate);
    Some(times.start().plus_seconds(i64::try_from(seconds).unwrap_or(i64::MAX)))
}

impl DoraFacts {
    /// Art. 9(6): what was incurred, or what it is likely to be in all.
    pub(super) fn expected_costs(&self) -> Range {
        let incurred = self.costs.total();
        self.costs_estimate.map_or(incurred, |estimate| Range::exactly(estimate.max(incurred.least)))
    }

    /// Art. 6(a) and (b). A service that supports a critical or important function is critical.
    pub(super) fn services(&self) -> Met {
        if self.critical_function == Some(true) { Met::Yes } else { self.critical_services.into() }
    }

    /// Art. 6(a), and whether it was only inferred from the affected critical services.
    pub(super) fn function(&self) -> (Met, bool) {
        match self.critical_function {
            Some(stated) => (stated.into(), false),
            None => (self.critical_services.into(), self.critical_services == Some(true)),
        }
    }
}
