//! Answers to keys whose scopes let them write a resource but not read it: the id of the record, and nothing of its
//! content. Without this, an empty change would show any record.

use app::authz::Caller;
use axum::{body::Body, response::Response};
use domain::{
    api_key::ApiKey,
    key_limits::{Verb, resource_of},
};
use http::{HeaderValue, Method, header};
use http_body_util::BodyExt as _;
use serde_json::{Map, Value, json};

use crate::{error, respond};

/// What is shown of a new API key: its secret is shown only this once.
const OF_A_KEY: [&str; 5] = ["id", "key", "prefix", "expires_at", "replaces"];

/// Whether the caller may write this resource but not read it.
pub(super) fn is_write_only(method: &Method, path: &str, caller: &Caller) -> bool {
    let limits = caller.limits().filter(|_| !method.is_safe());
    let resource = resource_of(path);
    limits.zip(resource).is_some_and(|(limits, resource)| {
        limits.allows(resource, Verb::Write) && !limits.allows(resource, Verb::Read)
    })
}

/// The response without the content of records. Streams of an import name only its own lines.
pub(super) async fn reduced(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let is_json =
        parts.headers.get(header::CONTENT_TYPE) == Some(&HeaderValue::from_static("application/json"));
    if !parts.status.is_success() || !is_json {
        return Response::from_parts(parts, body);
    }
    let Ok(whole) = body.collect().await else { return error::internal() };
    let whole: Value = serde_json::from_slice(&whole.to_bytes()).unwrap_or_default();
    let kept = json!({ "data": shown(&whole["data"]) });
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(respond::to_json(&kept)))
}

/// Of a record what is needed to find it again; of a result without a record, such as an import, the numbers.
fn shown(data: &Value) -> Value {
    let Value::Object(fields) = data else { return json!({}) };
    let is_key = fields.get("key").and_then(Value::as_str).is_some_and(|key| ApiKey::parse(key).is_some());
    let is_shown = |(name, value): &(&String, &Value)| match name.as_str() {
        "id" => true,
        name if is_key => OF_A_KEY.contains(&name),
        // The secret of an event hook is shown only this once.
        "secret" => value.as_str().is_some_and(|secret| secret.starts_with("whsec_")),
        _ if fields.contains_key("id") => false,
        // The link to a questionnaire is shown only this once.
        "url" => true,
        _ => value.is_u64(),
    };
    let kept = fields.iter().filter(is_shown).map(|(name, value)| (name.clone(), value.clone()));
    Value::Object(kept.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_record_the_id_is_shown_and_of_a_result_its_numbers() {
        let record = json!({ "id": "fnd_1", "title": "Secret", "cvss": 9, "history": [] });
        assert_eq!(shown(&record), json!({ "id": "fnd_1" }));
        assert_eq!(shown(&json!({ "created": 2, "problems": ["x"], "title": "y" })), json!({ "created": 2 }));
        assert_eq!(shown(&json!([{ "id": "fnd_1" }])), json!({}));
        let webhook = json!({ "id": "whk_1", "url": "https://hooks.example/secret", "key": "house" });
        assert_eq!(shown(&webhook), json!({ "id": "whk_1" }));
        let hook = json!({ "id": "evh_1", "secret": "whsec_AA==", "url": "https://hooks.example/secret" });
        assert_eq!(shown(&hook), json!({ "id": "evh_1", "secret": "whsec_AA==" }));
        assert_eq!(shown(&json!({ "id": "fnd_1", "secret": "a title" })), json!({ "id": "fnd_1" }));
    }
}
