//! `/api/v1/evidence-requests`: what auditors ask for, who answers until when, and what is closed.

use domain::id::UserId;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::kinds::person;

const REQUESTS: &str = "/api/v1/evidence-requests";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

struct Bank {
    app: TestApp,
    tenant: TestTenant,
    client: Client,
    ada: UserId,
}

async fn bank(engine: Engine) -> Bank {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let ada = person(&app, &tenant, "Ada", "ada@north.example").await;
    Bank { app, tenant, client, ada }
}

fn address(request: &Value) -> String {
    format!("{REQUESTS}/{}", request["id"].as_str().unwrap())
}

async fn ask(client: &Client, body: Value) -> Value {
    client.post(REQUESTS, &body).await.expect(201).data()
}

async fn evidence(client: &Client) -> Value {
    let body = json!({ "title": "Review", "url": "https://example.com/review" });
    client.post("/api/v1/evidence", &body).await.expect(201).data()["id"].clone()
}

async fn texts(client: &Client, query: &str) -> Vec<String> {
    let list = client.get(&format!("{REQUESTS}?{query}")).await.expect(200).data();
    list.as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap().to_owned()).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_request_goes_to_the_owner_of_its_subject_unless_it_names_another(engine: Engine) {
    let bank = bank(engine).await;
    let control = json!({ "title": "Access review", "owner": "Ada" });
    let control = bank.client.post("/api/v1/controls", &control).await.expect(201).data()["id"].clone();
    let body = json!({ "text": "Reviews of 2026\nAll quarters", "subject": control, "due_on": "2026-12-01" });
    let asked = ask(&bank.client, body.clone()).await;
    assert_eq!(
        (&asked["reference"], &asked["title"], &asked["owner"], &asked["status"], &asked["subject"]),
        (&json!("ER-0001"), &json!("Reviews of 2026"), &json!("Ada"), &json!("open"), &control),
        "{engine:?}"
    );
    assert!(asked["asked_by"].as_str().unwrap().starts_with("key_"));
    for (owner, expected) in [(json!("Ben"), json!("Ben")), (json!(null), json!(null))] {
        let mut body = body.clone();
        body["owner"] = owner;
        assert_eq!(ask(&bank.client, body).await["owner"], expected, "{engine:?}");
    }
    let about = json!({ "text": "Policy", "subject": "dora-art-05-02-a", "due_on": "2026-12-01" });
    bank.client.patch("/api/v1/assessments/dora-art-05-02-a", &json!({ "owner": "Eva" })).await.expect(200);
    assert_eq!(ask(&bank.client, about).await["owner"], "Eva", "{engine:?}: of the assessment");

    let shown = bank.client.get(&address(&asked)).await.expect(200);
    assert_eq!(shown.data()["history"][0]["to"], "open");
    let etag = shown.header("etag").unwrap().to_owned();
    bank.client.with("if-none-match", &etag).get(&address(&asked)).await.expect(304);
    let stale = bank.client.with("if-match", "\"other\"");
    stale.patch(&address(&asked), &json!({ "owner": "Ben" })).await.expect(412);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_request_without_text_day_or_known_subject_is_refused(engine: Engine) {
    let bank = bank(engine).await;
    let south = bank.app.tenant("south").await;
    let south = bank.app.client(&bank.app.key(&south, "read,write").await);
    let foreign = south.post("/api/v1/tasks", &json!({ "title": "Call" })).await.expect(201).data();
    let good = json!({ "text": "Policy", "due_on": "2026-12-01" });
    for (field, value) in [
        ("text", json!("")),
        ("text", json!(null)),
        ("due_on", json!(null)),
        ("due_on", json!("tomorrow")),
        ("subject", json!("tsk_01k9x8v1q7m3t5n2p4r6s8w0yz")),
        ("subject", foreign["id"].clone()),
        ("subject", json!("no-requirement")),
    ] {
        let mut body = good.clone();
        body[field] = value.clone();
        let answer = bank.client.post(REQUESTS, &body).await.expect(422);
        assert!(answer.to_string().contains(field), "{engine:?} {field} {value}: {answer}");
    }
    assert_eq!(bank.client.get(REQUESTS).await.expect(200).json()["meta"]["total"], 0);
    // A key that may not read findings neither learns of one nor of its owner.
    let finding = json!({ "title": "Weak", "severity": "low", "owner": "Ada" });
    let finding = bank.client.post("/api/v1/findings", &finding).await.expect(201).data()["id"].clone();
    let narrow = json!({ "name": "Narrow", "permissions": ["read", "write"],
        "scopes": ["evidence-requests:read", "evidence-requests:write"] });
    let owner = bank.app.client(&bank.app.key(&bank.tenant, "read,write,manage_keys").await);
    let key = owner.post("/api/v1/keys", &narrow).await.expect(201).data()["key"].clone();
    let narrow = bank.app.client(key.as_str().unwrap());
    let about = json!({ "text": "Fix", "subject": finding, "due_on": "2026-12-01" });
    narrow.post(REQUESTS, &about).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn it_is_answered_with_evidence_closed_and_opened_again_with_a_reason(engine: Engine) {
    let bank = bank(engine).await;
    let asked = ask(&bank.client, json!({ "text": "Reviews", "due_on": "2026-12-01" })).await;
    let (path, evidence) = (address(&asked), evidence(&bank.client).await);
    let step = |verb: &str| format!("{path}/{verb}");
    bank.client.post(&step("close"), &json!({})).await.expect(422);
    for wrong in [
        json!({}),
        json!({ "text": "" }),
        json!({ "text": "Here", "evidence": ["fnd_01k9x8v1q7m3t5n2p4r6s8w0yz"] }),
        json!({ "text": "Here", "evidence": ["evd_01k9x8v1q7m3t5n2p4r6s8w0yz"] }),
    ] {
        bank.client.post(&step("answer"), &wrong).await.expect(422);
    }
    let answer = json!({ "text": "All four are attached.", "evidence": [evidence, evidence] });
    let answered = bank.client.post(&step("answer"), &answer).await.expect(200).data();
    assert_eq!(
        (&answered["status"], &answered["answer"], &answered["evidence"]),
        (&json!("answered"), &json!("All four are attached."), &json!([evidence])),
        "{engine:?}"
    );
    assert!(answered["answered_by"].is_string() && answered["answered_at"].is_string());
    let of_evidence = format!("/api/v1/evidence/{}", evidence.as_str().unwrap());
    let links = bank.client.get(&of_evidence).await.expect(200).data()["links"].clone();
    assert_eq!(links[0]["type"], "evidence_request", "{links}");
    bank.client.post(&step("answer"), &answer).await.expect(422);

    assert_eq!(bank.client.post(&step("close"), &json!({})).await.expect(200).data()["status"], "closed");
    bank.client.patch(&path, &json!({ "due_on": "2027-01-01" })).await.expect(422);
    bank.client.post(&step("reopen"), &json!({})).await.expect(422);
    let reason = json!({ "reason": "The third quarter is missing." });
    let again = bank.client.post(&step("reopen"), &reason).await.expect(200).data();
    assert_eq!((&again["status"], &again["answer"]), (&json!("open"), &answered["answer"]), "{engine:?}");
    let steps: Vec<_> = again["history"].as_array().unwrap().iter().map(|one| one["to"].clone()).collect();
    assert_eq!(json!(steps), json!(["open", "answered", "closed", "open"]));
    assert_eq!(again["history"][3]["note"], "The third quarter is missing.");
    bank.client.patch(&path, &json!({ "due_on": "2027-01-01" })).await.expect(200);
    let versions = bank.client.get(&step("versions")).await.expect(200).data();
    assert_eq!(versions.as_array().unwrap().len(), 5, "{engine:?}");
    bank.client.delete(&path).await.expect(405);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_list_is_filtered_by_status_owner_subject_and_day_and_shows_the_past(engine: Engine) {
    let bank = bank(engine).await;
    let task = bank.client.post("/api/v1/tasks", &json!({ "title": "Call" })).await.expect(201).data();
    let soon = json!({ "text": "Soon", "owner": "Ada", "subject": task["id"], "due_on": "2026-11-16" });
    let soon = ask(&bank.client, soon).await;
    ask(&bank.client, json!({ "text": "Later", "owner": "Ben", "due_on": "2027-02-01" })).await;
    assert_eq!(texts(&bank.client, "overdue=true").await, Vec::<String>::new(), "{engine:?}");
    bank.app.clock.advance(5 * DAY_MS);
    assert_eq!(texts(&bank.client, "overdue=true").await, ["Soon"], "{engine:?}");
    assert_eq!(texts(&bank.client, "overdue=false").await, ["Later"]);
    assert_eq!(texts(&bank.client, "owner=Ben").await, ["Later"]);
    assert_eq!(texts(&bank.client, &format!("subject={}", task["id"].as_str().unwrap())).await, ["Soon"]);
    assert_eq!(texts(&bank.client, "search=late").await, ["Later"]);
    assert_eq!(texts(&bank.client, "sort=due_on").await, ["Soon", "Later"]);
    bank.client.post(&format!("{}/answer", address(&soon)), &json!({ "text": "Done" })).await.expect(200);
    assert_eq!(texts(&bank.client, "status=answered").await, ["Soon"]);
    assert_eq!(texts(&bank.client, "status=open").await, ["Later"]);
    assert_eq!(texts(&bank.client, "overdue=true").await, Vec::<String>::new(), "{engine:?}: answered");
    let past = "status=open&sort=due_on&as_of=2026-11-15";
    assert_eq!(texts(&bank.client, past).await, ["Soon", "Later"], "{engine:?}");
    let first = bank.client.get(&format!("{REQUESTS}?limit=1")).await.expect(200).json();
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    assert_eq!(texts(&bank.client, &format!("limit=1&cursor={cursor}")).await, ["Soon"], "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_open_request_is_work_of_its_owner_until_it_is_answered(engine: Engine) {
    let bank = bank(engine).await;
    let body = json!({ "text": "Reviews", "owner": "Ada", "due_on": "2026-11-20" });
    let asked = ask(&bank.client, body).await;
    let tasks = format!("/api/v1/tasks?owner={}", bank.ada);
    let task = bank.client.get(&tasks).await.expect(200).data()[0].clone();
    assert_eq!(
        (&task["type"], &task["action"], &task["title"], &task["link"]),
        (&json!("evidence_request"), &json!("answer"), &json!("Reviews"), &json!(address(&asked))),
        "{engine:?}"
    );
    bank.client.post(&format!("{}/answer", address(&asked)), &json!({ "text": "Done" })).await.expect(200);
    assert_eq!(bank.client.get(&tasks).await.expect(200).data(), json!([]), "{engine:?}");
    let reason = json!({ "reason": "Not yet" });
    bank.client.post(&format!("{}/reopen", address(&asked)), &reason).await.expect(200);
    assert_eq!(bank.client.get(&tasks).await.expect(200).data()[0]["title"], "Reviews", "{engine:?}");
}
