//! A cached response is the same response: for the right caller, of the current edition.

use api::ApiOptions;
use app::limits::LimitRules;
use axum::Router;
use domain::rate::Rules;
use serde_json::json;
use testkit::{Answer, Client, Engine, TestApp, TestOptions, copy_of_catalogue};

/// What may differ between two responses to the same request.
const OWN: [&str; 5] = ["x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "date"];

fn lasting(answer: &Answer) -> (u16, Vec<(String, String)>, bytes::Bytes) {
    let headers = answer.headers.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
    let mut headers: Vec<_> =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    headers.sort();
    (answer.status.as_u16(), headers, answer.body.clone())
}

const QUESTIONS: [&str; 6] = [
    "/api/measures",
    "/api/measures?lang=de",
    "/api/radar",
    "/api/v2/risk-register?level=high",
    "/api/v2/risk-register?level=high&lang=de",
    "/api/v1/dora/measures?pillar=resilience-testing",
];
/// Those that take a key.
const KEYED: [&str; 2] = [QUESTIONS[3], QUESTIONS[5]];

/// A response is compressed quickly first and thoroughly in the background: the one that stays.
async fn settled(client: &Client, question: &str) -> Answer {
    let mut answer = client.get(question).await.expect(200);
    for _ in 0..500 {
        if !answer.header("etag").is_some_and(|tag| tag.contains("-quick")) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        answer = client.get(question).await.expect(200);
    }
    answer
}

#[tokio::test]
async fn asked_again_the_answer_is_the_same_but_for_what_is_the_requests_own() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for (header, value) in [
        ("accept-language", "en"),
        ("accept-language", "de"),
        ("accept-encoding", "gzip"),
        ("accept-encoding", "br"),
        ("accept-encoding", "zstd, identity;q=0.5"),
        ("origin", "null"),
    ] {
        let client = client.with(header, value);
        for question in QUESTIONS {
            let first = settled(&client, question).await;
            let again = client.get(question).await.expect(200);
            assert_eq!(lasting(&first), lasting(&again), "{question} with {header}: {value}");
            assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
            let known = client.with("if-none-match", first.header("etag").unwrap());
            assert_eq!(known.get(question).await.expect(304).body.len(), 0);
        }
    }
}

#[tokio::test]
async fn what_stands_behind_a_key_is_remembered_behind_it() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let other = app.owner("south").await;
    let spare = client.post("/api/v1/keys", &json!({ "name": "spare", "permissions": ["read"] })).await;
    let spare = spare.expect(201).json()["data"].clone();
    let spare_client = app.client(spare["key"].as_str().unwrap());
    for question in KEYED {
        for _ in 0..2 {
            let answer = client.get(question).await.expect(200);
            app.anonymous().get(question).await.expect(401);
            app.client("tw_no_such_key").get(question).await.expect(401);
            app.anonymous().with("authorization", "Basic bm90OmE=").get(question).await.expect(401);
            // Cached responses are the same for every caller.
            assert_eq!(lasting(&answer), lasting(&other.get(question).await));
            assert_eq!(lasting(&answer), lasting(&spare_client.get(question).await));
        }
    }
    client.delete(&format!("/api/v1/keys/{}", spare["id"].as_str().unwrap())).await.expect(204);
    for question in KEYED {
        spare_client.get(question).await.expect(401);
        client.get(question).await.expect(200);
    }
}

#[tokio::test]
async fn an_answer_given_again_is_counted_like_the_first() {
    let few = |rules: Rules| Rules { standard: 3, burst: 3, ..rules };
    let limits = LimitRules { v1: few(Rules::V1), v2: few(Rules::V2), ..LimitRules::default() };
    let app = TestApp::with_limits(Engine::Sqlite, limits).await;
    let client = app.owner("north").await;
    for question in KEYED {
        for left in ["2", "1", "0"] {
            let answer = client.get(question).await.expect(200);
            assert_eq!(answer.header("x-ratelimit-limit"), Some("3"));
            assert_eq!(answer.header("x-ratelimit-remaining"), Some(left));
            assert_eq!(answer.header("x-ratelimit-reset"), Some("60"));
            assert_eq!(answer.header("ratelimit"), Some(&*format!("\"standard\";r={left};t=60")));
        }
        let answer = client.get(question).await.expect(429);
        assert_eq!(answer.header("retry-after"), Some("60"));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert!(answer.header("x-request-id").is_some());
    }
    let routes = app.app.traffic.routes();
    for (route, answers) in
        [("/api/v2/risk-register", [(200, 3), (429, 1)]), ("/api/v1/dora/measures", [(200, 3), (429, 1)])]
    {
        let counted =
            routes.iter().find(|reading| reading.route == route && reading.method == "GET").unwrap();
        assert_eq!(counted.statuses, answers, "{route}");
    }
}

#[tokio::test]
async fn another_origin_is_not_reported_what_the_first_was_reported() {
    let app = TestApp::new().await;
    let options = ApiOptions { cors_origins: vec!["https://board.example".into()], ..ApiOptions::default() };
    let service = api::service(&app.app, &options, Router::new());
    let key = app.key(&app.tenant("north").await, "read").await;
    let client = Client::new(service, Some(key));
    for question in KEYED {
        for origin in [None, Some("https://board.example"), Some("https://elsewhere.example"), None] {
            let page = origin.map_or(client.clone(), |origin| client.with("origin", origin));
            let answer = page.get(question).await.expect(200);
            let allowed = origin.filter(|origin| *origin == "https://board.example");
            assert_eq!(answer.header("access-control-allow-origin"), allowed, "{question} from {origin:?}");
        }
    }
}

#[tokio::test]
async fn the_limit_of_an_address_holds_for_answers_given_again() {
    let app = TestApp::new().await;
    let options = ApiOptions { public_per_minute: Some(2), ..ApiOptions::default() };
    let client = Client::new(api::service(&app.app, &options, Router::new()), None);
    for status in [200, 200, 429, 429] {
        client.get(QUESTIONS[0]).await.expect(status);
    }
}

#[tokio::test]
async fn a_new_edition_is_answered_at_once() {
    let copy = copy_of_catalogue();
    let options = TestOptions { catalogue_dir: Some(copy.path().to_owned()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let client = app.owner("north").await;
    let mut before = Vec::new();
    for question in QUESTIONS {
        client.get(question).await.expect(200);
        before.push(client.get(question).await.expect(200));
    }
    let about = copy.path().join("catalogue.toml");
    let text = std::fs::read_to_string(&about).unwrap();
    let version = before[0].json()["meta"]["version"].as_str().unwrap().to_owned();
    // A version soon after, because facts that were not verified for half a year are refused.
    std::fs::write(&about, text.replace(&version, "2026-12-30")).unwrap();
    app.app.reload_catalogue().await.unwrap().unwrap();
    assert_eq!(client.get("/api/measures").await.expect(200).json()["meta"]["version"], "2026-12-30");
}
