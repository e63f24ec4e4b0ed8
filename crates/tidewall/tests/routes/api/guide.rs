//! The guide to the reference API: every request on it returns what it says.

use testkit::TestApp;

const PAGE: &str = include_str!("../../../../../docs/reference-api.md");

/// The requests of the page with the status beside each.
fn requests() -> impl Iterator<Item = (&'static str, u16)> {
    let blocks = PAGE.split("```http\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(|line| {
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("GET"), "{line}");
        (words.next().unwrap(), words.next().unwrap().parse().unwrap())
    })
}

#[tokio::test]
async fn every_request_of_the_guide_is_answered_as_it_says() {
    let app = TestApp::new().await;
    let (anyone, owner) = (app.anonymous(), app.owner("north").await);
    for (path, status) in requests() {
        let keyed = path.starts_with("/api/v1") || path.starts_with("/api/v2");
        let client = if keyed { &owner } else { &anyone };
        client.get(path).await.expect(status);
    }
    assert!(requests().count() > 30);
}
