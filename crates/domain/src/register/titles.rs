//! The titles of the official templates and their columns in German. English is the language of the templates
//! themselves; a test sees to it that no title lacks its German.

use super::template::{Column, Template};
use crate::wording::Label;

impl Template {
    /// The title as shown to a person.
    pub fn label(self) -> Label {
        Label::new(self.title(), german(self.title()).unwrap_or(self.title()))
    }
}

impl Column {
    /// The title as shown to a person.
    pub fn label(&self) -> Label {
        Label::new(self.title, german(self.title).unwrap_or(self.title))
    }
}

fn german(title: &str) -> Option<&'static str> {
    TITLES.iter().find(|(english, _)| *english == title).map(|(_, german)| *german)
}

const TITLES: &[(&str, &str)] = &[
    ("Entity maintaining the register of information", "Unternehmen, das das Informationsregister führt"),
    ("LEI of the entity maintaining the register", "LEI des registerführenden Unternehmens"),
    ("Name of the entity", "Name des Unternehmens"),
    ("Country of the entity", "Land des Unternehmens"),
    ("Type of entity", "Art des Unternehmens"),
    ("Competent authority", "Zuständige Behörde"),
    ("Date of the reporting", "Datum der Meldung"),
    ("List of entities within the scope of consolidation", "Liste der Unternehmen im Konsolidierungskreis"),
    ("LEI of the entity", "LEI des Unternehmens"),
    ("Hierarchy within the group", "Stellung in der Gruppe"),
    ("LEI of the direct parent undertaking", "LEI des direkten Mutterunternehmens"),
    ("Date of last update", "Datum der letzten Aktualisierung"),
    ("Date of integration", "Datum der Aufnahme"),
    ("Date of deletion", "Datum der Löschung"),
    ("Currency", "Währung"),
    ("Value of total assets", "Bilanzsumme"),
    ("List of branches", "Liste der Zweigniederlassungen"),
    ("Contractual arrangements: general information", "Vertragliche Vereinbarungen: allgemeine Angaben"),
    ("Contractual arrangement reference number", "Kennzeichen der vertraglichen Vereinbarung"),
    ("Type of contractual arrangement", "Art der vertraglichen Vereinbarung"),
    ("Overarching arrangement reference number", "Kennzeichen der übergreifenden Vereinbarung"),
    ("Annual expense or estimated cost", "Jährliche Ausgaben oder geschätzte Kosten"),
    ("Contractual arrangements: specific information", "Vertragliche Vereinbarungen: besondere Angaben"),
    ("LEI of the entity making use of the service", "LEI des Unternehmens, das die Dienstleistung nutzt"),
    ("Identification code of the provider", "Kennung des Anbieters"),
    ("Type of code", "Art der Kennung"),
    ("Function identifier", "Kennung der Funktion"),
    ("Type of ICT services", "Art der IKT-Dienstleistungen"),
    ("Start date", "Beginn"),
    ("End date", "Ende"),
    ("Reason of the termination", "Grund der Beendigung"),
    ("Notice period for the entity", "Kündigungsfrist des Unternehmens"),
    ("Notice period for the provider", "Kündigungsfrist des Anbieters"),
    ("Country of the governing law", "Land des anwendbaren Rechts"),
    ("Country of provision", "Land der Erbringung"),
    ("Storage of data", "Speicherung von Daten"),
    ("Location of the data at rest", "Speicherort der Daten"),
    ("Location of the data processing", "Ort der Datenverarbeitung"),
    ("Sensitiveness of the data", "Sensibilität der Daten"),
    ("Level of reliance", "Grad der Abhängigkeit"),
    (
        "List of intra-group contractual arrangements",
        "Liste der gruppeninternen vertraglichen Vereinbarungen",
    ),
    (
        "Entities signing the contractual arrangements",
        "Unternehmen, die die vertraglichen Vereinbarungen unterzeichnen",
    ),
    (
        "Providers signing the contractual arrangements",
        "Anbieter, die die vertraglichen Vereinbarungen unterzeichnen",
    ),
    (
        "Entities signing for providing services to other entities in consolidation",
        "Unternehmen, die für die Erbringung an andere Unternehmen der Gruppe unterzeichnen",
    ),
    ("Entities making use of the ICT services", "Unternehmen, die die IKT-Dienstleistungen nutzen"),
    ("ICT third-party service providers", "IKT-Drittdienstleister"),
    ("Additional identification code", "Weitere Kennung"),
    ("Type of additional code", "Art der weiteren Kennung"),
    ("Legal name", "Rechtlicher Name"),
    ("Name in Latin alphabet", "Name in lateinischer Schrift"),
    ("Type of person", "Art der Person"),
    ("Country of the headquarters", "Land des Hauptsitzes"),
    ("Total annual expense", "Jährliche Ausgaben insgesamt"),
    ("Identification code of the ultimate parent undertaking", "Kennung des obersten Mutterunternehmens"),
    ("Type of code of the ultimate parent undertaking", "Art der Kennung des obersten Mutterunternehmens"),
    ("ICT service supply chain", "Lieferkette der IKT-Dienstleistungen"),
    ("Rank", "Rang"),
    ("Identification code of the recipient", "Kennung des Empfängers"),
    ("Type of code of the recipient", "Art der Kennung des Empfängers"),
    ("Functions identification", "Funktionen"),
    ("Licensed activity", "Zugelassene Tätigkeit"),
    ("Function name", "Name der Funktion"),
    ("Criticality or importance", "Kritikalität oder Wichtigkeit"),
    ("Reasons for criticality or importance", "Gründe für Kritikalität oder Wichtigkeit"),
    ("Date of the last assessment", "Datum der letzten Bewertung"),
    ("Recovery time objective", "Wiederherstellungszeit (RTO)"),
    ("Recovery point objective", "Wiederherstellungspunkt (RPO)"),
    ("Impact of discontinuing the function", "Auswirkung einer Einstellung der Funktion"),
    ("Assessments of the ICT services", "Bewertung der IKT-Dienstleistungen"),
    ("Substitutability of the provider", "Ersetzbarkeit des Anbieters"),
    ("Reason if hard to substitute", "Grund bei schwerer Ersetzbarkeit"),
    ("Date of the last audit", "Datum der letzten Prüfung"),
    ("Existence of an exit plan", "Vorhandensein eines Ausstiegsplans"),
    ("Possibility of reintegration", "Möglichkeit der Wiedereingliederung"),
    ("Impact of discontinuing the service", "Auswirkung einer Einstellung der Dienstleistung"),
    ("Alternative providers identified", "Alternative Anbieter ermittelt"),
    ("Identification of alternative providers", "Bezeichnung alternativer Anbieter"),
    (
        "Definitions from entities making use of the ICT services",
        "Begriffe der Unternehmen, die die IKT-Dienstleistungen nutzen",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_title_has_its_german() {
        for template in Template::ALL {
            assert!(german(template.title()).is_some(), "{}", template.title());
            for column in template.columns() {
                assert!(german(column.title).is_some(), "{}", column.title);
            }
        }
    }
}
