//! The texts of the reports, in both languages.

use domain::wording::Label;

pub(crate) const fn word(english: &'static str, german: &'static str) -> Label {
    Label::new(english, german)
}

pub(crate) const OVERVIEW: Label = word("Overview", "Überblick");
pub(crate) const EVERYTHING: Label = word("no filter", "kein Filter");
pub(crate) const FIRST_OF: Label = word("the first", "die ersten");
pub(crate) const STATUS: Label = word("Status", "Status");
pub(crate) const WHEN: Label = word("When", "Wann");
pub(crate) const NOTE: Label = word("Note", "Notiz");
pub(crate) const BY: Label = word("By", "Von");
pub(crate) const CORRECTION: Label = word("Correction", "Korrektur");
pub(crate) const OPERATOR: Label = word("Operator", "Betrieb");
pub(crate) const SYSTEM: Label = word("System", "System");
pub(crate) const INTERNAL: Label = word("Internal", "Intern");
pub(crate) const VERSION: Label = word("Version", "Version");
pub(crate) const HISTORY: Label = word("History", "Verlauf");
pub(crate) const AS_OF: Label = word("As of the end of", "Stand am Ende des Tages");
pub(crate) const TAG: Label = word("Tag", "Schlagwort");
pub(crate) const SEARCH: Label = word("Search", "Suche");
pub(crate) const OWNER: Label = word("Owner", "Verantwortlich");
pub(crate) const DUE_BEFORE: Label = word("Due before", "Fällig vor");
pub(crate) const NOT_SET: Label = word("not set", "keine Angabe");
pub(crate) const NONE: Label = word("None", "Keine");

pub(crate) const FINDINGS: Label = word("Findings", "Feststellungen");
pub(crate) const FINDING: Label = word("Finding", "Feststellung");
pub(crate) const TITLE: Label = word("Title", "Titel");
pub(crate) const SEVERITY: Label = word("Severity", "Schweregrad");
pub(crate) const BY_SEVERITY: Label = word("Findings by severity", "Feststellungen nach Schweregrad");
pub(crate) const OPEN_ONES: Label = word("open ones", "offene");
pub(crate) const OVERDUE: Label = word("Overdue", "Überfällig");
pub(crate) const OVERDUE_ONLY: Label = word("only overdue", "nur überfällige");

pub(crate) const TEST_CASES: Label = word("Test cases", "Testfälle");
pub(crate) const TEST_CASE: Label = word("Test case", "Testfall");
pub(crate) const EVIDENCE: Label = word("Evidence", "Nachweise");
pub(crate) const BY_STATUS: Label = word("Test cases by status", "Testfälle nach Status");

pub(crate) const PROGRAMMES: Label = word("Programmes", "Programme");
pub(crate) const PROGRAMME: Label = word("Programme", "Programm");
pub(crate) const FRAMEWORK: Label = word("Framework", "Rahmenwerk");
pub(crate) const PERIOD: Label = word("Period", "Zeitraum");

pub(crate) const COMMENTS: Label = word("Comments", "Kommentare");
pub(crate) const COMMENT: Label = word("Comment", "Kommentar");

pub(crate) const ID: Label = word("ID", "Kennung");
pub(crate) const YES: Label = word("Yes", "Ja");
pub(crate) const NO: Label = word("No", "Nein");
pub(crate) const CONTROLS: Label = word("Controls", "Kontrollen");
pub(crate) const REQUIREMENTS: Label = word("Requirements", "Anforderungen");

pub(crate) const EXTENT: Label = word("Extent", "Umfang");
pub(crate) const CUT: Label = word(
    "This report is too long for one document and ends early. Narrow the filter to see the rest, or export a table.",
    "Dieser Bericht ist für ein Dokument zu lang und endet vorzeitig. Ein engerer Filter zeigt das Übrige, ebenso der Export als Tabelle.",
);
