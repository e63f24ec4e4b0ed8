//! What an incident is connected with, and what becomes of it when it is classified again: measures, the report on the
//! product, earlier classifications, everything that was sent. The clock of the house stands at 15:00 in Berlin on
//! Saturday, 14 November 2026.

use domain::user::Role;
use serde_json::json;

use crate::{House, approvals::leave_alone, browser::Browser, records::create};

const INCIDENTS: &str = "/workspace/incidents";

async fn opened(browser: &mut Browser, regime: &str) -> String {
    create(browser, INCIDENTS, &[("title", "Card payments down"), ("regimes", regime)]).await
}

#[tokio::test]
async fn measures_are_picked_by_their_reference_and_shown_by_their_title() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let control = json!({ "title": "Certificates are <watched>" });
    let control = client.post("/api/v1/controls", &control).await.expect(201).data();
    let address = format!("/workspace/controls/{}", control["id"].as_str().unwrap());
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = opened(&mut browser, "dora").await;
    let edit = format!("{incident}/edit");
    let page = browser.get(&edit).await.shows("Measures (own controls)");
    page.shows("value=\"C-0001 Certificates are &lt;watched&gt;\"");
    let fields = [("title", "Card payments down"), ("regimes", "dora"), ("controls", "C-0009")];
    let refused = browser.submit(&edit, &incident, &fields).await.expect(422);
    refused.shows("“C-0009” is none of your records").shows("value=\"C-0009\"");
    let fields = [fields[0], fields[1], ("controls", "C-0001"), ("functions", "Payments")];
    browser.submit(&edit, &incident, &fields).await.expect(303);
    let page = browser.get(&incident).await.shows("C-0001 Certificates are &lt;watched&gt;");
    page.shows(&format!("href=\"{address}\"")).shows("/workspace/functions?search=Payments");
    let csv = browser.fetch(&format!("{INCIDENTS}.csv")).await.expect(200);
    let csv = String::from_utf8(csv.bytes).unwrap();
    assert!(csv.contains(control["id"].as_str().unwrap()), "{csv}");
    let mut german = browser.with("accept-language", "de");
    german.get(&incident).await.shows("Maßnahmen (eigene Kontrollen)");
}

#[tokio::test]
async fn one_press_makes_the_report_on_the_product_and_both_pages_lead_to_each_other() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = opened(&mut browser, "cra").await;
    let press = format!("{incident}/cra-report");
    let page = browser.get(&incident).await.shows("Start the CRA report");
    page.shows("name=\"cra_kind\"");
    browser.submit(&incident, &format!("{incident}/facts"), &[("facts.product_security", "yes")]).await;
    browser.get(&incident).await.lacks("name=\"cra_kind\"").shows("CRA: Early warning");
    let product = [("product.name", ""), ("severity", "high")];
    browser.submit(&incident, &press, &product).await.expect(422).shows("Please check your entries");
    let product = [("product.name", "Vault gateway"), ("severity", "high")];
    let made = browser.submit(&incident, &press, &product).await.expect(303);
    let address = made.location().trim_end_matches("#cra").to_owned();
    let page = browser.get(&address).await.shows("The CRA report is started.").shows("Pending");
    let page = page.shows("is kept at the CRA report that belongs to this incident").shows("Remove the link");
    let report = page.body.split("/workspace/cra-reports/cra_").nth(1).unwrap();
    let report = format!("/workspace/cra-reports/cra_{}", report.split('"').next().unwrap());
    browser.get(&report).await.shows("Vault gateway").shows("I-2026-0001 Card payments down");
    let deleted = browser.submit(&report, &format!("{report}/delete"), &[]).await.expect(422);
    deleted.shows("belongs to an incident and keeps its limits");
    browser.submit(&incident, &press, &[("cra_report", "")]).await.expect(303);
    let page = browser.get(&incident).await.shows("Start the CRA report").shows("Link this report");
    let id = report.rsplit('/').next().unwrap();
    page.shows(id);
    browser.submit(&incident, &press, &[("cra_report", id)]).await.expect(303);
    browser.get(&incident).await.shows("Remove the link");
    let mut german = browser.with("accept-language", "de");
    german.get(&incident).await.shows("Verknüpfung entfernen").shows("CRA-Meldung");
    let mut reader = house.signed_in(Role::Viewer).await;
    reader.get(&incident).await.shows("Vault gateway").lacks("Remove the link");
}

#[tokio::test]
async fn earlier_classifications_and_everything_that_was_sent_can_be_read() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    leave_alone(&house, "classify").await;
    let incident = opened(&mut browser, "dora").await;
    let classify = format!("{incident}/classify");
    browser.submit(&incident, &format!("{incident}/facts"), &[("facts.malicious_access", "yes")]).await;
    browser.submit(&incident, &classify, &[]).await.expect(303);
    browser.get(&incident).await.shows("inform the authority before this time and explain why");
    let initial = format!("{incident}/reports/dora/initial");
    browser.submit(&initial, &initial, &[("report_values.1.2", "First Bank AG")]).await.expect(303);
    let sent = [("reference", "BA-1"), ("incomplete", "1")];
    browser.submit(&initial, &format!("{initial}/submitted"), &sent).await.expect(303);
    let back = [("result", "not_major"), ("reason", "An announced test")];
    browser.submit(&incident, &classify, &back).await.expect(303);
    let taken_back = format!("{incident}/reports/dora/reclassified");
    browser.submit(&taken_back, &format!("{taken_back}/submitted"), &[("incomplete", "1")]).await.expect(303);
    let again = browser.submit(&incident, &classify, &[]).await.expect(422);
    again.shows("is required when a classification as major is taken back or made again");
    browser.submit(&incident, &classify, &[("reason", "No test at all")]).await.expect(303);
    let page = browser.get(&incident).await.shows("Earlier classifications").shows("An announced test");
    let page = page.shows("No test at all").shows("/reports/dora/initial?sent=1").shows("BA-1");
    page.shows("Three readings are ours");
    let values = [("report_values.1.2", "Second Bank AG")];
    browser.submit(&initial, &initial, &values).await.expect(303);
    browser.get(&initial).await.shows("Second Bank AG").shows("Record as sent");
    let frozen = browser.get(&format!("{initial}?sent=1")).await.expect(200).shows("Sent and frozen");
    let frozen = frozen.shows("First Bank AG").lacks("Second Bank AG").lacks("Record as sent</button>");
    frozen.shows("initial.pdf?sent=1").shows("initial.json?sent=1");
    browser.fetch(&format!("{initial}.json?sent=1")).await.expect(200);
    for wrong in ["2", "0", "x"] {
        browser.get(&format!("{initial}?sent={wrong}")).await.expect(404);
    }
}

#[tokio::test]
async fn times_that_cannot_be_are_refused_in_every_form() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let incident = opened(&mut browser, "cra").await;
    browser.submit(&incident, &format!("{incident}/facts"), &[("facts.product_security", "yes")]).await;
    let edit = format!("{incident}/edit");
    let report = format!("{incident}/reports/cra/early_warning");
    for (time, message) in [
        ("2026-03-29T02:30", "does not exist in Europe/Berlin"),
        ("2026-10-25T02:30", "exists twice in Europe/Berlin"),
        ("2026-02-30T10:00", "must be a time like 2026-11-14T09:30"),
    ] {
        let named = [("title", "Card payments down"), ("regimes", "cra"), ("occurred_at", time)];
        browser.submit(&edit, &incident, &named).await.expect(422).shows(message);
        let named = [named[0], named[1], ("detected_at", time)];
        browser.submit(&format!("{INCIDENTS}/new"), INCIDENTS, &named).await.expect(422).shows(message);
        for (form, field) in [
            ("facts", ("facts.corrective_measure_at", time)),
            ("classify", ("at", time)),
            ("log", ("log_at", time)),
        ] {
            let fields = [field, ("text", "Called the head of payments")];
            let refused = browser.submit(&incident, &format!("{incident}/{form}"), &fields).await;
            refused.expect(422).shows(message);
        }
        let sent = browser.submit(&report, &format!("{report}/submitted"), &[("at", time)]).await;
        sent.expect(422).shows(message);
    }
    let early = [("at", "2026-11-14T14:59")];
    browser
        .submit(&incident, &format!("{incident}/classify"), &early)
        .await
        .expect(422)
        .shows("must not be before");
}
