//! Webhooks: created, changed, deleted, and what a viewer sees of them.

use domain::user::Role;

use crate::{House, browser::Browser};

const SLACK: &str = "https://hooks.slack.com/services/T0/B0/hush";

async fn make(browser: &mut Browser) -> String {
    let fields = [
        ("name", "ICT channel"),
        ("channel", "slack"),
        ("url", SLACK),
        ("events", "finding.created"),
        ("events", "deadline.approaching"),
    ];
    let made = browser.submit("/workspace/webhooks/new", "/workspace/webhooks", &fields).await.expect(303);
    let list = browser.get(made.location()).await.shows("Webhook created and active.").shows("ICT channel");
    format!(
        "/workspace/webhooks/{}",
        list.between("href=\"/workspace/webhooks/whk", "\"").replacen('_', "whk_", 1)
    )
}

#[tokio::test]
async fn a_webhook_is_made_changed_and_deleted() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get("/workspace/webhooks").await.shows("No webhooks yet");
    let path = make(&mut browser).await;
    browser.get("/workspace/webhooks").await.lacks("hush").shows("hooks.slack.com");
    browser.get(&path).await.shows(SLACK);
    let fields = [
        ("name", "By mail"),
        ("channel", "email"),
        ("url", "ict@bank.example"),
        ("events", "finding.created"),
    ];
    browser.submit(&path, &path, &fields).await.expect(303);
    browser.get(&path).await.shows("value=\"ict@bank.example\"").lacks("mailto:ict@bank.example");
    browser.get("/workspace/webhooks").await.shows("By mail").shows("Inactive").lacks("hooks.slack.com");
    browser.submit(&path, &format!("{path}/delete"), &[]).await.expect(303);
    browser.get(&path).await.expect(404);
}

#[tokio::test]
async fn a_webhook_is_paused_and_resumed_by_one_press() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let path = make(&mut browser).await;
    browser.get(&path).await.shows(&format!("{path}/pause")).lacks("/resume");
    let paused = browser.submit(&path, &format!("{path}/pause"), &[]).await.expect(303);
    let page = browser.get(paused.location()).await.shows("The webhook is paused.").shows("Inactive");
    page.shows(&format!("{path}/resume")).shows(SLACK);
    let resumed = browser.submit(&path, &format!("{path}/resume"), &[]).await.expect(303);
    browser.get(resumed.location()).await.shows("The webhook is active again.").lacks("Inactive");
    let mut viewer = house.signed_in(Role::Viewer).await;
    for way in ["pause", "resume"] {
        viewer.submit("/workspace", &format!("{path}/{way}"), &[]).await.expect(403);
    }
}

#[tokio::test]
async fn a_destination_that_is_not_allowed_is_refused_with_the_reason() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let fields = [
        ("name", "x"),
        ("channel", "slack"),
        ("url", "https://10.0.0.1/services/x"),
        ("events", "finding.created"),
    ];
    let page = browser.submit("/workspace/webhooks/new", "/workspace/webhooks", &fields).await;
    page.expect(422).shows("href=\"#url\"").shows("10.0.0.1");
    let fields = [("name", "x"), ("channel", "slack"), ("url", SLACK)];
    let page = browser.submit("/workspace/webhooks/new", "/workspace/webhooks", &fields).await;
    page.expect(422).shows("must name at least one event");
}

#[tokio::test]
async fn a_viewer_sees_where_but_not_the_secret() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let path = make(&mut manager).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer
        .get(&path)
        .await
        .expect(200)
        .shows("hooks.slack.com")
        .lacks("hush")
        .lacks("<form method=\"post\" action=\"/workspace/webhooks");
    for change in [path.clone(), format!("{path}/delete")] {
        let fields = [("name", "x"), ("channel", "slack"), ("url", SLACK), ("events", "finding.created")];
        viewer.submit("/workspace", &change, &fields).await.expect(403);
    }
}
