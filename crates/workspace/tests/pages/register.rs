//! The register of information in its official form: templates, rows with their problems, the package.

use domain::user::Role;

use crate::House;

const PAGE: &str = "/workspace/register";
const CONTRACTS: &str = "/workspace/register/B_02.01";

const ROW: [(&str, &str); 5] =
    [("c0010", "C-1"), ("c0020", "eba_CO:x1"), ("c0030", ""), ("c0040", "eba_CU:EUR"), ("c0050", "many")];

#[tokio::test]
async fn a_row_is_added_corrected_and_removed() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get(PAGE).await.expect(200).shows("0 %").shows("B_99.01").shows("List of branches");
    browser.get(CONTRACTS).await.shows("No rows yet");
    browser.get(&format!("{CONTRACTS}/new")).await.shows("Standalone arrangement (eba_CO:x1)");
    browser.submit(&format!("{CONTRACTS}/new"), CONTRACTS, &ROW).await.expect(303);
    let list =
        browser.get(CONTRACTS).await.shows("C-1").shows("Standalone arrangement").shows("Would be refused");
    list.shows("is not a plain number with a full stop").shows("write the amount in units");
    let problems = browser.get(&format!("{PAGE}/problems?severity=refused")).await.shows("305").shows("714");
    let cell = problems.between("/workspace/register/B_02.01/row_", "\"").to_owned();
    let address = format!("{CONTRACTS}/row_{}", cell.split('#').next().unwrap());
    assert!(cell.ends_with("#c0050"), "{cell}");
    let mut right = ROW;
    right[4].1 = "1000";
    browser.get(&address).await.shows("value=\"many\"");
    browser.submit(&address, &address, &right).await.expect(303);
    let list = browser.get(CONTRACTS).await.shows("1000");
    assert!(!list.between("<main", "</main>").contains("Would be refused"));
    // Without a sender there is no package, and the page says why.
    browser.get(&format!("{PAGE}/export/individual")).await.expect(422).shows("add a row to B_01.01");
    browser.get(&format!("{PAGE}/export/B_02.01")).await.expect(200).shows("C-1,eba_CO:x1,,eba_CU:EUR,1000");
    browser.submit(&address, &format!("{address}/delete"), &[]).await.expect(303);
    browser.get(&address).await.expect(404);
    browser.get(&format!("{PAGE}/B_09.01")).await.expect(404);
}

#[tokio::test]
async fn people_who_only_read_see_rows_and_change_none() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    manager.submit(&format!("{CONTRACTS}/new"), CONTRACTS, &ROW).await.expect(303);
    let mut reader = house.signed_in(Role::Viewer).await;
    let list = reader.get(CONTRACTS).await.expect(200).shows("C-1");
    assert!(!list.between("<main", "</main>").contains("/new"));
    reader.get(&format!("{CONTRACTS}/new")).await.expect(403);
    reader.get(PAGE).await.expect(200);
}
