//! The texts of the concentration report, in both languages.

use domain::wording::Label;

const fn word(english: &'static str, german: &'static str) -> Label {
    Label::new(english, german)
}

pub(super) const CONCENTRATION: Label = word("Concentration risk", "Konzentrationsrisiko");
pub(super) const SUBTITLE: Label =
    word("Analysis of the ICT arrangements as of", "Analyse der IKT-Vereinbarungen zum Stand");
pub(super) const LEVEL: Label = word("Level", "Stufe");
pub(super) const BREACHES: Label = word("Breaches", "Überschreitungen");
pub(super) const AS_OF: Label = word("As of", "Stand");
pub(super) const ANALYSED: Label = word("Analysed", "Analysiert");
pub(super) const BASIS: Label = word("Measured by", "Gemessen nach");
pub(super) const SCOPE: Label = word("Arrangements considered", "Betrachtete Vereinbarungen");
pub(super) const ARRANGEMENTS: Label = word("Arrangements", "Vereinbarungen");
pub(super) const PROVIDERS: Label = word("Providers", "Dienstleister");
pub(super) const TOTAL: Label = word("Total", "Summe");
pub(super) const NEXT_REVIEW: Label = word("Next review", "Nächste Überprüfung");
pub(super) const NAME: Label = word("Name", "Name");
pub(super) const DIMENSION: Label = word("Dimension", "Dimension");
pub(super) const LARGEST: Label = word("Largest share", "Größter Anteil");
pub(super) const SHARE: Label = word("Share", "Anteil");
pub(super) const VALUE: Label = word("Value", "Wert");
pub(super) const THRESHOLD: Label = word("Threshold", "Schwelle");
pub(super) const EXCESS: Label = word("Above it by", "Darüber um");
pub(super) const RATES: Label = word("Exchange rates", "Wechselkurse");
pub(super) const SIMULATION: Label = word("Simulation", "Simulation");
pub(super) const SIMULATED: Label = word("Simulated", "Simuliert");
pub(super) const CHANGES: Label = word("What would be done", "Was getan würde");
pub(super) const SIGN: Label = word("Sign", "Schließen");
pub(super) const CHANGE: Label = word("Change", "Ändern");
pub(super) const END: Label = word("End", "Beenden");
pub(super) const ACTION: Label = word("Action", "Schritt");
pub(super) const ARRANGEMENT: Label = word("Arrangement", "Vereinbarung");
pub(super) const COST: Label = word("Annual cost", "Jährliche Kosten");
pub(super) const OUTCOME: Label = word("What it would change", "Was es ändern würde");
pub(super) const BEFORE: Label = word("Before", "Vorher");
pub(super) const AFTER: Label = word("After", "Nachher");
pub(super) const DIFFERENCE: Label = word("Difference", "Unterschied");
pub(super) const NEW_BREACHES: Label = word("Breaches that would appear", "Überschreitungen, die entstünden");
pub(super) const GONE_BREACHES: Label = word("Breaches that would go", "Überschreitungen, die verschwänden");
pub(super) const NO_CHANGE: Label = word("No share would change.", "Kein Anteil würde sich ändern.");
pub(super) const POINTS_NOTE: Label =
    word("Differences are in percentage points.", "Unterschiede in Prozentpunkten (PP).");
pub(super) const SINCE: Label = word("Known since", "Bekannt seit");
pub(super) const CRITICAL_FUNCTIONS: Label = word("Critical functions", "Kritische Funktionen");
pub(super) const OF_CRITICAL: Label = word("Of all critical", "Aller kritischen");
pub(super) const HHI: Label = word("HHI", "HHI");
pub(super) const HHI_NOTE: Label = word(
    "The Herfindahl-Hirschman index runs from near 0 (spread) to 10,000 (one only); above 2,000 merger control speaks \
     of high concentration.",
    "Der Herfindahl-Hirschman-Index reicht von nahe 0 (verteilt) bis 10.000 (nur einer); ab 2.000 spricht die \
     Fusionskontrolle von hoher Konzentration.",
);
pub(super) const OFF: Label = word(
    "The thresholds were switched off: nothing counts as a breach.",
    "Die Schwellen waren ausgeschaltet: Nichts gilt als Überschreitung.",
);
pub(super) const MORE: Label =
    word("more entries, smaller than these", "weitere Einträge, kleiner als diese");
pub(super) const GROUPS: Label = word("Providers by group", "Dienstleister nach Konzern");
pub(super) const SUBSTITUTABILITY: Label = word(
    "Critical functions by their hardest arrangement to replace",
    "Kritische Funktionen nach ihrer am schwersten ersetzbaren Vereinbarung",
);
pub(super) const LOCKED_IN: Label = word("Hard or impossible to replace", "Schwer oder gar nicht ersetzbar");
pub(super) const EXIT_PLANS: Label = word("Exit plans", "Ausstiegspläne");
pub(super) const WITH_PLAN: Label = word("With an exit plan", "Mit Ausstiegsplan");
pub(super) const WITHOUT_PLAN: Label = word("Without an exit plan", "Ohne Ausstiegsplan");
pub(super) const UNKNOWN_PLAN: Label = word("Not known", "Nicht bekannt");
pub(super) const BY_FUNCTION: Label = word(
    "Critical functions, each by its weakest arrangement",
    "Kritische Funktionen, jede nach ihrer schwächsten Vereinbarung",
);
pub(super) const FUNCTION: Label = word("Function", "Funktion");
pub(super) const DEGREE: Label = word("Substitutability", "Ersetzbarkeit");
pub(super) const EXIT_PLAN: Label = word("Exit plan", "Ausstiegsplan");
pub(super) const MORE_FUNCTIONS: Label =
    word("more functions, easier to leave than these", "weitere Funktionen, leichter zu verlassen als diese");
pub(super) const NODES: Label = word("Common nodes in supply chains", "Gemeinsame Knoten in Lieferketten");
pub(super) const NODES_NOTE: Label = word(
    "Subcontractors behind two or more direct providers of critical functions.",
    "Unterauftragnehmer hinter zwei oder mehr direkten Dienstleistern kritischer Funktionen.",
);
pub(super) const BEHIND: Label = word("Behind", "Hinter");
pub(super) const PLACES: Label = word("Places", "Orte");
pub(super) const PLACE: Label = word("Place", "Ort");
pub(super) const EEA: Label = word("In the EEA", "Im EWR");
pub(super) const THIRD_COUNTRY: Label = word("Third country", "Drittstaat");
pub(super) const UNKNOWN: Label = word("Unknown", "Unbekannt");
pub(super) const THIRD_COUNTRY_CRITICAL: Label =
    word("Critical functions in third countries", "Kritische Funktionen in Drittstaaten");
pub(super) const DESIGNATED: Label =
    word("Designated critical providers", "Als kritisch eingestufte Dienstleister");
pub(super) const DESIGNATED_NOTE: Label = word(
    "What rests on providers the European supervisory authorities designated as critical (DORA Art. 31).",
    "Was auf Dienstleistern ruht, die die europäischen Aufsichtsbehörden als kritisch eingestuft haben (DORA Art. 31).",
);
pub(super) const CRITICAL_DIRECT: Label =
    word("Critical functions, directly", "Kritische Funktionen, direkt");
pub(super) const CRITICAL_CHAIN: Label =
    word("Critical functions, with supply chains", "Kritische Funktionen, mit Lieferketten");
pub(super) const METHOD: Label = word("How it is measured", "Wie gemessen wird");
pub(super) const METHOD_TEXT: Label = word(
    "Shares are exact fractions, compared with the thresholds before any rounding and rounded once for print. A share \
     breaches when it is strictly above its threshold. The thresholds are the institution's own: no rule of the Union \
     sets a limit for one entity. A critical function counts as soon as one active arrangement marks it as critical or \
     important.",
    "Anteile sind exakte Brüche, werden vor jeder Rundung mit den Schwellen verglichen und einmal für den Druck \
     gerundet. Ein Anteil überschreitet, wenn er echt über seiner Schwelle liegt. Die Schwellen sind die des Instituts: \
     Keine Regel der Union setzt eine Grenze für ein einzelnes Unternehmen. Eine kritische Funktion zählt, sobald eine \
     laufende Vereinbarung sie als kritisch oder wichtig kennzeichnet.",
);
