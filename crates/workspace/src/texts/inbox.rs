//! The inbox: what concerns the reader.

use super::texts;

texts! {
    TITLE = "Inbox", "Posteingang";
    INTRO = "What concerns you: what is assigned or handed over to you, comments, and what is due. Notices are stored for 90 days.", "Was Sie betrifft: was Ihnen zugewiesen oder übergeben wird, Kommentare und was fällig ist. Nachrichten bleiben 90 Tage gespeichert.";
    BELL = "Inbox, {count} unread", "Posteingang, {count} ungelesen";
    EMPTY = "Nothing yet", "Noch nichts";
    EMPTY_HELP = "As soon as something is assigned to you or is due soon, it appears here.", "Sobald Ihnen etwas zugewiesen wird oder bald fällig ist, erscheint es hier.";
    LIST = "Your notices", "Ihre Nachrichten";
    WHAT = "Subject", "Worum es geht";
    WHY = "Reason", "Grund";
    DUE = "Due", "Fällig";
    WHEN = "Received", "Erhalten";
    UNREAD = "unread", "ungelesen";
    READ_ALL = "Mark all as read", "Alle als gelesen markieren";
    WAS_READ = "All notices are marked as read.", "Alle Nachrichten sind als gelesen markiert.";
    CHOICES = "How you want to be notified", "Wie Sie benachrichtigt werden";
    CHOICES_HELP = "Every notice appears here. Choose which ones you get by mail too. Mail about the clock of a statutory report always comes at once.", "Jede Nachricht erscheint hier. Wählen Sie, welche Sie zusätzlich per E-Mail erhalten. E-Mails zur Frist einer gesetzlichen Meldung kommen immer sofort.";
    NO_MAIL = "This installation sends no mail yet: the operator has not set up a mail server.", "Diese Installation verschickt noch keine E-Mails: Der Betreiber hat keinen Mailserver eingerichtet.";
    HOUR = "Hour of the daily mail, in your time zone", "Uhrzeit der täglichen E-Mail, in Ihrer Zeitzone";
    WAS_CHOSEN = "Your choice is saved.", "Ihre Wahl ist gespeichert.";
}
