//! Programmes.

use super::texts;

texts! {
    TITLE = "Programmes", "Programme";
    INTRO = "What you plan to test in a period, and for which functions.", "Was Sie in einem Zeitraum testen wollen und für welche Funktionen.";
    NEW = "New programme", "Neues Programm";
    EDIT = "Edit programme", "Programm ändern";
    EMPTY = "No programmes yet", "Es gibt noch kein Programm";
    EMPTY_HELP = "Start with the annual testing programme required by DORA Art. 24.", "Beginnen Sie mit dem jährlichen Testprogramm nach DORA Art. 24.";
    ARCHIVED_HELP = "Archived on {when}. It is left out of the list until it is restored, and then has the status from before.", "Archiviert am {when}. Das Programm fehlt in der Liste, bis es wiederhergestellt wird, und hat dann den Status von vorher.";
    ONE = "1 programme", "1 Programm";
    MANY = "{count} programmes", "{count} Programme";
    PROGRAMME = "Programme", "Programm";
    PERIOD = "Period", "Zeitraum";
    FUNCTIONS_HINT = "Functions of the register are suggested while you type.", "Funktionen des Registers werden beim Tippen vorgeschlagen.";
    PROGRESS = "Progress", "Fortschritt";
    PROGRESS_OF = "Tests with a result: {done} of {total}", "Tests mit Ergebnis: {done} von {total}";
    CREATE = "Create programme", "Programm anlegen";
    ADD_TEST_CASE = "Plan a test", "Test planen";
    UNNAMED_ONE = "1 test names no function and counts for none.", "1 Test nennt keine Funktion und zählt für keine.";
    UNNAMED = "{count} tests name no function and count for none.", "{count} Tests nennen keine Funktion und zählen für keine.";
    BY_STATUS = "Test cases by status", "Testfälle nach Status";
    BY_SEVERITY = "Open findings by severity", "Offene Feststellungen nach Schweregrad";
}
