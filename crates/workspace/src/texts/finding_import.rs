//! Importing findings from a file.

use super::texts;

texts! {
    TITLE = "Import findings", "Feststellungen importieren";
    INTRO = "From a spreadsheet or a scanner. A result that came before changes its finding instead of making a second one.", "Aus einer Tabelle oder von einem Scanner. Ein bekanntes Ergebnis ändert seine Feststellung, statt eine zweite anzulegen.";
    FILE = "File", "Datei";
    FILE_HINT = "CSV, XLSX (first sheet), SARIF 2.1.0 or the JSON of Trivy, at most 64 MiB.", "CSV, XLSX (erstes Blatt), SARIF 2.1.0 oder das JSON von Trivy, höchstens 64 MiB.";
    FORMAT = "Format", "Format";
    FIND_OUT = "Detect automatically", "Automatisch erkennen";
    CLOSE_MISSING = "Close what is missing", "Fehlendes schließen";
    SOURCE = "Source", "Quelle";
    SOURCE_HINT = "Where the findings come from, such as Penetration test 2027. Without a name it is the format. A finding is recognised only within its source.", "Woher die Feststellungen kommen, etwa Penetrationstest 2027. Ohne Namen ist es das Format. Eine Feststellung wird nur innerhalb ihrer Quelle wiedererkannt.";
    CLOSE_MISSING_HELP = "Closes findings of earlier files of this source, and of no other, that are not in this file any more.", "Schließt Feststellungen aus früheren Dateien dieser Quelle, und keiner anderen, die in dieser Datei nicht mehr stehen.";
    TEMPLATE_FILE = "Download the template", "Vorlage herunterladen";
    COLUMNS = "The columns of the table", "Die Spalten der Tabelle";
    COLUMNS_HELP = "Needed are those with an asterisk. An export of this list can be read again: {unread} are left as they are, because a status moves step by step.", "Nötig sind die mit Stern. Ein Export dieser Liste lässt sich wieder importieren: {unread} bleiben, wie sie sind, denn ein Status ändert sich Schritt für Schritt.";
    COLUMN = "Column", "Spalte";
    COLUMN_HELP = "How to fill it", "Wie sie gefüllt wird";
    CHECK = "Check only", "Nur prüfen";
    IMPORT = "Import", "Importieren";
    CHECKED = "The file is fine", "Die Datei ist in Ordnung";
    CHECKED_HELP = "Nothing was stored. This is what importing it would do.", "Nichts wurde gespeichert. Das würde der Import bewirken.";
    IMPORTED = "The file is imported", "Die Datei ist importiert";
    IMPORTED_HELP = "This is what it did.", "Das hat es bewirkt.";
    RESULTS = "Findings in the file", "Feststellungen in der Datei";
    ADDED = "New", "Neu";
    CHANGED = "Changed", "Geändert";
    REOPENED = "Opened again", "Wieder geöffnet";
    CLOSED = "Closed", "Geschlossen";
    LEFT_OPEN = "Left open: a second person closes it", "Offen gelassen: Eine zweite Person schließt sie";
    UNCHANGED = "Unchanged", "Unverändert";
    SKIPPED = "No findings", "Keine Feststellungen";
    REPEATED = "Repeated", "Wiederholt";
    REFUSED = "Nothing was stored", "Nichts wurde gespeichert";
    REFUSED_HELP = "Correct these lines and send the file again: {shown} of {total} {total|problem|problems}.", "Bitte diese Zeilen berichtigen und die Datei neu schicken: {shown} von {total} {total|Problem|Problemen}.";
    LINE = "Line", "Zeile";
    FIELD = "Field", "Feld";
    PROBLEM = "Problem", "Problem";
    REMEDY = "Remedy", "Abhilfe";
    FINDING = "Finding", "Feststellung";
    WHAT_HAPPENS = "What happens", "Was geschieht";
    REMEDY_TITLE = "Enter one line of at most 255 characters.", "Eine Zeile mit höchstens 255 Zeichen eintragen.";
    REMEDY_SEVERITY = "Enter critical, high, medium, low or info.", "Kritisch, Hoch, Mittel, Niedrig oder Hinweis eintragen.";
    REMEDY_CVE = "Enter an id such as CVE-2026-12345, or nothing.", "Eine Nummer wie CVE-2026-12345 eintragen, oder nichts.";
    REMEDY_CVSS = "Enter a score from 0.0 to 10.0, or nothing.", "Einen Wert von 0,0 bis 10,0 eintragen, oder nichts.";
    REMEDY_MEASURES = "Enter ids of catalogue measures, separated by spaces.", "Kennungen von Maßnahmen des Katalogs eintragen, durch Leerzeichen getrennt.";
    REMEDY_REQUIREMENTS = "Enter ids of requirements, separated by spaces.", "Kennungen von Anforderungen eintragen, durch Leerzeichen getrennt.";
    REMEDY_CONTROLS = "Enter references or ids of own controls, separated by spaces.", "Referenzen oder Kennungen eigener Kontrollen eintragen, durch Leerzeichen getrennt.";
    REMEDY_DETECTED = "Enter a day like 2026-11-14 or a time like 2026-11-14T09:30:00Z that is not in the future.", "Einen Tag wie 14.11.2026 oder eine Zeit wie 2026-11-14T09:30:00Z eintragen, nicht in der Zukunft.";
    REMEDY_DUE = "Enter a day like 2026-12-31 on or after the day of detection.", "Einen Tag wie 31.12.2026 eintragen, nicht vor dem Tag der Entdeckung.";
    REMEDY_KNOWN = "Leave it as the export has it, or empty for a new finding.", "So lassen, wie es im Export steht, oder leer für eine neue Feststellung.";
    REMEDY_LINK = "Enter the id of one of your programmes or test cases, or nothing.", "Die Kennung eines Ihrer Programme oder Testfälle eintragen, oder nichts.";
    REMEDY_LINE = "Look at the separators and quotation marks of this line, and for lines that repeat it.", "Trennzeichen und Anführungszeichen dieser Zeile prüfen, und ob eine andere sie wiederholt.";
    REMEDY_TEXT = "Shorten or correct the text.", "Den Text kürzen oder berichtigen.";
}
