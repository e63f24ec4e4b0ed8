//! The columns of a table of findings.

use crate::wording::Label;

/// A column a file may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub required: bool,
    pub help: Label,
}

const fn column(name: &'static str, required: bool, en: &'static str, de: &'static str) -> Column {
    Column { name, required, help: Label::new(en, de) }
}

/// The columns, in the order of the template.
pub const COLUMNS: [Column; 15] = [
    column(
        "external_id",
        false,
        "Your own number of the finding; with it, a changed title stays the same finding",
        "Ihre eigene Nummer der Feststellung; mit ihr bleibt es trotz neuem Titel dieselbe Feststellung",
    ),
    column("title", true, "One line of at most 255 characters", "Eine Zeile mit höchstens 255 Zeichen"),
    column(
        "severity",
        true,
        "critical, high, medium, low or info",
        "Kritisch, Hoch, Mittel, Niedrig oder Hinweis",
    ),
    column("description", false, "At most 10,000 characters", "Höchstens 10.000 Zeichen"),
    column("owner", false, "Who puts it right", "Wer sie behebt"),
    column("affected_asset", false, "What is affected", "Was betroffen ist"),
    column("cve", false, "Such as CVE-2026-12345", "Etwa CVE-2026-12345"),
    column("cvss", false, "0.0 to 10.0", "0.0 bis 10.0"),
    column("remediation", false, "What to do", "Was zu tun ist"),
    column("root_cause", false, "Why it could arise", "Warum sie entstehen konnte"),
    column(
        "measures",
        false,
        "Ids of catalogue measures, separated by spaces",
        "Kennungen von Maßnahmen des Katalogs, durch Leerzeichen getrennt",
    ),
    column(
        "requirements",
        false,
        "Ids of requirements, separated by spaces",
        "Kennungen von Anforderungen, durch Leerzeichen getrennt",
    ),
    column(
        "controls",
        false,
        "References or ids of own controls, such as C-0003, separated by spaces",
        "Referenzen oder Kennungen eigener Kontrollen, etwa C-0003, durch Leerzeichen getrennt",
    ),
    column(
        "detected_at",
        false,
        "A day like 2026-11-14 or a time like 2026-11-14T09:30:00Z; empty means now",
        "Ein Tag wie 2026-11-14 oder eine Zeit wie 2026-11-14T09:30:00Z; leer bedeutet jetzt",
    ),
    column("due_on", false, "A day like 2026-12-31", "Ein Tag wie 2026-12-31"),
];

/// Further columns of our own exports that an import reads: which finding a line is about, and what it belongs to.
pub const EXPORT_COLUMNS: [Column; 4] = [
    column(
        "reference",
        false,
        "Changes the finding with this reference, such as F-2026-0042",
        "Ändert die Feststellung mit dieser Nummer, etwa F-2026-0042",
    ),
    column("id", false, "The same by its id; it comes first", "Dasselbe nach der Kennung; sie geht vor"),
    column("programme_id", false, "The id of one of your programmes", "Die Kennung eines Ihrer Programme"),
    column("test_case_id", false, "The id of one of your test cases", "Die Kennung eines Ihrer Testfälle"),
];

/// Columns of our own exports that an import ignores: a status changes step by step, with its history.
pub const UNREAD_COLUMNS: [&str; 5] =
    ["status", "acceptance_reason", "acceptance_until", "closed_at", "archived_at"];

/// A template: the header and one example line.
pub const TEMPLATE: &str = "\
external_id,title,severity,description,owner,affected_asset,cve,cvss,remediation,root_cause,measures,requirements,\
controls,detected_at,due_on\r\n\
PT-2026-001,Admin console reachable from the internet,high,Found by the yearly penetration test,\
Head of IT operations,console.example.com,,8.1,Restrict access to the management network,\
No review of firewall rules,,,,2026-11-14,2026-12-31\r\n";
