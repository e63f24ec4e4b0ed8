//! Reports under the CRA: clocks that start at once, what to file when, and the forms for it.

use domain::{time_zone::TimeZone, user::Role};

use crate::{
    House, PASSWORD,
    browser::Browser,
    records::create,
    reports::{cells, says, text},
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
    TimeZone::default().field(house.test.clock.now().plus_seconds(-3600))
}

#[tokio::test]
async fn a_report_runs_through_its_stages() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(REPORTS).await.expect(200).shows("There is no report yet");
    let sent = fields(&an_hour_ago(&house));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut browser, REPORTS, &sent).await;
    let page = browser.get(&report).await.shows("23 hrs left").shows("Art. 14(2)(a)").shows("Draft");
    page.shows("The clock has not started yet.").shows("DE, AT").lacks("Record the notification");
    browser.get(REPORTS).await.shows("Vault gateway").shows("Early warning");
    let to = format!("{report}/move");
    let skipped = browser.submit(&report, &to, &[("status", "notification_sent")]).await;
    skipped.expect(422).shows("cannot go from Draft to Notification sent");
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
    browser.get(&format!("{report}/edit")).await.shows("name=\"aware_at\"").lacks("name=\"kind\"");
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
    let file = browser.fetch(&format!("{report}/early_warning.pdf")).await.expect(200);
    let name =
        format!("inline; filename=\"cra-vault-gateway-{}-early-warning.pdf\"", &report[report.len() - 8..]);
    assert_eq!(file.headers["content-disposition"], name);
    let output = cells(&mut browser, &format!("{report}/early_warning.pdf")).await;
    says(&output, &["Page 1 of 1", "Known since 14 Nov 2026, 14:00 CET"]);
    says(
        &output,
        &["Early warning", "Vault gateway", "DE, AT", "Art. 14(2)(a)", "the Member States in which"],
    );
    let output = cells(&mut browser, &format!("{report}/notification.pdf")).await;
    says(&output, &["Notification", "general nature of the exploit", "Token leak in the gateway"]);
    says(&output, &["how sensitive you consider the notified information", "(Art. 14(2)(b))"]);
    let mut german = browser.with("accept-language", "de");
    says(
        &cells(&mut german, &format!("{report}/final_report.pdf")).await,
        &["Abschlussbericht", "Vorgeschriebener Inhalt", "Nicht angegeben"],
    );
    browser.get(&format!("{report}/another_stage.pdf")).await.expect(404);
    browser.get(&format!("{report}/early_warning")).await.expect(404);
}

#[tokio::test]
async fn a_filing_is_recorded_with_its_time_and_reference_and_corrected_with_a_reason() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let report = report(&house, &mut browser, "severe_incident").await;
    let page = browser.get(&report).await.shows("Prepare the contents of each stage here");
    page.shows("Required contents").shows("File the stage with the authority first").lacks("To be told");
    house.pass(30 * 3600);
    let mut browser = house.browser().signed_in("manager@north.example", PASSWORD).await;
    let to = format!("{report}/move");
    let early = [("status", "early_warning_sent"), ("submitted_at", "2026-11-14T13:00")];
    browser.submit(&report, &to, &early).await.expect(422).shows("must not be before aware_at");
    // The fields of a filing are sent with every button; withdrawing ignores them.
    let filed = [
        ("status", "early_warning_sent"),
        ("submitted_at", "2026-11-14T20:15"),
        ("submission_reference", "CSIRT-4711"),
    ];
    browser.submit(&report, &to, &filed).await.expect(303);
    let page = browser.get(&report).await.shows("14 Nov 2026, 20:15 CET").shows("CSIRT-4711");
    page.shows("Recorded here").shows("15 Nov 2026, 21:00 CET").lacks("Submitted late");
    let output = text(&mut browser, &format!("{report}/early_warning.pdf")).await;
    says(&output, &["14 Nov 2026, 20:15 CET", "CSIRT-4711", "15 Nov 2026, 21:00 CET", "manager"]);
    let to = format!("{report}/correct");
    let corrected = [
        ("stage", "early_warning"),
        ("stages.early_warning.submitted_at", "2026-11-15T18:00"),
        ("stages.early_warning.reference", "CSIRT-4712"),
        ("stages.early_warning.reason", ""),
    ];
    let refused = browser.submit(&report, &to, &corrected).await.expect(422);
    refused.shows("cannot be corrected without a reason").shows("value=\"CSIRT-4712\"");
    let mut corrected = corrected;
    corrected[3].1 = "As the receipt says";
    browser.submit(&report, &to, &corrected).await.expect(303);
    let page = browser.get(&report).await.shows("CSIRT-4712").shows("Submitted late");
    page.shows("Correction").shows("As the receipt says");
    let output = text(&mut browser, &format!("{report}/early_warning.pdf")).await;
    says(&output, &["Correction", "As the receipt says"]);
}

#[tokio::test]
async fn a_local_time_that_is_no_moment_is_refused() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    for (time, sentence, german) in [
        ("2026-03-29T02:30", "does not exist in Europe/Berlin", "gibt es in Europe/Berlin nicht"),
        ("2026-10-25T02:30", "exists twice in Europe/Berlin", "gibt es in Europe/Berlin doppelt"),
    ] {
        let sent = fields(time);
        let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let page = browser.submit(&format!("{REPORTS}/new"), REPORTS, &sent).await.expect(422);
        page.shows(sentence).shows(time);
        let mut reader = browser.with("accept-language", "de");
        reader.submit(&format!("{REPORTS}/new"), REPORTS, &sent).await.expect(422).shows(german);
    }
}

#[tokio::test]
async fn the_final_report_of_a_vulnerability_asks_for_its_corrective_measure() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let report = report(&house, &mut browser, "exploited_vulnerability").await;
    let to = format!("{report}/move");
    for status in ["early_warning_sent", "notification_sent"] {
        browser.get(&report).await.lacks("this is needed first");
        browser.submit(&report, &to, &[("status", status)]).await.expect(303);
    }
    browser.get(&report).await.shows("this is needed first").shows("name=\"corrective_measure_at\"");
    let last = [("status", "final_report_sent"), ("corrective_measure_at", "")];
    browser.submit(&report, &to, &last).await.expect(422).shows("is required before the final report");
    let last = [("status", "final_report_sent"), ("corrective_measure_at", "2026-11-14T14:30")];
    browser.submit(&report, &to, &last).await.expect(303);
    browser.get(&report).await.shows("14 Nov 2026, 14:30 CET").shows("Final report sent");
}

#[tokio::test]
async fn the_start_of_the_clocks_is_corrected_until_the_first_filing() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let report = report(&house, &mut browser, "severe_incident").await;
    let edit = format!("{report}/edit");
    let sent = |note: &'static str| {
        [
            ("title", "Token leak"),
            ("product.name", "Vault gateway"),
            ("severity", "high"),
            ("aware_at", "2026-11-14T12:00"),
            ("note", note),
        ]
    };
    let refused = browser.submit(&edit, &report, &sent("")).await.expect(422);
    refused.shows("cannot be changed without a reason");
    browser.submit(&edit, &report, &sent("The first mail came earlier")).await.expect(303);
    let page = browser.get(&report).await.shows("21 hrs left").shows("Correction");
    page.shows("The first mail came earlier");
    let to = format!("{report}/move");
    browser.submit(&report, &to, &[("status", "early_warning_sent")]).await.expect(303);
    browser.get(&edit).await.lacks("name=\"aware_at\"");
    let mut late = sent("Again");
    late[3].1 = "2026-11-14T11:00";
    browser.submit(&edit, &report, &late).await.expect(422).shows("once a stage is filed");
}

#[tokio::test]
async fn what_was_filed_is_archived_and_restored_not_deleted() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Leak"), ("severity", "low")]).await;
    let report = report(&house, &mut browser, "severe_incident").await;
    let linked = [
        ("title", "Token leak"),
        ("product.name", "Vault gateway"),
        ("severity", "high"),
        ("finding_id", "F-2026-0002"),
    ];
    let edit = format!("{report}/edit");
    browser.submit(&edit, &report, &linked).await.expect(422).shows("“F-2026-0002” is none of your records");
    let mut linked = linked;
    linked[3].1 = "F-2026-0001";
    browser.submit(&edit, &report, &linked).await.expect(303);
    browser.get(&report).await.shows(&finding).shows("F-2026-0001 Leak");
    browser.get(&edit).await.shows("value=\"F-2026-0001 Leak\"");
    let warned = [("status", "early_warning_sent")];
    browser.submit(&report, &format!("{report}/move"), &warned).await.expect(303);
    browser.get(&report).await.lacks("/delete").shows("What was filed is kept");
    let refused = browser.submit(&report, &format!("{report}/delete"), &[]).await.expect(422);
    refused.shows("has a filed stage and cannot be deleted: archive it");
    browser.submit(&report, &format!("{report}/archive"), &[]).await.expect(303);
    let page = browser.get(&report).await.shows("This report is archived").shows("Token leak");
    page.lacks("/edit\"").lacks("/move").lacks("Correct the filing");
    browser.get(REPORTS).await.shows("There is no report yet");
    browser.get(&format!("{REPORTS}?archived=true")).await.shows("Token leak").shows("nothing due");
    browser.submit(&report, &format!("{report}/restore"), &[]).await.expect(303);
    browser.get(REPORTS).await.shows("Token leak");
    let file = browser.fetch(&format!("{REPORTS}.csv")).await.expect(200);
    let table = String::from_utf8(file.bytes.clone()).unwrap();
    assert!(
        table.contains("early_warning_submitted_at") && table.contains("2026-11-14T14:00:00Z"),
        "{table}"
    );
    says(&text(&mut browser, &format!("{REPORTS}.pdf")).await, &["CRA reports", "Token leak", "no filter"]);
}

/// A report of this kind, known for an hour.
async fn report(house: &House, browser: &mut Browser, kind: &str) -> String {
    let mut sent = fields(&an_hour_ago(house));
    kind.clone_into(&mut sent[0].1);
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    create(browser, REPORTS, &sent).await
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

#[tokio::test]
async fn contents_are_entered_on_the_page_and_stand_in_the_pdf_as_filed() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let sent = fields(&an_hour_ago(&house));
    let sent: Vec<_> = sent.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let report = create(&mut browser, REPORTS, &sent).await;
    let (to, contents) = (format!("{report}/move"), format!("{report}/contents"));
    browser.submit(&report, &to, &[("status", "early_warning_sent")]).await.expect(303);
    let page = browser.get(&report).await.shows("name=\"contents.measures_taken\"");
    page.shows("As filed; later changes").lacks("name=\"contents.member_states\"");
    let entered = [
        ("stage", "notification"),
        ("contents.nature", "Tokens can be read by any user."),
        ("contents.measures_taken", "The log is closed."),
    ];
    browser.submit(&report, &contents, &entered).await.expect(303);
    browser.get(&report).await.shows("The log is closed.");
    let draft = text(&mut browser, &format!("{report}/notification.pdf")).await;
    says(&draft, &["The log is closed.", "Vault gateway", "Not entered"]);
    assert!(!draft.contains("To be completed"), "{draft}");
    browser.submit(&report, &to, &[("status", "notification_sent")]).await.expect(303);
    let late = [("stage", "notification"), ("contents.measures_taken", "Something else")];
    browser.submit(&report, &contents, &late).await.expect(303);
    let filed = text(&mut browser, &format!("{report}/notification.pdf")).await;
    says(&filed, &["The log is closed."]);
    assert!(!filed.contains("Something else"), "{filed}");
}
