//! Tags of records.

use super::texts;

texts! {
    TAG = "Tag", "Schlagwort";
    TITLE = "Tags", "Schlagwörter";
    EMPTY = "No tags yet.", "Noch keine Schlagwörter.";
    CHANGE = "Change tags", "Schlagwörter ändern";
    HINT = "Separate them with commas. Up to {most} tags of {longest} characters.", "Mit Kommas trennen. Bis zu {most} Schlagwörter mit je {longest} Zeichen.";
    ALIKE = "Show records with this tag", "Einträge mit diesem Schlagwort zeigen";
    WERE_CHANGED = "The tags are saved.", "Die Schlagwörter sind gespeichert.";
}
