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
    browser
        .get(PAGE)
        .await
        .expect(200)
        .shows("There are no rows yet.")
        .shows("B_99.01")
        .shows("List of branches");
    browser.get(CONTRACTS).await.shows("No rows yet");
    browser.get(&format!("{CONTRACTS}/new")).await.shows("Standalone arrangement (eba_CO:x1)");
    browser.submit(&format!("{CONTRACTS}/new"), CONTRACTS, &ROW).await.expect(303);
    // One refusal refuses the whole file, so that no share of good rows is shown.
    browser.get(PAGE).await.shows("Not ready: ").shows(" to fix. A single refusal").lacks(" %<");
    let list =
        browser.get(CONTRACTS).await.shows("C-1").shows("Standalone arrangement").shows("Would be refused");
    list.shows("is not a plain number with a full stop").shows("write the amount in units");
    let problems = browser.get(&format!("{PAGE}/problems?severity=refused")).await.shows("305").shows("714");
    let problems = problems.shows("<span class=\"quiet\">C-1</span>");
    let cell = problems.between("/workspace/register/B_02.01/row_", "\"").to_owned();
    let address = format!("{CONTRACTS}/row_{}", cell.split('#').next().unwrap());
    assert!(cell.ends_with("#c0050"), "{cell}");
    let mut right = ROW;
    right[4].1 = "1000";
    let form = browser.get(&address).await.shows("value=\"many\"");
    form.shows("is not a plain number with a full stop").shows("write the amount in units");
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

/// Two rows with the same fault are told apart by the name of the provider, and the field of the cell says it again.
#[tokio::test]
async fn a_problem_names_the_provider_and_stands_at_its_cell() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let providers = format!("{PAGE}/B_05.01");
    for (number, name) in [("DEX1.HRB1", "Nordlicht AG"), ("DEX1.HRB2", "Sonnenhof SE")] {
        let row = [("c0010", number), ("c0020", "eba_qCO:qx2002"), ("c0050", name), ("c0110", "LEI?")];
        browser.submit(&format!("{providers}/new"), &providers, &row).await.expect(303);
    }
    let problems = browser.get(&format!("{PAGE}/problems?template=B_05.01")).await;
    let page = problems.shows("Nordlicht AG / DEX1.HRB1").shows("Sonnenhof SE / DEX1.HRB2");
    let link = page.between("/workspace/register/B_05.01/row_", "\"").to_owned();
    let (row, column) = link.split_once('#').unwrap();
    let form = browser.get(&format!("{providers}/row_{row}")).await.expect(200);
    // The message is between the field of its cell and the next one.
    let field = form.between(&format!("name=\"{column}\""), "<label");
    assert!(field.contains("field-problem"), "{field}");
    form.shows("/ DEX1.HRB");
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

#[tokio::test]
async fn a_workbook_is_checked_and_imported_by_its_form() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.submit(&format!("{CONTRACTS}/new"), CONTRACTS, &ROW).await.expect(303);
    let book = browser.fetch(&format!("{PAGE}/export/xlsx")).await.expect(200).bytes;
    let row = browser.get(CONTRACTS).await.between("/workspace/register/B_02.01/row_", "\"").to_owned();
    let address = format!("{CONTRACTS}/row_{}", row.split('#').next().unwrap());
    browser.submit(&address, &format!("{address}/delete"), &[]).await.expect(303);
    browser.get(CONTRACTS).await.shows("No rows yet");
    let form = format!("{PAGE}/import");
    let (name, value) = browser.get(&form).await.hidden()[0].clone();
    let fields = [(name.as_str(), value.as_str()), ("template", ""), ("step", "check")];
    let checked = browser.upload_bytes(&form, &fields, "register.xlsx", &book).await.expect(200);
    checked.shows("The file can be read").shows("B_02.01: 1 row");
    browser.get(CONTRACTS).await.shows("No rows yet");
    let fields = [(name.as_str(), value.as_str()), ("template", ""), ("step", "import")];
    browser.upload_bytes(&form, &fields, "register.xlsx", &book).await.expect(200).shows("was imported");
    browser.get(CONTRACTS).await.shows("C-1");
    let no_workbook = browser.upload_bytes(&form, &fields, "register.xlsx", &[0; 64]).await.expect(422);
    no_workbook.shows("is no workbook");
}

#[tokio::test]
async fn a_file_of_several_mebibytes_is_read() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut table = "c0010,c0020,c0030,c0040,c0050\n".to_owned();
    for number in 0..60_000 {
        table += "C-";
        table += &number.to_string();
        table += ",eba_CO:x1,,eba_CU:EUR,00000001.00\n";
    }
    assert!(table.len() > 2 * 1024 * 1024);
    let fields = [("template", "B_02.01"), ("step", "check")];
    let checked = browser.upload(&format!("{PAGE}/import"), &fields, &table).await.expect(200);
    checked.shows("B_02.01: 60000 rows");
}

#[tokio::test]
async fn arrangements_are_taken_over_with_one_press() {
    let house = House::new().await;
    let client = house.test.client(&house.test.key(&house.north, "read,write").await);
    let sender = serde_json::json!({ "cells": { "c0010": "529900TIDEWALLBANK74", "c0030": "eba_GA:DE" } });
    client.post("/api/v1/register/B_01.01/rows", &sender).await.expect(201);
    let arrangement = serde_json::json!({
        "reference": "C-1", "provider": { "name": "Nordlicht <b>", "country": "DE", "sector": "Cloud" },
        "service": "Payment platform", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01", "annual_cost": { "amount": 100, "currency": "EUR" },
        "functions": [{ "name": "Payments", "critical": true }],
    });
    client.post("/api/v1/ict-arrangements", &arrangement).await.expect(201);
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(PAGE).await.shows("stand in no template: 1").lacks("Take over into the templates");
    let mut browser = house.signed_in(Role::Manager).await;
    browser
        .get(PAGE)
        .await
        .shows("Not ready: arrangements are without rows.")
        .shows("Take over into the templates");
    let done = browser.submit(PAGE, &format!("{PAGE}/take-over"), &[]).await.expect(200);
    done.shows("1 arrangement was left out").shows("Nordlicht &lt;b&gt;");
    let company = [("c0010", "DEX1.HRB1"), ("c0020", "eba_qCO:qx2002"), ("c0050", "Nordlicht <b>")];
    let providers = format!("{PAGE}/B_05.01");
    browser.submit(&format!("{providers}/new"), &providers, &company).await.expect(303);
    let done = browser.submit(PAGE, &format!("{PAGE}/take-over"), &[]).await.expect(200);
    done.shows("1 arrangement got").lacks("Take over into the templates");
    browser.get(CONTRACTS).await.shows("C-1");
    // The register lists more companies than there are providers, and both pages say why.
    browser.get("/workspace/providers").await.shows("1 provider").lacks("B_05.01 lists");
    let parent = [("c0010", "DEX1.HRB2"), ("c0020", "eba_qCO:qx2002"), ("c0050", "Nordlicht Holding")];
    browser.submit(&format!("{providers}/new"), &providers, &parent).await.expect(303);
    for page in [PAGE, "/workspace/providers"] {
        browser
            .get(page)
            .await
            .shows("B_05.01 lists 2 companies: 1 is a provider of your own contracts, 1 is a parent or subcontractor");
    }
}
