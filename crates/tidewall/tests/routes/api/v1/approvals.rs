//! Approvals over the API: keys ask and withdraw, and never decide.

use domain::approval_policy::StoredPolicy;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

async fn finding(client: &Client, severity: &str) -> Value {
    let fields = json!({ "title": "Backups cannot be restored", "severity": severity });
    client.post("/api/v1/findings", &fields).await.expect(201).data()["id"].clone()
}

fn accept(subject: &Value) -> Value {
    json!({ "subject": subject, "action": "accept", "reason": "Replaced in spring", "until": "2026-12-31" })
}

async fn two_tenants(engine: Engine) -> (TestApp, TestTenant, Client, Client) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.tenant("north").await, app.tenant("south").await);
    let ours = app.client(&app.key(&north, "read,write").await);
    let theirs = app.client(&app.key(&south, "read,write").await);
    (app, north, ours, theirs)
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_key_asks_reads_and_withdraws_and_another_tenant_sees_nothing(engine: Engine) {
    let (_app, _, client, foreign) = two_tenants(engine).await;
    let subject = finding(&client, "critical").await;
    let asked = client.post("/api/v1/approvals", &accept(&subject)).await.expect(201).data();
    assert_eq!(asked["state"], "asked");
    assert_eq!((&asked["subject"], &asked["subject_version"]), (&subject, &json!(1)));
    assert_eq!(asked["title"].as_str().unwrap().split(' ').next(), Some("F-2026-0001"));
    let address = format!("/api/v1/approvals/{}", asked["id"].as_str().unwrap());
    for (query, count) in [
        ("", 1),
        ("?state=asked", 1),
        ("?state=granted", 0),
        ("?action=accept", 1),
        ("?action=close", 0),
        (&*format!("?subject={}", subject.as_str().unwrap()), 1),
        ("?search=spring", 1),
    ] {
        let list = client.get(&format!("/api/v1/approvals{query}")).await.expect(200);
        assert_eq!(list.json()["meta"]["total"], count, "{query}");
    }
    for path in [address.clone(), format!("{address}/versions")] {
        foreign.get(&path).await.expect(404);
    }
    foreign.post(&format!("{address}/withdraw"), &json!({})).await.expect(404);
    foreign.post("/api/v1/approvals", &accept(&subject)).await.expect(422);
    // A key never decides, not even about its own request.
    for decision in ["grant", "refuse"] {
        let refused = client.post(&format!("{address}/{decision}"), &json!({ "note": "Yes" })).await;
        assert!(refused.expect(403).error().contains("only a person decides"));
    }
    let twice = client.post("/api/v1/approvals", &accept(&subject)).await.expect(422);
    assert!(twice.error().contains("asked for already"), "{twice}");
    let gone = client.post(&format!("{address}/withdraw"), &json!({})).await.expect(200).data();
    assert_eq!(gone["state"], "withdrawn");
    let history = gone["history"].as_array().unwrap();
    assert_eq!(history.iter().map(|step| &step["to"]).collect::<Vec<_>>(), ["asked", "withdrawn"]);
    client.post(&format!("{address}/withdraw"), &json!({})).await.expect(422);
}

#[tokio::test]
async fn what_cannot_be_asked_for_says_why() {
    let (_app, _, client, _) = two_tenants(Engine::Sqlite).await;
    let (grave, small) = (finding(&client, "critical").await, finding(&client, "low").await);
    let ask = async |body: Value| client.post("/api/v1/approvals", &body).await.expect(422).error();
    assert!(ask(accept(&small)).await.contains("needs no approval here"));
    assert!(ask(json!({})).await.contains("is required"));
    assert!(
        ask(json!({ "subject": "fnd_1", "action": "accept", "reason": "x", "until": "2026-12-31" }))
            .await
            .contains("one of your records")
    );
    let approve = json!({ "subject": grave, "action": "approve", "reason": "x" });
    assert!(ask(approve).await.contains("accept, false_positive, close, archive"));
    let endless = json!({ "subject": grave, "action": "accept", "reason": "x" });
    assert!(ask(endless).await.contains("until is required"));
    // An open finding cannot be closed before it is resolved.
    let close = json!({ "subject": grave, "action": "close", "reason": "Done" });
    assert!(ask(close).await.contains("cannot go from open to closed"));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_policy_is_read_by_keys_and_set_by_people_alone(engine: Engine) {
    let (app, north, client, _) = two_tenants(engine).await;
    let policy = client.get("/api/v1/approval-policy").await.expect(200).data();
    assert_eq!(policy["longest_acceptance_days"]["critical"], 90);
    let rules = policy["rules"].as_array().unwrap();
    let rule = |action: &str, severity: &str| {
        rules.iter().find(|one| one["action"] == action && one["severity"] == severity).unwrap()["needs"]
            .clone()
    };
    assert_eq!((rule("accept", "high"), rule("accept", "medium")), (json!("manager"), json!("none")));
    assert_eq!(rule("close", "critical"), "second_person");
    client.put("/api/v1/approval-policy", &json!({ "binds_keys": true })).await.expect(403);

    // A key moves findings as the contract has it, until the policy binds keys too.
    let direct =
        json!({ "status": "risk_accepted", "acceptance": { "reason": "So be it", "until": "2026-12-31" } });
    let subject = finding(&client, "critical").await;
    client.patch(&format!("/api/v1/findings/{}", subject.as_str().unwrap()), &direct).await.expect(200);
    let bound = StoredPolicy { binds_keys: true, ..StoredPolicy::default() };
    app.app.approval.choose_approval_policy(&north.caller, &bound).await.unwrap();
    let subject = finding(&client, "critical").await;
    let address = format!("/api/v1/findings/{}", subject.as_str().unwrap());
    let refused = client.patch(&address, &direct).await.expect(422);
    assert_eq!(refused.json()["code"], "approval_required");
    assert_eq!(refused.json()["ask"], json!({ "subject": subject, "action": "accept" }));
    let low = json!({ "severity": "low" });
    client.patch(&address, &low).await.expect(200);
    client.patch(&address, &direct).await.expect(200);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_key_sees_approvals_only_of_records_that_its_scopes_hold(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let subject = finding(&owner, "critical").await;
    owner.post("/api/v1/approvals", &accept(&subject)).await.expect(201);
    let evidence = json!({ "title": "Restore log", "url": "https://example.com/r" });
    let evidence = owner.post("/api/v1/evidence", &evidence).await.expect(201).data()["id"].clone();
    let wish = json!({ "subject": evidence, "action": "approve", "reason": "Zanzibar" });
    let hidden = owner.post("/api/v1/approvals", &wish).await.expect(201).data()["id"].clone();
    let hidden = hidden.as_str().unwrap();
    let scopes = ["approvals:read", "findings:read", "search:read", "events:read"];
    let key = owner.post("/api/v1/keys", &json!({ "name": "scoped", "scopes": scopes })).await;
    let narrow = app.client(key.expect(201).data()["key"].as_str().unwrap());
    let today = app.clock.now().day();
    for list in ["/api/v1/approvals".to_owned(), format!("/api/v1/approvals?as_of={today}")] {
        assert_eq!(owner.get(&list).await.expect(200).json()["meta"]["total"], 2, "{list}");
        let shown = narrow.get(&list).await.expect(200).json();
        assert_eq!((&shown["meta"]["total"], &shown["data"][0]["subject"]), (&json!(1), &subject), "{list}");
    }
    for path in ["", "/versions", "/versions/1"] {
        let refused = narrow.get(&format!("/api/v1/approvals/{hidden}{path}")).await.expect(403);
        assert!(refused.error().contains("evidence:read"), "{refused}");
    }
    let (search, events) = ("/api/v2/search?q=zanzibar", "/api/v1/events");
    assert!(owner.get(search).await.expect(200).to_string().contains(hidden));
    assert!(!narrow.get(search).await.expect(200).to_string().contains(hidden));
    assert!(owner.get(events).await.expect(200).to_string().contains("approval.created"));
    let shown = narrow.get(events).await.expect(200).to_string();
    assert!(shown.contains("finding.created") && !shown.contains("approval.created"), "{shown}");
    narrow.get("/api/v1/events?kinds=approval").await.expect(403);
}
