//! A past state is shown with its day, or refused: never ignored.

use domain::user::Role;
use serde_json::{Value, json};

use crate::{
    House, PASSWORD,
    records::create,
    roles::{addresses, filled},
};

/// Every address of the router, records and files included.
#[tokio::test]
async fn every_page_and_file_shows_a_past_state_or_refuses_it() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let (mut shown, mut refused) = (0, 0);
    for path in addresses(&house) {
        let outside = ["/sign-in", "/sign-out", "/link"].iter().any(|part| path.starts_with(part));
        if outside || browser.fetch(&filled(&path)).await.status == 405 {
            continue;
        }
        let answer = browser.fetch(&format!("{}?as_of=2026-06-30", filled(&path))).await;
        let kind = answer.headers.get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        let text = String::from_utf8_lossy(&answer.bytes).into_owned();
        match answer.status.as_u16() {
            422 => {
                assert!(text.contains("cannot be shown as of that day"), "{path}: {text}");
                refused += 1;
            }
            200 if kind.is_some_and(|kind| !kind.starts_with("text/html")) => shown += 1,
            200 => {
                assert!(text.contains("as they were at the end of 30 Jun 2026"), "{path}: {text}");
                shown += 1;
            }
            other => panic!("{path} answers {other} to a day"),
        }
    }
    assert!(shown >= 50 && refused >= 100, "{shown} shown, {refused} refused");
}

/// Where a record of each kind is made, what it is then, and what it is changed to.
fn kinds(programme: &str, person: &str) -> Vec<(&'static str, &'static str, Value, Value)> {
    let risk =
        json!({ "title": "Formerly", "category": "people", "inherent": { "likelihood": 3, "impact": 3 } });
    let arrangement = json!({
        "reference": "V-1", "provider": { "name": "Cloud AG", "country": "DE", "sector": "Cloud" },
        "service": "Formerly", "service_type": "S17", "technology": "Cloud", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01",
        "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    let cra = json!({
        "kind": "severe_incident", "product": { "name": "App" }, "title": "Formerly", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z",
    });
    let drill = json!({
        "scenario": "drill-ransomware-core-banking", "planned_for": "2027-03-18", "title": "Formerly",
    });
    let test = json!({ "programme_id": programme, "title": "Formerly", "test_type": "tlpt" });
    let training = json!({ "title": "Formerly", "people": [person], "due_on": "2027-01-31" });
    let request = json!({ "text": "Formerly", "owner": "Dana", "due_on": "2027-01-31" });
    let titled = json!({ "title": "Today" });
    vec![
        ("findings", "findings", json!({ "title": "Formerly", "severity": "high" }), titled.clone()),
        (
            "programmes",
            "programmes",
            json!({ "name": "Formerly", "framework": "dora" }),
            json!({ "name": "Today" }),
        ),
        ("test-cases", "test-cases", test, titled.clone()),
        ("controls", "controls", json!({ "title": "Formerly" }), titled.clone()),
        ("risks", "risks", risk, titled.clone()),
        ("incidents", "incidents", json!({ "title": "Formerly" }), titled.clone()),
        ("functions", "functions", json!({ "name": "Formerly" }), json!({ "name": "Today" })),
        ("ict-arrangements", "ict-arrangements", arrangement, json!({ "service": "Today" })),
        (
            "evidence",
            "evidence",
            json!({ "title": "Formerly", "url": "https://example.com/r" }),
            titled.clone(),
        ),
        ("drill-runs", "drill-runs", drill, titled.clone()),
        // What is wrong changes nothing, so the training is archived.
        ("trainings", "trainings", training, json!({ "due_on": "soon" })),
        ("evidence-requests", "evidence-requests", request, json!({ "text": "Today" })),
        ("cra-reports", "cra/reports", cra, titled.clone()),
        ("own-frameworks", "own-frameworks", json!({ "key": "house", "title": "Formerly" }), titled),
    ]
}

#[tokio::test]
async fn every_list_and_its_table_show_what_a_record_was_on_that_day() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let programme = json!({ "name": "Tests", "framework": "dora" });
    let programme = client.post("/api/v1/programmes", &programme).await.expect(201).data();
    house.signed_in(Role::Manager).await;
    let people = client.get("/api/v1/people").await.expect(200).data();
    let kinds = kinds(programme["id"].as_str().unwrap(), people[0]["id"].as_str().unwrap());
    let mut made = Vec::new();
    for (list, path, new, change) in kinds {
        let record = client.post(&format!("/api/v1/{path}"), &new).await.expect(201).data();
        let id = record.get("id").or_else(|| record[0].get("id")).unwrap().as_str().unwrap().to_owned();
        made.push((list, format!("/api/v1/{path}/{id}"), change));
    }
    house.pass(26 * 3600);
    let mut browser = house.browser().signed_in("manager@north.example", PASSWORD).await;
    for (list, address, change) in made {
        // What cannot be renamed is archived or deleted.
        if client.patch(&address, &change).await.status != 200 {
            client.delete(&address).await.expect(204);
        }
        for file in ["", ".csv"] {
            let address = format!("/workspace/{list}{file}");
            let text = async |browser: &mut crate::browser::Browser, address: &str| {
                String::from_utf8(browser.fetch(address).await.expect(200).bytes).unwrap()
            };
            let past = text(&mut browser, &format!("{address}?as_of=2026-11-14")).await;
            assert!(past.contains("Formerly"), "{address} does not show the past: {past}");
            let now = text(&mut browser, &address).await;
            // A page offers other records in its filters.
            let now = now.split("<tbody").nth(1).unwrap_or(&now);
            let is_empty = now.contains("class=\"empty\"");
            assert!(is_empty || !now.contains("Formerly"), "{address} did not change: {now}");
        }
    }
}

#[tokio::test]
async fn a_past_state_has_no_forms_and_shows_what_was_deleted_since() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let new = [("name", "Payments 2027"), ("framework", "dora")];
    let programme = create(&mut browser, "/workspace/programmes", &new).await;
    create(&mut browser, "/workspace/findings", &[("title", "Old cipher"), ("severity", "low")]).await;
    house.pass(26 * 3600);
    let mut browser = house.browser().signed_in("manager@north.example", PASSWORD).await;
    browser.submit(&programme, &format!("{programme}/delete"), &[]).await.expect(303);
    browser.get("/workspace/programmes").await.lacks("Payments 2027");
    browser.get("/workspace/programmes?as_of=2026-11-14").await.shows("Payments 2027");
    let past = browser.get("/workspace/findings?as_of=2026-11-14").await.shows("Old cipher");
    past.lacks("name=\"ids\"").lacks("<a class=\"button primary\" href=\"/workspace/findings/new\"");
    let past = browser.get("/workspace/assessments/dora?as_of=2026-11-14").await.expect(200);
    past.shows("as they were at the end of 14 Nov 2026").lacks("name=\"requirements\"");
    browser.get("/workspace/findings?as_of=yesterday").await.expect(422);
    browser.get("/workspace/programmes?as_of=").await.expect(200);
}
