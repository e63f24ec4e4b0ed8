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
    RECORD = "Record (id)", "Datensatz (Kennung)";
    NEWEST = "Newest", "Neueste";
    OLDER = "Older entries", "Ältere Einträge";
    LOOKED_BACK = "Looked back to {time}.", "Zurück bis {time} durchsucht.";
    DETAIL = "Before → after", "Vorher → nachher";
    OPERATOR = "Operator", "Betrieb";
    SYSTEM = "The service itself", "Der Dienst selbst";
    NOTHING = "No entries found", "Keine Einträge gefunden";
    NOTHING_HELP = "Nothing was done that fits these filters.", "Es wurde nichts getan, was zu diesen Filtern passt.";
    VERIFY = "Verify the chain", "Kette prüfen";
    VERIFY_HELP = "Recomputes every hash from the first entry to the last.", "Rechnet jeden Prüfwert nach, vom ersten bis zum letzten Eintrag.";
    VERIFIED = "The chain is intact", "Die Kette ist intakt";
    VERIFIED_HELP = "{entries} entries verified. Keep the head as proof for later:", "{entries} Einträge passen zusammen. Der Kopf beweist es später:";
    BROKEN = "The chain is broken", "Die Kette ist gebrochen";
    BROKEN_HELP = "Inform your operator immediately and keep this page:", "Bitte sofort den Betrieb verständigen und diese Seite verwahren:";
}
