//! Event hooks: created with a secret that is shown once, changed, deleted, and what a viewer sees of them.

use app::jobs::delivery::{DeliveryOptions, Dispatcher};
use domain::user::Role;

use crate::{House, browser::Browser, records::create};

const NEW: &str = "/workspace/event-hooks/new";
const LIST: &str = "/workspace/event-hooks";
const URL: &str = "https://events.bank.example/in?token=hush";

/// Makes an event hook: its address and its secret.
async fn make(browser: &mut Browser, url: &str) -> (String, String) {
    let fields =
        [("name", "Warehouse"), ("url", url), ("events", "finding.*\r\n*.deleted"), ("severity", "high")];
    let made = browser.submit(NEW, LIST, &fields).await.expect(200).shows("it is not shown again");
    let secret = format!("whsec_{}", made.between("whsec_", "<"));
    let path = format!("{LIST}/evh_{}", made.between("/workspace/event-hooks/evh_", "\""));
    (path, secret)
}

#[tokio::test]
async fn an_event_hook_is_made_changed_and_deleted() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(LIST).await.shows("No event hooks yet");
    let (path, secret) = make(&mut browser, URL).await;
    browser.get(LIST).await.shows("Warehouse").shows("finding.*").shows("events.bank.example").lacks("hush");
    browser.get(&path).await.shows("hush").lacks(&secret);
    let fields = [("name", "Lake"), ("url", URL), ("events", ""), ("owner", "Ada")];
    browser.submit(&path, &path, &fields).await.expect(303);
    browser.get(LIST).await.shows("Lake").shows("Inactive").shows("All");
    let rotated = browser.submit(&path, &format!("{path}/rotate"), &[]).await.expect(200).shows("whsec_");
    rotated.lacks(&secret);
    browser.get(&path).await.shows("The old secret still signs until");
    let refused = [("name", ""), ("url", "https://10.0.0.1/"), ("events", "prose.*")];
    let page = browser.submit(&path, &path, &refused).await.expect(422);
    page.shows("domain name").shows("prose.* is none");
    browser.submit(&path, &format!("{path}/delete"), &[]).await.expect(303);
    browser.get(&path).await.expect(404);
}

#[tokio::test]
async fn a_viewer_sees_where_events_go_and_not_the_address() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let (path, _) = make(&mut manager, URL).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&path).await.expect(200).shows("events.bank.example").lacks("hush").lacks("/rotate");
    viewer.get(NEW).await.expect(403);
}

#[tokio::test]
async fn deliveries_are_listed_and_sent_again() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let (path, _) = make(&mut browser, "http://127.0.0.1:9000/in").await;
    create(&mut browser, "/workspace/findings", &[("title", "Backups"), ("severity", "high")]).await;
    let mut dispatcher = Dispatcher::new(house.test.app.clone(), DeliveryOptions::default());
    // Nothing listens there.
    dispatcher.round().await.unwrap();
    browser.get(&path).await.shows("finding.created").shows("Temporary failure");
    let replay = [("since", "2026-11-14")];
    browser.submit(&path, &format!("{path}/replay"), &replay).await.expect(303);
}
