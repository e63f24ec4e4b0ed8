use std::{fs, path::Path};

use app::timeline::feed::FeedSource;
use axum::{Router, http::StatusCode, routing::get};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestOptions, copy_of_catalogue};

const PATH: &str = "/api/v1/compliance-timeline";
const SYNC: &str = "/api/v1/compliance-timeline/sync";
const DAY: i64 = 24 * 60 * 60 * 1000;

const CALENDAR: &str = "BEGIN:VCALENDAR\r\nX-WR-CALNAME:EBA events\r\n\
    BEGIN:VEVENT\r\nUID:one\r\nSUMMARY:Hearing on outsourcing\r\nDTSTART;VALUE=DATE:20261201\r\nURL:https://eba.example/one\r\nEND:VEVENT\r\n\
    BEGIN:VEVENT\r\nUID:two\r\nSUMMARY:Résumé of the review\r\nDTSTART:20270601T090000Z\r\nEND:VEVENT\r\n\
    END:VCALENDAR\r\n";

fn file_feed(path: &Path, options: &str) -> FeedSource {
    FeedSource::parse(&format!("file://{}{options}", path.display())).unwrap()
}

fn with_feeds(feeds: Vec<FeedSource>) -> TestOptions {
    TestOptions { feeds, ..TestOptions::default() }
}

async fn sync(client: &Client) -> Value {
    let mut report = client.post(SYNC, &json!({})).await.expect(200).data();
    report.as_object_mut().unwrap().remove("synced_at").unwrap();
    report
}

fn report(added: usize, updated: usize, unchanged: usize, removed: usize) -> Value {
    json!({ "added": added, "updated": updated, "unchanged": unchanged, "removed": removed, "failures": [] })
}

#[tokio::test]
async fn statuses_follow_from_the_day() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let statuses = async || {
        let items = owner.get(&format!("{PATH}?limit=500")).await.expect(200).data();
        let (mut all, mut days) = (Vec::new(), Vec::new());
        for item in items.as_array().unwrap() {
            all.push(item["status"].as_str().unwrap().to_owned());
            days.push(item["date"].as_str().unwrap().to_owned());
        }
        assert!(days.is_sorted(), "earliest first");
        (all, days)
    };
    let (before, days) = statuses().await;
    for (status, day) in before.iter().zip(&days) {
        let expected = match day.as_str() {
            day if day < "2026-11-14" => "completed",
            day if day <= "2027-02-12" => "due_soon",
            _ => "upcoming",
        };
        assert_eq!(status, expected, "{day}");
    }
    // Keys end after a year, so a little less.
    app.clock.advance(360 * DAY);
    let (after, _) = statuses().await;
    let completed = |all: &[String]| all.iter().filter(|status| *status == "completed").count();
    assert!(completed(&after) > completed(&before));
}

#[tokio::test]
async fn filters_and_words_narrow_it_down() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (filter, values) in [
        ("status", &["completed", "due_soon", "upcoming"][..]),
        ("category", &["application", "reporting", "consultation", "transition", "review"]),
    ] {
        let mut sum = 0;
        for value in values {
            let body = owner.get(&format!("{PATH}?limit=500&{filter}={value}")).await.expect(200).json();
            assert!(body["data"].as_array().unwrap().iter().all(|item| item[filter] == *value));
            sum += body["meta"]["total"].as_u64().unwrap();
        }
        assert_eq!(
            sum,
            owner.get(PATH).await.expect(200).json()["meta"]["total"].as_u64().unwrap(),
            "{filter}"
        );
        let refused = owner.get(&format!("{PATH}?{filter}=soon")).await.expect(422).json();
        let rule = refused["details"][filter][0].as_str().unwrap();
        assert!(values.iter().all(|value| rule.contains(value)), "{rule}");
    }
    let found = owner.get(&format!("{PATH}?search=TIBER")).await.expect(200).json();
    assert!(found["meta"]["total"].as_u64().unwrap() < 20);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn twice_in_a_row_changes_nothing_the_second_time(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let calendar = folder.path().join("eba.ics");
    fs::write(&calendar, CALENDAR).unwrap();
    let feed = file_feed(&calendar, "#category=consultation&framework=dora&authority=EBA");
    let app = TestApp::with(engine, with_feeds(vec![feed])).await;
    let owner = app.owner("north").await;
    let milestones = app.app.catalogue().unwrap().milestones.len();

    let first = owner.post(SYNC, &json!({})).await.expect(200).data();
    assert_eq!(first["synced_at"], "2026-11-14T14:00:00Z");
    assert_eq!(first["added"], milestones + 2);
    assert_eq!(sync(&owner).await, report(0, 0, milestones + 2, 0));

    let item = owner.get(&format!("{PATH}?search=hearing")).await.expect(200).data()[0].clone();
    let id = item["id"].as_str().unwrap();
    assert!(id.starts_with("feed-"));
    let expected = json!({
        "id": id, "title": "Hearing on outsourcing", "description": "", "framework": "dora",
        "category": "consultation", "authority": "EBA", "date": "2026-12-01", "status": "due_soon",
        "reference": "https://eba.example/one", "source": "EBA events",
    });
    assert_eq!(item, expected);
    let v2 = owner.get("/api/v2/compliance-timeline?search=resume").await.expect(200).json();
    assert_eq!((v2["meta"]["total"].as_u64(), &v2["data"][0]["status"]), (Some(1), &json!("upcoming")));

    // One entry differs, one is gone.
    let changed = CALENDAR.split("BEGIN:VEVENT\r\nUID:two").next().unwrap().replace("1201", "1202");
    fs::write(&calendar, changed + "END:VCALENDAR\r\n").unwrap();
    assert_eq!(sync(&owner).await, report(0, 1, milestones, 1));
    let item = owner.get(&format!("{PATH}?search=hearing")).await.expect(200).data()[0].clone();
    assert_eq!((&item["id"], &item["date"]), (&json!(id), &json!("2026-12-02")));
    assert_eq!(sync(&owner).await, report(0, 0, milestones + 1, 0));

    // Days pass: what was near is past now, and that is a change.
    app.clock.advance(30 * DAY);
    let later = sync(&owner).await;
    assert!(later["updated"].as_u64().unwrap() > 0, "{later}");
    assert_eq!(sync(&owner).await["updated"], 0);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_synchronisation_is_audited_once_and_seen_by_other_nodes(engine: Engine) {
    let folder = tempfile::tempdir().unwrap();
    let calendar = folder.path().join("eba.ics");
    fs::write(&calendar, CALENDAR).unwrap();
    let app = TestApp::with(engine, with_feeds(vec![file_feed(&calendar, "")])).await;
    let owner = app.owner("north").await;
    let other = app.beside(TestOptions::default()).await;
    assert_eq!(other.resilience.timeline().await.unwrap().milestones.get("x").map(|_| ()), None);
    let before = app.app.operations.audit_head("platform").await.unwrap().seq;
    sync(&owner).await;
    sync(&owner).await;
    assert_eq!(app.app.operations.audit_head("platform").await.unwrap().seq, before + 1);
    let entry = app.app.operations.audit_after("platform", before).await.unwrap().remove(0).entry;
    assert_eq!(entry.action, "timeline.synchronised");
    let seen = other.resilience.timeline().await.unwrap();
    assert_eq!(seen.milestones.len(), other.catalogue().unwrap().milestones.len() + 2);
}

/// A server on loopback with a feed that works and one that does not.
async fn feed_server() -> String {
    let router = Router::new()
        .route("/good", get(|| async { CALENDAR }))
        .route("/broken", get(|| async { "<rss><channel><item>" }))
        .route("/gone", get(|| async { StatusCode::GONE }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    origin
}

#[tokio::test]
async fn a_feed_that_fails_is_reported_and_the_rest_applied() {
    let origin = feed_server().await;
    let folder = tempfile::tempdir().unwrap();
    let calendar = folder.path().join("kept.ics");
    fs::write(&calendar, CALENDAR).unwrap();
    let web = |path: &str| FeedSource::parse(&format!("{origin}/{path}?token=canary")).unwrap();
    let feeds = vec![web("good"), web("broken"), web("gone"), file_feed(&calendar, "")];
    let options = TestOptions { dev_destinations: vec![origin.clone()], ..with_feeds(feeds) };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let owner = app.owner("north").await;
    let milestones = app.app.catalogue().unwrap().milestones.len();
    let first = sync(&owner).await;
    assert_eq!(first["added"], milestones + 4, "{first}");
    let failures = first["failures"].as_array().unwrap();
    assert_eq!(failures.len(), 2, "{first}");
    assert!(failures[0]["error"].as_str().unwrap().contains("breaks off"), "{first}");
    assert!(failures[1]["error"].as_str().unwrap().contains("410"), "{first}");
    assert!(!first.to_string().contains("canary"), "an address may hold a token: {first}");

    // Earlier items of a feed stay while it fails.
    fs::remove_file(&calendar).unwrap();
    let second = sync(&owner).await;
    assert_eq!((&second["removed"], second["failures"].as_array().unwrap().len()), (&json!(0), 3));
    assert_eq!(second["unchanged"], milestones + 4);
}

#[tokio::test]
async fn an_edited_catalogue_is_taken_over_and_a_broken_one_refused() {
    let folder = copy_of_catalogue();
    let options = TestOptions { catalogue_dir: Some(folder.path().to_owned()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let owner = app.owner("north").await;
    let milestones = app.app.catalogue().unwrap().milestones.len();
    sync(&owner).await;
    let added = "\n[[milestone]]\nid = \"milestone-of-a-test\"\ntitle = { en = \"Test\", de = \"Probe\" }\n\
        summary = { en = \"A test.\", de = \"Eine Probe.\" }\nframework = \"other\"\ncategory = \"review\"\n\
        authority = \"Nobody\"\ndate = \"2027-03-01\"\nreference = \"None\"\ncite = \"None\"\n";
    let file = fs::read_dir(folder.path().join("timeline")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}{added}")).unwrap();
    assert_eq!(sync(&owner).await, report(1, 0, milestones, 0));
    let found = owner.get(&format!("{PATH}?search=milestone-of-a-test")).await.expect(200).json();
    assert_eq!(found["data"][0]["title"], "Test");

    fs::write(&file, format!("{text}{}", added.replace("2027-03-01", "2027-02-30"))).unwrap();
    let refused = sync(&owner).await;
    assert_eq!(refused["unchanged"], milestones + 1, "the old one stays: {refused}");
    let error = refused["failures"][0]["error"].as_str().unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(error.starts_with(&format!("timeline/{name}:")), "{error}");
    fs::write(&file, text).unwrap();
    assert_eq!(sync(&owner).await, report(0, 0, milestones, 1));
}

#[tokio::test]
async fn the_body_may_be_left_out_but_not_be_nonsense() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    owner.send(http::Method::POST, SYNC, None).await.expect(200);
    owner.send(http::Method::POST, SYNC, Some("{".to_owned())).await.expect(422);
}
