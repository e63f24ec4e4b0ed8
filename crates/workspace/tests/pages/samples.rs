//! Samples in the workspace: drawn from a filtered list, shown with links to their records.

use domain::user::Role;
use serde_json::json;

use crate::{House, PASSWORD};

const LIST: &str = "/workspace/samples";

#[tokio::test]
async fn an_auditor_draws_a_sample_from_a_filtered_list_and_opens_its_records() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    for (title, severity) in [("First", "high"), ("Second", "high"), ("Other", "low")] {
        client.post("/api/v1/findings", &json!({ "title": title, "severity": severity })).await.expect(201);
    }
    let mut auditor = house.signed_in(Role::Auditor).await;
    auditor.get(LIST).await.expect(200).shows("No samples yet");
    let menu = auditor.get("/workspace/findings?severity=high").await.expect(200);
    let form = menu.between("href=\"/workspace/samples/new?", "\"").replace("&amp;", "&");
    assert_eq!(form, "list=findings&severity=high");
    let form = format!("{LIST}/new?{form}");
    auditor.get(&form).await.expect(200).shows("severity: high").shows("findings");
    let hidden = [("list", "findings"), ("filter", "severity=high")];
    let empty = [&hidden[..], &[("size", "2"), ("purpose", "")]].concat();
    auditor.submit(&form, LIST, &empty).await.expect(422).shows("Purpose");
    let fields = [&hidden[..], &[("size", "2"), ("seed", "2026"), ("purpose", "Remediation")]].concat();
    let done = auditor.submit(&form, LIST, &fields).await.expect(303);
    let sample = done.location().trim_end_matches("?done=drawn").to_owned();
    let page = auditor.get(&sample).await.expect(200).shows("<dt>Population</dt><dd>2</dd>");
    let page = page.shows("First").shows("Second").lacks("Other").shows("2026");
    let record = format!("/workspace/findings/fnd_{}", page.between("href=\"/workspace/findings/fnd_", "\""));
    auditor.get(&record).await.expect(200);
    auditor.get(LIST).await.expect(200).shows("Remediation").shows("2 of 2").shows(&sample);
    let log = auditor.get("/workspace/audit?kind=audits").await.expect(200);
    log.shows("drew a sample of records").shows("Remediation").shows("2026");
    let nothing = [&hidden[..1], &[("filter", "severity=info"), ("size", "2"), ("purpose", "x")]].concat();
    let form = format!("{LIST}/new?list=findings&severity=info");
    auditor.submit(&form, LIST, &nothing).await.expect(422).shows("matches no record");
}

/// Who repeats a sample needs every value of its filter.
#[tokio::test]
async fn a_sample_records_all_values_of_a_filter() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    for severity in ["critical", "high", "low"] {
        client
            .post("/api/v1/findings", &json!({ "title": severity, "severity": severity }))
            .await
            .expect(201);
    }
    let mut auditor = house.signed_in(Role::Auditor).await;
    let filter = "severity=critical&severity=high";
    let form = format!("{LIST}/new?list=findings&{filter}");
    let fields = [("list", "findings"), ("filter", filter), ("size", "9"), ("purpose", "Both")];
    let done = auditor.submit(&form, LIST, &fields).await.expect(303);
    let page = auditor.get(done.location().trim_end_matches("?done=drawn")).await.expect(200);
    page.shows("<dt>Population</dt><dd>2</dd>").shows("severity: critical, high");
    let recorded = client.get("/api/v1/samples").await.expect(200).data()[0]["filter"].clone();
    assert_eq!(recorded, json!({ "severity": "critical,high" }));
    let again = json!({ "list": "findings", "filter": recorded, "size": 9, "purpose": "Again" });
    assert_eq!(client.post("/api/v1/samples", &again).await.expect(201).data()["population"], 2);
}

#[tokio::test]
async fn the_menu_of_every_list_offers_a_sample_to_those_who_may_draw_one_only() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    client.post("/api/v1/findings", &json!({ "title": "One", "severity": "low" })).await.expect(201);
    client.post("/api/v1/controls", &json!({ "title": "Alarm" })).await.expect(201);
    for role in Role::ALL {
        house.add(&house.north, &format!("{role}@north.example"), *role).await;
        let mut browser = house.browser().signed_in(&format!("{role}@north.example"), PASSWORD).await;
        let may = matches!(role, Role::Auditor | Role::Manager | Role::Administrator);
        for list in ["findings", "controls"] {
            let page = browser.get(&format!("/workspace/{list}")).await.expect(200);
            let offered = page.body.contains(&format!("/workspace/samples/new?list={list}"));
            assert_eq!(offered, may, "{role} {list}");
            let past = browser.get(&format!("/workspace/{list}?as_of=2026-11-13")).await.expect(200);
            assert!(!past.body.contains("/workspace/samples/new"), "{role} {list}: not of the past");
        }
    }
}
