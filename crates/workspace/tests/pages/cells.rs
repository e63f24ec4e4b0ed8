//! Changing the status, the owner or the day of a record in its list.

use domain::user::Role;
use serde_json::json;
use testkit::{Engine, TestApp};

use crate::{
    House, PASSWORD,
    browser::{Browser, Page},
    records::create,
};

const FINDINGS: &str = "/workspace/findings";

/// The address of the list with a cell opened, as the link in the row has it.
fn link(page: &Page, id: &str, column: &str) -> String {
    let mark = format!("edit={id}.{column}#cell\"");
    let before = page.body.split(&mark).next().filter(|before| before.len() < page.body.len());
    let before = before.unwrap_or_else(|| panic!("no {mark}: {}", page.body));
    let (_, address) = before.rsplit_once("href=\"").unwrap();
    format!("{}edit={id}.{column}", address.replace("&amp;", "&"))
}

/// The fields of the open form, with these values.
fn entered(page: &Page, values: &[(&str, &str)]) -> Vec<(String, String)> {
    let form = page.between("data-cell-form=\"", "</form>");
    let hidden = Page { status: page.status, headers: page.headers.clone(), body: form.to_owned() }.hidden();
    let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    hidden.into_iter().chain(values).collect()
}

async fn send(browser: &mut Browser, action: &str, fields: &[(String, String)]) -> Page {
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(action, &fields).await
}

/// Opens a cell of a list by its link, enters the values and saves.
async fn save(
    browser: &mut Browser,
    list: &str,
    (record, column): (&str, &str),
    values: &[(&str, &str)],
) -> Page {
    let page = browser.get(list).await.expect(200);
    let id = record.rsplit('/').next().unwrap();
    let open = browser.get(&link(&page, id, column)).await.expect(200);
    send(browser, &format!("{record}/cell"), &entered(&open, values)).await
}

async fn saved(browser: &mut Browser, list: &str, cell: (&str, &str), values: &[(&str, &str)]) -> Page {
    let answer = save(browser, list, cell, values).await.expect(303);
    browser.get(answer.location()).await.expect(200).shows("Change saved.").lacks("data-cell-form")
}

async fn change_findings(engine: Engine) {
    let house = House::of(TestApp::on(engine).await, "http://127.0.0.1:8080").await;
    let mut browser = house.signed_in(Role::Manager).await;
    let one = create(&mut browser, FINDINGS, &[("title", "One"), ("severity", "low")]).await;
    let two = create(&mut browser, FINDINGS, &[("title", "Two"), ("severity", "high")]).await;
    let list = format!("{FINDINGS}?severity=low&sort=due_on");
    let page = saved(&mut browser, &list, (&one, "owner"), &[("owner", "Platform team")]).await;
    page.shows("Platform team").shows("Severity: Low").lacks(">Two</a>");
    let page = saved(&mut browser, &list, (&one, "due_on"), &[("due_on", "2027-02-01")]).await;
    page.shows("1 Feb 2027");
    let step = [("status", "in_progress"), ("note", "Ada has begun")];
    saved(&mut browser, &list, (&one, "status"), &step).await.shows("In progress");
    browser.get(&one).await.shows("Ada has begun").shows("Platform team").shows("1 Feb 2027");
    browser.get(&two).await.lacks("Platform team");
    // What may be empty is emptied.
    saved(&mut browser, &list, (&one, "owner"), &[("owner", "")]).await.lacks("Platform team");
    // The same value again changes nothing and says nothing.
    let same = save(&mut browser, &list, (&one, "status"), &[("status", "in_progress")]).await.expect(303);
    assert_eq!(same.location(), list);
}

#[tokio::test]
async fn status_owner_and_day_of_a_finding_are_changed_in_the_list_on_sqlite() {
    change_findings(Engine::Sqlite).await;
}

#[tokio::test]
async fn status_owner_and_day_of_a_finding_are_changed_in_the_list_on_postgres() {
    change_findings(Engine::Postgres).await;
}

#[tokio::test]
async fn an_open_cell_offers_the_next_states_and_leads_back() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let made = create(&mut browser, FINDINGS, &[("title", "One"), ("severity", "low")]).await;
    let id = made.rsplit('/').next().unwrap();
    let page = browser.get(&format!("{FINDINGS}?severity=low")).await.expect(200);
    page.shows("data-cell=\"status\"").shows("data-cell=\"owner\"").shows("data-cell=\"day\"");
    let open = browser.get(&format!("{FINDINGS}?severity=low&edit={id}.status")).await.expect(200);
    let form = open.between("data-cell-form=\"", "</form>");
    assert!(form.contains("<option value=\"open\" selected>Open</option>"), "{form}");
    assert!(form.contains("value=\"in_progress\"") && !form.contains("risk_accepted"), "{form}");
    assert!(form.contains("Status of"), "{form}");
    assert!(form.contains(&format!("href=\"{FINDINGS}?severity=low\"")), "back without a change: {form}");
    // Filters, orders and files of the page do not open the cell again.
    assert_eq!(open.body.matches("edit=").count(), 2, "the two other cells of the row: {}", open.body);
    // What is no cell is the list.
    for wrong in ["edit=x", "edit=fnd_x.owner", &format!("edit={id}.severity")] {
        browser.get(&format!("{FINDINGS}?{wrong}")).await.expect(200).lacks("data-cell-form");
    }
}

#[tokio::test]
async fn a_refusal_stands_in_the_row_and_keeps_what_was_entered() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let made = create(&mut browser, FINDINGS, &[("title", "One"), ("severity", "low")]).await;
    let list = format!("{FINDINGS}?severity=low");
    let long = "x".repeat(300);
    let refused = save(&mut browser, &list, (&made, "owner"), &[("owner", &long)]).await.expect(422);
    let form = refused.between("data-cell-form=\"", "</form>");
    assert!(form.contains(&long) && form.contains("class=\"wrong\""), "{form}");
    refused.shows("Severity: Low").shows(">One</a>");
    let step = [("status", "closed"), ("note", "Too early")];
    let refused = save(&mut browser, &list, (&made, "status"), &step).await.expect(422);
    refused.shows("cannot go from Open to Closed").shows("value=\"Too early\"");
}

#[tokio::test]
async fn another_users_change_is_shown_beside_the_entry_and_is_not_overwritten_unseen() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let made = create(&mut browser, "/workspace/controls", &[("title", "Lock")]).await;
    let list = "/workspace/controls?status=planned";
    let id = made.rsplit('/').next().unwrap();
    let page = browser.get(list).await.expect(200);
    let open = browser.get(&link(&page, id, "owner")).await.expect(200);
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    client.patch(&format!("/api/v1/controls/{id}"), &json!({ "owner": "Ben" })).await.expect(200);
    let fields = entered(&open, &[("owner", "Ada")]);
    let action = format!("{made}/cell");
    let late = send(&mut browser, &action, &fields).await.expect(409);
    let late = late.shows("changed in the meantime").shows("Now it is: Ben").shows("value=\"Ada\"");
    // Saving once more is a decision.
    let again = send(&mut browser, &action, &entered(&late, &[("owner", "Ada")])).await.expect(303);
    browser.get(again.location()).await.shows("Ada").lacks("Ben");
    // The record left the list meanwhile: the form stands above it.
    let page = browser.get(list).await.expect(200);
    let open = browser.get(&link(&page, id, "owner")).await.expect(200);
    let status = json!({ "status": "implemented" });
    client.patch(&format!("/api/v1/controls/{id}"), &status).await.expect(200);
    let fields = entered(&open, &[("owner", "Cleo")]);
    let late = send(&mut browser, &action, &fields).await.expect(409);
    late.shows("no longer in the list").shows("value=\"Cleo\"");
}

#[tokio::test]
async fn a_step_that_needs_an_approval_leads_to_the_form_that_asks_for_it() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let made = create(&mut browser, FINDINGS, &[("title", "One"), ("severity", "critical")]).await;
    let list = format!("{FINDINGS}?severity=critical");
    let step = [("status", "false_positive"), ("note", "Not ours")];
    let asked = save(&mut browser, &list, (&made, "status"), &step).await.expect(303);
    assert!(asked.location().starts_with("/workspace/approvals/new?"), "{}", asked.location());
    browser.get(asked.location()).await.expect(200);
    browser.get(&list).await.shows(">One</a>");
}

#[tokio::test]
async fn every_kind_with_an_owner_or_a_day_has_cells() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    let programme_id = programme.rsplit('/').next().unwrap();
    let test =
        [("programme_id", programme_id), ("title", "Restore"), ("test_type", "tlpt"), ("priority", "low")];
    let risk = [
        ("title", "Outage"),
        ("category", "availability"),
        ("treatment", "mitigate"),
        ("inherent.likelihood", "3"),
        ("inherent.impact", "4"),
        ("residual.likelihood", "2"),
        ("residual.impact", "4"),
    ];
    let day = "2027-05-06";
    for (list, fields, cells) in [
        ("programmes", &[][..], &[("owner", "Ada"), ("status", "active")][..]),
        ("test-cases", &test[..], &[("assignee", "Ada"), ("due_on", day), ("status", "ready")][..]),
        ("risks", &risk[..], &[("owner", "Ada"), ("review_on", day), ("status", "treating")][..]),
        ("functions", &[("name", "Payments")][..], &[("owner", "Ada")][..]),
        ("controls", &[("title", "Lock")][..], &[("owner", "Ada"), ("status", "implemented")][..]),
        ("own-frameworks", &[("title", "House rules"), ("key", "house")][..], &[("owner", "Ada")][..]),
    ] {
        let list = format!("/workspace/{list}");
        let record =
            if fields.is_empty() { programme.clone() } else { create(&mut browser, &list, fields).await };
        for &(column, value) in cells {
            let page = saved(&mut browser, &list, (&record, column), &[(column, value)]).await;
            if value == day {
                page.shows("6 May 2027");
            }
        }
        browser.get(&record).await.shows("Ada");
    }
    // A part of a form changes nothing else.
    let page = browser.get("/workspace/risks").await.expect(200);
    page.lacks("Not rated");
}

#[tokio::test]
async fn cells_are_offered_to_those_who_may_change_the_record() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let list = "/workspace/controls";
    let made = create(&mut manager, list, &[("title", "Lock"), ("owner", "Ben")]).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(list).await.shows("Lock").lacks("data-cell=");
    let id = made.rsplit('/').next().unwrap();
    viewer.get(&format!("{list}?edit={id}.owner")).await.expect(200).lacks("data-cell-form");
    // A contributor is offered what they own.
    house.add(&house.north, "cora@north.example", Role::Contributor).await;
    let mut cora = house.browser().signed_in("cora@north.example", PASSWORD).await;
    cora.get(list).await.shows("Lock").lacks("data-cell=");
    let own = create(&mut cora, list, &[("title", "Fence"), ("owner", "cora")]).await;
    let page = saved(&mut cora, list, (&own, "status"), &[("status", "in_progress")]).await;
    assert_eq!(page.body.matches("data-cell=\"owner\"").count(), 1, "{}", page.body);
    // Nothing is changed on a past state, and nothing that is archived.
    manager.get(&format!("{list}?as_of=2026-11-14")).await.lacks("data-cell=");
    manager.submit(&made, &format!("{made}/archive"), &[]).await.expect(303);
    manager.get(&format!("{list}?archived=true")).await.shows("Lock").lacks("data-cell=");
}

#[tokio::test]
async fn status_owner_and_day_of_an_assessment_are_changed_in_the_list() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let list = "/workspace/assessments/dora?section=dora-chapter-ii";
    let one = "/workspace/assessments/dora/dora-art-05-02-a";
    let page = saved(&mut browser, list, (one, "owner"), &[("owner", "Anna Weber")]).await;
    page.shows("Anna Weber");
    saved(&mut browser, list, (one, "due_on"), &[("due_on", "2027-02-01")]).await.shows("1 Feb 2027");
    let step = [("status", "partly_met"), ("note", "Rules are from 1998")];
    saved(&mut browser, list, (one, "status"), &step).await;
    let page = browser.get(one).await.expect(200);
    page.shows("Rules are from 1998").shows("Anna Weber").shows("value=\"2027-02-01\"");
    // Why a requirement is left out is asked for in the row, and what was entered stays.
    let refused = save(&mut browser, list, (one, "due_on"), &[("due_on", "2027-02-31")]).await.expect(422);
    refused.shows("value=\"2027-02-31\"").shows("cell-wrong");
    let page = browser.get(list).await;
    let open = browser.get(&link(&page, "dora-art-05-02-a", "owner")).await;
    saved(&mut browser, list, (one, "owner"), &[("owner", "Bo Lund")]).await;
    let late = entered(&open, &[("owner", "Carl")]);
    let late = send(&mut browser, &format!("{one}/cell"), &late).await.expect(409);
    late.shows("Now it is: Bo Lund").shows("value=\"Carl\"");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(list).await.expect(200).lacks("data-cell=");
    viewer.get(&format!("{list}&edit=dora-art-05-02-a.owner")).await.expect(200).lacks("data-cell-form");
    browser.get(&format!("{list}&as_of=2026-11-14")).await.expect(200).lacks("data-cell=");
}
