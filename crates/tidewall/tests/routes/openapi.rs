//! The OpenAPI document: committed, current, and complete.

use std::collections::BTreeSet;

use serde_json::Value;
use testkit::TestApp;

#[test]
fn the_committed_document_is_the_one_the_code_makes() {
    let committed = include_str!("../../../../openapi/tidewall.json");
    let current = serde_json::to_string_pretty(&api::docs::openapi()).unwrap() + "\n";
    assert!(committed == current, "run: cargo run -- openapi > openapi/tidewall.json");
}

#[tokio::test]
async fn the_served_document_is_the_same() {
    let app = TestApp::new().await;
    let served = app.anonymous().get("/api/openapi.json").await.expect(200).json();
    assert_eq!(served, document());
    assert_eq!(served["openapi"], "3.1.0");
}

fn document() -> Value {
    serde_json::to_value(api::docs::openapi()).unwrap()
}

#[test]
fn operations_have_names_of_their_own_one_tag_and_a_summary() {
    let tags: Vec<Value> =
        document()["tags"].as_array().unwrap().iter().map(|tag| tag["name"].clone()).collect();
    let mut names = BTreeSet::new();
    for (method, path, operation) in operations() {
        let name = operation["operationId"].as_str().unwrap().to_owned();
        assert!(names.insert(name.clone()), "{name} names two operations, one is {method} {path}");
        let [tag] = &operation["tags"].as_array().unwrap()[..] else {
            panic!("{method} {path} needs one tag")
        };
        assert!(
            tags.contains(tag),
            "{method} {path} has the tag {tag}, which neither a subject of v1 nor docs/tags.rs describes"
        );
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert!(
            !summary.is_empty() && !summary.contains('\n'),
            "{method} {path} needs a summary of one line"
        );
    }
}

/// Generators of clients make no operation whose only bodies are CSV, ZIP or XLSX.
#[test]
fn every_operation_that_reads_a_file_also_takes_plain_bytes() {
    let mut files = 0;
    for (method, path, operation) in operations() {
        let Some(content) = operation["requestBody"]["content"].as_object() else { continue };
        let kinds = ["text/csv", "application/octet-stream"];
        let is_file = |kind: &String| kinds.contains(&kind.as_str()) || kind.contains("spreadsheetml");
        if content.keys().any(is_file) {
            files += 1;
            assert!(content.contains_key("application/octet-stream"), "{method} {path}");
        }
    }
    assert!(files >= 6, "only {files} operations read files");
}

#[test]
fn every_answer_and_every_parameter_is_described() {
    let shared = document()["components"].clone();
    for (method, path, operation) in operations() {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let described = response["description"].is_string() || response["$ref"].is_string();
            assert!(described, "{method} {path} does not describe {status}");
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = match parameter["$ref"].as_str() {
                Some(reference) => &shared["parameters"][reference.rsplit('/').next().unwrap()],
                None => parameter,
            };
            assert!(parameter["description"].is_string(), "{method} {path}: {parameter}");
        }
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_described() {
    let document = document();
    let mut waiting = vec![&document];
    while let Some(value) = waiting.pop() {
        if let Some(reference) = value["$ref"].as_str() {
            let target = document.pointer(reference.trim_start_matches('#'));
            assert!(target.is_some(), "{reference} does not exist");
        }
        match value {
            Value::Object(members) => waiting.extend(members.values()),
            Value::Array(items) => waiting.extend(items),
            _ => {}
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(schema["description"].is_string(), "{name} needs a description");
    }
}

/// Generated clients name a class after every schema; copies would become separate classes.
#[test]
fn errors_and_records_stand_by_reference() {
    let document = document();
    for (method, path, operation) in operations() {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let is_shared = response["$ref"].is_string();
            let own = ["422", "503"].contains(&status.as_str());
            assert!(is_shared || own || status.starts_with('2'), "{method} {path} repeats {status}");
            for content in response["content"].as_object().into_iter().flat_map(|all| all.values()) {
                let schema = &content["schema"];
                assert!(schema["$ref"].is_string() || schema["type"] == "string", "{method} {path} {status}");
            }
        }
    }
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["FindingList"]["properties"]["data"]["items"]["$ref"], "#/components/schemas/Finding");
}

#[test]
fn headers_are_declared_where_they_work() {
    let find = |wanted: &str| {
        let found = operations().into_iter().find(|(.., operation)| operation["operationId"] == wanted);
        found.unwrap_or_else(|| panic!("there is no {wanted}")).2
    };
    let takes = |name: &str, header: &str| {
        let reference = format!("#/components/parameters/{header}");
        find(name)["parameters"].as_array().unwrap().iter().any(|one| one["$ref"] == reference)
    };
    let gives = |name: &str, status: &str, header: &str| {
        find(name)["responses"][status]["headers"][header].is_object()
    };
    assert!(
        takes("createFinding", "Idempotency-Key") && takes("analyzeConcentrationRisk", "Idempotency-Key")
    );
    assert!(takes("updateFinding", "If-Match") && takes("deleteWebhook", "If-Match"));
    assert!(takes("getFinding", "If-None-Match") && takes("listReferenceMeasures", "If-None-Match"));
    assert!(!takes("listKeys", "If-None-Match") && !takes("updateFinding", "Idempotency-Key"));
    assert!(gives("createFinding", "201", "Location") && !gives("createKey", "201", "Location"));
    assert!(gives("getFinding", "200", "ETag") && gives("updateFinding", "200", "ETag"));
    assert!(gives("listRisks", "200", "X-RateLimit-Remaining") && gives("getPing", "200", "X-Request-Id"));
}

/// The service behaves as documented for 304 and `ETag`.
#[tokio::test]
async fn documented_validators_are_sent() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for (method, path, operation) in operations() {
        if method != "GET" || path.contains('{') || path == "/api/v2/search" {
            continue;
        }
        let answer = client.get(&path).await;
        let documented = operation["responses"]["304"].is_object();
        let sent = answer.headers.contains_key("etag");
        assert!(
            answer.status != 200 || documented == sent,
            "{path} documents 304: {documented}, ETag sent: {sent}"
        );
    }
}

#[tokio::test]
async fn error_bodies_have_no_undocumented_member() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let documented = document()["components"]["schemas"]["Error"]["properties"].clone();
    let answers = [client.get("/api/v1/findings/x").await, client.get("/api/v1/findings?severity=x").await];
    for answer in answers {
        for member in answer.json().as_object().unwrap().keys() {
            assert!(documented[member].is_object(), "{member} is not documented");
        }
    }
}

#[test]
fn every_event_is_described_under_webhooks() {
    let webhooks = document()["webhooks"].clone();
    for &kind in domain::event::EventKind::ALL {
        let operation = &webhooks[kind.as_str()]["post"];
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let name = schema.as_str().unwrap().rsplit('/').next().unwrap();
        let event = &document()["components"]["schemas"][name];
        assert_eq!(event["required"], serde_json::json!(["id", "type", "occurred_at", "tenant", "data"]));
    }
    let of_hooks =
        webhooks.as_object().unwrap().keys().filter(|name| name.starts_with("event-hook/")).count();
    assert_eq!(webhooks.as_object().unwrap().len() - of_hooks, domain::event::EventKind::ALL.len());
}

#[test]
fn every_event_of_every_kind_of_record_is_described_under_webhooks() {
    let webhooks = document()["webhooks"].clone();
    for kind in &app::records::KINDS {
        for verb in domain::record_event::RecordVerb::ALL {
            let operation = &webhooks[format!("event-hook/{}.{verb}", kind.noun)]["post"];
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
            assert_eq!(schema, "#/components/schemas/RecordEvent", "{}.{verb}", kind.noun);
            let headers = operation["parameters"].as_array().unwrap().iter().map(|header| &header["name"]);
            let headers: Vec<_> = headers.collect();
            assert_eq!(headers, ["webhook-id", "webhook-timestamp", "webhook-signature"]);
        }
    }
    for occurrence in domain::record_event::Occurrence::ALL {
        assert!(webhooks[format!("event-hook/{occurrence}")]["post"].is_object(), "{occurrence}");
    }
    let event = &document()["components"]["schemas"]["RecordEvent"];
    let required = serde_json::json!(["id", "type", "at", "tenant", "subject", "actor", "data"]);
    assert_eq!(event["required"], required);
}

#[tokio::test]
async fn the_pages_name_the_product_and_load_nothing_from_elsewhere() {
    let app = TestApp::new().await;
    let visitor = app.anonymous();
    for page in ["/api/docs/", "/api/docs/guide"] {
        let text = visitor.get(page).await.expect(200).to_string();
        assert!(text.contains("Tidewall") && text.contains("/api/docs/guide"), "{text}");
        assert!(
            !text.contains("http://") && !text.contains("https://"),
            "{page} loads something from elsewhere"
        );
        for file in text.split('"').filter(|part| part.starts_with("/api/docs/") || part.contains(".json")) {
            visitor.get(file).await.expect(200);
        }
    }
    let guide = visitor.get("/api/docs/guide.json").await.expect(200).json();
    assert!(guide["info"]["description"].as_str().unwrap().contains("## Authentication"));
    visitor.get("/api/docs/index.html").await.expect(404);
}

/// Every operation as (method, path, description).
pub(crate) fn operations() -> Vec<(String, String, Value)> {
    let document = document();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if ["get", "post", "put", "patch", "delete"].contains(&method.as_str()) {
                operations.push((method.to_uppercase(), path.clone(), operation.clone()));
            }
        }
    }
    operations
}
