//! How a key is presented.

use axum::body::Body;
use http::{Request, header};
use testkit::{Answer, TestApp};

const PATH: &str = "/api/v1/webhooks";

async fn ask(app: &TestApp, path: &str, headers: &[(&str, String)]) -> Answer {
    let mut request = Request::builder().uri(path);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    app.anonymous().request(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn either_header_works_on_v1_and_only_bearer_on_v2() {
    let app = TestApp::new().await;
    let key = app.key(&app.tenant("north").await, "read").await;
    let bearer = |scheme: &str| ("authorization", format!("{scheme} {key}"));
    for scheme in ["Bearer", "bearer", "BEARER", "Bearer "] {
        ask(&app, PATH, &[bearer(scheme)]).await.expect(200);
        ask(&app, "/api/v2", &[bearer(scheme)]).await.expect(200);
    }
    ask(&app, PATH, &[("x-api-key", key.clone())]).await.expect(200);
    ask(&app, "/api/v2", &[("x-api-key", key.clone())]).await.expect(401);
}

#[tokio::test]
async fn authorization_decides_where_both_are_sent_and_a_query_is_never_read() {
    let app = TestApp::new().await;
    let key = app.key(&app.tenant("north").await, "read").await;
    let good = ("x-api-key", key.clone());
    for wrong in ["Bearer nonsense", "Basic dXNlcjpwYXNz", "Bearer", ""] {
        ask(&app, PATH, &[good.clone(), ("authorization", wrong.into())]).await.expect(401);
    }
    ask(&app, PATH, &[("x-api-key", "nonsense".into()), ("authorization", format!("Bearer {key}"))])
        .await
        .expect(200);
    for query in ["api_key", "key", "token", "access_token", "X-API-Key"] {
        ask(&app, &format!("{PATH}?{query}={key}"), &[]).await.expect(401);
    }
    ask(&app, PATH, &[(header::COOKIE.as_str(), format!("key={key}"))]).await.expect(401);
}

#[tokio::test]
async fn guessing_is_slowed_but_a_valid_key_goes_on_working() {
    let app = TestApp::new().await;
    let key = app.key(&app.tenant("north").await, "read").await;
    for _ in 0..300 {
        app.client("tw_guess").get(PATH).await.expect(401);
    }
    let slowed = app.client("tw_guess").get(PATH).await.expect(429).json();
    assert_eq!((&slowed["limit"], &slowed["window"]), (&300.into(), &"60s".into()));
    app.client(&key).get(PATH).await.expect(200);
    app.clock.advance(60_000);
    app.client("tw_guess").get(PATH).await.expect(401);
}
