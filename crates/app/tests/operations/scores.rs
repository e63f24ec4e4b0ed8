//! Scores follow the tenant's own records, live and by the day.

use serde_json::{Value, json};
use test_case::test_case;
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

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn tests_and_findings_move_the_score_of_their_framework(engine: Engine) {
    let app = TestApp::on(engine).await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    let client = app.owner("north").await;
    app.tenant("south").await;
    assert_eq!(score(&client, "dora").await["score"], 0, "nothing shown is nothing counted");
    let programme = created(&client, "/api/v1/programmes", json!({ "name": "P", "framework": "dora" })).await;
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
    assert_eq!(score(&client, "dora").await["score"], 20);
    let finding = json!({ "programme_id": programme, "title": "F", "severity": "high" });
    created(&client, "/api/v1/findings", finding).await;
    let dora = score(&client, "dora").await;
    // (0.6 × 0 + 0.4 × 50) × 40/44
    assert_eq!((&dora["score"], &dora["parts"]["findings"]), (&json!(18.18), &json!(90.91)));
    assert_eq!(dora["basis"]["open_findings"], 1);
    assert_eq!(score(&client, "nis2").await["basis"]["open_findings"], 0);
    // A finding that belongs to no programme counts everywhere.
    created(&client, "/api/v1/findings", json!({ "title": "G", "severity": "low" })).await;
    assert_eq!(score(&client, "nis2").await["basis"]["open_findings"], 1);
    assert_eq!(score(&client, "cra").await["basis"]["breached_limits"], Value::Null);
    assert_eq!(score(&client, "dora").await["trend"], Value::Null, "no day is kept yet");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn each_day_keeps_its_last_score_and_the_trend_follows(engine: Engine) {
    let app = TestApp::on(engine).await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    let client = app.owner("north").await;
    let programme = created(&client, "/api/v1/programmes", json!({ "name": "P", "framework": "cra" })).await;
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
    assert_eq!(cra["score"], 40);
    assert_eq!(cra["trend"], json!({ "previous": 0, "change": 40, "since": "2026-11-14" }));
    assert_eq!(
        cra["history"],
        json!([{ "day": "2026-11-15", "score": 40 }, { "day": "2026-11-14", "score": 0 }])
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn assessments_approvals_and_expired_evidence_move_the_score(engine: Engine) {
    let app = TestApp::on(engine).await;
    app.app.reload_catalogue().await.unwrap().unwrap();
    let north = app.tenant("north").await;
    let first = app.client(&app.key(&north, "read,write").await);
    let second = app.client(&app.key(&north, "read,write").await);
    let value = async || score(&first, "gdpr").await["score"].as_f64().unwrap();
    let requirement = "/api/v1/assessments/gdpr-art-32-04";
    first.patch(requirement, &json!({ "status": "partly_met" })).await.expect(200);
    let partly = value().await;
    first.patch(requirement, &json!({ "status": "met" })).await.expect(200);
    let met = value().await;
    second.post(&format!("{requirement}/approve"), &json!({})).await.expect(200);
    let approved = value().await;
    assert!(0.0 < partly && partly < met && met < approved, "{engine:?}: {partly} {met} {approved}");
    let gdpr = score(&first, "gdpr").await;
    assert_eq!(gdpr["basis"]["assessed"], 1);
    assert!(gdpr["basis"]["applicable"].as_u64().unwrap() > 1);

    let evidence = json!({
        "title": "Contract clause", "url": "https://dms.bank.example/1", "collected_on": "2026-11-01",
        "valid_until": "2026-11-14",
    });
    let evidence = created(&first, "/api/v1/evidence", evidence).await;
    let links = format!("/api/v1/evidence/{evidence}/links");
    first.post(&links, &json!({ "type": "assessment", "id": "gdpr-art-32-04" })).await.expect(200);
    let said = first.get(requirement).await.expect(200).data();
    assert_eq!((&said["evidence"], &said["in_doubt"]), (&json!([evidence]), &json!(false)));
    assert!((value().await - approved).abs() < 0.001, "valid to the end of the day");

    app.clock.advance(DAY);
    let said = first.get(requirement).await.expect(200).data();
    assert_eq!(said["in_doubt"], true);
    let listed = first.get("/api/v1/assessments?framework=gdpr&approved=true").await.expect(200).data();
    assert_eq!(listed[0]["in_doubt"], true, "the list follows the day without a change");
    assert!((value().await - met).abs() < 0.001, "{engine:?}: counts like one that is not approved");
    let summary = first.get("/api/v1/assessments/summary?framework=gdpr").await.expect(200).data();
    assert_eq!((&summary[0]["in_doubt"], &summary[0]["approved_pct"]), (&json!(1), &json!(0)));

    let renewed = json!({ "valid_until": "2027-11-14" });
    first.patch(&format!("/api/v1/evidence/{evidence}"), &renewed).await.expect(200);
    assert_eq!(first.get(requirement).await.data()["in_doubt"], false);
    assert!((value().await - approved).abs() < 0.001);
}
