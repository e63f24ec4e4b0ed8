//! The text of pages, and inputs that are refused.

use tidewall_reports::ReportError;
use tidewall_reports::document::{BarChart, Column, Document, Language, Section, Table, Tone};
use tidewall_reports::pdf::render;

use crate::{read, samples};

#[test]
fn a_small_report_reads_as_expected() {
    let reader = read(&samples::findings(Language::English, 2));
    let text: Vec<String> = (1..=reader.page_count())
        .map(|page| format!("=== {page} ===\n{}", reader.lines(page).join("\n")))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn text_beyond_the_typeface_is_kept_for_readers_and_shown_as_a_replacement() {
    let texts = [
        "漢字かな交じり文",
        "שלום עולם",
        "مرحبا بالعالم",
        "rocket 🚀 family 👩‍👩‍👧 flag 🇩🇪",
        "mixed Größe العدد 42",
    ];
    let section = texts.iter().fold(Section::new("Scripts"), |section, text| section.paragraph(*text));
    let table = Table::new([Column::share("שם", 1)]).row(["👍🏽 ok"]);
    let reader = read(&Document::new(Language::English, "Schrift 字").section(section.table(table)));
    let tags = reader.tags();
    for text in texts {
        assert!(
            tags.iter().any(|tag| tag.role == "P" && tag.text == text),
            "{text:?} is missing in {tags:#?}"
        );
    }
    assert!(tags.iter().any(|tag| tag.role == "TD" && tag.text == "👍🏽 ok"));
    assert!(reader.lines(2).contains(&"\u{fffd}".repeat(8)), "{:?}", reader.lines(2));
}

#[test]
fn letters_of_the_covered_scripts_are_drawn() {
    let text = "Ärger über Größe – „Zitat“ § 25 · 12,5 % ≥ 3 → Łódź Ελληνικά Кириллица e\u{301}";
    let reader = read(&Document::new(Language::German, "T").section(Section::new("S").paragraph(text)));
    assert_eq!(reader.lines(2)[1], text);
}

#[test]
fn control_characters_are_left_out() {
    let table = Table::new([Column::share("a\0b", 1)]).row(["line one\nline\u{7} two\u{202e}"]);
    let section = Section::new("He\u{1b}[31mad").paragraph("tab\there\u{feff}").table(table);
    let reader =
        read(&Document::new(Language::English, "Ti\ntle\r\u{0}").filter("x\u{9c}y").section(section));
    assert_eq!(reader.info("Title"), "Ti tle");
    let lines = reader.lines(2);
    for expected in ["He[31mad", "tab here", "ab", "line one", "line two"] {
        assert!(lines.contains(&expected.to_owned()), "{expected:?} is missing in {lines:?}");
    }
    assert!(lines.iter().any(|line| line == "Filter: xy"), "{lines:?}");
}

#[test]
fn what_cannot_be_drawn_is_refused_by_name() {
    let ragged = Table::new([Column::share("a", 1), Column::share("b", 1)])
        .caption("Ragged")
        .row(["1", "2"])
        .row(["3"]);
    let error =
        render(&Document::new(Language::English, "T").section(Section::new("S").table(ragged))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table \"Ragged\": row 2 has 1 cells for 2 columns; give every row one cell per column"
    );
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        for chart in [
            BarChart::new("C").bar("b", value, "?", Tone::Notice),
            BarChart::new("C").threshold("b", value),
            BarChart::new("C").full_scale(value),
        ] {
            let error =
                render(&Document::new(Language::English, "T").section(Section::new("S").chart(chart)))
                    .unwrap_err();
            assert!(matches!(error, ReportError::ChartValue { .. }), "{error:?}");
        }
    }
}

#[test]
fn errors_can_cross_threads() {
    fn crosses<T: Send + Sync + 'static>() {}
    crosses::<ReportError>();
}
