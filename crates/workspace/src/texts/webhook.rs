//! Webhooks.

use super::texts;

texts! {
    TITLE = "Webhooks", "Webhooks";
    INTRO = "Where notifications about findings, test results and deadlines are sent.", "Wohin Feststellungen, Testergebnisse und Fristen gemeldet werden.";
    NEW = "New webhook", "Neuer Webhook";
    EDIT = "Edit webhook", "Webhook ändern";
    EMPTY = "No webhooks yet", "Es gibt noch keinen Webhook";
    EMPTY_HELP = "Create one and your team is notified of new findings within seconds.", "Legen Sie einen an, und Ihr Team erfährt binnen Sekunden von einer neuen Feststellung.";
    ONE = "1 webhook", "1 Webhook";
    MANY = "{count} webhooks", "{count} Webhooks";
    NAME_HINT = "What your team calls the destination, for example “ICT risk channel”.", "Wie Ihr Team den Ort nennt, etwa „Kanal IKT-Risiko“.";
    CHANNEL = "Channel", "Kanal";
    URL = "Destination", "Ziel";
    URL_HINT = "Slack: the address of an incoming webhook. Teams: the address of a workflow that posts to a channel. Email: one address.", "Slack: die Adresse eines eingehenden Webhooks. Teams: die Adresse eines Workflows, der in einen Kanal schreibt. E-Mail: eine Adresse.";
    EVENTS = "Events", "Ereignisse";
    ACTIVE_HELP = "Sends notifications. Turn it off to pause without deleting it.", "Sendet. Zum Pausieren ausschalten; nichts geht verloren.";
    CREATE = "Create webhook", "Webhook anlegen";
    DELETE_ASK = "“{name}” will no longer receive notifications.", "„{name}“ erhält dann nichts mehr.";
    DELETE_SURE = "Delete this webhook", "Diesen Webhook löschen";
    WAS_CREATED = "Webhook created and active.", "Der Webhook ist angelegt und aktiv.";
    WAS_CHANGED = "Webhook updated.", "Der Webhook ist geändert.";
    WAS_DELETED = "Webhook deleted.", "Der Webhook ist gelöscht.";
    PAUSE = "Pause", "Pausieren";
    RESUME = "Resume", "Fortsetzen";
    WAS_PAUSED = "The webhook is paused. It sends nothing until it is resumed.", "Der Webhook ist pausiert. Bis zur Fortsetzung sendet er nichts.";
    WAS_RESUMED = "The webhook is active again.", "Der Webhook ist wieder aktiv.";
    HEALTH = "Last delivery", "Letzte Zustellung";
    FAILING = "Failing since", "Scheitert seit";
    SWITCHED_OFF = "Switched off by the service", "Vom Dienst abgeschaltet";
    NOTHING_SENT = "Nothing has been sent yet", "Noch wurde nichts gesendet";
    DELIVERIES = "Deliveries", "Zustellungen";
    EVENT = "Event", "Ereignis";
    TRIES = "Attempts", "Versuche";
    LAST_TRY = "Last attempt", "Letzter Versuch";
    NEXT_TRY = "next", "nächster";
    RETRY = "Send again", "Erneut senden";
    PENDING = "Waits for confirmation", "Wartet auf Bestätigung";
    PENDING_HELP = "The address is not one of your institution's domains. Its owner was sent a link and has to agree before anything is sent there. Events until then are kept and can be sent afterwards.", "Die Adresse gehört nicht zu den Domains Ihres Instituts. An sie ging ein Link; erst nach der Zustimmung wird etwas dorthin gesandt. Ereignisse bis dahin bleiben erhalten und lassen sich nachsenden.";
    ASK_AGAIN = "Send the link again", "Link erneut senden";
    WAS_ASKED = "The link was sent again.", "Der Link wurde erneut gesandt.";
    MAIL = "Link", "Link";
    TEST = "Send a test message", "Testnachricht senden";
    TEST_HELP = "A single message marked as a test. It is not retried.", "Eine Nachricht, als Test gekennzeichnet. Sie wird nicht wiederholt.";
    REPLAY = "Resend missed messages", "Verpasstes nachsenden";
    REPLAY_HELP = "Sends everything this webhook has missed since the selected day.", "Alles, was dieser Webhook seit dem gewählten Tag verpasst hat, wird gesendet.";
    REPLAY_SINCE = "Since", "Seit";
    BACK = "Back to the webhook", "Zurück zum Webhook";
    WAS_RETRIED = "The delivery is being sent again.", "Die Zustellung wird erneut gesendet.";
    WAS_REPLAYED = "The missed messages are being sent.", "Das Verpasste wird gesendet.";
    SECRET_URL = "The address is secret; your role can only see its host.", "Die Adresse ist geheim; Ihre Rolle sieht nur, wohin sie führt.";
}
