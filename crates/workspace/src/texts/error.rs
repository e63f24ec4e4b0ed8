//! Error pages.

use super::texts;

texts! {
    NOT_FOUND = "Page not found", "Seite nicht gefunden";
    NOT_FOUND_HELP = "The address may be mistyped, or the record was deleted.", "Die Adresse ist vielleicht vertippt, oder der Eintrag wurde gelöscht.";
    FORBIDDEN = "Your role does not allow this", "Ihre Rolle erlaubt das nicht";
    FORBIDDEN_HELP = "An administrator of your institution can change your role.", "Die Administration Ihres Instituts kann Ihre Rolle ändern.";
    PAGE = "Page", "Seite";
    YOUR_ROLE = "Your role", "Ihre Rolle";
    ROLE_NEEDED = "Role needed", "Nötige Rolle";
    ASK = "Whom to ask", "Ansprechpersonen";
    FORGED = "This request did not come from this page", "Das kam nicht von unserer Seite";
    FORGED_HELP = "Nothing was changed. Open the page again and repeat what you did; if your session had ended, sign in first.", "Nichts wurde geändert. Bitte die Seite neu öffnen und den Schritt wiederholen; nach dem Ende einer Sitzung zuerst anmelden.";
    STALE = "The record was changed in the meantime", "Der Eintrag wurde inzwischen geändert";
    STALE_HELP = "The record has changed since you opened it. Open it again and repeat your change.", "Der Eintrag hat sich geändert, seit Sie ihn geöffnet haben. Bitte neu öffnen und die Änderung wiederholen.";
    MALFORMED = "The request could not be understood", "Diese Anfrage verstehen wir nicht";
    MALFORMED_HELP = "Nothing was changed. Go back and use the form on the page.", "Nichts wurde geändert. Bitte zurückgehen und das Formular auf der Seite benutzen.";
    NOT_OF_THE_PAST = "This page cannot be shown as of that day", "Diese Seite gibt es nicht zu diesem Stand";
    NOT_OF_THE_PAST_HELP = "A past state is shown by the lists of findings, programmes, test cases, controls, risks, incidents, functions, arrangements, evidence, drill runs, trainings, requests for evidence, CRA reports, own frameworks and filings of the register, by the own assessments and by the statement of applicability. Choose a day like 2026-06-30 there.", "Einen früheren Stand zeigen die Listen der Feststellungen, Programme, Testfälle, Kontrollen, Risiken, Vorfälle, Funktionen, Vereinbarungen, Nachweise, Übungen, Schulungen, Nachweisanforderungen, CRA-Meldungen, eigenen Rahmenwerke und Einreichungen des Registers, die eigenen Bewertungen und die Anwendbarkeitserklärung. Bitte dort einen Tag wie 2026-06-30 wählen.";
    TOO_LARGE = "Too large", "Das ist zu groß";
    TOO_LARGE_HELP = "Please send less at once.", "Bitte weniger auf einmal schicken.";
    TOO_MANY = "Too many requests", "Zu viel auf einmal";
    TOO_MANY_HELP = "Wait a moment and try again.", "Bitte einen Moment warten und noch einmal versuchen.";
    UNAVAILABLE = "Not possible right now", "Gerade nicht möglich";
    UNAVAILABLE_HELP = "The database cannot be reached. Try again in a few seconds; nothing has been lost.", "Der Speicher ist nicht erreichbar. Bitte in einigen Sekunden noch einmal versuchen; nichts ist verloren.";
    STORAGE_AWAY = "Files cannot be stored or opened right now", "Dateien lassen sich gerade weder speichern noch öffnen";
    STORAGE_AWAY_HELP = "The storage of files does not answer. No stored file is lost. Try again in a few minutes; if it stays so, tell the people who run this service.", "Die Dateiablage antwortet nicht. Keine gespeicherte Datei ist verloren. Bitte in einigen Minuten noch einmal versuchen; bleibt es dabei, hilft der Betrieb dieses Dienstes.";
    BUSY = "Other imports are under way", "Andere Importe laufen noch";
    BUSY_HELP = "Send the file again in a few seconds.", "Bitte die Datei in einigen Sekunden noch einmal senden.";
    BUSY_EXPORTS = "Other reports and exports are being made", "Andere Berichte und Exporte werden gerade erstellt";
    BUSY_EXPORTS_HELP = "Try again in a few seconds.", "Bitte in einigen Sekunden noch einmal versuchen.";
    INTERNAL = "Something went wrong on our side", "Bei uns ist etwas schiefgegangen";
    INTERNAL_HELP = "The operator can find the cause in the log. Please try again.", "Die Ursache steht im Protokoll des Betriebs. Bitte noch einmal versuchen.";
    HOME = "Go to the dashboard", "Zur Übersicht";
    SIGN_IN = "Go to the sign-in page", "Zur Anmeldung";
}
