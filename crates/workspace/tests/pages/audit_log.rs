//! The page of the audit log.

use domain::user::Role;

use crate::{House, PASSWORD, records::create};

const AUDIT: &str = "/workspace/audit";

#[tokio::test]
async fn entries_are_sentences_with_names_links_and_what_was_before() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let finding =
        create(&mut browser, "/workspace/findings", &[("title", "Backups fail"), ("severity", "low")]).await;
    let edit = [("title", "Backups fail"), ("severity", "high"), ("due_on", "2027-01-31")];
    browser.submit(&format!("{finding}/edit"), &finding, &edit).await.expect(303);

    let log = browser.get(AUDIT).await.expect(200);
    let log = log.shows("changed the finding ").shows(&format!("<a href=\"{finding}\">"));
    let log = log.shows("Backups fail</a>").shows("title=\"administrator@north.example\">administrator</a>");
    log.shows("Low → High").shows("<code class=\"quiet size-small\">finding.changed</code>");
    let german = browser.with("accept-language", "de").get(AUDIT).await.expect(200);
    german.shows("hat die Feststellung ").shows(" geändert").shows("Niedrig → Hoch");
}

#[tokio::test]
async fn records_of_newer_kinds_are_named_and_linked_too() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let function = [("name", "Payments"), ("criticality", "critical_or_important")];
    let function = create(&mut browser, "/workspace/functions", &function).await;
    let changed = [("name", "Payments"), ("criticality", "other"), ("impact_of_discontinuing", "low")];
    browser.submit(&format!("{function}/edit"), &function, &changed).await.expect(303);
    let incident = [("title", "Outage"), ("regimes", "dora")];
    let incident = create(&mut browser, "/workspace/incidents", &incident).await;
    let work = "/workspace/work";
    browser.submit(work, work, &[("title", "Call"), ("owner", "administrator")]).await.expect(303);
    let page = browser.get(work).await;
    let task = format!("{work}/tasks/{}", page.between("action=\"/workspace/work/tasks/", "/done\""));
    browser.get(&task).await.expect(200);
    let log = browser.get(AUDIT).await.expect(200);
    let log = log.shows(&format!("<a href=\"{task}\">Call</a>"));
    let log = log.shows(&format!("<a href=\"{function}\">F1 Payments</a>"));
    let log = log.shows(&format!("<a href=\"{incident}\">")).shows(" Outage</a>");
    // Values are shown in words.
    log.shows("Critical or important → Neither").lacks("critical_or_important");
    let german = browser.with("accept-language", "de").get(AUDIT).await.expect(200);
    german.shows("Kritisch oder wichtig → Weder noch");
}

#[tokio::test]
async fn entries_are_found_by_person_kind_record_and_time() {
    let house = House::new().await;
    house.signed_in(Role::Administrator).await;
    let ben = house.add(&house.north, "ben@north.example", Role::Contributor).await;
    house.pass(3 * 24 * 60 * 60);
    let mut his = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let finding = create(&mut his, "/workspace/findings", &[("title", "His"), ("severity", "low")]).await;
    let mut browser = house.browser().signed_in("administrator@north.example", PASSWORD).await;
    create(&mut browser, "/workspace/findings", &[("title", "Hers"), ("severity", "low")]).await;
    let id = finding.rsplit('/').next().unwrap();

    let by_person = browser.get(&format!("{AUDIT}?person={}", ben.id)).await.expect(200);
    by_person
        .shows(">finding.created</code>")
        .shows(">user.signed_in</code>")
        .shows(" His</a>")
        .lacks(" Hers</a>");
    let by_kind = browser.get(&format!("{AUDIT}?kind=findings")).await.expect(200);
    by_kind.shows(" His</a>").shows(" Hers</a>").lacks(">user.signed_in</code>");
    let by_record = browser.get(&format!("{AUDIT}?record={id}")).await.expect(200);
    by_record.shows(" His</a>").lacks(" Hers</a>");
    let both = browser.get(&format!("{AUDIT}?record={id}&kind=accounts")).await.expect(200);
    both.shows("No entries found");
    // The clock began on 14 November and stands at the 17th.
    let early = browser.get(&format!("{AUDIT}?to=2026-11-16")).await.expect(200);
    early.shows(">user.created</code>").lacks(">finding.created</code>");
    let late = browser.get(&format!("{AUDIT}?from=2026-11-17&to=2026-11-17")).await.expect(200);
    late.shows(">finding.created</code>").lacks(">user.created</code>");
    for odd in ["person=%00", "record='", "from=x&to=y", "before=-1", "before=x"] {
        browser.get(&format!("{AUDIT}?{odd}")).await.expect(200);
    }
}

#[tokio::test]
async fn older_entries_follow_page_by_page_and_the_table_has_all() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    for number in 0..60 {
        let title = format!("Number {number:02}");
        create(&mut browser, "/workspace/findings", &[("title", title.as_str()), ("severity", "low")]).await;
    }
    let first =
        browser.get(&format!("{AUDIT}?kind=findings")).await.shows("Number 59</a>").lacks("Number 09</a>");
    let next = first.between("rel=\"next\" href=\"", "\"").replace("&amp;", "&");
    let second = browser.get(&next).await.expect(200);
    second.shows("Number 09</a>").shows("Number 00</a>").lacks("Number 10</a>").shows("Newest");

    let table = browser.fetch(&format!("{AUDIT}.csv?kind=findings")).await.expect(200);
    let text = String::from_utf8(table.bytes).unwrap();
    assert_eq!(text.lines().count(), 61, "{text}");
    assert!(text.starts_with("number,at,who,actor,action,what,record,record_name,detail\r\n"), "{text}");
    assert!(text.contains(",finding.created,created the finding F-2026-0001 Number 00,fnd_"), "{text}");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&format!("{AUDIT}.csv")).await.expect(403);
}
