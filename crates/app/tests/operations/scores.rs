//! Scores follow the tenant's own records, live and by the day.

use serde_json::{Value, json};
use testkit::{Client, Engine, TestApp};

const DAY: i64 = 24 * 60 * 60 * 1000;

async fn score(client: &Client, framework: &str) -> Value {
    let scores = client.get("/api/v2/compliance-scores").await.expect(200).data();
    scores.as_array().unwrap().iter().find(|score| score["framework"] == framework).unwrap().clone()
}

async fn created(client: &Client, path: &str, body: Value) -> String {
    let created = client.post(path, &body).await.expect(201).data();
    created["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn tests_and_findings_move_the_score_of_their_framework() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).await;
        app.app.reload_catalogue().await.unwrap().unwrap();
        let client = app.owner("north").await;
        app.tenant("south").await;
        assert_eq!(score(&client, "dora").await["score"], 0, "nothing tested is nothing shown");
        let programme =
            created(&client, "/api/v1/programmes", json!({ "name": "P", "framework": "dora" })).await;
        for title in ["passes", "waits", "is cancelled"] {
            let body = json!({ "programme_id": programme, "title": title, "test_type": "tlpt" });
            let id = created(&client, "/api/v1/test-cases", body).await;
            let states: &[&str] = match title {
                "passes" => &["ready", "in_progress", "passed"],
                "waits" => &["ready"],
                _ => &["cancelled"],
            };
            for state in states {
                let path = format!("/api/v1/test-cases/{id}");
                client.patch(&path, &json!({ "status": state })).await.expect(200);
            }
        }
        assert_eq!(score(&client, "dora").await["score"], 50);
        let finding = json!({ "programme_id": programme, "title": "F", "severity": "high" });
        created(&client, "/api/v1/findings", finding).await;
        let dora = score(&client, "dora").await;
        // 50 × 40/44
        assert_eq!((&dora["score"], &dora["parts"]["findings"]), (&json!(45.45), &json!(90.91)));
        assert_eq!(dora["basis"]["open_findings"], 1);
        assert_eq!(score(&client, "nis2").await["basis"]["open_findings"], 0);
        // A finding that belongs to no programme counts everywhere.
        created(&client, "/api/v1/findings", json!({ "title": "G", "severity": "low" })).await;
        assert_eq!(score(&client, "nis2").await["basis"]["open_findings"], 1);
        assert_eq!(score(&client, "cra").await["basis"]["breached_limits"], Value::Null);
        assert_eq!(score(&client, "dora").await["trend"], Value::Null, "no day is kept yet");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_day_keeps_its_last_score_and_the_trend_follows() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).await;
        app.app.reload_catalogue().await.unwrap().unwrap();
        let client = app.owner("north").await;
        let programme =
            created(&client, "/api/v1/programmes", json!({ "name": "P", "framework": "cra" })).await;
        let body = json!({ "programme_id": programme, "title": "T", "test_type": "tlpt" });
        let id = created(&client, "/api/v1/test-cases", body).await;
        let statistics = app.app.job("statistics").unwrap();
        app.app.run_job(statistics).await.unwrap();
        app.app.run_job(statistics).await.unwrap();
        app.clock.advance(DAY);
        for state in ["ready", "in_progress", "passed"] {
            client.patch(&format!("/api/v1/test-cases/{id}"), &json!({ "status": state })).await.expect(200);
        }
        app.app.run_job(statistics).await.unwrap();
        let cra = score(&client, "cra").await;
        assert_eq!(cra["score"], 100);
        assert_eq!(cra["trend"], json!({ "previous": 0, "change": 100, "since": "2026-11-14" }));
        assert_eq!(
            cra["history"],
            json!([{ "day": "2026-11-15", "score": 100 }, { "day": "2026-11-14", "score": 0 }])
        );
    }
}
