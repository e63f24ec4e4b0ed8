//! Facts parsed and printed, and all violations.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::wording::{Language, Sentence};

fn changed(change: impl Into<Json>) -> Result<Facts, Violations> {
    Facts::default().changed(change.into().as_object().unwrap())
}

fn complaint(change: impl Into<Json>) -> String {
    changed(change).unwrap_err().to_string()
}

#[test]
fn every_fact_is_known_by_its_name_and_survives_being_kept() {
    let change: Json = serde_json::from_str(
        r#"{
        "clients_affected": 12, "clients_total": 100, "counterparts_affected": 1, "counterparts_total": 3,
        "transactions_affected": 500, "transactions_daily_average": 20, "amount_affected": 1250,
        "amount_daily_average": 99, "relevant_client": true, "reputation": ["media", "media", "complaints"],
        "duration_estimate_minutes": 90, "downtime_minutes": 45, "member_states": ["DE", "NO"], "data_loss": true,
        "data_loss_kinds": ["integrity"], "malicious_access": false, "access_may_lose_data": false,
        "critical_services": true, "critical_function": true, "costs": {"staff": 5, "advisory": 0}, "recoveries": 1,
        "provider_type": "cloud", "scheduled_maintenance": false, "direct_loss": 7, "annual_turnover": 8,
        "trade_secrets": false, "death": false, "health_damage": false, "disruptive_access": true,
        "unavailable_minutes": 1, "unavailable_week_minutes": 2, "unavailable_users": 3, "limited_minutes": 4,
        "limited_users": 5, "users_total": 6, "response_millis": 7, "slow_minutes": 8, "data_compromised": true,
        "data_compromised_maliciously": false, "compromised_users": 1, "minor_misconfiguration": true,
        "physical_access": false, "severe_disruption": true, "considerable_damage": false,
        "interim_requested_at": "2026-11-14T07:00:00Z", "personal_data": true,
        "personal_risk": "high", "persons_protected": false, "exploited_vulnerability": true,
        "product_security": true, "product_malicious_code": false, "corrective_measure_at": "2026-11-14T08:00:00Z",
        "costs_estimate": 9, "client_interests_affected": true, "recipients_affected": false, "users_impacted": true,
        "cra_interim_requested_at": "2026-11-14T09:00:00Z", "aware_at_dora": "2026-11-14T10:00:00Z",
        "aware_at_nis2": "2026-11-14T11:00:00Z", "aware_at_gdpr": "2026-11-14T12:00:00Z",
        "aware_at_cra": "2026-11-14T13:00:00Z", "threat_could_affect": true, "threat_high_probability": false,
        "threat_critical_services": true, "threat_clients": false, "threat_geography": true,
        "threat_reputation": false, "threat_duration": true, "threat_data_losses": false, "threat_costs": true,
        "currency": "SEK", "euro_rate": "0.09"
    }"#,
    )
    .unwrap();
    assert_eq!(change.as_object().unwrap().len(), Facts::NAMES.len());
    let facts = changed(change).unwrap();
    let kept = facts.to_json();
    assert_eq!(Facts::default().changed(kept.as_object().unwrap()).unwrap(), facts);
    assert_eq!(kept["reputation"], json!(["media", "complaints"]));
    assert_eq!(kept["costs"]["forgone_revenue"], Json::Null);
    let unknown = Facts::default().to_json();
    assert_eq!(Facts::default().changed(unknown.as_object().unwrap()).unwrap(), Facts::default());
}

#[test]
fn what_is_not_named_stays_and_null_makes_it_unknown() {
    let facts = changed(json!({"clients_affected": 5, "data_loss": true})).unwrap();
    let later =
        facts.changed(json!({"data_loss": null, "downtime_minutes": 3}).as_object().unwrap()).unwrap();
    assert_eq!(
        (later.dora.clients_affected, later.dora.data_loss, later.dora.downtime_minutes),
        (Some(5), None, Some(3))
    );
}

#[test]
fn wrong_facts_are_refused_by_name() {
    for (change, expected) in [
        (json!({"clients_affected": -1}), "facts.clients_affected must not be negative"),
        (json!({"clients_affected": 1.5}), "facts.clients_affected must be a whole number"),
        (json!({"clients_affected": "many"}), "facts.clients_affected must be a whole number"),
        (
            json!({"clients_affected": 2_000_000_000_000_u64}),
            "facts.clients_affected must be at most 1000000000000",
        ),
        (
            json!({"clients_affected": 11, "clients_total": 10}),
            "facts.clients_affected must not be more than clients_total (10): correct one of the two",
        ),
        (
            json!({"limited_users": 11, "users_total": 10}),
            "facts.limited_users must not be more than users_total (10): correct one of the two",
        ),
        (
            json!({"member_states": ["DE", "CH"]}),
            "facts.member_states item 2 names CH, which is no state of the European Economic Area: the threshold counts Member States only",
        ),
        (
            json!({"costs": {"staff": {"amount": 5, "currency": "USD"}}}),
            "facts.costs staff must be in EUR, like every amount of this incident: convert it, or change the currency of all",
        ),
        (json!({"costs": {"staff": -5}}), "facts.costs staff must not be negative"),
        (
            json!({"costs": {"insurance": 5}}),
            "facts.costs insurance must be one of expropriated, replacement, staff, contract_fees, redress, forgone_revenue, communication, advisory",
        ),
        (
            json!({"euro_rate": "0.9"}),
            "facts.euro_rate is only for amounts in another currency than the euro: leave it out",
        ),
        (
            json!({"critical_function": true, "critical_services": false}),
            "facts.critical_function cannot be true while critical_services is false: a service that supports a critical or important function is critical",
        ),
        (
            json!({"data_loss": false, "data_loss_kinds": ["integrity"]}),
            "facts.data_loss_kinds names what happened to data although data_loss is false: clear one of the two",
        ),
        (
            json!({"reputation": ["gossip"]}),
            "facts.reputation item 1 must be one of media, complaints, regulatory, loss_of_clients",
        ),
        (json!({"weather": 1}), "facts.weather is no fact of an incident"),
        (
            json!({"currency": "DOGE"}),
            "facts.currency must be a currency as three capital letters of ISO 4217, like EUR",
        ),
    ] {
        assert_eq!(complaint(change), expected);
    }
    let more = IncidentComplaint::MoreThanAll { whole: Word::of(Fact::ClientsTotal), all: 10 };
    assert_eq!(
        more.text(Language::German),
        "darf nicht größer sein als „Kunden des betroffenen Dienstes“ (10): bitte einen der beiden Werte berichtigen"
    );
}

#[test]
fn another_currency_forgets_the_amounts_of_the_old_one() {
    let facts = changed(json!({"costs": {"staff": 500}, "amount_affected": 7})).unwrap();
    let sek = facts.changed(json!({"currency": "SEK", "amount_affected": 9}).as_object().unwrap()).unwrap();
    assert_eq!((sek.dora.amount_affected, sek.dora.costs), (Some(9), Costs::default()));
}

proptest! {
    /// Arbitrary input never panics; accepted facts can be stored and parsed again.
    #[test]
    fn odd_input_never_panics_and_accepted_facts_survive(
        place in 0..Facts::NAMES.len(),
        json in prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<u64>().prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            ".{0,12}".prop_map(Json::from),
            Just(json!([])), Just(json!([null])), Just(json!({})), Just(json!({"amount": 1})),
            Just(json!({"staff": {"amount": 1, "currency": "EUR"}})),
        ],
    ) {
        let change = Map::from_iter([(Facts::NAMES[place].to_owned(), json)]);
        if let Ok(facts) = Facts::default().changed(&change) {
            let kept = facts.to_json();
            prop_assert_eq!(Facts::default().changed(kept.as_object().unwrap()), Ok(facts));
        }
    }
}
