//! The facts in the form of an incident: how each is entered and parsed.

use domain::{
    currency::Currency,
    incident::{CostKind, DataLoss, Facts, PersonalRisk, ProviderType, Regime, Reputation},
    money::Money,
    vocabulary::Vocabulary,
    wording::Label,
};
use serde_json::{Map, Value, json};

use crate::{extract::View, form::Form, texts::incident_fact as texts};

/// How a fact is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Count,
    Amount,
    Flag,
    States,
    Reputation,
    DataLoss,
    Provider,
    Risk,
    Moment,
    Currency,
    Rate,
    Cost(CostKind),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct FactField {
    pub(super) name: &'static str,
    label: Label,
    pub(super) kind: Kind,
}

const fn fact(name: &'static str, label: Label, kind: Kind) -> FactField {
    FactField { name, label, kind }
}

/// A kind of costs, named by the domain.
const fn cost(name: &'static str, kind: CostKind) -> FactField {
    FactField { name, label: texts::GROUP_COSTS, kind: Kind::Cost(kind) }
}

/// Facts under one heading; those of another regime only if it applies.
pub(super) struct Group {
    pub(super) label: Label,
    pub(super) regime: Option<Regime>,
    pub(super) fields: &'static [FactField],
}

pub(super) const GROUPS: &[Group] = &[
    Group {
        label: texts::GROUP_SERVICES,
        regime: None,
        fields: &[
            fact("critical_services", texts::CRITICAL_SERVICES, Kind::Flag),
            fact("critical_function", texts::CRITICAL_FUNCTION, Kind::Flag),
            fact("downtime_minutes", texts::DOWNTIME, Kind::Count),
            fact("duration_estimate_minutes", texts::DURATION_ESTIMATE, Kind::Count),
            fact("member_states", texts::MEMBER_STATES, Kind::States),
        ],
    },
    Group {
        label: texts::GROUP_CLIENTS,
        regime: None,
        fields: &[
            fact("clients_affected", texts::CLIENTS_AFFECTED, Kind::Count),
            fact("clients_total", texts::CLIENTS_TOTAL, Kind::Count),
            fact("counterparts_affected", texts::COUNTERPARTS_AFFECTED, Kind::Count),
            fact("counterparts_total", texts::COUNTERPARTS_TOTAL, Kind::Count),
            fact("transactions_affected", texts::TRANSACTIONS_AFFECTED, Kind::Count),
            fact("transactions_daily_average", texts::TRANSACTIONS_AVERAGE, Kind::Count),
            fact("currency", texts::CURRENCY, Kind::Currency),
            fact("euro_rate", texts::EURO_RATE, Kind::Rate),
            fact("amount_affected", texts::AMOUNT_AFFECTED, Kind::Amount),
            fact("amount_daily_average", texts::AMOUNT_AVERAGE, Kind::Amount),
            fact("relevant_client", texts::RELEVANT_CLIENT, Kind::Flag),
            fact("client_interests_affected", texts::CLIENT_INTERESTS, Kind::Flag),
        ],
    },
    Group {
        label: texts::GROUP_DATA,
        regime: None,
        fields: &[
            fact("malicious_access", texts::MALICIOUS_ACCESS, Kind::Flag),
            fact("access_may_lose_data", texts::ACCESS_MAY_LOSE, Kind::Flag),
            fact("data_loss", texts::DATA_LOSS, Kind::Flag),
            fact("data_loss_kinds", texts::DATA_LOSS_KINDS, Kind::DataLoss),
            fact("reputation", texts::REPUTATION, Kind::Reputation),
        ],
    },
    Group {
        label: texts::GROUP_COSTS,
        regime: None,
        fields: &[
            cost("costs.expropriated", CostKind::Expropriated),
            cost("costs.replacement", CostKind::Replacement),
            cost("costs.staff", CostKind::Staff),
            cost("costs.contract_fees", CostKind::ContractFees),
            cost("costs.redress", CostKind::Redress),
            cost("costs.forgone_revenue", CostKind::ForgoneRevenue),
            cost("costs.communication", CostKind::Communication),
            cost("costs.advisory", CostKind::Advisory),
            fact("costs_estimate", texts::COSTS_ESTIMATE, Kind::Amount),
            fact("recoveries", texts::RECOVERIES, Kind::Amount),
        ],
    },
    Group {
        label: texts::GROUP_NIS2,
        regime: Some(Regime::Nis2),
        fields: &[
            fact("provider_type", texts::PROVIDER_TYPE, Kind::Provider),
            fact("scheduled_maintenance", texts::SCHEDULED, Kind::Flag),
            fact("direct_loss", texts::DIRECT_LOSS, Kind::Amount),
            fact("annual_turnover", texts::TURNOVER, Kind::Amount),
            fact("trade_secrets", texts::TRADE_SECRETS, Kind::Flag),
            fact("death", texts::DEATH, Kind::Flag),
            fact("health_damage", texts::HEALTH, Kind::Flag),
            fact("disruptive_access", texts::DISRUPTIVE, Kind::Flag),
            fact("unavailable_minutes", texts::UNAVAILABLE, Kind::Count),
            fact("unavailable_week_minutes", texts::UNAVAILABLE_WEEK, Kind::Count),
            fact("unavailable_users", texts::UNAVAILABLE_USERS, Kind::Count),
            fact("limited_minutes", texts::LIMITED, Kind::Count),
            fact("limited_users", texts::LIMITED_USERS, Kind::Count),
            fact("users_total", texts::USERS_TOTAL, Kind::Count),
            fact("response_millis", texts::RESPONSE, Kind::Count),
            fact("slow_minutes", texts::SLOW, Kind::Count),
            fact("data_compromised", texts::COMPROMISED, Kind::Flag),
            fact("data_compromised_maliciously", texts::COMPROMISED_MALICIOUSLY, Kind::Flag),
            fact("compromised_users", texts::COMPROMISED_USERS, Kind::Count),
            fact("minor_misconfiguration", texts::MISCONFIGURATION, Kind::Flag),
            fact("physical_access", texts::PHYSICAL, Kind::Flag),
            fact("severe_disruption", texts::SEVERE, Kind::Flag),
            fact("considerable_damage", texts::DAMAGE, Kind::Flag),
            fact("interim_requested_at", texts::INTERIM_REQUESTED, Kind::Moment),
            fact("recipients_affected", texts::RECIPIENTS_AFFECTED, Kind::Flag),
            fact("aware_at_nis2", texts::AWARE_NIS2, Kind::Moment),
        ],
    },
    Group {
        label: texts::GROUP_GDPR,
        regime: Some(Regime::Gdpr),
        fields: &[
            fact("personal_data", texts::PERSONAL_DATA, Kind::Flag),
            fact("personal_risk", texts::PERSONAL_RISK, Kind::Risk),
            fact("persons_protected", texts::PROTECTED, Kind::Flag),
            fact("aware_at_gdpr", texts::AWARE_GDPR, Kind::Moment),
        ],
    },
    Group {
        label: texts::GROUP_CRA,
        regime: Some(Regime::Cra),
        fields: &[
            fact("exploited_vulnerability", texts::EXPLOITED, Kind::Flag),
            fact("product_security", texts::PRODUCT_SECURITY, Kind::Flag),
            fact("product_malicious_code", texts::MALICIOUS_CODE, Kind::Flag),
            fact("corrective_measure_at", texts::MEASURE_AT, Kind::Moment),
            fact("users_impacted", texts::USERS_IMPACTED, Kind::Flag),
            fact("cra_interim_requested_at", texts::CRA_INTERIM_REQUESTED, Kind::Moment),
            fact("aware_at_cra", texts::AWARE_CRA, Kind::Moment),
        ],
    },
    Group {
        label: texts::GROUP_AWARE,
        regime: Some(Regime::Dora),
        fields: &[fact("aware_at_dora", texts::AWARE_DORA, Kind::Moment)],
    },
    Group {
        label: texts::GROUP_THREAT,
        regime: Some(Regime::Dora),
        fields: &[
            fact("threat_could_affect", texts::THREAT_COULD_AFFECT, Kind::Flag),
            fact("threat_high_probability", texts::THREAT_PROBABILITY, Kind::Flag),
            fact("threat_critical_services", texts::THREAT_CRITICAL, Kind::Flag),
            fact("threat_clients", texts::THREAT_CLIENTS, Kind::Flag),
            fact("threat_geography", texts::THREAT_GEOGRAPHY, Kind::Flag),
            fact("threat_reputation", texts::THREAT_REPUTATION, Kind::Flag),
            fact("threat_duration", texts::THREAT_DURATION, Kind::Flag),
            fact("threat_data_losses", texts::THREAT_DATA, Kind::Flag),
            fact("threat_costs", texts::THREAT_COSTS, Kind::Flag),
        ],
    },
];

/// The groups for an incident under these regimes.
pub(super) fn groups(regimes: &[Regime]) -> impl Iterator<Item = &'static Group> {
    GROUPS.iter().filter(|group| group.regime.is_none_or(|regime| regimes.contains(&regime)))
}

/// The label of a fact in the form and the history.
pub(in crate::pages) fn label_of(name: &str) -> Option<Label> {
    GROUPS.iter().flat_map(|group| group.fields).find(|field| field.name == name).map(FactField::label)
}

/// The labels of the form's fields in error messages.
pub(super) fn names() -> Vec<(String, Label)> {
    let all = GROUPS.iter().flat_map(|group| group.fields);
    all.map(|field| (field.input(), field.label())).collect()
}

/// The name of the answer "none of them".
pub(super) const NONE: &str = "none";

/// The words of a fact with several answers, for boxes.
pub(super) fn words(kind: Kind) -> Vec<(&'static str, Label)> {
    fn all<V: Vocabulary>() -> Vec<(&'static str, Label)> {
        V::ALL.iter().map(|word| (word.as_str(), word.label())).collect()
    }
    match kind {
        Kind::Reputation => all::<Reputation>(),
        Kind::DataLoss => all::<DataLoss>(),
        Kind::Provider => all::<ProviderType>(),
        Kind::Risk => all::<PersonalRisk>(),
        _ => Vec::new(),
    }
}

impl FactField {
    pub(super) fn label(&self) -> Label {
        match self.kind {
            Kind::Cost(kind) => kind.label(),
            _ => self.label,
        }
    }

    /// The name of its field in the form.
    pub(super) fn input(&self) -> String {
        format!("facts.{}", self.name)
    }

    /// The field with the fact's value when the form was rendered.
    pub(super) fn before(&self) -> String {
        format!("was.{}", self.name)
    }

    /// The fact as shown in the form; empty when it is unknown. Several answers are joined.
    pub(super) fn value_text(&self, view: &View, facts: &Facts) -> String {
        let json = facts.to_json();
        let value = match self.kind {
            Kind::Cost(kind) => &json["costs"][kind.as_str()],
            _ => &json[self.name],
        };
        match (self.kind, value) {
            (_, Value::Null | Value::Object(_)) => String::new(),
            (_, Value::Bool(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
            (Kind::Amount | Kind::Cost(_), Value::Number(number)) => {
                let amount = number.as_i64().unwrap_or_default();
                major(view, Money { amount, currency: facts.currency })
            }
            (_, Value::Number(number)) => number.to_string(),
            (Kind::Reputation, Value::Array(items)) if items.is_empty() => NONE.to_owned(),
            (_, Value::Array(items)) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            (Kind::Moment, Value::String(text)) => {
                text.parse().map(|at| view.zone.field(at)).unwrap_or_default()
            }
            (_, Value::String(text)) => text.clone(),
        }
    }

    /// The submitted value, in the same format.
    pub(super) fn entered(&self, form: &Form) -> String {
        let name = self.input();
        match self.kind {
            Kind::Reputation | Kind::DataLoss => form.all(&name).collect::<Vec<_>>().join(", "),
            _ => form.value(&name).trim().to_owned(),
        }
    }

    /// Whether the form contains the fact. Boxes that are not ticked are not sent.
    fn is_sent(&self, form: &Form) -> bool {
        let is_boxes = matches!(self.kind, Kind::Reputation | Kind::DataLoss);
        form.is_checked(&self.before()) && (is_boxes || form.is_checked(&self.input()))
    }

    /// The change as domain input. A violation found here is kept in the form.
    pub(super) fn read(&self, view: &View, form: &mut Form, currency: Currency) -> Option<Value> {
        let text = self.entered(form);
        if text.is_empty() {
            return Some(Value::Null);
        }
        match self.kind {
            Kind::Flag => Some(json!(text == "yes")),
            Kind::Count => Some(count(&text)),
            Kind::Amount | Kind::Cost(_) => match Money::parse_written(&text, currency, form.language()) {
                Ok(money) => Some(json!(money.amount)),
                Err(error) => {
                    form.complain(&self.input(), error);
                    None
                }
            },
            Kind::States => Some(listed(&text.to_uppercase())),
            Kind::Reputation if text == NONE => Some(json!([])),
            Kind::DataLoss | Kind::Reputation => Some(listed(&text)),
            Kind::Moment => match view.zone.read(&text) {
                Ok(at) => Some(json!(at)),
                Err(error) => {
                    form.complain(&self.input(), error);
                    None
                }
            },
            Kind::Provider | Kind::Risk | Kind::Rate => Some(json!(text)),
            Kind::Currency => Some(json!(text.to_uppercase())),
        }
    }
}

/// A number with optional separators between groups of three digits; anything else is left to the domain to refuse.
fn count(text: &str) -> Value {
    let mut groups = text.split(['.', ',', ' ', '\u{a0}', '’']);
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    let is_grouped = rest.iter().all(|group| group.len() == 3);
    let plain = format!("{first}{}", rest.concat());
    let number = plain.parse::<i64>().ok().filter(|_| is_grouped);
    number.map_or_else(|| json!(text), |number| json!(number))
}

fn listed(text: &str) -> Value {
    let items = text.split([',', ' ', '\n']).map(str::trim).filter(|item| !item.is_empty() && *item != NONE);
    items.map(|item| json!(item)).collect()
}

/// An amount in the reader's notation, without the currency.
fn major(view: &View, money: Money) -> String {
    let value_text = domain::format::money(view.language, money);
    value_text.replace(money.currency.as_str(), "").trim_matches(|sign: char| sign.is_whitespace()).to_owned()
}

/// The changed facts as one change. Costs are one fact, so all kinds are sent when one changes.
pub(super) fn changes(view: &View, form: &mut Form, facts: &Facts, regimes: &[Regime]) -> Map<String, Value> {
    let currency = form.value("facts.currency").trim().to_uppercase().parse().unwrap_or(facts.currency);
    let mut changes = Map::new();
    let mut costs = facts.to_json()["costs"].clone();
    for field in groups(regimes).flat_map(|group| group.fields) {
        if !field.is_sent(form) || field.entered(form) == form.value(&field.before()) {
            continue;
        }
        let Some(value) = field.read(view, form, currency) else { continue };
        match field.kind {
            Kind::Cost(kind) => {
                costs[kind.as_str()] = value;
                changes.insert("costs".to_owned(), costs.clone());
            }
            _ => {
                changes.insert(field.name.to_owned(), value);
            }
        }
    }
    changes
}

/// The facts that another user changed while the form was filled in, with their current values.
pub(super) fn overtaken(
    view: &View,
    form: &Form,
    facts: &Facts,
    regimes: &[Regime],
) -> Vec<(&'static FactField, String)> {
    groups(regimes)
        .flat_map(|group| group.fields)
        .filter_map(|field| {
            let (before, entered) = (form.value(&field.before()), field.entered(form));
            let now = field.value_text(view, facts);
            let is_mine = field.is_sent(form) && entered != before;
            (is_mine && now != before && now != entered).then_some((field, now))
        })
        .collect()
}
