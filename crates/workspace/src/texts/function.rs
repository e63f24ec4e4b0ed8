//! Functions of the institution.

use super::texts;

texts! {
    TITLE = "Functions", "Funktionen";
    INTRO = "What your institution does for its customers, how critical it is, and how long it may stand still. Programmes, test cases, arrangements and incidents refer to functions.", "Was Ihr Institut für seine Kunden tut, wie kritisch das ist und wie lange es stillstehen darf. Programme, Testfälle, Vereinbarungen und Vorfälle beziehen sich auf Funktionen.";
    NEW = "New function", "Neue Funktion";
    CREATE = "Create function", "Funktion anlegen";
    EDIT = "Edit function", "Funktion bearbeiten";
    EMPTY = "No functions yet", "Noch keine Funktionen";
    EMPTY_HELP = "A function that a programme or an arrangement names appears here by itself.", "Eine Funktion, die ein Programm oder eine Vereinbarung nennt, erscheint hier von selbst.";
    ONE = "1 function", "1 Funktion";
    MANY = "{count} functions", "{count} Funktionen";
    FUNCTION = "Function", "Funktion";
    REFERENCE_HINT = "The identifier in template B_06.01. Left empty, the next free one is given.", "Die Kennung in Vorlage B_06.01. Bleibt das Feld leer, wird die nächste freie vergeben.";
    MINUTES = "{minutes} {minutes|minute|minutes}", "{minutes} {minutes|Minute|Minuten}";
    USED_BY = "What refers to it", "Was sich darauf bezieht";
}
