//! Samples of records.

use super::texts;

texts! {
    TITLE = "Samples", "Stichproben";
    INTRO = "Records drawn at random from a list. Each sample is recorded once, with what is needed to repeat it, and never changed.", "Zufällig aus einer Liste gezogene Datensätze. Jede Stichprobe wird einmal festgehalten, mit allem, was zum Wiederholen nötig ist, und nie geändert.";
    SAMPLE = "Sample", "Stichprobe";
    NEW = "Draw a sample", "Stichprobe ziehen";
    NEW_INTRO = "It is drawn from exactly the records that the list shows now. The menu “Export” of every list leads here.", "Gezogen wird aus genau den Datensätzen, die die Liste jetzt zeigt. Das Menü „Export“ jeder Liste führt hierher.";
    DRAW = "Draw", "Ziehen";
    EMPTY = "No samples yet", "Noch keine Stichproben";
    EMPTY_HELP = "Open a list, filter it, and choose “Draw a sample” in its menu “Export”.", "Öffnen Sie eine Liste, filtern Sie sie, und wählen Sie im Menü „Export“ „Stichprobe ziehen“.";
    ONE = "1 sample", "1 Stichprobe";
    MANY = "{count} samples", "{count} Stichproben";
    LIST = "List", "Liste";
    FILTER = "Filter", "Filter";
    NO_FILTER = "none", "keiner";
    SIZE = "Size", "Umfang";
    SEED = "Seed", "Startwert";
    SEED_HINT = "Any text of at most 64 characters. Left empty, a random one is chosen and recorded.", "Beliebiger Text mit höchstens 64 Zeichen. Bleibt das Feld leer, wird ein zufälliger gewählt und festgehalten.";
    PURPOSE = "Purpose", "Zweck";
    POPULATION = "Population", "Grundgesamtheit";
    DIGEST = "SHA-256 of the drawn ids", "SHA-256 der gezogenen Kennungen";
    DRAWN = "Drawn records", "Gezogene Datensätze";
    DRAWN_OF = "{drawn} of {population}", "{drawn} von {population}";
    DRAWN_BY = "Drawn by", "Gezogen von";
    DRAWN_AT = "Drawn", "Gezogen";
    NUMBER = "No.", "Nr.";
    RECORD = "Record", "Datensatz";
    GONE = "deleted since", "seither gelöscht";
    HOW = "The records of the population are ordered by the SHA-256 of seed, colon and id; the first ones are the sample.", "Die Datensätze der Grundgesamtheit werden nach dem SHA-256 von Startwert, Doppelpunkt und Kennung geordnet; die ersten bilden die Stichprobe.";
    WAS_DRAWN = "The sample is drawn and recorded.", "Die Stichprobe ist gezogen und festgehalten.";
}
