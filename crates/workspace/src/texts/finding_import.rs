//! Findings out of a file.

use super::texts;

texts! {
    TITLE = "Import findings", "Feststellungen einlesen";
    INTRO = "From a spreadsheet or a scanner. A result that came before changes its finding instead of making a second one.", "Aus einer Tabelle oder von einem Scanner. Ein bekanntes Ergebnis ändert seine Feststellung, statt eine zweite anzulegen.";
    FILE = "File", "Datei";
    FILE_HINT = "CSV, SARIF, Trivy or OSV-Scanner, at most 64 MiB.", "CSV, SARIF, Trivy oder OSV-Scanner, höchstens 64 MiB.";
    FORMAT = "Format", "Format";
    FIND_OUT = "Find out by itself", "Selbst erkennen";
    CLOSE_MISSING = "Close what is missing", "Fehlendes schließen";
    CLOSE_MISSING_HELP = "Findings that came from the same source and are not in this file any more.", "Feststellungen aus derselben Quelle, die in dieser Datei nicht mehr stehen.";
    CHECK = "Check only", "Nur prüfen";
    IMPORT = "Import", "Einlesen";
    CHECKED = "The file is fine", "Die Datei ist in Ordnung";
    CHECKED_HELP = "Nothing was stored. This is what importing it would do.", "Nichts wurde gespeichert. Das würde das Einlesen bewirken.";
    IMPORTED = "The file is imported", "Die Datei ist eingelesen";
    IMPORTED_HELP = "This is what it did.", "Das hat es bewirkt.";
    RESULTS = "Findings in the file", "Feststellungen in der Datei";
    ADDED = "New", "Neu";
    CHANGED = "Changed", "Geändert";
    REOPENED = "Opened again", "Wieder geöffnet";
    CLOSED = "Closed", "Geschlossen";
    UNCHANGED = "Unchanged", "Unverändert";
    SKIPPED = "No findings", "Keine Feststellungen";
    REPEATED = "Repeated", "Wiederholt";
    REFUSED = "Nothing was stored", "Nichts wurde gespeichert";
    REFUSED_HELP = "Put these lines right and send the file again: {shown} of {total} problems.", "Bitte diese Zeilen berichtigen und die Datei neu schicken: {shown} von {total} Problemen.";
    LINE = "Line", "Zeile";
    FIELD = "Field", "Feld";
    PROBLEM = "Problem", "Problem";
}
