use super::*;
use crate::{change::Change, vocabulary::tests::is_sound};

fn set(text: &str) -> Change<String> {
    Change::Set(text.to_owned())
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn today() -> Day {
    day("2026-11-14")
}

fn linked() -> EvidenceInput {
    EvidenceInput {
        title: set("Report"),
        url: set("https://example.com/report?id=1"),
        ..EvidenceInput::default()
    }
}

fn created(input: &EvidenceInput) -> Evidence {
    input.create(None, "usr_a", today(), &|kind| kind == "evidence-report").unwrap()
}

#[test]
fn words_are_sound() {
    is_sound::<EvidenceState>();
    is_sound::<LinkType>();
}

#[test]
fn names_lose_paths_control_characters_and_length() {
    for (sent, kept) in [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\dana\\report.pdf", "report.pdf"),
        ("a\u{0}b\r\nc.txt", "ab c.txt"),
        ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
        ("..", "file"),
        ("", "file"),
        ("/", "file"),
        (".htaccess", "htaccess"),
        ("<script>\"x\".html", "_script__x_.html"),
        ("Prüfbericht 2026.pdf", "Prüfbericht 2026.pdf"),
    ] {
        assert_eq!(FileName::cleaned(sent).as_str(), kept, "{sent:?}");
    }
    let long = FileName::cleaned(&format!("{}.pdf", "ä".repeat(500)));
    assert_eq!(long.as_str().chars().count(), 120);
    assert_eq!(long.end().as_deref(), Some("pdf"));
}

#[test]
fn a_download_names_the_file_in_ascii_and_in_full() {
    assert_eq!(
        attachment(&FileName::cleaned("Prüfung \"1\".pdf")),
        "attachment; filename=\"Pr_fung _1_.pdf\"; filename*=UTF-8''Pr%C3%BCfung%20_1_.pdf"
    );
}

#[test]
fn types_follow_from_the_bytes() {
    let kind = |head: &[u8], name: &str| media_type(head, &FileName::cleaned(name));
    assert_eq!(kind(b"%PDF-1.7", "x.html"), "application/pdf");
    assert_eq!(kind(b"\x89PNG\r\n\x1a\n", "x"), "image/png");
    assert_eq!(kind(b"PK\x03\x04", "x.zip"), "application/zip");
    assert!(kind(b"PK\x03\x04", "x.docx").ends_with("wordprocessingml.document"));
    assert_eq!(kind(b"a,b\n1,2\n", "x.csv"), "text/csv");
    assert_eq!(kind("Gr\u{fc}".as_bytes(), "x.txt"), "text/plain");
    assert_eq!(kind(b"Gr\xc3", "x.txt"), "text/plain", "a letter that is cut off");
    assert_eq!(kind(b"MZ\x90\x00", "x.txt"), "application/octet-stream");
    assert_eq!(kind(b"<svg onload=alert(1)>", "x.svg"), "application/octet-stream");
    assert_eq!(kind(b"<html>", "x.html"), "application/octet-stream");
}

#[test]
fn new_evidence_is_kept_five_years_unless_said_otherwise() {
    let evidence = created(&linked());
    assert_eq!((evidence.collected_on, evidence.keep_until), (today(), day("2031-11-14")));
    assert_eq!(evidence.keep_because, None, "a legal basis is stated by a person");
    let own =
        created(&EvidenceInput {
            keep_until: set("2036-12-31"), keep_because: set("HGB § 257"), ..linked()
        });
    assert_eq!(own.keep_because.as_ref().map(Name::as_str), Some("HGB § 257"));
    assert!(own.must_be_kept(day("2036-12-31")).is_some() && own.must_be_kept(day("2037-01-01")).is_none());
    let shorter = EvidenceInput { keep_until: set("2030-01-01"), ..EvidenceInput::default() };
    let refused = shorter.change(&evidence, today(), &|_| true).unwrap_err().to_string();
    assert_eq!(refused, "keep_until can only be moved to a later day than 2031-11-14");
}

#[test]
fn a_state_follows_from_the_last_day() {
    let until = |text: &str| created(&EvidenceInput { valid_until: set(text), ..linked() }).state(today());
    assert_eq!(created(&linked()).state(today()), EvidenceState::Current);
    assert_eq!(until("2026-12-15"), EvidenceState::Current);
    assert_eq!(until("2026-12-14"), EvidenceState::Expiring);
    assert_eq!(until("2026-11-14"), EvidenceState::Expiring);
    let old = EvidenceInput { collected_on: set("2026-01-01"), valid_until: set("2026-11-13"), ..linked() };
    assert_eq!(created(&old).state(today()), EvidenceState::Expired);
}

#[test]
fn wrong_fields_are_named() {
    let wrong = EvidenceInput {
        title: set(" "),
        kind: set("evidence-of-nothing"),
        url: set("javascript:alert(1)"),
        collected_on: set("2026-12-01"),
        valid_until: set("2026-11-01"),
        ..EvidenceInput::default()
    };
    let complaints = wrong.create(None, "usr_a", today(), &|_| false).unwrap_err().to_string();
    for field in ["title must", "kind must", "url must", "collected_on must", "valid_until must"] {
        assert!(complaints.contains(field), "{field}: {complaints}");
    }
    let nothing = EvidenceInput { title: set("x"), ..EvidenceInput::default() };
    let complaints = nothing.create(None, "usr_a", today(), &|_| false).unwrap_err().to_string();
    assert_eq!(complaints, "file is required: send a file, or an address in url");
    for bad in ["ftp://x", "https://", "https:// x", "https://x\"y", "//x", "https:///x"] {
        let input = EvidenceInput { url: set(bad), ..linked() };
        assert!(input.create(None, "usr_a", today(), &|_| true).is_err(), "{bad}");
    }
}
