//! Lists that are computed at the time of the request: alerts, performance, scores.

use std::fs;

use serde_json::{Value, json};
use testkit::{Engine, TestApp, TestOptions, copy_of_catalogue};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn alerts_of(body: &Value, kind: &str) -> Vec<Value> {
    body["data"].as_array().unwrap().iter().filter(|alert| alert["type"] == kind).cloned().collect()
}

#[tokio::test]
async fn an_overdue_finding_raises_an_alert_until_it_is_closed() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let stranger = app.owner("south").await;
    let finding = json!({ "title": "Backups are not restored", "severity": "high", "due_on": "2026-11-20" });
    let created = owner.post("/api/v1/findings", &finding).await.expect(201).data();
    let overdue =
        async || alerts_of(&owner.get("/api/v2/alerts").await.expect(200).json(), "finding_overdue");
    assert_eq!(overdue().await, Vec::<Value>::new());
    app.clock.advance(7 * DAY);
    let alerts = overdue().await;
    let id = created["id"].as_str().unwrap();
    let expected = json!({
        "id": format!("finding_overdue:{id}"),
        "type": "finding_overdue",
        "scope": "tenant",
        "severity": "high",
        "title": format!("{} is overdue: Backups are not restored", created["reference"].as_str().unwrap()),
        "since": "2026-11-21T00:00:00Z",
        "due_on": "2026-11-20",
        "responsible": "ciso",
        "subject": { "type": "finding", "id": id, "url": format!("/api/v1/findings/{id}") },
    });
    assert_eq!(alerts, [expected]);
    let others = stranger.get("/api/v2/alerts").await.expect(200);
    assert!(!others.to_string().contains("Backups"), "another tenant's: {others}");
    let found = owner.get("/api/v2/alerts?search=backups&lang=de").await.expect(200).json();
    assert!(found["data"][0]["title"].as_str().unwrap().contains("ist überfällig"), "{found}");
    owner.patch(&format!("/api/v1/findings/{id}"), &json!({ "status": "false_positive" })).await.expect(200);
    assert_eq!(overdue().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_key_about_to_end_is_reported_to_those_who_may_see_it() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let body = json!({ "name": "Nightly export", "expires_at": "2026-12-20T00:00:00Z" });
    let key = owner.post("/api/v1/keys", &body).await.expect(201).data();
    let expiring = async |client: &testkit::Client| {
        alerts_of(&client.get("/api/v2/alerts").await.expect(200).json(), "key_expiring").len()
    };
    assert_eq!(expiring(&owner).await, 0);
    app.clock.advance(25 * DAY);
    assert_eq!(expiring(&owner).await, 1);
    let reader = app.client(key["key"].as_str().unwrap());
    assert_eq!(expiring(&reader).await, 0, "a key without manage_keys does not see keys");
}

#[tokio::test]
async fn a_key_that_was_not_used_for_ninety_days_is_an_alert() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    owner.post("/api/v1/keys", &json!({ "name": "Forgotten" })).await.expect(201);
    let unused =
        async || alerts_of(&owner.get("/api/v2/alerts").await.expect(200).json(), "key_unused").len();
    app.clock.advance(90 * DAY - 1);
    let early = unused().await;
    app.app.people.note_key_use().await.unwrap();
    app.clock.advance(1);
    assert_eq!((early, unused().await), (0, 1), "only the one that is not the one that asks");
}

#[tokio::test]
async fn milestones_near_are_the_platforms_alerts() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let near = alerts_of(&owner.get("/api/v2/alerts").await.expect(200).json(), "milestone_near");
    assert!(!near.is_empty());
    for alert in near {
        let due_on = alert["due_on"].as_str().unwrap();
        assert!(("2026-11-14"..="2026-12-14").contains(&due_on), "{alert}");
        assert_eq!(alert["scope"], "platform");
    }
}

#[tokio::test]
async fn performance_says_what_is_measured_and_nothing_else() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let overview = owner.get("/api/v2/performance/overview").await.expect(200).data();
    let ids: Vec<_> =
        overview.as_array().unwrap().iter().map(|reading| reading["id"].as_str().unwrap()).collect();
    let expected = [
        "request_rate",
        "latency_p50",
        "latency_p95",
        "latency_p99",
        "error_rate",
        "queue_depth",
        "store_latency",
    ];
    assert_eq!(ids, expected);
    let store = overview.as_array().unwrap().iter().find(|reading| reading["id"] == "store_latency").unwrap();
    assert!(store["value"].as_f64().unwrap() > 0.0 && store["unit"] == "ms", "{store}");
    assert!(overview.as_array().unwrap().iter().all(|reading| reading["window_seconds"] == 300));
}

#[tokio::test]
async fn beside_the_scores_stands_the_coverage_of_the_catalogue_and_moves_with_it() {
    let folder = copy_of_catalogue();
    let options = TestOptions { catalogue_dir: Some(folder.path().to_owned()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let owner = app.owner("north").await;
    let status = owner.get("/api/v1/compliance-status").await.expect(200).data();
    let scores = owner.get("/api/v2/compliance-scores").await.expect(200).data();
    for (score, framework) in scores.as_array().unwrap().iter().zip(status["frameworks"].as_array().unwrap())
    {
        assert_eq!(score["framework"], framework["framework"]);
        for count in ["requirements", "covered", "partial", "gap"] {
            assert_eq!(score[count], framework[count], "{score}");
        }
        assert_eq!(score["score"], 0, "nothing was tested");
        assert_eq!(score["trend"], Value::Null, "nothing was seen before");
    }
    owner.post("/api/v1/compliance-timeline/sync", &json!({})).await.expect(200);
    assert_eq!(owner.get("/api/v2/compliance-scores").await.expect(200).data(), scores, "the same version");

    // A version soon after, in which no measure is mapped to MaRisk any more. The check accepts that,
    // because MaRisk goes beyond ICT.
    let version = folder.path().join("catalogue.toml");
    let text = fs::read_to_string(&version).unwrap();
    let now = app.app.catalogue().unwrap().version.to_string();
    fs::write(&version, text.replace(&now, "2026-12-30")).unwrap();
    for file in fs::read_dir(folder.path().join("measures")).unwrap() {
        let file = file.unwrap().path();
        let text = fs::read_to_string(&file).unwrap();
        let kept: Vec<&str> = text.lines().filter(|line| !line.contains("framework = \"marisk\"")).collect();
        fs::write(&file, kept.join("\n")).unwrap();
    }
    owner.post("/api/v1/compliance-timeline/sync", &json!({})).await.expect(200);
    let moved = owner.get("/api/v2/compliance-scores").await.expect(200).data();
    let covered = |scores: &Value| scores[1]["covered"].as_u64().unwrap();
    assert_eq!(moved[1]["framework"], "marisk");
    assert!(covered(&moved) < covered(&scores), "{}", moved[1]);
}
