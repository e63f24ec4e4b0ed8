//! The profile of the institution, question by question and on one page.

use domain::user::Role;

use crate::House;

const PAGE: &str = "/workspace/settings/profile";

#[tokio::test]
async fn the_guide_asks_five_questions_and_each_can_be_skipped() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get("/workspace").await.shows("Say what your institution is").shows("profile?question=1");
    let first = format!("{PAGE}?question=1");
    browser.get(&first).await.shows("Question 1 of 5").shows("What kind of entity are you?").shows("Skip");
    let answer = [("question", "1"), ("entity_kind", "insurance-intermediary")];
    let next = browser.submit(&first, PAGE, &answer).await.expect(303);
    assert_eq!(next.location(), format!("{PAGE}?question=2"));
    browser.get(next.location()).await.shows("Question 2 of 5").shows(&format!("{PAGE}?question=3"));
    // The second is skipped, so the size stays unknown, and with it the regime.
    browser.get(PAGE).await.shows("the size is not known");
    let answer = [("question", "2"), ("size", "small")];
    browser.submit(&format!("{PAGE}?question=2"), PAGE, &answer).await.expect(303);
    browser.get(PAGE).await.shows("Not under DORA").shows("Art. 2(3)(e)");
    let last = [("question", "5"), ("time_zone", "Europe/Vienna"), ("currency", "chf")];
    let done = browser.submit(&format!("{PAGE}?question=5"), PAGE, &last).await.expect(303);
    browser.get(done.location()).await.shows("The profile is saved.").shows("value=\"Europe/Vienna\"");
    browser.get("/workspace").await.lacks("Say what your institution is");
    let key = house.test.key(&house.north, "read").await;
    let seen = house.test.client(&key).get("/api/v1/profile").await.expect(200).data();
    assert_eq!((&seen["entity_kind"], &seen["size"]), (&"insurance-intermediary".into(), &"small".into()));
    assert_eq!((&seen["currency"], &seen["significant"]), (&"CHF".into(), &serde_json::Value::Null));
}

#[tokio::test]
async fn the_page_refuses_what_cannot_be_and_shows_viewers_facts() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let wrong = [("legal_name", ""), ("lei", "123"), ("regime.value", "simplified"), ("time_zone", "Mars")];
    let refused = browser.submit(PAGE, PAGE, &wrong).await.expect(422);
    refused.shows("href=\"#lei\"").shows("value=\"Mars\"").shows("needs a reason");
    let good = [
        ("legal_name", "North Bank AG"),
        ("lei", "529900t8bm49aursdo55"),
        ("significant", "no"),
        ("country", "DE"),
        ("regime.value", "simplified"),
        ("regime.reason", "Exempted"),
        ("nis2_entity", "yes"),
        ("relief_excluded_since", "2026-07-01"),
    ];
    let saved = browser.submit(PAGE, PAGE, &good).await.expect(303);
    browser
        .get(saved.location())
        .await
        .shows("529900T8BM49AURSDO55")
        .shows("Set by a person")
        .shows("value=\"2026-07-01\"");
    browser.get("/workspace/settings").await.shows(PAGE);
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(PAGE).await.shows("North Bank AG").shows("Exempted").lacks("name=\"lei\"");
    viewer.submit("/workspace", PAGE, &[("size", "micro")]).await.expect(403);
}

#[tokio::test]
async fn facts_and_roles_are_asked_with_what_they_decide() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser
        .get(PAGE)
        .await
        .shows("Identified by the authority for threat-led penetration tests")
        .shows("If not, DORA Art. 26 and 27")
        .shows("Which roles do you have under the CRA, NIS2, DORA and as an operator of critical plants?")
        .shows("ICT third-party service provider designated as critical (DORA Art. 31)")
        .shows("MaRisk BTO 3 can be left out");
    let answers = [
        ("legal_name", "North Bank AG"),
        ("time_zone", "Europe/Berlin"),
        ("currency", "EUR"),
        ("roles_asked", "yes"),
        ("roles", "manufacturer"),
        ("roles", "cloud-computing-provider"),
        ("tlpt_identified", "no"),
        ("npl_from_5_percent", "yes"),
    ];
    browser.submit(PAGE, PAGE, &answers).await.expect(303);
    let client = house.test.client(&house.test.key(&house.north, "read").await);
    let seen = client.get("/api/v1/profile").await.expect(200).data();
    assert_eq!(seen["roles"], serde_json::json!(["manufacturer", "cloud-computing-provider"]));
    assert_eq!((&seen["tlpt_identified"], &seen["npl_from_5_percent"]), (&false.into(), &true.into()));
    assert_eq!(seen["small_non_complex"], serde_json::Value::Null);
    // A question of the guide leaves the roles as they are.
    let answer = [("question", "2"), ("size", "small")];
    browser.submit(&format!("{PAGE}?question=2"), PAGE, &answer).await.expect(303);
    let seen = client.get("/api/v1/profile").await.expect(200).data();
    assert_eq!(seen["roles"][0], "manufacturer");
    let none = [("legal_name", "North Bank AG"), ("roles_asked", "yes"), ("roles", "none")];
    browser.submit(PAGE, PAGE, &none).await.expect(303);
    let seen = client.get("/api/v1/profile").await.expect(200).data();
    assert_eq!(seen["roles"], serde_json::json!([]));
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(PAGE).await.shows("None of these").shows("Large investment firm");
}
