//! Asking for a decision in the workspace, and deciding about it.

use domain::{
    approval_policy::{Extent, StoredPolicy, StoredRule, decisions, is_always_needed},
    user::Role,
    vocabulary::Severity,
};

use crate::{House, records::create};

/// Leaves a decision to the person who does it.
pub(crate) async fn leave_alone(house: &House, action: &str) {
    let rule = StoredRule { action: action.to_owned(), needs: "none".to_owned(), ..StoredRule::default() };
    let chosen = StoredPolicy { rules: vec![rule], ..StoredPolicy::default() };
    house.test.app.approval.choose_approval_policy(&house.north.caller, &chosen).await.unwrap();
}

/// The fields of the policy form, with this answer for every decision that can be left alone.
fn policy_fields(needs: &str) -> Vec<(String, String)> {
    let field = |(action, extent): (domain::approval::ApprovalAction, Extent)| {
        let name = match extent {
            Extent::Severity(severity) => format!("{action}.{severity}"),
            Extent::Kind(kind) => format!("{action}.{kind}"),
            Extent::All => action.to_string(),
        };
        (name, if is_always_needed(action) { "manager".to_owned() } else { needs.to_owned() })
    };
    let days = Severity::ALL.iter().map(|severity| (format!("days.{severity}"), "30".to_owned()));
    decisions().map(field).chain(days).collect()
}

#[tokio::test]
async fn a_contributor_asks_and_a_manager_grants_in_five_clicks() {
    let house = House::new().await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let fields = [("title", "Old cipher"), ("severity", "critical")];
    let finding = create(&mut contributor, "/workspace/findings", &fields).await;
    let id = finding.rsplit('/').next().unwrap().to_owned();
    let form = format!("/workspace/approvals/new?subject={id}&amp;action=accept");
    contributor.get(&finding).await.shows(&form);
    // The manager is offered the same instead of deciding alone.
    manager.get(&finding).await.shows(&form).lacks("name=\"acceptance.reason\"");
    let form = form.replace("&amp;", "&");
    let empty = [("subject", &*id), ("action", "accept"), ("reason", ""), ("until", "")];
    contributor.submit(&form, "/workspace/approvals", &empty).await.expect(422).shows("Reason");
    let asked =
        [("subject", &*id), ("action", "accept"), ("reason", "Replaced in spring"), ("until", "2026-12-31")];
    let sent = contributor.submit(&form, "/workspace/approvals", &asked).await.expect(303);
    let approval = sent.location().split('?').next().unwrap().to_owned();
    // Who asked sees who can decide, and no button to do it.
    contributor.get(&approval).await.shows("Can decide").shows("manager").lacks("/grant").shows("/withdraw");
    contributor.get("/workspace/approvals?list=asked").await.shows("Old cipher");
    contributor.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(422);

    manager.get("/workspace").await.shows("Decisions asked of you");
    let work = manager.get("/workspace/work").await.shows("Waiting for your decision (1)");
    work.shows("Old cipher").shows(&approval).lacks("Waiting for others");
    let work = contributor.get("/workspace/work").await.shows("Waiting for others: what you asked for (1)");
    work.shows(&approval).lacks("Waiting for your decision");
    manager.get("/workspace/approvals").await.shows("Old cipher").shows(&approval);
    manager.get(&finding).await.shows("Waiting for a decision").shows(&approval);
    let silent = manager.submit(&approval, &format!("{approval}/refuse"), &[("note", "")]).await.expect(422);
    silent.shows("What you say to it");
    manager.submit(&approval, &format!("{approval}/grant"), &[("note", "Agreed")]).await.expect(303);
    manager.get(&finding).await.shows("Replaced in spring").shows("Accepted");
    manager.get("/workspace/approvals").await.shows("Nothing waits for you");
    manager.get("/workspace/approvals?list=all").await.shows("Granted");
    contributor.get("/workspace/inbox").await.shows("your request is decided");
    contributor.get("/workspace/work").await.lacks("Waiting for others");
    manager.get("/workspace/work").await.lacks("Waiting for your decision");
}

#[tokio::test]
async fn the_policy_is_shown_to_all_and_changed_by_administrators() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    manager
        .get("/workspace/settings/approvals")
        .await
        .shows("A manager")
        .lacks("<select id=\"accept.critical\"");
    let mut administrator = house.signed_in(Role::Administrator).await;
    let page = administrator.get("/workspace/settings/approvals").await;
    let page = page.shows("<select id=\"accept.critical\"");
    page.shows("name=\"days.critical\"");
    let mut fields = policy_fields("none");
    fields
        .iter_mut()
        .filter(|(name, _)| name == "archive")
        .for_each(|(_, needs)| "second_person".clone_into(needs));
    let sent: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let to = "/workspace/settings/approvals";
    administrator.submit(to, to, &sent).await.expect(303);
    let fields = [("title", "Old cipher"), ("severity", "critical")];
    let finding = create(&mut manager, "/workspace/findings", &fields).await;
    // The manager decides alone now, but archives only with a second person.
    manager.get(&finding).await.shows("name=\"acceptance.reason\"").lacks("action=accept");
    manager.submit(&finding, &format!("{finding}/move"), &[("status", "false_positive")]).await.expect(303);
    let archive = manager.submit(&finding, &format!("{finding}/archive"), &[]).await.expect(303);
    assert!(archive.location().contains("/workspace/approvals/new?"), "{}", archive.location());
    let wrong: Vec<(&str, &str)> =
        sent.iter().map(|(name, value)| (*name, if *name == "days.low" { "0" } else { *value })).collect();
    administrator.submit(to, to, &wrong).await.expect(422).shows("must be 1 to 3650 days");
}

#[tokio::test]
async fn an_administrator_names_the_people_who_decide() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let ben = house.add(&house.north, "ben@north.example", Role::Contributor).await.id.to_string();
    house.add(&house.north, "vera@north.example", Role::Viewer).await;
    let to = "/workspace/settings/approvals";
    let page = administrator.get(to).await.shows("name=\"accept.critical.people\"").shows(">ben</label>");
    page.lacks(">vera</label>");
    let mut fields = policy_fields("none");
    fields
        .iter_mut()
        .filter(|(name, _)| name == "accept.critical")
        .for_each(|(_, needs)| "named".clone_into(needs));
    // A box under another rule means nothing.
    fields.push(("close.critical.people".to_owned(), ben.clone()));
    let unnamed: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    administrator.submit(to, to, &unnamed).await.expect(422).shows("must name at least one person");
    fields.push(("accept.critical.people".to_owned(), ben));
    let named: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    administrator.submit(to, to, &named).await.expect(303);
    manager.get(to).await.shows("Named people: ben");

    let finding =
        create(&mut contributor, "/workspace/findings", &[("title", "Old cipher"), ("severity", "critical")])
            .await;
    let id = finding.rsplit('/').next().unwrap().to_owned();
    let asked =
        [("subject", &*id), ("action", "accept"), ("reason", "Replaced in spring"), ("until", "2026-12-01")];
    let sent = contributor.submit(&finding, "/workspace/approvals", &asked).await.expect(303);
    let approval = sent.location().split('?').next().unwrap().to_owned();
    contributor.get(&approval).await.shows("Can decide: ben");
    // The page of the record says it as well.
    contributor.get(&finding).await.shows("Can decide: ben");
    manager
        .submit(&approval, &format!("{approval}/grant"), &[])
        .await
        .expect(422)
        .shows("left to other people");
    let mut ben = house.browser().signed_in("ben@north.example", crate::PASSWORD).await;
    ben.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(303);
    ben.get(&finding).await.shows("Replaced in spring").shows("Accepted");
}

#[tokio::test]
async fn a_lapsed_request_names_the_changed_fields_in_the_language_of_the_reader() {
    let house = House::new().await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let finding =
        create(&mut contributor, "/workspace/findings", &[("title", "Old cipher"), ("severity", "critical")])
            .await;
    let id = finding.rsplit('/').next().unwrap().to_owned();
    let asked =
        [("subject", &*id), ("action", "accept"), ("reason", "Replaced in spring"), ("until", "2026-12-31")];
    let sent = contributor.submit(&finding, "/workspace/approvals", &asked).await.expect(303);
    let approval = sent.location().split('?').next().unwrap().to_owned();
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let change = serde_json::json!({ "affected_asset": "Gateway", "due_on": "2026-12-01" });
    client.patch(&format!("/api/v1/findings/{id}"), &change).await.expect(200);
    let page = contributor.get(&approval).await.shows("Lapsed because these fields changed");
    page.lacks("affected_asset").lacks("due_on").shows("Affected asset");
    let page = contributor.with("accept-language", "de").get(&approval).await;
    page.shows("Verfallen, weil sich diese Felder geändert haben").lacks("affected_asset").shows("Verfallen");
    let api = client.get(&format!("/api/v1/approvals/{}", approval.rsplit('/').next().unwrap())).await;
    assert_eq!(api.expect(200).data()["changed"], serde_json::json!(["affected_asset", "due_on"]));
}
