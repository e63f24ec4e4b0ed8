//! Exporting and importing findings: our own export, sources, and files that cannot be imported.

use domain::user::Role;

use crate::{House, records::create};

const LIST: &str = "/workspace/findings";
const IMPORT: &str = "/workspace/findings/import";

#[tokio::test]
async fn an_export_comes_in_again_and_changes_what_was_changed_in_it() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let programme =
        create(&mut browser, "/workspace/programmes", &[("name", "Yearly"), ("framework", "dora")]).await;
    let id = programme.rsplit('/').next().unwrap();
    let fields = [
        ("title", "=1+1"),
        ("severity", "low"),
        ("programme_id", id),
        ("cvss", "5,5"),
        ("description", "One line\nand another"),
    ];
    let first = create(&mut browser, LIST, &fields).await;
    // Two equal findings are still two.
    for _ in 0..2 {
        create(&mut browser, LIST, &[("title", "Twin"), ("severity", "medium")]).await;
    }
    let closed = create(&mut browser, LIST, &[("title", "Closed"), ("severity", "low")]).await;
    browser.submit(&closed, &format!("{closed}/move"), &[("status", "false_positive")]).await.expect(303);
    let table = browser.get(&format!("{LIST}.csv?status=all")).await.expect(200).body;
    assert!(table.contains("'=1+1") && table.contains(id), "{table}");

    let page =
        browser.upload(IMPORT, &[("step", "import"), ("close_missing", "1")], &table).await.expect(200);
    let page = page.shows("<dt>Unchanged</dt><dd>4</dd>");
    page.lacks("<dt>New</dt>")
        .lacks("<dt>Changed</dt>")
        .lacks("<dt>Closed</dt>")
        .lacks("<dt>Opened again</dt>");
    browser.get(&first).await.shows("=1+1").lacks("'=1+1");

    let changed = table.replacen("Closed,low", "Closed,high", 1);
    assert_ne!(changed, table);
    let page = browser.upload(IMPORT, &[("step", "check")], &changed).await.expect(200);
    let lines = page.between("What happens</caption>", "</table>").to_owned();
    let line = lines.split("<tr").find(|line| line.contains("Closed<")).unwrap();
    assert!(line.contains("Changed") && line.contains("Severity") && line.contains(&closed), "{line}");
    browser
        .upload(IMPORT, &[("step", "import")], &changed)
        .await
        .expect(200)
        .shows("<dt>Changed</dt><dd>1</dd>");
    browser.get(&closed).await.shows("High").shows("False positive");
    browser.get(&format!("{LIST}?status=all&search=twin")).await.shows("F-2026-0002").shows("F-2026-0003");
}

#[tokio::test]
async fn a_reference_alone_names_a_finding_and_an_unknown_one_is_new() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let finding = create(&mut browser, LIST, &[("title", "Old"), ("severity", "low")]).await;
    let file = "reference,title,severity\nF-2026-0001,Renamed,high\nF-2031-0007,From elsewhere,low\n";
    let page = browser.upload(IMPORT, &[("step", "import")], file).await.expect(200);
    page.shows("<dt>New</dt><dd>1</dd>").shows("<dt>Changed</dt><dd>1</dd>");
    browser.get(&finding).await.shows("Renamed").shows("F-2026-0001");
    let page = browser.upload(IMPORT, &[("step", "import")], file).await.expect(200);
    page.shows("<dt>Unchanged</dt><dd>2</dd>");
    let wrong = "reference,title,severity,programme_id\nF-1,A,low,\n,B,low,prg_01k9x14js0e00000000000000a\n";
    let page = browser.upload(IMPORT, &[("step", "check")], wrong).await.expect(422);
    page.shows("reference").shows("must be the id of one of your programmes");
}

#[tokio::test]
async fn what_is_missing_is_closed_within_its_source_only() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let import = async |browser: &mut crate::browser::Browser, source: &str, close: bool, file: &str| {
        let mut fields = vec![("step", "import"), ("source", source)];
        if close {
            fields.push(("close_missing", "1"));
        }
        browser.upload(IMPORT, &fields, file).await.expect(200)
    };
    browser.get(IMPORT).await.shows("of this source, and of no other");
    let pentest = "external_id,title,severity\n1,Open port,high\n2,Old TLS,low\n";
    let audit = "external_id,title,severity\n1,No owner,high\n";
    import(&mut browser, "Pentest", false, pentest).await.shows("<dt>New</dt><dd>2</dd>");
    // The same number in another source is another finding.
    import(&mut browser, "Audit", true, audit).await.shows("<dt>New</dt><dd>1</dd>").lacks("<dt>Closed</dt>");
    import(&mut browser, "", true, "external_id,title,severity\n9,By hand,low\n")
        .await
        .lacks("<dt>Closed</dt>");
    let less = "external_id,title,severity\n1,Open port,high\n";
    import(&mut browser, "Pentest", true, less).await.shows("<dt>Closed</dt><dd>1</dd>");
    let page = browser.get(LIST).await.shows("Open port").shows("No owner").shows("By hand");
    page.lacks("Old TLS");
    let page = browser.upload(IMPORT, &[("step", "check"), ("source", "x\u{7}")], less).await.expect(422);
    page.shows("must not contain control characters");
}

#[tokio::test]
async fn the_page_offers_a_template_and_names_the_remedy_for_other_files() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = browser.get(IMPORT).await.shows("/workspace/findings/template.csv");
    page.shows("The columns of the table").shows("<code>external_id</code>").shows("<code>reference</code>");
    let template = browser.get("/workspace/findings/template.csv").await.expect(200);
    assert!(template.headers["content-disposition"].to_str().unwrap().contains("findings-template.csv"));
    browser
        .upload(IMPORT, &[("step", "check")], &template.body)
        .await
        .expect(200)
        .shows("<dt>New</dt><dd>1</dd>");
    for (file, remedy) in [
        ("PK\u{3}\u{4}....[Content_Types].xml", "is an Excel workbook: save it as CSV"),
        ("PK\u{3}\u{4}report.csv", "is packed: unpack it"),
        ("<?xml version=\"1.0\"?><NessusClientData_v2>", "is XML, which is not read: the formats are CSV"),
    ] {
        browser.upload(IMPORT, &[("step", "check")], file).await.expect(422).shows(remedy);
    }
    let mut german = browser.with("accept-language", "de");
    german.get(IMPORT).await.shows("Die Spalten der Tabelle").shows("Eine Zeile mit höchstens 255 Zeichen");
    let page = german.upload(IMPORT, &[("step", "check")], "PK\u{3}\u{4}xl/workbook.xml").await.expect(422);
    page.shows("ist eine Excel-Arbeitsmappe");
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get("/workspace/findings/template.csv").await.expect(403);
}
