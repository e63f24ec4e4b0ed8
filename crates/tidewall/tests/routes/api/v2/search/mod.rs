mod own;

use serde_json::{Value, json};
use testkit::{Client, TestApp};

const PATH: &str = "/api/v2/search";

async fn hits(client: &Client, query: &str) -> Vec<Value> {
    client.get(&format!("{PATH}?{query}")).await.expect(200).data().as_array().unwrap().clone()
}

fn first(hits: &[Value]) -> (&str, &str) {
    (hits[0]["type"].as_str().unwrap(), hits[0]["id"].as_str().unwrap())
}

#[tokio::test]
async fn the_best_match_comes_first_with_its_passage_marked() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let found = hits(&owner, "q=ransomware%20core%20banking").await;
    assert!(["risk-ransomware-core-banking", "drill-ransomware-core-banking"].contains(&first(&found).1));
    let scores: Vec<f64> = found.iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b) && scores.iter().all(|score| (0.0..=1.0).contains(score)));
    for hit in &found {
        assert!(hit["snippet"].as_str().unwrap().contains("<mark>"), "{hit}");
        let fields: Vec<_> = hit.as_object().unwrap().keys().map(String::as_str).collect();
        for field in ["type", "id", "title", "snippet", "score", "url"] {
            assert!(fields.contains(&field), "{hit}");
        }
    }
}

#[tokio::test]
async fn german_and_english_stems_and_beginnings_match() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (one, other) in [("q=policies", "q=POLICY%20"), ("q=Vorf%C3%A4lle&lang=de", "q=vorfall&lang=de")] {
        let (one, other) = (hits(&owner, one).await, hits(&owner, other).await);
        assert!(!one.is_empty() && !other.is_empty());
        let ids = |hits: &[Value]| hits.iter().map(|hit| hit["id"].clone()).collect::<Vec<_>>();
        assert!(ids(&one).iter().any(|id| ids(&other).contains(id)));
    }
    // While typing.
    assert!(!hits(&owner, "q=encr").await.is_empty());
    assert!(hits(&owner, "q=encr%20").await.is_empty(), "with a space after it the word is complete");
}

#[tokio::test]
async fn a_number_finds_its_requirement() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    assert_eq!(first(&hits(&owner, "q=A.8.13").await).1, "iso-27001-a-8-13");
}

#[tokio::test]
async fn every_address_leads_to_the_record() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let mut kinds = std::collections::BTreeSet::new();
    for question in
        ["risk", "register", "incident", "provider", "backup", "training", "report", "widget", "contract"]
    {
        for hit in hits(&owner, &format!("q={question}&limit=100")).await {
            if !kinds.insert(hit["type"].as_str().unwrap().to_owned()) {
                continue;
            }
            let (url, id) = (hit["url"].as_str().unwrap(), hit["id"].as_str().unwrap());
            let answer = owner.get(url.split('#').next().unwrap()).await.expect(200);
            assert!(answer.to_string().contains(&format!("\"id\":\"{id}\"")), "{hit}");
        }
    }
    assert!(kinds.len() >= 12, "{kinds:?}");
}

#[tokio::test]
async fn the_question_has_1_to_200_characters() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for bad in
        [String::new(), "?q=".to_owned(), "?q=%20%20".to_owned(), format!("?q={}", "%C3%BC".repeat(201))]
    {
        let refused = owner.get(&format!("{PATH}{bad}")).await.expect(422).json();
        assert!(refused["details"]["q"].is_array(), "{bad}: {refused}");
    }
    owner.get(&format!("{PATH}?q={}", "%C3%BC".repeat(200))).await.expect(200);
    let odd = owner.get(&format!("{PATH}?q=%22%27%3Cscript%3E*%20AND%20(")).await.expect(200).json();
    assert_eq!(odd["meta"]["offset"], json!(0));
}

#[tokio::test]
async fn pages_are_cut_from_one_order() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let all = hits(&owner, "q=risk&limit=20").await;
    let mut joined = hits(&owner, "q=risk&limit=10").await;
    joined.extend(hits(&owner, "q=risk&limit=10&offset=10").await);
    assert_eq!(all, joined);
}
