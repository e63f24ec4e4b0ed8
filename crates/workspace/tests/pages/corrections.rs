//! What was recorded as sent or performed is corrected by a manager, with the first value beside it.

use domain::user::Role;

use crate::{House, PASSWORD, records::create};

/// The initial report of a major incident.
async fn report(house: &House) -> String {
    let mut browser = house.signed_in(Role::Manager).await;
    let new = [("title", "Card payments down"), ("regimes", "dora")];
    let incident = create(&mut browser, "/workspace/incidents", &new).await;
    browser.submit(&incident, &format!("{incident}/facts"), &[("facts.malicious_access", "yes")]).await;
    browser.submit(&incident, &format!("{incident}/classify"), &[]).await.expect(303);
    format!("{incident}/reports/dora/initial")
}

#[tokio::test]
async fn a_report_is_recorded_as_sent_after_a_confirmation_and_corrected_with_a_reason() {
    let house = House::new().await;
    let report = report(&house).await;
    let mut browser = house.browser().signed_in("manager@north.example", PASSWORD).await;
    browser.get(&report).await.shows("These mandatory fields are missing").shows("Yes, record it as sent");
    let sent = [("reference", "BA-1"), ("incomplete", "1")];
    browser.submit(&report, &format!("{report}/submitted"), &sent).await.expect(303);
    browser.get(&report).await.shows("Recorded by").shows("BA-1").shows("It was not sent: take it back");
    let to = format!("{report}/correct");
    let mut corrected =
        [("sent.submitted_at", "2026-11-14T15:00"), ("sent.reference", "BA-2"), ("sent.reason", "")];
    let refused = browser.submit(&report, &to, &corrected).await.expect(422);
    refused.shows("cannot be corrected without a reason").shows("BA-2");
    corrected[2].1 = "Mistyped";
    browser.submit(&report, &to, &corrected).await.expect(303);
    let page = browser.get(&report).await.shows("BA-1 → BA-2").shows("First recorded by");
    page.shows("Corrected by").shows("Mistyped");
    let back = [("sent.submitted", "false"), ("sent.reason", "Only prepared")];
    browser.submit(&report, &to, &back).await.expect(303);
    let page = browser.get(&report).await.lacks("Sent and frozen").shows("Only prepared");
    page.shows("Yes, record it as sent");
}

#[tokio::test]
async fn a_contributor_neither_records_as_sent_nor_corrects() {
    let house = House::new().await;
    let report = report(&house).await;
    let mut browser = house.signed_in(Role::Contributor).await;
    browser.get(&report).await.lacks("Yes, record it as sent");
    let sent = [("incomplete", "1")];
    browser.submit(&report, &format!("{report}/submitted"), &sent).await.expect(403);
    browser.submit(&report, &format!("{report}/correct"), &[("sent.reason", "No")]).await.expect(403);
}

#[tokio::test]
async fn a_performance_shows_who_recorded_it_and_is_corrected() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let new = [("title", "Restore test"), ("status", "implemented"), ("cadence", "monthly")];
    let control = create(&mut browser, "/workspace/controls", &new).await;
    let performed = [("on", "2026-11-14"), ("note", "")];
    browser.submit(&control, &format!("{control}/performed"), &performed).await.expect(303);
    browser.get(&control).await.shows("Recorded by");
    let corrected = [
        ("performance-1.on", "2026-11-04"),
        ("performance-1.note", ""),
        ("performance-1.reason", "Wrong day"),
    ];
    let to = format!("{control}/performances/1/correct");
    browser.submit(&control, &to, &corrected).await.expect(303);
    browser.get(&control).await.shows("14 Nov 2026 → 4 Nov 2026").shows("Wrong day");
}
