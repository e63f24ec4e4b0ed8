//! Test messages of a webhook.

use serde_json::{Value, json};
use testkit::{ChatSink, Engine, Reply, TestApp, TestOptions};

use super::{PATH, with};

#[tokio::test]
async fn one_marked_message_whose_outcome_is_the_answer() {
    let sink = ChatSink::start().await;
    let options = TestOptions { dev_destinations: vec![sink.origin.clone()], ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let client = app.owner("north").await;
    let created = client.post(PATH, &with("url", json!(sink.url("/a")))).await.expect(201).data();
    let webhook = format!("{PATH}/{}", created["id"].as_str().unwrap());
    let test = async || client.send(http::Method::POST, &format!("{webhook}/test"), None).await;

    let report = test().await.expect(200).data();
    assert_eq!(
        (&report["outcome"], &report["reason"], &report["status"]),
        (&json!("delivered"), &json!("answered"), &json!(200))
    );
    let message = sink.messages().remove(0).body.to_string();
    assert!(message.contains("Test"), "{message}");

    // Also while it is off, once, and without a trace in its health or its log.
    client.patch(&webhook, &json!({ "active": false })).await.expect(200);
    sink.next("/a", [Reply::Status(404)]);
    let report = test().await.expect(200).data();
    assert_eq!((&report["outcome"], &report["status"]), (&json!("dead"), &json!(404)));
    assert_eq!(sink.count(), 2);
    let shown = client.get(&webhook).await.expect(200).data();
    assert_eq!((&shown["failing"], &shown["last_delivery"]), (&json!(false), &Value::Null));
    assert_eq!(client.get(&format!("{webhook}/deliveries")).await.expect(200).json()["meta"]["total"], 0);

    // The destination's response is not repeated.
    assert!(!report.to_string().contains("no\""), "{report}");

    for _ in 0..4 {
        test().await.expect(200);
    }
    let limited = test().await.expect(429).json();
    assert_eq!((&limited["limit"], &limited["window"]), (&json!(6), &json!("60s")));
    app.clock.advance(limited["retry_after"].as_i64().unwrap() * 1000);
    test().await.expect(200);
}

#[tokio::test]
async fn a_destination_that_cannot_be_reached_is_reported_as_such() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    // There is no server at that address.
    let created = client.post(PATH, &with("url", json!("http://127.0.0.1:9000/a"))).await.expect(201).data();
    let path = format!("{PATH}/{}/test", created["id"].as_str().unwrap());
    let report = client.post(&path, &json!({})).await.expect(200).data();
    assert_eq!(
        (&report["outcome"], &report["reason"], &report["status"]),
        (&json!("transient"), &json!("connect_failed"), &Value::Null)
    );
}
