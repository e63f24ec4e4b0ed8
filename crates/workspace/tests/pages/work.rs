//! My work: the start page of contributors, tasks created and done, in both languages.

use domain::user::Role;

use crate::{House, PASSWORD, records::create};

const WORK: &str = "/workspace/work";

#[tokio::test]
async fn a_contributor_begins_with_their_work_and_others_with_the_dashboard() {
    let house = House::new().await;
    for (role, start) in [
        (Role::Viewer, "/workspace"),
        (Role::Auditor, "/workspace"),
        (Role::Contributor, WORK),
        (Role::Manager, "/workspace"),
        (Role::Administrator, "/workspace"),
    ] {
        let email = format!("{role}@north.example");
        house.add(&house.north, &email, role).await;
        let mut browser = house.browser();
        let fields = [("email", email.as_str()), ("password", PASSWORD)];
        let inside = browser.post("/workspace/sign-in", &fields).await.expect(303);
        assert_eq!(inside.location(), start, "{role}");
        assert_eq!(browser.get("/workspace/sign-in").await.expect(303).location(), start, "{role}");
        let asked = [("next", "/workspace/findings"), fields[0], fields[1]];
        let back = house.browser().post("/workspace/sign-in", &asked).await.expect(303);
        assert_eq!(back.location(), "/workspace/findings", "{role}");
    }
}

#[tokio::test]
async fn a_task_is_made_and_done_in_place() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    browser.get(WORK).await.shows("Nothing to do").shows("id=\"new-task\"").shows("value=\"contributor\"");
    let wrong = browser.submit(WORK, WORK, &[("title", ""), ("due_on", "soon")]).await.expect(422);
    wrong.shows("href=\"#title\"").shows("href=\"#due_on\"");
    let fields = [("title", "Call <the> auditor"), ("owner", "Contributor"), ("due_on", "2026-11-01")];
    let made = browser.submit(WORK, WORK, &fields).await.expect(303);
    assert_eq!(made.location(), "/workspace/work?done=created");
    let finding = [
        ("title", "Backups fail"),
        ("severity", "high"),
        ("owner", "contributor@north.example"),
        ("due_on", "2026-11-15"),
    ];
    let address = create(&mut browser, "/workspace/findings", &finding).await;
    let others = [("title", "Not mine"), ("owner", "manager"), ("due_on", "2026-11-15")];
    browser.submit(WORK, WORK, &others).await.expect(303);
    let page = browser.get(WORK).await.shows("Late (1)").shows("This week (1)").shows("2 tasks");
    let page = page.shows("Call &lt;the&gt; auditor").shows(&address).shows("data-step").lacks("Not mine");
    let task = page.between("action=\"/workspace/work/tasks/", "/done\"").to_owned();
    let only = browser.get(&format!("{WORK}?type=finding")).await;
    only.shows("Backups fail").lacks("auditor</a>");
    let done = format!("/workspace/work/tasks/{task}/done");
    browser.post(&done, &[]).await.expect(403);
    let back = browser.submit(WORK, &done, &[("query", "type=task")]).await.expect(303);
    assert_eq!(back.location(), "/workspace/work?type=task&done=done");
    browser.get(back.location()).await.shows("The task is done.").shows("Nothing to do");

    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(WORK).await.shows("Not mine").lacks(&address).shows("name=\"owner\"");
    manager.get(&format!("{WORK}?everyone=1")).await.shows("Not mine").shows("Backups fail");
    manager.get(&format!("{WORK}?owner=CONTRIBUTOR")).await.shows("Backups fail").lacks("Not mine");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(WORK).await.lacks("new-task");
    let shown = viewer.get(&format!("/workspace/work/tasks/{task}")).await.expect(200);
    shown.shows("Done").lacks("name=\"note\"");
}

#[tokio::test]
async fn groups_of_work_count_the_whole_list_and_not_the_page() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let later = (0..27).map(|number| (format!("Order {number}"), "2027-06-30"));
    let late = (0..3).map(|number| (format!("Call {number}"), "2026-11-01"));
    let open = (0..2).map(|number| (format!("Some day {number}"), ""));
    for (title, due_on) in later.chain(late).chain(open) {
        let fields = [("title", title.as_str()), ("owner", "manager"), ("due_on", due_on)];
        browser.submit(WORK, WORK, &fields).await.expect(303);
    }
    let first = browser.get(&format!("{WORK}?limit=10")).await;
    first.shows("32 tasks").shows("Late (3)").shows("Later (27)").lacks("No day set (");
    let last = browser.get(&format!("{WORK}?limit=10&offset=30")).await;
    last.shows("No day set (2)").lacks("Late (");
}

#[tokio::test]
async fn a_task_is_changed_and_deleted() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let fields = [("title", "Order"), ("owner", "manager"), ("due_on", "2027-06-30")];
    browser.submit(WORK, WORK, &fields).await.expect(303);
    let page = browser.get(WORK).await.shows("Later (1)");
    let task = page.between("action=\"/workspace/work/tasks/", "/done\"").to_owned();
    let address = format!("/workspace/work/tasks/{task}");
    let changed = [("title", "Order two"), ("owner", "manager"), ("due_on", ""), ("status", "open")];
    browser.submit(&address, &address, &changed).await.expect(303);
    browser.get(WORK).await.shows("Order two").shows("No day set (1)");
    let wrong = [("title", "Order two"), ("about", "fnd_1"), ("status", "open")];
    browser.submit(&address, &address, &wrong).await.expect(422).shows("href=\"#about\"");
    browser.submit(&address, &format!("{address}/delete"), &[]).await.expect(303);
    browser.get(&address).await.expect(404);
}

#[tokio::test]
async fn a_task_links_to_the_record_it_is_about() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Backups <fail>"), ("severity", "high")])
            .await;
    let id = finding.rsplit('/').next().unwrap().to_owned();
    let fields = [("title", "Call"), ("owner", "manager"), ("about", id.as_str())];
    browser.submit(WORK, WORK, &fields).await.expect(303);
    let page = browser.get(WORK).await;
    let task = page.between("action=\"/workspace/work/tasks/", "/done\"").to_owned();
    let address = format!("/workspace/work/tasks/{task}");
    let page = browser.get(&address).await.shows(&format!("<a href=\"{finding}\">"));
    page.shows("Backups &lt;fail&gt;</a>");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&address).await.shows(&format!("<a href=\"{finding}\">")).lacks("name=\"note\"");
    browser.submit(&finding, &format!("{finding}/delete"), &[]).await.expect(303);
    viewer
        .get(&address)
        .await
        .shows("a record that is gone or not shown to you")
        .lacks("/workspace/findings/fnd_");
}

#[tokio::test]
async fn it_is_there_in_german() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await.with("accept-language", "de");
    let fields = [("title", "Prüfer anrufen"), ("owner", "contributor"), ("due_on", "2026-11-01")];
    browser.submit(WORK, WORK, &fields).await.expect(303);
    let page = browser.get(WORK).await.shows("Meine Aufgaben").shows("Überfällig (1)").shows("Erledigen");
    page.shows("Aufgabe anlegen").lacks("Late");
}

#[tokio::test]
async fn people_are_suggested_where_an_owner_is_asked_for() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    house.add(&house.north, "dana@north.example", Role::Viewer).await;
    let south = house.test.tenant("south").await;
    house.add(&south, "eve@south.example", Role::Manager).await;
    browser.get("/workspace/work/people").await.expect(200).shows("[\"manager\",\"dana\"]");
    for form in [
        "/workspace/findings/new",
        "/workspace/programmes/new",
        "/workspace/controls/new",
        "/workspace/risks/new",
        "/workspace/evidence/new",
        "/workspace/functions/new",
        "/workspace/assessments/dora/dora-art-05-02-a",
        WORK,
    ] {
        browser.get(form).await.expect(200).shows("list=\"owner-people\"").shows("data-people");
    }
}

#[tokio::test]
async fn a_recurring_task_that_is_done_is_followed_by_the_next_one_once() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let fields = [
        ("title", "Check the alarm log"),
        ("owner", "contributor"),
        ("due_on", "2026-11-12"),
        ("cadence", "weekly"),
    ];
    browser.submit(WORK, WORK, &fields).await.expect(303);
    let page = browser.get(WORK).await.shows("1 task").shows("12 Nov");
    let first = page.between("action=\"/workspace/work/tasks/", "/done\"").to_owned();
    let address = format!("/workspace/work/tasks/{first}");
    browser.get(&address).await.shows("value=\"weekly\" selected");
    browser.submit(WORK, &format!("{address}/done"), &[]).await.expect(303);
    let next = browser.get(WORK).await.shows("1 task").shows("Check the alarm log");
    let next = next.shows("19 Nov").lacks(&first);
    next.lacks("12 Nov");
    for status in ["open", "done"] {
        let fields = [("title", "Check the alarm log"), ("status", status), ("cadence", "weekly")];
        browser.submit(&address, &address, &fields).await.expect(303);
    }
    browser.get(WORK).await.shows("1 task");
}

#[tokio::test]
async fn the_list_is_taken_along_as_a_table_with_its_filters() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    for (title, owner) in [("Mine", "contributor"), ("Not mine", "manager")] {
        let fields = [("title", title), ("owner", owner), ("due_on", "2026-11-20")];
        browser.submit(WORK, WORK, &fields).await.expect(303);
    }
    browser.get(WORK).await.shows("/workspace/work.csv").shows("/workspace/work.xlsx");
    let table = browser.get("/workspace/work.csv").await.expect(200);
    let table = table.shows("id,type,action,title,owner,due_on,due_at,late,updated_at");
    table.shows(",task,do,Mine,contributor,2026-11-20,,false,").lacks("Not mine");
    browser.get("/workspace/work.csv?type=finding").await.expect(200).lacks("Mine");
}

#[tokio::test]
async fn keys_reach_what_buttons_and_links_do_without_a_script() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let fields = [("title", "Call"), ("owner", "contributor"), ("due_on", "2026-11-20")];
    browser.submit(WORK, WORK, &fields).await.expect(303);
    let finding =
        [("title", "Backups fail"), ("severity", "high"), ("owner", "contributor"), ("due_on", "2026-11-20")];
    let finding = create(&mut browser, "/workspace/findings", &finding).await;
    let page = browser.get(WORK).await.shows("X marks a task as done");
    assert_eq!(page.body.matches("data-done").count(), 1, "only a task is done here");
    let page = page.shows("data-edit=\"/workspace/work/tasks/tsk_");
    let edit = page.between(&format!("href=\"{finding}\" data-step data-edit=\""), "\"").to_owned();
    browser.get(&edit).await.expect(200).shows("Backups fail");
}
