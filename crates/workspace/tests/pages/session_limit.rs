//! One session does not keep the others from working.

use app::limits::LimitRules;
use domain::{rate::Rules, user::Role};
use http::header;
use testkit::{Engine, TestApp, TestOptions};

use crate::House;

#[tokio::test]
async fn a_session_that_asks_too_often_waits_and_the_others_do_not() {
    let few = Rules { standard: 20, burst: 20, ..Rules::V2 };
    let limits = LimitRules { sessions: Some(few), ..TestOptions::default().limits };
    let house = House::of(TestApp::with_limits(Engine::Sqlite, limits).await, "http://127.0.0.1:8080").await;
    let mut busy = house.signed_in(Role::Viewer).await;
    let mut other = house.signed_in(Role::Manager).await;
    for _ in 0..20 {
        busy.get("/workspace/profile").await.expect(200);
    }
    let refused = busy.get("/workspace/profile").await.expect(429).shows("Too many requests");
    assert!(refused.headers.contains_key(header::RETRY_AFTER), "{refused:?}");
    busy.fetch("/workspace/findings.pdf").await.expect(429);
    other.get("/workspace/profile").await.expect(200);
    house.pass(61);
    busy.get("/workspace/profile").await.expect(200);
    let mut german = busy.with("accept-language", "de-DE");
    for _ in 0..19 {
        german.get("/workspace/profile").await.expect(200);
    }
    german.get("/workspace/profile").await.expect(429).shows("Zu viel auf einmal");
}
