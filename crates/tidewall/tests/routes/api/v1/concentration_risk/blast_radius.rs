use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use crate::routes::api::v1::ict_arrangements::{created, of};

const PATH: &str = "/api/v1/concentration-risk/blast-radius";

/// Two providers depend on one data centre, which depends on a power company; a third is independent.
async fn register(owner: &Client) {
    for (reference, provider, function, through) in [
        ("C-1", "Isar AG", "Payments", Some("Rhein RZ")),
        ("C-2", "Alster AG", "Trading", Some("Rhein RZ")),
        ("C-3", "Weser AG", "Archive", None),
    ] {
        let mut body = of(reference, provider, 100);
        body["functions"] = json!([{ "name": function, "critical": reference != "C-3" }]);
        if let Some(supplier) = through {
            body["supply_chain"] = json!([
                { "supplier": { "name": supplier } },
                { "supplier": { "name": "Elbe Strom" }, "recipient": { "name": supplier } },
            ]);
        }
        if provider != "Isar AG" {
            body["ultimate_parent"] = json!({ "name": "Polar Holding Oyj" });
        }
        created(owner, &body).await;
    }
}

fn paths(radius: &Value) -> Vec<String> {
    let functions = radius["functions"].as_array().unwrap().iter();
    functions
        .map(|each| {
            let path: Vec<_> = each["path"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            format!("{}: {}", each["name"].as_str().unwrap(), path.join(" > "))
        })
        .collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_functions_behind_a_failing_provider_are_listed_with_the_way_there(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    register(&owner).await;
    let direct = owner.post(PATH, &json!({ "provider": "Isar AG" })).await.expect(200).data();
    assert_eq!(paths(&direct), ["Payments: Isar AG"]);
    assert_eq!((&direct["share_pct"], &direct["critical_functions_pct"]), (&json!(33.33), &json!(50)));
    let hidden = owner.post(PATH, &json!({ "provider": "Elbe Strom" })).await.expect(200).data();
    assert_eq!(
        paths(&hidden),
        ["Payments: Isar AG > Rhein RZ > Elbe Strom", "Trading: Alster AG > Rhein RZ > Elbe Strom"]
    );
    assert_eq!((&hidden["arrangements"], &hidden["critical_functions"]), (&json!(2), &json!(2)));
    let group = json!({ "provider": "Weser AG", "by": "group" });
    let group = owner.post(PATH, &group).await.expect(200).data();
    assert_eq!(group["failing"], json!(["Alster AG", "Polar Holding Oyj", "Weser AG"]));
    assert_eq!(paths(&group), ["Trading: Alster AG", "Archive: Weser AG"]);
}

#[tokio::test]
async fn unknown_providers_and_odd_questions_are_named() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let empty = owner.post(PATH, &json!({ "provider": "Isar AG" })).await.expect(422).json();
    assert!(empty["details"]["register"].is_array(), "{empty}");
    register(&owner).await;
    for (body, field) in [
        (json!({}), "provider"),
        (json!({ "provider": 7 }), "provider"),
        (json!({ "provider": "Nobody" }), "provider"),
        (json!({ "provider": "Isar AG", "by": "family" }), "by"),
        (json!({ "provider": "Isar AG", "basis": "feeling" }), "basis"),
    ] {
        let refused = owner.post(PATH, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
    let neighbour = app.owner("south").await;
    created(&neighbour, &of("C-1", "Ems AG", 1)).await;
    neighbour.post(PATH, &json!({ "provider": "Isar AG" })).await.expect(422);
}
