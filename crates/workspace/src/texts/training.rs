//! Trainings of people.

use super::texts;

texts! {
    TITLE = "Trainings", "Schulungen";
    INTRO = "Who has to take which training until when, and who has passed. Members of the management body are counted apart.", "Wer bis wann welche Schulung absolvieren muss und wer bestanden hat. Mitglieder des Leitungsorgans werden gesondert gezählt.";
    OWN_INTRO = "The trainings that were assigned to you. A module of the catalogue is passed with its quiz.", "Die Schulungen, die Ihnen zugewiesen sind. Ein Modul des Katalogs wird mit seinem Quiz bestanden.";
    NEW = "Assign training", "Schulung zuweisen";
    NEW_INTRO = "Each person gets a training of their own and a notice. Choose a module, or enter a course held elsewhere.", "Jede Person erhält eine eigene Schulung und eine Mitteilung. Wählen Sie ein Modul oder geben Sie eine externe Schulung an.";
    CREATE = "Assign", "Zuweisen";
    EDIT = "Change training", "Schulung ändern";
    EMPTY = "No trainings yet", "Noch keine Schulungen";
    EMPTY_HELP = "Managers assign modules of the training material, or courses held elsewhere.", "Personen mit der Rolle „Leitend“ weisen Module des Schulungsmaterials oder externe Schulungen zu.";
    ONE = "1 training", "1 Schulung";
    MANY = "{count} trainings", "{count} Schulungen";
    TRAINING = "Training", "Schulung";
    PEOPLE = "People", "Personen";
    MEMBERS = "Members of the management body among them", "Darunter Mitglieder des Leitungsorgans";
    NO_MODULE = "None: a course held elsewhere", "Keines: eine externe Schulung";
    COURSE = "Title of a course held elsewhere", "Titel einer externen Schulung";
    PERCENT = "{score} %", "{score} %";
    OBJECTIVES = "What you learn", "Lernziele";
    TAKE = "Take the quiz", "Quiz starten";
    TAKE_AGAIN = "Take the quiz again", "Quiz wiederholen";
    QUIZ = "Quiz", "Quiz";
    QUIZ_INTRO = "{count} {count|question|questions}; with {percent} % right answers you pass. You can take the quiz as often as you like, and each attempt is recorded.", "{count} {count|Frage|Fragen}; mit {percent} % richtigen Antworten ist die Schulung bestanden. Sie können das Quiz beliebig oft wiederholen; jeder Versuch wird festgehalten.";
    SUBMIT = "Submit answers", "Antworten abgeben";
    RESULT = "Result of the quiz", "Ergebnis des Quiz";
    SHOW_RESULT = "Last attempt", "Letzter Versuch";
    HAS_PASSED = "Passed with {score} %", "Mit {score} % bestanden";
    HAS_PASSED_HELP = "The training is completed. You can download the certificate.", "Die Schulung ist abgeschlossen. Sie können den Nachweis herunterladen.";
    HAS_FAILED = "Not passed: {score} %", "Nicht bestanden: {score} %";
    HAS_FAILED_HELP = "At least {percent} % of the answers must be right. Read the lessons again and repeat the quiz.", "Mindestens {percent} % der Antworten müssen richtig sein. Lesen Sie die Lektionen noch einmal und wiederholen Sie das Quiz.";
    MISTAKES = "Questions to look at again", "Fragen, die Sie noch einmal ansehen sollten";
    NO_MISTAKES = "All answers were right.", "Alle Antworten waren richtig.";
    YOUR_ANSWER = "Your answer", "Ihre Antwort";
    NO_ANSWER = "No answer", "Keine Antwort";
    CERTIFICATE = "Certificate", "Nachweis herunterladen";
    RECORD_RESULT = "Record the result", "Ergebnis erfassen";
    RECORD_HELP = "Another person than the one who took the course records its result. The certificate of the course can be attached as evidence.", "Das Ergebnis erfasst eine andere Person als die, die an der Schulung teilgenommen hat. Die Bescheinigung kann als Nachweis angehängt werden.";
    WAS_ASSIGNED = "The training was assigned.", "Die Schulung wurde zugewiesen.";
    WAS_RECORDED = "The result was recorded.", "Das Ergebnis wurde erfasst.";
    ALL_PEOPLE = "All people", "Alle Personen";
    MANAGEMENT_BODY = "Management body (DORA Art. 5(4))", "Leitungsorgan (Art. 5 Abs. 4 DORA)";
    SHARE = "Share passed", "Anteil bestanden";
    PASSED_SHARE = "Trainings passed", "Schulungen bestanden";
    PASSED_SHARE_OF_MEMBERS = "Trainings passed, management body", "Schulungen bestanden, Leitungsorgan";
    LATE_TRAININGS = "Late trainings", "Überfällige Schulungen";
}
