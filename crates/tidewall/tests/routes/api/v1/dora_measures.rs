use serde_json::json;
use testkit::TestApp;

const PATH: &str = "/api/v1/dora/measures";

#[tokio::test]
async fn a_list_has_its_page_and_a_record_its_address() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let total = app.app.catalogue().unwrap().measures.len();
    let page = owner.get(&format!("{PATH}?limit=3&offset=2")).await.expect(200).json();
    let next = &page["meta"]["next_cursor"];
    assert!(next.is_string());
    assert_eq!(
        page["meta"],
        json!({ "count": 3, "total": total, "limit": 3, "offset": 2, "next_cursor": next })
    );
    for measure in page["data"].as_array().unwrap() {
        let id = measure["id"].as_str().unwrap();
        let one = owner.get(&format!("{PATH}/{id}")).await.expect(200);
        assert_eq!(one.data(), *measure);
        let etag = one.header("etag").unwrap();
        owner.with("if-none-match", etag).get(&format!("{PATH}/{id}")).await.expect(304);
        owner.with("if-none-match", etag).get(&format!("{PATH}/{id}?lang=de")).await.expect(200);
    }
    let beyond = owner.get(&format!("{PATH}?offset=9999")).await.expect(200).json();
    assert_eq!((&beyond["data"], &beyond["meta"]["total"]), (&json!([]), &json!(total)));
}

#[tokio::test]
async fn a_page_is_validated() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let first = owner.get(&format!("{PATH}?limit=5")).await.expect(200);
    let holds = owner.with("if-none-match", first.header("etag").unwrap());
    holds.get(&format!("{PATH}?limit=5")).await.expect(304);
    for other in ["?limit=6", "?limit=5&offset=1", "?limit=5&lang=de", "?limit=5&search=backup"] {
        holds.get(&format!("{PATH}{other}")).await.expect(200);
    }
}

#[tokio::test]
async fn words_and_filters_narrow_it_down() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let total = async |query: &str| {
        let body = owner.get(&format!("{PATH}?limit=500&{query}")).await.expect(200).json();
        body["meta"]["total"].as_u64().unwrap()
    };
    let all = total("").await;
    let mut by_pillar = 0;
    for pillar in [
        "ict-risk-management",
        "incident-management",
        "resilience-testing",
        "third-party-risk",
        "information-sharing",
    ] {
        by_pillar += total(&format!("pillar={pillar}")).await;
    }
    assert_eq!(by_pillar, all);
    let backup = total("search=BACKUP").await;
    assert!(backup > 0 && backup < all);
    assert_eq!(total("search=b%C3%A4ck%C3%BCp").await, backup, "accents do not count");
    assert!(total("search=backup&priority=critical").await < backup);
    let refused =
        owner.get(&format!("{PATH}?pillar=x&priority=y&search={}", "a".repeat(201))).await.expect(422).json();
    for field in ["pillar", "priority", "search"] {
        assert!(refused["details"][field].is_array(), "{field}: {refused}");
    }
    assert!(refused["details"]["priority"][0].as_str().unwrap().contains("critical, high, medium, low"));
}

#[tokio::test]
async fn an_unknown_id_is_404() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for id in ["x", "measure-", "MEASURE-ICT-RISK-STATUS-REPORTING", "%00", "..%2F..", "%FF"] {
        owner.get(&format!("{PATH}/{id}")).await.expect(404);
    }
}
