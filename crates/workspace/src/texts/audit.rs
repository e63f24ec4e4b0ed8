//! The audit log.

use super::texts;

texts! {
    TITLE = "Audit log", "Prüfprotokoll";
    INTRO = "Every change, with who made it and when. Each entry carries a hash over itself and the previous entry, so that no entry can be changed, removed or inserted unnoticed.", "Jede Änderung, von wem und wann. Jeder Eintrag trägt einen Prüfwert über sich und den vorigen, damit keiner unbemerkt geändert, entfernt oder eingeschoben werden kann.";
    NUMBER = "No.", "Nr.";
    WHEN = "When", "Wann";
    WHO = "Who", "Wer";
    WHAT = "What happened", "Was geschah";
    KIND = "About", "Worüber";
    FROM = "From", "Von";
    TO = "To", "Bis";
    RECORD = "Record", "Datensatz";
    NEWEST = "Newest", "Neueste";
    OLDER = "Older entries", "Ältere Einträge";
    LOOKED_BACK = "Looked back to {time}.", "Zurück bis {time} durchsucht.";
    DETAIL = "Before → after", "Vorher → nachher";
    OPERATOR = "Operator", "Betrieb";
    SYSTEM = "The service itself", "Der Dienst selbst";
    DELETED_RECORD = "a deleted record", "einen gelöschten Datensatz";
    NOTHING = "No entries found", "Keine Einträge gefunden";
    NOTHING_HELP = "Nothing was done that fits these filters.", "Es wurde nichts getan, was zu diesen Filtern passt.";
    VERIFY = "Verify the chain", "Kette prüfen";
    VERIFY_HELP = "Recomputes every hash from the first entry to the last.", "Rechnet jeden Prüfwert nach, vom ersten bis zum letzten Eintrag.";
    VERIFIED = "The chain is intact", "Die Kette ist intakt";
    VERIFIED_HELP = "{entries} {entries|entry|entries} verified. Keep the head as proof for later:", "{entries} {entries|Eintrag ist unverändert|Einträge passen zusammen}. Der Kopf beweist es später:";
    NOT_CHECKED = "What was not checked", "Was nicht geprüft wurde";
    NO_HEAD = "Whether the end was cut off: only a head that is kept elsewhere shows that.", "Ob das Ende abgeschnitten wurde: Das zeigt nur ein Kopf, der anderswo verwahrt wird.";
    BEFORE_KEYS = "Entries from before the log was protected with a key: {count}. Their links hold, and they have been fixed since.", "Einträge aus der Zeit vor der Sicherung mit einem Schlüssel: {count}. Ihre Verkettung stimmt, und seither stehen sie fest.";
    WITHOUT_KEY = "Entries whose key is not at hand: {count}", "Einträge, deren Schlüssel nicht vorliegt: {count}";
    LOST_KEY = "Entries whose key is lost: {count}", "Einträge, deren Schlüssel verloren ist: {count}";
    BROKEN = "The chain is broken", "Die Kette ist gebrochen";
    BROKEN_HELP = "Inform your operator immediately and keep this page:", "Bitte sofort den Betrieb verständigen und diese Seite verwahren:";
}
