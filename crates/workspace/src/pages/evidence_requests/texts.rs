//! Requests for evidence.

use crate::texts::texts;

texts! {
    TITLE = "Requests for evidence", "Nachweisanforderungen";
    INTRO = "What auditors and managers ask for: who answers until when, with which evidence, and what is closed.", "Was Prüfung und Leitung anfordern: wer bis wann mit welchen Nachweisen antwortet und was abgeschlossen ist.";
    REQUEST = "Request for evidence", "Nachweisanforderung";
    NEW = "Ask for evidence", "Nachweise anfordern";
    NEW_INTRO = "The owner gets a notice and finds the request in My work. Without an owner it is the owner of the record it is about.", "Die verantwortliche Person erhält eine Mitteilung und findet die Anforderung unter „Meine Arbeit“. Ohne Angabe ist es die für den Datensatz verantwortliche Person.";
    CREATE = "Ask", "Anfordern";
    EDIT = "Change request", "Anforderung ändern";
    EMPTY = "No requests for evidence yet", "Noch keine Nachweisanforderungen";
    EMPTY_HELP = "Auditors and managers ask for evidence here or on the page of a record.", "Personen mit der Rolle „Prüfend“ oder „Leitend“ fordern Nachweise hier oder auf der Seite eines Datensatzes an.";
    ONE = "1 request", "1 Anforderung";
    MANY = "{count} requests", "{count} Anforderungen";
    ASKED_AT = "Asked", "Angefordert";
    LATE = "Day", "Termin";
    IS_LATE = "Overdue", "Überfällig";
    NOT_LATE = "Not overdue", "Nicht überfällig";
    ANSWER_IT = "Answer the request", "Anforderung beantworten";
    ANSWER_HELP = "The person who asked gets a notice. Name the evidence that belongs to the answer, or upload it first.", "Die anfordernde Person erhält eine Mitteilung. Nennen Sie die Nachweise zur Antwort, oder laden Sie sie vorher hoch.";
    ANSWER_SEND = "Send answer", "Antwort senden";
    UPLOAD = "Upload evidence", "Nachweis hochladen";
    NEXT = "Close or open again", "Abschließen oder wieder öffnen";
    CLOSE = "Close", "Abschließen";
    REOPEN = "Open again", "Wieder öffnen";
    REASON = "Why it is opened again", "Warum sie wieder geöffnet wird";
    WAS_ASKED = "The request is sent.", "Die Anforderung ist gestellt.";
    WAS_ANSWERED = "The answer is saved.", "Die Antwort ist gespeichert.";
    WAS_CLOSED = "The request is closed.", "Die Anforderung ist abgeschlossen.";
    WAS_REOPENED = "The request is open again.", "Die Anforderung ist wieder offen.";
}
