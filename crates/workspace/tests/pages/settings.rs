//! Thresholds, lead times, language, currency and mail.

use domain::{user::Role, wording::Language};
use testkit::Mailbox;

use crate::{
    House,
    records::create,
    reports::{says, text},
};

const FIELDS: [(&str, &str); 5] = [
    ("provider_concentration_pct", "31"),
    ("sector_concentration_pct", "41"),
    ("regional_concentration_pct", "51"),
    ("technology_concentration_pct", "34"),
    ("review_frequency_days", "180"),
];

#[tokio::test]
async fn thresholds_are_changed_for_the_api_too() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let saved = browser.submit("/workspace/settings", "/workspace/settings", &FIELDS).await.expect(303);
    browser.get(saved.location()).await.shows("Thresholds saved.").shows("value=\"31\"");
    let key = house.test.key(&house.north, "read").await;
    let seen = house.test.client(&key).get("/api/v1/concentration-risk/thresholds").await.expect(200).data();
    assert_eq!((&seen["provider_concentration_pct"], &seen["enabled"]), (&31.into(), &false.into()));
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get("/workspace/settings").await.shows("31 %").lacks("name=\"provider_concentration_pct\"");
}

#[tokio::test]
async fn the_rest_of_the_settings_is_reported_and_changed_by_administrators() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    browser.get("/workspace/settings").await.shows("Mail").shows("value=\"EUR\"");
    let (page, path) = ("/workspace/settings", "/workspace/settings/currency");
    browser.submit(page, path, &[("currency", "chf")]).await.expect(303);
    browser.get("/workspace/settings?done=currency").await.shows("Currency saved.").shows("value=\"CHF\"");
    let wrong = browser.submit(page, path, &[("currency", "gold")]).await.expect(422);
    wrong.shows("href=\"#currency\"").shows("value=\"gold\"").shows("value=\"25\"");
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(page).await.shows("CHF").lacks("name=\"currency\"");
    manager.submit("/workspace", path, &[("currency", "USD")]).await.expect(403);
}

#[tokio::test]
async fn times_are_shown_and_read_in_the_chosen_zone() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let (page, path) = ("/workspace/settings", "/workspace/settings/time-zone");
    browser.get(page).await.shows("value=\"Europe/Berlin\"");
    let wrong = browser.submit(page, path, &[("time_zone", "Mars")]).await.expect(422);
    wrong.shows("must be the name of a time zone").shows("value=\"Mars\"");
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Old cipher"), ("severity", "low")]).await;
    browser.get(&finding).await.shows("14 Nov 2026, 15:00 CET");
    browser.submit(page, path, &[("time_zone", "europe/helsinki")]).await.expect(303);
    browser.get("/workspace/settings?done=time-zone").await.shows("value=\"Europe/Helsinki\"");
    browser.get(&finding).await.shows("14 Nov 2026, 16:00 EET");
    browser.with("accept-language", "de").get(&finding).await.shows("14.11.2026, 16:00 OEZ");
    // A user's own zone takes precedence, on pages, in forms and in reports.
    let own = [("name", "Ada"), ("language", ""), ("theme", "device"), ("time_zone", "America/New_York")];
    browser.submit("/workspace/profile", "/workspace/profile", &own).await.expect(303);
    browser.get(&finding).await.shows("14 Nov 2026, 09:00 EST");
    browser.get("/workspace/cra-reports/new").await.shows("America/New_York").shows("2026-11-14T09:00");
    says(&text(&mut browser, &format!("{finding}.pdf")).await, &["14 Nov 2026, 09:00 EST"]);
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(&finding).await.shows("14 Nov 2026, 16:00 EET");
    manager.get(page).await.shows("Europe/Helsinki").lacks("name=\"time_zone\"");
    manager.submit("/workspace", path, &[("time_zone", "UTC")]).await.expect(403);
}

#[tokio::test]
async fn reports_carry_the_classification_of_the_institution() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let (page, path) = ("/workspace/settings", "/workspace/settings/classification");
    says(&text(&mut browser, "/workspace/findings.pdf").await, &["Bank north · Internal"]);
    browser.submit(page, path, &[("classification", "Strictly confidential")]).await.expect(303);
    browser.get("/workspace/settings?done=classification").await.shows("value=\"Strictly confidential\"");
    says(&text(&mut browser, "/workspace/findings.pdf").await, &["Bank north · Strictly confidential"]);
    browser.submit(page, path, &[("classification", " ")]).await.expect(303);
    let mut german = browser.with("accept-language", "de");
    says(&text(&mut german, "/workspace/findings.pdf").await, &["Bank north · Intern"]);
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(page).await.shows("Internal").lacks("name=\"classification\"");
    manager.submit("/workspace", path, &[("classification", "Public")]).await.expect(403);
}

#[tokio::test]
async fn lead_times_are_chosen_and_taken_back_by_administrators() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let (page, path) = ("/workspace/settings", "/workspace/settings/lead-times");
    let usual = browser.get(page).await.shows("value=\"30, 14, 7, 1\"").shows("value=\"12, 4, 1\"");
    usual
        .shows("These are the default lead times.")
        .shows("For the stages of CRA reports and the reports on incidents")
        .shows("href=\"/workspace/risks/appetite\"")
        .lacks("Many institutions")
        .lacks("Reset to the defaults");
    let chosen = [("lead_days", "3,90, 21"), ("lead_hours", "6")];
    let saved = browser.submit(page, path, &chosen).await.expect(303);
    let shown = browser.get(saved.location()).await.shows("Lead times saved.");
    shown.shows("value=\"90, 21, 3\"").shows("value=\"6\"").shows("Reset to the defaults: 30, 14, 7, 1 days");
    let mut manager = house.signed_in(Role::Manager).await;
    manager
        .get(page)
        .await
        .shows("90, 21, 3 days before")
        .shows("6 hours before")
        .lacks("name=\"lead_days\"");
    manager.submit("/workspace", path, &[("lead_days", "1"), ("lead_hours", "1")]).await.expect(403);
    manager.submit("/workspace", path, &[("usual", "1")]).await.expect(403);

    let wrong = browser.submit(page, path, &[("lead_days", "0, 400"), ("lead_hours", "")]).await.expect(422);
    let wrong = wrong
        .shows("must be up to 8 whole numbers from 1 to 180 with commas between them")
        .shows("value=\"0, 400\"");
    wrong.shows("href=\"#lead_days\"").shows("href=\"#lead_hours\"").shows("value=\"25\"");
    let mut german = browser.with("accept-language", "de");
    let wrong = german.submit(page, path, &[("lead_days", "x"), ("lead_hours", "1")]).await.expect(422);
    wrong.shows(
        "muss aus bis zu 8 ganzen Zahlen von 1 bis 180 mit Kommas dazwischen bestehen, etwa 30, 14, 7, 1",
    );
    browser.submit(page, path, &[("usual", "1")]).await.expect(303);
    browser.get(page).await.shows("These are the default lead times.").shows("value=\"30, 14, 7, 1\"");
    browser.get("/workspace/audit").await.shows("lead_times.changed");
}

#[tokio::test]
async fn the_language_of_messages_is_an_administrators_choice() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let (page, path) = ("/workspace/settings", "/workspace/settings/language");
    browser.submit(page, path, &[("language", "de")]).await.expect(303);
    browser.get(page).await.shows("<option value=\"de\" selected>");
    assert_eq!(house.test.app.tenant_of(&house.north.caller).await.unwrap().language, Language::German);
    let mut manager = house.signed_in(Role::Manager).await;
    manager.submit("/workspace", path, &[("language", "en")]).await.expect(403);
}

#[tokio::test]
async fn mail_is_tested_from_the_page_where_there_is_a_server() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let path = "/workspace/settings/mail-test";
    browser.get("/workspace/settings").await.shows("No mail server is configured").lacks(path);
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let page = browser.get("/workspace/settings").await.shows("Mail is set up");
    page.shows("Send a test mail to administrator@north.example");
    let sent = browser.submit("/workspace/settings", path, &[]).await.expect(303);
    browser.get(sent.location()).await.shows("The test mail is on its way.");
    let mail = mailbox.next_mail().await.to_string();
    assert!(mail.contains("administrator@north.example") && mail.contains("mail arrives"), "{mail}");
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get("/workspace/settings").await.shows("Mail is set up").lacks(path);
    manager.submit("/workspace", path, &[]).await.expect(403);
}

#[tokio::test]
async fn numbers_out_of_range_are_refused_and_kept_for_correction() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut fields = FIELDS;
    fields[0].1 = "101";
    fields[4].1 = "often";
    let page = browser.submit("/workspace/settings", "/workspace/settings", &fields).await.expect(422);
    page.shows("must be a whole number from 1 to 100").shows("value=\"101\"").shows("value=\"often\"");
}

#[tokio::test]
async fn types_of_files_and_domains_of_mail_are_chosen_by_administrators() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let page = "/workspace/settings";
    browser.get(page).await.shows("csv, doc, docx").shows("value=\"north.example\"");
    let types = "/workspace/settings/evidence-types";
    let wrong = browser.submit(page, types, &[("evidence_types", "pdf, exe")]).await.expect(422);
    wrong.shows("cannot contain exe").shows("value=\"pdf, exe\"");
    let saved = browser.submit(page, types, &[("evidence_types", "pdf VSDX")]).await.expect(303);
    browser.get(saved.location()).await.shows("Types of evidence files saved.").shows("value=\"pdf, vsdx\"");
    browser.submit(page, types, &[("evidence_types", "")]).await.expect(303);
    browser.get(page).await.shows("csv, doc, docx");
    let domains = "/workspace/settings/mail-domains";
    let wrong = browser.submit(page, domains, &[("mail_domains", "bank")]).await.expect(422);
    wrong.shows("bank is none");
    browser.submit(page, domains, &[("mail_domains", "bank.example, north.example")]).await.expect(303);
    browser.get("/workspace/settings?done=mail-domains").await.shows("value=\"bank.example, north.example\"");
    let key = house.test.key(&house.north, "read").await;
    let seen = house.test.client(&key).get("/api/v1/profile").await.expect(200).data();
    assert_eq!(seen["mail_domains"], serde_json::json!(["bank.example", "north.example"]));
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(page).await.shows("bank.example, north.example").lacks("name=\"mail_domains\"");
}
