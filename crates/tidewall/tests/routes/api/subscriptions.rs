//! Subscriptions: the timeline as a calendar, the radar as a feed. Both are parsed again.

use catalogue::feed::Feed;
use testkit::TestApp;

const CALENDAR: &str = "/api/compliance-timeline.ics";
const FEED: &str = "/api/radar.atom";

#[tokio::test]
async fn the_calendar_holds_every_milestone_on_its_day() {
    let app = TestApp::new().await;
    let edition = app.app.catalogue().unwrap();
    let answer = app.anonymous().get(CALENDAR).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/calendar; charset=utf-8"));
    let read = Feed::read(&answer.body).unwrap();
    assert_eq!((read.title.as_str(), read.skipped), ("Compliance timeline", 0));
    assert_eq!(read.items.len(), edition.milestones.len());
    for (item, milestone) in read.items.iter().zip(&edition.milestones) {
        assert_eq!(item.key, format!("{}@tidewall", milestone.id));
        assert_eq!(item.date, milestone.date);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&item.title), words(&milestone.title.en));
        assert!(item.summary.starts_with(milestone.summary.en.split(' ').next().unwrap()));
    }
    for line in std::str::from_utf8(&answer.body).unwrap().split("\r\n") {
        assert!(line.len() <= 75, "{line}");
    }
}

#[tokio::test]
async fn the_feed_holds_every_signal_newest_first() {
    let app = TestApp::new().await;
    let edition = app.app.catalogue().unwrap();
    let answer = app.anonymous().get(&format!("{FEED}?lang=de")).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/atom+xml; charset=utf-8"));
    assert_eq!(answer.header("content-language"), Some("de"));
    let read = Feed::read(&answer.body).unwrap();
    assert_eq!((read.title.as_str(), read.skipped), ("Regulatorischer Radar", 0));
    assert_eq!(read.items.len(), edition.signals.len());
    for (item, signal) in read.items.iter().zip(&edition.signals) {
        assert_eq!((&item.key, item.date), (&format!("urn:tidewall:radar:{}", signal.id), signal.date));
        assert_eq!(item.link.as_deref(), signal.proof.url.as_deref());
    }
}

#[tokio::test]
async fn both_are_validated_packed_and_open_to_any_page() {
    let app = TestApp::new().await;
    let client = app.anonymous().with("origin", "https://elsewhere.example");
    for path in [CALENDAR, FEED] {
        let plain = client.get(path).await.expect(200);
        assert_eq!(plain.header("access-control-allow-origin"), Some("*"));
        client.with("if-none-match", plain.header("etag").unwrap()).get(path).await.expect(304);
        let packed = client.with("accept-encoding", "br").get(path).await.expect(200);
        assert_eq!(packed.header("content-encoding"), Some("br"));
        assert!(packed.body.len() < plain.body.len() / 2);
    }
}
