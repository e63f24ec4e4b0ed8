//! Search.

use super::texts;

texts! {
    TITLE = "Search", "Suche";
    INTRO = "Your own records, and the requirements, measures, risks, drills and other entries of the catalogue.", "Die eigenen Datensätze sowie Anforderungen, Maßnahmen, Risiken, Übungen und alles andere des Katalogs.";
    WORDS = "What are you looking for?", "Wonach suchen Sie?";
    SUBMIT = "Search", "Suchen";
    FOUND = "{total} found", "{total} gefunden";
    NOTHING = "Nothing found", "Nichts gefunden";
    NOTHING_HELP = "Try fewer or other words.", "Versuchen Sie es mit weniger oder anderen Wörtern.";
    SEARCH_EVERYTHING = "Search everything", "Überall suchen";
}
