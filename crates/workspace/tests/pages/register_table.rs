//! The register as a workbook and as an editable table.

use domain::user::Role;

use crate::{House, browser::Browser};

const PAGE: &str = "/workspace/register";
const CONTRACTS: &str = "/workspace/register/B_02.01";
const TABLE: &str = "/workspace/register/B_02.01/table";

async fn add(browser: &mut Browser, reference: &str, cost: &str) {
    let row = [("c0010", reference), ("c0020", "eba_CO:x1"), ("c0040", "eba_CU:EUR"), ("c0050", cost)];
    browser.submit(&format!("{CONTRACTS}/new"), CONTRACTS, &row).await.expect(303);
}

/// The id field of a row of the table.
fn id(page: &crate::browser::Page, number: usize) -> String {
    page.between(&format!("name=\"id.{number}\" value=\""), "\"").to_owned()
}

#[tokio::test]
async fn many_cells_are_saved_in_one_request_or_not_at_all() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    add(&mut browser, "C-1", "10").await;
    add(&mut browser, "C-2", "many").await;
    let page = browser.get(TABLE).await.expect(200).shows("Row 2").shows("New row 3");
    let page = page.shows("is not a plain number").shows("value=\"eba_CO:x1\"").shows("<datalist");
    let (one, two) = (id(&page, 0), id(&page, 1));
    let fields = [
        ("id.0", one.as_str()),
        ("0.c0050", "11"),
        ("id.1", two.as_str()),
        ("1.c0050", "12"),
        ("id.2", "new"),
        ("2.c0010", "C-3"),
        ("id.3", "new"),
        ("3.c0010", ""),
    ];
    let saved = browser.submit(TABLE, TABLE, &fields).await.expect(303);
    assert_eq!(saved.location(), format!("{TABLE}?done=saved"));
    let page = browser.get(&format!("{TABLE}?done=saved")).await.shows("The cells were saved.");
    let page = page.shows("value=\"11\"").shows("value=\"12\"").shows("value=\"C-3\"").shows("3 rows");
    // The digests no longer match the rows: nothing is stored, and the entries stay.
    let three = id(&page, 2);
    let stale = [("id.0", one.as_str()), ("0.c0050", "99"), ("id.2", three.as_str()), ("2.c0050", "98")];
    let refused = browser.submit(TABLE, TABLE, &stale).await.expect(422);
    refused
        .shows("was changed meanwhile")
        .shows("value=\"99\"")
        .shows("data-was=\"11\"")
        .shows("value=\"98\"");
    browser.get(TABLE).await.shows("value=\"11\"").lacks("value=\"98\"").lacks("value=\"99\"");
    // A row that is emptied is removed.
    let (cells, id) = (["c0010", "c0020", "c0030", "c0040", "c0050"], three);
    let names: Vec<_> = cells.iter().map(|code| format!("2.{code}")).collect();
    let mut empty = vec![("id.2", id.as_str())];
    empty.extend(names.iter().map(|name| (name.as_str(), "")));
    browser.submit(TABLE, TABLE, &empty).await.expect(303);
    browser.get(TABLE).await.shows("2 rows").lacks("C-3");
    browser.submit(TABLE, TABLE, &empty).await.expect(422).shows("was removed meanwhile");
}

#[tokio::test]
async fn cells_are_checked_without_being_saved() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    add(&mut browser, "C-1", "10").await;
    // Without a sender the register itself is refused.
    let page = browser.get(TABLE).await.lacks("is not a plain number").shows("This template: 0 refused");
    let one = id(&page.shows("Whole register: 1 refused"), 0);
    let fields =
        [("id.0", one.as_str()), ("0.c0050", "many"), ("id.1", "new"), ("1.c0010", "C-1"), ("step", "check")];
    let page = browser.submit(TABLE, TABLE, &fields).await.expect(200).shows("Checked, nothing was saved");
    let page = page.shows("is not a plain number").shows("stands in an earlier row").shows("value=\"many\"");
    page.shows("This template: 2 refused").shows("Whole register: 3 refused");
    browser.get(TABLE).await.shows("value=\"10\"").shows("1 row").lacks("value=\"many\"");
    let control = [("id.0", one.as_str()), ("0.c0010", "a\u{1}b")];
    browser.submit(TABLE, TABLE, &control).await.expect(422).shows("Nothing was saved").shows("#r-0");
    browser.submit(TABLE, TABLE, &[("id.0", "row_1:x")]).await.expect(422);
}

#[tokio::test]
async fn rows_are_filtered_by_the_text_of_a_column_and_by_problems() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    add(&mut browser, "Alpha", "10").await;
    add(&mut browser, "Beta", "many").await;
    browser.get(&format!("{TABLE}?search=ALPHA")).await.shows("value=\"Alpha\"").lacks("value=\"Beta\"");
    browser
        .get(&format!("{TABLE}?search=many&column=c0050"))
        .await
        .shows("value=\"Beta\"")
        .lacks("value=\"Alpha\"");
    browser.get(&format!("{TABLE}?search=many&column=c0010")).await.shows("No row fits");
    browser.get(&format!("{TABLE}?problems=1")).await.shows("value=\"Beta\"").lacks("value=\"Alpha\"");
    let one = id(&browser.get(&format!("{TABLE}?problems=1")).await, 0);
    let at = format!("{TABLE}?problems=1");
    let saved = browser.submit(&at, &at, &[("id.0", one.as_str()), ("0.c0050", "5")]).await.expect(303);
    assert_eq!(saved.location(), format!("{TABLE}?problems=1&done=saved"), "the filter stays");
}

#[tokio::test]
async fn line_ends_in_a_cell_survive_the_table() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    add(&mut browser, "two\nlines", "10").await;
    let one = id(&browser.get(TABLE).await.shows("<textarea"), 0);
    let same = [("id.0", one.as_str()), ("0.c0010", "two\r\nlines"), ("0.c0050", "11")];
    browser.submit(TABLE, TABLE, &same).await.expect(303);
    browser.get(&format!("{PAGE}/export/B_02.01")).await.shows("\"two\nlines\",eba_CO:x1,,eba_CU:EUR,11");
}

#[tokio::test]
async fn only_people_who_write_get_the_table_and_the_import() {
    let house = House::new().await;
    let mut reader = house.signed_in(Role::Viewer).await;
    reader.get(TABLE).await.expect(403);
    reader.get(&format!("{PAGE}/import")).await.expect(403);
    reader.fetch(&format!("{PAGE}/export/xlsx")).await.expect(200);
    let list = reader.get(CONTRACTS).await.expect(200);
    assert!(!list.between("<main", "</main>").contains("/table"));
}

#[tokio::test]
async fn a_file_is_checked_and_then_imported() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let import = format!("{PAGE}/import");
    browser.get(PAGE).await.shows(&import).shows("Workbook (XLSX)");
    let table = "c0010,c0020,c0030,c0040,c0050\r\nC-1,eba_CO:x1,,eba_CU:EUR,many\r\n";
    let fields = [("template", "B_02.01"), ("step", "check")];
    let page = browser.upload(&import, &fields, table).await.expect(200).shows("The file can be read");
    page.shows("row 2 of the file").shows("is not a plain number").shows("Import this file");
    browser.get(CONTRACTS).await.shows("No rows yet");
    let fields = [("template", "B_02.01"), ("step", "import")];
    browser
        .upload(&import, &fields, table)
        .await
        .expect(200)
        .shows("The file was imported")
        .shows("B_02.01: 1 row");
    browser.get(CONTRACTS).await.shows("C-1");
    let wrong = browser.upload(&import, &fields, "c0010,c0999\r\nx,y\r\n").await.expect(422);
    wrong.shows("The file was not imported").shows("no column").shows("801");
    browser.upload(&import, &[("step", "check")], table).await.expect(422);
    let mut german = browser.with("accept-language", "de");
    german.get(&format!("{import}?lang=de")).await.expect(200);
}

#[tokio::test]
async fn what_changed_since_the_last_filing_can_be_taken_along() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let sender = "/workspace/register/B_01.01";
    let row = [("c0010", "529900TIDEWALLBANK74"), ("c0030", "eba_GA:DE")];
    browser.submit(&format!("{sender}/new"), sender, &row).await.expect(303);
    let filings = "/workspace/register/filings";
    let made = browser.submit(filings, filings, &[("scope", "individual")]).await.expect(303);
    let filing = made.location().split('?').next().unwrap().to_owned();
    add(&mut browser, "C-1", "10").await;
    browser
        .get(PAGE)
        .await
        .shows("What changed since the last filing")
        .shows(&format!("{filing}/difference"));
    browser.get(&format!("{filing}/difference")).await.shows("difference.csv").shows("difference.xlsx");
    let table = browser.get(&format!("{filing}/difference.csv")).await.expect(200);
    table.shows("B_02.01,added,C-1,c0050,").shows("template,change,key");
    let book = browser.fetch(&format!("{filing}/difference.xlsx?template=B_02.01")).await.expect(200);
    assert!(book.bytes.starts_with(b"PK"));
}
