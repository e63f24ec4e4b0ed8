//! Vocabularies shared by several kinds of records. Those of one kind are in its module.

use domain::vocabulary;
pub use domain::{framework::Framework as FrameworkId, vocabulary::Priority};

vocabulary! {
    /// How often something is done or renewed.
    Cadence {
        Continuous = "continuous" ("Continuous", "Laufend"),
        Daily = "daily" ("Daily", "Täglich"),
        Weekly = "weekly" ("Weekly", "Wöchentlich"),
        Monthly = "monthly" ("Monthly", "Monatlich"),
        Quarterly = "quarterly" ("Quarterly", "Vierteljährlich"),
        HalfYearly = "half-yearly" ("Half-yearly", "Halbjährlich"),
        Yearly = "yearly" ("Yearly", "Jährlich"),
        ThreeYearly = "three-yearly" ("Every three years", "Alle drei Jahre"),
        EventDriven = "event-driven" ("When an event calls for it", "Anlassbezogen"),
        Once = "once" ("Once", "Einmalig"),
    }
}

vocabulary! {
    /// The function in a financial entity that owns or does something.
    Role {
        ManagementBody = "management-body" ("Management body", "Leitungsorgan"),
        Ciso = "ciso" ("CISO", "Informationssicherheitsbeauftragte"),
        IctRiskManager = "ict-risk-manager" ("ICT risk management", "IKT-Risikomanagement"),
        ItOperations = "it-operations" ("IT operations", "IT-Betrieb"),
        SecurityOperations = "security-operations" ("Security operations", "Sicherheitsbetrieb"),
        BcmManager = "bcm-manager" ("Business continuity", "Notfallmanagement"),
        ThirdPartyManager = "third-party-manager" ("Third-party management", "Dienstleistersteuerung"),
        Procurement = "procurement" ("Procurement", "Einkauf"),
        Compliance = "compliance" ("Compliance", "Compliance"),
        InternalAudit = "internal-audit" ("Internal audit", "Interne Revision"),
        DataProtection = "data-protection" ("Data protection", "Datenschutz"),
        Communications = "communications" ("Communications", "Kommunikation"),
        Development = "development" ("Development", "Entwicklung"),
        HumanResources = "human-resources" ("Human resources", "Personal"),
        Legal = "legal" ("Legal", "Recht"),
        BusinessOwner = "business-owner" ("Business owner", "Fachbereich"),
    }
}

vocabulary! {
    /// How demanding a drill or a training module is.
    Difficulty {
        Basic = "basic" ("Basic", "Grundlagen"),
        Intermediate = "intermediate" ("Intermediate", "Fortgeschritten"),
        Advanced = "advanced" ("Advanced", "Anspruchsvoll"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use domain::vocabulary::Vocabulary;

    use super::*;

    /// Checks every vocabulary: distinct words, labels in both languages, and parsing each word.
    fn is_sound<V: Vocabulary + std::fmt::Debug>() {
        let words: HashSet<_> = V::ALL.iter().map(|word| word.as_str()).collect();
        assert_eq!(words.len(), V::ALL.len(), "a word twice in {words:?}");
        for word in V::ALL.iter().copied() {
            assert_eq!(V::find(word.as_str()), Some(word));
            assert!(!word.label().en.is_empty() && !word.label().de.is_empty(), "{word:?}");
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c);
            assert!(word.as_str().chars().all(plain), "{word:?}");
        }
    }

    #[test]
    fn every_list_is_sound() {
        macro_rules! sound {
            ($($list:ty),* $(,)?) => { $(is_sound::<$list>();)* };
        }
        sound!(Cadence, Role, Difficulty);
        sound!(crate::measure::Pillar, crate::measure::Provenance, crate::evidence::EvidenceKind);
        sound!(crate::risk::Level, crate::risk::RiskStatus, crate::risk::Treatment, crate::risk::CategoryId);
        sound!(crate::vendor::Criticality, crate::vendor::DimensionId, crate::gap::Effort);
        sound!(crate::milestone::MilestoneCategory, crate::milestone::MilestoneStatus);
        sound!(crate::signal::Impact, crate::question::QuestionSection, crate::clock::Regime);
        sound!(domain::entity_kind::EntityKind, crate::applicability::Addressee, crate::applicability::Force);
        sound!(crate::applicability::RiskRegime, crate::applicability::SizeRelief);
        sound!(crate::applicability::Significance);
        sound!(crate::widget::WidgetKind, crate::widget::WidgetSize, crate::compliance::Coverage);
    }
}
