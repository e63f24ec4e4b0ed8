//! The pages of the catalogue.

use domain::user::Role;

use crate::House;

#[tokio::test]
async fn compliance_leads_from_framework_to_evidence() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let overview = browser.get("/workspace/compliance").await.expect(200).shows("/workspace/compliance/dora");
    drop(overview);
    let framework = browser.get("/workspace/compliance/dora").await.expect(200);
    let requirement = format!(
        "/workspace/compliance/dora/dora-{}",
        framework.between("/workspace/compliance/dora/dora-", "\"")
    );
    let page = browser.get(&requirement).await.expect(200);
    let measure =
        format!("/workspace/compliance/measures/{}", page.between("/workspace/compliance/measures/", "\""));
    browser.get(&measure).await.expect(200).shows("Evidence").shows(&requirement);
    for missing in [
        "/workspace/compliance/nothing",
        "/workspace/compliance/dora/nothing",
        "/workspace/compliance/measures/x",
    ] {
        browser.get(missing).await.expect(404);
    }
}

#[tokio::test]
async fn lists_lead_to_details_and_filters_narrow() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    for list in [
        "/workspace/risk-register",
        "/workspace/drills",
        "/workspace/vendor-scorecard",
        "/workspace/training",
    ] {
        let page = browser.get(list).await.expect(200);
        let detail = format!("{list}/{}", page.between(&format!("href=\"{list}/"), "\""));
        browser.get(&detail).await.expect(200);
        browser.get(&format!("{list}/nothing")).await.expect(404);
        browser.get(&format!("{list}?search=zzzzzz")).await.shows("Nothing matches these filters");
    }
    let all = browser.get("/workspace/timeline").await.expect(200).body.len();
    let some = browser.get("/workspace/timeline?framework=cra").await.expect(200).body.len();
    assert!(some < all);
    browser.get("/workspace/radar?impact=high").await.expect(200);
}

#[tokio::test]
async fn german_readers_get_german_records() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await.with("accept-language", "de");
    browser.get("/workspace/risk-register").await.shows("Risikoregister").shows("Wahrscheinlichkeit");
    browser.get("/workspace/drills").await.shows("Notfallübungen");
}

#[tokio::test]
async fn gaps_are_narrowed_and_lead_to_their_requirement() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let gaps = "/workspace/compliance/dora/gaps";
    let all = browser.get(gaps).await.expect(200).shows("Typical gap");
    let requirement = format!(
        "/workspace/compliance/dora/{}",
        all.between("href=\"/workspace/compliance/dora/dora-", "\"")
    );
    assert!(requirement.len() > "/workspace/compliance/dora/".len());
    let some = browser.get(&format!("{gaps}?priority=critical")).await.expect(200);
    assert!(some.body.len() < all.body.len());
    browser.get("/workspace/compliance/cra/gaps").await.expect(404);
    let found = browser.get("/workspace/compliance/dora?search=backup").await.expect(200);
    found.shows("<details class=\"card\" open>");
    browser.get("/workspace/compliance/dora?search=zzzzzz").await.shows("Nothing matches these filters");
}

#[tokio::test]
async fn a_field_of_the_matrix_lists_its_risks() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let page = browser.get("/workspace/risk-register").await.expect(200);
    let field = page.between("href=\"/workspace/risk-register?likelihood=", "\"").replace("&amp;", "&");
    let narrowed = browser.get(&format!("/workspace/risk-register?likelihood={field}")).await.expect(200);
    let narrowed = narrowed.shows("Only the field:");
    assert!(narrowed.body.len() < page.body.len());
    browser.get("/workspace/risk-register?rating=inherent").await.shows("&amp;rating=inherent");
}

#[tokio::test]
async fn a_drill_has_its_injects_tasks_and_clocks() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let page = browser.get("/workspace/drills/drill-ransomware-core-banking").await.expect(200);
    let page = page.shows("Minute 100").shows("1:40").shows("Reporting clocks it starts");
    page.shows("Success criteria").shows("class=\"bars\"");
}

#[tokio::test]
async fn the_timeline_is_a_band_of_years() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let page = browser.get("/workspace/timeline?framework=dora").await.expect(200);
    page.shows("class=\"band\"").shows(">2025</text>").shows("Today").shows("Milestones by status");
    browser
        .get("/workspace/timeline?search=zzzzzz")
        .await
        .shows("Nothing matches these filters")
        .lacks("band-mark");
}
