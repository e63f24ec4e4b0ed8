//! Search.

use super::texts;

texts! {
    BY_REFERENCE = "The record with this reference", "Der Eintrag mit dieser Referenz";
    LISTS = "Lists with this tag or region", "Listen mit diesem Schlagwort oder dieser Region";
    TITLE = "Search", "Suche";
    INTRO = "Your own records first, then the library: requirements, measures, risks, drills and more.", "Zuerst die eigenen Einträge, dann die Bibliothek: Anforderungen, Maßnahmen, Risiken, Übungen und mehr.";
    WORDS = "What are you looking for?", "Wonach suchen Sie?";
    SUBMIT = "Search", "Suchen";
    TYPE = "Type of record", "Art des Eintrags";
    OWN = "Your own records", "Eigene Einträge";
    LIBRARY = "Library", "Bibliothek";
    ALL_OF_KIND = "Show all {count}", "Alle {count} zeigen";
    MORE_THAN_COUNTED = "There are more own records than are counted here. More words narrow them down.", "Es gibt mehr eigene Einträge, als hier gezählt sind. Weitere Wörter grenzen sie ein.";
    NOTHING = "Nothing found", "Nichts gefunden";
    NOTHING_HELP = "Try fewer or other words.", "Versuchen Sie es mit weniger oder anderen Wörtern.";
    SEARCH_EVERYTHING = "Search everything", "Überall suchen";
    ONE = "1 hit", "1 Treffer";
    MANY = "{count} hits", "{count} Treffer";
}
