//! Changing many records of a list: the answer is the list with its filters, and says what became of each record.

use domain::user::Role;
use serde_json::json;

use crate::{House, records::create};

#[tokio::test]
async fn ticked_records_get_an_owner_and_tags_and_the_list_keeps_its_filter() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let mut ids = Vec::new();
    for title in ["Alarm", "Lock", "Fence"] {
        let made = client.post("/api/v1/controls", &json!({ "title": title })).await.expect(201).data();
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    client.post(&format!("/api/v1/controls/{}/archive", ids[2]), &json!({})).await.expect(200);
    let mut manager = house.signed_in(Role::Manager).await;
    let list = "/workspace/controls?status=planned";
    let page = manager.get(list).await.expect(200).shows("class=\"card bulk\"").shows("data-choose-all");
    assert!(page.body.contains(&format!("name=\"ids\" value=\"{}\"", ids[0])), "{}", page.body);
    let fields = [
        ("ids", ids[0].as_str()),
        ("ids", &ids[1]),
        ("ids", &ids[2]),
        ("bulk_owner", "Platform team"),
        ("bulk_tags", "audit, 2026"),
    ];
    let answer = manager.submit(list, "/workspace/controls/bulk", &fields).await.expect(200);
    answer
        .shows("2 changed, 0 were like that already, 1 not possible.")
        .shows("Fence")
        .shows("Alarm")
        .shows("Platform team")
        .shows("value=\"planned\" checked");
    manager.get("/workspace/controls?tag=audit").await.expect(200).shows("Alarm").shows("Lock");
    let none = manager.submit(list, "/workspace/controls/bulk", &[("bulk_owner", "Ben")]).await.expect(200);
    none.shows("No record was chosen.").shows("Platform team").lacks(">Ben<");
    let nothing = manager.submit(list, "/workspace/controls/bulk", &[("ids", &ids[0])]).await.expect(200);
    nothing.shows("must name at least one field");
}

/// The plain fields of records of several kinds, with one record each.
#[tokio::test]
async fn any_plain_field_of_every_kind_is_changed_or_emptied() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let risk = [
        ("title", "Outage"),
        ("category", "availability"),
        ("treatment", "mitigate"),
        ("owner", "Ada"),
        ("inherent.likelihood", "3"),
        ("inherent.impact", "4"),
        ("residual.likelihood", "2"),
        ("residual.impact", "4"),
    ];
    for (list, fields, change, shown) in [
        (
            "risks",
            &risk[..],
            &[("bulk_treatment", "avoid"), ("bulk_cause", "One site"), ("bulk_empty_owner", "1")][..],
            &["Avoid", "One site"][..],
        ),
        (
            "controls",
            &[("title", "Lock"), ("owner", "Ada")][..],
            &[("bulk_cadence", "monthly"), ("bulk_status", "implemented"), ("bulk_empty_owner", "1")][..],
            &["Monthly", "Implemented"][..],
        ),
        (
            "functions",
            &[("name", "Payments"), ("owner", "Ada")][..],
            &[("bulk_rto_minutes", "240"), ("bulk_criticality", "other"), ("bulk_empty_owner", "1")][..],
            &["Neither"][..],
        ),
        (
            "programmes",
            &[("name", "Yearly"), ("framework", "dora"), ("owner", "Ada")][..],
            &[
                ("bulk_starts_on", "2027-02-01"),
                ("bulk_status", "active"),
                ("bulk_note", "Released"),
                ("bulk_empty_owner", "1"),
            ][..],
            &["1 Feb 2027", "Active", "Released"][..],
        ),
        (
            "findings",
            &[("title", "Cipher"), ("severity", "low"), ("owner", "Ada")][..],
            &[("bulk_severity", "high"), ("bulk_affected_asset", "Core bank"), ("bulk_empty_owner", "1")][..],
            &["High", "Core bank"][..],
        ),
        (
            "own-frameworks",
            &[("title", "House rules"), ("key", "house"), ("owner", "Ada")][..],
            &[("bulk_edition", "2027"), ("bulk_empty_owner", "1")][..],
            &["2027"][..],
        ),
    ] {
        let list = format!("/workspace/{list}");
        let record = create(&mut browser, &list, fields).await;
        let mut sent = vec![("ids", record.rsplit('/').next().unwrap())];
        sent.extend(change);
        let page = browser.submit(&list, &format!("{list}/bulk"), &sent).await.expect(200);
        page.shows("1 changed, 0 were like that already, 0 not possible.");
        let page = browser.get(&record).await.expect(200);
        for text in shown {
            assert!(page.body.contains(text), "{record}: no {text} in {}", page.body);
        }
        let edited = browser.get(&format!("{record}/edit")).await.expect(200);
        edited.lacks("value=\"Ada\"").shows(fields[0].1);
    }
}

#[tokio::test]
async fn records_that_are_refused_stay_chosen_and_the_entries_stay() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut ids = Vec::new();
    for (title, moves) in [("One", &[][..]), ("Two", &["in_progress", "resolved"])] {
        let fields = [("title", title), ("severity", "low")];
        let address = create(&mut browser, "/workspace/findings", &fields).await;
        for status in moves {
            let step = [("status", *status)];
            browser.submit(&address, &format!("{address}/move"), &step).await.expect(303);
        }
        ids.push(address.rsplit('/').next().unwrap().to_owned());
    }
    let list = "/workspace/findings?status=all&severity=low";
    let bulk = "/workspace/findings/bulk";
    let fields =
        [("ids", ids[0].as_str()), ("ids", &ids[1]), ("bulk_status", "closed"), ("bulk_owner", "Ada")];
    let page = browser.submit(list, bulk, &fields).await.expect(200);
    let page =
        page.shows("1 changed, 0 were like that already, 1 not possible.").shows("cannot go from Open");
    let tick = |id: &str| format!("name=\"ids\" value=\"{id}\" checked");
    let page = page.shows(&tick(&ids[0])).lacks(&tick(&ids[1])).shows("value=\"closed\" selected");
    page.shows("Severity: Low").shows("value=\"Ada\"");
    // What was refused has none of the changes.
    browser.get(&format!("/workspace/findings/{}", ids[0])).await.lacks("Ada");
    browser.get(&format!("/workspace/findings/{}", ids[1])).await.shows("Ada").shows("Closed");
    let wrong = [("ids", ids[0].as_str()), ("bulk_due_on", "soon")];
    let page = browser.submit(list, bulk, &wrong).await.expect(200);
    page.shows("0 changed, 0 were like that already, 1 not possible.")
        .shows(&tick(&ids[0]))
        .shows("value=\"soon\"");
}

#[tokio::test]
async fn a_reader_ticks_nothing_and_a_contributor_changes_only_what_they_own() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let made = client.post("/api/v1/controls", &json!({ "title": "Alarm" })).await.expect(201).data();
    let id = made["id"].as_str().unwrap();
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get("/workspace/controls").await.expect(200).lacks("name=\"ids\"").lacks("class=\"card bulk\"");
    let fields = [("ids", id), ("bulk_tags", "mine")];
    viewer.submit("/workspace/controls", "/workspace/controls/bulk", &fields).await.expect(403);
    let mut contributor = house.signed_in(Role::Contributor).await;
    let answer =
        contributor.submit("/workspace/controls", "/workspace/controls/bulk", &fields).await.expect(200);
    answer.shows("0 changed, 0 were like that already, 1 not possible.").shows("may not change in this way");
    contributor.get("/workspace/controls?tag=mine").await.expect(200).lacks("Alarm");
}

#[tokio::test]
async fn a_bulk_change_of_findings_answers_with_the_list_and_its_filter() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let mut ids = Vec::new();
    for (title, severity) in [("One", "low"), ("Two", "high")] {
        let fields = [("title", title), ("severity", severity)];
        let address = create(&mut browser, "/workspace/findings", &fields).await;
        ids.push(address.rsplit('/').next().unwrap().to_owned());
    }
    let list = "/workspace/findings?severity=low";
    let fields = [("ids", ids[0].as_str()), ("owner", "Platform team")];
    let done = browser.submit(list, "/workspace/findings/move", &fields).await.expect(200);
    done.shows("1 changed, 0 were like that already.").shows(">One</a>").lacks(">Two</a>");
    let fields = [("ids", ids[0].as_str()), ("status", "closed")];
    let refused = browser.submit(list, "/workspace/findings/move", &fields).await.expect(422);
    refused.shows("Nothing was changed").shows(">One</a>").lacks(">Two</a>");
}
