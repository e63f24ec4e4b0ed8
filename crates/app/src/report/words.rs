//! The texts of the reports, in both languages.

use domain::wording::Label;

pub(super) const fn word(english: &'static str, german: &'static str) -> Label {
    Label::new(english, german)
}

pub(super) const OVERVIEW: Label = word("Overview", "Überblick");
pub(super) const EVERYTHING: Label = word("no filter", "kein Filter");
pub(super) const FIRST_OF: Label = word("the first", "die ersten");
pub(super) const STATUS: Label = word("Status", "Status");
pub(super) const WHEN: Label = word("When", "Wann");
pub(super) const NOTE: Label = word("Note", "Notiz");
pub(super) const BY: Label = word("By", "Von");
pub(super) const CORRECTION: Label = word("Correction", "Korrektur");
pub(super) const OPERATOR: Label = word("Operator", "Betrieb");
pub(super) const SYSTEM: Label = word("System", "System");
pub(super) const INTERNAL: Label = word("Internal", "Intern");
pub(super) const VERSION: Label = word("Version", "Version");
pub(super) const HISTORY: Label = word("History", "Verlauf");
pub(super) const AS_OF: Label = word("As of the end of", "Stand am Ende des Tages");
pub(super) const TAG: Label = word("Tag", "Schlagwort");
pub(super) const SEARCH: Label = word("Search", "Suche");
pub(super) const OWNER: Label = word("Owner", "Verantwortlich");
pub(super) const DUE_BEFORE: Label = word("Due before", "Fällig vor");
pub(super) const NOT_SET: Label = word("not set", "keine Angabe");
pub(super) const NONE: Label = word("None", "Keine");

pub(super) const FINDINGS: Label = word("Findings", "Feststellungen");
pub(super) const FINDING: Label = word("Finding", "Feststellung");
pub(super) const TITLE: Label = word("Title", "Titel");
pub(super) const SEVERITY: Label = word("Severity", "Schweregrad");
pub(super) const BY_SEVERITY: Label = word("Findings by severity", "Feststellungen nach Schweregrad");
pub(super) const OPEN_ONES: Label = word("open ones", "offene");
pub(super) const OVERDUE: Label = word("Overdue", "Überfällig");
pub(super) const OVERDUE_ONLY: Label = word("only overdue", "nur überfällige");

pub(super) const TEST_CASES: Label = word("Test cases", "Testfälle");
pub(super) const TEST_CASE: Label = word("Test case", "Testfall");
pub(super) const EVIDENCE: Label = word("Evidence", "Nachweise");
pub(super) const BY_STATUS: Label = word("Test cases by status", "Testfälle nach Status");

pub(super) const PROGRAMMES: Label = word("Programmes", "Programme");
pub(super) const PROGRAMME: Label = word("Programme", "Programm");
pub(super) const FRAMEWORK: Label = word("Framework", "Rahmenwerk");
pub(super) const PERIOD: Label = word("Period", "Zeitraum");

pub(super) const COMMENTS: Label = word("Comments", "Kommentare");
pub(super) const COMMENT: Label = word("Comment", "Kommentar");

pub(super) const ID: Label = word("ID", "Kennung");
pub(super) const YES: Label = word("Yes", "Ja");
pub(super) const NO: Label = word("No", "Nein");
pub(super) const CONTROLS: Label = word("Controls", "Kontrollen");
pub(super) const REQUIREMENTS: Label = word("Requirements", "Anforderungen");

pub(super) const EXTENT: Label = word("Extent", "Umfang");
pub(super) const CUT: Label = word(
    "This report is too long for one document and ends early. Narrow the filter to see the rest, or export a table.",
    "Dieser Bericht ist für ein Dokument zu lang und endet vorzeitig. Ein engerer Filter zeigt das Übrige, ebenso der Export als Tabelle.",
);
