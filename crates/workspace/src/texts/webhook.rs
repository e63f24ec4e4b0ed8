//! Webhooks.

use super::texts;

texts! {
    TITLE = "Webhooks", "Webhooks";
    INTRO = "Where you want to be told of findings, test results and deadlines.", "Wohin Feststellungen, Testergebnisse und Fristen gemeldet werden.";
    NEW = "New webhook", "Neuer Webhook";
    EDIT = "Change the webhook", "Webhook ändern";
    EMPTY = "There is no webhook yet", "Es gibt noch keinen Webhook";
    EMPTY_HELP = "Make one, and your team hears of a new finding within seconds.", "Legen Sie einen an, und Ihr Team erfährt binnen Sekunden von einer neuen Feststellung.";
    NAME_HINT = "How your team calls the place, such as “ICT risk channel”.", "Wie Ihr Team den Ort nennt, etwa „Kanal IKT-Risiko“.";
    CHANNEL = "Channel", "Kanal";
    SLACK = "Slack", "Slack";
    TEAMS = "Microsoft Teams", "Microsoft Teams";
    EMAIL = "Email", "E-Mail";
    URL = "Destination", "Ziel";
    URL_HINT = "Slack: the address of an incoming webhook. Teams: the address of a workflow that posts to a channel. Email: mailto: and one address.", "Slack: die Adresse eines eingehenden Webhooks. Teams: die Adresse eines Workflows, der in einen Kanal schreibt. E-Mail: mailto: und eine Adresse.";
    EVENTS = "Events", "Ereignisse";
    FINDING_CREATED = "A finding is created", "Eine Feststellung entsteht";
    FINDING_STATUS = "A finding changes its status", "Eine Feststellung ändert ihren Status";
    TEST_CASE_STATUS = "A test case changes its status", "Ein Testfall ändert seinen Status";
    DEADLINE = "A deadline comes near", "Eine Frist rückt näher";
    ACTIVE_HELP = "Sends. Switch it off to pause without losing it.", "Sendet. Zum Pausieren ausschalten; nichts geht verloren.";
    CREATE = "Make the webhook", "Webhook anlegen";
    DELETE_ASK = "“{name}” receives nothing any more.", "„{name}“ erhält dann nichts mehr.";
    DELETE_SURE = "Delete this webhook", "Diesen Webhook löschen";
    WAS_CREATED = "The webhook is made and active.", "Der Webhook ist angelegt und aktiv.";
    WAS_CHANGED = "The webhook is changed.", "Der Webhook ist geändert.";
    WAS_DELETED = "The webhook is deleted.", "Der Webhook ist gelöscht.";
    PAUSE = "Pause", "Pausieren";
    RESUME = "Resume", "Fortsetzen";
    WAS_PAUSED = "The webhook is paused. It sends nothing until it is resumed.", "Der Webhook ist pausiert. Bis zur Fortsetzung sendet er nichts.";
    WAS_RESUMED = "The webhook is active again.", "Der Webhook ist wieder aktiv.";
    HEALTH = "Last delivery", "Letzte Zustellung";
    FAILING = "Failing since", "Scheitert seit";
    SWITCHED_OFF = "Switched off by the service", "Vom Dienst abgeschaltet";
    NOTHING_SENT = "Nothing was sent yet", "Noch wurde nichts gesendet";
    DELIVERIES = "Deliveries", "Zustellungen";
    EVENT = "Event", "Ereignis";
    TRIES = "Tries", "Versuche";
    LAST_TRY = "Last try", "Letzter Versuch";
    NEXT_TRY = "next", "nächster";
    RETRY = "Send again", "Erneut senden";
    TEST = "Send a test message", "Testnachricht senden";
    TEST_HELP = "One message, marked as a test. It is not tried again.", "Eine Nachricht, als Test gekennzeichnet. Sie wird nicht wiederholt.";
    REPLAY = "Send what was missed", "Verpasstes nachsenden";
    REPLAY_HELP = "Everything this webhook missed since the chosen day is sent.", "Alles, was dieser Webhook seit dem gewählten Tag verpasst hat, wird gesendet.";
    REPLAY_SINCE = "Since", "Seit";
    BACK = "Back to the webhook", "Zurück zum Webhook";
    WAS_RETRIED = "The delivery is sent again.", "Die Zustellung wird erneut gesendet.";
    WAS_REPLAYED = "What was missed is being sent.", "Das Verpasste wird gesendet.";
    SECRET_URL = "The address is a secret; your role sees only where it leads.", "Die Adresse ist geheim; Ihre Rolle sieht nur, wohin sie führt.";
}
