//! Event hooks.

use super::texts;

texts! {
    TITLE = "Event hooks", "Ereignis-Hooks";
    INTRO = "Your own systems that receive every change of your records, and what happens to reports, signed.", "Eigene Systeme, die signiert erfahren, was sich an Ihren Datensätzen ändert und was mit Meldungen geschieht.";
    NEW = "New event hook", "Neuer Ereignis-Hook";
    EDIT = "Edit event hook", "Ereignis-Hook ändern";
    EMPTY = "No event hooks yet", "Es gibt noch keinen Ereignis-Hook";
    EMPTY_HELP = "Create one and a system of yours, such as a data warehouse, receives the records as they change.", "Legen Sie einen an, und ein eigenes System, etwa ein Data-Warehouse, erhält die Datensätze, sobald sie sich ändern.";
    ONE = "1 event hook", "1 Ereignis-Hook";
    MANY = "{count} event hooks", "{count} Ereignis-Hooks";
    NAME_HINT = "What your team calls the receiving system.", "Wie Ihr Team das empfangende System nennt.";
    URL = "Address", "Adresse";
    URL_HINT = "An https address that takes events as JSON.", "Eine https-Adresse, die Ereignisse als JSON annimmt.";
    EVENTS = "Events", "Ereignisse";
    EVENTS_HINT = "One per line, such as finding.created, finding.*, *.deleted or report.submitted. Empty: all.", "Je Zeile eines, etwa finding.created, finding.*, *.deleted oder report.submitted. Leer: alle.";
    ALL_EVENTS = "All", "Alle";
    SEVERITY = "Only with these severities", "Nur mit diesen Schweregraden";
    OWNER = "Only of this owner", "Nur von dieser zuständigen Person";
    ACTIVE_HELP = "Sends events. What happens while it is off is not sent later.", "Sendet Ereignisse. Was geschieht, während er aus ist, wird nicht nachgesendet.";
    CREATE = "Create event hook", "Ereignis-Hook anlegen";
    CREATED_TITLE = "The secret of the event hook", "Das Geheimnis des Ereignis-Hooks";
    SECRET = "Secret", "Geheimnis";
    SECRET_HELP = "The receiver verifies events with it. Copy it now: it is not shown again.", "Damit prüft das empfangende System die Ereignisse. Bitte jetzt kopieren: Es wird nicht noch einmal angezeigt.";
    BACK = "Back to the event hook", "Zurück zum Ereignis-Hook";
    ROTATE = "Make a new secret", "Neues Geheimnis erzeugen";
    ROTATE_HELP = "For 24 hours events are signed with the old secret and the new one, so that you can change the receiver meanwhile.", "24 Stunden lang werden Ereignisse mit dem alten und dem neuen Geheimnis signiert, damit Sie das empfangende System in Ruhe umstellen können.";
    FORMER_UNTIL = "The old secret still signs until", "Das alte Geheimnis signiert noch bis";
    DELETE_ASK = "“{name}” will no longer receive events.", "„{name}“ erhält dann keine Ereignisse mehr.";
    DELETE_SURE = "Delete this event hook", "Diesen Ereignis-Hook löschen";
    WAS_CHANGED = "Event hook updated.", "Der Ereignis-Hook ist geändert.";
    WAS_DELETED = "Event hook deleted.", "Der Ereignis-Hook ist gelöscht.";
    NOTHING_SENT = "Nothing has been sent yet", "Noch wurde nichts gesendet";
}
