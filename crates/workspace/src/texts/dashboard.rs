//! The first page of the day.

use super::texts;

texts! {
    TITLE = "Dashboard", "Übersicht";
    HELLO = "Hello, {name}", "Guten Tag, {name}";
    OPEN_FINDINGS = "Open findings", "Offene Feststellungen";
    CRITICAL = "Critical ones", "Davon kritisch";
    OVERDUE = "Overdue", "Überfällig";
    TESTS_UNDER_WAY = "Tests under way", "Laufende Tests";
    TESTS_FAILED = "Tests failed", "Nicht bestandene Tests";
    BREACHES = "Threshold breaches", "Schwellenüberschreitungen";
    BY_SEVERITY = "Open findings by severity", "Offene Feststellungen nach Schweregrad";
    BY_AGE = "Open findings by age", "Offene Feststellungen nach Alter";
    UP_TO_DAYS = "up to {days} days", "bis {days} Tage";
    OVER_DAYS = "over {days} days", "über {days} Tage";
    NO_FINDINGS = "Nothing is open.", "Nichts ist offen.";
    TO_FINDINGS = "Record or import findings", "Feststellungen anlegen oder importieren";
    DEADLINES = "Next deadlines", "Nächste Fristen";
    NO_DEADLINES = "Nothing is due.", "Nichts ist fällig.";
    FINDING = "Finding", "Feststellung";
    TEST_CASE = "Test case", "Testfall";
    MILESTONE = "Milestone", "Meilenstein";
    REVIEW = "Review", "Überprüfung";
    IN_DAYS = "in {days} days", "in {days} Tagen";
    DUE_TOMORROW = "tomorrow", "morgen";
    DUE_TODAY = "today", "heute";
    DUE_YESTERDAY = "since yesterday", "seit gestern";
    DAYS_LATE = "{days} days late", "seit {days} Tagen";
    PROGRAMMES = "Programmes under way", "Laufende Programme";
    PROGRAMME = "Programme", "Programm";
    TESTS = "Test cases", "Testfälle";
    NO_PROGRAMMES = "No programme is under way.", "Kein Programm läuft.";
    TO_PROGRAMMES = "Plan the first programme", "Das erste Programm planen";
    SCORES = "Compliance", "Compliance";
    COVERAGE = "Coverage", "Abdeckung";
    TREND_NAME = "Trend", "Entwicklung";
    TO_COMPLIANCE = "To the compliance status", "Zum Compliance-Stand";
    CONCENTRATION = "Concentration risk", "Konzentrationsrisiko";
    NOT_ANALYSED = "The register has not been analysed yet.", "Das Register wurde noch nicht analysiert.";
    TO_REGISTER = "Fill the register first", "Zuerst das Register füllen";
    BREACH_COUNT = "Breaches: {count}", "Überschreitungen: {count}";
    LAST_ANALYSED = "Last analysed", "Zuletzt analysiert";
    FAILING = "Webhooks in trouble", "Webhooks mit Problemen";
    STEP_REGISTER = "Fill the register of ICT arrangements", "Das Register der IKT-Vereinbarungen füllen";
    STEP_REGISTER_HELP = "Import your register of information; the concentration analysis reads it.", "Importieren Sie Ihr Informationsregister; die Konzentrationsanalyse liest es.";
}
