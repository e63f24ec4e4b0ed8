mod changes;
mod import;
mod list;
mod versions;

use serde_json::{Value, json};
use testkit::Client;

pub(in crate::routes) const PATH: &str = "/api/v1/ict-arrangements";

/// An arrangement every rule accepts.
pub(in crate::routes) fn sample() -> Value {
    json!({
        "reference": "C-2026-001",
        "provider": {
            "name": "Nordlicht Cloud SE", "lei": "529900D6BF99LW9R2E68", "country": "DE", "sector": "Cloud"
        },
        "service": "Core banking hosting",
        "service_type": "S17",
        "technology": "Kubernetes",
        "region": "Frankfurt",
        "functions": [{ "name": "Payments", "critical": true }, { "name": "Intranet" }],
        "substitutability": "hard",
        "annual_cost": { "amount": 12_500_000, "currency": "EUR" },
        "starts_on": "2026-01-01",
        "ends_on": null,
    })
}

/// The sample with the value at a JSON pointer replaced.
pub(in crate::routes) fn with(pointer: &str, value: Value) -> Value {
    let mut body = sample();
    *body.pointer_mut(pointer).unwrap() = value;
    body
}

/// The sample with another reference, provider and cost.
pub(in crate::routes) fn of(reference: &str, provider: &str, amount: i64) -> Value {
    let mut body = sample();
    body["reference"] = json!(reference);
    body["provider"] = json!({ "name": provider, "country": "DE", "sector": "Cloud" });
    body["annual_cost"]["amount"] = json!(amount);
    body
}

pub(in crate::routes) async fn created(owner: &Client, body: &Value) -> Value {
    owner.post(PATH, body).await.expect(201).data()
}
