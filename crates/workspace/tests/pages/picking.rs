//! Forms name records as people do: by reference, by title, or by both as the suggestions show them.

use domain::user::Role;

use crate::{House, browser::Browser, records::create};

/// A control, a function and a finding to choose.
async fn records(browser: &mut Browser) -> [String; 3] {
    let control = [("title", "Restore test"), ("status", "planned"), ("cadence", "none")];
    let control = create(browser, "/workspace/controls", &control).await;
    let function = create(browser, "/workspace/functions", &[("name", "Payments")]).await;
    let finding = [("title", "No restore since March"), ("severity", "high")];
    [control, function, create(browser, "/workspace/findings", &finding).await]
}

fn reference_of(page: &str, letter: &str) -> String {
    let start = page.find(letter).unwrap();
    page[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect()
}

const RISK: [(&str, &str); 9] = [
    ("title", "Ransomware"),
    ("category", "cyber-attack"),
    ("treatment", "mitigate"),
    ("inherent.likelihood", "4"),
    ("inherent.impact", "5"),
    ("residual.likelihood", "3"),
    ("residual.impact", "5"),
    ("target.likelihood", ""),
    ("target.impact", ""),
];

#[tokio::test]
async fn a_risk_names_its_records_by_reference_title_or_both() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let [control, function, finding] = records(&mut browser).await;
    let reference = reference_of(&browser.get(&finding).await.body, "F-20");
    let form = browser.get("/workspace/risks/new").await;
    form.shows("value=\"C-0001 Restore test\"").shows("data-records=\"/workspace/records?kinds=control\"");
    let links = [("controls", "c-0001"), ("functions", "payments"), ("findings", reference.as_str())];
    let risk = create(&mut browser, "/workspace/risks", &[&RISK[..], &links].concat()).await;
    let page = browser.get(&risk).await;
    page.shows(&control).shows(&function).shows(&finding);
    let edit = format!("{risk}/edit");
    let both = format!("{reference} No restore since March");
    browser.get(&edit).await.shows("value=\"C-0001 Restore test\"").shows(&format!("value=\"{both}\""));
    let links = [("controls", "C-0001 Restore test"), ("findings", "No restore since March")];
    browser.submit(&edit, &risk, &[&RISK[..], &links].concat()).await.expect(303);
    browser.get(&risk).await.shows(&control).shows(&finding);
}

#[tokio::test]
async fn what_names_no_record_or_several_is_complained_about_by_what_was_typed() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    records(&mut browser).await;
    let control = [("title", "Restore test"), ("status", "planned"), ("cadence", "none")];
    create(&mut browser, "/workspace/controls", &control).await;
    let list = "/workspace/risks";
    for (typed, message) in [
        ("C-0009", "“C-0009” is none of your records"),
        ("Restore test", "“Restore test” is the title of several records"),
    ] {
        let fields = [&RISK[..], &[("controls", typed)]].concat();
        let refused = browser.submit(&format!("{list}/new"), list, &fields).await.expect(422);
        refused.shows(message).shows("href=\"#controls\"").shows(&format!("value=\"{typed}\""));
    }
}

#[tokio::test]
async fn a_task_and_evidence_and_the_audit_log_take_references() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let [control, _, finding] = records(&mut browser).await;
    let reference = reference_of(&browser.get(&finding).await.body, "F-20");
    let work = "/workspace/work";
    let task = [("title", "Call"), ("owner", "administrator"), ("due_on", ""), ("about", reference.as_str())];
    browser.submit(work, work, &task).await.expect(303);
    let page = browser.get(work).await;
    let task = page.between("action=\"/workspace/work/tasks/", "/done\"").to_owned();
    browser.get(&format!("{work}/tasks/{task}")).await.shows(&finding);

    let list = "/workspace/evidence";
    let made = browser.upload(list, &[("title", "Restore log")], "restored").await.expect(303);
    let evidence = made.location().strip_suffix("?done=created").unwrap().to_owned();
    browser.submit(&evidence, &format!("{evidence}/links"), &[("id", "C-0001")]).await.expect(303);
    browser.get(&control).await.shows("Restore log");
    let id = finding.rsplit('/').next().unwrap();
    let attach = [("type", "finding"), ("id", id), ("evidence", "Restore log")];
    browser.submit(&finding, &format!("{list}/attach"), &attach).await.expect(303);
    browser.get(&finding).await.shows("Restore log");

    let log = browser.get("/workspace/audit?record=C-0001").await.expect(200);
    log.shows(&control).lacks(&finding);
    browser.get("/workspace/records?kinds=control&q=restore").await.shows("[\"C-0001 Restore test\"]");
}

#[tokio::test]
async fn findings_and_tests_name_own_controls_which_list_them() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let [control, _, _] = records(&mut browser).await;
    let fields = [("title", "Backups are not restored"), ("severity", "critical"), ("controls", "C-0001")];
    let finding = create(&mut browser, "/workspace/findings", &fields).await;
    browser.get(&finding).await.shows(&control).shows("Own controls");
    let page = browser.get(&control).await;
    page.shows("Backups are not restored").shows(&finding).shows("Ineffective");
    let programme = [("name", "2027"), ("framework", "dora"), ("functions", "")];
    let programme = create(&mut browser, "/workspace/programmes", &programme).await;
    let programme = programme.rsplit('/').next().unwrap();
    let test = [
        ("programme_id", programme),
        ("title", "Restore"),
        ("test_type", "scenario_based_test"),
        ("priority", "medium"),
        ("controls", "Restore test"),
    ];
    let list = "/workspace/test-cases";
    let made = browser.submit(&format!("{list}/new"), list, &test).await.expect(303);
    browser.get(made.location()).await.shows(&control);
    let wrong = [fields[0], fields[1], ("controls", "ctl_01k9x14js0e00000000000000a")];
    let list = "/workspace/findings";
    let refused = browser.submit(&format!("{list}/new"), list, &wrong).await.expect(422);
    refused.shows("must be the id of one of your controls");
}
