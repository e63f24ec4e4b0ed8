//! Findings and tests as auditors know them: requirements, root cause, retests before closing, and what happened when a
//! test failed.

use domain::{
    approval_policy::{StoredPolicy, StoredRule},
    user::Role,
};

use crate::{House, browser::Browser, records::create};

const LIST: &str = "/workspace/findings";
const REQUIREMENT: &str = "dora-art-05-02-a";

async fn resolved(browser: &mut Browser, severity: &str) -> String {
    let finding = create(browser, LIST, &[("title", "Old cipher"), ("severity", severity)]).await;
    for status in ["in_progress", "resolved"] {
        browser.submit(&finding, &format!("{finding}/move"), &[("status", status)]).await.expect(303);
    }
    finding
}

async fn retest(browser: &mut Browser, finding: &str, result: &str) {
    let fields =
        [("result", result), ("performed_on", "2026-11-14"), ("actual_result", "As the scanner says")];
    let done = browser.submit(finding, &format!("{finding}/retests"), &fields).await.expect(303);
    browser.get(done.location()).await.shows("The retest is recorded.").shows("As the scanner says");
}

#[tokio::test]
async fn a_finding_names_its_requirement_as_people_do_and_links_it() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let suggested = browser.get("/workspace/records/requirements?kinds=requirement&q=dora+art.+5(2)").await;
    let suggested = suggested.expect(200).body;
    let labels: Vec<String> = serde_json::from_str(&suggested).unwrap();
    let label = labels.first().unwrap();
    assert!(label.starts_with("DORA Art. 5(2)"), "{suggested}");
    let new = format!("{LIST}/new");
    browser.get(&new).await.shows("data-records=\"/workspace/records/requirements?kinds=requirement\"");
    let fields = [
        ("title", "No review"),
        ("severity", "low"),
        ("requirements", label.as_str()),
        ("root_cause", "The duty had no owner"),
    ];
    let finding = create(&mut browser, LIST, &fields).await;
    let page = browser.get(&finding).await.shows("Root cause").shows("The duty had no owner");
    let link = page.between("href=\"/workspace/assessments/dora/", "\"").to_owned();
    browser.get(&format!("/workspace/assessments/dora/{link}")).await.shows("No review");
    browser.get(&format!("{finding}/edit")).await.shows("value=\"DORA Art. 5(2)");
    browser.get(&format!("{LIST}?requirement={link}")).await.shows("No review").shows("DORA Art. 5(2)");
    browser.get(&format!("{LIST}?requirement=dora-art-999")).await.lacks(">No review<");
    let table = browser.get(&format!("{LIST}.csv")).await.expect(200).body;
    assert!(table.contains("root_cause,requirements,controls") && table.contains(&link), "{table}");
    let wrong = [("title", "A"), ("severity", "low"), ("requirements", "DORA Art. 999")];
    let refused = browser.submit(&new, LIST, &wrong).await.expect(422);
    refused.shows("“DORA Art. 999” is no requirement").shows("href=\"#requirements\"");
    let wrong = [("title", "A"), ("severity", "low"), ("requirements", "dora-art-999")];
    browser.submit(&new, LIST, &wrong).await.expect(422).shows("is not the id of a requirement");
}

#[tokio::test]
async fn a_requirement_can_be_named_by_its_id() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let fields = [("title", "No review"), ("severity", "low"), ("requirements", REQUIREMENT)];
    let finding = create(&mut browser, LIST, &fields).await;
    browser.get(&finding).await.shows(&format!("/workspace/assessments/dora/{REQUIREMENT}"));
}

#[tokio::test]
async fn a_retest_is_recorded_on_the_page_and_one_by_the_owner_is_marked() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let fields = [("title", "Old cipher"), ("severity", "high"), ("owner", "contributor")];
    let finding = create(&mut browser, LIST, &fields).await;
    browser.get(&finding).await.shows("Not retested yet.").lacks("only after a passed retest");
    retest(&mut browser, &finding, "passed").await;
    browser.get(&finding).await.shows("By the owner of the finding").shows("Recorded by contributor");
    let other = [("result", "passed"), ("performed_on", "2026-11-14"), ("performed_by", "Internal audit")];
    browser.submit(&finding, &format!("{finding}/retests"), &other).await.expect(303);
    browser.get(&finding).await.shows("Performed by Internal audit");
    let silent = [("result", "failed"), ("performed_on", "2026-11-14"), ("actual_result", "")];
    let refused = browser.submit(&finding, &format!("{finding}/retests"), &silent).await.expect(422);
    refused.shows("must say what happened");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&finding).await.shows("Internal audit").lacks(&format!("{finding}/retests"));
}

#[tokio::test]
async fn a_critical_finding_cannot_be_asked_to_be_closed_before_a_retest_has_passed() {
    let house = House::new().await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let finding = resolved(&mut contributor, "critical").await;
    contributor.get(&finding).await.shows("Can be closed only after a passed retest");
    let id = finding.rsplit('/').next().unwrap().to_owned();
    let ask = [("subject", id.as_str()), ("action", "close"), ("reason", "Replaced")];
    let refused = contributor.submit(&finding, "/workspace/approvals", &ask).await.expect(422);
    refused.shows("record a retest first");
    retest(&mut contributor, &finding, "passed").await;
    contributor.get(&finding).await.lacks("Can be closed only after a passed retest");
    let sent = contributor.submit(&finding, "/workspace/approvals", &ask).await.expect(303);
    let approval = sent.location().split('?').next().unwrap().to_owned();
    // What the manager knows better keeps the finding open.
    retest(&mut manager, &finding, "failed").await;
    let refused = manager.submit(&approval, &format!("{approval}/grant"), &[("note", "")]).await.expect(422);
    refused.shows("record a retest first");
    retest(&mut manager, &finding, "passed").await;
    manager.submit(&approval, &format!("{approval}/grant"), &[("note", "")]).await.expect(303);
    manager.get(&format!("{LIST}?status=closed")).await.shows("Old cipher");
}

#[tokio::test]
async fn neither_a_bulk_change_nor_an_import_closes_a_critical_finding_without_a_retest() {
    let house = House::new().await;
    let rule = StoredRule {
        action: "close".to_owned(),
        severity: Some("critical".to_owned()),
        needs: "none".to_owned(),
        ..StoredRule::default()
    };
    let policy = StoredPolicy { rules: vec![rule], ..StoredPolicy::default() };
    house.test.app.approval.choose_approval_policy(&house.north.caller, &policy).await.unwrap();
    let mut browser = house.signed_in(Role::Manager).await;
    let finding = resolved(&mut browser, "critical").await;
    let id = finding.rsplit('/').next().unwrap().to_owned();
    let to = format!("{finding}/move");
    browser.submit(&finding, &to, &[("status", "closed")]).await.expect(422).shows("record a retest first");
    let many = [("ids", id.as_str()), ("status", "closed")];
    let refused = browser.submit(LIST, &format!("{LIST}/move"), &many).await.expect(422);
    refused.shows("record a retest first");
    retest(&mut browser, &finding, "passed").await;
    browser.submit(LIST, &format!("{LIST}/move"), &many).await.expect(200).shows("1 changed");

    let import = format!("{LIST}/import");
    let both = "external_id,title,severity\n1,Grave,critical\n2,Kept,low\n";
    browser.upload(&import, &[("step", "import")], both).await.expect(200);
    let less = "external_id,title,severity\n2,Kept,low\n";
    let fields = [("step", "import"), ("close_missing", "1")];
    browser.upload(&import, &fields, less).await.expect(200).lacks("<dt>Closed</dt>");
    browser.get(&format!("{LIST}?status=resolved")).await.shows("Grave");
}

#[tokio::test]
async fn the_policy_says_which_findings_are_retested_before_they_are_closed() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let page = "/workspace/settings/approvals";
    manager.get(page).await.shows("Closed only after a passed retest").shows("<dd>Critical</dd>");
    let form = administrator.get(page).await;
    form.shows("id=\"retest_before_closing-critical\"").shows("value=\"critical\" checked");
    let rule = StoredRule {
        action: "close".to_owned(),
        severity: Some("critical".to_owned()),
        needs: "none".to_owned(),
        ..StoredRule::default()
    };
    let retest_before_closing = Some(Vec::new());
    let policy = StoredPolicy { rules: vec![rule], retest_before_closing, ..StoredPolicy::default() };
    house.test.app.approval.choose_approval_policy(&house.north.caller, &policy).await.unwrap();
    administrator.get(page).await.lacks("value=\"critical\" checked");
    let finding = resolved(&mut manager, "critical").await;
    manager.get(&finding).await.lacks("Can be closed only after a passed retest");
    manager.submit(&finding, &format!("{finding}/move"), &[("status", "closed")]).await.expect(303);
}

#[tokio::test]
async fn a_test_that_failed_says_what_happened() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "2027"), ("framework", "dora")]).await;
    let programme = programme.rsplit('/').next().unwrap().to_owned();
    let fields = [
        ("programme_id", programme.as_str()),
        ("title", "Restore"),
        ("test_type", "scenario_based_test"),
        ("priority", "medium"),
    ];
    let test = create(&mut browser, "/workspace/test-cases", &fields).await;
    let to = format!("{test}/move");
    browser.get(&test).await.lacks("name=\"actual_result\"");
    for status in ["ready", "in_progress"] {
        browser.submit(&test, &to, &[("status", status)]).await.expect(303);
    }
    browser.get(&test).await.shows("name=\"actual_result\"");
    let refused = browser.submit(&test, &to, &[("status", "failed"), ("actual_result", " ")]).await;
    refused.expect(422).shows("must say what happened").shows("Actual result");
    let said = [("status", "failed"), ("actual_result", "The restore took seven hours")];
    browser.submit(&test, &to, &said).await.expect(303);
    browser.get(&test).await.shows("The restore took seven hours").lacks("name=\"actual_result\"");
    let table = browser.get("/workspace/test-cases.csv").await.expect(200).body;
    assert!(table.contains("The restore took seven hours"), "{table}");
}

#[tokio::test]
async fn the_page_of_a_requirement_shows_all_that_proves_it_and_each_links_back() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = format!("/workspace/assessments/dora/{REQUIREMENT}");
    browser.get(&page).await.lacks("Tests</h2>").lacks("Risks that its controls treat");
    let control = [
        ("title", "Yearly review"),
        ("status", "implemented"),
        ("cadence", "none"),
        ("requirements", REQUIREMENT),
    ];
    let control = create(&mut browser, "/workspace/controls", &control).await;
    let performed = [("on", "2026-11-13"), ("note", "")];
    browser.submit(&control, &format!("{control}/performed"), &performed).await.expect(303);
    let made = browser.upload("/workspace/evidence", &[("title", "Minutes")], "held").await.expect(303);
    let evidence = made.location().strip_suffix("?done=created").unwrap().to_owned();
    browser.submit(&evidence, &format!("{evidence}/links"), &[("id", "C-0001")]).await.expect(303);
    let programme = [("name", "2027"), ("framework", "dora"), ("functions", "")];
    let programme = create(&mut browser, "/workspace/programmes", &programme).await;
    let test = [
        ("programme_id", programme.rsplit('/').next().unwrap()),
        ("title", "Review is held"),
        ("test_type", "scenario_based_test"),
        ("priority", "medium"),
        ("controls", "C-0001"),
    ];
    let test = create(&mut browser, "/workspace/test-cases", &test).await;
    let risk = [
        ("title", "Outdated strategy"),
        ("category", "cyber-attack"),
        ("treatment", "mitigate"),
        ("inherent.likelihood", "4"),
        ("inherent.impact", "5"),
        ("residual.likelihood", "3"),
        ("residual.impact", "5"),
        ("target.likelihood", ""),
        ("target.impact", ""),
        ("controls", "C-0001"),
    ];
    let risk = create(&mut browser, "/workspace/risks", &risk).await;
    for number in 0..22 {
        let title = format!("Finding {number}");
        let fields = [("title", title.as_str()), ("severity", "low"), ("requirements", REQUIREMENT)];
        create(&mut browser, LIST, &fields).await;
    }
    let shown = browser.get(&page).await.shows("13 Nov 2026").shows("Minutes").shows("22 open, 22 in all");
    let shown = shown.shows(&control).shows(&test).shows(&risk).shows(&evidence).shows("and 2 more");
    let rest = format!("{LIST}?status=all&amp;requirement={REQUIREMENT}");
    shown.shows(&rest);
    browser.get(&rest.replace("&amp;", "&")).await.shows("22 findings").shows("DORA Art. 5(2)");
    let back = format!("href=\"{page}\"");
    for record in [&control, &test, &risk] {
        browser.get(record).await.shows(&back);
    }
    for list in ["test-cases", "risks", "evidence"] {
        let narrowed = browser.get(&format!("/workspace/{list}?requirement={REQUIREMENT}")).await;
        narrowed.expect(200).shows("DORA Art. 5(2)");
        let other =
            browser.get(&format!("/workspace/{list}.csv?requirement=dora-art-06-01")).await.expect(200);
        assert!(
            !other.body.contains("Review is held") && !other.body.contains("Outdated strategy"),
            "{list}"
        );
    }
}
