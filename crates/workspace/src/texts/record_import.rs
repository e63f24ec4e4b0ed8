//! Importing records of any kind from a table.

use super::texts;

texts! {
    IMPORT = "Import", "Importieren";
    TITLE = "Import: {list}", "Import: {list}";
    INTRO = "From a table, such as an export of this list that was changed in a spreadsheet. A line with an ID or a reference changes that record, another one creates a record. A column that is missing keeps its values, an empty cell clears its value.", "Aus einer Tabelle, etwa einem Export dieser Liste, der in einer Tabellenkalkulation geändert wurde. Eine Zeile mit Kennung oder Referenz ändert diesen Eintrag, jede andere legt einen an. Eine fehlende Spalte lässt die Werte, eine leere Zelle löscht ihren Wert.";
    INTRO_CHANGES = "From a table, such as an export of this list that was changed in a spreadsheet. Each line changes the record with its ID or reference. A column that is missing keeps its values, an empty cell clears its value.", "Aus einer Tabelle, etwa einem Export dieser Liste, der in einer Tabellenkalkulation geändert wurde. Jede Zeile ändert den Eintrag mit ihrer Kennung oder Referenz. Eine fehlende Spalte lässt die Werte, eine leere Zelle löscht ihren Wert.";
    FILE_HINT = "CSV or XLSX (first sheet), at most 16 MiB and 10,000 lines.", "CSV oder XLSX (erstes Blatt), höchstens 16 MiB und 10.000 Zeilen.";
    NEXT = "Assign the columns", "Spalten zuordnen";
    COLUMNS = "Columns of the file", "Spalten der Datei";
    COLUMNS_HELP = "The file has {count} {count|line|lines}. What you choose here is remembered for files with the same headings.", "Die Datei hat {count} {count|Zeile|Zeilen}. Die Auswahl wird für Dateien mit denselben Überschriften gemerkt.";
    HEADING = "Heading", "Überschrift";
    EXAMPLE = "Example", "Beispiel";
    COLUMN = "Column of the records", "Spalte der Einträge";
    LEAVE_OUT = "Leave out", "Weglassen";
    NOT_READ = "{column} (not changed by an import)", "{column} (von einem Import nicht geändert)";
    AGAIN = "The file, once more", "Die Datei noch einmal";
    AGAIN_HINT = "It is too large to be kept in this page.", "Sie ist zu groß, um in dieser Seite aufbewahrt zu werden.";
    COUNTS = "Created: {created}, changed: {changed}, unchanged: {unchanged}, refused: {refused}.", "Angelegt: {created}, geändert: {changed}, unverändert: {unchanged}, abgelehnt: {refused}.";
    CREATED = "Created", "Angelegt";
    REFUSED = "Refused", "Abgelehnt";
    CHECKED = "This is what the import would do", "Das würde der Import bewirken";
    CHECKED_REFUSED = "The import is not possible yet", "Der Import ist noch nicht möglich";
    REFUSED_HELP = "Correct the lines that are refused, or leave their column out. Until then nothing is stored.", "Bitte die abgelehnten Zeilen berichtigen oder ihre Spalte weglassen. Bis dahin wird nichts gespeichert.";
    RECORD = "Record", "Eintrag";
}
