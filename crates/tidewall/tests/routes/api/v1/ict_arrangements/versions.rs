//! Earlier versions of arrangements: by requests, by imports and by rows of the register.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{
    super::register::{self, package},
    PATH, created,
    import::{send, template},
    of, sample,
};

/// In milliseconds, as the clock of the tests is advanced.
const DAY: i64 = 86_400_000;

fn address(record: &Value) -> String {
    format!("{PATH}/{}", record["id"].as_str().unwrap())
}

/// The versions of a record, the current one first.
async fn versions(client: &Client, address: &str) -> Vec<Value> {
    let list = client.get(&format!("{address}/versions")).await.expect(200).json();
    let versions = list["data"].as_array().unwrap().clone();
    assert_eq!(list["meta"]["total"], versions.len());
    versions
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn every_change_keeps_the_version_before(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = address(&created(&owner, &sample()).await);
    app.clock.advance(60_000);
    let change = json!({ "provider": { "lei": null }, "functions": [], "places": { "storage": ["DE"] } });
    owner.patch(&address, &change).await.expect(200);
    app.clock.advance(60_000);
    owner.patch(&address, &json!({ "annual_cost": { "amount": 900 }, "exit_plan": true })).await.expect(200);
    // A change without effect creates no version.
    owner.patch(&address, &json!({ "exit_plan": true })).await.expect(200);

    let all = versions(&owner, &address).await;
    assert_eq!(all.iter().map(|each| each["version"].clone()).collect::<Vec<_>>(), [3, 2, 1], "{engine:?}");
    assert_eq!(
        all[2]["record"],
        json!({
            "reference": "C-2026-001",
            "provider": {
                "name": "Nordlicht Cloud SE", "lei": "529900D6BF99LW9R2E68", "country": "DE",
                "sector": "Cloud",
            },
            "service": "Core banking hosting", "service_type": "S17", "technology": "Kubernetes",
            "region": "Frankfurt", "functions": [["Payments", true], ["Intranet", false]],
            "substitutability": "hard", "annual_cost": "125000.00 EUR", "starts_on": "2026-01-01",
            "ends_on": null, "exit_plan": null, "notice_days": null,
            "places": { "provision": [], "storage": [], "processing": [] }, "supply_chain": [],
            "ultimate_parent": null, "archived_at": null,
        }),
        "{engine:?}"
    );
    assert_eq!(
        (&all[1]["record"]["provider"]["lei"], &all[1]["record"]["places"]["storage"]),
        (&json!(null), &json!(["DE"]))
    );
    assert_eq!(all[0]["record"]["annual_cost"], "9.00 EUR");
    assert_eq!((&all[1]["from"], &all[1]["until"]), (&all[2]["until"], &all[0]["from"]), "they follow");
    assert!(all[2]["replaced_by"].as_str().unwrap().starts_with("key_"), "{}", all[2]);
    assert_eq!((&all[0]["until"], &all[0]["replaced_by"]), (&json!(null), &json!(null)));
    for each in &all {
        let one = format!("{address}/versions/{}", each["version"]);
        assert_eq!(owner.get(&one).await.expect(200).data(), *each);
    }
    owner.get(&format!("{address}/versions/4")).await.expect(404);
    owner.delete(&address).await.expect(204);
    owner.get(&format!("{address}/versions")).await.expect(404);
    owner.get(&format!("{address}/versions/1")).await.expect(404);
}

#[tokio::test]
async fn the_audit_log_names_an_arrangement_briefly_and_its_changes_in_full() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = address(&created(&owner, &sample()).await);
    let service = "Core banking hosting, ".repeat(10);
    let service = service.trim().trim_end_matches(',');
    owner
        .patch(&address, &json!({ "service": service, "provider": { "sector": "Hosting" } }))
        .await
        .expect(200);
    owner.delete(&address).await.expect(204);
    let log = owner.get("/api/v1/audit?kind=register").await.expect(200).data();
    let said: Vec<_> =
        log.as_array().unwrap().iter().map(|entry| (&entry["action"], &entry["detail"])).collect();
    let brief = json!({
        "reference": "C-2026-001", "provider": "Nordlicht Cloud SE", "annual_cost": "125000.00 EUR",
    });
    let changed =
        json!({ "service": ["Core banking hosting", service], "provider.sector": ["Cloud", "Hosting"] });
    assert_eq!(
        said,
        [
            (&json!("arrangement.deleted"), &brief),
            (&json!("arrangement.changed"), &changed),
            (&json!("arrangement.created"), &brief),
        ]
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_list_as_of_a_day_is_filtered_searched_and_sorted_as_it_was_then(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, neighbour) = (app.owner("north").await, app.owner("south").await);
    for client in [&owner, &neighbour] {
        client.patch("/api/v1/profile", &json!({ "time_zone": "UTC" })).await.expect(200);
    }
    let first = address(&created(&owner, &of("A-1", "Alster Netze AG", 100)).await);
    created(&owner, &of("B-2", "Süd Cloud SE", 100)).await;
    created(&owner, &of("C-3", "Elbe Daten GmbH", 300)).await;
    app.clock.advance(2 * DAY);
    let change = json!({
        "reference": "Z-1", "provider": { "name": "Polar AG" }, "annual_cost": { "amount": 900 },
        "functions": [], "substitutability": "easy", "ends_on": "2026-06-30",
    });
    owner.patch(&first, &change).await.expect(200);
    for (query, then, now) in [
        ("sort=reference", &["A-1", "B-2", "C-3"][..], &["B-2", "C-3", "Z-1"][..]),
        // Equal costs are listed in the order of creation.
        ("sort=-annual_cost", &["C-3", "A-1", "B-2"], &["Z-1", "C-3", "B-2"]),
        ("", &["C-3", "B-2", "A-1"], &["C-3", "B-2", "Z-1"]),
        ("search=alster%20NETZ", &["A-1"], &[]),
        ("search=polar", &[], &["Z-1"]),
        ("provider=Polar%20AG", &[], &["Z-1"]),
        ("critical=false", &[], &["Z-1"]),
        ("substitutability=easy", &[], &["Z-1"]),
        ("active_on=2026-07-01", &["C-3", "B-2", "A-1"], &["C-3", "B-2"]),
        ("sort=reference&limit=1&offset=2", &["C-3"], &["Z-1"]),
    ] {
        for (day, expected) in [("2026-11-14", then), ("2026-11-16", now)] {
            let query = format!("{PATH}?as_of={day}&{query}");
            let data = owner.get(&query).await.expect(200).data();
            let listed: Vec<_> = data.as_array().unwrap().iter().map(|each| &each["reference"]).collect();
            assert_eq!(listed, expected, "{engine:?} {query}");
        }
    }
    let before = owner.get(&format!("{PATH}?as_of=2026-11-13")).await.expect(200).json();
    assert_eq!(before["meta"]["total"], 0, "{engine:?}: before the first one");
    let foreign = neighbour.get(&format!("{PATH}?as_of=2026-11-14")).await.expect(200).json();
    assert_eq!(foreign["meta"]["total"], 0, "{engine:?}");
    neighbour.get(&format!("{first}/versions")).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_import_keeps_the_versions_it_replaces(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let table = template(&owner).await;
    send(&owner, "", "text/csv", table.clone()).await.expect(200);
    app.clock.advance(2 * DAY);
    let done = send(&owner, "", "text/csv", table.replace("18000", "19000")).await.expect(200).data();
    assert_eq!((&done["changed"], &done["unchanged"]), (&json!(1), &json!(1)));
    let costs = async |query: &str| {
        let list = owner.get(&format!("{PATH}?sort=reference&{query}")).await.expect(200).data();
        let items = list.as_array().unwrap().iter();
        items.map(|each| each["annual_cost"]["amount"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let (then, now) = (costs("as_of=2026-11-14").await, costs("").await);
    assert!(then.contains(&1_800_000) && !then.contains(&1_900_000), "{engine:?}: {then:?}");
    assert!(now.contains(&1_900_000) && !now.contains(&1_800_000), "{engine:?}: {now:?}");
    assert_eq!(then.len(), now.len());
    let list = owner.get(PATH).await.expect(200).data();
    let mut kept = Vec::new();
    for each in list.as_array().unwrap() {
        kept.push(versions(&owner, &address(each)).await.len());
    }
    kept.sort_unstable();
    assert_eq!(kept, [1, 2], "{engine:?}: an unchanged line makes no version");
    // The search finds what the import wrote.
    let found = owner.get(&format!("{PATH}?search=C%202026%20001")).await.expect(200).json();
    assert_eq!(found["meta"]["total"], 1);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_changed_row_of_the_register_keeps_the_versions_of_all_its_arrangements(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    register::send(&owner, "", "application/zip", package()).await.expect(200);
    let all = owner.get(&format!("{PATH}?sort=reference")).await.expect(200).data();
    let all = all.as_array().unwrap();
    let lei = &all[0]["provider"]["lei"];
    let (same, others): (Vec<_>, Vec<_>) = all.iter().partition(|each| each["provider"]["lei"] == *lei);
    assert!(!same.is_empty() && !others.is_empty(), "the package has several providers");
    app.clock.advance(DAY);
    // A change of one arrangement goes back to the row of its provider, and from there to the others.
    let before = same[0]["provider"]["name"].clone();
    owner.patch(&address(same[0]), &json!({ "provider": { "name": "Other Name plc" } })).await.expect(200);
    for each in &same {
        let versions = versions(&owner, &address(each)).await;
        let names: Vec<_> = versions.iter().map(|each| each["record"]["provider"]["name"].clone()).collect();
        assert_eq!(names, [json!("Other Name plc"), before.clone()], "{engine:?}");
    }
    for each in others {
        assert_eq!(versions(&owner, &address(each)).await.len(), 1, "{engine:?}");
    }
}
