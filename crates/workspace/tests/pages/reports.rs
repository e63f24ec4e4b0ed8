//! Reports parsed as text: their owner, content, filter and language.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use domain::user::Role;

use crate::{
    House,
    browser::Browser,
    records::create,
    third_parties::{REGISTER, import},
};

/// The words of a report, in reading order.
pub(crate) async fn text(browser: &mut Browser, path: &str) -> String {
    let file = browser.fetch(path).await.expect(200);
    assert_eq!(file.headers["content-type"], "application/pdf", "{path}");
    read_by("pdftotext", &["-layout", "-", "-"], &file.bytes)
}

/// The same cell by cell, so that a sentence in a narrow column is not mixed with its neighbours.
pub(crate) async fn cells(browser: &mut Browser, path: &str) -> String {
    let file = browser.fetch(path).await.expect(200);
    read_by("pdftotext", &["-raw", "-", "-"], &file.bytes)
}

/// The output of another program for a report.
pub(crate) fn read_by(program: &str, arguments: &[&str], report: &[u8]) -> String {
    let mut reader =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    reader.stdin.take().unwrap().write_all(report).unwrap();
    String::from_utf8(reader.wait_with_output().unwrap().stdout).unwrap()
}

#[track_caller]
/// Checks that the text contains this, wherever its lines break.
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
    let shown_text = text(&mut browser, &format!("{finding}.pdf")).await;
    says(&shown_text, &["F-2026-0001", "No restore since März", "Critical", "In progress", "1 Mar 2027"]);
    says(&shown_text, &["Seen during the exercise.", "Taken up by the platform team", "Bank north", "CET"]);
    // Who did it, where it came from, and who may read it.
    says(&shown_text, &["contributor", "Programme Zahlungsverkehr 2027", "Internal"]);
    let shown_text = text(&mut browser, &format!("{test_case}.pdf")).await;
    says(&shown_text, &["Restore of the ledger", "Stop the primary site", "Restore the copy", "High"]);
    for (path, name) in [
        (&finding, "finding-F-2026-0001.pdf"),
        (&test_case, "test-case-restore-of-the-ledger.pdf"),
        (&programme, "programme-zahlungsverkehr-2027.pdf"),
    ] {
        let file = browser.fetch(&format!("{path}.pdf")).await.expect(200);
        assert_eq!(file.headers["content-disposition"], format!("inline; filename=\"{name}\""));
    }
    let shown_text = text(&mut browser, &format!("{programme}.pdf")).await;
    says(&shown_text, &["Zahlungsverkehr 2027", "Restore of the ledger", "F-2026-0001", "Anna Weber"]);
}

#[tokio::test]
async fn a_list_of_findings_names_owners_and_what_is_overdue() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let late = [("title", "Late"), ("severity", "high"), ("owner", "Anna Weber"), ("due_on", "2026-11-16")];
    create(&mut browser, "/workspace/findings", &late).await;
    house.pass(5 * 24 * 60 * 60);
    let mut browser = house.browser().signed_in("contributor@north.example", crate::PASSWORD).await;
    says(&cells(&mut browser, "/workspace/findings.pdf").await, &["Anna Weber", "16 Nov 2026", "Overdue"]);
}

#[tokio::test]
async fn one_incident_is_a_report_with_its_deadlines() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let incident =
        [("title", "Outage of the core"), ("regimes", "dora"), ("root_cause", "Expired certificate")];
    let incident = create(&mut browser, "/workspace/incidents", &incident).await;
    browser.get(&incident).await.shows(&format!("{incident}.pdf"));
    let shown_text = text(&mut browser, &format!("{incident}.pdf")).await;
    says(&shown_text, &["Outage of the core", "Expired certificate", "DORA", "Reports", "Legal basis"]);
}

#[tokio::test]
async fn a_list_says_by_which_filter_it_was_made() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let (programme, ..) = filled(&mut browser).await;
    let shown_text = text(&mut browser, "/workspace/findings.pdf?severity=low").await;
    says(&shown_text, &["Severity: Low", "Old cipher", "F-2026-0002"]);
    assert!(!shown_text.contains("Detected"), "one row for each record: {shown_text}");
    let shown_text = text(&mut browser, "/workspace/findings.pdf?severity=low&style=long").await;
    says(&shown_text, &["Severity: Low", "Old cipher", "Detected"]);
    assert!(!shown_text.contains("No restore"), "{shown_text}");
    let id = programme.rsplit('/').next().unwrap();
    let shown_text = text(&mut browser, &format!("/workspace/findings.pdf?programme_id={id}")).await;
    says(&shown_text, &["Programme: Zahlungsverkehr 2027", "F-2026-0001"]);
    assert!(!shown_text.contains("Old cipher"), "{shown_text}");
    let shown_text = text(&mut browser, "/workspace/findings.pdf?search=nothing-like-this").await;
    says(&shown_text, &["Search: nothing-like-this", "None"]);
    says(&text(&mut browser, "/workspace/test-cases.pdf").await, &["Restore of the ledger", "no filter"]);
    says(&text(&mut browser, "/workspace/programmes.pdf").await, &["Zahlungsverkehr 2027", "no filter"]);
}

#[tokio::test]
async fn own_compliance_is_printed_as_a_table_or_in_full() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let function = [("name", "Payments"), ("rto_minutes", "240"), ("criticality", "critical_or_important")];
    create(&mut browser, "/workspace/functions", &function).await;
    create(&mut browser, "/workspace/functions", &[("name", "Canteen"), ("criticality", "other")]).await;
    let control = [("title", "Restore test"), ("status", "implemented"), ("cadence", "monthly")];
    create(&mut browser, "/workspace/controls", &control).await;
    let risk = [
        ("title", "Ransomware"),
        ("category", "cyber-attack"),
        ("treatment", "mitigate"),
        ("cause", "A mail attachment"),
        ("inherent.likelihood", "4"),
        ("inherent.impact", "5"),
        ("residual.likelihood", "3"),
        ("residual.impact", "5"),
    ];
    create(&mut browser, "/workspace/risks", &risk).await;
    let fields = [("title", "Restore log"), ("valid_until", "2026-11-20")];
    browser.upload("/workspace/evidence", &fields, "restored 1.8 TB").await.expect(303);

    let functions = "/workspace/functions.pdf?criticality=critical_or_important";
    let printed = text(&mut browser, functions).await;
    says(&printed, &["Criticality: Critical or important", "F1", "Payments", "240"]);
    assert!(!printed.contains("Canteen"), "filtered like the page: {printed}");
    says(&text(&mut browser, &format!("{functions}&style=long")).await, &["Impact of discontinuing"]);
    let printed = text(&mut browser, "/workspace/controls.pdf?style=long").await;
    says(&printed, &["no filter", "C-0001", "Restore test", "Implemented", "Interval", "Monthly"]);
    let printed = text(&mut browser, "/workspace/risks.pdf?style=long").await;
    says(&printed, &["R-0001", "Ransomware", "Critical (3 + 5)", "Cause", "A mail attachment"]);
    let printed = text(&mut browser, "/workspace/evidence.pdf?style=long").await;
    says(&printed, &["Restore log", "Expires soon", "20 Nov 2026", "SHA-256"]);
    let mut browser = browser.with("accept-language", "de");
    says(&text(&mut browser, "/workspace/risks.pdf").await, &["Risiken", "Restrisikostufe", "Kritisch"]);
    says(&text(&mut browser, functions).await, &["Funktionen", "Kritikalität: Kritisch oder wichtig"]);
}

#[tokio::test]
async fn reports_speak_german_to_german_readers() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let (_, _, finding) = filled(&mut browser).await;
    let german = browser.with("accept-language", "de");
    let mut browser = german;
    let shown_text = text(&mut browser, &format!("{finding}.pdf")).await;
    says(&shown_text, &["Feststellung", "Kritisch", "Offen", "01.03.2027", "Verlauf"]);
    let shown_text = text(&mut browser, "/workspace/findings.pdf").await;
    says(&shown_text, &["Feststellungen", "Schweregrad", "Überblick"]);
}

#[tokio::test]
async fn the_concentration_report_names_each_critical_function_by_its_weakest_arrangement() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    import(&mut browser, REGISTER).await;
    let page = "/workspace/concentration-risk";
    browser.submit(page, page, &[]).await.expect(303);
    let shown_text = cells(&mut browser, &format!("{page}.pdf")).await;
    let heading = "Critical functions, each by its weakest arrangement";
    assert!(shown_text.contains("75.00") && !shown_text.contains(" 75 %"), "equal decimals: {shown_text}");
    says(&shown_text, &[heading, "Payments Hard Without an exit plan 1", "Cash Easy With an exit plan 1"]);
    let mut browser = browser.with("accept-language", "de");
    let shown_text = cells(&mut browser, &format!("{page}.pdf")).await;
    says(&shown_text, &["Kritische Funktionen, jede nach ihrer schwächsten Vereinbarung", "Payments Schwer"]);
}

/// The pages each entry of the contents names, with the entry.
fn contents(page: &str) -> Vec<(String, usize)> {
    let entry = |line: &str| {
        let (title, number) = line.trim().rsplit_once(' ')?;
        Some((title.trim_end_matches(['.', ' ', '\u{2026}']).to_owned(), number.parse().ok()?))
    };
    page.lines().filter_map(entry).filter(|(title, _)| !title.contains("Page ")).collect()
}

/// Every report: time and filter on its first page, a header and footer on every page but a cover, tags, and from
/// three pages on a cover and contents with the right page numbers.
#[tokio::test]
async fn every_report_is_stamped_listed_numbered_and_tagged() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let (programme, test_case, finding) = filled(&mut browser).await;
    import(&mut browser, REGISTER).await;
    browser.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await.expect(303);
    let fields = [
        ("kind", "exploited_vulnerability"),
        ("aware_at", "2026-11-14T14:00"),
        ("title", "Token leak in the gateway"),
        ("product.name", "Vault gateway"),
        ("severity", "critical"),
        ("member_states", "DE"),
    ];
    let report = create(&mut browser, "/workspace/cra-reports", &fields).await;
    for (path, filter) in [
        ("/workspace/findings.pdf?severity=critical".to_owned(), Some("Severity: Critical")),
        ("/workspace/test-cases.pdf?status=draft".to_owned(), Some("Status: Draft")),
        ("/workspace/programmes.pdf?framework=dora".to_owned(), Some("Framework: DORA")),
        (format!("{programme}.pdf"), None),
        (format!("{test_case}.pdf"), None),
        (format!("{finding}.pdf"), None),
        ("/workspace/concentration-risk.pdf".to_owned(), None),
        (format!("{report}/early_warning.pdf"), None),
        ("/workspace/cra-reports.pdf?status=draft".to_owned(), Some("Status: Draft")),
    ] {
        let file = browser.fetch(&path).await.expect(200);
        let about = read_by("pdfinfo", &["-"], &file.bytes);
        assert!(
            about.lines().any(|line| line.starts_with("Tagged:") && line.ends_with("yes")),
            "{path}: {about}"
        );
        let title = about.lines().find_map(|line| line.strip_prefix("Title:")).unwrap().trim().to_owned();
        let text = read_by("pdftotext", &["-layout", "-", "-"], &file.bytes);
        let pages: Vec<&str> = text.trim_end_matches('\u{c}').split('\u{c}').collect();
        says(pages[0], &["14 Nov 2026, 15:00 CET", "Bank north"]);
        filter.inspect(|filter| says(pages[0], &[filter]));
        let has_cover = pages.len() >= 3;
        assert_eq!(has_cover, path.contains("concentration-risk"), "{path}: {text}");
        for (index, page) in pages.iter().enumerate().skip(usize::from(has_cover)) {
            let number = format!("Page {} of {}", index + 1, pages.len());
            says(page, &[&number, "Generated: 14 Nov 2026, 15:00 CET", &title, "Internal"]);
        }
        if !has_cover {
            assert!(!text.contains("Contents"), "{path}: {text}");
            continue;
        }
        let listed = contents(pages[1]);
        assert!(!listed.is_empty(), "{path}: {}", pages[1]);
        for (entry, page) in listed {
            let there = pages.get(page - 1).unwrap_or_else(|| panic!("{path}: no page {page}"));
            says(there, &[&entry]);
        }
    }
}
