//! Shared by programmes, test cases and findings.

use super::texts;

texts! {
    SEARCH = "Search", "Suche";
    APPLY = "Apply", "Anwenden";
    ANY = "All", "Alle";
    AS_OF = "As of", "Stand vom";
    AS_OF_NOTICE = "The records as they were at the end of {day}. Counts and clocks are those of today; what was deleted since is missing.", "Die Einträge, wie sie am Ende des {day} waren. Zahlen und Fristen sind die von heute; seither Gelöschtes fehlt.";
    SORT = "Order", "Reihenfolge";
    NOTHING = "Nothing matches these filters", "Nichts passt zu diesen Filtern";
    NOTHING_HELP = "Remove a filter or search for fewer words.", "Nehmen Sie einen weg, oder suchen Sie nach weniger Wörtern.";
    EDIT = "Change", "Ändern";
    NEXT_STEP = "Next step", "Nächster Schritt";
    NOTE = "Note for the history", "Notiz für den Verlauf";
    HISTORY = "History", "Verlauf";
    HISTORY_CREATED = "Created", "Angelegt";
    HISTORY_RESTORED = "Restored", "Wiederhergestellt";
    EARLY_WARNING_AT = "Early warning submitted", "Frühwarnung eingereicht";
    NOTIFICATION_AT = "Notification submitted", "Meldung eingereicht";
    FINAL_REPORT_AT = "Final report submitted", "Abschlussbericht eingereicht";
    DESCRIPTION = "Description", "Beschreibung";
    OWNER = "Owner", "Verantwortlich";
    FRAMEWORK = "Framework", "Rahmenwerk";
    PROGRAMME = "Programme", "Programm";
    TEST_CASE = "Test case", "Testfall";
    DUE_ON = "Due on", "Fällig am";
    MEASURES = "Measures", "Maßnahmen";
    MEASURES_HINT = "Type a few letters of the title or the id and choose. Saving adds more empty fields.", "Einige Buchstaben des Titels oder der Kennung tippen und auswählen. Nach dem Speichern gibt es weitere leere Felder.";
    ONE_PER_LINE = "One per line.", "Je Zeile eines.";
    OVERDUE = "overdue", "überfällig";
    NOT_SET = "not set", "nicht gesetzt";
    NO_PROGRAMME = "None", "Keines";
    NO_TEST_CASE = "None", "Keiner";
    DELETE_ASK = "“{name}” and its history will be deleted.", "„{name}“ und der Verlauf werden gelöscht.";
    DELETE_SURE = "Delete it", "Endgültig löschen";
    WAS_CREATED = "Created.", "Angelegt.";
    WAS_CHANGED = "Change saved.", "Die Änderung ist gespeichert.";
    WAS_MOVED = "New status saved.", "Der neue Status ist gespeichert.";
    WAS_DELETED = "Deleted.", "Gelöscht.";
    OVERTAKEN_HELP = "Your entries are kept below. Check the current version of the record; saving again overwrites the changes made in the meantime.", "Ihre Eingaben stehen noch unten. Sehen Sie den Eintrag an, wie er jetzt ist; erneutes Speichern ersetzt, was inzwischen geändert wurde.";
    AS_IT_IS = "Current version of the record", "Der Eintrag, wie er jetzt ist";
    LONG_PDF = "PDF with details", "PDF mit Einzelheiten";
    WAS_ARCHIVED = "Archived.", "Archiviert.";
    WAS_RESTORED = "Restored.", "Wiederhergestellt.";
    CORRECTED = "Correction", "Korrektur";
    ARCHIVE = "Archive", "Archivieren";
    RESTORE = "Restore", "Wiederherstellen";
    ARCHIVED = "Archived", "Archiviert";
    ARCHIVE_HELP = "It leaves the lists and keeps its history. You can restore it.", "Der Eintrag verlässt die Listen und behält seinen Verlauf. Er lässt sich wiederherstellen.";
    ARCHIVE_LATER = "Its history must be kept, so it is not deleted. Once it is finished, you can archive it.", "Der Verlauf muss erhalten bleiben, daher wird der Eintrag nicht gelöscht. Sobald er abgeschlossen ist, lässt er sich archivieren.";
    ARCHIVED_HELP = "Archived on {when}. It is left out of the lists and cannot be changed until it is restored.", "Archiviert am {when}. Der Eintrag fehlt in den Listen und lässt sich erst nach dem Wiederherstellen ändern.";
    ARCHIVE_FILTER = "Archive", "Archiv";
    COUNT = "Number", "Anzahl";
    COUNT_OPEN = "{open} open of {total}", "{open} offen von {total}";
    UNDO = "Undo: back to “{status}”", "Rückgängig: zurück zu „{status}“";
    UNDONE = "Undone", "Rückgängig gemacht";
}
