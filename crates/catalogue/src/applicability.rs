//! For whom a duty applies, as data that can be compared with a profile, so that percentages count only what applies.

mod verdict;

use domain::{country::Country, entity_kind::EntityKind, vocabulary};

pub use self::verdict::{AppliesReason, Outcome, Verdict, verdict};
pub use domain::entity_kind::OperatorRole;

use crate::block::Block;

vocabulary! {
    /// The ICT risk management framework of DORA that a duty belongs to.
    RiskRegime {
        Full = "full" ("Full framework (Art. 5 to 15)", "Vollständiger Rahmen (Art. 5 bis 15)"),
        Simplified = "simplified" ("Simplified framework (Art. 16)", "Vereinfachter Rahmen (Art. 16)"),
    }
}

vocabulary! {
    /// A relief by size. A size that is not named has none.
    SizeRelief {
        MicroExempt = "micro-exempt" ("Not for microenterprises", "Nicht für Kleinstunternehmen"),
        MicroOnly = "micro-only" ("Only for microenterprises", "Nur für Kleinstunternehmen"),
        SmallRelief = "small-relief" ("Relief for small institutions", "Erleichterung für kleine Institute"),
        VerySmallRelief = "very-small-relief" ("Relief for very small institutions", "Erleichterung für sehr kleine Institute"),
        SmallExempt = "small-exempt" ("Not for small institutions", "Nicht für kleine Institute"),
        VerySmallExempt = "very-small-exempt" ("Not for very small institutions", "Nicht für sehr kleine Institute"),
        BelowMediumExempt = "below-medium-exempt" ("Only from medium size", "Erst ab mittlerer Größe"),
    }
}

vocabulary! {
    /// Supervision of credit institutions in the Single Supervisory Mechanism.
    Significance {
        Significant = "significant" ("Significant institutions", "Bedeutende Institute"),
        LessSignificant = "less-significant" ("Less significant institutions", "Weniger bedeutende Institute"),
    }
}

vocabulary! {
    /// Who has to act.
    Addressee {
        Entity = "entity" ("The entity", "Das Unternehmen"),
        Authority = "authority" ("The competent authority", "Die zuständige Behörde"),
        Provider = "provider" ("The ICT provider", "Der IKT-Dienstleister"),
    }
}

vocabulary! {
    /// How binding a provision is.
    Force {
        Shall = "shall" ("Duty", "Pflicht"),
        May = "may" ("Option", "Option"),
        Definition = "definition" ("Definition or scope", "Begriff oder Geltungsbereich"),
    }
}

/// For whom a requirement applies. An omitted field limits nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applicability {
    /// The kinds of entities it is limited to; empty for all the framework covers.
    pub entities: Vec<EntityKind>,
    /// The roles it is limited to; empty for all.
    pub roles: Vec<OperatorRole>,
    /// The countries whose law it is; empty for the whole Union.
    pub countries: Vec<Country>,
    pub regime: Option<RiskRegime>,
    pub sizes: Vec<SizeRelief>,
    pub significance: Option<Significance>,
    pub addressee: Addressee,
    pub force: Force,
}

impl Default for Applicability {
    fn default() -> Self {
        Self {
            entities: Vec::new(),
            roles: Vec::new(),
            countries: Vec::new(),
            regime: None,
            sizes: Vec::new(),
            significance: None,
            addressee: Addressee::Entity,
            force: Force::Shall,
        }
    }
}

impl Applicability {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            entities: block.optional_words("entities"),
            roles: block.optional_words("roles"),
            countries: block.optional_parsed_list("countries"),
            regime: block.optional_word("regime"),
            sizes: block.optional_words("sizes"),
            significance: block.optional_word("significance"),
            addressee: block.optional_word("addressee").unwrap_or(Addressee::Entity),
            force: block.optional_word("force").unwrap_or(Force::Shall),
        }
    }

    /// Whether an entity can fulfil or breach it: definitions, options and duties of authorities are no duty of the
    /// entity.
    pub fn binds_entities(&self) -> bool {
        self.addressee == Addressee::Entity && self.force == Force::Shall
    }
}
