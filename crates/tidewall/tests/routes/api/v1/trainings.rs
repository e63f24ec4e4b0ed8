//! `/api/v1/trainings`: who has to learn what until when, who passed, and the management body apart.

use app::user::UserDraft;
use domain::{id::UserId, password::Password, text::Name, user::Role};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::seed::events;

const TRAININGS: &str = "/api/v1/trainings";
const MODULE: &str = "training-dora-essentials";
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

struct Bank {
    app: TestApp,
    tenant: TestTenant,
    client: Client,
    anna: UserId,
    ben: UserId,
}

async fn add(app: &TestApp, tenant: &TestTenant, name: &str) -> UserId {
    let email = format!("{}@{}.example", name.to_lowercase(), tenant.slug);
    let draft =
        UserDraft { email: email.parse().unwrap(), name: Name::parse(name).unwrap(), role: Role::Viewer };
    let password = Password::presented("the north wind doth blow");
    app.app.people.create_user(&tenant.caller, draft, password).await.unwrap().id
}

async fn bank(engine: Engine) -> Bank {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    let (anna, ben) = (add(&app, &tenant, "Anna").await, add(&app, &tenant, "Ben").await);
    Bank { app, tenant, client, anna, ben }
}

async fn course(bank: &Bank) -> Value {
    let body = json!({ "title": "Crisis workshop", "provider": "Town school", "people": [bank.anna],
        "due_on": "2026-12-01" });
    bank.client.post(TRAININGS, &body).await.expect(201).data()[0].clone()
}

fn address(training: &Value) -> String {
    format!("{TRAININGS}/{}", training["id"].as_str().unwrap())
}

async fn titles(client: &Client, query: &str) -> Vec<String> {
    let list = client.get(&format!("{TRAININGS}?{query}")).await.expect(200).data();
    let list = list.as_array().unwrap().iter();
    list.map(|one| format!("{} {}", one["title"].as_str().unwrap(), one["person"]["name"].as_str().unwrap()))
        .collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn each_person_gets_a_training_of_their_own(engine: Engine) {
    let bank = bank(engine).await;
    let body = json!({ "module": MODULE, "people": [bank.anna, bank.ben, bank.anna], "due_on": "2026-11-20",
        "management_body": true });
    let made = bank.client.post(TRAININGS, &body).await.expect(201).data();
    assert_eq!(made.as_array().unwrap().len(), 2, "{engine:?}");
    let anna = &made[0];
    assert_eq!(
        (&anna["reference"], &anna["title"], &anna["person"], &anna["state"], &anna["attempts"]),
        (
            &json!("TR-0001"),
            &json!("DORA essentials for everyone"),
            &json!({ "id": bank.anna, "name": "Anna" }),
            &json!("assigned"),
            &json!(0),
        )
    );
    assert_eq!(anna["management_body"], true);
    // Without a word about it, a person stays what their latest training says.
    let again = json!({ "title": "Workshop", "people": [bank.anna], "due_on": "2026-12-01" });
    let again = bank.client.post(TRAININGS, &again).await.expect(201).data();
    assert_eq!((&again[0]["management_body"], &again[0]["reference"]), (&json!(true), &json!("TR-0003")));
    let shown = bank.client.get(&address(anna)).await.expect(200);
    assert_eq!(shown.data()["history"][0]["to"], "assigned");
    let etag = shown.header("etag").unwrap().to_owned();
    bank.client.with("if-none-match", &etag).get(&address(anna)).await.expect(304);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_request_without_a_known_module_person_or_day_is_refused(engine: Engine) {
    let bank = bank(engine).await;
    let foreign = add(&bank.app, &bank.app.tenant("south").await, "Carla").await;
    let good = json!({ "module": MODULE, "people": [bank.anna], "due_on": "2026-11-20" });
    for (field, value) in [
        ("module", json!("training-unknown")),
        ("module", json!(null)),
        ("title", json!("And a course")),
        ("people", json!([])),
        ("people", json!(["Anna"])),
        ("people", json!([bank.anna, foreign])),
        ("due_on", json!(null)),
        ("due_on", json!("tomorrow")),
    ] {
        let mut body = good.clone();
        body[field] = value.clone();
        let answer = bank.client.post(TRAININGS, &body).await.expect(422);
        assert!(answer.to_string().contains(field), "{engine:?} {field} {value}: {answer}");
    }
    let all = bank.client.get(TRAININGS).await.expect(200).json();
    assert_eq!(all["meta"]["total"], 0, "{engine:?}: a refused request assigns nothing");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_list_shows_who_is_done_late_and_due(engine: Engine) {
    let bank = bank(engine).await;
    let soon = json!({ "module": MODULE, "people": [bank.anna, bank.ben], "due_on": "2026-11-20" });
    bank.client.post(TRAININGS, &soon).await.expect(201);
    let members = json!({ "title": "Board seminar", "people": [bank.ben], "due_on": "2027-01-31",
        "management_body": true });
    bank.client.post(TRAININGS, &members).await.expect(201);
    let course = course(&bank).await;
    let result = json!({ "passed_on": "2026-11-13", "score": 91 });
    bank.client.post(&format!("{}/result", address(&course)), &result).await.expect(200);
    assert_eq!(titles(&bank.client, "state=late").await, Vec::<String>::new());
    bank.app.clock.advance(10 * DAY_MS);

    let essentials = "DORA essentials for everyone";
    let late = [format!("{essentials} Ben"), format!("{essentials} Anna")];
    assert_eq!(titles(&bank.client, "state=late").await, late, "{engine:?}");
    assert_eq!(titles(&bank.client, "state=assigned").await, ["Board seminar Ben"]);
    assert_eq!(titles(&bank.client, "state=passed").await, ["Crisis workshop Anna"]);
    assert_eq!(titles(&bank.client, "management_body=true").await, ["Board seminar Ben"]);
    assert_eq!(titles(&bank.client, &format!("module={MODULE}")).await, late);
    assert_eq!(titles(&bank.client, &format!("person={}&state=late", bank.ben)).await, late[..1]);
    assert_eq!(titles(&bank.client, "search=seminar").await, ["Board seminar Ben"]);
    assert_eq!(titles(&bank.client, "sort=-due_on&limit=1").await, ["Board seminar Ben"]);
    assert_eq!(titles(&bank.client, "updated_since=2026-11-20T00:00:00Z").await, Vec::<String>::new());

    let summary = bank.client.get(&format!("{TRAININGS}/summary")).await.expect(200).data();
    assert_eq!(
        summary,
        json!({
            "all": { "assigned": 1, "failed": 0, "late": 2, "passed": 1, "total": 4, "passed_pct": 25 },
            "management_body":
                { "assigned": 1, "failed": 0, "late": 0, "passed": 0, "total": 1, "passed_pct": 0 },
        }),
        "{engine:?}"
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_result_is_recorded_with_its_evidence_for_courses_held_elsewhere_only(engine: Engine) {
    let bank = bank(engine).await;
    let course = course(&bank).await;
    let (path, result) = (format!("{}/result", address(&course)), json!({ "passed_on": "2026-11-13" }));
    for wrong in [
        json!({}),
        json!({ "passed_on": "2027-11-13" }),
        json!({ "passed_on": "2026-11-13", "score": 101 }),
        json!({ "passed_on": "2026-11-13", "evidence": "evd_01k9x8v1q7m3t5n2p4r6s8w0yz" }),
    ] {
        bank.client.post(&path, &wrong).await.expect(422);
    }
    let evidence = json!({ "title": "Certificate", "url": "https://example.com/certificate" });
    let evidence = bank.client.post("/api/v1/evidence", &evidence).await.expect(201).data()["id"].clone();
    let mut with_evidence = result.clone();
    with_evidence["evidence"] = evidence.clone();
    let passed = bank.client.post(&path, &with_evidence).await.expect(200).data();
    assert_eq!(
        (&passed["state"], &passed["passed_on"], &passed["evidence"]),
        (&json!("passed"), &json!("2026-11-13"), &json!([evidence])),
        "{engine:?}"
    );
    bank.client.post(&path, &result).await.expect(422);
    let versions = bank.client.get(&format!("{}/versions", address(&course))).await.expect(200).data();
    assert_eq!(versions.as_array().unwrap().len(), 2);

    let module = json!({ "module": MODULE, "people": [bank.anna], "due_on": "2026-11-20" });
    let module = bank.client.post(TRAININGS, &module).await.expect(201).data()[0].clone();
    let refused = bank.client.post(&format!("{}/result", address(&module)), &result).await.expect(422);
    assert!(refused.to_string().contains("quiz"), "{refused}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_recorded_result_is_corrected_and_the_first_value_is_kept(engine: Engine) {
    let bank = bank(engine).await;
    let course = address(&course(&bank).await);
    let to = format!("{course}/corrections");
    let wish = |field: &str, value: Value| json!({ "field": field, "value": value, "reason": "Certificate" });
    let early = bank.client.post(&to, &wish("score", json!(80))).await.expect(422).json();
    assert!(early["details"]["training"].is_array(), "nothing is recorded: {early}");
    let result = json!({ "passed_on": "2026-11-13", "score": 92 });
    bank.client.post(&format!("{course}/result"), &result).await.expect(200);
    for (field, value) in [
        ("score", json!(101)),
        ("score", json!(92)),
        ("passed_on", json!("2027-01-01")),
        ("reference", json!("TR-1")),
    ] {
        bank.client.post(&to, &wish(field, value)).await.expect(422);
    }
    let after = bank.client.post(&to, &wish("score", json!(95))).await.expect(200).data();
    assert_eq!((&after["score"], &after["passed_on"]), (&json!(95), &json!("2026-11-13")), "{engine:?}");
    let after = bank.client.post(&to, &wish("passed_on", Value::Null)).await.expect(200).data();
    assert_eq!((&after["state"], &after["score"]), (&json!("assigned"), &json!(null)), "{engine:?}");
    let kept = after["corrections"].as_array().unwrap();
    let values: Vec<_> = kept.iter().map(|each| (&each["first_value"], &each["value"])).collect();
    assert_eq!(values, [(&json!("92"), &json!("95")), (&json!("2026-11-13"), &json!(null))]);
    assert!(kept[1]["recorded_by"].as_str().unwrap().starts_with("key_"), "{kept:?}");
    assert_eq!(kept[1]["recorded_at"], "2026-11-14T14:00:00Z");
    let log = bank.client.get(&format!("{course}/versions")).await.expect(200).data();
    assert_eq!(log.as_array().unwrap().len(), 4, "every value stays: {log}");

    let module = json!({ "module": MODULE, "people": [bank.anna], "due_on": "2026-11-20" });
    let module = address(&bank.client.post(TRAININGS, &module).await.expect(201).data()[0]);
    bank.client.post(&format!("{module}/corrections"), &wish("score", json!(80))).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_was_taken_is_archived_instead_of_deleted(engine: Engine) {
    let bank = bank(engine).await;
    let (new, taken) = (course(&bank).await, course(&bank).await);
    let result = json!({ "passed_on": "2026-11-13" });
    bank.client.post(&format!("{}/result", address(&taken)), &result).await.expect(200);
    bank.client.delete(&address(&new)).await.expect(204);
    bank.client.get(&address(&new)).await.expect(404);
    bank.client.delete(&address(&taken)).await.expect(204);
    let kept = bank.client.get(&address(&taken)).await.expect(200).data();
    assert!(kept["archived_at"].is_string(), "{engine:?}: {kept}");
    let later = json!({ "due_on": "2027-01-01" });
    bank.client.patch(&address(&taken), &later).await.expect(422);
    bank.client.post(&format!("{}/restore", address(&taken)), &json!({})).await.expect(200);
    let changed = bank.client.patch(&address(&taken), &later).await.expect(200).data();
    assert_eq!(changed["due_on"], "2027-01-01");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_open_trainings_of_a_person_who_leaves_are_archived(engine: Engine) {
    let bank = bank(engine).await;
    let (open, passed) = (course(&bank).await, course(&bank).await);
    let result = json!({ "passed_on": "2026-11-13" });
    bank.client.post(&format!("{}/result", address(&passed)), &result).await.expect(200);
    bank.app.app.people.close_user(&bank.tenant.caller, bank.anna, Some(bank.ben), false).await.unwrap();
    let open = bank.client.get(&address(&open)).await.expect(200).data();
    assert!(open["archived_at"].is_string() && open["person"]["name"] == "Anna", "{engine:?}: {open}");
    let passed = bank.client.get(&address(&passed)).await.expect(200).data();
    assert_eq!(passed["archived_at"], json!(null), "{engine:?}");
    let closed = json!({ "module": MODULE, "people": [bank.anna], "due_on": "2026-11-20" });
    bank.client.post(TRAININGS, &closed).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_training_is_work_of_its_person_and_its_day_is_announced(engine: Engine) {
    let bank = bank(engine).await;
    let body = json!({ "module": MODULE, "people": [bank.anna], "due_on": "2026-11-16" });
    bank.client.post(TRAININGS, &body).await.expect(201);
    let tasks = format!("/api/v1/tasks?owner={}", bank.anna);
    let task = bank.client.get(&tasks).await.expect(200).data()[0].clone();
    assert_eq!(
        (&task["type"], &task["action"], &task["owner"], &task["title"]),
        (&json!("training"), &json!("learn"), &json!("Anna"), &json!("DORA essentials for everyone")),
        "{engine:?}"
    );
    let german = bank.client.get(&format!("{tasks}&lang=de")).await.expect(200).data();
    assert_eq!(german[0]["title"], "DORA-Grundlagen für alle");
    bank.app.app.raise_deadlines().await.unwrap();
    let raised = events(&bank.app, &bank.tenant.caller).await;
    let announced = raised.iter().filter(|(_, _, data)| data["training"].is_object()).count();
    assert_eq!(announced, 1, "{engine:?}: {raised:?}");
}
