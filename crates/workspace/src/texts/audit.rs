//! The audit log.

use super::texts;

texts! {
    TITLE = "Audit log", "Prüfprotokoll";
    INTRO = "Every change, who made it and when. Each entry carries a hash that covers it and the one before, so that no entry can be changed, removed or slipped in unnoticed.", "Jede Änderung, von wem und wann. Jeder Eintrag trägt einen Prüfwert über sich und den vorigen, damit keiner unbemerkt geändert, entfernt oder eingeschoben werden kann.";
    NUMBER = "No.", "Nr.";
    WHEN = "When", "Wann";
    WHO = "Who", "Wer";
    WHAT = "What", "Was";
    SUBJECT = "Record", "Eintrag";
    DETAIL = "Detail", "Einzelheiten";
    OPERATOR = "Operator", "Betrieb";
    SYSTEM = "The service itself", "Der Dienst selbst";
    EMPTY = "Nothing has been changed yet", "Noch wurde nichts geändert";
    EMPTY_HELP = "The first change will be the first entry.", "Die erste Änderung wird der erste Eintrag sein.";
    VERIFY = "Verify the chain", "Kette prüfen";
    VERIFY_HELP = "Computes every hash again, from the first entry to the last.", "Rechnet jeden Prüfwert nach, vom ersten bis zum letzten Eintrag.";
    VERIFIED = "The chain is whole", "Die Kette ist heil";
    VERIFIED_HELP = "{entries} entries fit together. Keep the head to prove it later:", "{entries} Einträge passen zusammen. Der Kopf beweist es später:";
    BROKEN = "The chain is broken", "Die Kette ist gebrochen";
    BROKEN_HELP = "Tell your operator at once, and keep this page:", "Bitte sofort den Betrieb verständigen und diese Seite verwahren:";
}
