use serde_json::json;
use test_case::test_case;
use testkit::{Engine, TestApp};

use crate::routes::api::v1::ict_arrangements::{created, of};

const PATH: &str = "/api/v1/concentration-risk/simulations";

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_simulation_is_kept_with_its_inputs_and_its_result(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let isar = created(&owner, &of("C-1", "Isar AG", 100)).await;
    let alster = created(&owner, &of("C-2", "Alster AG", 300)).await;
    let body = json!({
        "name": "Weser instead of Alster",
        "sign": [of("C-3", "Weser AG", 500)],
        "change": [{ "id": isar["id"], "region": "Bonn" }],
        "end": [alster["id"]],
    });
    let answer = owner.post(PATH, &body).await.expect(201);
    let kept = answer.data();
    let address = format!("{PATH}/{}", kept["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(address.as_str()));
    let kinds: Vec<_> = kept["changes"].as_array().unwrap().iter().map(|each| &each["kind"]).collect();
    assert_eq!(kinds, ["sign", "change", "end"]);
    let field = json!([{ "field": "region", "before": "Frankfurt", "after": "Bonn" }]);
    assert_eq!(kept["changes"][1]["fields"], field);
    assert_eq!(kept["changes"][2]["provider"], "Alster AG");
    assert_eq!((&kept["before"]["total"], &kept["after"]["total"]), (&json!(400), &json!(600)));
    let shares = kept["shares"].as_array().unwrap();
    let alster = shares.iter().find(|share| share["name"] == "Alster AG").unwrap();
    assert_eq!((&alster["before_pct"], &alster["difference_pct"]), (&json!(75), &json!(-75)));

    // Its report is kept as evidence, attached to the arrangement it is about.
    let target = json!({ "type": "arrangement", "id": isar["id"] });
    let proof = owner.post(&format!("{address}/attach"), &target).await.expect(201).data();
    assert_eq!((&proof["title"], &proof["file"]["media_type"]), (&kept["name"], &json!("application/pdf")));
    assert_eq!(proof["links"], json!([{ "type": "arrangement", "id": isar["id"] }]));
    let loose = owner.post(&format!("{address}/attach"), &json!({})).await.expect(201).data();
    assert_eq!(loose["links"], json!([]), "{engine:?}");
    let half = owner.post(&format!("{address}/attach"), &json!({ "type": "risk" })).await.expect(422).json();
    assert!(half["details"]["id"].is_array(), "{half}");

    // What happens to the register later does not change what was kept. What has evidence is kept, too.
    let arrangement = format!("/api/v1/ict-arrangements/{}", isar["id"].as_str().unwrap());
    owner.delete(&arrangement).await.expect(422);
    owner.patch(&arrangement, &json!({ "service": "Other" })).await.expect(200);
    assert_eq!(owner.get(&address).await.expect(200).data(), kept);
    let listed = owner.get(PATH).await.expect(200).json();
    assert_eq!((&listed["meta"]["total"], &listed["data"][0]["name"]), (&json!(1), &kept["name"]));
    owner.delete(&address).await.expect(204);
    owner.get(&address).await.expect(404);
    owner.delete(&address).await.expect(404);
}

#[tokio::test]
async fn a_simulation_without_a_name_or_a_change_is_not_kept() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    created(&owner, &of("C-1", "Isar AG", 100)).await;
    for (body, field) in [
        (json!({ "sign": [of("C-3", "Weser AG", 500)] }), "name"),
        (json!({ "name": " ", "sign": [of("C-3", "Weser AG", 500)] }), "name"),
        (json!({ "name": "Nothing" }), "changes"),
        (json!({ "name": "Unknown", "end": ["arr_01m7emchyte48szc58gy1ergfp"] }), "changes"),
    ] {
        let refused = owner.post(PATH, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{body}: {refused}");
    }
    assert_eq!(owner.get(PATH).await.expect(200).json()["meta"]["total"], 0);
}
