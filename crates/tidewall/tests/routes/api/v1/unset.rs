//! Filters for records in which a day, a parent or a link is not set, and by several parents and frameworks.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::seed;

async fn ids(client: &Client, list: &str) -> Vec<String> {
    let page = client.get(list).await.expect(200);
    let ids = seed::pluck(&page.json(), "id");
    assert_eq!(page.json()["meta"]["total"], ids.len(), "{list}: the total counts the same records");
    ids
}

fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap()
}

async fn made(client: &Client, path: &str, body: Value) -> String {
    id(&client.post(path, &body).await.expect(201).data()).to_owned()
}

/// Asks a list with each query, as it is, searched, and as of today, and compares which of the records are found.
async fn found_by(client: &Client, list: &str, records: &[String], expected: &[(&str, &[usize])]) {
    for (query, numbers) in expected {
        let wanted: Vec<_> = numbers.iter().map(|number| records[*number].clone()).collect();
        for besides in ["", "&search=gate", "&as_of=2026-11-14"] {
            let asked = format!("{list}?sort=created_at&{query}{besides}");
            assert_eq!(ids(client, &asked).await, wanted, "{asked}");
        }
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn findings_and_tests_are_found_by_several_programmes_and_without_one(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let (one, two) = (seed::programme(&client, &json!({})).await, seed::programme(&client, &json!({})).await);
    let mut tests = Vec::new();
    for (programme, due) in [(&one, json!("2027-01-10")), (&two, Value::Null), (&two, json!("2027-03-01"))] {
        let test = seed::test_case(&client, programme, &json!({ "title": "Gate", "due_on": due })).await;
        tests.push(id(&test).to_owned());
    }
    let control = made(&client, "/api/v1/controls", json!({ "title": "Guard" })).await;
    let mut findings = Vec::new();
    for body in [
        json!({ "programme_id": one["id"], "due_on": "2027-01-10", "controls": [control] }),
        json!({ "programme_id": two["id"] }),
        json!({ "due_on": "2027-03-01" }),
        json!({ "test_case_id": tests[0] }),
    ] {
        let mut body = body;
        body["title"] = json!("Gate");
        findings.push(id(&seed::finding(&client, &body).await).to_owned());
    }
    let (one, two, test) = (id(&one), id(&two), &tests[0]);
    let expected: [(&str, &[usize]); 13] = [
        (&format!("programme_id={one},{two}"), &[0, 1, 3]),
        (&format!("programme_id={one}&programme_id={two}&overdue=false"), &[0, 1, 3]),
        (&format!("programme_id={two}"), &[1]),
        (&format!("programme_id={two}&programme_id=none"), &[1, 2]),
        ("programme_id=none", &[2]),
        ("test_case_id=none", &[0, 1, 2]),
        (&format!("test_case_id={test},none&programme_id={one}"), &[0, 3]),
        ("control=none", &[1, 2, 3]),
        (&format!("control={control},none&due_before=2027-02-01"), &[0]),
        ("due_before=2027-02-01", &[0]),
        ("due_before=none", &[1, 3]),
        ("due_before=2027-02-01&due_before=none", &[0, 1, 3]),
        ("due_before=2026-12-01&due_before=2027-02-01", &[0]),
    ];
    found_by(&client, "/api/v1/findings", &findings, &expected).await;
    let expected: [(&str, &[usize]); 5] = [
        (&format!("programme_id={one},{two}"), &[0, 1, 2]),
        (&format!("programme_id={two}"), &[1, 2]),
        ("due_before=none", &[1]),
        ("due_before=2027-02-01,none", &[0, 1]),
        ("due_before=2027-02-01", &[0]),
    ];
    found_by(&client, "/api/v1/test-cases", &tests, &expected).await;
    for (list, name) in [
        ("findings?programme_id=colourless", "programme_id"),
        ("findings?control=none,colourless", "control"),
        ("findings?due_before=soon", "due_before"),
        // A test always belongs to a programme.
        ("test-cases?programme_id=none", "programme_id"),
        ("test-cases?programme_id=", "programme_id"),
    ] {
        let refused = client.get(&format!("/api/v1/{list}")).await.expect(422).json();
        assert!(refused["details"][name].is_array(), "{list}: {refused}");
    }
    // What belongs to another tenant is not found.
    let south = app.owner("south").await;
    let foreign = format!("/api/v1/findings?programme_id={one},{two},none&status=all");
    assert!(ids(&south, &foreign).await.is_empty());
    let wanted = json!({ "filter": "due_before=none&programme_id=none,".to_owned() + two,
        "change": { "owner": "Nora Lind" } });
    let answer = client.post("/api/v1/findings/bulk", &wanted).await.expect(200).data();
    assert_eq!(answer["changed"], 1, "{answer}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn controls_and_programmes_are_found_by_several_frameworks(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let path = "/api/v1/programmes";
    let mut programmes = Vec::new();
    for framework in ["dora", "nis2", "iso-27001"] {
        programmes.push(made(&client, path, json!({ "name": "Gate", "framework": framework })).await);
    }
    let expected: [(&str, &[usize]); 3] = [
        ("framework=dora,iso-27001", &[0, 2]),
        ("framework=dora&framework=nis2&framework=iso-27001", &[0, 1, 2]),
        ("framework=nis2", &[1]),
    ];
    found_by(&client, path, &programmes, &expected).await;
    let refused = client.get("/api/v1/programmes?framework=none").await.expect(422).json();
    assert!(refused["details"]["framework"].is_array(), "{refused}");
    let requirement = |framework: &str| {
        let edition = app.app.catalogue().unwrap();
        let mut all = edition.requirements.iter();
        all.find(|one| one.framework.as_str() == framework).unwrap().id.to_string()
    };
    let mut controls = Vec::new();
    for (requirements, cadence, next) in [
        (vec![requirement("dora")], "yearly", json!("2027-01-10")),
        (vec![requirement("nis2")], "none", Value::Null),
        (vec![], "none", Value::Null),
    ] {
        let body = json!({ "title": "Gate", "requirements": requirements, "cadence": cadence,
            "next_due_on": next, "status": "implemented" });
        controls.push(made(&client, "/api/v1/controls", body).await);
    }
    let expected: [(&str, &[usize]); 7] = [
        ("framework=dora,nis2", &[0, 1]),
        ("framework=nis2", &[1]),
        ("framework=none", &[2]),
        ("framework=none&framework=dora", &[0, 2]),
        ("due_before=none", &[1, 2]),
        ("due_before=2028-01-01,none&framework=dora", &[0]),
        ("due_before=2026-01-01", &[]),
    ];
    found_by(&client, "/api/v1/controls", &controls, &expected).await;
    let refused = client.get("/api/v1/controls?framework=dora,colourless").await.expect(422).json();
    assert!(refused["details"]["framework"].is_array(), "{refused}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn risks_evidence_and_incidents_are_found_without_what_they_need_not_have(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let mut functions = Vec::new();
    for name in ["Payments", "Cards"] {
        functions.push(made(&client, "/api/v1/functions", json!({ "name": name })).await);
    }
    let mut risks = Vec::new();
    for (functions, review) in [
        (json!([functions[0]]), json!("2027-01-10")),
        (json!([functions[1]]), Value::Null),
        (json!([]), json!("2027-03-01")),
    ] {
        let body = json!({ "title": "Gate", "category": "physical", "functions": functions,
            "review_on": review, "inherent": { "likelihood": 1, "impact": 1 } });
        risks.push(made(&client, "/api/v1/risks", body).await);
    }
    let (payments, cards) = (&functions[0], &functions[1]);
    let expected: [(&str, &[usize]); 6] = [
        (&format!("function={payments}&function={cards}"), &[0, 1]),
        ("function=none", &[2]),
        (&format!("function={cards}&function=none"), &[1, 2]),
        ("review_before=none", &[1]),
        ("review_before=2027-02-01&review_before=none", &[0, 1]),
        ("function=", &[0, 1, 2]),
    ];
    found_by(&client, "/api/v1/risks", &risks, &expected).await;
    let mut evidence = Vec::new();
    let kind = app.app.catalogue().unwrap().evidence.iter().next().unwrap().id.to_string();
    for (kind, until) in [(json!(kind), json!("2027-01-10")), (Value::Null, Value::Null)] {
        let body = json!({ "title": "Gate", "url": "https://example.com/r", "collected_on": "2026-01-01",
            "kind": kind, "valid_until": until });
        evidence.push(made(&client, "/api/v1/evidence", body).await);
    }
    let link = json!({ "type": "risk", "id": risks[0] });
    client.post(&format!("/api/v1/evidence/{}/links", evidence[0]), &link).await.expect(200);
    let expected: [(&str, &[usize]); 5] = [
        ("valid_before=none", &[1]),
        ("valid_before=2027-02-01,none", &[0, 1]),
        ("kind=none", &[1]),
        ("linked_to=none", &[1]),
        (&format!("linked_to={}", risks[0]), &[0]),
    ];
    found_by(&client, "/api/v1/evidence", &evidence, &expected).await;
    let incident = vec![made(&client, "/api/v1/incidents", json!({ "title": "Gate" })).await];
    let expected: [(&str, &[usize]); 3] =
        [("result=none", &[0]), ("result=major,none", &[0]), ("result=major", &[])];
    found_by(&client, "/api/v1/incidents", &incident, &expected).await;
    client.get("/api/v1/incidents?result=none,colourless").await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn assessments_are_found_by_several_frameworks_states_and_owners(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let list = "/api/v1/assessments";
    let page = client.get(&format!("{list}?framework=nis2&limit=3")).await.expect(200).json();
    let some: Vec<String> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["requirement"]["id"].as_str().unwrap().to_owned())
        .collect();
    for (requirement, change) in [
        (&some[0], json!({ "owner": "Weber, Ben", "due_on": "2027-01-10", "status": "met" })),
        (&some[1], json!({ "owner": "Anna Weber", "status": "partly_met" })),
    ] {
        client.patch(&format!("{list}/{requirement}"), &change).await.expect(200);
    }
    let total = async |query: &str| {
        client.get(&format!("{list}?{query}")).await.expect(200).json()["meta"]["total"].as_u64().unwrap()
    };
    let (dora, nis2) = (total("framework=dora").await, total("framework=nis2").await);
    assert!(dora > 0 && nis2 > 3);
    for (query, expected) in [
        ("framework=dora,nis2", dora + nis2),
        ("framework=dora&framework=nis2&owner=none", dora + nis2 - 2),
        ("owner=Weber, Ben&owner=Anna Weber", 2),
        ("framework=nis2&owner=none&owner=Anna Weber", nis2 - 1),
        ("status=met,partly_met", 2),
        ("framework=nis2&due_before=none", nis2 - 1),
        ("framework=nis2&due_before=none&due_before=2027-02-01", nis2),
        ("due_before=2027-02-01&due_before=2026-01-01", 1),
        ("framework=nis2&owner=none&as_of=2026-11-14", nis2 - 2),
    ] {
        assert_eq!(total(&query.replace(' ', "%20")).await, expected, "{query} on {engine:?}");
    }
    client.get(&format!("{list}?framework=dora,colourless")).await.expect(422);
    client.get(&format!("{list}?due_before=soon")).await.expect(422);
}
