//! Changing a cell of a list in place, and the keys that lists follow.

use super::texts;

texts! {
    OPEN = "(change)", "(ändern)";
    VALUE_OF = "{field} of {name}", "{field} von {name}";
    NOTE_OF = "Note for the history of {name}", "Notiz für den Verlauf von {name}";
    NOW = "Now it is: {value}. Saving again replaces it.", "Jetzt steht dort: {value}. Erneutes Speichern ersetzt es.";
    NOT_LISTED = "This record is no longer in the list", "Dieser Eintrag steht nicht mehr in der Liste";
    KEYS = "Keys in lists", "Tasten in Listen";
    KEYS_HELP = "They work once a row is chosen with J or K, and not while you type.", "Sie wirken, sobald mit J oder K eine Zeile gewählt ist, und nicht beim Tippen.";
    NEXT_ROW = "Next row, or next record", "Nächste Zeile oder nächster Eintrag";
    PREVIOUS_ROW = "Previous row, or previous record", "Vorige Zeile oder voriger Eintrag";
    OPEN_ROW = "Open the record", "Eintrag öffnen";
    TICK_ROW = "Choose the row for a change of several records", "Zeile für eine Änderung mehrerer Einträge auswählen";
    EDIT_ROW = "Change the record in its form", "Eintrag in seinem Formular ändern";
    ASSIGN_ROW = "Change the owner", "Verantwortliche Person ändern";
    STATUS_ROW = "Change the status", "Status ändern";
    DAY_ROW = "Change the day", "Tag ändern";
    LEAVE = "Leave without a change", "Ohne Änderung verlassen";
    THESE_KEYS = "Show these keys", "Diese Tasten zeigen";
    ESCAPE = "Esc", "Esc";
    ENTER = "Enter", "Eingabe";
    CLOSE = "Close", "Schließen";
}
