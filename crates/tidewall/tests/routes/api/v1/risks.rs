use domain::risk::{Appetite, Rating, RiskCategory, RiskLevel};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::seed;

const RISKS: &str = "/api/v1/risks";
const FUNCTION: &str = "fun_01k9x14js0e00000000000000a";

async fn made(client: &Client, fields: &Value) -> (String, Value) {
    let mut body = json!({
        "title": "Ransomware", "category": "cyber-attack", "inherent": { "likelihood": 4, "impact": 5 },
    });
    for (field, value) in fields.as_object().unwrap() {
        body[field] = value.clone();
    }
    let risk = client.post(RISKS, &body).await.expect(201).data();
    (format!("{RISKS}/{}", risk["id"].as_str().unwrap()), risk)
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn risks_are_kept_numbered_filtered_and_versioned(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let finding = seed::finding(&owner, &json!({})).await;
    let fields = json!({
        "cause": "A mail attachment", "event": "Servers are encrypted", "effect": "No payments for days",
        "owner": "Dana Weber", "functions": [FUNCTION], "findings": [finding["id"]],
        "residual": { "likelihood": 2, "impact": 4 }, "target": { "likelihood": 1, "impact": 3 },
        "treatment": "mitigate", "review_on": "2027-03-31",
    });
    let (address, risk) = made(&owner, &fields).await;
    assert_eq!(risk["reference"], "R-0001", "{engine:?}");
    assert_eq!(risk["inherent"], json!({ "likelihood": 4, "impact": 5, "level": "critical" }));
    assert_eq!(risk["residual"]["level"], "medium");
    assert_eq!((&risk["target"]["level"], &risk["status"]), (&json!("low"), &json!("open")));
    let (_, plain) = made(&owner, &json!({ "title": "Fire", "category": "physical" })).await;
    assert_eq!(plain["reference"], "R-0002");
    assert_eq!((&plain["residual"], &plain["target"]), (&plain["inherent"], &json!(null)));

    owner.patch(&address, &json!({ "status": "treating", "note": "Backups first" })).await.expect(200);
    let versions = owner.get(&format!("{address}/versions")).await.expect(200).json();
    assert_eq!(versions["meta"]["total"], 2);
    assert_eq!(owner.get(&format!("{address}/versions/1")).await.data()["record"]["status"], "open");
    let history = owner.get(&address).await.data()["history"].clone();
    assert_eq!((&history[1]["to"], &history[1]["note"]), (&json!("treating"), &json!("Backups first")));

    for (query, found) in [
        ("status=treating", 1),
        ("level=critical", 1),
        ("level=high", 0),
        ("category=physical", 1),
        ("owner=Dana%20Weber", 1),
        (&format!("function={FUNCTION}"), 1),
        ("function=fun_01k9x14js0e00000000000000b", 0),
        ("review_before=2027-04-01", 1),
        ("review_before=2027-03-31", 0),
        ("search=encrypted", 1),
        ("search=r-0002", 1),
        ("sort=level", 2),
    ] {
        let page = owner.get(&format!("{RISKS}?{query}")).await.expect(200).json();
        assert_eq!(page["meta"]["total"], found, "{query}");
    }
    let sorted = owner.get(&format!("{RISKS}?sort=level")).await.json();
    assert_eq!(sorted["data"][0]["title"], "Fire");
    owner.get(&format!("{RISKS}?level=extreme")).await.expect(422);

    let matrix = owner.get(&format!("{RISKS}/matrix")).await.expect(200).data();
    let cell = |kind: &str, likelihood: u64, impact: u64| {
        let cells = matrix[kind].as_array().unwrap();
        assert_eq!(cells.len(), 25);
        let here = |cell: &&Value| cell["likelihood"] == likelihood && cell["impact"] == impact;
        cells.iter().find(here).unwrap()["count"].clone()
    };
    assert_eq!(
        (cell("inherent", 4, 5), cell("residual", 4, 5), cell("residual", 2, 4)),
        (json!(2), json!(1), json!(1))
    );
    owner.delete(&address).await.expect(204);
    assert!(owner.get(&address).await.expect(200).data()["archived_at"].is_string(), "it has a history");
    assert_eq!(made(&owner, &json!({})).await.1["reference"], "R-0003", "a number is never given twice");
}

#[tokio::test]
async fn wrong_fields_are_named() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let stranger = app.owner("south").await;
    let theirs = seed::finding(&stranger, &json!({})).await;
    let body = json!({
        "title": " ", "category": "weather", "inherent": { "likelihood": 6, "impact": "high" },
        "functions": ["Payments"], "controls": ["ctl_1"], "findings": [theirs["id"]], "treatment": "reduce",
        "review_on": "soon",
    });
    let details = owner.post(RISKS, &body).await.expect(422).json()["details"].clone();
    {
        let field = "inherent.impact";
        assert!(details[field][0].is_string(), "{field}: {details}");
    }
    let mut body = body;
    body["inherent"]["impact"] = json!(2);
    let details = owner.post(RISKS, &body).await.expect(422).json()["details"].clone();
    for field in [
        "title",
        "category",
        "inherent.likelihood",
        "functions",
        "controls",
        "findings",
        "treatment",
        "review_on",
    ] {
        assert!(details[field][0].is_string(), "{field}: {details}");
    }
    assert_eq!(details["findings"][0], "item 1 must be the id of one of your findings");
    assert_eq!(owner.get(RISKS).await.json()["meta"]["total"], 0);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_grave_risk_is_accepted_by_a_second_key_and_opens_again_by_itself(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let first = app.client(&app.key(&tenant, "read,write").await);
    let second = app.client(&app.key(&tenant, "read,write").await);
    let (address, _) = made(&first, &json!({})).await;
    let acceptance = json!({ "reason": "Replaced in spring", "until": "2026-11-16" });
    let at_once = json!({ "status": "accepted", "acceptance": acceptance });
    let refused = first.patch(&address, &at_once).await.expect(422).json();
    let message = refused["details"]["acceptance"][0].as_str().unwrap();
    assert!(message.starts_with("needs a second person from level high on"), "{message}");

    let proposed = first.patch(&address, &json!({ "acceptance": acceptance })).await.expect(200).data();
    assert_eq!((&proposed["status"], &proposed["acceptance"]["approved_by"]), (&json!("open"), &json!(null)));
    first.patch(&address, &json!({ "status": "accepted" })).await.expect(422);
    let accepted = second.patch(&address, &json!({ "status": "accepted" })).await.expect(200).data();
    let (by, from) = (&accepted["acceptance"]["approved_by"], &accepted["acceptance"]["proposed_by"]);
    assert!(by.as_str().unwrap().starts_with("key_") && by != from);
    second.delete(&address).await.expect(422);
    let graver = json!({ "residual": { "likelihood": 5, "impact": 5 } });
    second.patch(&address, &graver).await.expect(200);

    let day = 24 * 60 * 60 * 1000;
    app.clock.advance(2 * day);
    assert_eq!(app.app.expire_risk_acceptances().await.unwrap(), 0, "the last day still holds");
    app.clock.advance(day);
    assert_eq!(app.app.expire_risk_acceptances().await.unwrap(), 1);
    assert_eq!(app.app.expire_risk_acceptances().await.unwrap(), 0);
    let opened = first.get(&address).await.expect(200).data();
    assert_eq!((&opened["status"], &opened["acceptance"]), (&json!("open"), &json!(null)));
    let last = opened["history"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["by"], &last["note"]),
        (&json!("system"), &json!("The risk was accepted until 16 Nov 2026."))
    );
}

#[tokio::test]
async fn a_small_risk_needs_one_person() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let (address, _) = made(&owner, &json!({ "residual": { "likelihood": 2, "impact": 2 } })).await;
    let accept = json!({ "status": "accepted", "acceptance": { "reason": "Small", "until": "2027-01-01" } });
    owner.patch(&address, &accept).await.expect(200);
    let graver = json!({ "residual": { "likelihood": 5, "impact": 5 } });
    let refused = owner.patch(&address, &graver).await.expect(422).json();
    assert!(refused["details"]["residual"][0].as_str().unwrap().starts_with("cannot rise"));
    let reopened = owner.patch(&address, &json!({ "status": "open" })).await.expect(200).data();
    assert_eq!(reopened["acceptance"], json!(null));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn risks_of_the_library_are_adopted_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let adopt = format!("{RISKS}/adopt");
    let ids = json!({ "risks": ["risk-data-centre-failure", "risk-capacity-peak", "risk-capacity-peak"] });
    let done = owner.post(&adopt, &ids).await.expect(200).data();
    assert_eq!((&done["created"], &done["skipped"]), (&json!(2), &json!(0)), "{engine:?}");
    let done = owner.post(&adopt, &ids).await.expect(200).data();
    assert_eq!((&done["created"], &done["skipped"]), (&json!(0), &json!(2)));
    let listed = owner.get(&format!("{RISKS}?sort=created_at")).await.json();
    let first = &listed["data"][0];
    assert_eq!(first["title"], "Failure of the primary data centre");
    assert_eq!((&first["reference"], &first["category"]), (&json!("R-0001"), &json!("availability")));
    assert_eq!((&first["inherent"], &first["residual"]), (&json!(null), &json!(null)), "not rated");
    assert_eq!((&first["treatment"], &first["status"]), (&json!("undecided"), &json!("open")));
    assert_eq!(first["library_texts"], json!(["title", "event"]));
    let matrix = owner.get(&format!("{RISKS}/matrix")).await.expect(200).data();
    let cells = matrix["residual"].as_array().unwrap();
    assert_eq!(matrix["unrated"], 2);
    assert!(cells.iter().all(|cell| cell["count"] == 0), "{engine:?}");
    for level in ["critical", "high", "medium", "low"] {
        let found = owner.get(&format!("{RISKS}?level={level}")).await.expect(200).json();
        assert_eq!(found["meta"]["total"], 0, "{level}");
    }
    let address = format!("{RISKS}/{}", first["id"].as_str().unwrap());
    let accepted =
        json!({ "status": "accepted", "acceptance": { "reason": "Small", "until": "2030-01-01" } });
    let refused = owner.patch(&address, &accepted).await.expect(422).json();
    assert_eq!(refused["details"]["residual"][0], "must be rated before the risk is accepted");
    let rated = json!({ "inherent": { "likelihood": 3, "impact": 5 }, "residual": { "likelihood": 2, "impact": 2 },
        "title": "Our data centre fails" });
    let rated = owner.patch(&address, &rated).await.expect(200).data();
    assert_eq!((&rated["residual"]["level"], &rated["library_texts"]), (&json!("low"), &json!(["event"])));
    let low = owner.get(&format!("{RISKS}?level=low")).await.expect(200).json();
    assert_eq!(low["meta"]["total"], 1, "{engine:?}");
    let one = json!({ "risks": ["risk-network-carrier-failure"] });
    let german = owner.post(&format!("{adopt}?lang=de"), &one).await;
    let id = german.expect(200).data()["risks"][0].clone();
    let german = owner.get(&format!("{RISKS}/{}", id.as_str().unwrap())).await.data();
    assert_eq!(german["title"], "Leitungsausfall trennt Filialen und Geldautomaten ab");
    let unknown = owner.post(&adopt, &json!({ "risks": ["risk-of-everything"] })).await.expect(422).json();
    let message = unknown["details"]["risks"][0].as_str().unwrap();
    assert_eq!(message, "names risk-of-everything, which is no risk of the library");
    owner.post(&adopt, &json!({})).await.expect(422);
    owner.post(&adopt, &json!({ "risks": [] })).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_risk_above_the_appetite_is_an_alert_until_it_is_dealt_with(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let (address, risk) = made(&owner, &json!({})).await;
    made(&owner, &json!({ "category": "physical" })).await;
    let alerts = async || {
        let alerts = owner.get("/api/v2/alerts?limit=100").await.expect(200).data();
        let ours = |alert: &&Value| alert["type"] == "risk_above_appetite";
        alerts.as_array().unwrap().iter().filter(ours).cloned().collect::<Vec<_>>()
    };
    assert!(alerts().await.is_empty());
    let levels = [(RiskCategory::CyberAttack, RiskLevel::Medium)].into();
    let appetite = Appetite { levels, ..Appetite::default() };
    app.app.compliance.choose_risk_appetite(&tenant.caller, appetite).await.unwrap();
    let raised = alerts().await;
    assert_eq!(raised.len(), 1, "{engine:?}");
    assert_eq!(raised[0]["subject"]["id"], risk["id"]);
    assert_eq!(raised[0]["title"], "R-0001 is critical, above the appetite of medium: Ransomware");
    assert_eq!(owner.get(&address).await.data()["exceeds_appetite"], "medium");
    let matrix = owner.get(&format!("{RISKS}/matrix")).await.data();
    assert_eq!(matrix["appetite"]["levels"], json!({ "cyber-attack": "medium" }));
    let lower = json!({ "residual": { "likelihood": 2, "impact": 3 } });
    owner.patch(&address, &lower).await.expect(200);
    assert!(alerts().await.is_empty());
}

#[tokio::test]
async fn the_levels_are_those_of_the_catalogue() {
    let app = TestApp::new().await;
    let edition = app.app.catalogue().unwrap();
    for likelihood in 1..=5_u8 {
        for impact in 1..=5_u8 {
            let own = Rating::new(likelihood.into(), impact.into()).unwrap().level();
            assert_eq!(own, edition.matrix.level(likelihood, impact), "{likelihood} and {impact}");
        }
    }
}
