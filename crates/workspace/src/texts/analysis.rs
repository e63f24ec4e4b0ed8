//! Concentration risk.

use super::texts;

texts! {
    TITLE = "Concentration risk", "Konzentrationsrisiko";
    INTRO = "How much of your register rests on one provider, sector, region or technology.", "Wie viel Ihres Registers auf einem Dienstleister, einer Branche, einer Region oder einer Technologie ruht.";
    EARLIER = "An earlier analysis", "Eine frühere Analyse";
    TO_LATEST = "To the latest analysis", "Zur neuesten Analyse";
    WAS_ANALYSED = "The analysis is made.", "Die Analyse ist erstellt.";
    EMPTY = "There is no analysis yet", "Es gibt noch keine Analyse";
    EMPTY_HELP = "The register is empty. Enter or import ICT arrangements, then analyse them here.", "Das Register ist leer. Tragen Sie IKT-Vereinbarungen ein oder importieren Sie welche, und analysieren Sie sie dann hier.";
    ONE_TO_ANALYSE = "The register holds one arrangement that has not been analysed.", "Das Register enthält eine Vereinbarung, die noch nicht analysiert wurde.";
    MANY_TO_ANALYSE = "The register holds {count} arrangements that have not been analysed.", "Das Register enthält {count} Vereinbarungen, die noch nicht analysiert wurden.";
    OUT_OF_DATE = "This analysis is out of date", "Diese Analyse ist veraltet";
    ANALYSE_AGAIN = "Analyse again", "Erneut analysieren";
    ANALYSE_SO = "Analyse with these settings", "Mit diesen Einstellungen analysieren";
    TO_THRESHOLDS = "Thresholds", "Schwellen";

    ANALYSE = "Analyse now", "Jetzt analysieren";
    NEW = "New analysis with other settings", "Neue Analyse mit anderen Einstellungen";
    NEW_HELP = "Reads the register as it stands and keeps the result with the thresholds of today.", "Liest das Register, wie es ist, und bewahrt das Ergebnis mit den Schwellen von heute auf.";
    BASIS = "Measured by", "Gemessen nach";
    SCOPE = "Which arrangements", "Welche Vereinbarungen";
    AS_OF = "As of", "Stand";
    AS_OF_HINT = "Today if left empty.", "Heute, wenn leer.";
    RATES = "Exchange rates", "Wechselkurse";
    RATES_HINT = "Only where they differ from those in the settings: one per line, such as USD 0.92.", "Nur wo sie von denen in den Einstellungen abweichen: je Zeile einer, etwa USD 0,92.";

    LEVEL = "Level", "Stufe";
    BREACHES = "Breaches", "Überschreitungen";
    NO_BREACH = "No share is above its threshold.", "Kein Anteil liegt über seiner Schwelle.";
    ARRANGEMENT = "Arrangement", "Vereinbarung";
    ARRANGEMENTS = "Arrangements", "Vereinbarungen";
    PROVIDERS = "Providers", "Dienstleister";
    TOTAL = "Total", "Summe";
    NEXT_REVIEW = "Next review", "Nächste Überprüfung";
    ANALYSED = "Analysed", "Analysiert";
    NAME = "Name", "Name";
    VALUE = "Value", "Wert";
    SHARE = "Share", "Anteil";
    SHARE_BY = "Share by {basis}", "Anteil nach {basis}";
    DIMENSION = "Dimension", "Dimension";
    THRESHOLD_NAME = "Threshold", "Schwelle";
    EXCESS = "Above it by (percentage points)", "Darüber um (Prozentpunkte)";
    SEVERITY = "Severity", "Schweregrad";
    SINCE = "Known since", "Bekannt seit";
    SHOW_ARRANGEMENTS = "{count} arrangements", "{count} Vereinbarungen";

    LARGEST = "Largest shares", "Größte Anteile";
    LARGEST_HELP = "The largest share of each dimension; the tick marks your threshold.", "Der größte Anteil jeder Dimension; der Strich ist Ihre Schwelle.";
    GAUGE = "{dimension}: {name} has {share}, the threshold is {threshold} %", "{dimension}: {name} hat {share}, die Schwelle ist {threshold} %";
    THRESHOLD = "Threshold {percent} %", "Schwelle {percent} %";
    THRESHOLDS_OFF = "The thresholds are switched off: nothing counts as a breach.", "Die Schwellen sind ausgeschaltet: Nichts gilt als Überschreitung.";
    HHI = "HHI {hhi}", "HHI {hhi}";
    HHI_HELP = "The Herfindahl-Hirschman index (HHI) runs from near 0 (spread) to 10,000 (one only). Above 2,000 merger control speaks of high concentration.", "Der Herfindahl-Hirschman-Index (HHI) reicht von nahe 0 (verteilt) bis 10.000 (nur einer). Ab 2.000 spricht die Fusionskontrolle von hoher Konzentration.";
    HHI_HIGH = "high concentration", "hohe Konzentration";
    CRITICAL_FUNCTIONS = "Critical functions", "Kritische Funktionen";
    CRITICAL_SHARE = "Share of critical functions", "Anteil an kritischen Funktionen";
    MORE = "{count} more are in the table.", "{count} weitere stehen in der Tabelle.";
    CUT = "The {shown} largest of {total}.", "Die {shown} größten von {total}.";
    BY = "Providers as", "Dienstleister als";
    BY_ENTITY = "Legal entities", "Rechtsträger";
    BY_GROUP = "Groups", "Konzerne";
    GROUPS = "Providers by group", "Dienstleister nach Konzern";

    RESILIENCE = "How hard it would be to leave", "Wie schwer der Ausstieg wäre";
    RESILIENCE_HELP = "{functions} critical functions, each by its weakest arrangement; {locked} of them rest on one that is hard or impossible to replace.", "{functions} kritische Funktionen, jede nach ihrer schwächsten Vereinbarung; {locked} davon ruhen auf einer, die schwer oder gar nicht zu ersetzen ist.";
    SUBSTITUTABILITY = "Critical functions by substitutability", "Kritische Funktionen nach Ersetzbarkeit";
    DEGREE = "Substitutability", "Ersetzbarkeit";
    EXIT_PLANS = "Critical functions by exit plan", "Kritische Funktionen nach Ausstiegsplan";
    EXIT_PLAN = "Exit plan", "Ausstiegsplan";
    WITH_PLAN = "With an exit plan", "Mit Ausstiegsplan";
    WITHOUT_PLAN = "Without an exit plan", "Ohne Ausstiegsplan";
    UNKNOWN_PLAN = "Not known", "Nicht bekannt";

    COMMON_NODES = "Common nodes in supply chains", "Gemeinsame Knoten in Lieferketten";
    COMMON_NODES_HELP = "Subcontractors behind two or more of your direct providers of critical functions.", "Unterauftragnehmer hinter zwei oder mehr Ihrer direkten Dienstleister kritischer Funktionen.";
    NO_NODES = "No subcontractor stands behind two providers of critical functions.", "Kein Unterauftragnehmer steht hinter zwei Dienstleistern kritischer Funktionen.";
    BEHIND = "Behind", "Hinter";
    ALSO_DIRECT = "also direct", "auch direkt";

    PLACES = "Where it happens", "Wo es geschieht";
    PLACES_HELP = "An arrangement with any third country counts as third country.", "Eine Vereinbarung mit irgendeinem Drittstaat zählt als Drittstaat.";
    PLACE = "Place", "Ort";
    EEA = "In the EEA", "Im EWR";
    THIRD_COUNTRY = "Third country", "Drittstaat";
    UNKNOWN = "Unknown", "Unbekannt";
    THIRD_COUNTRY_CRITICAL = "{share} of the critical functions rest on third countries.", "{share} der kritischen Funktionen ruhen auf Drittstaaten.";

    DESIGNATED = "Designated critical providers", "Als kritisch eingestufte Dienstleister";
    DESIGNATED_HELP = "What rests on providers the European supervisory authorities designated as critical (DORA Art. 31).", "Was auf Dienstleistern ruht, die die europäischen Aufsichtsbehörden als kritisch eingestuft haben (DORA Art. 31).";
    DESIGNATED_SHARE = "Share of the register", "Anteil am Register";
    CRITICAL_DIRECT = "Critical functions, directly", "Kritische Funktionen, direkt";
    CRITICAL_CHAIN = "Critical functions, with supply chains", "Kritische Funktionen, mit Lieferketten";
    DESIGNATED_NAMES = "Yours: {names}", "Ihre: {names}";
    NONE_DESIGNATED = "None of your providers is designated.", "Keiner Ihrer Dienstleister ist eingestuft.";

    BLAST = "Blast radius", "Ausfallradius";
    BLAST_INTRO = "What goes down when a provider fails, directly or through a supply chain. One failed link takes the arrangement down, one failed arrangement the function.", "Was ausfällt, wenn ein Dienstleister ausfällt, direkt oder über eine Lieferkette. Ein ausgefallenes Glied nimmt die Vereinbarung mit, eine ausgefallene Vereinbarung die Funktion.";
    PROVIDER = "Provider", "Dienstleister";
    PROVIDER_HINT = "A direct provider or a subcontractor, by name or LEI.", "Ein direkter Dienstleister oder Unterauftragnehmer, nach Name oder LEI.";
    WHOLE_GROUP = "And its whole group", "Und der ganze Konzern";
    BLAST_SUBMIT = "Show the blast radius", "Ausfallradius zeigen";
    BLAST_UNKNOWN = "No arrangement of today knows this provider", "Keine heutige Vereinbarung kennt diesen Dienstleister";
    BLAST_UNKNOWN_HELP = "Check the spelling, or choose one of the list.", "Prüfen Sie die Schreibweise, oder wählen Sie einen aus der Liste.";
    FAILING = "Fails", "Fällt aus";
    FUNCTIONS_DOWN = "Functions down", "Ausgefallene Funktionen";
    CRITICAL_DOWN = "Critical functions down", "Ausgefallene kritische Funktionen";
    STILL_UP = "Critical functions that stay up", "Kritische Funktionen, die bleiben";
    ARRANGEMENTS_DOWN = "Arrangements down", "Ausgefallene Vereinbarungen";
    FUNCTION = "Function", "Funktion";
    PATH = "Through", "Über";

    HISTORY = "History of analyses", "Verlauf der Analysen";
    TREND = "Breaches, from the oldest to the newest", "Überschreitungen, von der ältesten zur neuesten";

    SIMULATION = "Simulation", "Simulation";
    SIMULATION_INTRO = "What signing, changing or ending arrangements would do. The register stays as it is.", "Was es ändern würde, Vereinbarungen zu schließen, zu ändern oder zu beenden. Das Register bleibt, wie es ist.";
    SIMULATION_NAME = "Name", "Name";
    SIMULATED = "Simulated", "Simuliert";
    KEPT_SIMULATIONS = "Kept simulations", "Aufbewahrte Simulationen";
    KEPT_INTRO = "A simulation as it was made, with what was asked and what came out.", "Eine Simulation, wie sie erstellt wurde, mit Frage und Ergebnis.";
    KEEP_TITLE = "Keep this simulation", "Diese Simulation aufbewahren";
    KEEP_HELP = "Under a name it is kept with its inputs and its result, as evidence of the assessment before a decision (DORA Art. 28(4) and 29).", "Unter einem Namen wird sie mit Eingaben und Ergebnis aufbewahrt, als Nachweis der Bewertung vor einer Entscheidung (DORA Art. 28 Abs. 4 und Art. 29).";
    KEEP = "Keep", "Aufbewahren";
    SIMULATION_KEPT = "The simulation is kept.", "Die Simulation ist aufbewahrt.";
    SIMULATION_DELETED = "The simulation is deleted.", "Die Simulation ist gelöscht.";
    DELETE_SIMULATION = "Delete the simulation “{name}”? This cannot be undone.", "Die Simulation „{name}“ löschen? Das lässt sich nicht rückgängig machen.";
    DELETE_OPENER = "Delete the simulation", "Simulation löschen";
    DO_SIGN = "Sign", "Schließen";
    DO_CHANGE = "Change", "Ändern";
    DO_END = "End", "Beenden";
    END = "End these arrangements", "Diese Vereinbarungen beenden";
    END_CUT = "The {shown} costliest of {total} are listed; search for others.", "Die {shown} teuersten von {total} stehen hier; andere lassen sich suchen.";
    CHANGE = "Change one arrangement", "Eine Vereinbarung ändern";
    CHANGE_HELP = "What stays empty stays as it is.", "Was leer bleibt, bleibt, wie es ist.";
    CHANGE_WHICH = "Arrangement", "Vereinbarung";
    CHANGE_NONE = "None", "Keine";
    NEW_PROVIDER = "New provider", "Neuer Dienstleister";
    NEW_SECTOR = "New sector", "Neue Branche";
    NEW_REGION = "New region", "Neue Region";
    NEW_TECHNOLOGY = "New technology", "Neue Technologie";
    NEW_COST = "New annual cost", "Neue jährliche Kosten";
    SIGN = "Sign a new arrangement", "Eine neue Vereinbarung schließen";
    SIGN_HELP = "Fill in the form of a new arrangement and choose “What would it change?”.", "Füllen Sie das Formular einer neuen Vereinbarung aus und wählen Sie „Was würde sie ändern?“.";
    SIGN_DRAFT = "The arrangement that would be signed", "Die Vereinbarung, die geschlossen würde";
    QUESTION = "How it is measured", "Wie gemessen wird";
    SIMULATE = "Simulate", "Simulieren";
    OUTCOME = "What it would change", "Was es ändern würde";
    BEFORE = "Before", "Vorher";
    AFTER = "After", "Nachher";
    DIFFERENCE = "Difference (percentage points)", "Unterschied (Prozentpunkte)";
    NEW_BREACHES = "Breaches that would appear", "Überschreitungen, die entstünden";
    GONE_BREACHES = "Breaches that would go", "Überschreitungen, die verschwänden";
    NO_CHANGE = "No share would change.", "Kein Anteil würde sich ändern.";
}
