//! Own frameworks, as people write, import, approve and assess them.

use domain::user::Role;

use crate::{House, records::create};

const LIST: &str = "/workspace/own-frameworks";

const FIELDS: &[(&str, &str)] = &[
    ("title", "IT security policy <2027>"),
    ("key", "house-it"),
    ("edition", "2027"),
    ("owner", "Dana Weber"),
    ("description", "What we ask of ourselves."),
];

const REQUIREMENT: &[(&str, &str)] = &[
    ("id", ""),
    ("number", "4.2"),
    ("chapter", "Backups & restores"),
    ("title", "Restore drills"),
    ("text", "A restore is rehearsed <once> a year."),
    ("applicability", "Critical systems"),
    ("measures", ""),
    ("based_on", "dora-art-12-01"),
];

const CATALOGUE: &str = r#"{"catalog": {"groups": [{"title": "Access", "controls": [
    {"id": "ac-1", "title": "Joiners", "parts": [{"name": "statement", "prose": "Rights follow the role."}]},
    {"id": "ac-2", "title": "Leavers", "x-ours": 1, "parts": [{"name": "statement", "prose": "Rights end."}]}]}]}}"#;

#[tokio::test]
async fn a_framework_is_written_and_its_author_cannot_approve_it() {
    let house = House::new().await;
    let mut author = house.signed_in(Role::Manager).await;
    let mut reader = house.signed_in(Role::Viewer).await;
    author.get(LIST).await.expect(200).shows("No own frameworks yet").shows("New own framework");
    let close = [("title", "x"), ("key", "dora-house")];
    author.submit(&format!("{LIST}/new"), LIST, &close).await.expect(422).shows("href=\"#key\"");
    let address = create(&mut author, LIST, FIELDS).await;
    author.get(&address).await.shows("No requirements yet").shows("IT security policy &lt;2027&gt;");

    let new = format!("{address}/requirements/new");
    author
        .submit(&new, &new, &[("number", "1"), ("title", ""), ("text", "x")])
        .await
        .expect(422)
        .shows("Title");
    author.submit(&new, &new, REQUIREMENT).await.expect(303);
    let page = author.get(&address).await.shows("4.2 Restore drills").shows("Backups &amp; restores");
    page.shows("&lt;once&gt;").shows("Another person has to approve it.").lacks("value=\"approved\"");
    reader.get(&address).await.expect(200).lacks("/edit\"").lacks("value=\"approved\"");
    let moved = [("status", "approved"), ("note", "")];
    author.submit(&address, &format!("{address}/move"), &moved).await.expect(422).shows("ask another one");
}

#[tokio::test]
async fn a_change_is_prepared_while_the_approved_set_stays_in_force() {
    let house = House::new().await;
    let mut author = house.signed_in(Role::Administrator).await;
    let mut approver = house.signed_in(Role::Manager).await;
    let address = create(&mut author, LIST, FIELDS).await;
    let new = format!("{address}/requirements/new");
    author.submit(&new, &new, REQUIREMENT).await.expect(303);
    let moved = [("status", "approved"), ("note", "Compared with the resolution")];
    approver.submit(&address, &format!("{address}/move"), &moved).await.expect(303);
    approver.get(&address).await.shows("Approved").shows("Compared with the resolution");
    let assessment = "/workspace/assessments/house-it/house-it-4-2";
    author.get(assessment).await.expect(200).shows("Restore drills").shows("(Critical systems)");
    author.submit(assessment, assessment, &[("status", "met"), ("rationale", "Done")]).await.expect(303);
    author
        .get("/workspace/assessments/house-it")
        .await
        .expect(200)
        .shows("Met")
        .shows("Backups &amp; restores");
    author.get("/workspace/assessments").await.shows("House IT");

    let edit = format!("{address}/requirements/house-it-4-2");
    author.get(&edit).await.expect(200).shows("Edit requirement").shows("Restore drills");
    let changed = [("number", "4.2"), ("title", "Restores"), ("text", "Twice a year.")];
    author.submit(&edit, &edit, &changed).await.expect(303);
    author.get(&address).await.shows("set 1 stays in force").shows("4.2 Restores");
    author.get(assessment).await.shows("Restore drills");
    author.get(&format!("{address}?content=1")).await.shows("4.2 Restore drills").shows("as it was");
    author.get(&format!("{address}?content=7")).await.expect(404);
    author.submit(&edit, &format!("{edit}/delete"), &[]).await.expect(303);
    author.get(&address).await.shows("No requirements yet");
    author.get(assessment).await.expect(200);
    house.add(&house.test.tenant("south").await, "sue@south.example", Role::Administrator).await;
    let mut other = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    for path in [address.clone(), edit, assessment.to_owned(), format!("{address}/oscal.json")] {
        other.fetch(&path).await.expect(404);
    }
}

#[tokio::test]
async fn a_catalogue_is_compared_before_it_is_imported() {
    let house = House::new().await;
    let mut author = house.signed_in(Role::Manager).await;
    let address = create(&mut author, LIST, FIELDS).await;
    let import = format!("{address}/import");
    let checked = author.upload(&import, &[("step", "check")], CATALOGUE).await.expect(200);
    checked.shows("The file can be imported").shows("house-it-ac-1").shows("control.x-ours");
    author.get(&address).await.shows("No requirements yet");
    author.upload(&import, &[("step", "import")], CATALOGUE).await.expect(200).shows("are imported");
    author.get(&address).await.shows("Joiners").shows("Access");
    let wrong = CATALOGUE.replace("ac-2", "ac-1");
    author.upload(&import, &[("step", "import")], &wrong).await.expect(422).shows("stands there twice");
    author.upload(&import, &[("step", "check")], "{}").await.expect(422).shows("OSCAL");
    let workbook = author.fetch(&format!("{address}/requirements.xlsx")).await.expect(200);
    assert!(workbook.bytes.starts_with(b"PK"));
    let json = author.fetch(&format!("{address}/oscal.json")).await.expect(200);
    assert!(String::from_utf8(json.bytes).unwrap().contains("house-it-ac-2"));
    author.get("/workspace/search?q=security+policy").await.shows("Own framework").shows(&address);
    author
        .get(&format!("{LIST}?search=policy&status=draft"))
        .await
        .shows("house-it")
        .shows("1 own framework");
    author.fetch(&format!("{LIST}.csv")).await.expect(200);
    let mut reader = house.signed_in(Role::Viewer).await;
    reader.fetch(&import).await.expect(403);
}

#[tokio::test]
async fn an_approved_framework_takes_part_on_every_page() {
    let house = House::new().await;
    let mut author = house.signed_in(Role::Administrator).await;
    let mut approver = house.signed_in(Role::Manager).await;
    let address = create(&mut author, LIST, FIELDS).await;
    let new = format!("{address}/requirements/new");
    author.submit(&new, &new, REQUIREMENT).await.expect(303);
    author.get("/workspace/programmes/new").await.lacks("house-it");
    let moved = [("status", "approved"), ("note", "")];
    approver.submit(&address, &format!("{address}/move"), &moved).await.expect(303);

    let own = "/workspace/assessments/house-it/house-it-4-2";
    let public = "/workspace/assessments/dora/dora-art-12-01";
    let said = [("status", "met"), ("rationale", "Rehearsed in May")];
    author.submit(own, own, &said).await.expect(303);
    author.get(own).await.shows("Overlaps with").shows("as the basis by the own framework House IT");
    author.submit(own, &format!("{own}/carry"), &[("to", "dora-art-12-01")]).await.expect(303);
    let page = author.get(public).await.shows("Rehearsed in May").shows("Carried over from 4.2 ");
    page.shows("IT security policy &lt;2027&gt;, based on DORA");
    author
        .submit(public, public, &[("status", "partly_met"), ("rationale", "Two of three")])
        .await
        .expect(303);
    author.submit(public, &format!("{public}/carry"), &[("to", "house-it-4-2")]).await.expect(303);
    author.get(own).await.shows("Two of three").shows("Carried over from Art. 12(1) Backup, restoration");

    author.get("/workspace/programmes/new").await.shows("value=\"house-it\"");
    let programme = [("name", "House tests"), ("framework", "house-it")];
    let programme = create(&mut author, "/workspace/programmes", &programme).await;
    author.get("/workspace/programmes?framework=house-it").await.shows("House tests").shows("House IT");
    author.get("/workspace?widgets=all").await.shows("/workspace/assessments/house-it");
    let control = [("title", "Yearly restore"), ("requirements", "house-it-4-2")];
    let control = create(&mut author, "/workspace/controls", &control).await;
    author.get("/workspace/controls?framework=house-it").await.shows("Yearly restore");
    author.get("/workspace/controls?framework=nis2").await.lacks("Yearly restore");
    let table = author.fetch("/workspace/controls.csv?framework=house-it").await.expect(200);
    assert_eq!(String::from_utf8(table.bytes).unwrap().lines().count(), 2);
    let report = author.fetch("/workspace/controls.pdf?framework=house-it").await.expect(200);
    assert!(report.bytes.starts_with(b"%PDF"));
    author.get(&control).await.shows("4.2");

    let statement = "/workspace/statement-of-applicability";
    author.get(&format!("{statement}?framework=house-it")).await.shows("4.2 Restore drills").lacks("A.8.28");
    let table = author.fetch(&format!("{statement}.csv?framework=house-it")).await.expect(200);
    assert_eq!(String::from_utf8(table.bytes).unwrap().lines().count(), 2);
    author.fetch(&format!("{statement}?framework=sox")).await.expect(404);
    author.get("/workspace/search?q=rehearsed+once").await.shows("Own requirement").shows(own);
    let suggested = author.fetch("/workspace/search/suggestions?q=restore+drills").await.expect(200);
    assert!(String::from_utf8(suggested.bytes).unwrap().contains(own));

    house.add(&house.test.tenant("south").await, "sue@south.example", Role::Administrator).await;
    let mut other = house.browser().signed_in("sue@south.example", crate::PASSWORD).await;
    other.fetch(&format!("{statement}?framework=house-it")).await.expect(404);
    other.get("/workspace/search?q=rehearsed+once").await.lacks("house-it-4-2");
    other.get("/workspace/programmes/new").await.lacks("house-it");

    approver
        .submit(&address, &format!("{address}/move"), &[("status", "retired"), ("note", "")])
        .await
        .expect(303);
    let edit = format!("{programme}/edit");
    author.get(&edit).await.shows("value=\"house-it\"");
    let renamed = [("name", "House tests of 2027"), ("framework", "house-it")];
    author.submit(&edit, &programme, &renamed).await.expect(303);
    author.get("/workspace?widgets=all").await.lacks("/workspace/assessments/house-it");
}

#[tokio::test]
async fn evidence_is_attached_to_an_own_requirement() {
    let house = House::new().await;
    let mut author = house.signed_in(Role::Administrator).await;
    let mut approver = house.signed_in(Role::Manager).await;
    let address = create(&mut author, LIST, FIELDS).await;
    let new = format!("{address}/requirements/new");
    author.submit(&new, &new, REQUIREMENT).await.expect(303);
    let moved = [("status", "approved"), ("note", "")];
    approver.submit(&address, &format!("{address}/move"), &moved).await.expect(303);
    let own = "/workspace/assessments/house-it/house-it-4-2";
    let form = "/workspace/evidence/new?type=assessment&id=house-it-4-2";
    author.get(form).await.expect(200).shows(&format!("data-files=\"{own}\""));
    let fields = [("type", "assessment"), ("id", "house-it-4-2"), ("title", "Restore log")];
    let made = author.upload("/workspace/evidence", &fields, "restored 1.8 TB").await.expect(303);
    assert_eq!(made.location(), format!("{own}#evidence-links"), "back to the record it came from");
    let page = author.get(own).await;
    let evidence =
        format!("/workspace/evidence/evd_{}", page.between("href=\"/workspace/evidence/evd_", "\""));
    author.get(&evidence).await.shows(own);
    let link = [("type", "assessment"), ("id", "house-it-4-2")];
    author.submit(&evidence, &format!("{evidence}/unlink"), &link).await.expect(303);
    author.get(own).await.lacks(&evidence);
    let attached = [link[0], link[1], ("evidence", evidence.rsplit('/').next().unwrap())];
    author.submit(own, "/workspace/evidence/attach", &attached).await.expect(303);
    author.get(own).await.shows(&evidence);
}
