//! What can be begun from the command palette.

use super::texts;

texts! {
    ACTION = "Action", "Aktion";
    NEW_FINDING = "New finding", "Neue Feststellung";
    NEW_TEST_CASE = "New test case", "Neuer Testfall";
    NEW_PROGRAMME = "New programme", "Neues Programm";
    IMPORT_FINDINGS = "Import findings", "Feststellungen importieren";
    NEW_CRA_REPORT = "New CRA report", "Neue CRA-Meldung";
    NEW_ARRANGEMENT = "New ICT arrangement", "Neue IKT-Vereinbarung";
    IMPORT_REGISTER = "Import the register", "Register importieren";
    ANALYSE = "Analyse concentration now", "Konzentration jetzt analysieren";
    NEW_WEBHOOK = "New webhook", "Neuer Webhook";
    NEW_API_KEY = "New API key", "Neuer API-Schlüssel";
    INVITE = "Invite a colleague", "Jemanden einladen";
}
