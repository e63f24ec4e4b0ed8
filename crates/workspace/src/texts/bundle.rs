//! Audit bundles.

use super::texts;

texts! {
    TITLE = "Audit bundles", "Prüfungspakete";
    INTRO = "Everything about a day for an auditor, as one signed file: lists, assessments, evidence and the audit log. It reads offline and can be checked without Tidewall.", "Alles zu einem Tag für die Prüfung, als eine signierte Datei: Listen, Bewertungen, Nachweise und das Prüfprotokoll. Es lässt sich offline lesen und ohne Tidewall überprüfen.";
    ASK = "Ask for a bundle", "Paket anfordern";
    AS_OF = "As of the end of", "Stand am Ende des Tages";
    AS_OF_HINT = "Once the day is over, it always gives the same file, apart from a time stamp.", "Sobald der Tag vorbei ist, ergibt er immer dieselbe Datei, abgesehen von einem Zeitstempel.";
    FROM = "Audit log from", "Prüfprotokoll ab";
    FROM_HINT = "Empty for the whole log.", "Leer für das ganze Protokoll.";
    FRAMEWORK = "Framework", "Rahmenwerk";
    ALL_FRAMEWORKS = "All frameworks", "Alle Rahmenwerke";
    WAS_ASKED = "The bundle is being made. Reload the page to see how far it is.", "Das Paket wird erstellt. Laden Sie die Seite neu, um den Fortschritt zu sehen.";
    STATE = "State", "Status";
    STAMPED = "Time stamp: {time}", "Zeitstempel: {time}";
    ASKED_BY = "Asked for by", "Angefordert von";
    ASKED_AT = "Asked for", "Angefordert";
    SIZE = "Bytes", "Bytes";
    DOWNLOAD = "Download", "Herunterladen";
    DOWNLOAD_OF = "Download the bundle as of {day}", "Paket vom {day} herunterladen";
    WAS_DELETED = "The bundle is deleted.", "Das Paket ist gelöscht.";
    DELETE_ASK = "Delete the bundle as of {day}? Asked for again, the same day gives the same file, apart from a time stamp.", "Paket vom {day} löschen? Neu angefordert, ergibt derselbe Tag dieselbe Datei, abgesehen von einem Zeitstempel.";
    DELETE_SURE = "Delete bundle", "Paket löschen";
    ONE = "1 bundle", "1 Paket";
    MANY = "{count} bundles", "{count} Pakete";
    EMPTY = "No bundles yet", "Noch keine Pakete";
    EMPTY_HELP = "Ask for the first one above.", "Fordern Sie oben das erste an.";
    KEY = "Public key for checking", "Öffentlicher Schlüssel zum Überprüfen";
    KEY_HELP = "Auditors check a bundle with this key: tidewall bundle verify FILE --key KEY.", "Prüferinnen und Prüfer überprüfen ein Paket mit diesem Schlüssel: tidewall bundle verify FILE --key KEY.";
}
