//! Search.

use super::texts;

texts! {
    TITLE = "Search", "Suche";
    INTRO = "Requirements, measures, risks, drills and everything else of the catalogue, best match first.", "Anforderungen, Maßnahmen, Risiken, Übungen und alles andere des Katalogs, das Beste zuerst.";
    WORDS = "What are you looking for?", "Wonach suchen Sie?";
    SUBMIT = "Search", "Suchen";
    FOUND = "{total} found", "{total} gefunden";
    NOTHING = "Nothing was found", "Nichts gefunden";
    NOTHING_HELP = "Try fewer or other words.", "Versuchen Sie es mit weniger oder anderen Wörtern.";
    SEARCH_EVERYTHING = "Search everything", "Überall suchen";
}
