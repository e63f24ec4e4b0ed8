//! Any text in a parameter, a field, a path or a header of any documented operation is accepted or refused, never
//! with a 5xx, and stored text is returned as it was sent.

use std::collections::HashMap;

use axum::body::Body;
use http::{HeaderValue, Method, Request};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp, odd_texts, percent_encoded};

use super::{matrix::IMPORTED, openapi::operations, probe};
use crate::faults::{figure, rounds};

/// Headers that some operation reads.
const HEADERS: &[&str] = &[
    "idempotency-key",
    "if-match",
    "if-none-match",
    "accept-language",
    "accept-encoding",
    "x-request-id",
    "prefer",
    "origin",
    "x-api-key",
    "content-type",
];

/// Sends texts from an endless list, a few at each place.
struct Sender {
    client: Client,
    each: usize,
    sent: usize,
    /// A record of each kind, by its collection.
    ids: HashMap<&'static str, String>,
}

impl Sender {
    fn texts(&mut self) -> Vec<String> {
        let start = self.sent;
        self.sent += self.each;
        odd_texts(start, self.each).collect()
    }

    async fn send(&self, method: &str, path: &str, body: Option<String>, what: &str) -> Answer {
        let answer = self.client.send(method.parse::<Method>().unwrap(), path, body).await;
        let status = answer.status.as_u16();
        assert!(status < 500, "{method} {path} {what}: {answer}");
        answer
    }

    /// The path with ids of existing records, as far as there are any.
    fn address(&self, path: &str) -> String {
        let prefix = path.split("/{").next().unwrap();
        let id = self.ids.get(prefix).map_or("x", String::as_str);
        let parts = path.split('/').scan(true, |is_first, part| {
            let is_parameter = part.starts_with('{');
            let filled = if !is_parameter {
                part
            } else if *is_first {
                id
            } else {
                "x"
            };
            *is_first &= !is_parameter;
            Some(filled.to_owned())
        });
        parts.collect::<Vec<_>>().join("/")
    }

    async fn try_parameters(&mut self, method: &str, path: &str, operation: &Value) {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            let body = (method != "GET").then(|| "{}".to_owned());
            for text in self.texts() {
                let query = format!("{}?{name}={}", self.address(path), percent_encoded(&text));
                // The listener refuses longer addresses before any route sees them.
                if query.len() < 60_000 {
                    self.send(method, &query, body.clone(), &format!("{name}={text:?}")).await;
                }
            }
        }
    }

    async fn try_paths(&mut self, method: &str, path: &str) {
        if !path.contains('{') {
            return;
        }
        let body = ["POST", "PUT", "PATCH"].contains(&method).then(|| "{}".to_owned());
        for text in self.texts() {
            let text = percent_encoded(&text);
            let parts = path.split('/').map(|part| if part.starts_with('{') { &*text } else { part });
            let address = parts.collect::<Vec<_>>().join("/");
            if address.len() < 60_000 {
                self.send(method, &address, body.clone(), "in the path").await;
            }
        }
    }

    async fn try_headers(&mut self, method: &str, path: &str) {
        let address = self.address(path);
        for (name, text) in HEADERS.iter().zip(odd_texts(self.sent, HEADERS.len())) {
            let Ok(value) = HeaderValue::from_bytes(text.as_bytes()) else { continue };
            let request = Request::builder().method(method).uri(&address).header(*name, value);
            let answer = self.client.request(request.body(Body::from("{}")).unwrap()).await;
            assert!(answer.status.as_u16() < 500, "{method} {path} {name}: {text:?}: {answer}");
        }
        self.sent += HEADERS.len();
    }

    /// Every text field of the body, one after the other, the rest as in a sample of the record.
    async fn try_fields(&mut self, method: &str, path: &str, operation: &Value, document: &Value) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let mut places = Vec::new();
        text_fields(document, schema, &mut Vec::new(), &mut places);
        let address = self.address(path);
        let sample = if method == "POST" { self.sample(path) } else { json!({}) };
        for place in places {
            for text in self.texts() {
                let mut body = sample.clone();
                put(&mut body, &place, &text);
                let what = format!("{}={text:?}", place.join("."));
                let answer = self.send(method, &address, Some(body.to_string()), &what).await;
                self.comes_back(path, &place, &text, &answer).await;
                // The same with an escape of an unpaired surrogate.
                let broken = body.to_string().replace(&json!(text).to_string(), "\"\\ud800\"");
                self.send(method, &address, Some(broken), "an unpaired surrogate").await;
            }
        }
    }

    fn sample(&self, path: &str) -> Value {
        let samples = probe::samples();
        let sample = samples.into_iter().find(|(collection, _)| *collection == path);
        let mut body = sample.map_or(json!({}), |(_, body)| body);
        for value in body.as_object_mut().unwrap().values_mut() {
            if let Some(id) = value.as_str().and_then(|text| text.strip_prefix('$')) {
                *value = json!(self.ids[id]);
            }
        }
        body
    }

    /// The stored text is the sent one, in the response and when it is read again.
    async fn comes_back(&self, path: &str, place: &[String], text: &str, answer: &Answer) {
        if !answer.status.is_success() || answer.body.is_empty() {
            return;
        }
        // The filters of a view are a query: a name without a value says nothing and is left out.
        if path.starts_with("/api/v1/views") && *place == ["filters"] {
            return;
        }
        // A request for evidence has a text of its own beside the one of its answer.
        let pointer = match path.strip_suffix("/answer") {
            Some(_) => "/data/answer".to_owned(),
            None => format!("/data/{}", place.join("/")),
        };
        let output = answer.json();
        let Some(stored) = output.pointer(&pointer).and_then(Value::as_str) else { return };
        // A term that records are grouped by has single spaces; nothing else about a text is changed.
        let term = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(stored == text || stored == term, "{path} {pointer}: {stored:?} of {text:?}");
        let id = output["data"]["id"].as_str().unwrap_or("x");
        let again = self.client.get(&format!("{}/{id}", path.split("/{").next().unwrap())).await;
        if again.status == 200 {
            assert_eq!(again.json().pointer(&pointer), output.pointer(&pointer), "{path} {pointer}");
        }
    }
}

/// The paths of all texts in a body. A list is represented by its first item.
fn text_fields(document: &Value, schema: &Value, at: &mut Vec<String>, places: &mut Vec<Vec<String>>) {
    let schema = match schema["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => schema,
    };
    if at.len() > 6 {
        return;
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        for inner in schema[choice].as_array().into_iter().flatten() {
            text_fields(document, inner, at, places);
        }
    }
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if kinds.contains(&"string") && !at.is_empty() && !places.contains(at) {
        places.push(at.clone());
    }
    if schema["items"].is_object() {
        at.push("0".to_owned());
        text_fields(document, &schema["items"], at, places);
        at.pop();
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        at.push(name.clone());
        text_fields(document, inner, at, places);
        at.pop();
    }
}

/// Puts a text at a place, with everything around it that is missing.
fn put(value: &mut Value, place: &[String], text: &str) {
    let Some((name, rest)) = place.split_first() else {
        *value = json!(text);
        return;
    };
    if name == "0" {
        if !value.is_array() {
            *value = json!([null]);
        }
        let items = value.as_array_mut().unwrap();
        items.truncate(1);
        items.resize(1, Value::Null);
        put(&mut items[0], rest, text);
    } else {
        if !value.is_object() {
            *value = json!({});
        }
        put(&mut value[name.as_str()], rest, text);
    }
}

/// Comments, watches, tags, bulk changes and imports are the same code for every kind of record: findings stand for
/// all, and for imports, which findings have of their own, controls.
fn is_same_for_all(path: &str) -> bool {
    let shared = ["/comments", "/watch", "/tags", "/bulk"];
    let imported = path.strip_suffix("/import").filter(|list| IMPORTED.contains(list));
    (shared.iter().any(|end| path.ends_with(end)) && !path.starts_with("/api/v1/findings/"))
        || imported.is_some_and(|list| list != "/api/v1/controls")
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_text_in_any_operation_is_an_error_of_the_service(engine: Engine) {
    let document = serde_json::to_value(api::docs::openapi()).unwrap();
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let ids = probe::fill(&client).await.into_iter().collect();
    let mut sender = Sender { client, each: rounds(1, 40), sent: 0, ids };
    for (method, path, operation) in operations() {
        // A revoked key or deleted record would end the sequence for later ones.
        if method == "DELETE" || is_same_for_all(&path) {
            continue;
        }
        sender.try_parameters(&method, &path, &operation).await;
        sender.try_paths(&method, &path).await;
        sender.try_fields(&method, &path, &operation, &document).await;
        sender.try_headers(&method, &path).await;
    }
    figure(format_args!("{engine:?}: {} texts", sender.sent));
    assert!(sender.sent > 500, "{} texts are too few", sender.sent);
}
