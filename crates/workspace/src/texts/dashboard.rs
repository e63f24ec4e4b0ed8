//! The first page of the day.

use super::texts;

texts! {
    TITLE = "Dashboard", "Übersicht";
    HELLO = "Hello, {name}", "Guten Tag, {name}";
    FIRST_STEPS = "First steps", "Erste Schritte";
    STEP_SECOND_FACTOR = "Protect your account with a second factor", "Das eigene Konto mit einem zweiten Faktor schützen";
    STEP_SECOND_FACTOR_HELP = "An authenticator app makes a stolen password worthless.", "Mit einer Authenticator-App ist ein gestohlenes Passwort wertlos.";
    STEP_THRESHOLDS = "Set your concentration thresholds", "Die Schwellen für Konzentrationsrisiken setzen";
    STEP_THRESHOLDS_HELP = "From which share a provider, sector, region or technology is too much.", "Ab welchem Anteil ein Anbieter, ein Sektor, eine Region oder eine Technologie zu viel ist.";
    STEP_WEBHOOK = "Say where you want to be told", "Sagen, wohin gemeldet wird";
    STEP_WEBHOOK_HELP = "Findings and deadlines arrive in Slack, Teams or by mail.", "Feststellungen und Fristen kommen in Slack, Teams oder per E-Mail an.";
    STEP_KEY = "Give your programs a key", "Den eigenen Programmen einen Schlüssel geben";
    STEP_KEY_HELP = "The API offers all of this to scripts and other systems.", "Die API bietet all das auch Skripten und anderen Systemen.";
    STEP_USERS = "Invite your colleagues", "Die Kolleginnen und Kollegen einladen";
    STEP_USERS_HELP = "Each with the role that fits.", "Jede Person mit der Rolle, die passt.";
    DONE = "Done", "Erledigt";
    OPEN = "To do", "Offen";
}
