//! Asking for a decision in the workspace, and deciding about it.

use domain::{approval_policy::decisions, user::Role, vocabulary::Severity};

use crate::{House, records::create};

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
    let mut fields: Vec<(String, String)> = decisions()
        .map(|(action, severity)| match severity {
            Some(severity) => (format!("{action}.{severity}"), "none".to_owned()),
            None => (action.to_string(), "second_person".to_owned()),
        })
        .collect();
    fields.extend(Severity::ALL.iter().map(|severity| (format!("days.{severity}"), "30".to_owned())));
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
