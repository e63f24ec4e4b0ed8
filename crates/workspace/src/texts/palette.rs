//! The actions of the command palette.

use super::texts;

texts! {
    ACTION = "Action", "Aktion";
    HERE = "On this page", "Auf dieser Seite";
    NEW_INCIDENT = "New incident", "Neuer Vorfall";
    NEW_FINDING = "New finding", "Neue Feststellung";
    NEW_CONTROL = "New control", "Neue Kontrolle";
    ADOPT_CONTROLS = "Adopt measures as controls", "Maßnahmen als Kontrollen übernehmen";
    NEW_TEST_CASE = "New test case", "Neuer Testfall";
    NEW_PROGRAMME = "New programme", "Neues Programm";
    IMPORT_FINDINGS = "Import findings", "Feststellungen importieren";
    IMPORT_INCIDENTS = "Import incidents", "Vorfälle importieren";
    NEW_CRA_REPORT = "New CRA report", "Neue CRA-Meldung";
    NEW_ARRANGEMENT = "New ICT arrangement", "Neue IKT-Vereinbarung";
    REGISTER_FILINGS = "Filings of the register", "Einreichungen des Registers";
    IMPORT_ARRANGEMENTS = "Import ICT arrangements", "IKT-Vereinbarungen importieren";
    IMPORT_REGISTER = "Import the register", "Register importieren";
    ANALYSE = "Analyse concentration now", "Konzentration jetzt analysieren";
    NEW_WEBHOOK = "New webhook", "Neuer Webhook";
    NEW_API_KEY = "New API key", "Neuer API-Schlüssel";
    INVITE = "Invite a colleague", "Jemanden einladen";
}
