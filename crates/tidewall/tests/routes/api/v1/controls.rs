use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

const CONTROLS: &str = "/api/v1/controls";
const MEASURE: &str = "measure-cra-role-and-class";

async fn made(client: &Client, fields: &Value) -> (String, Value) {
    let mut body = json!({ "title": "Restore test of core banking" });
    for (field, value) in fields.as_object().unwrap() {
        body[field] = value.clone();
    }
    let control = client.post(CONTROLS, &body).await.expect(201).data();
    (format!("{CONTROLS}/{}", control["id"].as_str().unwrap()), control)
}

/// A test case that names the measure, moved to a result.
async fn tested(client: &Client, result: &str) -> String {
    let programme = json!({ "name": "Payments 2027", "framework": "dora" });
    let programme = client.post("/api/v1/programmes", &programme).await.expect(201).data();
    let test = json!({
        "programme_id": programme["id"], "title": "Restore", "test_type": "scenario_based_test",
        "measures": [MEASURE],
    });
    let test = client.post("/api/v1/test-cases", &test).await.expect(201).data();
    let address = format!("/api/v1/test-cases/{}", test["id"].as_str().unwrap());
    for status in ["ready", "in_progress", result] {
        client.patch(&address, &json!({ "status": status })).await.expect(200);
    }
    address
}

/// The clock of the tests stands at 14:00 UTC on Saturday, 14 November 2026.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_control_is_numbered_performed_and_versioned(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let fields = json!({
        "status": "implemented", "cadence": "quarterly", "owner": "Dana Weber", "measure_id": MEASURE,
        "requirements": ["iso-27001-a-8-13"], "functions": ["Payments"],
    });
    let (address, control) = made(&owner, &fields).await;
    assert_eq!(control["reference"], "C-0001", "{engine:?}");
    assert_eq!(
        (&control["next_due_on"], &control["last_performed_on"]),
        (&json!("2027-02-14"), &json!(null))
    );
    assert_eq!(control["effectiveness"], "not_tested");
    let requirements = control["requirements"].as_array().unwrap();
    assert!(requirements.contains(&json!("dora-art-08-01")), "those of the measure");
    assert!(requirements.contains(&json!("iso-27001-a-8-13")), "and its own");

    let performed = format!("{address}/performed");
    let future = owner.post(&performed, &json!({ "on": "2026-11-15" })).await.expect(422).json();
    assert_eq!(future["details"]["on"][0], "must not be in the future");
    let body = json!({ "on": "2026-08-31", "note": "Two hours", "evidence": ["evd_1"] });
    let after = owner.post(&performed, &body).await.expect(200).data();
    assert_eq!(
        (&after["last_performed_on"], &after["next_due_on"]),
        (&json!("2026-08-31"), &json!("2026-11-30"))
    );
    let late = owner.post(&performed, &json!({ "on": "2026-05-01" })).await.expect(200).data();
    assert_eq!(late["next_due_on"], "2026-11-30", "an earlier day moves nothing");
    let log = owner.get(&format!("{address}/performances")).await.expect(200).data();
    assert_eq!((log.as_array().unwrap().len(), &log[1]["note"]), (2, &json!("Two hours")));
    assert!(log[0]["recorded_by"].as_str().unwrap().starts_with("key_"));

    let versions = owner.get(&format!("{address}/versions")).await.expect(200).json();
    assert_eq!(versions["meta"]["total"], 2);
    let first = owner.get(&format!("{address}/versions/1")).await.expect(200).data();
    assert_eq!(first["record"]["next_due_on"], "2027-02-14");
    let retired = owner.patch(&address, &json!({ "status": "retired" })).await.expect(200).data();
    assert_eq!(retired["next_due_on"], json!(null));
    assert_eq!(retired["history"].as_array().unwrap().len(), 2);
    owner.post(&performed, &json!({})).await.expect(422);
    owner.delete(&address).await.expect(204);
    assert!(owner.get(&address).await.expect(200).data()["archived_at"].is_string(), "it has a history");
    assert_eq!(made(&owner, &json!({})).await.1["reference"], "C-0002", "numbers are not given twice");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn tests_and_findings_decide_how_effective_a_control_is(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let (address, _) = made(&owner, &json!({ "measure_id": MEASURE, "status": "implemented" })).await;
    let word = async || owner.get(&address).await.expect(200).data()["effectiveness"].clone();
    let test = tested(&owner, "passed").await;
    assert_eq!(word().await, "effective", "{engine:?}");
    let found = owner.get(&format!("{CONTROLS}?effectiveness=effective")).await.expect(200).json();
    assert_eq!(found["meta"]["total"], 1);
    assert_eq!(found["data"][0]["open_findings"], 0);

    let finding = json!({ "title": "No copy off site", "severity": "high", "measures": [MEASURE] });
    let finding = owner.post("/api/v1/findings", &finding).await.expect(201).data();
    assert_eq!(word().await, "partly_effective");
    assert_eq!(owner.get(&address).await.data()["open_findings"], 1);
    let gone = format!("/api/v1/findings/{}", finding["id"].as_str().unwrap());
    owner.patch(&gone, &json!({ "status": "false_positive", "note": "Copied" })).await.expect(200);
    assert_eq!(word().await, "effective");

    owner.patch(&test, &json!({ "status": "in_progress" })).await.expect(200);
    assert_eq!(word().await, "not_tested", "while it is repeated");
    owner.patch(&test, &json!({ "status": "failed" })).await.expect(200);
    assert_eq!(word().await, "ineffective");

    let bare = owner.patch(&address, &json!({ "effectiveness": "effective" })).await.expect(422).json();
    assert!(bare["details"]["effectiveness_reason"].is_array(), "{bare}");
    let reasoned = json!({ "effectiveness": "effective", "effectiveness_reason": "The test was wrong" });
    let overruled = owner.patch(&address, &reasoned).await.expect(200).data();
    assert_eq!(
        (&overruled["effectiveness"], &overruled["effectiveness_by_rule"]),
        (&json!("effective"), &json!("ineffective"))
    );
    let back = owner.patch(&address, &json!({ "effectiveness": null })).await.expect(200).data();
    assert_eq!(back["effectiveness"], "ineffective");
    // A control created later includes earlier tests.
    assert_eq!(made(&owner, &json!({ "measure_id": MEASURE })).await.1["effectiveness"], "ineffective");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn all_measures_of_a_framework_are_adopted_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let adopt = format!("{CONTROLS}/adopt");
    let one = owner.post(&adopt, &json!({ "measures": [MEASURE, MEASURE] })).await.expect(200).data();
    assert_eq!(one, json!({ "created": 1, "skipped": 0 }), "{engine:?}");
    let all = owner.post(&adopt, &json!({ "framework": "dora" })).await.expect(200).data();
    let created = all["created"].as_u64().unwrap();
    assert!(created > 100 && all["skipped"] == 1, "{all}");
    let again = owner.post(&adopt, &json!({ "framework": "dora" })).await.expect(200).data();
    assert_eq!(again, json!({ "created": 0, "skipped": created + 1 }));
    let total = async |query: &str| {
        owner.get(&format!("{CONTROLS}?{query}")).await.expect(200).json()["meta"]["total"].as_u64().unwrap()
    };
    assert_eq!(total("framework=dora").await, created + 1);
    assert_eq!(total("status=planned").await, created + 1);
    assert!(total("requirement=dora-art-08-01").await >= 1);
    assert_eq!(total("requirement=dora-art-99").await, 0);
    let iso = total("framework=iso-27001").await;
    assert!((1..=created).contains(&iso), "{iso} of {} controls", created + 1);
    let last = owner.get(&format!("{CONTROLS}?limit=1")).await.expect(200).json();
    assert_eq!(last["data"][0]["reference"], format!("C-{:04}", created + 1), "without gaps");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn measures_of_chapters_are_counted_and_adopted_with_an_owner(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let adopt = format!("{CONTROLS}/adopt");
    owner.post(&adopt, &json!({ "measures": [MEASURE] })).await.expect(200);
    let asked = json!({ "framework": "cra", "dry_run": true });
    let all = owner.post(&adopt, &asked).await.expect(200).data();
    assert!(all["dry_run"] == true && all["skipped"] == 1, "{engine:?}: {all}");
    let sections = all["sections"].as_array().unwrap();
    assert!(sections.len() > 1, "{all}");
    let section = sections.iter().find(|section| section["skipped"] == 1).unwrap();
    let wanted = json!({ "framework": "cra", "sections": [section["section"]], "owner": "Dana Weber" });
    let mut tried = wanted.clone();
    tried["dry_run"] = json!(true);
    let counted = owner.post(&adopt, &tried).await.expect(200).data();
    assert_eq!((&counted["created"], &counted["skipped"]), (&section["created"], &json!(1)));
    let total = async |query: &str| {
        owner.get(&format!("{CONTROLS}?{query}")).await.expect(200).json()["meta"]["total"].clone()
    };
    assert_eq!(total("").await, 1, "nothing was stored");
    let made = owner.post(&adopt, &wanted).await.expect(200).data();
    assert_eq!(made, json!({ "created": section["created"], "skipped": 1 }));
    assert_eq!(total("owner=Dana%20Weber").await, section["created"]);
    assert!(section["created"].as_u64() < all["created"].as_u64(), "other chapters have more: {all}");
    // An owner that is none is refused, whether or not a control would get it.
    for dry_run in [true, false] {
        let body = json!({ "measures": [MEASURE], "owner": "x".repeat(256), "dry_run": dry_run });
        let refused = owner.post(&adopt, &body).await.expect(422).json();
        assert!(refused["details"]["owner"].is_array(), "{refused}");
    }
}

#[tokio::test]
async fn what_is_adopted_is_said_in_full() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let adopt = format!("{CONTROLS}/adopt");
    for (body, field) in [
        (json!({}), "measures"),
        (json!({ "measures": ["measure-of-nothing"] }), "measures"),
        (json!({ "framework": "hipaa" }), "framework"),
        (json!({ "measures": [MEASURE], "framework": "dora" }), "measures"),
        (json!({ "measures": "all" }), "measures"),
        (json!({ "framework": "dora", "sections": ["of-nothing"] }), "sections"),
        (json!({ "sections": ["of-nothing"] }), "framework"),
        (json!({ "framework": "dora", "owner": "x".repeat(300) }), "owner"),
    ] {
        let refused = owner.post(&adopt, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
    let german = owner.with("accept-language", "de").post(&adopt, &json!({ "measures": [MEASURE] })).await;
    german.expect(200);
    let control = owner.get(CONTROLS).await.expect(200).data();
    assert_eq!(control[0]["title"], "Rolle und Klasse je Produkt mit digitalen Elementen bestimmen");
}

#[tokio::test]
async fn lists_are_narrowed_and_changes_are_conditional() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let due = json!({ "status": "implemented", "cadence": "weekly", "title": "Weekly check of alarms" });
    let (address, _) = made(&owner, &due).await;
    made(&owner, &json!({ "owner": "Dana Weber", "requirements": ["iso-27001-a-8-13"] })).await;
    let total = async |query: &str| {
        owner.get(&format!("{CONTROLS}?{query}")).await.expect(200).json()["meta"]["total"].clone()
    };
    assert_eq!(total("due_before=2026-11-22").await, 1);
    assert_eq!(total("due_before=2026-11-21").await, 0);
    assert_eq!(total("owner=Dana%20Weber").await, 1);
    assert_eq!(total("framework=iso-27001").await, 1);
    assert_eq!(total("framework=dora").await, 0);
    assert_eq!(total("search=alarms").await, 1);
    assert_eq!(total("search=C-0002").await, 1);
    owner.get(&format!("{CONTROLS}?due_before=soon")).await.expect(422);
    owner.get(&format!("{CONTROLS}?framework=dora&requirement=dora-art-08-01")).await.expect(422);
    let etag = owner.get(&address).await.expect(200).header("etag").unwrap().to_owned();
    owner.patch(&address, &json!({ "owner": "Kim" })).await.expect(200);
    owner.with("if-match", &etag).patch(&address, &json!({ "owner": "Dana" })).await.expect(412);
    let refused = json!({ "title": "", "status": "done", "cadence": "hourly", "requirements": ["law-1"] });
    let refused = owner.post(CONTROLS, &refused).await.expect(422).json();
    for field in ["title", "status", "cadence", "requirements"] {
        assert!(refused["details"][field].is_array(), "{field}: {refused}");
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn findings_that_name_a_control_count_for_it(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let control = owner.post("/api/v1/controls", &json!({ "title": "Restore test" })).await;
    let id = control.expect(201).data()["id"].clone();
    let address = format!("/api/v1/controls/{}", id.as_str().unwrap());
    let finding = json!({ "title": "No restore", "severity": "critical", "controls": [id] });
    let finding = owner.post("/api/v1/findings", &finding).await.expect(201).data();
    assert_eq!(finding["controls"], json!([id]), "{engine:?}");
    let control = owner.get(&address).await.expect(200).data();
    assert_eq!(control["open_findings"], 1, "{engine:?}");
    assert_eq!(control["effectiveness"], "ineffective", "{engine:?}");
    let finding = format!("/api/v1/findings/{}", finding["id"].as_str().unwrap());
    owner.patch(&finding, &json!({ "controls": [] })).await.expect(200);
    let control = owner.get(&address).await.expect(200).data();
    assert_eq!(control["open_findings"], 0, "{engine:?}");
    assert_eq!(control["effectiveness"], "not_tested", "{engine:?}");
    let stranger = app.owner("south").await;
    let foreign = json!({ "title": "Foreign", "severity": "low", "controls": [id] });
    let refused = stranger.post("/api/v1/findings", &foreign).await.expect(422).json();
    assert_eq!(
        refused["details"]["controls"][0], "item 1 must be the id of one of your controls",
        "{engine:?}"
    );
}
