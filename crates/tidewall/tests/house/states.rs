//! The documentation of states and transitions is generated from the product's tables.

use std::fs;

use domain::{
    cra_report::CraReportStatus,
    drill_run::DrillRunStatus,
    evidence_request::EvidenceRequestStatus,
    finding::FindingStatus,
    incident::IncidentStatus,
    own_framework::OwnFrameworkStatus,
    programme::ProgrammeStatus,
    provider::ReviewStatus,
    register_filing::RegisterFilingStatus,
    risk::RiskStatus,
    test_case::TestCaseStatus,
    transition::{Lifecycle, markdown},
    wording::Language,
};

use super::root;

fn section<S: Lifecycle>(title: &str) -> String {
    format!("## {title}\n\n{}\n", markdown::<S>(Language::English))
}

/// The words of the states that a rule applies to.
fn words<S: Lifecycle>(holds: impl Fn(S) -> bool) -> String {
    let held = S::ALL.iter().filter(|state| holds(**state)).map(|state| format!("`{}`", state.as_str()));
    held.collect::<Vec<_>>().join(", ")
}

fn archive() -> String {
    format!(
        "## Archive\n\nWhat was decided on is archived, never deleted. `POST …/{{id}}/archive` takes a record out of the \
         lists (`archived=true` or `archived=all` shows it), `POST …/{{id}}/restore` brings it back; it stays readable at \
         its address with its history, and cannot be changed meanwhile. A finding that is reported again by an import \
         comes back by itself.\n\n\
         | Record | Cannot be deleted once it was | Can be archived while it is |\n|---|---|---|\n\
         | Finding | {} | {} |\n| Test case | {}, or has a time of execution | {} |\n\n\
         Risks, controls, functions, own frameworks and evidence follow one rule: `DELETE` deletes a record that was never \
         changed, performed, commented on or linked with evidence, and archives any other; the answer is 204 either way, and `as_of` \
         shows both as they were. `POST …/{{id}}/archive` and `…/restore` work at any time, and for incidents too.\n\n\
         Programmes, ICT arrangements and tasks with comments, evidence, tests, findings or assessed clauses are kept: \
         `DELETE` answers 422, and `POST …/{{id}}/archive` and `…/restore` work once they are finished. The archive of a \
         programme is its status `archived`, which `…/restore` takes back to the status before; a list that does not name \
         `archived` has all programmes. An archived arrangement has ended, so no figure changes, and one that an import \
         changes comes back by itself.\n\n\
         Records of the other kinds that have comments, evidence or a start are kept as well (422). \
         A record without any of them is deleted, and its versions stay for `as_of`.\n\n\
         | Record | Cannot be archived while |\n|---|---|\n| Risk | its acceptance is valid |\n\
         | Function | records refer to it |\n| Own framework | it is in force |\n| Incident | it is open |\n\
         | Programme | it is active |\n| ICT arrangement | it has not ended |\n| Task | it is open |\n",
        words(FindingStatus::must_be_kept),
        words(FindingStatus::can_be_archived),
        words(TestCaseStatus::is_executed),
        words(TestCaseStatus::can_be_archived),
    )
}

#[test]
fn states_are_documented_as_they_are() {
    let sections = [
        section::<ProgrammeStatus>("Programmes"),
        section::<TestCaseStatus>("Test cases"),
        section::<FindingStatus>("Findings"),
        section::<CraReportStatus>("CRA reports"),
        section::<IncidentStatus>("Incidents"),
        section::<DrillRunStatus>("Drill runs"),
        section::<RegisterFilingStatus>("Filings of the register"),
        section::<RiskStatus>("Risks"),
        section::<ReviewStatus>("Due-diligence reviews"),
        section::<OwnFrameworkStatus>("Own frameworks"),
        section::<EvidenceRequestStatus>("Requests for evidence"),
        archive(),
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
