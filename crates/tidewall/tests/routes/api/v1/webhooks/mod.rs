mod changes;
mod create;
mod deliveries;
mod list;
mod test;

use serde_json::{Value, json};

pub(super) const PATH: &str = "/api/v1/webhooks";

/// A webhook every rule accepts.
pub(super) fn sample() -> Value {
    json!({
        "name": "ICT risk",
        "channel": "slack",
        "url": "https://hooks.slack.com/services/T000/B000/secret",
        "events": ["finding.created", "deadline.approaching"],
    })
}

/// The sample with one field replaced.
pub(super) fn with(field: &str, value: Value) -> Value {
    let mut body = sample();
    body[field] = value;
    body
}
