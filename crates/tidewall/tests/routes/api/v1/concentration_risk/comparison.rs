use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use crate::routes::api::v1::ict_arrangements::{created, of};

const PATH: &str = "/api/v1/concentration-risk";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn two_analyses_are_compared_in_percentage_points(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    created(&owner, &of("C-1", "Isar AG", 100)).await;
    created(&owner, &of("C-2", "Alster AG", 300)).await;
    let analyse = format!("{PATH}/analyze");
    let first = owner.post(&analyse, &json!({})).await.expect(201).data();
    created(&owner, &of("C-3", "Weser AG", 400)).await;
    let second = owner.post(&analyse, &json!({})).await.expect(201).data();
    let id = |analysis: &serde_json::Value| analysis["id"].as_str().unwrap().to_owned();
    let (first, second) = (id(&first), id(&second));
    let compared = owner.get(&format!("{PATH}/comparison?from={first}")).await.expect(200).data();
    assert_eq!((&compared["before"]["id"], &compared["after"]["id"]), (&json!(first), &json!(second)));
    assert_eq!(compared["alike"], true, "{engine:?}");
    let shares = compared["shares"].as_array().unwrap();
    let of_name = |name: &str| {
        let share = shares.iter().find(|one| one["dimension"] == "provider" && one["name"] == name);
        let share = share.unwrap_or_else(|| panic!("{name}: {compared}"));
        (share["before_pct"].clone(), share["after_pct"].clone(), share["difference_pct"].clone())
    };
    assert_eq!(of_name("Alster AG"), (json!(75), json!(37.5), json!(-37.5)), "{engine:?}");
    assert_eq!(of_name("Weser AG"), (json!(null), json!(50), json!(50)));
    assert_eq!(of_name("Isar AG"), (json!(25), json!(12.5), json!(-12.5)));
    let came: Vec<_> = compared["new_breaches"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(came.contains(&&json!("Weser AG")), "{compared}");
    // The other way round everything is the other way round.
    let back = owner.get(&format!("{PATH}/comparison?from={second}&to={first}")).await.expect(200).data();
    let gone: Vec<_> = back["gone_breaches"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(gone.contains(&&json!("Weser AG")), "{back}");
    let other = owner.post(&analyse, &json!({ "basis": "arrangements" })).await.expect(201).data();
    let mixed = format!("{PATH}/comparison?from={first}&to={}", id(&other));
    assert_eq!(owner.get(&mixed).await.expect(200).data()["alike"], false);
    for wrong in ["comparison", "comparison?from=yesterday"] {
        owner.get(&format!("{PATH}/{wrong}")).await.expect(422);
    }
    let stranger = app.owner("south").await;
    stranger.get(&format!("{PATH}/comparison?from={first}&to={second}")).await.expect(404);
}

#[tokio::test]
async fn critical_functions_are_listed_by_their_weakest_arrangement() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let with = |reference: &str, degree: &str, plan: Option<bool>, function: &str| {
        let mut body = of(reference, "Isar AG", 100);
        body["substitutability"] = json!(degree);
        body["exit_plan"] = json!(plan);
        body["functions"] = json!([{ "name": function, "critical": true }]);
        body
    };
    for body in [
        with("C-1", "easy", Some(true), "Payments"),
        with("C-2", "impossible", None, "Payments"),
        with("C-3", "medium", Some(true), "Trading"),
        with("C-4", "easy", Some(false), "Lending"),
    ] {
        created(&owner, &body).await;
    }
    let analysis = owner.post(&format!("{PATH}/analyze"), &json!({})).await.expect(201).data();
    assert_eq!(
        analysis["critical_functions"]["functions"],
        json!([
            { "name": "Payments", "substitutability": "impossible", "exit_plan": null, "arrangements": 2 },
            { "name": "Trading", "substitutability": "medium", "exit_plan": true, "arrangements": 1 },
            { "name": "Lending", "substitutability": "easy", "exit_plan": false, "arrangements": 1 },
        ])
    );
}
