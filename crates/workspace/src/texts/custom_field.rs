//! Own fields of records.

use super::texts;

texts! {
    TITLE = "Own fields", "Eigene Felder";
    INTRO = "What your institution records besides the fields of the service, for each kind of record.", "Was Ihr Institut je Art von Eintrag über die Felder des Dienstes hinaus erfasst.";
    OF_KIND = "Own fields: {kind}", "Eigene Felder: {kind}";
    OF_KIND_INTRO = "They are in the forms, on the pages and in the lists of these records, up to {most} at once.", "Sie stehen in den Formularen, auf den Seiten und in den Listen dieser Einträge, bis zu {most} gleichzeitig.";
    KIND = "Kind of record", "Art des Eintrags";
    FIELDS = "Fields", "Felder";
    ARCHIVED_FIELDS = "Archived", "Archiviert";
    NEW = "Define a field", "Feld anlegen";
    EDIT = "Change field", "Feld ändern";
    CREATE = "Define field", "Feld anlegen";
    EMPTY = "No own fields yet", "Noch keine eigenen Felder";
    EMPTY_HELP = "A field that an administrator defines here is then part of every record of this kind.", "Ein Feld, das die Administration hier anlegt, gehört danach zu jedem Eintrag dieser Art.";
    LABEL = "Label", "Bezeichnung";
    LABEL_DE = "Label on German pages", "Bezeichnung auf deutschen Seiten";
    LABEL_DE_HINT = "Left empty, the label above is shown there, too.", "Bleibt das Feld leer, steht auch dort die Bezeichnung darüber.";
    KEY = "Key", "Schlüssel";
    KEY_HINT = "The name in the API and in files: small letters, digits and underscores. Left empty, it is made of the label. It cannot be changed later.", "Der Name in der API und in Dateien: Kleinbuchstaben, Ziffern und Unterstriche. Bleibt das Feld leer, entsteht er aus der Bezeichnung. Er lässt sich später nicht ändern.";
    TYPE = "Type", "Art des Feldes";
    TYPE_HINT = "It cannot be changed later.", "Sie lässt sich später nicht ändern.";
    CHOICES = "Choices", "Auswahl";
    CHOICES_HINT = "One per line, for a field of the type choice. Records keep a choice that you take away.", "Ein Wert je Zeile, für ein Feld der Art Auswahl. Einträge behalten einen Wert, den Sie entfernen.";
    ORDER = "Order", "Reihenfolge";
    UP = "Move {field} up", "{field} nach oben";
    DOWN = "Move {field} down", "{field} nach unten";
    ARCHIVE = "Archive", "Archivieren";
    ARCHIVE_ASK = "“{field}” is no longer offered. Records and their versions keep what they have in it.", "„{field}“ wird nicht mehr angeboten. Einträge und ihre Versionen behalten, was darin steht.";
    ARCHIVE_SURE = "Archive this field", "Dieses Feld archivieren";
    DELETE = "Delete", "Löschen";
    DELETE_ASK = "“{field}” is deleted. No record has anything in it.", "„{field}“ wird gelöscht. Kein Eintrag hat etwas darin.";
    DELETE_SURE = "Delete this field", "Dieses Feld löschen";
    RESTORE = "Restore", "Wiederherstellen";
    IS_ARCHIVED = "archived", "archiviert";
    WAS_CREATED = "The field is defined.", "Das Feld ist angelegt.";
    WAS_CHANGED = "The field is saved.", "Das Feld ist gespeichert.";
    WAS_MOVED = "The order is saved.", "Die Reihenfolge ist gespeichert.";
    WAS_ARCHIVED = "The field is archived.", "Das Feld ist archiviert.";
    WAS_RESTORED = "The field is restored.", "Das Feld ist wiederhergestellt.";
    WAS_DELETED = "The field is deleted.", "Das Feld ist gelöscht.";
    FILL_IN = "Change own fields", "Eigene Felder ändern";
    WERE_FILLED_IN = "The own fields are saved.", "Die eigenen Felder sind gespeichert.";
    RECORD = "Record", "Eintrag";
    ANY = "Any", "Beliebig";
    NOT_SET = "Not set", "Ohne Angabe";
    ALL_KINDS = "All kinds", "Alle Arten";
    TOO_MANY_FILTERS = "A list is filtered by at most {most} own fields at once: remove one of them to see records.", "Eine Liste lässt sich nach höchstens {most} eigenen Feldern zugleich filtern: bitte eines entfernen, um Einträge zu sehen.";
}
