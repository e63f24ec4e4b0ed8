//! Decisions about incidents, assessments, evidence and the statement of applicability, asked for on their pages.

use domain::{
    approval_policy::{StoredPolicy, StoredRule},
    assessment::AssessmentInput,
    change::Change,
    user::Role,
};
use serde_json::json;
use testkit::Client;

use crate::{
    House, PASSWORD,
    browser::Browser,
    records::create,
    reports::{read_by, says},
};

const REQUIREMENT: &str = "/workspace/assessments/dora/dora-art-05-02-a";

async fn key(house: &House) -> Client {
    house.test.client(&house.test.key(&house.north, "read,write").await)
}

/// Follows a refused step to the form that asks for it, and asks. Returns the page of the request.
pub(crate) async fn ask(browser: &mut Browser, form: &str, reason: &str) -> String {
    let page = browser.get(form).await.expect(200);
    let hidden = page.hidden();
    let mut fields: Vec<(&str, &str)> =
        hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("reason", reason));
    if form.contains("action=classify") {
        fields.push(("details.result", "not_major"));
    }
    let sent = browser.post("/workspace/approvals", &fields).await.expect(303);
    sent.location().split('?').next().unwrap().to_owned()
}

pub(crate) async fn grant(browser: &mut Browser, approval: &str) {
    browser.submit(approval, &format!("{approval}/grant"), &[("note", "Agreed")]).await.expect(303);
}

async fn mara(house: &House) -> Browser {
    house.add(&house.north, "mara@north.example", Role::Manager).await;
    house.browser().signed_in("mara@north.example", PASSWORD).await
}

/// An incident that the facts make major, by a key.
async fn incident(house: &House) -> String {
    let facts = json!({ "malicious_access": true, "critical_services": true });
    let fields = json!({ "title": "Outage", "regimes": ["dora"], "facts": facts });
    let made = key(house).await.post("/api/v1/incidents", &fields).await.expect(201).data();
    format!("/workspace/incidents/{}", made["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_classification_away_from_the_facts_is_asked_for_and_granted() {
    let house = House::new().await;
    let (mut contributor, mut manager) =
        (house.signed_in(Role::Contributor).await, house.signed_in(Role::Manager).await);
    let incident = incident(&house).await;
    // The manager alone cannot: what they said is carried to the form that asks for it.
    let other = [("result", "not_major"), ("reason", "A test system")];
    let sent = manager.submit(&incident, &format!("{incident}/classify"), &other).await.expect(303);
    let form = sent.location().to_owned();
    assert!(form.starts_with("/workspace/approvals/new?") && form.contains("not_major"), "{form}");
    manager.get(&form).await.shows("A test system").shows("value=\"not_major\" selected");
    // A contributor, who classifies nothing, asks on the page of the incident.
    let id = incident.rsplit('/').next().unwrap().to_owned();
    let form = format!("/workspace/approvals/new?subject={id}&action=classify");
    contributor.get(&incident).await.shows(&form.replace('&', "&amp;")).lacks("/classify\"");
    let approval = ask(&mut contributor, &form, "A test system").await;
    contributor
        .get(&approval)
        .await
        .shows("Not major")
        .shows("Can decide: manager")
        .shows("Version of the record");
    contributor
        .with("accept-language", "de")
        .get(&approval)
        .await
        .shows("Klassifizieren")
        .shows("Kann entscheiden");
    manager.get(&incident).await.shows("Waiting for a decision").shows("Can decide: manager");
    grant(&mut manager, &approval).await;
    manager.get(&incident).await.shows("A test system").shows("Classify again");
    // It is in the history, in the audit log and in the search.
    manager.get(&approval).await.shows("Granted").shows("Agreed");
    manager.get("/workspace/audit").await.shows("granted the approval");
    manager.get("/workspace/search?q=agreed").await.shows(&approval);
    let all = "/workspace/approvals?list=all";
    for (query, is_found) in [
        ("state=granted&action=classify", true),
        ("state=asked", false),
        ("action=accept", false),
        ("search=agreed", true),
        ("as_of=2026-11-14", true),
        ("as_of=2026-11-01", false),
    ] {
        let page = manager.get(&format!("{all}&{query}")).await.expect(200);
        assert_eq!(page.body.contains(&approval), is_found, "{query}");
    }
    // What follows the facts is stored directly.
    let stored =
        manager.submit(&incident, &format!("{incident}/classify"), &[("reason", "Real")]).await.expect(303);
    assert!(stored.location().contains("classified"), "{}", stored.location());
}

#[tokio::test]
async fn a_report_is_recorded_as_sent_by_the_person_who_grants_it() {
    let house = House::new().await;
    let rule = StoredRule { action: "send".into(), needs: "second_person".into(), ..StoredRule::default() };
    let chosen = StoredPolicy { rules: vec![rule], ..StoredPolicy::default() };
    house.test.app.approval.choose_approval_policy(&house.north.caller, &chosen).await.unwrap();
    let (mut contributor, mut manager) =
        (house.signed_in(Role::Contributor).await, house.signed_in(Role::Manager).await);
    let incident = incident(&house).await;
    let id = incident.rsplit('/').next().unwrap();
    key(&house).await.post(&format!("/api/v1/incidents/{id}/classify"), &json!({})).await.expect(200);
    let report = format!("{incident}/reports/dora/initial");
    contributor.get(&report).await.shows("action=send").shows("details.stage=initial");
    let sent = [("reference", "BA-1"), ("incomplete", "1")];
    let asked = manager.submit(&report, &format!("{report}/submitted"), &sent).await.expect(303);
    let form = asked.location().to_owned();
    let approval = ask(&mut manager, &form, "Sent through the portal").await;
    manager.get(&approval).await.shows("Initial notification").shows("BA-1").lacks("/grant");
    contributor.get(&report).await.shows("Waiting for a decision");
    // A contributor never records a report as sent, and does not grant it either.
    let refused = contributor.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(422);
    refused.shows("left to other people");
    let mut second = mara(&house).await;
    grant(&mut second, &approval).await;
    contributor.get(&incident).await.shows("BA-1").shows("/reports/dora/initial?sent=1");
}

#[tokio::test]
async fn a_requirement_is_left_out_by_two_people() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let mut second = mara(&house).await;
    let said = [("status", "not_applicable"), ("rationale", "No such service")];
    let sent = manager.submit(REQUIREMENT, REQUIREMENT, &said).await.expect(303);
    assert!(sent.location().contains("action=not_applicable"), "{}", sent.location());
    let form = sent.location().to_owned();
    manager.get(&form).await.shows("No such service");
    let approval = ask(&mut manager, &form, "No such service").await;
    manager.get(REQUIREMENT).await.shows("Waiting for a decision").shows("Can decide: mara");
    manager.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(422);
    second.get(&approval).await.shows(REQUIREMENT);
    grant(&mut second, &approval).await;
    // One of the two is its author, the other one has approved it.
    let page = second.get(REQUIREMENT).await.shows("Not applicable").shows("No such service");
    page.shows("Approved by").lacks("Waits for approval");
    // Several at once are not left out by one person either.
    let list = "/workspace/assessments/dora";
    let many = [("requirements", "dora-art-05-02-b"), ("status", "not_applicable"), ("rationale", "x")];
    second.submit(list, list, &many).await.expect(422);
}

#[tokio::test]
async fn an_owner_asks_for_the_approval_of_an_assessment_and_a_direct_one_reads_in_german() {
    let house = House::new().await;
    let (mut contributor, mut manager) =
        (house.signed_in(Role::Contributor).await, house.signed_in(Role::Manager).await);
    manager.submit(REQUIREMENT, REQUIREMENT, &[("owner", "contributor")]).await.expect(303);
    contributor.submit(REQUIREMENT, REQUIREMENT, &[("status", "met")]).await.expect(303);
    let form = "/workspace/approvals/new?subject=dora-art-05-02-a&action=approve";
    contributor.get(REQUIREMENT).await.shows(&form.replace('&', "&amp;"));
    // The manager set the owner, which is a change as well: another one decides.
    let approval = ask(&mut contributor, form, "Checked").await;
    manager.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(422);
    let mut second = mara(&house).await;
    grant(&mut second, &approval).await;
    contributor.get(REQUIREMENT).await.shows("Approved by");
    contributor.submit(REQUIREMENT, REQUIREMENT, &[("status", "partly_met")]).await.expect(303);
    second.submit(REQUIREMENT, &format!("{REQUIREMENT}/approve"), &[]).await.expect(303);
    let list = second.get("/workspace/approvals?list=all").await.expect(200);
    let decided =
        format!("/workspace/approvals/apr_{}", list.between("href=\"/workspace/approvals/apr_", "\""));
    second.get(&decided).await.shows("Decided by a second person on the page of the record");
    let page = second.with("accept-language", "de").get(&decided).await;
    page.shows("Von einer zweiten Person auf der Seite des Datensatzes entschieden").lacks(">Approve<");
}

#[tokio::test]
async fn evidence_is_approved_in_one_version() {
    let house = House::new().await;
    let mut contributor = house.signed_in(Role::Contributor).await;
    let mut manager = house.signed_in(Role::Manager).await;
    let fields = json!({ "title": "Restore log", "url": "https://example.com/r" });
    let made = key(&house).await.post("/api/v1/evidence", &fields).await.expect(201).data();
    let id = made["id"].as_str().unwrap().to_owned();
    let evidence = format!("/workspace/evidence/{id}");
    let form = format!("/workspace/approvals/new?subject={id}&action=approve");
    contributor.get(&evidence).await.shows("Not approved").shows(&form.replace('&', "&amp;"));
    let approval = ask(&mut contributor, &form, "Complete").await;
    contributor.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(422);
    grant(&mut manager, &approval).await;
    contributor.get(&evidence).await.shows("Approved version").shows(&approval);
    let wish = [("subject", &*id), ("action", "approve"), ("reason", "x")];
    let again = contributor.submit(&form, "/workspace/approvals", &wish).await.expect(422);
    again.shows("approved already in this version");
    key(&house)
        .await
        .patch(&format!("/api/v1/evidence/{id}"), &json!({ "title": "Restore log 2" }))
        .await
        .expect(200);
    contributor.get(&evidence).await.shows("Changed since its approval");
}

#[tokio::test]
async fn the_statement_of_applicability_is_approved_with_its_version() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    let mut second = mara(&house).await;
    let statement = "/workspace/statement-of-applicability";
    let form = "/workspace/approvals/new?subject=statement-of-applicability&action=approve";
    manager.get(statement).await.shows("Not approved").shows(&form.replace('&', "&amp;"));
    let wish = [("subject", "statement-of-applicability"), ("action", "approve"), ("reason", "Complete")];
    let early = manager.submit(form, "/workspace/approvals", &wish).await.expect(422);
    early.shows("because of lines that are not decided: 93");
    let edition = house.test.app.catalogue().unwrap();
    let lines = edition.requirements.iter().filter(|one| one.section.starts_with("iso-27001-annex-a-"));
    let lines: Vec<String> = lines.map(|one| one.id.to_string()).collect();
    let met = AssessmentInput { status: Change::Set("met".to_owned()), ..AssessmentInput::default() };
    house.test.app.compliance.change_assessments(&house.north.caller, lines, met).await.unwrap();
    let line = "/workspace/assessments/iso-27001/iso-27001-a-8-28";
    manager.submit(line, line, &[("status", "partly_met")]).await.expect(303);
    let approval = ask(&mut second, form, "Complete").await;
    // The manager changed a line.
    manager
        .submit(&approval, &format!("{approval}/grant"), &[])
        .await
        .expect(422)
        .shows("changed the record");
    second.get(&approval).await.shows(statement).shows(">94<");
    house.add(&house.north, "nora@north.example", Role::Manager).await;
    let mut third = house.browser().signed_in("nora@north.example", PASSWORD).await;
    grant(&mut third, &approval).await;
    let page = second.get(statement).await.shows("Approved version").shows("nora");
    let approved = format!("{statement}/versions/1/en/content");
    page.shows("Checksums and signatures").shows(&approved).lacks("Changed since");
    let document = second.fetch(&approved).await.expect(200).bytes;
    let read = |bytes: &[u8]| read_by("pdftotext", &["-layout", "-", "-"], bytes);
    let text = read(&document);
    says(
        &text,
        &["Statement of applicability", "Bank north", "Internal", "Approved by", "nora", "mara", "A.8.28"],
    );
    says(&text, &["Complete", "Partly met", "Proposed from"]);
    assert!(!text.contains("Draft") && !text.contains("DRAFT"), "{text}");
    let german = second.fetch(&format!("{statement}/versions/1/de/content")).await.expect(200).bytes;
    says(&read(&german), &["Erklärung zur Anwendbarkeit", "Freigegeben von", "Teilweise"]);
    let draft = second.fetch(&format!("{statement}.pdf")).await.expect(200).bytes;
    says(&read(&draft), &["Draft", "Nothing has changed since the approved version."]);
    // A change of a line is a new version, and ends what was asked.
    manager.submit(line, line, &[("status", "met")]).await.expect(303);
    let page = second.get(statement).await.shows("Changed since its approval");
    page.shows("Changed since version 1").shows("Partly met");
    let draft =
        second.with("accept-language", "de").fetch(&format!("{statement}.pdf")).await.expect(200).bytes;
    says(&read(&draft), &["Entwurf", "Änderungen seit Version 1", "Teilweise erfüllt", "Erfüllt"]);
    assert!(second.fetch(&approved).await.expect(200).bytes == document, "an approved version stays");
    for missing in ["versions/2/en", "versions/1/fr", "versions/x/en"] {
        second.fetch(&format!("{statement}/{missing}/content")).await.expect(404);
    }
    house.add(&house.test.tenant("south").await, "sue@south.example", Role::Administrator).await;
    let mut foreign = house.browser().signed_in("sue@south.example", PASSWORD).await;
    foreign.fetch(&approved).await.expect(404);
    let open = ask(&mut second, form, "Once more").await;
    manager.submit(line, line, &[("status", "not_met")]).await.expect(303);
    second
        .get(&open)
        .await
        .shows("Lapsed because these fields changed")
        .shows("A.8.28")
        .lacks("iso-27001-a-8-28<");
}

#[tokio::test]
async fn a_control_is_archived_with_a_second_person() {
    let house = House::new().await;
    let rule = StoredRule { action: "archive".into(), needs: "manager".into(), ..StoredRule::default() };
    let chosen = StoredPolicy { rules: vec![rule], ..StoredPolicy::default() };
    house.test.app.approval.choose_approval_policy(&house.north.caller, &chosen).await.unwrap();
    let mut manager = house.signed_in(Role::Manager).await;
    let fields = [("title", "Restore test"), ("status", "implemented"), ("cadence", "monthly")];
    let control = create(&mut manager, "/workspace/controls", &fields).await;
    let sent = manager.submit(&control, &format!("{control}/archive"), &[]).await.expect(303);
    let form = sent.location().to_owned();
    let approval = ask(&mut manager, &form, "Replaced").await;
    let mut second = mara(&house).await;
    grant(&mut second, &approval).await;
    second.get(&control).await.shows("Archived");
}

#[tokio::test]
async fn a_contributor_does_not_grant_what_a_contributor_may_not_do() {
    let house = House::new().await;
    let rule =
        StoredRule { action: "archive".into(), needs: "second_person".into(), ..StoredRule::default() };
    let chosen = StoredPolicy { rules: vec![rule], ..StoredPolicy::default() };
    house.test.app.approval.choose_approval_policy(&house.north.caller, &chosen).await.unwrap();
    let mut asker = house.signed_in(Role::Contributor).await;
    house.signed_in(Role::Manager).await;
    house.add(&house.north, "ben@north.example", Role::Contributor).await;
    let mut second = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let fields = json!({ "title": "Restore log", "url": "https://example.com/r" });
    let made = key(&house).await.post("/api/v1/evidence", &fields).await.expect(201).data();
    let evidence = made["id"].as_str().unwrap();
    for action in ["archive", "approve"] {
        let form = format!("/workspace/approvals/new?subject={evidence}&action={action}");
        let approval = ask(&mut asker, &form, "Replaced").await;
        asker.get(&approval).await.shows("Can decide: manager").lacks(": ben").lacks(", ben");
        let refused = second.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(422);
        refused.shows("left to other people");
        asker.submit(&approval, &format!("{approval}/withdraw"), &[]).await.expect(303);
    }
    // To close a critical finding is a step that contributors take as well.
    let finding =
        create(&mut asker, "/workspace/findings", &[("title", "Cipher"), ("severity", "critical")]).await;
    for status in ["in_progress", "resolved"] {
        asker.submit(&finding, &format!("{finding}/move"), &[("status", status)]).await.expect(303);
    }
    let retest = [("result", "passed"), ("performed_on", "2026-11-14"), ("actual_result", "Refused")];
    second.submit(&finding, &format!("{finding}/retests"), &retest).await.expect(303);
    let id = finding.rsplit('/').next().unwrap();
    let form = format!("/workspace/approvals/new?subject={id}&action=close");
    let approval = ask(&mut asker, &form, "Retested").await;
    grant(&mut second, &approval).await;
    second.get(&finding).await.shows("Closed");
}
