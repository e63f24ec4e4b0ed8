//! Evidence.

use super::texts;

texts! {
    EXPECTED_KINDS = "Expected here", "Hier erwartet";
    TITLE = "Evidence", "Nachweise";
    INTRO = "What proves that something was done, with its validity and retention.", "Was belegt, dass etwas getan wurde, mit Gültigkeit und Aufbewahrung.";
    EVIDENCE = "Evidence", "Nachweis";
    NEW = "Add evidence", "Nachweis hinzufügen";
    CREATE = "Add evidence", "Nachweis anlegen";
    EDIT = "Edit evidence", "Nachweis ändern";
    EMPTY = "No evidence yet", "Es gibt noch keinen Nachweis";
    EMPTY_HELP = "Add a file or an address, here or on a finding or test case.", "Fügen Sie eine Datei oder eine Adresse hinzu, hier oder bei einer Feststellung oder einem Testfall.";
    ONE = "1 piece of evidence", "1 Nachweis";
    MANY = "{count} pieces of evidence", "{count} Nachweise";
    HEADING_HINT = "Left empty, it is the name of the file.", "Bleibt er leer, ist es der Name der Datei.";
    FILE_HINT = "At most {size}. Leave it out if you enter an address. Several files can be dropped or pasted here; each becomes evidence of its own.", "Höchstens {size}. Lassen Sie sie weg, wenn Sie eine Adresse angeben. Mehrere Dateien lassen sich hierher ziehen oder einfügen; jede wird ein eigener Nachweis.";
    SENT = "stored", "gespeichert";
    NOT_SENT = "could not be stored", "konnte nicht gespeichert werden";
    URL_HINT = "An http or https address, instead of a file or beside it.", "Eine http- oder https-Adresse, statt einer Datei oder zusätzlich.";
    NO_KIND = "None", "Keine";
    KEEP_UNTIL_HINT = "Five years from the day it was collected if left empty. It can be made longer, not shorter.", "Bleibt das Feld leer, fünf Jahre ab Erhebung. Die Frist lässt sich verlängern, nicht verkürzen.";
    KEEP_BECAUSE_HINT = "The provision that asks for the retention, for example MaRisk AT 6.", "Die Vorschrift, die die Aufbewahrung verlangt, etwa MaRisk AT 6.";
    SIZE = "Size", "Größe";
    DOWNLOAD = "Download", "Herunterladen";
    VALID_BEFORE = "Valid until before", "Gültig bis vor dem";
    NOTHING_LINKED = "nothing", "nichts";
    NO_LINKS = "Not attached to any record", "Mit keinem Eintrag verknüpft";
    LINK_TYPE = "Type of record", "Art des Eintrags";
    LINK_ID = "Record", "Datensatz";
    LINK = "Attach", "Verknüpfen";
    UNLINK = "Detach", "Lösen";
    UPLOAD_HERE = "Upload evidence", "Nachweis hochladen";
    EXISTING = "Evidence you have", "Vorhandener Nachweis";
    WAS_LINKED = "The evidence was attached.", "Der Nachweis wurde verknüpft.";
    WAS_UNLINKED = "The evidence was detached.", "Der Nachweis wurde gelöst.";
    WILL_LINK = "It will be attached to: {type} {id}", "Er wird verknüpft mit: {type} {id}";
    KILOBYTES = "{count} KiB", "{count} KiB";
    MEGABYTES = "{count} MiB", "{count} MiB";
}
