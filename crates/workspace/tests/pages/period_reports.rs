//! The page of reports over a period, and the one of their templates.

use std::time::Duration;

use domain::user::Role;
use test_case::test_case;
use testkit::{Engine, TestApp};

use crate::{House, PASSWORD, browser::Browser, reports::read_by};

const REPORTS: &str = "/workspace/reports";
const TEMPLATES: &str = "/workspace/reports/templates";

const WISH: [(&str, &str); 6] = [
    ("kind", "board"),
    ("framework", ""),
    ("from", "2026-10-01"),
    ("until", "2026-11-14"),
    ("language", "de"),
    ("template", ""),
];

/// The address of the file of the newest report, once it is made.
async fn made(browser: &mut Browser) -> String {
    for _ in 0..600 {
        let page = browser.get(REPORTS).await.expect(200);
        let mut links = page.body.split('"');
        let link = links.find(|part| part.starts_with(REPORTS) && part.ends_with("/content"));
        if let Some(link) = link {
            return link.to_owned();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the report was never made");
}

#[tokio::test]
async fn an_auditor_makes_a_report_and_a_manager_releases_it() {
    let house = House::new().await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get("/workspace").await.expect(200).shows("href=\"/workspace/reports\"");
    let empty = auditor.get(REPORTS).await.expect(200);
    empty.shows("No reports yet").shows("value=\"2026-07-01\"").shows("value=\"2026-09-30\"");
    auditor.submit(REPORTS, REPORTS, &WISH).await.expect(303);
    let link = made(&mut auditor).await;
    let file = auditor.fetch(&link).await;
    assert_eq!(file.status, 200);
    assert_eq!(file.headers["content-type"], "application/pdf");
    let text = read_by("pdftotext", &["-raw", "-", "-"], &file.bytes);
    assert!(
        text.contains("Bericht an das Leitungsorgan") && text.contains("01.10.2026 – 14.11.2026"),
        "{text}"
    );

    let release = link.replace("/content", "/release");
    auditor.get(REPORTS).await.lacks("/release\"");
    auditor.submit(REPORTS, &release, &[]).await.expect(403);
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(REPORTS).await.expect(200).lacks("Make report").lacks("/delete\"").shows(&link);
    viewer.submit("/workspace", REPORTS, &WISH).await.expect(403);
    let mut manager = house.signed_in(Role::Manager).await;
    let released = manager.submit(REPORTS, &release, &[]).await.expect(303);
    manager
        .get(released.location())
        .await
        .shows("The report is released.")
        .lacks("/delete\"")
        .lacks("/release\"");
    manager.submit("/workspace", &link.replace("/content", "/delete"), &[]).await.expect(409);
    assert_eq!(manager.fetch(&link).await.bytes, file.bytes);
}

#[tokio::test]
async fn what_is_typed_wrong_is_shown_where_it_was_typed() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let with = |name: &str, value: &'static str| {
        WISH.map(|(field, kept)| if field == name { (field, value) } else { (field, kept) })
    };
    for (wish, said) in [
        (with("until", "2027-11-14"), "must not be in the future"),
        (with("until", "2026-09-01"), "must not be before"),
        (with("kind", "framework"), "is required"),
        (with("framework", "dora"), "is only for a report on a framework"),
        (with("from", "soon"), "From"),
    ] {
        manager.submit(REPORTS, REPORTS, &wish).await.expect(422).shows(said);
    }
    manager.with("accept-language", "de").get(REPORTS).await.expect(200).shows("Bericht erstellen");
}

#[tokio::test]
async fn the_one_who_asked_or_a_manager_deletes_a_report() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    manager.submit(REPORTS, REPORTS, &WISH).await.expect(303);
    let link = made(&mut manager).await;
    let delete = link.replace("/content", "/delete");
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get(REPORTS).await.expect(200).lacks("/delete\"");
    auditor.submit(REPORTS, &delete, &[]).await.expect(403);
    let deleted = manager.submit(REPORTS, &delete, &[]).await.expect(303);
    manager.get(deleted.location()).await.shows("The report is deleted.").shows("No reports yet");
}

#[tokio::test]
async fn templates_are_seen_by_all_and_offered_to_managers() {
    let house = House::new().await;
    let new = format!("{TEMPLATES}/new");
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(TEMPLATES).await.expect(200).shows("No templates yet").shows(&new);
    manager.get(&new).await.expect(200).shows("name=\"logo\"").shows("name=\"schedule.cron\"");
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get(TEMPLATES).await.expect(200).shows("No templates yet").lacks(&new);
    auditor.get(&new).await.expect(403);
}

/// What a manager types into the form stands in the review; another manager approves it, which freezes it as a version.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_review_is_written_by_one_manager_and_approved_by_another(engine: Engine) {
    let house = House::of(TestApp::on(engine).await, "http://127.0.0.1:8080").await;
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(REPORTS).await.expect(200).shows("For a management review").shows("stated.resolutions");
    let said = [
        ("stated.issues", "Das Rechenzentrum zieht um."),
        ("stated.resolutions", "Ein zweites Rechenzentrum kaufen."),
        ("signatories", "Dana Weber; Vorstand"),
    ];
    let mut wish = WISH.to_vec();
    wish[0] = ("kind", "management_review");
    wish.extend(said);
    manager.submit(REPORTS, REPORTS, &wish).await.expect(303);
    let link = made(&mut manager).await;
    let file = manager.fetch(&link).await;
    let text = read_by("pdftotext", &["-raw", "-", "-"], &file.bytes);
    for part in ["Managementbewertung", "Das Rechenzentrum zieht um.", "Gefasste Beschlüsse", "Dana Weber"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let release = link.replace("/content", "/release");
    let asking = manager.get(REPORTS).await.expect(200).lacks("/release\"").shows("action=approve");
    let ask = asking.between("/workspace/approvals/new?", "\"").replace("&amp;", "&");
    let ask = format!("/workspace/approvals/new?{ask}");
    // The address of the release leads to the same question.
    let led = manager.submit(REPORTS, &release, &[]).await.expect(303);
    assert_eq!(led.location(), ask);
    manager.get(&ask).await.expect(200).shows("Management review 1 Oct 2026");
    let report = link.rsplit('/').nth(1).unwrap().to_owned();
    let fields = [("subject", report.as_str()), ("action", "approve"), ("reason", "Discussed")];
    let sent = manager.submit(&ask, "/workspace/approvals", &fields).await.expect(303);
    let request = sent.location().split('?').next().unwrap().to_owned();
    manager.get(REPORTS).await.shows("Approval asked for").lacks("action=approve");
    manager.get(&request).await.expect(200).shows(REPORTS).lacks("/grant\"");
    house.add(&house.north, "second@north.example", Role::Manager).await;
    let mut other = house.browser().signed_in("second@north.example", PASSWORD).await;
    other.submit(&request, &format!("{request}/grant"), &[]).await.expect(303);
    other.get(REPORTS).await.shows("Version 1, signed").lacks("/delete\"").lacks("action=approve");
    assert_eq!(other.fetch(&link).await.bytes, file.bytes);
    other.submit(REPORTS, &link.replace("/content", "/delete"), &[]).await.expect(409);
}
