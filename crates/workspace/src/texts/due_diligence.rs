//! The questionnaire that a provider answers through its link.

use super::texts;

texts! {
    TITLE = "Questionnaire for {provider}", "Fragebogen für {provider}";
    INTRO = "{institution} asks you to answer these questions about your services. You can save and come back with the same link until {when}. Once you submit, the answers can only be read.", "{institution} bittet Sie, diese Fragen zu Ihren Leistungen zu beantworten. Sie können speichern und bis {when} mit demselben Link zurückkehren. Nach der Abgabe lassen sich die Antworten nur noch lesen.";
    ASKED_BY = "Answers are wanted by {day}.", "Die Antworten sind bis zum {day} erbeten.";
    YOUR_NAME = "Your name and function", "Ihr Name und Ihre Funktion";
    NAME_HINT = "Needed when you submit.", "Erforderlich bei der Abgabe.";
    EXPECTED = "Usual evidence", "Übliche Nachweise";
    PROGRESS = "{answered} of {total} answered, saved", "{answered} von {total} beantwortet, gespeichert";
    SECTIONS = "Sections", "Abschnitte";
    SAVE_SECTION = "Save", "Speichern";
    YOUR_ANSWER = "Your answer", "Ihre Antwort";
    IN_UNIT = "Your answer, in {unit}", "Ihre Antwort, in {unit}";
    SUBMIT_TITLE = "Submit the answers", "Antworten abgeben";
    SAVE = "Save and continue later", "Speichern und später fortsetzen";
    SUBMIT = "Submit", "Abgeben";
    WAS_SAVED = "Your answers are saved.", "Ihre Antworten sind gespeichert.";
    FILES = "Files", "Dateien";
    FILES_HELP = "You can attach up to {most} files of at most {size} each, such as certificates or audit reports. Save your answers first: attaching a file loads this page again. A file that was sent cannot be taken back.", "Sie können bis zu {most} Dateien mit je höchstens {size} beifügen, etwa Zertifikate oder Prüfberichte. Speichern Sie zuerst Ihre Antworten: Beim Beifügen wird diese Seite neu geladen. Eine gesandte Datei lässt sich nicht zurücknehmen.";
    FILE = "File", "Datei";
    FILE_ABOUT = "Belongs to", "Gehört zu";
    FILE_ABOUT_ALL = "All questions", "Allen Fragen";
    ATTACH = "Attach file", "Datei beifügen";
    WAS_ATTACHED = "The file was received.", "Die Datei ist eingegangen.";
    QUESTION = "Question", "Frage";
    SUBMITTED = "These answers were submitted and can only be read.", "Diese Antworten wurden abgegeben und lassen sich nur noch lesen.";
    ANSWERS = "Answers", "Antworten";
    GONE_TITLE = "This link does not work any more", "Dieser Link gilt nicht mehr";
    GONE = "It is too old or was replaced by a newer one. If you opened it here before, open it once more from the mail: your browser has to accept its cookie. Otherwise ask the institution that sent it for a new link.", "Er ist abgelaufen oder durch einen neueren ersetzt. Falls Sie ihn hier schon geöffnet hatten, öffnen Sie ihn noch einmal aus der E-Mail: Ihr Browser muss sein Cookie annehmen. Bitten Sie sonst das Institut, das ihn geschickt hat, um einen neuen Link.";
}
