//! Archiving and the full history on the page of a record.

use domain::user::Role;

use crate::{House, browser::Browser, records::create, third_parties};

/// Writes a comment on the page of a record, which is then kept.
async fn said(browser: &mut Browser, page: &str) {
    let comments = format!("/workspace/records/{}/comments", page.rsplit('/').next().unwrap());
    browser.submit(page, &comments, &[("text", "Seen on site")]).await.expect(303);
}

async fn finding(browser: &mut Browser) -> String {
    create(browser, "/workspace/findings", &[("title", "Old cipher"), ("severity", "low")]).await
}

#[tokio::test]
async fn what_was_closed_is_archived_and_restored() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding = finding(&mut browser).await;
    browser.get(&finding).await.shows(&format!("{finding}/delete")).lacks("/archive");
    let to = format!("{finding}/move");
    for status in ["in_progress", "resolved"] {
        browser.submit(&finding, &to, &[("status", status)]).await.expect(303);
    }
    let page = browser.get(&finding).await.lacks(&format!("{finding}/delete")).lacks("/archive");
    page.shows("Once it is finished, you can archive it.");
    let refused = browser.submit(&finding, &format!("{finding}/delete"), &[]).await.expect(422);
    refused.shows("archive it instead of deleting it");
    browser.submit(&finding, &to, &[("status", "closed")]).await.expect(303);
    browser.get(&finding).await.shows(&format!("{finding}/archive"));
    let archived = browser.submit(&finding, &format!("{finding}/archive"), &[]).await.expect(303);
    let page = browser.get(archived.location()).await.shows("Archived.").shows("Archived on 14 Nov 2026");
    page.lacks("/edit").lacks("/move").lacks("/delete").shows(&format!("{finding}/restore"));
    browser.get("/workspace/findings?status=all").await.lacks("Old cipher");
    browser.get("/workspace/findings?status=all&archived=true").await.shows("Old cipher");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&finding).await.expect(200).shows("Archived on").lacks("/restore");
    let restored = browser.submit(&finding, &format!("{finding}/restore"), &[]).await.expect(303);
    browser.get(restored.location()).await.shows("Restored.").lacks("Archived on");
    browser.get("/workspace/findings?status=all").await.shows("Old cipher");
}

#[tokio::test]
async fn a_test_case_that_was_executed_is_archived() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    let id = programme.rsplit('/').next().unwrap();
    let fields =
        [("programme_id", id), ("title", "Restore test"), ("test_type", "tlpt"), ("priority", "low")];
    let test_case = create(&mut browser, "/workspace/test-cases", &fields).await;
    for status in ["ready", "in_progress", "passed"] {
        browser.submit(&test_case, &format!("{test_case}/move"), &[("status", status)]).await.expect(303);
    }
    browser.get(&test_case).await.lacks("/delete").shows(&format!("{test_case}/archive"));
    browser.submit(&test_case, &format!("{test_case}/archive"), &[]).await.expect(303);
    browser.get("/workspace/test-cases").await.lacks("Restore test");
    browser.get("/workspace/test-cases?archived=all").await.shows("Restore test").shows("Archived");
    browser.submit(&test_case, &format!("{test_case}/restore"), &[]).await.expect(303);
    browser.get("/workspace/test-cases").await.shows("Restore test");
}

#[tokio::test]
async fn a_programme_leaves_the_list_with_its_archive_and_comes_back_with_its_status() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    // Nothing belongs to it yet, so both are offered.
    browser
        .get(&programme)
        .await
        .shows(&format!("{programme}/delete"))
        .shows(&format!("{programme}/archive"));
    let id = programme.rsplit('/').next().unwrap();
    let fields =
        [("programme_id", id), ("title", "Restore test"), ("test_type", "tlpt"), ("priority", "low")];
    create(&mut browser, "/workspace/test-cases", &fields).await;
    browser.submit(&programme, &format!("{programme}/move"), &[("status", "active")]).await.expect(303);
    let page = browser.get(&programme).await.lacks(&format!("{programme}/delete")).lacks("/archive");
    page.shows("Once it is finished, you can archive it.");
    let early = browser.submit(&programme, &format!("{programme}/archive"), &[]).await.expect(422);
    early.shows("complete it or put it on hold before archiving it");
    browser.submit(&programme, &format!("{programme}/move"), &[("status", "on_hold")]).await.expect(303);
    let archived = browser.submit(&programme, &format!("{programme}/archive"), &[]).await.expect(303);
    let page = browser.get(archived.location()).await.shows("Archived.").shows("Archived on 14 Nov 2026");
    page.lacks(&format!("{programme}/delete")).lacks(&format!("{programme}/archive"));
    browser.get("/workspace/programmes").await.lacks("Yearly");
    browser.get("/workspace/programmes?archived=true").await.shows("Yearly");
    browser.get("/workspace/programmes?status=archived").await.shows("Yearly");
    browser.get("/workspace/programmes?as_of=2026-11-13").await.lacks("Yearly");
    let restored = browser.submit(&programme, &format!("{programme}/restore"), &[]).await.expect(303);
    browser.get(restored.location()).await.shows("Restored.").shows("On hold").lacks("Archived on");
    browser.get("/workspace/programmes").await.shows("Yearly");
}

#[tokio::test]
async fn an_arrangement_that_has_ended_is_archived_and_restored() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let arrangement = third_parties::enter(&mut browser).await;
    browser.get(&arrangement).await.shows(&format!("{arrangement}/delete"));
    said(&mut browser, &arrangement).await;
    let page = browser.get(&arrangement).await.lacks(&format!("{arrangement}/delete"));
    page.lacks(&format!("{arrangement}/archive")).shows("Once it is finished, you can archive it.");
    let refused = browser.submit(&arrangement, &format!("{arrangement}/delete"), &[]).await.expect(422);
    refused.shows("archive it instead of deleting it");
    let early = browser.submit(&arrangement, &format!("{arrangement}/archive"), &[]).await.expect(422);
    early.shows("has not ended");
    browser
        .submit(&arrangement, &format!("{arrangement}/end"), &[("ends_on", "2026-11-13")])
        .await
        .expect(303);
    browser.get(&arrangement).await.shows(&format!("{arrangement}/archive"));
    let archived = browser.submit(&arrangement, &format!("{arrangement}/archive"), &[]).await.expect(303);
    let page = browser.get(archived.location()).await.shows("Archived.").shows("Archived on 14 Nov 2026");
    page.lacks("/edit").lacks("/facts").lacks(&format!("{arrangement}/end")).lacks("/delete");
    browser.get("/workspace/ict-arrangements").await.lacks(&arrangement);
    browser.get("/workspace/ict-arrangements?archived=true").await.shows(&arrangement);
    browser.submit(&arrangement, &format!("{arrangement}/restore"), &[]).await.expect(303);
    browser.get("/workspace/ict-arrangements").await.shows(&arrangement);
}

#[tokio::test]
async fn a_task_that_is_done_is_archived_and_restored() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let sent = [("title", "Call the auditor"), ("cadence", "none"), ("due_on", "2026-11-20")];
    browser.submit("/workspace/work", "/workspace/work", &sent).await.expect(303);
    let list = browser.get("/workspace/work?everyone=1").await.body;
    let start = list.find("/workspace/work/tasks/tsk_").expect("a task");
    let task: String =
        list[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || "/_-".contains(*c)).collect();
    browser.get(&task).await.shows(&format!("{task}/delete"));
    said(&mut browser, &task).await;
    browser
        .get(&task)
        .await
        .lacks("/delete")
        .lacks("/archive")
        .shows("Once it is finished, you can archive it.");
    browser
        .submit(&task, &format!("{task}/delete"), &[])
        .await
        .expect(422)
        .shows("archive it instead of deleting it");
    browser.submit(&task, &format!("{task}/archive"), &[]).await.expect(422).shows("mark it as done");
    browser.submit(&task, &format!("{task}/done"), &[]).await.expect(303);
    let archived = browser.submit(&task, &format!("{task}/archive"), &[]).await.expect(303);
    let page = browser.get(archived.location()).await.shows("Archived on 14 Nov 2026").shows("Seen on site");
    page.lacks("name=\"title\"").shows(&format!("{task}/restore"));
    browser.submit(&task, &format!("{task}/restore"), &[]).await.expect(303);
    browser.get(&task).await.shows("name=\"title\"").shows(&format!("{task}/archive"));
    let mut contributor = house.signed_in(Role::Contributor).await;
    contributor.submit(&task, &format!("{task}/archive"), &[]).await.expect(403);
}

#[tokio::test]
async fn the_page_shows_every_change_with_before_and_after() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    let finding = finding(&mut browser).await;
    let change = [
        ("title", "Old cipher"),
        ("severity", "high"),
        ("owner", "Anna Weber"),
        ("due_on", "2029-01-31"),
        ("programme_id", programme.rsplit('/').next().unwrap()),
    ];
    browser.submit(&format!("{finding}/edit"), &finding, &change).await.expect(303);
    let moved = [("status", "in_progress"), ("note", "Ticket 4711")];
    browser.submit(&finding, &format!("{finding}/move"), &moved).await.expect(303);
    let page = browser.get(&finding).await.expect(200);
    let past = page.between("<ol class=\"history\">", "</ol>");
    for output in [
        "Due on</span>: <span class=\"quiet\">not set</span> → 31 Jan 2029",
        "Owner</span>: <span class=\"quiet\">not set</span> → Anna Weber",
        "Severity</span>: Low → High",
        &format!(
            "Programme</span>: <span class=\"quiet\">not set</span> → <a href=\"{programme}\">Yearly</a>"
        ),
        "Ticket 4711",
        "Created",
    ] {
        assert!(past.contains(output), "{output} in {past}");
    }
    assert!(!past.contains("usr_"), "people have names: {past}");
    let mut german = browser.with("accept-language", "de");
    let page = german.get(&finding).await.expect(200);
    let past = page.between("<ol class=\"history\">", "</ol>");
    assert!(past.contains("Schweregrad</span>: Niedrig → Hoch"), "{past}");
    let mut browser = german.with("accept-language", "en");

    let change = [("name", "Yearly 2027"), ("framework", "nis2"), ("functions", "Payments")];
    browser.submit(&format!("{programme}/edit"), &programme, &change).await.expect(303);
    let page = browser.get(&programme).await.expect(200);
    let past = page.between("<ol class=\"history\">", "</ol>");
    assert!(past.contains("Name</span>: Yearly → Yearly 2027"), "{past}");
    assert!(past.contains("Functions under test</span>: "), "{past}");
}

#[tokio::test]
async fn an_arrangement_has_a_history_too() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let address = third_parties::enter(&mut browser).await;
    browser.submit(&address, &format!("{address}/end"), &[("ends_on", "2026-12-31")]).await.expect(303);
    let page = browser.get(&address).await.expect(200);
    let past = page.between("<ol class=\"history\">", "</ol>");
    assert!(past.contains("Ends on</span>: <span class=\"quiet\">not set</span> → 31 Dec 2026"), "{past}");
    assert!(past.contains("Created"), "{past}");
}
