//! The register, its import, and what the analysis says of it.

use domain::user::Role;

use crate::{House, browser::Browser};

const CONTRACT: [(&str, &str); 14] = [
    ("reference", "C-001"),
    ("provider.name", "Alpha Cloud"),
    ("provider.lei", ""),
    ("provider.country", "DE"),
    ("provider.sector", "Cloud"),
    ("service", "Hosting"),
    ("service_type", "S01"),
    ("technology", "Kubernetes"),
    ("region", "Frankfurt"),
    ("functions", "* Payments\nMarketing"),
    ("substitutability", "hard"),
    ("annual_cost.amount", "125000.50"),
    ("annual_cost.currency", "EUR"),
    ("starts_on", "2025-01-01"),
];

async fn enter(browser: &mut Browser) -> String {
    let list = "/workspace/ict-arrangements";
    let made = browser.submit(&format!("{list}/new"), list, &CONTRACT).await.expect(303);
    made.location().strip_suffix("?done=created").unwrap().to_owned()
}

#[tokio::test]
async fn an_arrangement_is_entered_changed_and_analysed() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    browser.get("/workspace/concentration-risk").await.shows("There is no analysis yet");
    let address = enter(&mut browser).await;
    browser.get(&address).await.shows("Alpha Cloud").shows("Payments").shows("Critical");
    let edit = browser.get(&format!("{address}/edit")).await.shows("value=\"125000.50\"").shows("* Payments");
    drop(edit);
    let analysed = browser.submit("/workspace/concentration-risk", "/workspace/concentration-risk", &[]).await;
    let page = browser.get(analysed.expect(303).location()).await.shows("The analysis is made.");
    page.shows("100 %").shows("Alpha Cloud").shows("chart-bar critical");
    let pdf = browser.fetch("/workspace/concentration-risk.pdf").await;
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    let mut second = CONTRACT;
    second[0].1 = "C-002";
    second[1].1 = "Beta Cloud";
    let page = browser
        .submit("/workspace/ict-arrangements/new", "/workspace/concentration-risk/simulate", &second)
        .await
        .expect(200);
    page.shows("Beta Cloud").shows("50 %");
    browser.get("/workspace/ict-arrangements").await.lacks("Beta Cloud");
}

#[tokio::test]
async fn what_is_wrong_with_an_arrangement_is_told_field_by_field() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let mut wrong = CONTRACT;
    wrong[3].1 = "Germany";
    wrong[11].1 = "a lot";
    let list = "/workspace/ict-arrangements";
    let page = browser.submit(&format!("{list}/new"), list, &wrong).await.expect(422);
    page.shows("href=\"#annual_cost.amount\"");
    let mut viewer = house.signed_in(Role::Contributor).await;
    viewer.get("/workspace/ict-arrangements/new").await.expect(403);
}

#[tokio::test]
async fn an_import_is_checked_first_and_told_line_by_line() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let path = "/workspace/ict-arrangements/import";
    let broken = browser.upload(path, &[("step", "check")], "reference\nC-1\n").await.expect(422);
    broken.shows("Nothing was imported");
    let empty = browser.upload(path, &[("step", "import")], "").await.expect(422);
    empty.shows("is empty");
    let forged = browser.upload_raw(path, &[("step", "import"), ("form_token", "x")], "x").await;
    forged.expect(403);
}
