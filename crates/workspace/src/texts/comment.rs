//! Comments on records, and watching a record.

use super::texts;

texts! {
    COMMENT = "Comment", "Kommentar";
    TITLE = "Comments", "Kommentare";
    RECORD = "The record", "Der Eintrag";
    EMPTY = "No comments yet. Ask here, and what was agreed stays with the record.", "Noch keine Kommentare. Hier lässt sich nachfragen, und was besprochen wurde, bleibt beim Eintrag.";
    TEXT = "Your comment", "Ihr Kommentar";
    TEXT_HINT = "To mention a person, write @ and their full name, or choose them below.", "Um eine Person zu erwähnen, schreiben Sie @ und den vollen Namen, oder wählen Sie sie unten aus.";
    MENTIONS = "Mention", "Erwähnen";
    SEND = "Comment", "Kommentieren";
    CHANGE = "Change", "Ändern";
    CHANGE_LABEL = "Changed comment", "Geänderter Kommentar";
    DELETE_ASK = "The comment and its text are deleted.", "Der Kommentar wird mit seinem Text gelöscht.";
    DELETE_SURE = "Delete comment", "Kommentar löschen";
    WITHDRAW = "Withdraw", "Zurückziehen";
    WITHDRAW_ASK = "Others then see that a comment was withdrawn. Its text stays for auditors and managers.", "Andere sehen dann, dass ein Kommentar zurückgezogen wurde. Der Text bleibt für Prüfung und Leitung lesbar.";
    WITHDRAW_SURE = "Withdraw comment", "Kommentar zurückziehen";
    RESOLVE = "Mark as resolved", "Als erledigt markieren";
    GONE = "This comment was withdrawn.", "Dieser Kommentar wurde zurückgezogen.";
    GONE_FOR_OTHERS = "Withdrawn: others do not see this text.", "Zurückgezogen: Andere sehen diesen Text nicht.";
    MENTIONED = "Mentions {names}", "Erwähnt {names}";
    EDITED = "changed {when}", "geändert {when}";
    RESOLVED = "resolved by {who}, {when}", "erledigt von {who}, {when}";
    PRINT = "PDF with comments", "PDF mit Kommentaren";
    EARLIER = "Show all {count} {count|comment|comments}", "Alle {count} {count|Kommentar|Kommentare} zeigen";
    WATCH = "Watch", "Beobachten";
    UNWATCH = "Stop watching", "Nicht mehr beobachten";
    WATCHED = "You get a notice of each comment.", "Sie werden über jeden Kommentar benachrichtigt.";
    BACK = "Back to the record", "Zurück zum Eintrag";
    NOT_POSSIBLE = "This is no longer possible", "Das ist nicht mehr möglich";
    WAS_ADDED = "The comment is saved.", "Der Kommentar ist gespeichert.";
    WAS_CHANGED = "The comment is changed.", "Der Kommentar ist geändert.";
    WAS_REMOVED = "The comment is deleted or withdrawn.", "Der Kommentar ist gelöscht oder zurückgezogen.";
    WAS_RESOLVED = "The comment is marked as resolved.", "Der Kommentar ist als erledigt markiert.";
    IS_WATCHED = "You watch this record now.", "Sie beobachten diesen Eintrag jetzt.";
    IS_UNWATCHED = "You no longer watch this record.", "Sie beobachten diesen Eintrag nicht mehr.";
    WATCHES = "Watched records", "Beobachtete Einträge";
    WRITTEN_AT = "Comment of", "Kommentar vom";
    HISTORY_ADDED = "Comment written", "Kommentar geschrieben";
    HISTORY_EDITED = "Comment changed", "Kommentar geändert";
    HISTORY_DELETED = "Comment deleted", "Kommentar gelöscht";
    HISTORY_WITHDRAWN = "Comment withdrawn", "Kommentar zurückgezogen";
    NOTES = "Working notes", "Arbeitsnotizen";
    NOTES_HELP = "Only auditors see these notes, in no search, history, file or log. Released, a note is a comment that all readers of the record see.", "Diese Notizen sehen nur Prüfende; sie stehen in keiner Suche, keinem Verlauf, keiner Datei und keinem Protokoll. Freigegeben ist eine Notiz ein Kommentar, den alle sehen, die den Eintrag lesen.";
    NOTE = "Working note", "Arbeitsnotiz";
    NOTE_SAVE = "Save note", "Notiz speichern";
    NOTE_RELEASE = "Release", "Freigeben";
    NOTE_RELEASE_ASK = "The note becomes a comment under your name, and its owner and watchers get a notice.", "Die Notiz wird ein Kommentar unter Ihrem Namen; die verantwortliche Person und alle, die den Eintrag beobachten, erhalten eine Mitteilung.";
    NOTE_RELEASE_SURE = "Release note", "Notiz freigeben";
    NOTE_DELETE_ASK = "The note is deleted without a trace.", "Die Notiz wird spurlos gelöscht.";
    NOTE_DELETE_SURE = "Delete note", "Notiz löschen";
    WAS_NOTED = "The note is saved. Only auditors see it.", "Die Notiz ist gespeichert. Nur Prüfende sehen sie.";
    WAS_RELEASED = "The note is a comment now.", "Die Notiz ist jetzt ein Kommentar.";
    NOTE_WAS_DELETED = "The note is deleted.", "Die Notiz ist gelöscht.";
    HISTORY_RESOLVED = "Comment resolved", "Kommentar erledigt";
}
