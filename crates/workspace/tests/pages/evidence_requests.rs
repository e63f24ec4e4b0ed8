//! The pages of requests for evidence: an auditor asks, the owner answers, and each role does only its part.

use domain::user::Role;
use serde_json::json;

use crate::{House, PASSWORD, browser::Browser};

const LIST: &str = "/workspace/evidence-requests";

/// Asks through the form and returns the address of the request.
async fn ask(browser: &mut Browser, fields: &[(&str, &str)]) -> String {
    let done = browser.submit(&format!("{LIST}/new"), LIST, fields).await.expect(303);
    done.location().trim_end_matches("?done=created").to_owned()
}

async fn person(house: &House, name: &str, role: Role) -> Browser {
    let email = format!("{name}@north.example");
    house.add(&house.north, &email, role).await;
    house.browser().signed_in(&email, PASSWORD).await
}

#[tokio::test]
async fn an_auditor_asks_the_owner_answers_and_the_auditor_closes() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let mut auditor = house.signed_in(Role::Auditor).await;
    let mut ben = person(&house, "ben", Role::Contributor).await;
    let control = json!({ "title": "Access review", "owner": "ben" });
    let control = client.post("/api/v1/controls", &control).await.expect(201).data()["id"].clone();
    let control = control.as_str().unwrap();
    let evidence = json!({ "title": "Minutes of March", "url": "https://example.com/minutes" });
    client.post("/api/v1/evidence", &evidence).await.expect(201);

    auditor.get(LIST).await.expect(200).shows("No requests for evidence yet");
    // About a requirement, from the page of its assessment.
    let assessment = "/workspace/assessments/dora/dora-art-05-02-a";
    let about = format!("{LIST}/new?subject=dora-art-05-02-a");
    auditor.get(assessment).await.shows(&about).shows("Ask for evidence");
    auditor.get(&about).await.expect(200).shows("dora-art-05-02-a");
    ben.get(assessment).await.lacks(&about);
    let new = format!("{LIST}/new?subject={control}");
    auditor.get(&format!("/workspace/controls/{control}")).await.shows(&new).shows("Ask for evidence");
    let form = auditor.get(&new).await.expect(200);
    assert!(form.body.contains("Access review") && !form.body.contains(&format!("value=\"{control}\"")));
    let fields = [("text", "Reviews of 2026"), ("subject", control), ("owner", ""), ("due_on", "2026-11-20")];
    let request = ask(&mut auditor, &fields).await;
    auditor.get(&request).await.expect(200).shows("ER-0001").shows("Access review").lacks("Send answer");

    ben.get("/workspace/work").await.expect(200).shows("Reviews of 2026").shows(&request);
    ben.get("/workspace/inbox").await.shows("Reviews of 2026").shows("assigned to you");
    let page = ben.get(&request).await.expect(200).shows("Send answer").shows("Upload evidence");
    page.lacks("/close\"").lacks("/reopen\"").lacks("/edit\"");
    let send = format!("{request}/answer");
    ben.submit(&request, &send, &[("text", "")]).await.expect(422).shows("Answer");
    let wrong = [("text", "Attached"), ("evidence", "No such thing")];
    ben.submit(&request, &send, &wrong).await.expect(422);
    let answer = [("text", "Attached"), ("evidence", "Minutes of March")];
    ben.submit(&request, &send, &answer).await.expect(303);
    ben.get(&request).await.shows("Minutes of March").shows("Attached").lacks("Send answer");
    ben.get("/workspace/work").await.lacks("Reviews of 2026");

    auditor.get("/workspace/inbox").await.shows("your request for evidence is answered");
    let notice =
        auditor.get("/workspace/inbox").await.between("href=\"/workspace/inbox/ntc_", "\"").to_owned();
    let opened = auditor.get(&format!("/workspace/inbox/ntc_{notice}")).await.expect(303);
    assert_eq!(opened.location(), request);
    let reopen = format!("{request}/reopen");
    auditor.submit(&request, &reopen, &[("reason", "")]).await.expect(422);
    auditor.submit(&request, &reopen, &[("reason", "March only")]).await.expect(303);
    ben.get(&request).await.shows("March only").shows("Send answer");
    ben.submit(&request, &send, &[("text", "Now all of them")]).await.expect(303);
    auditor.submit(&request, &format!("{request}/close"), &[]).await.expect(303);
    auditor.get(&request).await.shows("Closed").shows("Open again").lacks("/edit\"");
    auditor.get("/workspace/search?q=reviews").await.expect(200).shows(&request);
    let log = auditor.get("/workspace/audit?kind=audits").await.expect(200);
    log.shows("asked for evidence with")
        .shows("answered the request for evidence")
        .shows("closed the request");
}

#[tokio::test]
async fn each_role_does_its_part_of_a_request_only() {
    let house = House::new().await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    let mut owner = person(&house, "ben", Role::Contributor).await;
    let mut other = person(&house, "carla", Role::Contributor).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let fields = [("text", "Reviews"), ("owner", "ben"), ("due_on", "2026-11-20")];
    let request = ask(&mut auditor, &fields).await;
    let (answer, reply) = (format!("{request}/answer"), [("text", "Here")]);
    for reader in [&mut viewer, &mut other] {
        reader.get(&request).await.expect(200).lacks("Send answer").lacks("/edit\"");
        reader.submit(&request, &answer, &reply).await.expect(403);
        reader.get(&format!("{LIST}/new")).await.expect(403);
    }
    auditor.submit(&request, &answer, &reply).await.expect(403);
    owner.submit(&request, &format!("{request}/close"), &[]).await.expect(403);
    manager.get(&request).await.expect(200).shows("Send answer");
    manager.submit(&request, &answer, &reply).await.expect(303);
    owner.submit(&request, &format!("{request}/reopen"), &[("reason", "No")]).await.expect(403);
    // An auditor changes no other record than what they asked for.
    auditor.get("/workspace/findings/new").await.expect(403);
    let edit = [("text", "Reviews of all years"), ("owner", "carla"), ("due_on", "2026-11-21")];
    auditor.submit(&format!("{request}/edit"), &request, &edit).await.expect(303);
    auditor.get(&request).await.shows("Reviews of all years").shows("carla");
}

#[tokio::test]
async fn an_unanswered_request_reminds_its_owner_and_is_in_the_list_of_what_is_overdue() {
    let house = House::new().await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    let mut ben = person(&house, "ben", Role::Contributor).await;
    let fields = [("text", "Restore protocol"), ("owner", "ben"), ("due_on", "2026-11-20")];
    let request = ask(&mut auditor, &fields).await;
    house.test.app.notify_of_days().await.unwrap();
    ben.get("/workspace/inbox").await.shows("due soon");
    auditor.get(&format!("{LIST}?overdue=true")).await.expect(200).lacks(&request);
    house.pass(8 * 24 * 60 * 60);
    house.test.app.notify_of_days().await.unwrap();
    let mut ben = house.browser().signed_in("ben@north.example", PASSWORD).await;
    ben.get("/workspace/inbox").await.shows("overdue").shows("Restore protocol");
    let mut auditor = house.browser().signed_in("auditor@north.example", PASSWORD).await;
    auditor.get(&format!("{LIST}?overdue=true")).await.expect(200).shows(&request);
    let csv = auditor.get(&format!("{LIST}.csv?overdue=true")).await.expect(200);
    assert!(csv.body.contains("ER-0001") && csv.body.contains("Restore protocol"), "{}", csv.body);
    auditor.fetch(&format!("{LIST}.pdf")).await.expect(200);
    auditor.fetch(&format!("{LIST}.xlsx")).await.expect(200);
}
