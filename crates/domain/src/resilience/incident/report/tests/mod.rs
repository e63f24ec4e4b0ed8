//! Reports filled, checked, carried over and written; the files are also validated by the authorities' schema.

mod file;
mod filling;
mod values;

use serde_json::{Map, Value as Json, json};

use super::*;
use crate::incident::{
    CostKind, Costs, DataLoss, DoraFacts, Facts, Reputation, Times,
    dora::{Measures, assess},
};

const LEI: &str = "529900T8BM49AURSDO55";

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

fn contact(name: &str) -> Contact {
    Contact {
        name: Some(name.to_owned()),
        email: Some("incident@bank.example".to_owned()),
        phone: Some("+49 69 1234567".to_owned()),
    }
}

fn profile() -> Profile {
    Profile {
        name: Some("Example Bank AG".to_owned()),
        code: Some(LEI.to_owned()),
        entity_types: vec![entity_type(crate::entity_kind::EntityKind::CreditInstitution).unwrap()],
        in_group: Some(false),
        primary: contact("A. Sommer"),
        second: contact("Security desk"),
        is_nis2_entity: true,
        ..Profile::default()
    }
}

/// A ransomware attack with all facts.
fn facts() -> Facts {
    let mut costs = Costs([Some(0); 8]);
    costs.set(CostKind::Staff, Some(12_345_678));
    let dora = DoraFacts {
        clients_affected: Some(1_234),
        clients_total: Some(10_000),
        counterparts_affected: Some(0),
        counterparts_total: Some(20),
        transactions_affected: Some(50),
        transactions_daily_average: Some(400),
        amount_affected: Some(250_050),
        amount_daily_average: Some(9_000_000),
        relevant_client: Some(false),
        reputation: Some(vec![Reputation::Media]),
        downtime_minutes: Some(185),
        member_states: Some(vec!["DE".parse().unwrap(), "AT".parse().unwrap()]),
        data_loss: Some(true),
        data_loss_kinds: vec![DataLoss::Confidentiality],
        malicious_access: Some(true),
        critical_services: Some(true),
        costs,
        recoveries: Some(100_000),
        ..DoraFacts::default()
    };
    Facts { dora, ..Facts::default() }
}

fn times() -> Times {
    Times {
        occurred_at: Some(at("2026-11-14T00:30:00Z")),
        logged_at: None,
        detected_at: at("2026-11-14T01:10:00Z"),
        aware_at: at("2026-11-14T01:10:00.250Z"),
        recovered_at: Some(at("2026-11-14T04:15:00Z")),
        resolved_at: Some(at("2026-11-16T00:30:00Z")),
    }
}

struct Story {
    profile: Profile,
    facts: Facts,
    times: Times,
    first_recurrence: Option<Moment>,
}

impl Story {
    fn new() -> Self {
        Self { profile: profile(), facts: facts(), times: times(), first_recurrence: None }
    }

    fn fill(&self, stage: ReportStage, entered: &Json, sent: Option<&Values>) -> Report {
        let assessment = assess(&Measures::of(&self.facts, &self.times, at("2026-11-17T00:00:00Z")));
        let known = Known {
            profile: &self.profile,
            facts: &self.facts,
            times: &self.times,
            assessment: &assessment,
            reference: Some("I-2026-0007"),
            description: Some("Ransomware in the card system."),
            major_since: Some(at("2026-11-14T02:00:00Z")),
            authority_reference: Some("BA-4711"),
            from_provider: Some(false),
            risk_to_critical_functions: Some(false),
            resolvability_affected: Some(false),
            first_recurrence: self.first_recurrence,
        };
        Report::fill(stage, &known, &read(entered), sent)
    }
}

fn read(entered: &Json) -> Values {
    let (values, complaints) = Values::read(entered.as_object().unwrap(), Currency::EUR);
    assert!(complaints.is_empty(), "{complaints:?}");
    values
}

fn entered_first() -> Json {
    json!({"2.7": "monitoring_systems", "2.9": true})
}

fn merged(parts: &[Json]) -> Json {
    let mut all = Map::new();
    for part in parts {
        all.extend(part.as_object().unwrap().clone());
    }
    Json::Object(all)
}

fn entered_second() -> Json {
    merged(&[
        entered_first(),
        json!({
            "3.12": ["actual_figures_for_clients_affected", "no_impact_on_financial_counterparts", "estimates_for_transactions_affected"],
            "3.14": "Two national newspapers.",
            "3.17": "actual_figures",
            "3.18": ["clients"],
            "3.19": "Card payments of Austrian clients failed.",
            "3.21": "Client names were copied.",
            "3.22": "Card payments.",
            "3.23": ["cybersecurity-related"],
            "3.25": ["data_encryption_for_impact_including_ransomware"],
            "3.27": "Payments.",
            "3.28": "yes",
            "3.29": "Two application servers.",
            "3.30": "no",
            "3.31": ["csirt", "other"],
            "3.32": "Deutsche Bundesbank",
            "3.33": true,
            "3.34": "Fallback site.",
            "3.35": "192.0.2.7",
        }),
    ])
}

fn entered_last() -> Json {
    merged(&[
        entered_second(),
        json!({
            "4.1": ["malicious_actions", "process_failure"],
            "4.2": ["malicious_actions_fraudulent_actions", "process_failure_insufficient_or_failure_of_ict_operations_and_ict_security_operations"],
            "4.3": ["vulnerability_and_patch_management"],
            "4.5": "A missing patch.",
            "4.6": "Rebuilt from backups.",
            "4.7": "2026-11-15T10:00:00Z",
            "4.9": "As planned.",
            "4.12": "EUR 123 456.78 in all.",
        }),
    ])
}

fn missing(report: &Report) -> Vec<&'static str> {
    report.missing().map(|field| field.number).collect()
}
