//! How many records a list holds: one, and more than one or none.

use super::texts;

texts! {
    PROGRAMME = "1 programme", "1 Programm";
    PROGRAMMES = "{count} programmes", "{count} Programme";
    TEST_CASE = "1 test case", "1 Testfall";
    TEST_CASES = "{count} test cases", "{count} Testfälle";
    FINDING = "1 finding", "1 Feststellung";
    FINDINGS = "{count} findings", "{count} Feststellungen";
    CRA_REPORT = "1 CRA report", "1 CRA-Meldung";
    CRA_REPORTS = "{count} CRA reports", "{count} CRA-Meldungen";
    ARRANGEMENT = "1 arrangement", "1 Vereinbarung";
    ARRANGEMENTS = "{count} arrangements", "{count} Vereinbarungen";
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
