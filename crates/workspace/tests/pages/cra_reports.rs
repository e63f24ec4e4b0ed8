//! Reports under the CRA: clocks that start at once, what to file when, and the forms for it.

use domain::user::Role;

use crate::{
    House, PASSWORD,
    records::create,
    reports::{says, text},
};

const REPORTS: &str = "/workspace/cra-reports";

fn fields(aware_at: &str) -> [(&'static str, String); 6] {
    [
        ("kind", "exploited_vulnerability".to_owned()),
        ("aware_at", aware_at.to_owned()),
        ("title", "Token leak in the gateway".to_owned()),
        ("product.name", "Vault gateway".to_owned()),
        ("severity", "critical".to_owned()),
        ("member_states", "DE\nAT".to_owned()),
    ]
}

/// An hour before the house's clock, as a browser's field writes it.
fn an_hour_ago(house: &House) -> String {
    let at = house.test.clock.now().plus_seconds(-3600);
    at.to_string().chars().take("2026-01-31T12:00".len()).collect()
}

#[tokio::test]
async fn a_report_runs_through_its_stages() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(REPORTS).await.expect(200).shows("There is no report yet");
    let sent = fields(&an_hour_ago(&house));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut browser, REPORTS, &sent).await;
    let page = browser.get(&report).await.shows("23 h 0 min left").shows("Art. 14(2)(a)").shows("Draft");
    page.shows("The clock has not started yet.").shows("DE, AT").lacks("Record the notification");
    browser.get(REPORTS).await.shows("Vault gateway").shows("Early warning");
    let to = format!("{report}/move");
    let skipped = browser.submit(&report, &to, &[("status", "notification_sent")]).await;
    skipped.expect(422).shows("cannot go from draft to notification_sent");
    let warned = [("status", "early_warning_sent"), ("note", "Filed with the CSIRT")];
    browser.submit(&report, &to, &warned).await.expect(303);
    let page = browser.get(&report).await.shows("Submitted").shows("Filed with the CSIRT");
    page.shows("Record the notification").lacks("Record the early warning");
    house.pass(4 * 24 * 3600);
    let mut browser = house.browser().signed_in("manager@north.example", PASSWORD).await;
    browser.get(&report).await.shows("Overdue").shows(" late");
}

#[tokio::test]
async fn a_wrong_entry_is_kept_and_what_starts_the_clock_stays() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let sent = fields("2999-01-01T00:00");
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let page = browser.submit(&format!("{REPORTS}/new"), REPORTS, &sent).await.expect(422);
    page.shows("must not be in the future").shows("value=\"Vault gateway\"").shows("2999-01-01T00:00");
    let sent = fields(&an_hour_ago(&house));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut browser, REPORTS, &sent).await;
    browser.get(&format!("{report}/edit")).await.lacks("name=\"aware_at\"").lacks("name=\"kind\"");
    let changed = [("title", "Token leak"), ("product.name", "Vault gateway"), ("severity", "high")];
    browser.submit(&format!("{report}/edit"), &report, &changed).await.expect(303);
    browser.get(&report).await.shows("Token leak").shows("High").shows("DE, AT");
}

#[tokio::test]
async fn what_is_asked_for_names_the_place_that_asks() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut sent = fields(&an_hour_ago(&house));
    let leak = sent.clone().map(|(name, value)| (name, value));
    let leak: Vec<_> = leak.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut browser, REPORTS, &leak).await;
    let page = browser.get(&report).await.shows("What else Art. 14 asks for");
    let page = page.shows("Art. 14(2)(c)(ii)").shows("Tell the affected users").shows("Art. 14(8)");
    page.lacks("Art. 14(4)").lacks("Art. 14(5)");
    sent[0].1 = "severe_incident".to_owned();
    let incident: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut browser, REPORTS, &incident).await;
    let page = browser.get(&report).await.shows("Art. 14(4)(c)(iii)").shows("Art. 14(5)");
    page.shows("Whether unlawful or malicious acts are suspected").lacks("Art. 14(2)");
}

#[tokio::test]
async fn each_stage_has_its_form() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let sent = fields(&an_hour_ago(&house));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut browser, REPORTS, &sent).await;
    let told = text(&mut browser, &format!("{report}/early_warning.pdf")).await;
    says(&told, &["Early warning", "Vault gateway", "DE, AT", "Art. 14(2)(a)", "the Member States in which"]);
    let told = text(&mut browser, &format!("{report}/notification.pdf")).await;
    says(&told, &["Notification", "general nature of the exploit", "Token leak in the gateway"]);
    says(&told, &["how sensitive you consider the notified information", "(Art. 14(2)(b))"]);
    let mut german = browser.with("accept-language", "de");
    says(
        &text(&mut german, &format!("{report}/final_report.pdf")).await,
        &["Abschlussbericht", "Auszufüllen"],
    );
    browser.get(&format!("{report}/another_stage.pdf")).await.expect(404);
    browser.get(&format!("{report}/early_warning")).await.expect(404);
}

#[tokio::test]
async fn contributors_read_reports_and_managers_write_them() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let sent = fields(&an_hour_ago(&house));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut manager, REPORTS, &sent).await;
    let mut reader = house.signed_in(Role::Contributor).await;
    reader.get(&report).await.expect(200).lacks("/move").lacks("/delete").lacks("/edit");
    reader.get(&format!("{REPORTS}/new")).await.expect(403);
    reader.submit("/workspace", REPORTS, &sent).await.expect(403);
    for change in ["", "/move", "/delete"] {
        let status = [("status", "withdrawn"), ("title", "x")];
        reader.submit("/workspace", &format!("{report}{change}"), &status).await.expect(403);
    }
    manager.submit(&report, &format!("{report}/delete"), &[]).await.expect(303);
    manager.get(&report).await.expect(404);
}
