//! Facts in requests and in the store: one object in which every fact has a name.
//!
//! A change contains only what it changes; `null` makes a fact unknown again. Amounts are minor units of the
//! incident's currency, or `{"amount", "currency"}` in that same currency.

use std::str::FromStr;

use serde_json::{Map, Value as Json, json};

use crate::{
    change::without_repeats,
    country::Country,
    currency::Currency,
    moment::Moment,
    money::{ExchangeRate, MAX_AMOUNT},
    violation::{Complaint, FieldComplaint, Violations},
    vocabulary::{Vocabulary, Word},
};

use super::{
    complaint::IncidentComplaint,
    facts::{Costs, Facts},
    words::{CostKind, Fact},
};

/// An upper bound of clients or transactions, which keeps every sum within bounds.
pub const MAX_COUNT: u64 = 1_000_000_000_000;
const MAX_ITEMS: usize = 100;

/// Names every fact once, with its field and how it is parsed and printed.
macro_rules! facts {
    ($($name:literal: $read:ident / $write:ident => $($place:ident).+;)*) => {
        impl Facts {
            fn set(&mut self, name: &str, json: &Json) -> Result<(), Complaint> {
                let currency = self.currency;
                match name {
                    $($name => self.$($place).+ = $read(json, currency)?,)*
                    _ => return Err(Complaint::protocol("is no fact of an incident")),
                }
                Ok(())
            }

            /// Every fact by its name; `null` is unknown.
            pub fn to_json(&self) -> Json {
                let mut object = Map::new();
                $(object.insert($name.to_owned(), $write(&self.$($place).+));)*
                object.insert("currency".to_owned(), json!(self.currency.as_str()));
                object.insert("euro_rate".to_owned(), json!(self.euro_rate.map(|rate| rate.to_string())));
                Json::Object(object)
            }

            /// The names of all facts.
            pub const NAMES: &'static [&'static str] = &[$($name,)* "currency", "euro_rate"];
        }
    };
}

facts! {
    "clients_affected": count / plain => dora.clients_affected;
    "clients_total": count / plain => dora.clients_total;
    "counterparts_affected": count / plain => dora.counterparts_affected;
    "counterparts_total": count / plain => dora.counterparts_total;
    "transactions_affected": count / plain => dora.transactions_affected;
    "transactions_daily_average": count / plain => dora.transactions_daily_average;
    "amount_affected": amount / plain => dora.amount_affected;
    "amount_daily_average": amount / plain => dora.amount_daily_average;
    "relevant_client": flag / plain => dora.relevant_client;
    "reputation": words_or_unknown / plain => dora.reputation;
    "duration_estimate_minutes": count / plain => dora.duration_estimate_minutes;
    "downtime_minutes": count / plain => dora.downtime_minutes;
    "member_states": states / codes => dora.member_states;
    "data_loss": flag / plain => dora.data_loss;
    "data_loss_kinds": words / plain => dora.data_loss_kinds;
    "malicious_access": flag / plain => dora.malicious_access;
    "access_may_lose_data": flag / plain => dora.access_may_lose_data;
    "critical_services": flag / plain => dora.critical_services;
    "critical_function": flag / plain => dora.critical_function;
    "costs": costs / costs_json => dora.costs;
    "costs_estimate": amount / plain => dora.costs_estimate;
    "recoveries": amount / plain => dora.recoveries;
    "client_interests_affected": flag / plain => dora.client_interests;
    "provider_type": word / plain => nis2.provider_type;
    "scheduled_maintenance": flag / plain => nis2.scheduled_maintenance;
    "direct_loss": amount / plain => nis2.direct_loss;
    "annual_turnover": amount / plain => nis2.annual_turnover;
    "trade_secrets": flag / plain => nis2.trade_secrets;
    "death": flag / plain => nis2.death;
    "health_damage": flag / plain => nis2.health_damage;
    "disruptive_access": flag / plain => nis2.disruptive_access;
    "unavailable_minutes": count / plain => nis2.unavailable_minutes;
    "unavailable_week_minutes": count / plain => nis2.unavailable_week_minutes;
    "unavailable_users": count / plain => nis2.unavailable_users;
    "limited_minutes": count / plain => nis2.limited_minutes;
    "limited_users": count / plain => nis2.limited_users;
    "users_total": count / plain => nis2.users_total;
    "response_millis": count / plain => nis2.response_millis;
    "slow_minutes": count / plain => nis2.slow_minutes;
    "data_compromised": flag / plain => nis2.data_compromised;
    "data_compromised_maliciously": flag / plain => nis2.data_compromised_maliciously;
    "compromised_users": count / plain => nis2.compromised_users;
    "minor_misconfiguration": flag / plain => nis2.minor_misconfiguration;
    "physical_access": flag / plain => nis2.physical_access;
    "severe_disruption": flag / plain => nis2.severe_disruption;
    "considerable_damage": flag / plain => nis2.considerable_damage;
    "interim_requested_at": moment / plain => nis2.interim_requested_at;
    "recipients_affected": flag / plain => nis2.recipients_affected;
    "personal_data": flag / plain => gdpr.personal_data;
    "personal_risk": word / plain => gdpr.personal_risk;
    "persons_protected": flag / plain => gdpr.persons_protected;
    "exploited_vulnerability": flag / plain => cra.exploited_vulnerability;
    "product_security": flag / plain => cra.product_security;
    "product_malicious_code": flag / plain => cra.product_malicious_code;
    "corrective_measure_at": moment / plain => cra.corrective_measure_at;
    "users_impacted": flag / plain => cra.users_impacted;
    "cra_interim_requested_at": moment / plain => cra.interim_requested_at;
    "aware_at_dora": moment / plain => aware.dora;
    "aware_at_nis2": moment / plain => aware.nis2;
    "aware_at_gdpr": moment / plain => aware.gdpr;
    "aware_at_cra": moment / plain => aware.cra;
    "threat_could_affect": flag / plain => threat.could_affect;
    "threat_high_probability": flag / plain => threat.high_probability;
    "threat_critical_services": flag / plain => threat.could_be_critical;
    "threat_clients": flag / plain => threat.could_meet_clients;
    "threat_geography": flag / plain => threat.could_meet_geography;
    "threat_reputation": flag / plain => threat.could_meet_reputation;
    "threat_duration": flag / plain => threat.could_meet_duration;
    "threat_data_losses": flag / plain => threat.could_meet_data_losses;
    "threat_costs": flag / plain => threat.could_meet_costs;
}

impl Facts {
    /// The facts after a change, or all violations, field by field.
    pub fn changed(&self, change: &Map<String, Json>) -> Result<Self, Violations> {
        let mut facts = self.clone();
        let mut violations = Violations::default();
        let before = facts.currency;
        if let Some(currency) = change.get("currency")
            && let Some(currency) =
                violations.keep("facts.currency", text(currency).and_then(|code| Ok(code.parse()?)))
        {
            facts.currency = currency;
        }
        match change.get("euro_rate") {
            None => {}
            Some(Json::Null) => facts.euro_rate = None,
            Some(rate) => facts.euro_rate = violations.keep("facts.euro_rate", euro_rate(rate)),
        }
        if facts.currency != before {
            // Amounts entered in another currency are not converted, so they become unknown.
            facts.forget_amounts();
        }
        for (name, json) in
            change.iter().filter(|(name, _)| !matches!(name.as_str(), "currency" | "euro_rate"))
        {
            let field = format!("facts.{name}");
            if let Err(complaint) = facts.set(name, json) {
                violations.add(field, complaint);
            }
        }
        facts.contradictions(&mut violations);
        violations.or(Some(facts))
    }

    fn forget_amounts(&mut self) {
        (self.dora.amount_affected, self.dora.amount_daily_average) = (None, None);
        (self.dora.costs, self.dora.recoveries) = (Costs::default(), None);
        self.dora.costs_estimate = None;
        (self.nis2.direct_loss, self.nis2.annual_turnover) = (None, None);
    }

    /// Facts that contradict each other.
    fn contradictions(&self, violations: &mut Violations) {
        let (dora, nis2) = (&self.dora, &self.nis2);
        let parts = [
            (Fact::ClientsAffected, dora.clients_affected, Fact::ClientsTotal, dora.clients_total),
            (
                Fact::CounterpartsAffected,
                dora.counterparts_affected,
                Fact::CounterpartsTotal,
                dora.counterparts_total,
            ),
            (Fact::UnavailableUsers, nis2.unavailable_users, Fact::UsersTotal, nis2.users_total),
            (Fact::LimitedUsers, nis2.limited_users, Fact::UsersTotal, nis2.users_total),
            (Fact::CompromisedUsers, nis2.compromised_users, Fact::UsersTotal, nis2.users_total),
        ];
        for (part, affected, whole, all) in parts {
            if let (Some(affected), Some(all)) = (affected, all)
                && affected > all
            {
                let whole = Word::of(whole);
                violations.add(format!("facts.{part}"), IncidentComplaint::MoreThanAll { whole, all });
            }
        }
        if dora.critical_function == Some(true) && dora.critical_services == Some(false) {
            violations.add("facts.critical_function", IncidentComplaint::FunctionWithoutService);
        }
        if dora.data_loss == Some(false) && !dora.data_loss_kinds.is_empty() {
            violations.add("facts.data_loss_kinds", IncidentComplaint::LossWithoutData);
        }
        if self.currency == Currency::EUR && self.euro_rate.is_some() {
            violations.add("facts.euro_rate", IncidentComplaint::RateForEuro);
        }
    }
}

fn plain(value: &impl serde::Serialize) -> Json {
    json!(value)
}

fn codes<'s>(states: impl Into<Option<&'s Vec<Country>>>) -> Json {
    let states: Option<&Vec<Country>> = states.into();
    json!(states.map(|states| states.iter().map(Country::as_str).collect::<Vec<_>>()))
}

fn costs_json(costs: &Costs) -> Json {
    CostKind::ALL.iter().map(|kind| (kind.as_str().to_owned(), json!(costs.of(*kind)))).collect()
}

fn text(json: &Json) -> Result<&str, Complaint> {
    json.as_str().ok_or_else(|| Complaint::protocol("must be a string"))
}

fn known<T>(json: &Json, read: impl FnOnce(&Json) -> Result<T, Complaint>) -> Result<Option<T>, Complaint> {
    if json.is_null() { Ok(None) } else { read(json).map(Some) }
}

fn whole(json: &Json, most: u64) -> Result<u64, Complaint> {
    match (json.as_u64(), json.as_i64()) {
        (Some(number), _) if number <= most => Ok(number),
        (Some(_), _) => Err(IncidentComplaint::TooLarge { most }.into()),
        (None, Some(_)) => Err(IncidentComplaint::Negative.into()),
        (None, None) => Err(FieldComplaint::NotWhole.into()),
    }
}

fn count(json: &Json, _: Currency) -> Result<Option<u64>, Complaint> {
    known(json, |json| whole(json, MAX_COUNT))
}

fn amount(json: &Json, currency: Currency) -> Result<Option<u64>, Complaint> {
    known(json, |json| {
        let Json::Object(money) = json else { return whole(json, MAX_AMOUNT.unsigned_abs()) };
        let stated = text(money.get("currency").unwrap_or(&Json::Null))?.parse::<Currency>()?;
        if stated != currency {
            return Err(IncidentComplaint::OtherCurrency { expected: currency }.into());
        }
        whole(money.get("amount").unwrap_or(&Json::Null), MAX_AMOUNT.unsigned_abs())
    })
}

fn flag(json: &Json, _: Currency) -> Result<Option<bool>, Complaint> {
    known(json, |json| json.as_bool().ok_or_else(|| Complaint::protocol("must be true or false")))
}

fn moment(json: &Json, _: Currency) -> Result<Option<Moment>, Complaint> {
    known(json, |json| Ok(text(json)?.parse()?))
}

fn word<V: Vocabulary + FromStr>(json: &Json, _: Currency) -> Result<Option<V>, Complaint>
where
    Complaint: From<V::Err>,
{
    known(json, |json| Ok(text(json)?.parse()?))
}

fn list<T: PartialEq>(json: &Json, read: impl Fn(&str) -> Result<T, Complaint>) -> Result<Vec<T>, Complaint> {
    let items = json.as_array().ok_or_else(|| Complaint::protocol("must be a list"))?;
    if items.len() > MAX_ITEMS {
        return Err(FieldComplaint::TooManyItems { most: MAX_ITEMS, found: items.len() }.into());
    }
    let read = |(place, item): (usize, &Json)| {
        text(item).and_then(&read).map_err(|complaint| Complaint::item(place, complaint))
    };
    items.iter().enumerate().map(read).collect::<Result<_, _>>().map(without_repeats)
}

fn words<V: Vocabulary + FromStr>(json: &Json, currency: Currency) -> Result<Vec<V>, Complaint>
where
    Complaint: From<V::Err>,
{
    words_or_unknown(json, currency).map(Option::unwrap_or_default)
}

fn words_or_unknown<V: Vocabulary + FromStr>(json: &Json, _: Currency) -> Result<Option<Vec<V>>, Complaint>
where
    Complaint: From<V::Err>,
{
    known(json, |json| list(json, |word| Ok(word.parse()?)))
}

fn states(json: &Json, _: Currency) -> Result<Option<Vec<Country>>, Complaint> {
    let state = |code: &str| {
        let state: Country = code.parse()?;
        if state.in_eea() {
            Ok(state)
        } else {
            Err(IncidentComplaint::NotAMemberState { code: code.to_owned() }.into())
        }
    };
    known(json, |json| list(json, state))
}

fn costs(json: &Json, currency: Currency) -> Result<Costs, Complaint> {
    let mut costs = Costs::default();
    if json.is_null() {
        return Ok(costs);
    }
    let kinds =
        json.as_object().ok_or_else(|| Complaint::protocol("must be an object with amounts by kind"))?;
    for (kind, json) in kinds {
        let about = |complaint: Complaint| Complaint::about(kind.clone(), complaint);
        let named: CostKind =
            kind.parse().map_err(|unknown: crate::vocabulary::UnknownWord| about(unknown.into()))?;
        costs.set(named, amount(json, currency).map_err(about)?);
    }
    Ok(costs)
}

fn euro_rate(json: &Json) -> Result<ExchangeRate, Complaint> {
    Ok(text(json)?.parse::<ExchangeRate>()?)
}

#[cfg(test)]
#[path = "facts_input_tests.rs"]
mod tests;
