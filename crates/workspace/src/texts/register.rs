//! The register of information in its official form.

use super::texts;

texts! {
    TITLE = "Register of information", "Informationsregister";
    INTRO = "All fifteen templates of Implementing Regulation (EU) 2024/2956, checked as the receiving system does.", "Alle fünfzehn Vorlagen der Durchführungsverordnung (EU) 2024/2956, geprüft wie im Meldesystem.";
    READINESS = "Ready to file", "Bereit zur Meldung";
    READY = "Nothing would be refused.", "Nichts würde abgewiesen.";
    NOT_READY = "Share of rows that would be accepted.", "Anteil der Zeilen, die angenommen würden.";
    ROWS = "Rows", "Zeilen";
    REFUSED = "Refused", "Abgewiesen";
    NOTED = "Noted", "Vermerkt";
    ADVICE = "Advice", "Hinweise";
    TEMPLATE = "Template", "Vorlage";
    TEMPLATES = "Templates", "Vorlagen";
    PROBLEMS = "Problems", "Probleme";
    ALL_PROBLEMS = "All problems", "Alle Probleme";
    NO_PROBLEMS = "Nothing to correct", "Nichts zu berichtigen";
    NO_PROBLEMS_HELP = "No check finds a problem.", "Keine Prüfung findet ein Problem.";
    PROBLEMS_INTRO = "In the order of the receiving system; advice of this service comes last.", "In der Reihenfolge des Meldesystems; Hinweise dieses Dienstes stehen am Ende.";
    SEVERITY = "Severity", "Schwere";
    PLACE = "Place", "Stelle";
    RULE = "Rule", "Regel";
    PROBLEM = "Problem", "Problem";
    REMEDY = "What to do", "Was zu tun ist";
    EXPORT = "Export", "Export";
    EXPORT_HELP = "The package can be filed as it is. Its reference date is the last day of the previous year.", "Das Paket kann so eingereicht werden. Stichtag ist der letzte Tag des Vorjahres.";
    EXPORT_INDIVIDUAL = "Package, individual", "Paket, Einzelregister";
    EXPORT_CONSOLIDATED = "Package, consolidated", "Paket, konsolidiert";
    EXPORT_CSV = "Tables as CSV", "Tabellen als CSV";
    REGISTER = "The register", "Das Register";
    IMPORT = "Import package", "Paket importieren";
    EMPTY = "No rows yet", "Noch keine Zeilen";
    EMPTY_HELP = "A template without rows is reported with its headings only.", "Eine Vorlage ohne Zeilen wird nur mit ihren Überschriften gemeldet.";
    NEW_ROW = "New row", "Neue Zeile";
    ROW = "Row", "Zeile";
    CELLS = "Cells", "Zellen";
    ADD = "Add row", "Zeile anlegen";
    SAVE = "Save row", "Zeile speichern";
    KEY_HINT = "Part of the key: never empty in a report.", "Teil des Schlüssels: in einer Meldung nie leer.";
    NOTHING_CHOSEN = "(empty)", "(leer)";
    NOT_OF_LIST = "{value} (not in the list)", "{value} (nicht in der Liste)";
    ONE_ROW = "1 row", "1 Zeile";
    MANY_ROWS = "{count} rows", "{count} Zeilen";
    ONE_PROBLEM = "1 problem", "1 Problem";
    MANY_PROBLEMS = "{count} problems", "{count} Probleme";
}
