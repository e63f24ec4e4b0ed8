//! Thresholds.

use domain::user::Role;

use crate::House;

const FIELDS: [(&str, &str); 5] = [
    ("provider_concentration_pct", "31"),
    ("sector_concentration_pct", "41"),
    ("regional_concentration_pct", "51"),
    ("technology_concentration_pct", "34"),
    ("review_frequency_days", "180"),
];

#[tokio::test]
async fn thresholds_are_changed_for_the_api_too() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let saved = browser.submit("/workspace/settings", "/workspace/settings", &FIELDS).await.expect(303);
    browser.get(saved.location()).await.shows("The thresholds are saved.").shows("value=\"31\"");
    let key = house.test.key(&house.north, "read").await;
    let seen = house.test.client(&key).get("/api/v1/concentration-risk/thresholds").await.expect(200).data();
    assert_eq!((&seen["provider_concentration_pct"], &seen["enabled"]), (&31.into(), &false.into()));
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get("/workspace/settings").await.shows("31 %").lacks("name=\"provider_concentration_pct\"");
}

#[tokio::test]
async fn the_rest_of_the_settings_is_told_and_changed_by_administrators() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let page = browser.get("/workspace/settings").await.shows("30, 14, 7, 1 days before");
    page.shows("12, 4, 1 hours before").shows("Mail").shows("value=\"EUR\"");
    let (page, path) = ("/workspace/settings", "/workspace/settings/currency");
    browser.submit(page, path, &[("currency", "chf")]).await.expect(303);
    browser
        .get("/workspace/settings?done=currency")
        .await
        .shows("The currency is saved.")
        .shows("value=\"CHF\"");
    let wrong = browser.submit(page, path, &[("currency", "gold")]).await.expect(422);
    wrong.shows("href=\"#currency\"").shows("value=\"gold\"").shows("value=\"25\"");
    let mut manager = house.signed_in(Role::Manager).await;
    manager.get(page).await.shows("CHF").lacks("name=\"currency\"");
    manager.submit("/workspace", path, &[("currency", "USD")]).await.expect(403);
}

#[tokio::test]
async fn numbers_out_of_range_are_refused_and_kept_for_correction() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut fields = FIELDS;
    fields[0].1 = "101";
    fields[4].1 = "often";
    let page = browser.submit("/workspace/settings", "/workspace/settings", &fields).await.expect(422);
    page.shows("must be a whole number from 1 to 100").shows("value=\"101\"").shows("value=\"often\"");
}
