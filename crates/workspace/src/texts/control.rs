//! Controls.

use super::texts;

texts! {
    IMPLEMENTS = "Mark as implemented", "Als umgesetzt kennzeichnen";
    TESTS = "Tests", "Tests";
    TITLE = "Controls", "Kontrollen";
    INTRO = "What your institution really does about its duties: owned, performed, tested.", "Was Ihr Institut für seine Pflichten wirklich tut: mit Verantwortlichen, durchgeführt, geprüft.";
    NEW = "New control", "Neue Kontrolle";
    EDIT = "Edit control", "Kontrolle ändern";
    CREATE = "Create control", "Kontrolle anlegen";
    CONTROL = "Control", "Kontrolle";
    EMPTY = "No controls yet", "Es gibt noch keine Kontrolle";
    EMPTY_HELP = "Adopt the measures of a framework in one press, or create your own.", "Übernehmen Sie die Maßnahmen eines Rahmenwerks mit einem Klick, oder legen Sie eigene an.";
    ONE = "1 control", "1 Kontrolle";
    MANY = "{count} controls", "{count} Kontrollen";
    ADOPT = "Adopt measures", "Maßnahmen übernehmen";
    ADOPT_INTRO = "Makes a planned control of every measure that meets a requirement of the framework. Measures that have a control already are left out.", "Macht aus jeder Maßnahme, die eine Anforderung des Rahmenwerks erfüllt, eine geplante Kontrolle. Maßnahmen mit Kontrolle bleiben unberührt.";
    ADOPT_CHOOSE = "Choose chapters", "Kapitel wählen";
    ADOPT_CHAPTERS = "Adopt measures by chapter", "Maßnahmen nach Kapiteln übernehmen";
    ADOPT_CHAPTERS_INTRO = "Tick the chapters whose measures become planned controls. A measure can meet requirements of several chapters and is adopted once.", "Wählen Sie die Kapitel, deren Maßnahmen geplante Kontrollen werden. Eine Maßnahme kann Anforderungen mehrerer Kapitel erfüllen und wird einmal übernommen.";
    ADOPT_CHAPTER = "Chapter", "Kapitel";
    ADOPT_TICK = "Adopt {chapter}", "{chapter} übernehmen";
    ADOPT_OWNER_HINT = "Owns every control that is made; leave it empty to assign them later.", "Ist für jede neue Kontrolle verantwortlich; leer lassen, um sie später zuzuweisen.";
    ADOPT_TRY = "Count the controls", "Kontrollen zählen";
    ADOPT_CHOSEN = "Adopt the chosen chapters", "Gewählte Kapitel übernehmen";
    ADOPT_WOULD = "{created} controls would be made, {skipped} measures have one already.", "{created} Kontrollen würden angelegt, {skipped} Maßnahmen haben schon eine.";
    ADOPT_COUNT = "New controls", "Neue Kontrollen";
    ADOPT_THERE = "Have one already", "Schon vorhanden";
    ADOPT_ALL = "Adopt {count} {count|measure|measures}", "{count} {count|Maßnahme|Maßnahmen} übernehmen";
    ADOPTED = "{created} {created|control was|controls were} made, {skipped} {skipped|measure|measures} had one already.", "{created} {created|Kontrolle|Kontrollen} angelegt, {skipped} {skipped|Maßnahme hatte|Maßnahmen hatten} schon eine.";
    ADOPT_DONE = "All adopted", "Alle übernommen";
    MEASURE_HINT = "Type a few letters of the title or the id and choose. Tests and findings that name it decide how effective the control is.", "Einige Buchstaben des Titels oder der Kennung tippen und auswählen. Tests und Feststellungen zu ihr entscheiden, wie wirksam die Kontrolle ist.";
    REQUIREMENTS_HINT = "Ids of requirements beside those of the measure, one per line.", "Kennungen von Anforderungen neben denen der Maßnahme, je Zeile eine.";
    ANSWERS = "Requirements it answers", "Beantwortete Anforderungen";
    BY_RULE = "By tests and findings: {word}", "Nach Tests und Feststellungen: {word}";
    OVERRULED = "Set by hand: {reason}", "Von Hand festgelegt: {reason}";
    OVERRULE = "Effectiveness by hand", "Wirksamkeit von Hand";
    OVERRULE_NONE = "As tests and findings say", "Wie Tests und Feststellungen es ergeben";
    PERFORM = "Record a performance", "Durchführung erfassen";
    PERFORMED_ON = "Performed on", "Durchgeführt am";
    PERFORM_NOTE = "What was done", "Was getan wurde";
    PERFORMANCES = "Performances", "Durchführungen";
    NEVER_PERFORMED = "Not performed yet.", "Noch nicht durchgeführt.";
    WAS_PERFORMED = "The performance is recorded.", "Die Durchführung ist erfasst.";
}
