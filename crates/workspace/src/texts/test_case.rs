//! Test cases.

use super::texts;

texts! {
    TITLE = "Test cases", "Testfälle";
    INTRO = "Every test in your programmes, from plan to result.", "Jeder Test Ihrer Programme, vom Plan bis zum Ergebnis.";
    NEW = "New test case", "Neuer Testfall";
    EDIT = "Edit test case", "Testfall ändern";
    EMPTY = "No test cases yet", "Es gibt noch keinen Testfall";
    EMPTY_HELP = "Open a programme and plan its first test.", "Öffnen Sie ein Programm und planen Sie seinen ersten Test.";
    ONE = "1 test case", "1 Testfall";
    MANY = "{count} test cases", "{count} Testfälle";
    TEST_CASE = "Test case", "Testfall";
    ACTUAL_HINT = "Required when the test failed.", "Nötig, wenn der Test nicht bestanden wurde.";
    EVIDENCE_HINT = "Where the evidence is stored, one location per line.", "Wo der Nachweis liegt, je Zeile ein Ort.";
    CREATE = "Plan the test", "Test anlegen";
    FUNCTIONS_HINT = "Functions of the programme. The test counts for these, and for no others.", "Funktionen des Programms. Der Test zählt für diese und für keine anderen.";
    NO_FUNCTION = "None; the test counts for no function", "Keine; der Test zählt für keine Funktion";
    ADD_FINDING = "Record a finding", "Feststellung anlegen";
}
