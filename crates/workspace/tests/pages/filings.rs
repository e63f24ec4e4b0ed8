//! Filings of the register: frozen, compared, with feedback, and submitted by another person.

use domain::user::Role;

use crate::{House, browser::Browser};

const LIST: &str = "/workspace/register/filings";
const SENDER: &str = "/workspace/register/B_01.01";

pub(crate) async fn add_sender(browser: &mut Browser) {
    let row = [
        ("c0010", "529900TIDEWALLBANK74"),
        ("c0020", "North Bank AG"),
        ("c0030", "eba_GA:DE"),
        ("c0040", "eba_CT:x12"),
        ("c0050", "BaFin"),
        ("c0060", "2025-12-31"),
    ];
    browser.submit(&format!("{SENDER}/new"), SENDER, &row).await.expect(303);
}

pub(crate) async fn freeze(browser: &mut Browser) -> String {
    let fields = [
        ("scope", "individual"),
        ("reference_date", "2025-12-31"),
        ("country", ""),
        ("owner", "Ida Braun"),
        ("due_on", "2027-03-31"),
    ];
    let made = browser.submit(LIST, LIST, &fields).await.expect(303);
    made.location().split('?').next().unwrap().to_owned()
}

#[tokio::test]
async fn one_person_freezes_and_another_submits() {
    let house = House::new().await;
    let mut first = house.signed_in(Role::Manager).await;
    first.get(LIST).await.expect(200).shows("No filing yet");
    // Without a sender there is nothing to freeze, and the page says why.
    first.submit(LIST, LIST, &[("scope", "individual")]).await.expect(422).shows("add a row to B_01.01");
    add_sender(&mut first).await;
    let address = freeze(&mut first).await;
    let page = first.get(&address).await.expect(200).shows("Ida Braun").shows("Mark as submitted");
    page.shows("529900TIDEWALLBANK74.IND_DE_DORA010100_DORA_2025-12-31_").shows("Download package");
    let file = first.fetch(&format!("{address}/package")).await.expect(200);
    drop(file);
    let refused = first.submit(&address, &format!("{address}/move"), &[("status", "submitted")]).await;
    refused.expect(422).shows("another person must check it");
    let mut second = house.signed_in(Role::Administrator).await;
    second
        .submit(&address, &format!("{address}/move"), &[("status", "submitted"), ("note", "Sent by portal")])
        .await
        .expect(303);
    second.get(&address).await.shows("Sent by portal").shows("Accepted by the authority");
    second.submit(&address, &format!("{address}/move"), &[("status", "accepted")]).await.expect(303);
    second.get("/workspace/register").await.shows("Last filing").shows("Accepted");
}

#[tokio::test]
async fn a_notice_names_the_package_of_the_filing() {
    let house = House::new().await;
    house.add(&house.north, "ida@north.example", Role::Manager).await;
    let mut browser = house.signed_in(Role::Manager).await;
    add_sender(&mut browser).await;
    let address = freeze(&mut browser).await;
    let fields = [("owner", "ida@north.example"), ("due_on", "2027-03-31")];
    browser.submit(&address, &address, &fields).await.expect(303);
    let mut ida = house.browser().signed_in("ida@north.example", crate::PASSWORD).await;
    let notice = ida.get("/workspace/inbox").await.expect(200);
    let link = notice.between("href=\"/workspace/inbox/ntc_", "</a>");
    assert!(link.contains("529900TIDEWALLBANK74.IND_DE_DORA010100_DORA_2025-12-31_"), "{link}");
}

#[tokio::test]
async fn the_due_day_is_among_the_deadlines() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    add_sender(&mut browser).await;
    let address = freeze(&mut browser).await;
    browser.get("/workspace").await.expect(200).shows(&address);
    let fields = [("owner", "Jan Voss"), ("due_on", "")];
    browser.submit(&address, &address, &fields).await.expect(303);
    browser.get(&address).await.shows("<dd>Jan Voss</dd>").lacks("<dd>Ida Braun</dd>").shows("Ida Braun");
    browser.submit(&address, &address, &[("owner", ""), ("due_on", "soon")]).await.expect(422);
}

#[tokio::test]
async fn feedback_is_shown_with_the_filing_and_on_its_row() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    add_sender(&mut browser).await;
    let address = freeze(&mut browser).await;
    let text = "templateCode,rowNumber,columnCode,ruleCode,message,offendingValue\r\n\
                b_01_01,1,c0020,VR_2,<script>alert(1)</script> wrong name,North Bank AG\r\n\
                b_05_01,12,c0010,807,gone,X\r\n";
    let hidden = browser.get(&address).await.hidden();
    let token: Vec<_> = hidden.iter().take(1).map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let path = format!("{address}/feedback");
    browser.upload_raw(&path, &token, text).await.expect(303);
    let page = browser.get(&address).await.shows("wrong name").shows("unknown row 12");
    page.lacks("<script>alert").shows("2 lines, 1 placed on a row");
    browser.get(SENDER).await.shows("wrong name").shows("VR_2").lacks("<script>alert");
    browser.upload_raw(&path, &token, "a,b\r\n1,2\r\n").await.expect(422).shows("templateCode");
}

#[tokio::test]
async fn differences_are_shown_cell_by_cell_and_in_german() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    add_sender(&mut browser).await;
    let address = freeze(&mut browser).await;
    browser.get(&format!("{address}/difference")).await.expect(200).shows("Nothing differs");
    let contract = "/workspace/register/B_02.01";
    let row = [("c0010", "C-1"), ("c0020", "eba_CO:x1"), ("c0040", "eba_CU:EUR"), ("c0050", "10")];
    browser.submit(&format!("{contract}/new"), contract, &row).await.expect(303);
    browser.get(&format!("{address}/difference")).await.shows("1 row differs").shows("C-1").shows("Added");
    let german = browser.with("accept-language", "de").get(&format!("{address}/difference?lang=de")).await;
    german.expect(200);
    browser.get(&format!("{LIST}/fil_00000000000000000000000000")).await.expect(404);
    browser.submit(&address, &format!("{address}/delete"), &[]).await.expect(303);
    browser.get(&address).await.expect(404);
}

#[tokio::test]
async fn people_who_only_read_see_filings_and_change_none() {
    let house = House::new().await;
    let mut manager = house.signed_in(Role::Manager).await;
    add_sender(&mut manager).await;
    let address = freeze(&mut manager).await;
    let mut reader = house.signed_in(Role::Viewer).await;
    reader.get(LIST).await.expect(200).lacks("Freeze the register");
    reader.get(&address).await.expect(200).lacks("Mark as submitted").lacks("Read feedback");
}
