//! Search.

use super::texts;

texts! {
    TITLE = "Search", "Suche";
    INTRO = "Your own records, and requirements, measures, risks, drills and everything else of the catalogue.", "Die eigenen Datensätze sowie Anforderungen, Maßnahmen, Risiken, Übungen und alles andere des Katalogs.";
    OWN = "Your records", "Eigene Datensätze";
    CATALOGUE = "The catalogue", "Der Katalog";
    WORDS = "What are you looking for?", "Wonach suchen Sie?";
    SUBMIT = "Search", "Suchen";
    FOUND = "{total} found", "{total} gefunden";
    NOTHING = "Nothing was found", "Nichts gefunden";
    NOTHING_HELP = "Try fewer or other words.", "Versuchen Sie es mit weniger oder anderen Wörtern.";
    SEARCH_EVERYTHING = "Search everything", "Überall suchen";
}
