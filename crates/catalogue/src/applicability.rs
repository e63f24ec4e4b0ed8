//! For whom a duty applies, as data that can be compared with a profile, so that percentages count only what applies.

mod basis;
mod reason;
mod verdict;

use domain::{country::Country, entity_kind::EntityKind, moment::Day, vocabulary};

pub use self::{
    reason::AppliesReason,
    verdict::{Outcome, Verdict, VerdictWord, verdict},
};
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
        #[doc = "A voluntary standard: no law requires it, and an institution that follows it is measured against it."]
        Voluntary = "voluntary" ("Voluntary", "Freiwillig"),
        #[doc = "A control of a reference set: the statement of applicability decides whether it applies."]
        Selected = "selected" ("By the statement of applicability", "Nach der Erklärung zur Anwendbarkeit"),
    }
}

vocabulary! {
    /// A limit that a single fact of the institution decides; in the files a field that is `true`.
    FactLimit {
        Tlpt = "tlpt" ("Only if identified for threat-led penetration tests", "Nur wenn für bedrohungsorientierte Penetrationstests ermittelt"),
        OnlyCif = "only_cif" ("Only for critical or important functions", "Nur für kritische oder wichtige Funktionen"),
        LargeFirm = "large_firm" ("Of investment firms only large ones", "Von den Wertpapierfirmen nur große"),
        Npl = "npl" ("Only from 5 % of non-performing loans", "Nur ab 5 % notleidender Kredite"),
        RealEstate = "real_estate" ("Only above the thresholds of real estate business", "Nur oberhalb der Schwellen für das Immobiliengeschäft"),
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
    pub limits: Vec<FactLimit>,
    /// The day from which it applies, where that is not the act's own.
    pub applies_from: Option<Day>,
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
            limits: Vec::new(),
            applies_from: None,
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
            limits: FactLimit::ALL.iter().copied().filter(|limit| block.flag(limit.as_str())).collect(),
            applies_from: block.optional_day("applies_from"),
        }
    }

    /// Completes it with what applies to the whole section.
    pub(crate) fn inherit(&mut self, section: &Self) {
        fn fill<T: Clone>(own: &mut Vec<T>, section: &[T]) {
            if own.is_empty() {
                own.extend_from_slice(section);
            }
        }
        fill(&mut self.entities, &section.entities);
        fill(&mut self.roles, &section.roles);
        fill(&mut self.countries, &section.countries);
        fill(&mut self.sizes, &section.sizes);
        if self.force == Force::Shall {
            self.force = section.force;
        }
        self.regime = self.regime.or(section.regime);
        self.significance = self.significance.or(section.significance);
        self.applies_from = self.applies_from.or(section.applies_from);
        let further = section.limits.iter().filter(|limit| !self.limits.contains(limit));
        self.limits = self.limits.iter().chain(further).copied().collect();
    }

    /// Whether an entity can fulfil or breach it: definitions, options and duties of authorities are no duty of the
    /// entity.
    pub fn binds_entities(&self) -> bool {
        self.addressee == Addressee::Entity && !matches!(self.force, Force::May | Force::Definition)
    }
}
