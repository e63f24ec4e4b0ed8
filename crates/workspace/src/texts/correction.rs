//! Corrections of what was recorded.

use super::texts;

texts! {
    CORRECTION = "Correction:", "Korrektur:";
    CORRECT = "Correct", "Korrigieren";
    SAVE = "Save the correction", "Korrektur speichern";
    VALUE = "Corrected value", "Korrigierter Wert";
    REASON = "Reason for the correction", "Grund der Korrektur";
    NOTHING = "nothing", "nichts";
    A_FILE = "a file", "eine Datei";
    FIRST_RECORDED = "First recorded by {who}.", "Zuerst erfasst von {who}.";
    CORRECTED_BY = "Corrected by {who} on {when}: {reason}", "Korrigiert von {who} am {when}: {reason}";
    NOT_PASSED = "Leave the day empty if the course was not passed after all.", "Bitte leer lassen, wenn die Schulung doch nicht bestanden wurde.";
    TAKE_BACK = "It was not sent: take it back", "Nicht gesendet: zurücknehmen";
    TAKE_BACK_HELP = "If it was recorded by mistake, take it back with a reason. The clock then runs again; what was recorded stays in the history.", "Wurde sie versehentlich erfasst, lässt sie sich mit Begründung zurücknehmen. Die Frist läuft dann wieder; das Erfasste bleibt im Verlauf.";
    WAS_CORRECTED = "Correction saved. The first value stays in the history.", "Die Korrektur ist gespeichert. Der erste Wert bleibt im Verlauf.";
    RECORDED_BY = "Recorded by", "Erfasst von";
    RECEIPT = "Receipt", "Empfangsbestätigung";
    RECEIPT_HINT = "The answer of the authority, from the evidence of this incident. It can be added later.", "Die Antwort der Behörde, aus den Nachweisen dieses Vorfalls. Sie lässt sich nachtragen.";
    NOT_KNOWN = "not kept", "nicht erfasst";
}
