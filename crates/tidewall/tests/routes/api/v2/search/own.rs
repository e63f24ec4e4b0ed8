//! The tenant's own records among the results.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, hits};

async fn created(client: &Client, path: &str, body: Value) -> Value {
    client.post(path, &body).await.expect(201).data()
}

async fn finding(client: &Client, title: &str, description: &str) -> Value {
    let body = json!({ "title": title, "description": description, "severity": "high" });
    created(client, "/api/v1/findings", body).await
}

/// A record of each kind, with a word that occurs nowhere else.
async fn one_of_each(client: &Client, word: &str) -> Vec<(&'static str, Value)> {
    let programme = json!({ "name": format!("Programme {word}"), "framework": "dora" });
    let programme = created(client, "/api/v1/programmes", programme).await;
    let test_case = json!({
        "programme_id": programme["id"], "title": "Failover", "test_type": "scenario_based_test",
        "steps": ["Switch over", format!("Watch the {word}")],
    });
    let test_case = created(client, "/api/v1/test-cases", test_case).await;
    let finding = finding(client, "Console reachable", &format!("The {word} answers to anyone")).await;
    let arrangement = json!({
        "reference": "C-1", "provider": { "name": format!("{word} SE"), "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "functions": [{ "name": "Payments", "critical": true }], "substitutability": "hard",
        "annual_cost": { "amount": 100, "currency": "EUR" }, "starts_on": "2026-01-01",
    });
    let arrangement = created(client, "/api/v1/ict-arrangements", arrangement).await;
    // It was created with its arrangement.
    let provider = client.get("/api/v1/providers").await.expect(200).data()[0].clone();
    vec![
        ("programme", programme),
        ("test_case", test_case),
        ("finding", finding),
        ("ict_arrangement", arrangement),
        ("own_provider", provider),
    ]
}

fn ids(hits: &[Value]) -> Vec<&str> {
    hits.iter().map(|hit| hit["id"].as_str().unwrap()).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_kind_is_found_marked_and_addressed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let records = one_of_each(&owner, "Quallenfischer").await;
    let found = hits(&owner, "q=quallenfisch").await;
    let of = |kind: &str| found.iter().filter(|hit| hit["type"] == kind).collect::<Vec<_>>();
    for (kind, record) in &records {
        let [hit] = of(kind)[..] else { panic!("{kind} on {engine:?}: {found:?}") };
        assert_eq!(hit["id"], record["id"]);
        assert!(hit["snippet"].as_str().unwrap().contains("<mark>Quallenfischer</mark>"), "{hit}");
        let there = owner.get(hit["url"].as_str().unwrap()).await.expect(200).data();
        assert_eq!(there["id"], record["id"]);
    }
    assert_eq!(found.len(), records.len());
    // Names come before texts, and within each the newest first.
    let kinds: Vec<_> = found.iter().map(|hit| hit["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["own_provider", "ict_arrangement", "programme", "finding", "test_case"], "{engine:?}");
    let mut scores = found.iter().map(|hit| hit["score"].as_f64().unwrap());
    assert!(scores.next() > scores.next_back());
    assert!(found[0]["title"].as_str().unwrap().starts_with("Quallenfischer SE"), "{}", found[0]);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn another_tenants_records_do_not_exist(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    one_of_each(&north, "Kanarienvogel").await;
    for query in ["kanarienvogel", "kanar", "ka", "Kanarienvogel%20SE", "answers%20kanarienvogel"] {
        let own = north.get(&format!("{PATH}?q={query}")).await.expect(200);
        assert!(own.to_string().contains("Kanarienvogel"), "{query} on {engine:?}");
        let foreign = south.get(&format!("{PATH}?q={query}&limit=500")).await.expect(200);
        assert!(!foreign.to_string().contains("Kanarienvogel"), "{query} on {engine:?}: {foreign}");
    }
    assert_eq!(south.get(&format!("{PATH}?q=kanarienvogel")).await.json()["meta"]["total"], 0);
    // A tenant's own records are found by the same words.
    one_of_each(&south, "Kanarienvogel").await;
    assert_eq!(hits(&south, "q=kanarienvogel").await.len(), 5);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn forms_accents_and_beginnings_do_not_count(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let german = finding(&owner, "Überprüfungen der Zweigstellenfahrräder", "").await;
    let english = finding(&owner, "Unpatched gizmotrons", "Policies of the gizmotron were skipped").await;
    for (query, wanted) in [
        ("uberprufung%20zweigstellenfahrrad", &german),
        ("UEBERPRUEFUNG%20Zweigstellenfahrr%C3%A4der%20", &german),
        ("zweigst", &german),
        ("der%20Zweigstellenfahrr%C3%A4der", &german),
        ("zweigstellen", &german),
        ("gizmotron%20", &english),
        ("gizm", &english),
        ("policy%20gizmotrons", &english),
        ("the%20gizmotron%20policy%20", &english),
    ] {
        let found = hits(&owner, &format!("q={query}&limit=500")).await;
        assert!(ids(&found).contains(&wanted["id"].as_str().unwrap()), "{query} on {engine:?}");
    }
    for query in ["gizm%20", "g", "gizmotron%20zweigstellen"] {
        let found = hits(&owner, &format!("q={query}&limit=500")).await;
        assert!(found.iter().all(|hit| hit["type"] != "finding"), "{query} on {engine:?}: {found:?}");
    }
}

#[tokio::test]
async fn a_reference_leads_to_its_finding() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let one = finding(&owner, "One", "").await;
    finding(&owner, "Two", "").await;
    let reference = one["reference"].as_str().unwrap();
    let found = hits(&owner, &format!("q={reference}")).await;
    assert_eq!(ids(&found)[0], one["id"].as_str().unwrap());
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn what_changes_or_goes_is_found_no_more(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let records = one_of_each(&owner, "Wolpertinger").await;
    let finding = format!("/api/v1/findings/{}", records[2].1["id"].as_str().unwrap());
    owner.patch(&finding, &json!({ "description": "A Gryphon answers" })).await.expect(200);
    let arrangement = format!("/api/v1/ict-arrangements/{}", records[3].1["id"].as_str().unwrap());
    let renamed = json!({ "provider": { "name": "Gryphon SE", "country": "DE", "sector": "Cloud" } });
    owner.patch(&arrangement, &renamed).await.expect(200);
    assert_eq!(hits(&owner, "q=wolpertinger").await.len(), 2, "{engine:?}");
    assert_eq!(hits(&owner, "q=gryphon").await.len(), 3, "{engine:?}");
    for gone in [finding, arrangement] {
        owner.delete(&gone).await.expect(204);
    }
    assert_eq!(hits(&owner, "q=gryphon").await.len(), 0, "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn pages_across_the_catalogue_and_own_records_fit_together(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    for number in 0..7 {
        finding(&owner, &format!("Backup {number} was not restored"), "").await;
        finding(&owner, &format!("Tape {number}"), "No backup could be restored").await;
    }
    let all = owner.get(&format!("{PATH}?q=backup%20restore&limit=500")).await.expect(200).json();
    let whole = all["data"].as_array().unwrap();
    assert_eq!(all["meta"]["total"], whole.len());
    let own = whole.iter().filter(|hit| hit["type"] == "finding").count();
    assert!(own == 14 && whole.len() > own, "{engine:?}: {own} of {}", whole.len());
    let scores: Vec<f64> = whole.iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let mut joined = Vec::new();
    while joined.len() < whole.len() {
        let page = hits(&owner, &format!("q=backup%20restore&limit=3&offset={}", joined.len())).await;
        assert!(!page.is_empty());
        joined.extend(page);
    }
    assert_eq!(&joined, whole, "{engine:?}");
}

#[tokio::test]
async fn markup_in_records_stays_text() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    finding(&owner, "Grelbox", "<script>grelbox</script> & \"more\"").await;
    let found = hits(&owner, "q=grelbox").await;
    assert_eq!(
        found[0]["snippet"],
        "&lt;script&gt;<mark>grelbox</mark>&lt;/script&gt; &amp; &quot;more&quot;"
    );
}

#[tokio::test]
async fn imported_arrangements_are_found() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let csv = include_str!("../../../../../src/demo/register.csv");
    let request = http::Request::post("/api/v1/ict-arrangements/import")
        .header("content-type", "text/csv")
        .body(axum::body::Body::from(csv))
        .unwrap();
    owner.request(request).await.expect(200);
    let line = csv.lines().nth(1).unwrap();
    let reference = line.split(',').next().unwrap();
    let found = hits(&owner, &format!("q={reference}")).await;
    assert_eq!(found[0]["type"], "ict_arrangement", "{reference}: {found:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn characters_that_fold_to_several_words_find_what_they_stand_in(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let phrase = finding(&owner, "Sign \u{fdfa} on a page", "x").await;
    for (kind, record) in one_of_each(&owner, "a\u{fdfa}b").await {
        let path = match kind {
            "programme" => "/api/v1/programmes",
            "test_case" => "/api/v1/test-cases",
            "finding" => "/api/v1/findings",
            "own_provider" => "/api/v1/providers",
            _ => "/api/v1/ict-arrangements",
        };
        let listed = owner.get(&format!("{path}?search=a%EF%B7%BAb")).await.expect(200).data();
        assert_eq!(listed[0]["id"], record["id"], "{kind}");
    }
    // U+FDFA, U+FDFB, with letters around it, a fraction, and a word longer than any index takes.
    for question in ["%EF%B7%BA", "%EF%B7%BB", "x%EF%B7%BA", "%EF%B7%BAx", "%C2%BD", &"%EF%B7%BA".repeat(200)]
    {
        let found = hits(&owner, &format!("q={question}")).await;
        assert!(found.iter().all(|hit| !hit["snippet"].as_str().unwrap().is_empty()), "{question}");
    }
    let long = "\u{1e9b}".repeat(200);
    assert!(hits(&owner, &format!("q={long}", long = percent(&long))).await.is_empty());
    assert!(ids(&hits(&owner, "q=%EF%B7%BA").await).contains(&phrase["id"].as_str().unwrap()), "{engine:?}");
}

fn percent(text: &str) -> String {
    text.bytes().fold(String::new(), |all, byte| all + &format!("%{byte:02X}"))
}
