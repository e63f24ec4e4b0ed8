//! The pages of controls and assessments.

use domain::user::Role;

use crate::{House, approvals::leave_alone, records::create};

const REQUIREMENT: &str = "/workspace/assessments/dora/dora-art-05-02-a";

#[tokio::test]
async fn a_control_is_made_performed_and_deleted() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get("/workspace/controls").await.shows("No controls yet");
    let fields = [
        ("title", "Restore test"),
        ("status", "implemented"),
        ("cadence", "monthly"),
        ("owner", "Anna Weber"),
        ("requirements", "dora-art-05-02-a"),
    ];
    let control = create(&mut browser, "/workspace/controls", &fields).await;
    browser.get(&control).await.shows("C-0001").shows("Not performed yet.").shows(REQUIREMENT);
    let performed = [("on", "2026-10-31"), ("note", "Two hours")];
    let done = browser.submit(&control, &format!("{control}/performed"), &performed).await.expect(303);
    browser
        .get(done.location())
        .await
        .shows("The performance is recorded.")
        .shows("Two hours")
        .shows("30 Nov 2026");
    let future = [("on", "2027-01-01")];
    browser.submit(&control, &format!("{control}/performed"), &future).await.expect(422);
    let edited = [("title", "Restore test of payments"), ("effectiveness", "effective")];
    let refused = browser.submit(&format!("{control}/edit"), &control, &edited).await.expect(422);
    refused.shows("Why by hand");
    browser.get("/workspace/controls?framework=dora").await.shows("Restore test");
    browser.get("/workspace/controls?framework=iso-27001").await.lacks("Restore test");
    browser.get("/workspace/search?q=restore").await.shows(&control);
    browser.get(&control).await.shows(&format!("{control}/archive")).lacks(&format!("{control}/delete"));
    let archived = browser.submit(&control, &format!("{control}/delete"), &[]).await.expect(303);
    let page = browser.get(archived.location()).await.expect(200).shows("Archived.").shows("Archived on");
    page.lacks(&format!("{control}/performed\"")).shows(&format!("{control}/restore"));
    browser.get("/workspace/controls").await.lacks("Restore test");
    browser.get("/workspace/controls?archived=true").await.shows("Restore test");
}

#[tokio::test]
async fn measures_of_a_framework_become_controls_in_one_press() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = browser.get("/workspace/controls/adopt").await.expect(200);
    let counts =
        page.body.split("Adopt ").filter_map(|rest| rest.split_once(" measures")?.0.parse::<u32>().ok());
    assert!(counts.max() > Some(0), "{}", page.body);
    let adopted = browser
        .submit("/workspace/controls/adopt", "/workspace/controls/adopt", &[("framework", "dora")])
        .await;
    let adopted = adopted.expect(200).shows("controls were made, 0 measures had one already.");
    let text = adopted.body.split(" controls were made").next().unwrap();
    let made: u32 = text.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
    browser.get("/workspace/controls/adopt").await.shows("All adopted");
    // The newest come first.
    browser.get("/workspace/controls").await.shows(&format!("C-{made:04}")).shows("Planned");
}

#[tokio::test]
async fn measures_of_chosen_chapters_are_counted_and_adopted_with_an_owner() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let adopt = "/workspace/controls/adopt";
    browser.get(adopt).await.shows("href=\"/workspace/controls/adopt?framework=dora\"");
    let by_chapter = format!("{adopt}?framework=dora");
    let page = browser.get(&by_chapter).await.expect(200).shows("name=\"owner\"");
    let chapter = page.between("name=\"sections\" value=\"", "\"").to_owned();
    let count =
        [("sections", chapter.as_str()), ("owner", "Platform team"), ("step", "count"), ("by", "sections")];
    let counted = browser.submit(&by_chapter, adopt, &count).await.expect(200);
    let counted = counted.shows("controls would be made, 0 measures have one already.");
    // What was entered stays.
    let counted = counted.shows(&format!("value=\"{chapter}\"")).shows("value=\"Platform team\"");
    assert_eq!(counted.body.matches(" checked").count(), 1, "{}", counted.body);
    let text = counted.body.split(" controls would be made").next().unwrap();
    let number = text.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap();
    browser.get("/workspace/controls").await.shows("No controls yet");
    let made = browser.submit(&by_chapter, adopt, &count[..2]).await.expect(200);
    made.shows(&format!("{number} controls were made, 0 measures had one already."));
    browser.get("/workspace/controls").await.shows("Platform team").shows(&format!("C-{number:0>4}"));
    // All of the chapter are there, so it is no longer offered; the others are.
    let page = browser.get(&by_chapter).await.expect(200);
    page.lacks(&format!("value=\"{chapter}\"")).shows("name=\"sections\"");
    let long = "x".repeat(300);
    let wrong = [("sections", "no-chapter"), ("owner", &long)];
    let refused = browser.submit(&by_chapter, adopt, &wrong).await.expect(422);
    refused.shows("is not the id of a chapter of the framework").shows(&long);
    browser.get(&format!("{adopt}?framework=hipaa")).await.expect(404);
}

#[tokio::test]
async fn an_assessment_is_said_by_one_and_approved_by_another() {
    let house = House::new().await;
    let mut first = house.signed_in(Role::Administrator).await;
    let mut second = house.signed_in(Role::Manager).await;
    first.get("/workspace/assessments").await.shows("Nothing is assessed yet.").lacks("requirements are met");
    let page = first.get(REQUIREMENT).await.shows("What it asks").shows("Art. 5(2)(a)").shows("rel=\"next\"");
    page.shows("https://eur-lex.europa.eu/").lacks("/approve");
    let said = [("status", "met"), ("maturity", "3"), ("rationale", "In the rules of procedure")];
    let done = first.submit(REQUIREMENT, REQUIREMENT, &said).await.expect(303);
    first.get(done.location()).await.shows("Waits for approval").shows("In the rules of procedure");
    let approve = format!("{REQUIREMENT}/approve");
    let own = first.submit(REQUIREMENT, &approve, &[]).await.expect(422);
    own.shows("changed it since the last approval");
    let approved = second.submit(REQUIREMENT, &approve, &[]).await.expect(303);
    second.get(approved.location()).await.shows("Approved by").lacks("Waits for approval");
    first.get("/workspace/assessments/dora?status=met").await.shows("dora-art-05-02-a").shows("Approved");
    first.get("/workspace/assessments").await.shows("1 of ");
    let bare =
        first.submit(REQUIREMENT, REQUIREMENT, &[("status", "not_applicable"), ("rationale", "")]).await;
    bare.expect(422).shows("say why the requirement does not apply");
    let next = [("status", "partly_met"), ("then", "next")];
    let next = first.submit(REQUIREMENT, REQUIREMENT, &next).await.expect(303);
    assert!(next.location().contains("dora-art-05-02-b"), "{}", next.location());
    first.get("/workspace/assessments/dora/iso-27001-a-5-1").await.expect(404);
    first.get("/workspace/assessments/none").await.expect(404);
}

#[tokio::test]
async fn several_are_changed_at_once_or_none() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let list = "/workspace/assessments/dora";
    let chosen = [
        ("requirements", "dora-art-05-02-a"),
        ("requirements", "dora-art-05-02-b"),
        ("owner", "Anna Weber"),
        ("status", "not_met"),
    ];
    browser.submit(list, list, &chosen).await.expect(200).shows("2 changed.");
    browser
        .get(&format!("{list}?owner=Anna+Weber"))
        .await
        .shows("dora-art-05-02-b")
        .lacks("dora-art-05-02-c");
    browser.submit(list, list, &[("requirements", "dora-art-05-02-c")]).await.expect(422);
    let without_reason = [("requirements", "dora-art-05-02-c"), ("status", "not_applicable")];
    browser.submit(list, list, &without_reason).await.expect(422);
    browser.submit(list, list, &[("status", "met")]).await.expect(422);
}

#[tokio::test]
async fn an_answer_is_carried_over_with_its_source() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let from = "/workspace/assessments/nist-csf/nist-csf-de-ae-02";
    browser.get(from).await.expect(200).shows("What else this answer settles").lacks("/carry");
    browser
        .submit(from, from, &[("status", "met"), ("rationale", "Watched around the clock")])
        .await
        .expect(303);
    browser.get(from).await.shows("/carry").shows("Public domain");
    let carried =
        browser.submit(from, &format!("{from}/carry"), &[("to", "iso-27001-a-5-25")]).await.expect(303);
    browser.get(carried.location()).await.shows("The answer was carried over.");
    let to = "/workspace/assessments/iso-27001/iso-27001-a-5-25";
    browser
        .get(to)
        .await
        .shows("Watched around the clock")
        .shows("Carried over from DE.AE-02 Events analysed");
    browser.submit(from, &format!("{from}/carry"), &[("to", "dora-art-05-01")]).await.expect(422);
}

#[tokio::test]
async fn a_duty_of_the_authority_is_neither_assessed_nor_visited_by_next() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let duty = "/workspace/assessments/dora/dora-art-04-03";
    browser.get(duty).await.expect(200).lacks("name=\"status\"");
    let before = "/workspace/assessments/dora/dora-art-04-02";
    browser.get(before).await.expect(200).lacks(&format!("rel=\"next\" href=\"{duty}\""));
    let said = [("status", "met"), ("rationale", "x")];
    browser.submit(before, duty, &said).await.expect(422).shows("is a duty of the authority");
}

#[tokio::test]
async fn a_performance_can_mark_a_planned_control_as_implemented() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let fields = [("title", "Restore test"), ("status", "planned"), ("cadence", "none")];
    let control = create(&mut browser, "/workspace/controls", &fields).await;
    browser.get(&control).await.shows("Mark as implemented");
    let done = [("on", "2026-11-10"), ("implements", "1")];
    browser.submit(&control, &format!("{control}/performed"), &done).await.expect(303);
    browser.get(&control).await.shows("Implemented").lacks("Mark as implemented");
}

#[tokio::test]
async fn the_statement_of_applicability_is_a_page_and_a_table() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    leave_alone(&house, "not_applicable").await;
    let address = "/workspace/assessments/iso-27001/iso-27001-a-8-28";
    let said = [("status", "not_applicable"), ("rationale", "=No development")];
    browser.submit(address, address, &said).await.expect(303);
    let page = browser.get("/workspace/statement-of-applicability").await;
    let page = page.shows("A.8.28").shows("=No development").shows("Annex A control").shows("Own controls");
    page.shows("0 apply, 1 does not apply, 92 not decided").shows("Not decided").shows("Proposed: ");
    let table = browser.fetch("/workspace/statement-of-applicability.csv").await.expect(200);
    let text = String::from_utf8(table.bytes).unwrap();
    assert_eq!(text.lines().count(), 94);
    assert!(text.contains("A.8.28") && !text.contains(",=No"), "no cell begins a formula");
    assert_eq!(text.matches(",Not decided,").count(), 92);
    assert_eq!(text.matches(",Proposed,").count(), 92);
    let mut german = browser.with("accept-language", "de");
    german.get("/workspace/statement-of-applicability").await.expect(200);
}

/// The clock of the tests begins on 14 November 2026; the requirement changed on the 18th.
#[tokio::test]
async fn an_assessment_older_than_its_requirement_asks_to_be_confirmed() {
    const CHANGED: &str = "/workspace/assessments/dora/dora-rts-1774-art-22-d";
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let said = [("status", "met"), ("rationale", "Kept two years")];
    browser.submit(CHANGED, CHANGED, &said).await.expect(303);
    browser.get(CHANGED).await.lacks("To be confirmed again");
    let mut browser = {
        house.test.clock.advance(10 * 24 * 60 * 60 * 1000);
        house.browser().signed_in("manager@north.example", crate::PASSWORD).await
    };
    browser
        .get(CHANGED)
        .await
        .shows("To be confirmed again: changed on 18 Nov 2026")
        .shows("Before:")
        .shows("as long as necessary");
    browser.get("/workspace/assessments/dora?status=met").await.shows("To be confirmed again");
    browser.submit(CHANGED, CHANGED, &said).await.expect(303);
    browser.get(CHANGED).await.lacks("To be confirmed again");
}

#[tokio::test]
async fn a_requirement_that_begins_later_says_from_which_day() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let facts = [("legal_name", "North Bank AG"), ("entity_kind", "manufacturer")];
    browser.submit("/workspace/settings/profile", "/workspace/settings/profile", &facts).await.expect(303);
    let duty = "/workspace/assessments/cra/cra-art-13-01";
    browser.get(duty).await.shows("From 11 Dec 2027").shows("Applies from 11 Dec 2027.");
    browser.get("/workspace/assessments/cra/cra-art-14-02-a").await.lacks("From 11");
    browser.get("/workspace/compliance/cra/cra-art-13-01").await.shows("Holds from 11 Dec 2027.");
}

#[tokio::test]
async fn a_requirement_shows_what_it_rests_on_and_what_is_only_explained() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let paragraph = browser.get("/workspace/compliance/marisk/marisk-at-9-tz-2").await;
    paragraph.shows("Secondary source").shows("Explanation by the issuer:").shows("Intensity follows");
    browser.get("/workspace/compliance/dora/dora-art-05-01").await.lacks("Secondary source");
    browser.get("/workspace/compliance/nist-csf/nist-csf-gv-oc-01").await.shows("Voluntary");
}
