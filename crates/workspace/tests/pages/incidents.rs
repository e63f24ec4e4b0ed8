//! The pages of incidents: a title, facts as they arrive, a classification, reports. The clock is set to 15:00 in
//! Berlin on Saturday, 14 November 2026.

use domain::user::Role;

use crate::{
    House,
    browser::Browser,
    records::create,
    reports::{cells, says},
};

const INCIDENTS: &str = "/workspace/incidents";

async fn opened(browser: &mut Browser) -> String {
    create(browser, INCIDENTS, &[("title", "Card payments down"), ("regimes", "dora")]).await
}

#[tokio::test]
async fn an_incident_starts_with_a_title_and_says_what_it_waits_for() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(INCIDENTS).await.expect(200).shows("No incidents");
    let incident = opened(&mut browser).await;
    let page = browser.get(&incident).await.expect(200).shows("I-2026-0001").shows("Card payments down");
    let page = page.shows("waits for the facts that decide whether this must be reported");
    let page = page.shows("At the latest").shows("15 Nov 2026, 14:00 UTC").shows("not classified yet");
    let page =
        page.shows("Enter the facts that decide").shows("2024/1772 Art. 9(1)(a)").shows("more than 10");
    page.shows("still open; it would be decided by");
    browser.get(&format!("{INCIDENTS}?status=detected&regime=dora&search=card")).await.shows("I-2026-0001");
    browser.get(&format!("{INCIDENTS}?regime=nis2")).await.lacks("I-2026-0001");
    browser.get("/workspace/search?q=payments").await.shows("Card payments down");
}

#[tokio::test]
async fn facts_are_entered_with_their_author_and_decide_the_classification() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = opened(&mut browser).await;
    let facts = [
        ("facts.critical_services", "yes"),
        ("facts.clients_affected", "1,001"),
        ("facts.clients_total", "10000"),
        ("facts.member_states", "DE, US"),
    ];
    let refused = browser.submit(&incident, &format!("{incident}/facts"), &facts).await.expect(422);
    let refused = refused.shows("Please check your entries").shows("Member States with an impact");
    refused.shows("value=\"1,001\"");
    let facts = [facts[0], facts[1], facts[2], ("facts.member_states", "de at")];
    browser.submit(&incident, &format!("{incident}/facts"), &facts).await.expect(303);
    let page =
        browser.get(&incident).await.shows("1,001 of 10,000").shows("Classify: the facts give “Major”");
    page.shows(", 14 Nov 2026, 15:00 CET");
    let classified = browser.submit(&incident, &format!("{incident}/classify"), &[]).await.expect(303);
    let page = browser.get(classified.location()).await.shows("Classification stored.");
    let page = page.shows("4 hrs left").shows("14 Nov 2026, 19:00 CET").shows("14 Nov 2026, 18:00 UTC");
    page.shows("Send: DORA, Initial notification").shows("not moved although it falls on a day off");
    browser.get("/workspace").await.shows("DORA: Initial notification is due soon: I-2026-0001");
    let mut german = browser.with("accept-language", "de");
    let page =
        german.get(&incident).await.shows("Erstmeldung").shows("nach der Klassifizierung als schwerwiegend");
    page.shows("1.001 von 10.000").shows("Betroffene Kunden");
}

#[tokio::test]
async fn another_result_needs_a_reason_and_an_overtaken_classification_is_not_stored() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = opened(&mut browser).await;
    let to = format!("{incident}/classify");
    browser.submit(&incident, &format!("{incident}/facts"), &[("facts.malicious_access", "yes")]).await;
    let other = [("result", "not_major")];
    browser.submit(&incident, &to, &other).await.expect(422).shows("is required when the result is not");
    let explained = [("result", "not_major"), ("reason", "A test system")];
    let hidden = browser.get(&incident).await.hidden();
    let both: Vec<(&str, &str)> =
        hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain(explained).collect();
    browser.post(&to, &both).await.expect(303);
    browser.get(&incident).await.shows("A test system").shows("Classify again: the facts now give “Major”");
    browser.post(&to, &both).await.expect(409);
}

#[tokio::test]
async fn two_people_may_enter_different_facts_but_the_same_one_is_shown_first() {
    let house = House::new().await;
    let mut one = house.signed_in(Role::Manager).await;
    let incident = opened(&mut one).await;
    let to = format!("{incident}/facts");
    let hidden = one.get(&incident).await.hidden();
    let with = |field: (&'static str, &'static str)| -> Vec<(String, String)> {
        hidden.iter().cloned().chain([(field.0.to_owned(), field.1.to_owned())]).collect()
    };
    let sent = |pairs: &[(String, String)]| -> Vec<(String, String)> { pairs.to_vec() };
    for (field, status) in [
        (("facts.downtime_minutes", "45"), 303),
        (("facts.clients_affected", "7"), 303),
        (("facts.downtime_minutes", "50"), 409),
    ] {
        let pairs = sent(&with(field));
        let pairs: Vec<(&str, &str)> =
            pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        one.post(&to, &pairs).await.expect(status);
    }
    one.get(&incident).await.shows("value=\"45\"").shows("value=\"7\"");
}

#[tokio::test]
async fn a_report_is_filled_in_downloaded_stamped_and_frozen() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = opened(&mut browser).await;
    browser.submit(&incident, &format!("{incident}/facts"), &[("facts.malicious_access", "yes")]).await;
    browser.submit(&incident, &format!("{incident}/classify"), &[]).await.expect(303);
    let report = format!("{incident}/reports/dora/initial");
    let page = browser.get(&report).await.expect(200).shows("mandatory fields are missing");
    page.shows("2.4").shows("Description of the ICT-related incident").shows("from the facts");
    let wrong = [("report_values.1.9", "12")];
    browser.submit(&report, &report, &wrong).await.expect(422).shows("telephone number");
    let values = [("report_values.1.2", "Example Bank AG"), ("report_values.2.7", "staff")];
    browser.submit(&report, &report, &values).await.expect(303);
    browser.get(&report).await.shows("Example Bank AG");
    let file = browser.fetch(&format!("{report}.json")).await.expect(200);
    assert_eq!(file.headers["content-disposition"], "attachment; filename=\"I-2026-0001-initial.json\"");
    let text = cells(&mut browser, &format!("{report}.pdf")).await;
    says(&text, &["DORA: Initial notification", "Draft, not sent", "Example Bank AG"]);
    let to = format!("{report}/submitted");
    browser
        .submit(&report, &to, &[("reference", "BA-4711")])
        .await
        .expect(422)
        .shows("must be true to record");
    let stamped = browser.submit(&report, &to, &[("reference", "BA-4711"), ("incomplete", "1")]).await;
    let page = browser.get(stamped.expect(303).location()).await.shows("Sent and frozen").shows("BA-4711");
    page.shows("Example Bank AG").lacks("Record as sent</button>");
    says(&cells(&mut browser, &format!("{report}.pdf")).await, &["As it was sent", "BA-4711"]);
    let next = format!("{incident}/reports/dora/intermediate");
    browser.submit(&next, &next, &[("report_values.1.2", "Another Bank AG")]).await.expect(303);
    browser.get(&report).await.shows("Example Bank AG").lacks("Another Bank AG");
    browser.get(&format!("{incident}/reports/nis2/final")).await.expect(404);
    browser.get(&format!("{incident}/reports/dora/never")).await.expect(404);
    let resolved = [("status", "resolved")];
    browser.submit(&incident, &format!("{incident}/move"), &resolved).await.expect(303);
    let closed = browser.submit(&incident, &format!("{incident}/move"), &[("status", "closed")]).await;
    closed.expect(422).shows("cannot be closed while reports are owed");
}

#[tokio::test]
async fn the_log_keeps_who_was_called_and_when() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = opened(&mut browser).await;
    let to = format!("{incident}/log");
    browser.submit(&incident, &to, &[("text", " ")]).await.expect(422).shows("must not be empty");
    let future = [("text", "Later"), ("log_at", "2026-11-15T15:00")];
    browser.submit(&incident, &to, &future).await.expect(422).shows("must not be in the future");
    let line = [("text", "Called the head of payments"), ("kind", "call"), ("log_at", "2026-11-14T14:40")];
    browser.submit(&incident, &to, &line).await.expect(303);
    let page = browser.get(&incident).await.shows("Called the head of payments").shows("Person called");
    page.shows("14 Nov 2026, 14:40 CET").shows("written down 14 Nov 2026, 15:00 CET");
    let mut reader = house.signed_in(Role::Viewer).await;
    reader.get(&incident).await.shows("Called the head of payments").lacks("Write it down");
}

#[tokio::test]
async fn what_is_written_about_an_incident_is_changed_with_its_links() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding = [("title", "No second line"), ("severity", "high")];
    create(&mut browser, "/workspace/findings", &finding).await;
    let incident = opened(&mut browser).await;
    let edit = format!("{incident}/edit");
    let fields = [
        ("title", "Card payments down"),
        ("findings", "F-2026-0001"),
        ("functions", "Payments"),
        ("root_cause", "Expired certificate"),
        ("lessons", "Watch the dates"),
        ("regimes", "dora"),
        ("detected_at", "2026-11-14T14:30"),
        ("aware_at", "2026-11-14T14:00"),
    ];
    let refused = browser.submit(&edit, &incident, &fields).await.expect(422);
    refused.shows("must not be before").shows("Expired certificate");
    let fields = [fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]];
    browser.submit(&edit, &incident, &fields).await.expect(303);
    let page = browser.get(&incident).await.shows("F-2026-0001 No second line").shows("Expired certificate");
    page.shows("Watch the dates").shows("Payments");
    let unknown = [fields[0], ("findings", "F-2026-0099"), fields[5]];
    browser.submit(&edit, &incident, &unknown).await.expect(422);
    let hour = [fields[0], fields[5], ("occurred_at", "2026-03-29T02:30")];
    browser.submit(&edit, &incident, &hour).await.expect(422).shows("does not exist");
}

#[tokio::test]
async fn a_file_of_candidates_is_checked_and_imported_and_counted() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let import = format!("{INCIDENTS}/import");
    let table = "title,detected_at,root_cause\nPortal slow,2026-11-14T10:00:00Z,Expired certificate\n";
    let wrong = browser.upload(&import, &[("step", "check")], "title,detected_at\nx,never\n").await;
    wrong.expect(422).shows("Nothing was stored").shows("detected_at");
    let checked = browser.upload(&import, &[("step", "check")], table).await.expect(200);
    checked.shows("The file can be imported").shows("New incidents: 1.");
    browser.get(INCIDENTS).await.lacks("Portal slow");
    browser.upload(&import, &[("step", "import")], table).await.expect(200).shows("Imported");
    browser.get(INCIDENTS).await.shows("Portal slow");
    let page = browser.get(&format!("{INCIDENTS}/statistics")).await.expect(200).shows("2026-11");
    page.shows("Expired certificate").shows("Undetermined");
}

#[tokio::test]
async fn incidents_and_cra_reports_have_an_owner_by_whom_lists_are_filtered() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = [("title", "Card payments down"), ("regimes", "dora"), ("owner", "Dana Weber")];
    let report = [
        ("kind", "severe_incident"),
        ("aware_at", "2026-11-14T14:00"),
        ("title", "Leak of tokens"),
        ("product.name", "App"),
        ("severity", "high"),
        ("owner", "Dana Weber"),
    ];
    for (list, fields, title) in [
        (INCIDENTS, &incident[..], "Card payments down"),
        ("/workspace/cra-reports", &report[..], "Leak of tokens"),
    ] {
        let page = create(&mut browser, list, fields).await;
        browser.get(&page).await.shows("Dana Weber");
        browser.get(&format!("{page}/edit")).await.shows("value=\"Dana Weber\"");
        browser.get(&format!("{list}?owner=Dana+Weber")).await.shows(title);
        browser.get(&format!("{list}?owner=Kim+Roth")).await.expect(200).lacks(title);
        let csv = browser.fetch(&format!("{list}.csv?owner=Dana+Weber")).await.expect(200);
        let csv = String::from_utf8(csv.bytes).unwrap();
        assert!(csv.lines().next().unwrap().trim_end().split(',').any(|name| name == "owner"), "{csv}");
        assert!(csv.contains("Dana Weber"), "{csv}");
    }
    browser.get("/workspace/work?owner=Dana+Weber").await.expect(200).shows("Leak of tokens: Early warning");
}
