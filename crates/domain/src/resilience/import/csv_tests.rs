//! Files as written by spreadsheets and scripts, also damaged ones.

use std::{io::Cursor, sync::LazyLock};

use proptest::prelude::*;

use super::*;
use crate::{moment::Moment, vocabulary::Severity};

static ZONE: LazyLock<TimeZone> = LazyLock::new(TimeZone::default);

fn context() -> Context<'static> {
    Context { now: "2026-11-20T12:00:00Z".parse().unwrap(), is_measure: &|id| id.starts_with("dora-") }
}

fn against() -> Against<'static> {
    let links = Links {
        is_programme: &|_| false,
        programme_of: &|_| None,
        is_requirement: &|id| id.starts_with("dora-"),
        control_named: &|text| text.parse().ok(),
    };
    let restore = |cell: &str| cell.trim_start_matches('\'').to_owned();
    Against { context: context(), links, restore, zone: &ZONE, named: &|_| None, own_fields: &[] }
}

fn read_as(bytes: &[u8], output: Option<Encoding>) -> Result<(Vec<Line>, Imported), ImportError> {
    let mut lines = Vec::new();
    let imported = findings(&mut Cursor::new(bytes), output, &against(), &mut |line| {
        lines.push(line);
        ControlFlow::Continue(())
    })?;
    Ok((lines, imported))
}

fn read(text: impl AsRef<[u8]>) -> Vec<Line> {
    read_as(text.as_ref(), None).unwrap().0
}

fn candidates(text: impl AsRef<[u8]>) -> Vec<Candidate> {
    read(text).into_iter().map(Result::unwrap).collect()
}

fn complaint(text: impl AsRef<[u8]>) -> String {
    let lines = read(text);
    let errors: Vec<_> = lines.into_iter().filter_map(Result::err).collect();
    errors.iter().map(|error| format!("{}: {}", error.line, error.violations)).collect::<Vec<_>>().join("\n")
}

fn refusal(text: impl AsRef<[u8]>) -> String {
    read_as(text.as_ref(), None).unwrap_err().to_string()
}

#[test]
fn the_template_imports_as_it_is() {
    let [candidate]: [Candidate; 1] = candidates(TEMPLATE).try_into().unwrap();
    let finding = candidate.finding;
    assert_eq!(finding.title.as_str(), "Admin console reachable from the internet");
    assert_eq!((finding.severity, finding.cvss.unwrap().to_string().as_str()), (Severity::High, "8.1"));
    assert_eq!(finding.detected_at, "2026-11-14T00:00:00Z".parse::<Moment>().unwrap());
    assert_eq!(finding.due_on.unwrap().to_string(), "2026-12-31");
    let header: Vec<_> = TEMPLATE.lines().next().unwrap().split(',').collect();
    assert_eq!(header, COLUMNS.map(|column| column.name));
}

#[test]
fn german_headings_values_and_dates_are_understood() {
    let text = "Titel;Schweregrad;CVSS-Wert;Fällig am;Betroffenes Objekt\r\nKonsole offen;hoch;7,5;31.01.2027;Konsole\r\n";
    for text in [text.to_owned(), text.replace(';', "\t"), text.replace("7,5", "7.5").replace(';', ",")] {
        let [candidate]: [Candidate; 1] = candidates(&text).try_into().unwrap();
        let finding = candidate.finding;
        assert_eq!(finding.title.as_str(), "Konsole offen");
        assert_eq!((finding.severity, finding.cvss.unwrap().tenths()), (Severity::High, 75));
        assert_eq!(finding.due_on.unwrap().to_string(), "2027-01-31");
    }
}

#[test]
fn the_separator_is_found_though_no_heading_is_known() {
    let refused = refusal("Überschrift;Wie schlimm\r\nx;y\r\n");
    assert!(refused.starts_with("line 1: \"Überschrift\" is not a column"), "{refused}");
}

#[test]
fn a_german_spreadsheet_is_understood() {
    let text = "Title;Severity;CVSS;Due on;Detected-at;Measures\r\n\
                \"Prüfung; verspätet\";HIGH;7,5;31.12.2026;1.9.2026;dora-1 | dora-2\r\n";
    let windows: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let utf16: Vec<u8> =
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let expected = candidates(text);
    for bytes in [windows, utf16, marked] {
        assert_eq!(candidates(bytes), expected);
    }
    let finding = &expected[0].finding;
    assert_eq!(finding.title.as_str(), "Prüfung; verspätet");
    assert_eq!((finding.due_on.unwrap().to_string().as_str(), finding.measures.len()), ("2026-12-31", 2));
    assert_eq!(finding.detected_at.to_string(), "2026-09-01T00:00:00Z");
}

#[test]
fn formula_cells_stay_text() {
    let found = candidates("title,severity,description\n\"=HYPERLINK(\"\"http://x\"\")\",low,@SUM(A1)\n");
    assert_eq!(found[0].finding.title.as_str(), "=HYPERLINK(\"http://x\")");
    assert_eq!(found[0].finding.description.as_ref().unwrap().as_str(), "@SUM(A1)");
}

#[test]
fn each_complaint_names_its_line_and_field() {
    let text = "title,severity,due_on,cvss,cve,measures,detected_at\n\
                Good,high,,,,,\n\
                ,urgent,2026-02-30,11,CVE-1,nope,\n\
                Short,low\n\
                \"Two\nlines\",low,,,,,\n\
                Early,low,2026-11-19,,,,2026-11-20\n\
                Odd,low,,a lot,,,\n";
    assert_eq!(
        complaint(text),
        "3: cve must be a CVE id like CVE-2026-12345; \
         cvss must be a score from 0.0 to 10.0 with at most one decimal, such as 7.5; \
         due_on must be a real day like 2026-11-14; \
         measures item 1 is not the id of a measure in the catalogue; \
         severity must be one of critical, high, medium, low, info; title is required\n\
         4: line has 2 cells where the header has 7; is a separator or a quotation mark missing?\n\
         5: title must not contain control characters\n\
         7: due_on must not be before the finding was detected (2026-11-20)\n\
         8: cvss must be a score from 0.0 to 10.0 with at most one decimal, such as 7.5"
    );
    let (_, imported) = read_as(text.as_bytes(), None).unwrap();
    assert_eq!((imported.candidates, imported.skipped), (1, 5));
}

#[test]
fn lines_are_counted_as_an_editor_counts_them() {
    let text = "title,severity\n\n\nA,bad\n,,\n \n\"B\",\"\nx\"\nC,bad";
    for ends in ["\n", "\r\n", "\r"] {
        let complaint = complaint(text.replace('\n', ends));
        let lines: Vec<_> =
            complaint.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect();
        assert_eq!(lines, ["4", "7", "9"], "{ends:?}");
    }
}

#[test]
fn the_header_is_checked_before_anything_else() {
    assert!(
        refusal("title,Serverity\nA,low\n").starts_with("line 1: \"Serverity\" is not a column; rename or")
    );
    assert!(refusal("title;owner\nA;B\n").starts_with("line 1: the column severity is missing"));
    assert_eq!(refusal("title,severity,title\n"), "line 1: the column title is there twice");
    assert!(refusal("").starts_with("line 1: the column title is missing"));
    assert!(refusal("A long text that is no table at all").contains("is not a column"));
}

#[test]
fn the_same_finding_has_the_same_fingerprint() {
    let print = |text: &str| candidates(text)[0].origin.fingerprint;
    let base = print("title,severity\nA,low\n");
    assert_eq!(base, print("severity;title\nhigh; A\n"), "order, separator and rating do not matter");
    assert_ne!(base, print("title,severity,affected_asset\nA,low,host\n"));
    let numbered = print("title,severity,external_id\nA,low,7\n");
    assert_eq!(numbered, print("title,severity,external_id\nB,high,7\n"), "the caller's number decides");
    assert_ne!(numbered, print("title,severity,external_id\nA,low,8\n"));
}

#[test]
fn a_line_that_repeats_another_is_named() {
    let text = "title,severity,external_id\nA,low,1\nB,low,2\nC,low,1\nD,low,1\n";
    assert_eq!(
        complaint(text),
        "4: line repeats the finding of line 2\n5: line repeats the finding of line 2"
    );
}

#[test]
fn an_open_quotation_mark_does_not_swallow_the_file() {
    let text = format!("title,severity\nA,low\n\"B,low\n{}", "x,y\n".repeat(1 << 19));
    assert!(refusal(text).starts_with("line 3: the record is longer than 1048576 bytes"), "bounded");
    let long = format!("title,severity,description\nA,low,{}\n", "x".repeat(10_001));
    assert_eq!(complaint(long), "2: description must be at most 10000 characters long");
}

#[test]
fn encodings_in_doubt_are_refused_and_can_be_notified() {
    let mac = b"title,severity\nPr\x9Ffung,low\n";
    assert!(refusal(mac).contains("CSV UTF-8"));
    let (lines, _) = read_as(mac, Some(Encoding::Windows1252)).unwrap();
    assert_eq!(lines[0].as_ref().unwrap().finding.title.as_str(), "PrŸfung");
    let error = read_as(b"title,severity\n\xFF\xFF,low\n", Some(Encoding::Utf8)).unwrap_err();
    assert!(error.to_string().contains("not UTF-8"));
    assert!(refusal(b"t\0i\0t\0l\0e\0").contains("zero bytes"));
}

#[test]
fn too_many_lines_are_refused_and_a_halt_is_obeyed() {
    let text = format!("title,severity\n{}", "x,y\n".repeat(10));
    let read =
        |limit| up_to(limit, &mut Cursor::new(&text), None, &against(), &mut |_| ControlFlow::Continue(()));
    assert_eq!(read(10).unwrap().skipped, 10);
    assert_eq!(read(9).unwrap_err().to_string(), "the file has more than 9 results; split it");
    let mut count = 0;
    let halted = findings(&mut Cursor::new(&text), None, &against(), &mut |_| {
        count += 1;
        if count == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((halted.is_ok(), count), (true, 3));
}

#[test]
fn a_due_day_that_has_passed_is_no_reason_to_refuse_an_old_file() {
    let old = candidates("title,severity,due_on\nA,low,2026-01-31\n");
    assert_eq!(old[0].finding.detected_at.to_string(), "2026-01-31T00:00:00Z");
    let future = candidates("title,severity,due_on\nA,low,2027-01-31\n");
    assert_eq!(future[0].finding.detected_at, context().now);
}

proptest! {
    #[test]
    fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read_as(&bytes, None);
        let _ = read_as(&[b"title,severity\n", bytes.as_slice()].concat(), None);
    }

    #[test]
    fn quoted_cells_come_back_as_they_were(cell in "[ -~äöü€]{1,60}") {
        let text = format!("title,severity\n\"{}\",low\n", cell.replace('"', "\"\""));
        match &read(text)[..] {
            [Ok(candidate)] => prop_assert_eq!(candidate.finding.title.as_str(), cell.trim()),
            _ => prop_assert!(cell.trim().is_empty()),
        }
    }
}
