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

#[tokio::test]
async fn a_test_names_its_functions_and_pages_say_how_many_name_none() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let fields = [("name", "2027"), ("framework", "dora"), ("functions", "Payments\nLending")];
    let programme = create(&mut browser, "/workspace/programmes", &fields).await;
    let id = programme.rsplit('/').next().unwrap();
    let form = browser.get(&format!("/workspace/test-cases/new?programme_id={id}")).await;
    form.shows("<option value=\"Lending\">").shows("Functions tested");
    let test = |functions| {
        [
            ("programme_id", id),
            ("title", "Restore"),
            ("test_type", "tlpt"),
            ("priority", "low"),
            ("functions", functions),
        ]
    };
    let named = create(&mut browser, "/workspace/test-cases", &test("payments")).await;
    browser.get(&named).await.shows("<dd>Payments</dd>");
    browser.get(&format!("{named}/edit")).await.shows("value=\"Payments\"");
    browser.get(&programme).await.lacks("no function");
    let nameless = create(&mut browser, "/workspace/test-cases", &test("")).await;
    browser.get(&nameless).await.shows("None; the test counts for no function");
    browser.get(&programme).await.shows("1 test names no function and counts for none.");
    browser.get("/workspace?widgets=all").await.shows("1 test names no function and counts for none.");
    let refused =
        browser.submit(&format!("{nameless}/edit"), &nameless, &[("functions", "Canteen")]).await.expect(422);
    refused.shows("must be a function of the test");
    browser.get("/workspace/test-cases.csv").await.shows("Payments");
    let list = browser.get("/workspace/functions").await;
    list.shows("Payments");
}
