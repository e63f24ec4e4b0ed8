//! Changing many records of a list at once.

use super::texts;

texts! {
    BULK = "Change several at once", "Mehrere auf einmal ändern";
    FIELD = "Field", "Feld";
    PICK = "Choose a field to change…", "Zu änderndes Feld wählen …";
    KEEP = "As it is", "Wie bisher";
    EMPTY = "Empty this field", "Dieses Feld leeren";
    HELP = "Choose records in the list, then what all of them should have. What stays empty stays as it is; tags replace those of each record.", "Wählen Sie Einträge in der Liste und dann, was alle haben sollen. Was leer bleibt, bleibt, wie es ist; Schlagwörter ersetzen die jedes Eintrags.";
    SUBMIT = "Change the selected records", "Ausgewählte ändern";
    CHOSEN = "{count} chosen", "{count} ausgewählt";
    CHOOSE = "Choose", "Auswählen";
    NONE = "No record was chosen.", "Kein Eintrag war ausgewählt.";
    DONE = "{changed} changed, {unchanged} {unchanged|was|were} like that already, {refused} not possible.", "{changed} geändert, {unchanged} {unchanged|war|waren} schon so, {refused} nicht möglich.";
    GONE = "A record that is no longer there", "Ein Eintrag, den es nicht mehr gibt";
}
