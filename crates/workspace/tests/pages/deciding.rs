//! What a contributor may write and not decide, and that no one approves what they own.

use domain::user::Role;

use crate::{House, PASSWORD, browser::Browser, records::create};

const REQUIREMENT: &str = "/workspace/assessments/dora/dora-art-05-02-a";

/// A contributor and a manager, whose names are `contributor` and `manager`.
async fn pair(house: &House) -> (Browser, Browser) {
    (house.signed_in(Role::Contributor).await, house.signed_in(Role::Manager).await)
}

#[tokio::test]
async fn a_contributor_works_on_a_finding_and_neither_accepts_it_nor_calls_it_a_false_positive() {
    let house = House::new().await;
    let (mut contributor, mut manager) = pair(&house).await;
    let fields = [("title", "Old cipher"), ("severity", "medium")];
    let finding = create(&mut contributor, "/workspace/findings", &fields).await;
    let to = format!("{finding}/move");
    contributor.get(&finding).await.shows("in_progress").lacks("risk_accepted").lacks("false_positive");
    let list = contributor.get("/workspace/findings").await;
    let offered = list.between("id=\"bulk_status\"", "</select>");
    assert!(offered.contains("in_progress") && !offered.contains("false_positive"), "{offered}");
    // The terms are missing, but the role is judged first.
    let refused = contributor.submit(&finding, &to, &[("status", "risk_accepted")]).await.expect(403);
    refused.shows("Role needed").shows("Manager");
    let terms = [
        ("status", "risk_accepted"),
        ("acceptance.reason", "Replaced in spring"),
        ("acceptance.until", "2027-03-31"),
    ];
    contributor.submit(&finding, &to, &terms).await.expect(403);
    contributor.submit(&finding, &to, &[("status", "false_positive")]).await.expect(403);
    let id = finding.rsplit('/').next().unwrap();
    let many = [("ids", id), ("status", "false_positive")];
    contributor.submit("/workspace/findings", "/workspace/findings/move", &many).await.expect(403);
    manager.get(&finding).await.shows("risk_accepted").shows("false_positive");
    manager.submit(&finding, &to, &terms).await.expect(303);
    // The end of an acceptance is part of the decision.
    let later = [("status", "risk_accepted"), ("acceptance.until", "2028-03-31")];
    contributor.submit(&finding, &to, &later).await.expect(403);
    for status in ["open", "in_progress", "resolved", "closed"] {
        contributor.submit(&finding, &to, &[("status", status)]).await.expect(303);
    }
}

#[tokio::test]
async fn a_contributor_neither_archives_nor_deletes() {
    let house = House::new().await;
    let (mut contributor, mut manager) = pair(&house).await;
    let fields = [("name", "Yearly"), ("framework", "dora")];
    let programme = create(&mut contributor, "/workspace/programmes", &fields).await;
    let page = contributor.get(&programme).await.shows("/edit").lacks(&format!("{programme}/delete"));
    page.lacks("value=\"archived\"");
    contributor.submit(&programme, &format!("{programme}/delete"), &[]).await.expect(403);
    let to = format!("{programme}/move");
    contributor.submit(&programme, &to, &[("status", "active")]).await.expect(303);
    contributor.submit(&programme, &to, &[("status", "completed")]).await.expect(303);
    contributor.submit(&programme, &to, &[("status", "archived")]).await.expect(403);
    manager.submit(&programme, &to, &[("status", "archived")]).await.expect(303);
    let finding =
        create(&mut contributor, "/workspace/findings", &[("title", "A"), ("severity", "low")]).await;
    contributor.get(&finding).await.lacks("/delete");
    contributor.submit(&finding, &format!("{finding}/delete"), &[]).await.expect(403);
    contributor.submit(&finding, &format!("{finding}/archive"), &[]).await.expect(403);
    manager.submit(&finding, &format!("{finding}/delete"), &[]).await.expect(303);
}

#[tokio::test]
async fn a_contributor_writes_an_incident_and_neither_classifies_it_nor_records_a_report_as_sent() {
    let house = House::new().await;
    let (mut contributor, mut manager) = pair(&house).await;
    let fields = [("title", "Card payments down"), ("regimes", "dora")];
    let incident = create(&mut contributor, "/workspace/incidents", &fields).await;
    let facts = [("facts.critical_services", "yes"), ("facts.member_states", "de at")];
    contributor.submit(&incident, &format!("{incident}/facts"), &facts).await.expect(303);
    let page = contributor.get(&incident).await.shows("/facts").shows("/log");
    page.lacks(&format!("{incident}/classify"));
    contributor.submit(&incident, &format!("{incident}/classify"), &[]).await.expect(403);
    let overruled = [("result", "major"), ("reason", "As the board sees it")];
    contributor.submit(&incident, &format!("{incident}/classify"), &overruled).await.expect(403);
    // Another result than the computed one is left to a second person.
    let asked = manager.submit(&incident, &format!("{incident}/classify"), &overruled).await.expect(303);
    assert!(asked.location().contains("action=classify"), "{}", asked.location());
    let report = format!("{incident}/reports/dora/initial");
    contributor.get(&report).await.expect(200).shows("Save").lacks("/submitted");
    contributor.submit(&report, &format!("{report}/submitted"), &[]).await.expect(403);
    manager.get(&report).await.expect(200).shows("/submitted");
}

#[tokio::test]
async fn a_contributor_writes_the_controls_and_risks_they_own_and_no_others() {
    let house = House::new().await;
    let (mut contributor, mut manager) = pair(&house).await;
    let list = "/workspace/controls";
    contributor.get(&format!("{list}/new")).await.expect(200).shows("value=\"contributor\"");
    let of = |owner| {
        [("title", "Restore test"), ("status", "implemented"), ("cadence", "monthly"), ("owner", owner)]
    };
    let control = create(&mut contributor, list, &of("contributor")).await;
    contributor.submit("/workspace", list, &of("manager")).await.expect(403);
    contributor.submit("/workspace", list, &of("")).await.expect(403);
    contributor.submit(&format!("{control}/edit"), &control, &of("contributor")).await.expect(303);
    contributor.get(&control).await.shows("/edit").lacks("/delete");
    let other = create(&mut manager, list, &of("manager@north.example")).await;
    contributor.get(&other).await.expect(200).lacks("/edit").shows("/performed");
    contributor.get(&format!("{other}/edit")).await.expect(403);
    // The role is judged before the form.
    let refused = contributor.submit("/workspace", &other, &[("title", "")]).await.expect(403);
    refused.shows("Role needed").shows("Manager");
    let performed = [("on", "2026-10-31"), ("note", "Two hours")];
    contributor.submit("/workspace", &format!("{other}/performed"), &performed).await.expect(303);

    let list = "/workspace/risks";
    let of = |owner| {
        [
            ("title", "Ransomware"),
            ("category", "cyber-attack"),
            ("treatment", "mitigate"),
            ("owner", owner),
            ("inherent.likelihood", "1"),
            ("inherent.impact", "1"),
            ("residual.likelihood", "1"),
            ("residual.impact", "1"),
            ("target.likelihood", ""),
            ("target.impact", ""),
        ]
    };
    let risk = create(&mut contributor, list, &of("contributor@north.example")).await;
    let other = create(&mut manager, list, &of("manager")).await;
    contributor.submit("/workspace", &format!("{other}/move"), &[("status", "treating")]).await.expect(403);
    contributor.submit("/workspace", &format!("{risk}/move"), &[("status", "treating")]).await.expect(303);
    contributor.get(&risk).await.shows("/acceptance").lacks("value=\"accepted\"").lacks("/delete");
    let proposal = [("acceptance.reason", "Small"), ("acceptance.until", "2027-03-31")];
    let acceptance = format!("{risk}/acceptance");
    contributor.submit("/workspace", &acceptance, &proposal).await.expect(303);
    let accepted = [proposal[0], proposal[1], ("status", "accepted")];
    contributor.submit("/workspace", &acceptance, &accepted).await.expect(403);
    contributor.submit("/workspace", &format!("{risk}/move"), &[("status", "accepted")]).await.expect(403);
    manager.submit(&risk, &acceptance, &accepted).await.expect(303);
}

#[tokio::test]
async fn a_contributor_answers_the_assessments_they_own_and_no_others() {
    let house = House::new().await;
    let (mut contributor, mut manager) = pair(&house).await;
    let said = [("status", "met"), ("rationale", "In the rules of procedure")];
    contributor.get(REQUIREMENT).await.expect(200).lacks("name=\"rationale\"");
    contributor.submit("/workspace", REQUIREMENT, &said).await.expect(403);
    manager.submit(REQUIREMENT, REQUIREMENT, &[("owner", "Contributor")]).await.expect(303);
    contributor.get(REQUIREMENT).await.expect(200).shows("name=\"rationale\"");
    contributor.submit(REQUIREMENT, REQUIREMENT, &said).await.expect(303);
    contributor.get(REQUIREMENT).await.shows("Waits for approval").lacks("/approve");
    contributor.submit(REQUIREMENT, &format!("{REQUIREMENT}/approve"), &[]).await.expect(403);
    let list = "/workspace/assessments/dora";
    let many =
        [("requirements", "dora-art-05-02-a"), ("requirements", "dora-art-05-02-b"), ("status", "not_met")];
    contributor.submit("/workspace", list, &many).await.expect(403);
    contributor.submit("/workspace", list, &[many[0], many[2]]).await.expect(200).shows("1 changed.");
}

#[tokio::test]
async fn a_name_that_two_accounts_have_makes_neither_the_owner() {
    let house = House::new().await;
    let (mut contributor, mut manager) = pair(&house).await;
    house.add(&house.north, "dana@north.example", Role::Contributor).await;
    let mut dana = house.browser().signed_in("dana@north.example", PASSWORD).await;
    manager.submit(REQUIREMENT, REQUIREMENT, &[("owner", "dana")]).await.expect(303);
    dana.submit(REQUIREMENT, REQUIREMENT, &[("status", "met")]).await.expect(303);
    // Users choose their own names.
    let renamed = [("name", "Dana"), ("language", "en"), ("theme", "light")];
    contributor.submit("/workspace/profile", "/workspace/profile", &renamed).await.expect(303);
    contributor.submit("/workspace", REQUIREMENT, &[("status", "not_met")]).await.expect(403);
    dana.submit("/workspace", REQUIREMENT, &[("status", "not_met")]).await.expect(403);
    manager.submit(REQUIREMENT, REQUIREMENT, &[("owner", "dana@north.example")]).await.expect(303);
    dana.submit(REQUIREMENT, REQUIREMENT, &[("status", "not_met")]).await.expect(303);
}

#[tokio::test]
async fn neither_the_owner_of_an_assessment_nor_its_author_is_offered_the_approval() {
    let house = House::new().await;
    let mut owner = house.signed_in(Role::Manager).await;
    let mut author = house.signed_in(Role::Administrator).await;
    let approve = format!("{REQUIREMENT}/approve");
    let said = [("status", "met"), ("owner", "manager")];
    author.submit(REQUIREMENT, REQUIREMENT, &said).await.expect(303);
    author.get(REQUIREMENT).await.shows("Waits for approval").lacks(&approve);
    author.submit(REQUIREMENT, &approve, &[]).await.expect(422).shows("changed it since the last approval");
    owner.get(REQUIREMENT).await.shows("Waits for approval").lacks(&approve);
    owner.submit(REQUIREMENT, &approve, &[]).await.expect(422).shows("by its owner");
    house.add(&house.north, "mara@north.example", Role::Manager).await;
    let mut third = house.browser().signed_in("mara@north.example", PASSWORD).await;
    third.get(REQUIREMENT).await.shows(&approve);
    third.submit(REQUIREMENT, &approve, &[]).await.expect(303);
}

#[tokio::test]
async fn the_pages_of_accounts_describe_the_roles_as_they_are() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let page = administrator.get("/workspace/users/new").await.expect(200);
    let page =
        page.shows("Writes: programmes, test cases, findings, tasks, evidence, performances of controls,");
    let page =
        page.shows(
            "Writes only those they own: assessments, controls, risks, comments, answers to requests for evidence. \
             Decides nothing.",
        );
    let page = page.shows(
        "Reads all records, and also: trainings of all people, audit log, accounts, API keys, settings.",
    );
    let page = page.shows("Writes only those they own: comments. Decides nothing.");
    page.shows(
        "Writes: requests for evidence, samples, reports over a period. \
         Writes only those they own: comments, working notes of auditors. \
         Decides nothing.",
    );
    let mut german = administrator.with("accept-language", "de");
    let page = german.get("/workspace/users/new").await.expect(200);
    page.shows(
        "Schreibt nur eigene: Bewertungen, Kontrollen, Risiken, Kommentare, Antworten auf Nachweisanforderungen. \
         Entscheidet nichts.",
    );
}

#[tokio::test]
async fn an_auditor_reads_the_keys_and_the_settings_and_is_offered_no_change() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let fields = [("name", "Scanner"), ("permissions", "write")];
    administrator.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
    let mut auditor = house.signed_in(Role::Auditor).await;
    let page = auditor.get("/workspace/api-keys").await.expect(200).shows("Scanner");
    page.lacks("/revoke").lacks("/rotate").lacks("/workspace/api-keys/new");
    auditor.get("/workspace/settings").await.expect(200).lacks("action=\"/workspace/settings");
}
