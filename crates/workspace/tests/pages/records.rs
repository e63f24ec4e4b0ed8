//! The pages of programmes, test cases and findings.

use domain::user::Role;

use crate::{House, browser::Browser};

/// Creates a record through its form and returns its address.
pub(crate) async fn create(browser: &mut Browser, list: &str, fields: &[(&str, &str)]) -> String {
    let made = browser.submit(&format!("{list}/new"), list, fields).await.expect(303);
    let address = made.location().strip_suffix("?done=created").unwrap().to_owned();
    browser.get(made.location()).await.expect(200).shows("Created.");
    address
}

async fn programme(browser: &mut Browser) -> String {
    let fields = [
        ("name", "Payments 2027"),
        ("framework", "dora"),
        ("owner", "Anna Weber"),
        ("starts_on", "2027-01-01"),
        ("ends_on", "2027-12-31"),
        ("functions", "Instant payments\n\nCard processing"),
    ];
    create(browser, "/workspace/programmes", &fields).await
}

#[tokio::test]
async fn a_programme_goes_from_plan_to_finding() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    browser.get("/workspace/programmes").await.shows("No programmes yet");
    let programme = programme(&mut browser).await;
    browser.get(&programme).await.shows("Card processing").shows("1 Jan 2027");
    let id = programme.rsplit('/').next().unwrap();
    let fields = [
        ("programme_id", id),
        ("title", "Restore test"),
        ("test_type", "scenario_based_test"),
        ("priority", "high"),
    ];
    let test_case = create(&mut browser, "/workspace/test-cases", &fields).await;
    browser.get(&programme).await.shows("Restore test");
    for status in ["ready", "in_progress", "failed"] {
        let step = [("status", status), ("note", "so it is"), ("actual_result", "It took two hours")];
        let moved = browser.submit(&test_case, &format!("{test_case}/move"), &step).await;
        browser.get(moved.expect(303).location()).await.shows("New status saved.").shows("so it is");
    }
    let refused = browser.submit(&test_case, &format!("{test_case}/move"), &[("status", "draft")]).await;
    refused.expect(422).shows("cannot go from Failed to Draft");
    let noted = [("status", "draft"), ("note", "Begin again")];
    let refused = browser.submit(&test_case, &format!("{test_case}/move"), &noted).await;
    refused.expect(422).shows("Begin again</textarea>");
    let test_case_id = test_case.rsplit('/').next().unwrap();
    let fields = [
        ("title", "No restore since March"),
        ("severity", "critical"),
        ("programme_id", id),
        ("test_case_id", test_case_id),
        ("due_on", "2026-11-20"),
        ("cvss", "9,1"),
    ];
    let finding = create(&mut browser, "/workspace/findings", &fields).await;
    browser.get(&finding).await.shows("F-2026-0001").shows("9.1").shows("contributor");
    browser.get(&test_case).await.shows("No restore since March");
    browser.get("/workspace").await.shows("No restore since March");
}

#[tokio::test]
async fn a_risk_is_accepted_with_a_reason_and_an_end() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Old cipher"), ("severity", "low")]).await;
    let to = format!("{finding}/move");
    let bare = [("status", "risk_accepted"), ("acceptance.reason", ""), ("acceptance.until", "2026-11-14")];
    let page = browser.submit(&finding, &to, &bare).await.expect(422);
    page.shows("must be a day in the future").shows("must not be empty");
    let full = [
        ("status", "risk_accepted"),
        ("acceptance.reason", "Replaced in spring"),
        ("acceptance.until", "2027-03-31"),
    ];
    browser.submit(&finding, &to, &full).await.expect(303);
    browser.get(&finding).await.shows("Replaced in spring").shows("31 Mar 2027").shows("Risk accepted");
}

#[tokio::test]
async fn filters_stand_in_the_address() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    for (title, severity) in [("Alpha", "critical"), ("Beta", "low"), ("Gamma", "low")] {
        create(&mut browser, "/workspace/findings", &[("title", title), ("severity", severity)]).await;
    }
    browser.get("/workspace/findings?severity=low").await.lacks("Alpha").shows("Beta").shows("Gamma");
    browser.get("/workspace/findings?search=gamma").await.lacks("Beta").shows("Gamma");
    browser.get("/workspace/findings?severity=nonsense").await.shows("Alpha");
    browser.get("/workspace/findings?status=closed").await.shows("Nothing matches these filters");
    let page = browser.get("/workspace/findings?severity=low&limit=1").await.shows("1–1 of 2");
    assert!(page.body.contains("severity=low&amp;limit=1&amp;offset=1"), "{}", page.body);
    assert!(
        page.body.contains("/workspace/findings.pdf?severity=low&amp;limit=1"),
        "exports keep the filters"
    );
}

#[tokio::test]
async fn several_findings_change_at_once_or_not_at_all() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let mut ids = Vec::new();
    for title in ["One", "Two"] {
        let address =
            create(&mut browser, "/workspace/findings", &[("title", title), ("severity", "low")]).await;
        ids.push(address.rsplit('/').next().unwrap().to_owned());
    }
    let first = format!("/workspace/findings/{}", ids[0]);
    browser.submit(&first, &format!("{first}/move"), &[("status", "in_progress")]).await.expect(303);
    let fields = [("ids", ids[0].as_str()), ("ids", &ids[1]), ("status", "resolved")];
    let page = browser.submit("/workspace/findings", "/workspace/findings/move", &fields).await.expect(422);
    page.shows("Nothing was changed").shows("F-2026-0002 Two").shows("cannot go from Open to Resolved");
    browser.get(&first).await.shows("In progress").lacks("Resolved");
    let fields = [("ids", ids[0].as_str()), ("ids", &ids[1]), ("status", ""), ("owner", "Platform team")];
    let page = browser.submit("/workspace/findings", "/workspace/findings/move", &fields).await.expect(200);
    page.shows("2 changed, 0 were like that already.");
    browser.get("/workspace/findings").await.shows("Platform team");
    let none = browser.submit("/workspace/findings", "/workspace/findings/move", &[("status", "open")]).await;
    none.expect(422).shows("No finding was chosen.");
}

#[tokio::test]
async fn a_file_of_findings_is_checked_before_it_is_taken() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let import = "/workspace/findings/import";
    browser.get(import).await.shows("SARIF 2.1.0").lacks("OSV");
    let wrong = "title,severity\nOld cipher,low\n,unbearable\n";
    let page = browser.upload(import, &[("step", "check"), ("format", "csv")], wrong).await.expect(422);
    let page = page.shows("Nothing was stored").shows("severity").shows("must be one of");
    page.shows("Enter critical, high, medium, low or info.")
        .shows("Enter one line of at most 255 characters.");
    let right = "title,severity\nOld cipher,low\nNo restore,critical\n";
    let page = browser.upload(import, &[("step", "check")], right).await.expect(200);
    let page = page.shows("The file is fine").shows("Nothing was stored.");
    let output = page.between("What happens</caption>", "</table>").to_owned();
    let lines: Vec<_> = output.split("<tr").skip(2).collect();
    assert!(lines.len() == 2 && lines[0].contains(">2<") && lines[1].contains("No restore"), "{output}");
    assert!(lines.iter().all(|line| line.contains(">New<") || line.contains("New</span>")), "{output}");
    browser.get("/workspace/findings").await.lacks("Old cipher");

    // The checked file is kept in the page: one button imports it.
    let kept = page.hidden();
    let fields: Vec<_> = kept.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.upload_raw(import, &fields, "").await.expect(200).shows("The file is imported");
    browser.get("/workspace/findings").await.shows("Old cipher").shows("No restore");
    let page = browser.upload(import, &[("step", "import")], right).await.expect(200);
    page.shows("Unchanged").lacks("<dt>New</dt>");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(import).await.expect(403);
}

#[tokio::test]
async fn a_step_is_undone_where_there_is_a_way_back() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding = create(&mut browser, "/workspace/findings", &[("title", "One"), ("severity", "low")]).await;
    let to = format!("{finding}/move");
    browser.get(&finding).await.lacks("Undo");
    let moved = browser.submit(&finding, &to, &[("status", "in_progress")]).await.expect(303);
    let page = browser.get(moved.location()).await.shows("Undo: back to “Open”");
    assert!(page.hidden().iter().any(|(name, value)| name == "status" && value == "open"));
    browser.submit(&finding, &to, &[("status", "open"), ("note", "Undone")]).await.expect(303);
    browser.get(&finding).await.shows("Undone").lacks("Undo: back");
    browser.submit(&finding, &to, &[("status", "false_positive")]).await.expect(303);
    let moved = browser.submit(&finding, &to, &[("status", "open")]).await.expect(303);
    browser.get(moved.location()).await.shows("Undo: back to “False positive”");
    // There is no step from active back to planned, so undo is not offered.
    let programme = programme(&mut browser).await;
    let moved = browser.submit(&programme, &format!("{programme}/move"), &[("status", "active")]).await;
    browser.get(moved.expect(303).location()).await.shows("New status saved.").lacks("Undo");
}

#[tokio::test]
async fn a_dry_run_tells_what_becomes_of_each_line() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let import = "/workspace/findings/import";
    let first = "external_id,title,severity\n1,Old cipher,low\n2,No restore,critical\n3,Gone soon,high\n";
    browser.upload(import, &[("step", "import")], first).await.expect(200);
    let next = "external_id,title,severity\n1,Old cipher,low\n2,No restore,high\n4,Weak password,low\n";
    let fields = [("step", "check"), ("close_missing", "1")];
    let page = browser.upload(import, &fields, next).await.expect(200);
    let output = page.between("What happens</caption>", "</table>").to_owned();
    for (title, outcome) in [
        ("Old cipher", "Unchanged"),
        ("No restore", "Changed"),
        ("Weak password", "New"),
        ("Gone soon", "Closed"),
    ] {
        let line = output.split("<tr").find(|line| line.contains(title)).unwrap();
        assert!(line.contains(outcome), "{title}: {line}");
    }
    let changed = output.split("<tr").find(|line| line.contains("No restore")).unwrap();
    let outcome = changed.split("Changed").nth(1).unwrap();
    assert!(outcome.contains("Severity"), "which field: {changed}");
    let kept = page.hidden();
    assert!(kept.iter().any(|(name, value)| name == "close_missing" && value == "1"), "as it was checked");

    let many: Vec<_> = (0..250).map(|number| format!("Finding {number},low")).collect();
    let many = format!("title,severity\n{}\n", many.join("\n"));
    let page = browser.upload(import, &[("step", "check")], &many).await;
    let page = page.expect(200).shows("Finding 199").lacks("Finding 200<").shows("and 50 more");
    page.shows("<dd>250</dd>");
}

#[tokio::test]
async fn a_change_made_meanwhile_is_not_overwritten() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "First"), ("severity", "low")]).await;
    let stale = browser.get(&format!("{finding}/edit")).await.hidden();
    let change = [("title", "Second"), ("severity", "low")];
    browser.submit(&format!("{finding}/edit"), &finding, &change).await.expect(303);
    let mut late: Vec<_> = stale.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    late.extend([("title", "Third"), ("severity", "low")]);
    let page =
        browser.post(&finding, &late).await.expect(409).shows("The record was changed in the meantime");
    let page = page.shows("Your entries are kept below.").shows("value=\"Third\"");
    browser.get(&finding).await.shows("Second");
    let seen = page.hidden();
    let mut again: Vec<_> = seen.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    again.extend([("title", "Third"), ("severity", "low")]);
    browser.post(&finding, &again).await.expect(303);
    browser.get(&finding).await.shows("Third");
}

#[tokio::test]
async fn reports_and_tables_are_files() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let programme = programme(&mut browser).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "=1+1"), ("severity", "low")]).await;
    for path in [
        format!("{programme}.pdf"),
        format!("{finding}.pdf"),
        "/workspace/programmes.pdf".to_owned(),
        "/workspace/test-cases.pdf".to_owned(),
        "/workspace/findings.pdf?severity=low".to_owned(),
    ] {
        let file = browser.fetch(&path).await;
        assert_eq!(file.status, 200, "{path}");
        assert_eq!(file.headers["content-type"], "application/pdf");
        assert!(file.bytes.starts_with(b"%PDF-"), "{path}");
    }
    let table = browser.get("/workspace/findings.csv").await.expect(200).shows("F-2026-0001,'=1+1,low,open");
    assert!(table.headers["content-disposition"].to_str().unwrap().contains("findings-2026-11-14.csv"));
    browser.fetch("/workspace/findings/fnd_01k9x14js0e00000000000000a.pdf").await.expect(404);
}

#[tokio::test]
async fn a_viewer_only_reads() {
    let house = House::new().await;
    let mut writer = house.signed_in(Role::Manager).await;
    let programme = programme(&mut writer).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&programme).await.expect(200).lacks("/move").lacks("/delete").lacks("/edit");
    viewer.get(&format!("{programme}/edit")).await.expect(403);
    for change in [programme.clone(), format!("{programme}/move"), format!("{programme}/delete")] {
        viewer
            .submit("/workspace", &change, &[("status", "active"), ("name", "x"), ("framework", "dora")])
            .await
            .expect(403);
    }
    writer.submit(&programme, &format!("{programme}/delete"), &[]).await.expect(303);
    viewer.get(&programme).await.expect(404);
}

#[tokio::test]
async fn an_import_does_not_close_what_only_a_second_person_closes() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let import = "/workspace/findings/import";
    let first = "external_id,title,severity\n1,Old cipher,low\n2,No restore,critical\n3,Gone soon,high\n";
    browser.upload(import, &[("step", "import")], first).await.expect(200);
    let next = "external_id,title,severity\n1,Old cipher,low\n";
    let check = [("step", "check"), ("close_missing", "1")];
    let page = browser.upload(import, &check, next).await.expect(200);
    let output = page.between("What happens</caption>", "</table>").to_owned();
    for (title, outcome) in [("No restore", "Left open"), ("Gone soon", "Closed")] {
        let line = output.split("<tr").find(|line| line.contains(title)).unwrap();
        assert!(line.contains(outcome), "{title}: {line}");
    }
    let page = browser.upload(import, &[("step", "import"), ("close_missing", "1")], next).await.expect(200);
    page.shows("<dt>Closed</dt><dd>1</dd>").shows("<dt>Left open: a second person closes it</dt><dd>1</dd>");
    let open = browser.get("/workspace/findings?status=open").await.expect(200);
    open.shows("No restore").lacks("Gone soon");
}
