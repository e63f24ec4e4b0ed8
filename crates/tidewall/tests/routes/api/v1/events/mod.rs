//! `GET /api/v1/events`: every write to a record and what else happened, in the order of the commits.

mod besides;
mod mirror;
mod stream;

use serde_json::Value;
use testkit::Client;

pub(super) const EVENTS: &str = "/api/v1/events";

/// Every event behind a cursor, and the cursor behind them.
async fn all_after(client: &Client, cursor: Option<&str>) -> (Vec<Value>, String) {
    let (mut events, mut cursor) = (Vec::new(), cursor.map(str::to_owned));
    loop {
        let after = cursor.as_ref().map(|cursor| format!("&after={cursor}")).unwrap_or_default();
        let page = client.get(&format!("{EVENTS}?limit=100{after}")).await.expect(200).json();
        events.extend(page["data"].as_array().unwrap().iter().cloned());
        let next = page["meta"]["next_cursor"].as_str().unwrap().to_owned();
        if page["meta"]["more"] == false {
            return (events, next);
        }
        cursor = Some(next);
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}
