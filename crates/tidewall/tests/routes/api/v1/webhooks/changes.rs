use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, sample};

async fn created(owner: &Client) -> String {
    owner.post(PATH, &sample()).await.expect(201).header("location").unwrap().to_owned()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn put_and_patch_change_what_is_sent_and_keep_the_rest(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = created(&owner).await;
    let patched = owner.patch(&address, &json!({ "active": 0 })).await.expect(200).data();
    assert_eq!((&patched["active"], &patched["name"]), (&json!(false), &json!("ICT risk")));
    app.clock.advance(5_000);
    let put = owner.put(&address, &json!({ "name": "Other", "active": "1" })).await.expect(200).data();
    assert_eq!(
        (&put["active"], &put["name"], &put["channel"]),
        (&json!(true), &json!("Other"), &json!("slack"))
    );
    assert_eq!(put["updated_at"], "2026-11-14T14:00:05Z");
    assert_eq!(owner.get(&address).await.data(), put);
}

#[tokio::test]
async fn channel_and_url_must_fit_each_other_after_the_change() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = created(&owner).await;
    let refused = owner.patch(&address, &json!({ "channel": "email" })).await.expect(422).json();
    assert!(refused["details"]["url"].is_array(), "{refused}");
    let both = json!({ "channel": "email", "url": "mailto:ict@bank.example" });
    assert_eq!(owner.patch(&address, &both).await.expect(200).data()["url"], "mailto:ict@bank.example");
}

#[tokio::test]
async fn wrong_values_change_nothing() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = created(&owner).await;
    let before = owner.get(&address).await;
    for body in [
        json!({ "name": "" }),
        json!({ "name": null }),
        json!({ "events": [] }),
        json!({ "active": "yes" }),
        json!({ "active": null }),
        json!({ "name": "ok", "url": "https://169.254.169.254/services/x" }),
    ] {
        owner.patch(&address, &body).await.expect(422);
        owner.put(&address, &body).await.expect(422);
    }
    assert_eq!(owner.get(&address).await.json(), before.json());
    owner.send(http::Method::PATCH, &address, None).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_deleted_webhook_is_gone(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = created(&owner).await;
    let deleted = owner.delete(&address).await.expect(204);
    assert!(deleted.body.is_empty());
    for answer in
        [owner.get(&address).await, owner.patch(&address, &json!({})).await, owner.delete(&address).await]
    {
        assert_eq!(
            answer.expect(404).json(),
            json!({ "error": "there is no such record", "code": "not_found" })
        );
    }
    assert_eq!(owner.get(PATH).await.data(), Value::Array(vec![]));
}

#[tokio::test]
async fn misshapen_ids_are_answered_like_absent_ones() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let absent = owner.get(&format!("{PATH}/whk_01m7emchyte48szc58gy1ergfp")).await.expect(404);
    for id in [
        "x",
        "whk_",
        "fnd_01m7emchyte48szc58gy1ergfp",
        "WHK_01M7EMCHYTE48SZC58GY1ERGFP",
        "%00",
        "..%2f",
        "%ff",
    ] {
        let answer = owner.get(&format!("{PATH}/{id}")).await.expect(404);
        assert_eq!(answer.body, absent.body, "{id}");
    }
}
