//! The voluntary notice of a significant cyber threat: the twenty fields of Implementing Regulation (EU) 2025/302,
//! Annexes III and IV, from the Official Journal. The names are ours.

use crate::wording::Label;

use super::contents::{Point, may, must};

const ANNEX: &str = "2025/302 Annex III";

const fn yes(field: &'static str, en: &'static str, de: &'static str) -> Point {
    must(field, ANNEX, Label::new(en, de))
}

const fn where_it_applies(field: &'static str, en: &'static str, de: &'static str) -> Point {
    may(field, ANNEX, Label::new(en, de))
}

pub(super) const POINTS: &[Point] = &[
    yes("threat_1", "Name of the entity submitting the notice", "Name des meldenden Unternehmens"),
    yes(
        "threat_2",
        "Identification code of the entity submitting the notice",
        "Kennung des meldenden Unternehmens",
    ),
    where_it_applies(
        "threat_3",
        "Type of the affected financial entity, if another one submits",
        "Art des betroffenen Finanzunternehmens, falls ein anderes meldet",
    ),
    where_it_applies(
        "threat_4",
        "Name of the affected financial entity, if another one submits",
        "Name des betroffenen Finanzunternehmens, falls ein anderes meldet",
    ),
    where_it_applies(
        "threat_5",
        "LEI of the affected financial entity, if another one submits",
        "LEI des betroffenen Finanzunternehmens, falls ein anderes meldet",
    ),
    yes("threat_6", "Primary contact: name", "Hauptansprechperson: Name"),
    yes("threat_7", "Primary contact: e-mail address", "Hauptansprechperson: E-Mail-Adresse"),
    yes("threat_8", "Primary contact: telephone number", "Hauptansprechperson: Telefonnummer"),
    where_it_applies("threat_9", "Second contact: name", "Zweite Ansprechperson: Name"),
    where_it_applies("threat_10", "Second contact: e-mail address", "Zweite Ansprechperson: E-Mail-Adresse"),
    where_it_applies("threat_11", "Second contact: telephone number", "Zweite Ansprechperson: Telefonnummer"),
    yes(
        "threat_12",
        "When the threat was detected, in UTC",
        "Zeitpunkt der Entdeckung der Bedrohung, in UTC",
    )
    .detected(),
    yes(
        "threat_13",
        "Description of the threat with risks, vulnerabilities, probability and source",
        "Beschreibung der Bedrohung mit Risiken, Schwachstellen, Wahrscheinlichkeit und Quelle",
    )
    .described(),
    yes("threat_14", "Potential impact", "Mögliche Auswirkungen"),
    yes(
        "threat_15",
        "Classification criteria that an incident could have met",
        "Klassifizierungskriterien, die ein Vorfall hätte erfüllen können",
    ),
    yes("threat_16", "Status of the threat: active or inactive", "Stand der Bedrohung: aktiv oder inaktiv"),
    yes("threat_17", "Preventive actions taken", "Ergriffene vorbeugende Maßnahmen").prevented(),
    where_it_applies("threat_18", "Who else was informed", "Wer außerdem informiert wurde"),
    where_it_applies("threat_19", "Indicators of compromise", "Kompromittierungsindikatoren"),
    where_it_applies("threat_20", "Other information", "Weitere Angaben"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::incident::report::Obligation;

    /// Counted in Annex III.
    #[test]
    fn the_notice_has_twenty_fields_of_which_eleven_are_mandatory() {
        let mandatory = POINTS.iter().filter(|point| point.obligation == Obligation::Yes).count();
        assert_eq!((POINTS.len(), mandatory), (20, 11));
    }
}
