//! The documentation of states and moves is made from the tables the product goes by.

use std::fs;

use domain::{
    cra_report::CraReportStatus,
    finding::FindingStatus,
    programme::ProgrammeStatus,
    test_case::TestCaseStatus,
    transition::{Lifecycle, markdown},
    wording::Language,
};

use super::root;

fn section<S: Lifecycle>(title: &str) -> String {
    format!("## {title}\n\n{}\n", markdown::<S>(Language::English))
}

#[test]
fn states_are_documented_as_they_are() {
    let sections = [
        section::<ProgrammeStatus>("Programmes"),
        section::<TestCaseStatus>("Test cases"),
        section::<FindingStatus>("Findings"),
        section::<CraReportStatus>("CRA reports"),
    ];
    let text = format!(
        "# States and moves\n\nMade from the tables in `crates/domain`; do not edit. A move that is not listed is \
         answered with 422 and the moves that are.\n\n{}",
        sections.concat()
    );
    let path = root().join("docs/states.md");
    if std::env::var_os("TIDEWALL_UPDATE_DOCS").is_some() {
        fs::write(&path, text.trim_end().to_owned() + "\n").unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed.trim_end() == text.trim_end(),
        "run: TIDEWALL_UPDATE_DOCS=1 cargo test -p tidewall states_are_documented"
    );
}
