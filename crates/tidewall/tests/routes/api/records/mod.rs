//! One record of each kind as callers see it, from the real catalogue. Prose is shown as `…`, and of a list the first
//! two items, so that editing a text breaks nothing here while a field that changes its name or form does.

mod law;
mod practice;

use serde_json::{Value, json};
use testkit::TestApp;

/// The record without its prose.
fn essence(value: &Value) -> Value {
    match value {
        Value::String(text) if text.contains(char::is_whitespace) => "…".into(),
        Value::Array(items) => items.iter().take(2).map(essence).collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), essence(field))).collect(),
        other => other.clone(),
    }
}

async fn record(path: &str, id: &str) -> Value {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let list = owner.get(&format!("{path}?limit=500")).await.expect(200).data();
    let found = list.as_array().unwrap().iter().find(|record| record["id"] == id);
    essence(found.unwrap_or_else(|| panic!("{id} is not in {path}")))
}

/// What a record that cites DORA rests on.
fn official() -> Value {
    json!({
        "act": "dora",
        "url": "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32022R2554",
        "verified_on": "2026-11-16",
        "grade": "primary"
    })
}
