//! Functions: listed, created, changed and deleted.

use domain::user::Role;

use crate::{House, records::create};

const FUNCTIONS: &str = "/workspace/functions";

#[tokio::test]
async fn functions_are_made_by_hand_and_by_what_names_them() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(FUNCTIONS).await.shows("No functions yet");
    let fields = [("name", "Payments"), ("rto_minutes", "240"), ("criticality", "critical_or_important")];
    let address = create(&mut browser, FUNCTIONS, &fields).await;
    browser.get(&address).await.shows("F1").shows("240 minutes").shows("Critical or important");
    let programme = [("name", "2027"), ("framework", "dora"), ("functions", "Payments\nLending")];
    create(&mut browser, "/workspace/programmes", &programme).await;
    browser.get(&format!("{FUNCTIONS}?search=lend")).await.shows("Lending").shows("F2").lacks("Payments</a>");
    let table = browser.get(&format!("{FUNCTIONS}.csv")).await.expect(200);
    table.shows("F1,Payments").shows("critical_or_important");
    let edit = format!("{address}/edit");
    let wrong =
        browser.submit(&edit, &address, &[("name", "Giro"), ("rto_minutes", "240")]).await.expect(422);
    wrong.shows("href=\"#name\"").shows("(1)");
    browser.submit(&edit, &address, &[("name", "Payments"), ("owner", "Jo")]).await.expect(303);
    browser.get(&address).await.shows("Jo");
    browser.submit(&address, &format!("{address}/delete"), &[]).await.expect(422);
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(&address).await.shows("Payments").lacks("/edit");
}
