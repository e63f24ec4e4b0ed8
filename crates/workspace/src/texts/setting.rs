//! Settings of the institution.

use super::texts;

texts! {
    TITLE = "Settings", "Einstellungen";
    INTRO = "They hold for everybody of {tenant}.", "Sie gelten für alle bei {tenant}.";
    THRESHOLDS = "Concentration thresholds", "Schwellen für Konzentrationsrisiken";
    THRESHOLDS_HELP = "A share strictly above its threshold is a breach.", "Ein Anteil, der echt über seiner Schwelle liegt, ist eine Überschreitung.";
    PROVIDER = "Provider", "Anbieter";
    SECTOR = "Sector", "Sektor";
    REGIONAL = "Region", "Region";
    TECHNOLOGY = "Technology", "Technologie";
    PERCENT_HINT = "Per cent, 1 to 100", "Prozent, 1 bis 100";
    REVIEW = "Days between reviews", "Tage zwischen Überprüfungen";
    REVIEW_HINT = "30 to 730", "30 bis 730";
    ENABLED = "Compare shares with these thresholds", "Anteile mit diesen Schwellen vergleichen";
    ENABLED_HELP = "Switched off, an analysis shows shares but no breaches.", "Ausgeschaltet zeigt eine Analyse Anteile, aber keine Überschreitungen.";
    LAST_CHANGED = "Last changed", "Zuletzt geändert";
    READ_ONLY = "Your role sees these settings but cannot change them.", "Ihre Rolle sieht diese Einstellungen, kann sie aber nicht ändern.";
    WAS_SAVED = "The thresholds are saved.", "Die Schwellen sind gespeichert.";
    PERSONAL = "Language and appearance", "Sprache und Aussehen";
    PERSONAL_HELP = "These belong to you alone and are set in your profile.", "Sie gehören nur Ihnen und stehen in Ihrem Profil.";
    TO_PROFILE = "To your profile", "Zum eigenen Profil";
}
