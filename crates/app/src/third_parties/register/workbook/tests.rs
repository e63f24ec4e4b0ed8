//! Workbooks as spreadsheets and other programs write them, and some malicious ones.

use std::io::Write as _;

use domain::register::sheets::SheetRow;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::*;

const TYPE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
/// The date format of style 1 and the padded one of style 2.
const STYLES: &str = "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"00000\"/></numFmts>\
    <cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>";
const STRINGS: &str = "<sst><si><t>c0010</t></si><si><r><t>C</t></r><r><t xml:space=\"preserve\">-1 &amp; x</t></r>\
    <rPh><t>no</t></rPh></si></sst>";

/// The parts of a workbook with these sheets.
fn parts(sheets: &[(&str, &str)]) -> Vec<(String, String)> {
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{TYPE}/{kind}\" Target=\"{target}\"/>")
    };
    let (mut list, mut relations, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (name, data)) in sheets.iter().enumerate() {
        list.push(format!("<sheet name=\"{name}\" sheetId=\"{number}\" r:id=\"r{number}\"/>"));
        let target = format!("worksheets/sheet{number}.xml");
        relations.push(relation(&format!("r{number}"), "worksheet", &target));
        files.push((format!("xl/{target}"), format!("<worksheet>{data}</worksheet>")));
    }
    relations.push(relation("s", "styles", "/xl/styles.xml"));
    relations.push(relation("t", "sharedStrings", "sharedStrings.xml"));
    let (list, relations) = (list.concat(), relations.concat());
    files.push(("xl/workbook.xml".into(), format!("<workbook><sheets>{list}</sheets></workbook>")));
    files.push(("xl/_rels/workbook.xml.rels".into(), format!("<Relationships>{relations}</Relationships>")));
    files.push(("xl/styles.xml".into(), STYLES.into()));
    files.push(("xl/sharedStrings.xml".into(), STRINGS.into()));
    files
}

fn zipped(files: &[(String, String)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn context() -> WorkContext {
    WorkContext::for_tests(std::time::Duration::from_mins(5))
}

fn text(place: &str, value: &str) -> String {
    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{value}</t></is></c>")
}

/// A sheet of `B_03.03`: its three column codes and these rows.
fn sheet(rows: &str) -> String {
    let heads = [text("A1", "c0010"), text("B1", "c0020"), text("C1", "c0031")].concat();
    format!("<sheetData><row r=\"1\">{heads}</row>{rows}</sheetData>")
}

fn read_sheets(sheets: &[(&str, &str)]) -> ReadWorkbook {
    read(Cursor::new(zipped(&parts(sheets))), &context()).unwrap()
}

impl ReadWorkbook {
    pub(in super::super) fn ready(self) -> Incoming {
        match self {
            Self::Ready(incoming) => incoming,
            other => panic!("{other:?}"),
        }
    }

    fn refused(self) -> Vec<Check> {
        match self {
            Self::Refused(checks) => checks,
            other => panic!("{other:?}"),
        }
    }
}

/// The rows of one sheet of `B_03.03`.
fn rows(data: &str) -> Vec<SheetRow> {
    let mut book = read_sheets(&[("B_03.03", data)]).ready();
    book.tables.remove(&Template::SigningMembers).unwrap()
}

fn cells(data: &str) -> Vec<String> {
    rows(data).remove(0).cells.iter().map(ToString::to_string).collect()
}

/// The problems of one sheet of `B_03.03`, as rule, row and message.
fn problems(data: &str) -> Vec<(String, String, String)> {
    let checks = read_sheets(&[("B_03.03", data)]).refused();
    let row = |check: &Check| check.row.as_deref().unwrap_or("").to_owned();
    checks.iter().map(|check| (check.rule.to_owned(), row(check), check.message.to_string())).collect()
}

fn complaint(bytes: Vec<u8>) -> String {
    match read(Cursor::new(bytes), &context()) {
        Err(error) => error.to_string() + &format!("{error:?}"),
        Ok(read) => panic!("{read:?}"),
    }
}

#[test]
fn values_come_as_a_person_sees_them() {
    let row = |cells: &str| sheet(&format!("<row r=\"2\">{cells}</row>"));
    let first = |cell: &str| cells(&row(cell))[0].clone();
    assert_eq!(
        first("<c r=\"A2\" t=\"s\"><v>1</v></c>"),
        "C-1 & x",
        "runs of a shared text, without its sound"
    );
    assert_eq!(first("<c r=\"A2\" s=\"1\"><v>46022</v></c>"), "2025-12-31", "a day");
    assert_eq!(first("<c r=\"A2\" s=\"2\"><v>42</v></c>"), "00042", "with zeros in front");
    assert_eq!(first("<c r=\"A2\"><v>1.2500000000000002E6</v></c>"), "1250000", "a number");
    assert_eq!(first("<c r=\"A2\" t=\"b\"><v>1</v></c>"), "true");
    assert_eq!(first("<c r=\"A2\" t=\"str\"><f>A1</f><v>of a formula</v></c>"), "of a formula");
    assert_eq!(first("<c r=\"A2\"><f>1+1</f><v>2</v></c>"), "2");
    assert_eq!(first("<c r=\"A2\" t=\"d\"><v>2025-12-31T00:00:00</v></c>"), "2025-12-31");
    assert_eq!(first(&text("A2", "=1+1 &#x41;&lt;")), "=1+1 A<");
    assert_eq!(first("<c t=\"inlineStr\"><is><t>without a place</t></is></c>"), "without a place");
}

#[test]
fn hidden_and_blank_rows_and_titles_are_no_surprise() {
    let titles: Vec<_> = Template::SigningMembers.columns().iter().map(|column| column.label().de).collect();
    let titles =
        titles.iter().zip(["A2", "B2", "C2"]).map(|(title, place)| text(place, title)).collect::<String>();
    let data = sheet(&format!(
        "<row r=\"2\">{titles}</row><row r=\"4\" hidden=\"1\">{}</row><row r=\"9\"><c r=\"A9\"/></row>",
        text("A4", "C-1")
    ));
    let rows = rows(&data);
    assert_eq!((rows.len(), &*rows[0].name, &*rows[0].cells[0]), (1, "4", "C-1"));
}

#[test]
fn columns_may_stand_in_another_order() {
    let heads = [text("B1", "c0031"), text("D1", "c0010"), text("E1", "c0020")].concat();
    let row = [text("B2", "true"), text("D2", "C-1")].concat();
    let data = format!("<sheetData><row r=\"1\">{heads}</row><row r=\"2\">{row}</row></sheetData>");
    assert_eq!(cells(&data), ["C-1", "", "true"]);
}

#[test]
fn what_would_be_lost_is_a_problem_with_its_cell() {
    let row = |cells: &str| sheet(&format!("<row r=\"2\">{cells}</row>"));
    for (data, part) in [
        (row("<c r=\"B2\"><f>1+1</f></c>"), "cell B2 holds a formula without a stored result"),
        (row("<c r=\"B2\" t=\"e\"><v>#REF!</v></c>"), "cell B2 shows the error \"#REF!\""),
        (row("<c r=\"B2\"><v>12345678901234567890</v></c>"), "cell B2 holds a number of more than 15 digits"),
        (row("<c r=\"B2\" s=\"1\"><v>46022.5</v></c>"), "cell B2 holds a day with a time"),
        (row("<c r=\"B2\" s=\"1\"><v>60</v></c>"), "cell B2 is formatted as a date, but \"60\" is no day"),
        (row("<c r=\"B2\"><v>x</v></c>"), "cell B2 is stored as a number"),
        (row(&text("F2", "x")), "cell F2 stands below no column code"),
        (row(&text("B2", &"x".repeat(32_768))), "cell B2 holds more than 32767 characters"),
    ] {
        let found = problems(&data);
        assert_eq!(
            (found.len(), found[0].0.as_str(), found[0].1.as_str()),
            (1, "workbook", "2"),
            "{found:?}"
        );
        assert!(found[0].2.contains(part), "{found:?}");
    }
    let merged = format!("{}<mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells>", sheet(""));
    assert!(problems(&merged)[0].2.contains("\"A2:A3\" are merged"));
}

#[test]
fn wrong_headings_are_named() {
    let heads = |cells: &[String]| format!("<sheetData><row r=\"1\">{}</row></sheetData>", cells.concat());
    assert!(problems("<sheetData/>")[0].2.contains("no row with column codes"));
    assert_eq!(problems(&heads(&[text("A1", "c0010"), text("B1", "Name")]))[0].0, "801");
    assert_eq!(problems(&heads(&[text("A1", "c0010"), text("B1", "c0010")]))[0].0, "802");
    let missing = problems(&heads(&[text("A1", "c0010"), text("B1", "c0031")]));
    assert!(missing[0].2.contains("no column c0020"), "{missing:?}");
}

#[test]
fn other_sheets_are_distinguished() {
    let book = read_sheets(&[("Notes", "<sheetData/>"), (" b_03.03 ", &sheet(""))]).ready();
    assert_eq!(book.tables.len(), 1);
    assert_eq!((book.others.len(), book.others[0].severity), (1, Severity::Advice));
    let like = read_sheets(&[("B_09.99", "<sheetData/>"), ("B_03.03", &sheet(""))]).refused();
    assert_eq!(like[0].severity, Severity::Refused);
    let twice = zipped(&parts(&[("B_03.03", &sheet("")), ("b_03_03", &sheet(""))]));
    assert!(complaint(twice).contains("twice"));
    assert!(complaint(zipped(&parts(&[("Sheet1", "<sheetData/>")]))).contains("no sheet of a template"));
}

#[test]
fn damaged_workbooks_are_refused() {
    let row = |cells: &str| sheet(&format!("<row r=\"2\">{cells}</row>"));
    for data in [
        row("<c r=\"B2\"/><c r=\"A2\"/>"),
        row("<c r=\"A3\"/>"),
        row("<c r=\"A2\" t=\"s\"><v>99</v></c>"),
        row("<c r=\"XFE2\"/>"),
        sheet("<row r=\"2\"/><row r=\"2\"/>"),
        sheet("<row r=\"1048577\"/>"),
        sheet("<row r=\"2\"><c r=\"A2\" t=\"str\"><v>&other;</v></c></row>"),
        "<sheetData><row r=\"1\">".to_owned(),
    ] {
        let said = complaint(zipped(&parts(&[("B_03.03", &data)])));
        assert!(said.contains("not a sound workbook"), "{data}: {said}");
    }
    let mut files = parts(&[("B_03.03", &sheet(""))]);
    files[0].1 = format!("<!DOCTYPE x [<!ENTITY a \"b\">]>{}", files[0].1);
    assert!(complaint(zipped(&files)).contains("document type"));
    let without = |name: &str| {
        let mut files = parts(&[("B_03.03", &sheet(""))]);
        files.retain(|(path, _)| path != name);
        files
    };
    assert!(complaint(zipped(&without("xl/worksheets/sheet0.xml"))).contains("has no content"));
    assert!(complaint(zipped(&without("xl/_rels/workbook.xml.rels"))).contains("where its sheets are"));
    assert!(
        matches!(
            read(Cursor::new(zipped(&without("xl/workbook.xml"))), &context()).unwrap(),
            ReadWorkbook::Other
        ),
        "no workbook"
    );
}

#[test]
fn a_small_file_that_unpacks_to_very_much_is_refused() {
    let mut files = parts(&[("B_03.03", &sheet(""))]);
    // Blanks compress to a thousandth.
    files[0].1 = format!("<worksheet>{}</worksheet>", " ".repeat(65 * 1024 * 1024));
    let bytes = zipped(&files);
    assert!(bytes.len() < 200_000, "{}", bytes.len());
    assert!(complaint(bytes).contains("too large"));
    // One long text that many cells share.
    let mut files = parts(&[("B_03.03", "")]);
    files[4].1 = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(30_000));
    let cell = "<c t=\"s\"><v>0</v></c>";
    files[0].1 =
        format!("<worksheet>{}</worksheet>", sheet(&format!("<row>{cell}{cell}{cell}</row>").repeat(1_000)));
    assert!(complaint(zipped(&files)).contains("too large"));
    let mut many = parts(&[("B_03.03", &sheet(""))]);
    many.extend((0..1_000).map(|number| (format!("xl/media/{number}"), String::new())));
    assert!(complaint(zipped(&many)).contains("more than 1000 files"));
}

/// Reads one sheet of at most three columns and six cells.
fn plain_sheet(sheets: &[(&str, &str)]) -> Result<(Vec<PlainSheet>, Vec<String>)> {
    let mut budget = Budget::new(Limits { bytes: 100, cells: 6, entries: 3 }, &context());
    let wanted = Wanted::One { name: "wanted", columns: 3 };
    Ok(plain(Cursor::new(zipped(&parts(sheets))), wanted, &mut budget)?.unwrap())
}

#[test]
fn of_a_plain_workbook_one_sheet_is_read_and_the_others_are_named() {
    let row = format!("<sheetData><row r=\"1\">{}</row></sheetData>", text("A1", "x"));
    let broken = "<sheetData><row r=\"1\"><c r=\"B7\"/></row>";
    let (sheets, others) = plain_sheet(&[("Notes", broken), (" Wanted ", &row), ("More", broken)]).unwrap();
    assert_eq!((sheets.len(), sheets[0].rows.len(), others.len()), (1, 1, 2));
    let (sheets, _) = plain_sheet(&[("First", &row), ("Second", broken)]).unwrap();
    assert_eq!(sheets[0].name, "First");
}

#[test]
fn empty_and_wrong_cells_count_and_a_wide_first_row_is_refused_at_once() {
    let sheet = |cells: &str| format!("<sheetData><row r=\"1\">{}</row>{cells}</sheetData>", text("A1", "x"));
    for cell in ["<c/>", "<c t=\"e\"><v>#REF!</v></c>"] {
        let data = sheet(&format!("<row r=\"2\">{}</row>", cell.repeat(6)));
        let refused = plain_sheet(&[("wanted", &data)]).unwrap_err().to_string();
        assert!(refused.contains("too large"), "{cell}: {refused}");
    }
    let rows = [2, 3, 4, 5].map(|row| format!("<row r=\"{row}\"/>")).concat();
    assert!(plain_sheet(&[("wanted", &sheet(&rows))]).unwrap_err().to_string().contains("too large"));
    let cells = ["A1", "B1", "C1", "D1"].map(|place| text(place, "x")).concat();
    let wide = format!("<sheetData><row r=\"1\">{cells}</row>");
    let refused = plain_sheet(&[("wanted", &wide)]).unwrap_err().to_string();
    assert!(refused.contains("more than 3 columns"), "before the damaged rest is read: {refused}");
}

#[test]
fn a_text_without_an_end_is_refused_before_it_is_held() {
    let pieces = "<![CDATA[xxxxxxxxxx]]>".repeat(20);
    let data = format!("<sheetData><row r=\"1\"><c t=\"str\"><v>{pieces}</v></c></row></sheetData>");
    assert!(plain_sheet(&[("wanted", &data)]).unwrap_err().to_string().contains("too large"));
    let long =
        format!("<sheetData><row r=\"1\"><c t=\"{}\"/></row></sheetData>", "x".repeat(2 * 1024 * 1024));
    assert!(complaint(zipped(&parts(&[("B_03.03", &long)]))).contains("too large"));
}
