//! Reports read back as text: whose they are, what they show, by which filter, and in which language.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use domain::user::Role;

use crate::{House, browser::Browser, records::create};

/// The words of a report, in reading order.
pub(crate) async fn text(browser: &mut Browser, path: &str) -> String {
    let file = browser.fetch(path).await.expect(200);
    assert_eq!(file.headers["content-type"], "application/pdf", "{path}");
    let mut reader = Command::new("pdftotext")
        .args(["-layout", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    reader.stdin.take().unwrap().write_all(&file.bytes).unwrap();
    String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap()
}

#[track_caller]
/// The text says this, wherever its lines break.
pub(crate) fn says(text: &str, parts: &[&str]) {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(flat.contains(part) || text.contains(part), "no {part:?} in {text}");
    }
}

async fn filled(browser: &mut Browser) -> (String, String, String) {
    let fields = [("name", "Zahlungsverkehr 2027"), ("framework", "dora"), ("owner", "Anna Weber")];
    let programme = create(browser, "/workspace/programmes", &fields).await;
    let id = programme.rsplit('/').next().unwrap();
    let fields = [
        ("programme_id", id),
        ("title", "Restore of the ledger"),
        ("test_type", "scenario_based_test"),
        ("priority", "high"),
        ("steps", "Stop the primary site\nRestore the copy"),
    ];
    let test_case = create(browser, "/workspace/test-cases", &fields).await;
    let fields = [
        ("title", "No restore since März"),
        ("severity", "critical"),
        ("programme_id", id),
        ("description", "Seen during the exercise."),
        ("due_on", "2027-03-01"),
    ];
    let finding = create(browser, "/workspace/findings", &fields).await;
    create(browser, "/workspace/findings", &[("title", "Old cipher"), ("severity", "low")]).await;
    (programme, test_case, finding)
}

#[tokio::test]
async fn a_record_is_a_report_with_its_history() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let (programme, test_case, finding) = filled(&mut browser).await;
    let moved = [("status", "in_progress"), ("note", "Taken up by the platform team")];
    browser.submit(&finding, &format!("{finding}/move"), &moved).await.expect(303);
    let told = text(&mut browser, &format!("{finding}.pdf")).await;
    says(&told, &["F-2026-0001", "No restore since März", "Critical", "In progress", "1 Mar 2027"]);
    says(&told, &["Seen during the exercise.", "Taken up by the platform team", "Bank north", "UTC"]);
    let told = text(&mut browser, &format!("{test_case}.pdf")).await;
    says(&told, &["Restore of the ledger", "Stop the primary site", "Restore the copy", "High"]);
    let told = text(&mut browser, &format!("{programme}.pdf")).await;
    says(&told, &["Zahlungsverkehr 2027", "Restore of the ledger", "F-2026-0001", "Anna Weber"]);
}

#[tokio::test]
async fn a_list_says_by_which_filter_it_was_made() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let (programme, ..) = filled(&mut browser).await;
    let told = text(&mut browser, "/workspace/findings.pdf?severity=low").await;
    says(&told, &["Severity: Low", "Old cipher", "F-2026-0002"]);
    assert!(!told.contains("No restore"), "{told}");
    let id = programme.rsplit('/').next().unwrap();
    let told = text(&mut browser, &format!("/workspace/findings.pdf?programme_id={id}")).await;
    says(&told, &["Programme: Zahlungsverkehr 2027", "F-2026-0001"]);
    assert!(!told.contains("Old cipher"), "{told}");
    let told = text(&mut browser, "/workspace/findings.pdf?search=nothing-like-this").await;
    says(&told, &["Search: nothing-like-this", "None"]);
    says(&text(&mut browser, "/workspace/test-cases.pdf").await, &["Restore of the ledger", "no filter"]);
    says(&text(&mut browser, "/workspace/programmes.pdf").await, &["Zahlungsverkehr 2027", "no filter"]);
}

#[tokio::test]
async fn reports_speak_german_to_german_readers() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let (_, _, finding) = filled(&mut browser).await;
    let german = browser.with("accept-language", "de");
    let mut browser = german;
    let told = text(&mut browser, &format!("{finding}.pdf")).await;
    says(&told, &["Feststellung", "Kritisch", "Offen", "01.03.2027", "Verlauf"]);
    let told = text(&mut browser, "/workspace/findings.pdf").await;
    says(&told, &["Feststellungen", "Schweregrad", "Überblick"]);
}
