//! The number of entries in a list of the library: one, and more than one or none. Own records have theirs in their own
//! files.

use super::texts;

texts! {
    REQUIREMENT = "1 requirement", "1 Anforderung";
    REQUIREMENTS = "{count} requirements", "{count} Anforderungen";
    QUESTION = "1 question", "1 Frage";
    QUESTIONS = "{count} questions", "{count} Fragen";
    RISK = "1 risk", "1 Risiko";
    RISKS = "{count} risks", "{count} Risiken";
    VENDOR = "1 archetype", "1 Archetyp";
    VENDORS = "{count} archetypes", "{count} Archetypen";
    DRILL = "1 scenario", "1 Szenario";
    DRILLS = "{count} scenarios", "{count} Szenarien";
    TRAINING = "1 module", "1 Modul";
    TRAININGS = "{count} modules", "{count} Module";
    MILESTONE = "1 date", "1 Termin";
    MILESTONES = "{count} dates", "{count} Termine";
    SIGNAL = "1 publication", "1 Veröffentlichung";
    SIGNALS = "{count} publications", "{count} Veröffentlichungen";
}
