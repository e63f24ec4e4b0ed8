//! The request limits as seen by a caller.

use app::limits::{Counting, LimitRules};
use store::shared_count::SharedCount;
use testkit::{Engine, TestApp, TestOptions};

const PATH: &str = "/api/v1/webhooks";

#[tokio::test]
async fn sixty_then_forty_more_then_429_with_everything_a_caller_needs() {
    let app = TestApp::with_limits(Engine::Sqlite, LimitRules::default()).await;
    let owner = app.owner("north").await;
    let first = owner.get(PATH).await.expect(200);
    assert_eq!(first.header("x-ratelimit-limit"), Some("60"));
    assert_eq!(first.header("x-ratelimit-remaining"), Some("59"));
    assert_eq!(first.header("x-ratelimit-reset"), Some("60"));
    assert_eq!(first.header("ratelimit-policy"), Some("\"standard\";q=60;w=60, \"burst\";q=100;w=60"));
    assert_eq!(first.header("ratelimit"), Some("\"standard\";r=59;t=60"));
    for _ in 1..100 {
        owner.get(PATH).await.expect(200);
    }
    app.clock.advance(18_500);
    let rejected = owner.get(PATH).await.expect(429);
    insta::assert_json_snapshot!(rejected.json(), @r#"
    {
      "code": "rate_limited",
      "error": "too many requests: wait 42 seconds",
      "limit": 100,
      "retry_after": 42,
      "window": "60s"
    }
    "#);
    assert_eq!(rejected.header("retry-after"), Some("42"));
    assert_eq!(rejected.header("x-ratelimit-remaining"), Some("0"));
    app.clock.advance(42_000);
    owner.get(PATH).await.expect(200);
}

#[tokio::test]
async fn v1_and_v2_count_apart_and_each_key_for_itself() {
    let app = TestApp::with_limits(Engine::Sqlite, LimitRules::default()).await;
    let tenant = app.tenant("north").await;
    let (one, other) =
        (app.client(&app.key(&tenant, "read").await), app.client(&app.key(&tenant, "read").await));
    for _ in 0..60 {
        one.get("/api/v2").await.expect(200);
    }
    let rejected = one.get("/api/v2").await.expect(429);
    assert_eq!(
        (&rejected.json()["limit"], rejected.header("ratelimit-policy")),
        (&60.into(), Some("\"standard\";q=60;w=60"))
    );
    one.get(PATH).await.expect(200);
    other.get("/api/v2").await.expect(200);
}

#[tokio::test]
async fn the_limit_comes_before_the_permission_and_the_body() {
    let app = TestApp::with_limits(Engine::Sqlite, LimitRules::default()).await;
    let reader = app.client(&app.key(&app.tenant("north").await, "read").await);
    for _ in 0..100 {
        reader.post(PATH, &serde_json::json!({})).await.expect(403);
    }
    reader.post(PATH, &serde_json::json!({})).await.expect(429);
}

#[tokio::test]
async fn three_exceedances_block_the_key() {
    let app = TestApp::with_limits(Engine::Sqlite, LimitRules::default()).await;
    let owner = app.owner("north").await;
    for _ in 0..3 {
        for _ in 0..61 {
            owner.get(PATH).await.expect(200);
        }
        app.clock.advance(61_000);
    }
    let blocked = owner.get(PATH).await.expect(429).json();
    assert_eq!((&blocked["limit"], &blocked["retry_after"]), (&60.into(), &239.into()));
    app.clock.advance(239_000);
    owner.get(PATH).await.expect(200);
}

#[tokio::test]
async fn two_nodes_on_one_shared_count_serve_a_key_its_limit_and_no_more() {
    let count = || SharedCount::new(&std::env::var("TIDEWALL_TEST_REDIS").unwrap()).unwrap();
    let options = || TestOptions {
        limits: LimitRules::default(),
        shared_count: Some(count()),
        ..TestOptions::default()
    };
    let app = TestApp::with(Engine::Postgres, options()).await;
    let tenant = app.tenant("north").await;
    let key = app.key(&tenant, "read").await;
    let beside = app.beside(options()).await;
    let other = TestApp::client_of(&beside, &key);
    let one = app.client(&key);
    for _ in 0..50 {
        one.get(PATH).await.expect(200);
        other.get(PATH).await.expect(200);
    }
    for node in [&one, &other] {
        let refused = node.get(PATH).await.expect(429);
        assert_eq!(refused.json()["limit"], 100);
    }
    assert_eq!(beside.limits.counting(), Counting::Together);
}

#[tokio::test]
async fn without_the_shared_count_a_node_counts_for_itself_and_says_so() {
    let nobody = SharedCount::new("redis://127.0.0.1:1/").unwrap();
    let options =
        TestOptions { limits: LimitRules::default(), shared_count: Some(nobody), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let tenant = app.tenant("north").await;
    let one = app.client(&app.key(&tenant, "read").await);
    for _ in 0..100 {
        one.get(PATH).await.expect(200);
    }
    one.get(PATH).await.expect(429);
    assert_eq!(app.app.limits.counting(), Counting::CutOff);
}
