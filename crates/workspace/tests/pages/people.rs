//! Inviting, changing and closing accounts.

use domain::user::Role;
use serde_json::json;

use crate::{House, PASSWORD, records::create};

#[tokio::test]
async fn an_invited_person_chooses_a_password_and_comes_in() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let fields = [("name", "Ben Berger"), ("email", "ben@north.example"), ("role", "contributor")];
    let page = browser.submit("/workspace/users/new", "/workspace/users", &fields).await.expect(200);
    let link = page.between("aria-label=\"Link\">", "<").to_owned();
    let path = link.strip_prefix("http://127.0.0.1:8080").unwrap();
    browser.get("/workspace/users").await.shows("Invited").lacks(path);

    let mut ben = house.browser();
    ben.open(path).await.expect(200).shows("Welcome to Bank north").shows("ben@north.example");
    ben.post(path, &[("password", "short")]).await.expect(422).shows("at least 12 characters");
    let chosen = "a stitch in time saves nine";
    let done = ben.post(path, &[("password", chosen)]).await.expect(303);
    assert_eq!(done.location(), "/workspace/work", "signed in at once");
    ben.get("/workspace").await.expect(200).shows("Ben Berger");
    ben.get(path).await.expect(404).shows("This link no longer works");
    house.browser().signed_in("ben@north.example", chosen).await;
}

#[tokio::test]
async fn an_invited_person_without_a_name_is_asked_for_it() {
    let house = House::new().await;
    let email = "ben@north.example";
    let draft = app::user::UserDraft {
        email: email.parse().unwrap(),
        name: domain::text::Name::parse(email).unwrap(),
        role: Role::Viewer,
    };
    let (_, token) = house.test.app.access.invite_user(&house.north.caller, draft).await.unwrap();
    let path = tidewall_workspace::link_path(&token);
    let mut ben = house.browser();
    let page = ben.open(&path).await.expect(200).shows("name=\"name\"");
    page.lacks(&format!("name=\"name\" value=\"{email}\""));
    let chosen = "a stitch in time saves nine";
    ben.post(&path, &[("password", chosen), ("name", " ")]).await.expect(422).shows("must not be empty");
    ben.post(&path, &[("password", chosen), ("name", "Ben Berger")]).await.expect(303);
    ben.get("/workspace").await.expect(200).shows("Hello, Ben Berger").lacks("Hello, ben@");
}

#[tokio::test]
async fn an_account_without_a_name_is_greeted_without_its_address() {
    let house = House::new().await;
    let email = "ops@north.example";
    let draft = app::user::UserDraft {
        email: email.parse().unwrap(),
        name: domain::text::Name::parse(email).unwrap(),
        role: Role::Viewer,
    };
    let password = domain::password::Password::presented(PASSWORD);
    house.test.app.people.create_user(&house.north.caller, draft, password).await.unwrap();
    let mut browser = house.browser().signed_in(email, PASSWORD).await;
    browser.get("/workspace").await.expect(200).shows("Hello").lacks("Hello, ops@");
}

#[tokio::test]
async fn an_administrator_changes_closes_and_opens_accounts() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    let path = format!("/workspace/users/{}", ben.id);
    let mut his = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let fields = [("name", "Benjamin"), ("role", "manager")];
    browser.submit(&path, &path, &fields).await.expect(303);
    his.get("/workspace/webhooks/new").await.expect(200);
    browser.submit(&path, &format!("{path}/close"), &[]).await.expect(303);
    his.get("/workspace").await.expect(303);
    browser.get("/workspace/users").await.shows("Closed").shows("Benjamin");
    browser.submit(&path, &format!("{path}/open"), &[]).await.expect(303);
    house.browser().signed_in("ben@north.example", PASSWORD).await;
    let page = browser.submit(&path, &format!("{path}/link"), &[]).await.expect(200);
    page.shows("/workspace/link/");
}

#[tokio::test]
async fn the_last_administrator_cannot_leave() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let list = browser.get("/workspace/users").await;
    let path = format!("/workspace/users/usr_{}", list.between("/workspace/users/usr_", "\""));
    let page = browser.submit(&path, &path, &[("name", "x"), ("role", "viewer")]).await;
    page.expect(422).shows("last administrator");
    browser.submit(&path, &format!("{path}/close"), &[]).await.expect(422).shows("last administrator");
    browser.get("/workspace/users").await.expect(200);
}

#[tokio::test]
async fn the_audit_log_names_people_and_proves_itself() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let log = browser.get("/workspace/audit").await.expect(200);
    log.shows("user.signed_in").shows("administrator@north.example").shows("Operator");
    let verified = browser.get("/workspace/audit/verify").await.expect(200);
    verified.shows("The chain is intact").shows("2:").shows("only a head that is kept elsewhere shows that");
}

#[tokio::test]
async fn closing_an_account_lists_its_keys_and_revokes_them_if_asked_to() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let mut keys = Vec::new();
    for (email, revoke) in [("tom@north.example", true), ("eva@north.example", false)] {
        let leaver = house.add(&house.north, email, Role::Administrator).await;
        let mut theirs = house.browser().signed_in(email, PASSWORD).await;
        let fields = [("name", "Made by hand"), ("permissions", "manage_keys")];
        let page = theirs.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
        let parent = house.test.client(page.between("aria-label=\"Key\">", "<"));
        let body = serde_json::json!({ "name": "Made by a key" });
        let child = parent.post("/api/v1/keys", &body).await.expect(201).data()["key"].clone();
        let path = format!("/workspace/users/{}", leaver.id);
        let page = browser.get(&path).await.shows("Made by hand").shows("Made by a key");
        page.shows("Revoke these keys").shows("name=\"revoke_keys\" value=\"1\" checked");
        let fields: &[(&str, &str)] = if revoke { &[("revoke_keys", "1")] } else { &[] };
        browser.submit(&path, &format!("{path}/close"), fields).await.expect(303);
        keys.push((revoke, parent));
        keys.push((revoke, house.test.client(child.as_str().unwrap())));
    }
    for (revoked, key) in keys {
        let _ = key.get("/api/v1/webhooks").await.expect(if revoked { 401 } else { 200 });
    }
}

#[tokio::test]
async fn closing_an_account_hands_its_open_work_over() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let leaver = house.add(&house.north, "tom@north.example", Role::Contributor).await;
    let heir = house.add(&house.north, "eva@north.example", Role::Contributor).await;
    let name = leaver.name.as_str();
    let finding = |title: &'static str, owner: &str| {
        [("title", title.to_owned()), ("severity", "low".to_owned()), ("owner", owner.to_owned())]
    };
    let mut addresses = Vec::new();
    for fields in
        [finding("By name", name), finding("By address", "tom@north.example"), finding("Other", "Team")]
    {
        let fields = fields.each_ref().map(|(field, value)| (*field, value.as_str()));
        addresses.push(create(&mut browser, "/workspace/findings", &fields).await);
    }
    let fields = [("name", "Yearly"), ("framework", "dora"), ("owner", name)];
    let programme = create(&mut browser, "/workspace/programmes", &fields).await;
    let path = format!("/workspace/users/{}", leaver.id);
    browser
        .get(&path)
        .await
        .shows("findings: 2")
        .shows("programmes: 1")
        .lacks("test cases: ")
        .shows("Hand it over to");
    browser
        .submit(&path, &format!("{path}/close"), &[])
        .await
        .expect(422)
        .shows("choose who takes over the open work");
    let own = [("hand_over_to", leaver.id.to_string())];
    let own = own.each_ref().map(|(field, value)| (*field, value.as_str()));
    let refused = browser.submit(&path, &format!("{path}/close"), &own).await.expect(422);
    refused.shows("must be another person with an open account");
    let to = heir.id.to_string();
    browser.submit(&path, &format!("{path}/close"), &[("hand_over_to", &to)]).await.expect(303);
    for (address, owner) in addresses.iter().zip([heir.name.as_str(), heir.name.as_str(), "Team"]) {
        browser.get(address).await.shows(&format!("<dd>{owner}</dd>"));
    }
    browser.get(&programme).await.shows(&format!("<dd>{}</dd>", heir.name.as_str()));
    browser.get("/workspace/audit").await.shows("user.work_handed_over");
    browser.get("/workspace/users").await.shows("Closed");
}

#[tokio::test]
async fn every_kind_of_open_work_is_handed_over_and_approvals_hold() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let leaver = house.add(&house.north, "tom@north.example", Role::Contributor).await;
    let heir = house.add(&house.north, "eva@north.example", Role::Contributor).await;
    let keys = [
        house.test.client(&house.test.key(&house.north, "read,write").await),
        house.test.client(&house.test.key(&house.north, "read,write").await),
    ];
    let cells =
        json!({ "cells": { "c0010": "529900TIDEWALLBANK74", "c0020": "Bank", "c0030": "eba_GA:DE" } });
    keys[0].post("/api/v1/register/B_01.01/rows", &cells).await.expect(201);
    let risk = json!({ "likelihood": 1, "impact": 1 });
    let mut records = Vec::new();
    for (path, body) in [
        ("/api/v1/controls", json!({ "title": "Alarm test", "owner": "TOM" })),
        (
            "/api/v1/risks",
            json!({ "title": "Fire", "category": "physical", "inherent": risk, "owner": "tom" }),
        ),
        (
            "/api/v1/evidence",
            json!({ "title": "Report", "url": "https://example.com/r", "owner": leaver.id }),
        ),
        ("/api/v1/functions", json!({ "name": "Payments", "owner": "tom@north.example" })),
        ("/api/v1/register/filings", json!({ "owner": "tom" })),
        ("/api/v1/tasks", json!({ "title": "Call", "owner": "Tom" })),
        ("/api/v1/incidents", json!({ "title": "Outage", "owner": "tom" })),
        (
            "/api/v1/cra/reports",
            json!({
                "kind": "severe_incident", "product": { "name": "App" }, "title": "Leak", "severity": "high",
                "aware_at": "2026-11-14T13:00:00Z", "owner": leaver.id,
            }),
        ),
    ] {
        let made = keys[0].post(path, &body).await.expect(201).data();
        records.push(format!("{path}/{}", made["id"].as_str().unwrap()));
    }
    let arrangement = json!({
        "reference": "C-1", "provider": { "name": "Nordlicht", "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01", "ends_on": "2027-12-31", "notice_days": 90,
        "annual_cost": { "amount": 100, "currency": "EUR" },
    });
    keys[0].post("/api/v1/ict-arrangements", &arrangement).await.expect(201);
    let providers = keys[0].get("/api/v1/providers").await.expect(200).data();
    let provider = format!("/api/v1/providers/{}", providers[0]["id"].as_str().unwrap());
    keys[0].patch(&provider, &json!({ "owner": "Tom" })).await.expect(200);
    records.push(provider);
    let assessment = "/api/v1/assessments/dora-art-05-02-a";
    keys[0].patch(assessment, &json!({ "status": "met", "owner": "tom" })).await.expect(200);
    keys[1].post(&format!("{assessment}/approve"), &json!({})).await.expect(200);
    records.push(assessment.to_owned());
    let path = format!("/workspace/users/{}", leaver.id);
    let mut page = browser.get(&path).await;
    for kind in [
        "controls",
        "risks",
        "assessments",
        "evidence",
        "functions",
        "register of information",
        "providers",
        "tasks",
        "incidents",
        "CRA reports",
    ] {
        page = page.shows(&format!("{kind}: 1"));
    }
    page.lacks("findings: ");
    let to = heir.id.to_string();
    browser.submit(&path, &format!("{path}/close"), &[("hand_over_to", &to)]).await.expect(303);
    for record in &records {
        assert_eq!(keys[0].get(record).await.expect(200).data()["owner"], "eva", "{record}");
    }
    // The last day to terminate its contract is a task of the new owner.
    let due = keys[0].get("/api/v1/tasks?type=arrangement&owner=eva").await.expect(200).data();
    assert_eq!(due[0]["title"], "Nordlicht: Hosting", "{due}");
    let approved = keys[0].get(assessment).await.data();
    assert!(approved["approved_at"].is_string(), "{approved}");
}

#[tokio::test]
async fn an_account_with_open_work_is_closed_without_a_successor_only_on_purpose() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let leaver = house.add(&house.north, "tom@north.example", Role::Contributor).await;
    let fields = [("title", "Old cipher"), ("severity", "low"), ("owner", "tom")];
    let finding = create(&mut browser, "/workspace/findings", &fields).await;
    let path = format!("/workspace/users/{}", leaver.id);
    let page = browser.get(&path).await.expect(200);
    let choices = page.between("name=\"hand_over_to\"", "</select>");
    assert!(choices.find("Choose a person") < choices.find("Leave it under this name"), "{choices}");
    let close = format!("{path}/close");
    browser.submit(&path, &close, &[("hand_over_to", "")]).await.expect(422);
    browser.get("/workspace/users").await.lacks("Closed");
    browser.submit(&path, &close, &[("hand_over_to", "leave")]).await.expect(303);
    browser.get(&finding).await.shows("<dd>tom</dd>");
}

#[tokio::test]
async fn handed_over_work_is_announced_to_both_sides_with_decisions_acceptances_and_watches() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let leaver = house.add(&house.north, "tom@north.example", Role::Manager).await;
    let heir = house.add(&house.north, "eva@north.example", Role::Manager).await;
    let mut tom = house.browser().signed_in("tom@north.example", PASSWORD).await;
    let mut eva = house.browser().signed_in("eva@north.example", PASSWORD).await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let fields = [("title", "Old cipher"), ("severity", "low"), ("owner", "tom")];
    let accepted = create(&mut browser, "/workspace/findings", &fields).await;
    let terms = [
        ("status", "risk_accepted"),
        ("acceptance.reason", "Replaced in spring"),
        ("acceptance.until", "2027-03-31"),
    ];
    browser.submit(&accepted, &format!("{accepted}/move"), &terms).await.expect(303);
    let fields = [("title", "Open port"), ("severity", "critical")];
    let finding = create(&mut contributor, "/workspace/findings", &fields).await;
    let id = finding.rsplit('/').next().unwrap().to_owned();
    let form = format!("/workspace/approvals/new?subject={id}&action=accept");
    let (to, from) = (heir.id.to_string(), leaver.id.to_string());
    let asked = [
        ("subject", &*id),
        ("action", "accept"),
        ("reason", "Replaced"),
        ("until", "2026-12-31"),
        ("approvers", &*from),
    ];
    contributor.submit(&form, "/workspace/approvals", &asked).await.expect(303);
    tom.get("/workspace/work").await.shows("Waiting for your decision (1)");
    eva.get("/workspace/work").await.lacks("Waiting for your decision");
    tom.submit(&finding, &format!("/workspace/records/{id}/watch"), &[]).await.expect(303);

    let path = format!("/workspace/users/{from}");
    browser.submit(&path, &format!("{path}/hand-over"), &[("hand_over_to", "")]).await.expect(422);
    let moved =
        browser.submit(&path, &format!("{path}/hand-over"), &[("hand_over_to", &*to)]).await.expect(303);
    browser.get(moved.location()).await.shows("The work is handed over.");
    browser.get(&accepted).await.shows("<dd>eva</dd>");
    tom.get("/workspace/inbox").await.shows("your work was handed over").shows("eva: ");
    tom.get("/workspace/work").await.lacks("Waiting for your decision");
    let inbox = eva.get("/workspace/inbox").await.shows("handed over to you").shows("tom: ");
    inbox.shows("your approval is wanted");
    eva.get("/workspace/work").await.shows("Waiting for your decision (1)").shows("Open port");
}
