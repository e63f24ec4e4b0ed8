//! Saved views of lists, and the choice of columns.

use super::texts;

texts! {
    VIEWS = "Saved views", "Gespeicherte Ansichten";
    EVERYTHING = "Without a view", "Ohne Ansicht";
    SAVE = "Save as view", "Als Ansicht speichern";
    SAVE_TITLE = "Save this view", "Diese Ansicht speichern";
    LIST = "List", "Liste";
    NAME = "Name of the view", "Name der Ansicht";
    SHARED = "Share with all people of the institution", "Mit allen Personen des Instituts teilen";
    START = "Open the list with this view", "Liste mit dieser Ansicht öffnen";
    FILTERS = "Filters", "Filter";
    ORDER = "Order", "Reihenfolge";
    IS_SHARED = "shared", "geteilt";
    DELETE = "Delete view", "Ansicht löschen";
    DELETE_ASK = "The view “{name}” is deleted. The records stay.", "Die Ansicht „{name}“ wird gelöscht. Die Einträge bleiben.";
    DELETE_SURE = "Delete this view", "Diese Ansicht löschen";
    WAS_SAVED = "The view is saved.", "Die Ansicht ist gespeichert.";
    WAS_DELETED = "The view is deleted.", "Die Ansicht ist gelöscht.";
    COLUMNS = "Columns", "Spalten";
    SHOW_COLUMN = "Show {column}", "{column} zeigen";
    HIDE_COLUMN = "Hide {column}", "{column} ausblenden";
    MOVE_COLUMN = "Move {column} forward", "{column} nach vorn";
    ALL_COLUMNS = "Show all columns", "Alle Spalten zeigen";
}
