//! Open work of users.

use super::texts;

texts! {
    TITLE = "My work", "Meine Aufgaben";
    INTRO = "What has a day and an owner, from every list, soonest first. The keys J and K go from one to the next, Enter opens it, E edits it, X marks a task as done.", "Was einen Termin und eine verantwortliche Person hat, aus allen Listen, das Nächste zuerst. Mit J und K gelangen Sie von einer Aufgabe zur nächsten, die Eingabetaste öffnet sie, E bearbeitet sie, X markiert sie als erledigt.";
    TASK = "Task", "Aufgabe";
    NEW = "New task", "Neue Aufgabe";
    NEW_INTRO = "It appears in the work of its owner.", "Sie erscheint unter den Aufgaben der verantwortlichen Person.";
    CREATE = "Create task", "Aufgabe anlegen";
    EDIT = "Edit task", "Aufgabe bearbeiten";
    TO_DO = "To do", "Zu tun";
    LATE = "Late", "Überfällig";
    THIS_WEEK = "This week", "Diese Woche";
    NEXT = "Next four weeks", "In den nächsten vier Wochen";
    LATER = "Later", "Später";
    NO_DAY = "No day set", "Ohne Termin";
    DONE = "Done", "Erledigt";

    WAS_DONE = "The task is done.", "Die Aufgabe ist erledigt.";
    WAS_CREATED = "The task was created.", "Die Aufgabe wurde angelegt.";
    WAS_DELETED = "The task was deleted.", "Die Aufgabe wurde gelöscht.";
    TO_DECIDE = "Waiting for your decision", "Wartet auf Ihre Entscheidung";
    ASKED = "Waiting for others: what you asked for", "Wartet auf andere: was Sie angefragt haben";
    ALL_OF_THEM = "Show all", "Alle anzeigen";
    CADENCE_HELP = "When a recurring task is done, the next one appears with its day.", "Ist eine wiederkehrende Aufgabe erledigt, erscheint die nächste mit ihrem Termin.";
    PERSON = "Person", "Person";
    EVERYONE = "Tasks of everyone", "Aufgaben aller";
    MINE = "Only mine", "Nur meine";
    KIND = "Kind", "Art";
    EMPTY = "Nothing to do", "Nichts zu tun";
    EMPTY_HELP = "No open record with a day is in your name. What is assigned to you appears here by itself.", "Kein offener Datensatz mit Termin steht auf Ihrem Namen. Was Ihnen zugewiesen wird, erscheint hier von selbst.";
    ONE = "1 task", "1 Aufgabe";
    MANY = "{count} tasks", "{count} Aufgaben";
}
