//! The number of records in a list: one, and more than one or none.

use super::texts;

texts! {
    FUNCTION = "1 function", "1 Funktion";
    FUNCTIONS = "{count} functions", "{count} Funktionen";
    TASK = "1 task", "1 Aufgabe";
    TASKS = "{count} tasks", "{count} Aufgaben";
    PROGRAMME = "1 programme", "1 Programm";
    PROGRAMMES = "{count} programmes", "{count} Programme";
    TEST_CASE = "1 test case", "1 Testfall";
    TEST_CASES = "{count} test cases", "{count} Testfälle";
    CONTROL = "1 control", "1 Kontrolle";
    CONTROLS = "{count} controls", "{count} Kontrollen";
    FINDING = "1 finding", "1 Feststellung";
    FINDINGS = "{count} findings", "{count} Feststellungen";
    CRA_REPORT = "1 CRA report", "1 CRA-Meldung";
    CRA_REPORTS = "{count} CRA reports", "{count} CRA-Meldungen";
    DRILL_RUN = "1 drill run", "1 Übung";
    DRILL_RUNS = "{count} drill runs", "{count} Übungen";
    INCIDENT = "1 incident", "1 Vorfall";
    INCIDENTS = "{count} incidents", "{count} Vorfälle";
    ARRANGEMENT = "1 arrangement", "1 Vereinbarung";
    ARRANGEMENTS = "{count} arrangements", "{count} Vereinbarungen";
    PROVIDER = "1 provider", "1 Dienstleister";
    PROVIDERS = "{count} providers", "{count} Dienstleister";
    WEBHOOK = "1 webhook", "1 Webhook";
    WEBHOOKS = "{count} webhooks", "{count} Webhooks";
    KEY = "1 API key", "1 API-Schlüssel";
    KEYS = "{count} API keys", "{count} API-Schlüssel";
    USER = "1 person", "1 Person";
    USERS = "{count} people", "{count} Personen";
    REQUIREMENT = "1 requirement", "1 Anforderung";
    REQUIREMENTS = "{count} requirements", "{count} Anforderungen";
    QUESTION = "1 question", "1 Frage";
    QUESTIONS = "{count} questions", "{count} Fragen";
    RISK = "1 risk", "1 Risiko";
    RISKS = "{count} risks", "{count} Risiken";
    OWN_FRAMEWORK = "1 own framework", "1 eigenes Rahmenwerk";
    OWN_FRAMEWORKS = "{count} own frameworks", "{count} eigene Rahmenwerke";
    VENDOR = "1 archetype", "1 Archetyp";
    VENDORS = "{count} archetypes", "{count} Archetypen";
    DRILL = "1 scenario", "1 Szenario";
    DRILLS = "{count} scenarios", "{count} Szenarien";
    TRAINING = "1 module", "1 Modul";
    TRAININGS = "{count} modules", "{count} Module";
    MILESTONE = "1 date", "1 Termin";
    MILESTONES = "{count} dates", "{count} Termine";
    SIGNAL = "1 publication", "1 Veröffentlichung";
    SIGNALS = "{count} publications", "{count} Veröffentlichungen";
    HIT = "1 hit", "1 Treffer";
    HITS = "{count} hits", "{count} Treffer";
}
