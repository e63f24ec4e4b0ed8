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
    let requirement = format!("/workspace/compliance/dora/{}", framework.between("/workspace/compliance/dora/", "\""));
    let page = browser.get(&requirement).await.expect(200);
    let measure = format!("/workspace/compliance/measures/{}", page.between("/workspace/compliance/measures/", "\""));
    browser.get(&measure).await.expect(200).shows("Evidence").shows(&requirement);
    for missing in ["/workspace/compliance/nothing", "/workspace/compliance/dora/nothing", "/workspace/compliance/measures/x"] {
        browser.get(missing).await.expect(404);
    }
}

#[tokio::test]
async fn lists_lead_to_details_and_filters_narrow() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    for list in ["/workspace/risk-register", "/workspace/drills", "/workspace/vendor-scorecard"] {
        let page = browser.get(list).await.expect(200);
        let detail = format!("{list}/{}", page.between(&format!("href=\"{list}/"), "\""));
        browser.get(&detail).await.expect(200);
        browser.get(&format!("{list}/nothing")).await.expect(404);
        browser.get(&format!("{list}?search=zzzzzz")).await.shows("Nothing fits these filters");
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
