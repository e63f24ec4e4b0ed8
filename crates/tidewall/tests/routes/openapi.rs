//! The OpenAPI document: committed, current, and complete.

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
    assert_eq!(served, serde_json::to_value(api::docs::openapi()).unwrap());
    assert_eq!(served["openapi"], "3.1.0");
}

/// Every operation as (method, path, description).
pub(super) fn operations() -> Vec<(String, String, Value)> {
    let document = serde_json::to_value(api::docs::openapi()).unwrap();
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
