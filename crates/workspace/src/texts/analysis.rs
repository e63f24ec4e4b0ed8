//! Concentration risk.

use super::texts;

texts! {
    TITLE = "Concentration risk", "Konzentrationsrisiko";
    INTRO = "How much of your register rests on one provider, sector, region or technology.", "Wie viel Ihres Registers auf einem Dienstleister, einer Branche, einer Region oder einer Technologie ruht.";
    ANALYSE = "Analyse now", "Jetzt analysieren";
    NEW = "New analysis", "Neue Analyse";
    BASIS = "Measured by", "Gemessen nach";
    SCOPE = "Which arrangements", "Welche Vereinbarungen";
    AS_OF = "As of", "Stand";
    AS_OF_HINT = "Today if left empty.", "Heute, wenn leer.";
    RATES = "Exchange rates", "Wechselkurse";
    RATES_HINT = "Only for several currencies: one per line, such as USD 0.92.", "Nur bei mehreren Währungen: je Zeile einer, etwa USD 0.92.";
    EMPTY = "There is no analysis yet", "Es gibt noch keine Analyse";
    EMPTY_HELP = "Fill the register of ICT arrangements, then analyse it here.", "Füllen Sie das Register der IKT-Vereinbarungen und analysieren Sie es dann hier.";
    LEVEL = "Level", "Stufe";
    BREACHES = "Breaches", "Überschreitungen";
    NO_BREACH = "No share is above its threshold.", "Kein Anteil liegt über seiner Schwelle.";
    ARRANGEMENTS = "Arrangements", "Vereinbarungen";
    PROVIDERS = "Providers", "Dienstleister";
    TOTAL = "Total", "Summe";
    NEXT_REVIEW = "Next review", "Nächste Überprüfung";
    ANALYSED = "Analysed", "Analysiert";
    HHI = "HHI {hhi}", "HHI {hhi}";
    HHI_HELP = "The Herfindahl-Hirschman index runs from near 0 (spread) to 10,000 (one only).", "Der Herfindahl-Hirschman-Index reicht von nahe 0 (verteilt) bis 10.000 (nur einer).";
    THRESHOLD = "Threshold {percent} %", "Schwelle {percent} %";
    THRESHOLDS_OFF = "The thresholds are switched off: nothing counts as a breach.", "Die Schwellen sind ausgeschaltet: Nichts gilt als Überschreitung.";
    NAME = "Name", "Name";
    SHARE = "Share", "Anteil";
    CRITICAL_FUNCTIONS = "Critical functions", "Kritische Funktionen";
    DIMENSION = "Dimension", "Dimension";
    EXCESS = "Above it by", "Darüber um";
    SINCE = "Known since", "Bekannt seit";
    HISTORY = "Earlier analyses", "Frühere Analysen";
    SIMULATION = "Simulation", "Simulation";
    SIMULATION_INTRO = "What ending or signing arrangements would change. Nothing is stored.", "Was das Beenden oder Schließen von Vereinbarungen ändern würde. Nichts wird gespeichert.";
    END = "End these arrangements", "Diese Vereinbarungen beenden";
    SIMULATE = "Simulate", "Simulieren";
    BEFORE = "Before", "Vorher";
    AFTER = "After", "Nachher";
    DIFFERENCE = "Difference", "Unterschied";
    NEW_BREACHES = "Breaches that would appear", "Überschreitungen, die entstünden";
    GONE_BREACHES = "Breaches that would go", "Überschreitungen, die verschwänden";
    NO_CHANGE = "No share would change.", "Kein Anteil würde sich ändern.";
    WAS_ANALYSED = "The analysis is made.", "Die Analyse ist erstellt.";
    OTHERS = "Others", "Andere";
    COMMON_NODES = "Common nodes in supply chains", "Gemeinsame Knoten in Lieferketten";
    COMMON_NODES_HELP = "Subcontractors behind several of your providers.", "Unterauftragnehmer hinter mehreren Ihrer Dienstleister.";
    BEHIND = "Behind", "Hinter";
    LOCKED_IN = "Locked in", "Ohne Ausweg";
    LOCKED_IN_HELP = "Critical functions whose hardest arrangement cannot be replaced in reasonable time.", "Kritische Funktionen, deren schwierigste Vereinbarung sich nicht in angemessener Zeit ersetzen lässt.";
}
