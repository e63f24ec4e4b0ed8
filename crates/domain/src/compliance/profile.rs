//! The profile of an institution: the facts that decide which duties, clocks and reports apply.
//!
//! An unknown fact stays unknown. Nothing is guessed; conclusions from the facts come with a reason.

mod input;
mod regime;

use crate::{
    country::Country,
    entity_kind::{EntityKind, OperatorRole},
    vocabulary,
};

pub use self::{
    input::{Profile, ProfileComplaint, ProfileInput, Regime, RegimeInput, RegimeSource},
    regime::{DerivedRegime, DoraRegime, RegimeReason, derive_regime},
};

vocabulary! {
    /// The size of an enterprise: DORA Art. 3(60), (63) and (64), which follow Recommendation 2003/361/EC.
    Size {
        Micro = "micro" ("Microenterprise", "Kleinstunternehmen"),
        Small = "small" ("Small enterprise", "Kleines Unternehmen"),
        Medium = "medium" ("Medium-sized enterprise", "Mittleres Unternehmen"),
        Large = "large" ("Large enterprise", "Großes Unternehmen"),
    }
}

/// Facts that decide single duties only; unknown until they are stated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScopeFacts {
    /// The authority identified it for threat-led penetration tests (DORA Art. 26(8) third subparagraph).
    pub tlpt_identified: Option<bool>,
    /// A large investment firm (section 2(18) `WpIG`), which MaRisk AT 2.1 Tz. 2 addresses.
    pub large_investment_firm: Option<bool>,
    /// At least 5 % of its loans are non-performing, gross (MaRisk AT 2.1 Tz. 1).
    pub npl_from_5_percent: Option<bool>,
    /// Its real estate business exceeds EUR 40 million or 4 % of the balance sheet total (MaRisk BTO 3 Tz. 1).
    pub real_estate_thresholds: Option<bool>,
    /// A small and non-complex institution (CRR Art. 4(1)(145)), which MaRisk calls small.
    pub small_non_complex: Option<bool>,
}

/// The known facts of an institution, as far as applicability depends on them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub kind: Option<EntityKind>,
    pub size: Option<Size>,
    /// A significant credit institution of the Single Supervisory Mechanism.
    pub significant: Option<bool>,
    pub country: Option<Country>,
    /// Its further roles, if stated; otherwise roles follow from the kind.
    pub roles: Option<Vec<OperatorRole>>,
    /// The ICT risk management framework in force: derived or set by a person.
    pub regime: Option<DoraRegime>,
    pub scope: ScopeFacts,
    /// Whether one of its functions is critical or important; unknown while it has no functions or some of them are not
    /// assessed.
    pub critical_functions: Option<bool>,
    /// Operates a trading venue, whatever its kind, and then counts as one.
    pub trading_venue_operator: Option<bool>,
}

impl Facts {
    /// Facts whose regime follows from the kind and the size.
    #[must_use]
    pub fn derived(kind: Option<EntityKind>, size: Option<Size>) -> Self {
        Self { kind, size, regime: derive_regime(kind, size).value, ..Self::default() }
    }

    /// Whether it is a microenterprise. DORA Art. 3(60) excludes some kinds, whatever their size.
    pub fn is_micro(&self) -> Option<bool> {
        let never = [
            EntityKind::TradingVenue,
            EntityKind::CentralCounterparty,
            EntityKind::TradeRepository,
            EntityKind::CentralSecuritiesDepository,
        ];
        if self.kind.is_some_and(|kind| never.contains(&kind)) {
            return Some(false);
        }
        self.size.map(|size| size == Size::Micro)
    }

    /// Whether it has one of the roles. A financial entity has none unless stated; a manufacturer is one. Any kind of
    /// entity may operate a critical plant, so that is known only once the roles are stated.
    pub fn has_role(&self, wanted: &[OperatorRole]) -> Option<bool> {
        if let Some(roles) = &self.roles {
            return Some(roles.iter().any(|role| wanted.contains(role)));
        }
        match self.kind {
            _ if wanted.contains(&OperatorRole::CriticalPlantOperator) => None,
            Some(EntityKind::Manufacturer) => Some(wanted.contains(&OperatorRole::Manufacturer)),
            Some(kind) if kind.is_financial() => Some(false),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn market_infrastructure_is_never_a_microenterprise() {
        // DORA Art. 3(60) leaves these four out of its definition.
        for kind in
            ["trading-venue", "central-counterparty", "trade-repository", "central-securities-depository"]
        {
            let facts = Facts::derived(kind.parse().ok(), Some(Size::Micro));
            assert_eq!(facts.is_micro(), Some(false), "{kind}");
        }
        assert_eq!(
            Facts::derived(Some(EntityKind::PaymentInstitution), Some(Size::Micro)).is_micro(),
            Some(true)
        );
        assert_eq!(Facts::derived(Some(EntityKind::PaymentInstitution), None).is_micro(), None);
    }

    #[test]
    fn roles_follow_from_the_kind_only_where_it_says_them() {
        let role = |kind| Facts::derived(Some(kind), None).has_role(&[OperatorRole::Manufacturer]);
        assert_eq!(role(EntityKind::Manufacturer), Some(true));
        assert_eq!(role(EntityKind::CreditInstitution), Some(false));
        assert_eq!(role(EntityKind::IctProvider), None);
        let said = Facts { roles: Some(vec![OperatorRole::Importer]), ..Facts::default() };
        assert_eq!(said.has_role(&[OperatorRole::Importer]), Some(true));
        assert_eq!(said.has_role(&[OperatorRole::Manufacturer]), Some(false));
    }
}
