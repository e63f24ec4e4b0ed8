//! A tenant's view of its deliveries, and sending them again.

use app::jobs::delivery::{DeliveryOptions, Dispatcher};
use serde_json::{Value, json};
use testkit::{Answer, ChatSink, Client, Engine, Reply, TestApp, TestOptions};

use super::{PATH, with};

struct Desk {
    app: TestApp,
    sink: ChatSink,
    client: Client,
    dispatcher: Dispatcher,
    webhook: String,
}

/// A tenant with one chat webhook for new findings.
async fn desk() -> Desk {
    let sink = ChatSink::start().await;
    let options = TestOptions { dev_destinations: vec![sink.origin.clone()], ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let client = app.owner("north").await;
    let body = with("url", json!(sink.url("/a")));
    let webhook = client.post(PATH, &body).await.expect(201).data()["id"].as_str().unwrap().to_owned();
    let options = DeliveryOptions { dice: || 0.5, ..DeliveryOptions::default() };
    let dispatcher = Dispatcher::new(app.app.clone(), options);
    Desk { app, sink, client, dispatcher, webhook }
}

impl Desk {
    async fn finding(&self, title: &str) -> Value {
        let body = json!({ "title": title, "severity": "high" });
        self.client.post("/api/v1/findings", &body).await.expect(201).data()
    }

    async fn deliver(&mut self) {
        while self.dispatcher.round().await.unwrap() > 0 {}
    }

    async fn list(&self, query: &str) -> Answer {
        self.client.get(&format!("{PATH}/{}/deliveries{query}", self.webhook)).await
    }
}

#[tokio::test]
async fn a_finding_reaches_the_channel_and_stands_in_the_log() {
    let mut desk = desk().await;
    let finding = desk.finding("Backups <!channel> are not tested").await;
    desk.deliver().await;
    let message = desk.sink.messages().remove(0).body.to_string();
    assert!(message.contains(finding["reference"].as_str().unwrap()), "{message}");
    assert!(
        message.contains(&format!("/workspace/findings/{}", finding["id"].as_str().unwrap())),
        "{message}"
    );
    assert!(!message.contains("<!channel>"), "{message}");
    let log = desk.list("").await.expect(200).json();
    let delivery = &log["data"][0];
    assert_eq!(log["meta"], json!({ "count": 1, "total": 1, "limit": 50, "offset": 0, "next_cursor": null }));
    assert_eq!(delivery["state"], "delivered");
    assert_eq!(delivery["event"]["type"], "finding.created");
    assert_eq!(delivery["event"]["occurred_at"], "2026-11-14T14:00:00Z");
    assert_eq!(delivery["next_attempt_at"], Value::Null);
    let attempt = &delivery["attempts"][0];
    assert_eq!((&attempt["outcome"], &attempt["status"]), (&json!("delivered"), &json!(200)));
    assert!(attempt["latency_ms"].is_u64());
}

#[tokio::test]
async fn the_webhook_shows_how_its_latest_delivery_went_although_pages_are_kept() {
    let mut desk = desk().await;
    desk.sink.next("/a", [Reply::Status(500)]);
    let shown = async |desk: &Desk| desk.client.get(PATH).await.expect(200).data()[0].take();
    assert_eq!(shown(&desk).await["last_delivery"], Value::Null);
    desk.finding("Backups are not tested").await;
    shown(&desk).await;
    desk.deliver().await;
    let failing = shown(&desk).await;
    assert_eq!(failing["failing"], true);
    assert_eq!(failing["last_delivery"], json!({ "at": "2026-11-14T14:00:00Z", "outcome": "transient" }));
    let one = desk.client.get(&format!("{PATH}/{}", desk.webhook)).await.expect(200);
    assert_eq!(one.data(), failing);
    desk.app.clock.advance(5000);
    desk.deliver().await;
    let mended = shown(&desk).await;
    assert_eq!(
        (&mended["failing"], &mended["last_delivery"]["outcome"]),
        (&json!(false), &json!("delivered"))
    );
    // A try is no change of the webhook: an earlier version can still be used for a change.
    let etag = one.header("etag").unwrap().to_owned();
    let change = desk.client.with("if-match", &etag);
    change.patch(&format!("{PATH}/{}", desk.webhook), &json!({ "name": "Other" })).await.expect(200);
}

#[tokio::test]
async fn the_log_has_pages_and_a_filter() {
    let mut desk = desk().await;
    desk.sink.next("/a", [Reply::Status(404)]);
    for number in 0..4 {
        desk.finding(&format!("Finding {number}")).await;
        desk.deliver().await;
        desk.app.clock.advance(2000);
    }
    let page = desk.list("?limit=2&offset=1").await.expect(200).json();
    let next = &page["meta"]["next_cursor"];
    assert!(next.is_string());
    assert_eq!(page["meta"], json!({ "count": 2, "total": 4, "limit": 2, "offset": 1, "next_cursor": next }));
    let failed = desk.list("?state=failed").await.expect(200).json();
    assert_eq!(
        (&failed["meta"]["total"], &failed["data"][0]["attempts"][0]["outcome"]),
        (&json!(1), &json!("dead"))
    );
    let refused = desk.list("?state=lost").await.expect(422);
    assert!(refused.error().contains("state must be one of waiting, sending"), "{refused}");
}

#[tokio::test]
async fn a_failed_delivery_is_sent_again_and_a_delivered_one_is_not() {
    let mut desk = desk().await;
    desk.sink.next("/a", [Reply::Status(404)]);
    desk.finding("Backups are not tested").await;
    desk.deliver().await;
    let id = desk.list("").await.data()[0]["id"].as_str().unwrap().to_owned();
    let retry = format!("{PATH}/{}/deliveries/{id}/retry", desk.webhook);
    desk.app.clock.advance(2000);
    let again = desk.client.send(http::Method::POST, &retry, None).await.expect(200).data();
    assert_eq!((&again["state"], &again["id"]), (&json!("waiting"), &json!(id)));
    desk.deliver().await;
    let delivery = desk.list("").await.data()[0].take();
    assert_eq!(delivery["state"], "delivered");
    assert_eq!(delivery["attempts"].as_array().unwrap().len(), 2);
    let refused = desk.client.post(&retry, &json!({})).await.expect(422);
    assert!(refused.error().contains("is delivered"), "{refused}");
    let unknown = retry.replace(&id, "dlv_00000000000000000000000000");
    desk.client.post(&unknown, &json!({})).await.expect(404);
    desk.client.post(&format!("{PATH}/x/deliveries/{id}/retry"), &json!({})).await.expect(404);
}

#[tokio::test]
async fn a_replay_wants_a_moment_that_has_been() {
    let desk = desk().await;
    let replay = format!("{PATH}/{}/deliveries/replay", desk.webhook);
    for (body, complaint) in [
        (json!({}), "since is required"),
        (json!({ "since": "yesterday" }), "since must be a time"),
        (json!({ "since": 7 }), "since must be a string"),
        (json!({ "since": "2026-11-14T14:00:01Z" }), "since must not be in the future"),
    ] {
        let refused = desk.client.post(&replay, &body).await.expect(422);
        assert!(refused.error().contains(complaint), "{refused}");
    }
    let nothing = desk.client.post(&replay, &json!({ "since": "2026-11-14T13:00:00Z" })).await.expect(200);
    assert_eq!(nothing.data(), json!({ "deliveries": 0 }));
}
