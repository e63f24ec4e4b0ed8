//! The pages of the institution's risks.

use domain::user::Role;

use crate::{House, records::create};

const LIST: &str = "/workspace/risks";

const FIELDS: &[(&str, &str)] = &[
    ("title", "Ransomware"),
    ("category", "cyber-attack"),
    ("treatment", "mitigate"),
    ("owner", "Dana Weber"),
    ("cause", "A mail attachment"),
    ("inherent.likelihood", "4"),
    ("inherent.impact", "5"),
    ("residual.likelihood", "3"),
    ("residual.impact", "5"),
    ("target.likelihood", ""),
    ("target.impact", ""),
];

#[tokio::test]
async fn a_risk_is_entered_changed_and_accepted_by_a_second_person() {
    let house = House::new().await;
    let mut first = house.signed_in(Role::Administrator).await;
    let mut second = house.signed_in(Role::Manager).await;
    first.get(LIST).await.expect(200).shows("No risks yet");
    let refused = first.submit(&format!("{LIST}/new"), LIST, &[("title", ""), ("category", "people")]).await;
    refused.expect(422).shows("must not be empty");
    let risk = create(&mut first, LIST, FIELDS).await;
    first
        .get(&risk)
        .await
        .shows("R-0001")
        .shows("A mail attachment")
        .shows("likelihood 3 – Expected every few years, impact 5 – Existential");
    first.get(&format!("{LIST}?level=critical")).await.shows("Ransomware");
    first.get(&format!("{LIST}?level=low")).await.lacks("Ransomware").shows("Nothing matches");

    let proposal = [("acceptance.reason", "Replaced in spring"), ("acceptance.until", "2027-03-31")];
    let at_once = [proposal[0], proposal[1], ("status", "accepted")];
    let action = format!("{risk}/acceptance");
    first.submit(&risk, &action, &at_once).await.expect(422).shows("needs a second person");
    let saved = first.submit(&risk, &action, &proposal).await.expect(303);
    first.get(saved.location()).await.shows("The proposal was saved.").shows("Not accepted yet");
    let accepted = second.submit(&risk, &action, &at_once).await.expect(303);
    second.get(accepted.location()).await.shows("Accepted").shows("31 Mar 2027");

    first
        .get("/workspace/risks/matrix")
        .await
        .expect(200)
        .shows("likelihood=3&amp;impact=5&amp;rating=residual");
    first.get(&format!("{LIST}?likelihood=3&impact=5&rating=residual")).await.shows("Ransomware");
    first.get(&format!("{LIST}?likelihood=1&impact=1&rating=residual")).await.lacks("Ransomware");
    let csv = first.fetch("/workspace/risks.csv").await.expect(200);
    let text = String::from_utf8(csv.bytes).unwrap();
    assert!(text.contains("R-0001,Ransomware,cyber-attack,accepted"), "{text}");
    first.get("/workspace/search?q=ransomware").await.shows("Own risk");
}

#[tokio::test]
async fn risks_are_adopted_from_the_library() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = browser.get("/workspace/risks/adopt").await.expect(200);
    page.shows("Failure of the primary data centre");
    let chosen = [("risks", "risk-data-centre-failure")];
    let done = browser.submit("/workspace/risks/adopt", "/workspace/risks/adopt", &chosen).await.expect(303);
    browser
        .get(done.location())
        .await
        .shows("The risks were adopted.")
        .shows("Failure of the primary data centre");
    browser.get("/workspace/risks/adopt").await.lacks("risk-data-centre-failure");
}

/// The first record that a list links to.
fn first_link(page: &str, list: &str) -> String {
    let start =
        page.find(&format!("href=\"{list}/rsk_")).or_else(|| page.find(&format!("href=\"{list}/ctl_")));
    let rest = &page[start.unwrap() + "href=\"".len()..];
    rest[..rest.find('"').unwrap()].to_owned()
}

#[tokio::test]
async fn an_adopted_risk_is_unrated_and_in_the_readers_language_until_it_is_edited() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let adopt = "/workspace/risks/adopt";
    browser.submit(adopt, adopt, &[("risks", "risk-data-centre-failure")]).await.expect(303);
    let list = browser.get(LIST).await.shows("Not rated").lacks("Critical</span>");
    let risk = first_link(&list.body, LIST);
    browser.get(&risk).await.shows("Text from the library").shows("Not rated").shows("Undecided");
    browser.get("/workspace/risks/matrix").await.shows("1 not rated yet");
    let mut german = browser.with("accept-language", "de");
    german.get(LIST).await.lacks("Failure of the primary data centre").shows("Ausfall");
    let shown = german.get(&risk).await;
    shown.lacks("Failure of the primary data centre").shows("Text aus der Bibliothek");
    let edit = format!("{risk}/edit");
    let own = [
        ("title", "Our data centre fails"),
        ("category", "availability"),
        ("treatment", "mitigate"),
        ("event", "Both lines are cut"),
        ("inherent.likelihood", ""),
        ("inherent.impact", ""),
        ("residual.likelihood", ""),
        ("residual.impact", ""),
        ("target.likelihood", ""),
        ("target.impact", ""),
    ];
    browser.submit(&edit, &risk, &own).await.expect(303);
    browser.get(&risk).await.lacks("Text from the library").shows("Our data centre fails").shows("Not rated");
    german.get(&risk).await.shows("Our data centre fails");
}

#[tokio::test]
async fn a_risk_lists_the_actions_that_treat_it_with_owner_and_day() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let risk = create(&mut browser, LIST, FIELDS).await;
    let work = "/workspace/work";
    browser
        .get(&risk)
        .await
        .shows("No action is planned yet.")
        .shows("/workspace/work?about=R-0001#new-task");
    let form = format!("{work}?about=R-0001");
    browser.get(&form).await.shows("value=\"R-0001\"");
    let action = [
        ("title", "Segment the network"),
        ("owner", "Dana Weber"),
        ("due_on", "2027-03-31"),
        ("about", "R-0001"),
    ];
    let made = browser.submit(&form, work, &action).await.expect(303);
    let page = browser.get(made.location()).await.expect(200);
    page.shows("Segment the network")
        .shows("Dana Weber")
        .shows("31 Mar 2027")
        .lacks("No action is planned yet.");
}

#[tokio::test]
async fn an_administrator_sets_the_appetite() {
    let house = House::new().await;
    let mut admin = house.signed_in(Role::Administrator).await;
    let risk = create(&mut admin, LIST, FIELDS).await;
    let appetite = "/workspace/risks/appetite";
    let chosen = [("cyber-attack", "medium"), ("second_person_from", "critical")];
    let saved = admin.submit(appetite, appetite, &chosen).await.expect(303);
    admin.get(saved.location()).await.shows("The risk appetite was saved.");
    admin.get(&risk).await.shows("Above appetite").shows("ends at Medium");
    admin.get("/workspace").await.shows("above the appetite (Medium): Ransomware");
    admin.submit(appetite, appetite, &[("second_person_from", "extreme")]).await.expect(422);
    let mut reader = house.signed_in(Role::Viewer).await;
    reader
        .get(appetite)
        .await
        .expect(200)
        .lacks("<form method=\"post\" action=\"/workspace/risks/appetite\"");
}

#[tokio::test]
async fn the_owner_of_a_risk_does_not_accept_what_another_person_proposed() {
    let house = House::new().await;
    let mut first = house.signed_in(Role::Administrator).await;
    let mut owner = house.signed_in(Role::Manager).await;
    let fields: Vec<_> =
        FIELDS.iter().map(|(name, text)| (*name, if *name == "owner" { "manager" } else { *text })).collect();
    let risk = create(&mut first, LIST, &fields).await;
    let action = format!("{risk}/acceptance");
    let proposal = [("acceptance.reason", "Replaced in spring"), ("acceptance.until", "2027-03-31")];
    first.submit(&risk, &action, &proposal).await.expect(303);
    let accepted = [proposal[0], proposal[1], ("status", "accepted")];
    let refused = owner.submit(&risk, &action, &accepted).await.expect(422);
    refused.shows("cannot be decided by the owner of the record");
}
