//! What reaches the stream of security events: changes of what protects an institution, and keys and links that are used
//! where they should not be.

use std::{fs, path::PathBuf, sync::Arc};

use app::security::spool::Spool;
use domain::{currency::Currency, key_policy::KeyPolicy, user::SecondFactorPolicy};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Engine, TestApp};

/// The events of an application, as a receiver gets them.
struct Stream {
    folder: PathBuf,
    spool: Arc<Spool>,
}

impl Stream {
    fn of(app: &TestApp) -> Self {
        let folder = app.scratch.dir.path().join("events");
        fs::create_dir(&folder).unwrap();
        let spool = Spool::open(&folder, 1 << 20).unwrap();
        app.app.security.spool_to(Arc::clone(&spool));
        Self { folder, spool }
    }

    fn events(&self) -> Vec<Value> {
        self.spool.flush();
        let mut files: Vec<_> =
            fs::read_dir(&self.folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        let texts = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<String>();
        texts.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Event, outcome and reason of each.
    fn lines(&self) -> Vec<String> {
        let word = |event: &Value, name: &str| event[name].as_str().unwrap_or("-").to_owned();
        let line = |event: &Value| ["event", "outcome", "reason"].map(|name| word(event, name)).join(" ");
        self.events().iter().map(line).collect()
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn keys_made_rotated_revoked_and_used_elsewhere_are_events(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let stream = Stream::of(&app);
    let fields = json!({ "name": "ci", "networks": ["192.0.2.0/24"] });
    let caller = owner.with("x-request-id", "made-1");
    let made = caller.post("/api/v1/keys", &fields).await.expect(201).data();
    let id = made["id"].as_str().unwrap();
    let stolen = app.client(made["key"].as_str().unwrap());
    stolen.get("/api/v1/findings").await.expect(403);
    owner.post(&format!("/api/v1/keys/{id}/rotate"), &json!({})).await.expect(201);
    owner.delete(&format!("/api/v1/keys/{id}")).await.expect(204);
    assert_eq!(
        stream.lines(),
        [
            "api_key allowed created",
            "api_key refused network",
            "api_key allowed rotated",
            "api_key allowed created",
            "api_key allowed revoked",
        ],
        "{engine:?}"
    );
    let events = stream.events();
    assert_eq!((&events[0]["key"], &events[0]["request"]), (&json!(id), &json!("made-1")));
    assert!(events[0]["by_key"].as_str().unwrap().starts_with("key_"), "{}", events[0]);
    assert_eq!((&events[1]["key"], &events[1]["address"]), (&json!(id), &json!("127.0.0.1")));
    assert!(events[1]["tenant"].is_string(), "{}", events[1]);
}

#[tokio::test]
async fn a_flood_from_outside_the_networks_of_a_key_is_limited() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let stream = Stream::of(&app);
    let fields = json!({ "name": "ci", "networks": ["192.0.2.0/24"] });
    let made = owner.post("/api/v1/keys", &fields).await.expect(201).data();
    let stolen = app.client(made["key"].as_str().unwrap());
    for _ in 0..100 {
        let status = stolen.get("/api/v1/findings").await.status.as_u16();
        assert!([403, 429].contains(&status), "{status}");
    }
    assert!(stream.lines().len() <= 32, "{}", stream.lines().len());
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn changed_settings_and_webhooks_are_events(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let stream = Stream::of(&app);
    let (service, caller) = (&app.app, &tenant.caller);
    service.people.require_second_factor(caller, SecondFactorPolicy::Everybody).await.unwrap();
    service.people.set_key_days(caller, Some(30)).await.unwrap();
    service.people.set_key_policy(caller, KeyPolicy::NEW).await.unwrap();
    service.people.set_currency(caller, "CHF".parse::<Currency>().unwrap()).await.unwrap();
    let url = "http://127.0.0.1:9000/x";
    let hook = json!({ "name": "x", "channel": "slack", "url": url, "events": ["finding.created"] });
    let made = owner.post("/api/v1/webhooks", &hook).await.expect(201).data();
    let address = format!("/api/v1/webhooks/{}", made["id"].as_str().unwrap());
    owner.patch(&address, &json!({ "name": "y" })).await.expect(200);
    owner.patch(&address, &json!({ "name": "y" })).await.expect(200);
    owner.delete(&address).await.expect(204);
    assert_eq!(
        stream.lines(),
        [
            "settings allowed second_factor",
            "settings allowed key_life",
            "settings allowed key_policy",
            "settings allowed currency",
            "webhook allowed created",
            "webhook allowed changed",
            "webhook allowed deleted",
        ],
        "{engine:?}"
    );
}
