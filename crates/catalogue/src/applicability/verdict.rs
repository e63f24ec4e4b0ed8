//! Whether a requirement applies to an institution, and why.
//!
//! An unknown fact of the profile excludes nothing: the requirement stays on the list, and the reason names what is
//! missing.

use domain::{
    country::Country,
    entity_kind::OperatorRole,
    profile::{DoraRegime, Facts, Size},
    sentences,
    wording::Label,
};

use super::{Addressee, Applicability, Force, RiskRegime, Significance, SizeRelief};
use crate::{
    Catalogue,
    framework::{Framework, Requirement},
    vocabulary::FrameworkId,
};

/// What is known about whether a requirement applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Applies,
    DoesNotApply,
    /// The profile lacks the deciding fact.
    Unknown,
}

sentences! {
    /// Why a requirement applies, does not, or may.
    AppliesReason {
        Everyone =
            "Applies to every institution that the framework covers.",
            "Gilt für jedes Unternehmen, das das Rahmenwerk erfasst.";
        ForKind { kind: Label } =
            "Applies to this kind of entity: {kind}.",
            "Gilt für diese Art von Unternehmen: {kind}.";
        ForRegime { regime: Label } =
            "Applies under the regime of the profile: {regime}.",
            "Gilt unter dem Rahmen des Profils: {regime}.";
        ForRole =
            "Applies to a role of the profile.",
            "Gilt für eine Rolle des Profils.";
        ForSignificance { whom: Label } =
            "Applies by significance: {whom}.",
            "Gilt nach der Bedeutung: {whom}.";
        ReliefPossible { relief: Label } =
            "Applies, possibly in an easier form: {relief}.",
            "Gilt, möglicherweise in erleichterter Form: {relief}.";
        ForProvider =
            "Addressed to ICT providers, and the institution is one.",
            "Richtet sich an IKT-Dienstleister, und das Unternehmen ist einer.";
        NoDuty =
            "A definition or a heading: there is nothing to meet.",
            "Begriff oder Überschrift: Hier ist nichts zu erfüllen.";
        OnlyAnOption =
            "An option: no duty follows from it.",
            "Eine Option: Daraus folgt keine Pflicht.";
        OfAuthority =
            "Addressed to the authority, not to the institution.",
            "Richtet sich an die Behörde, nicht an das Unternehmen.";
        OfProvider =
            "Addressed to ICT providers.",
            "Richtet sich an IKT-Dienstleister.";
        OutsideDora =
            "DORA does not apply to the institution (Art. 2).",
            "DORA gilt für das Unternehmen nicht (Art. 2).";
        OtherKinds { kind: Label } =
            "Not for this kind of entity: {kind}.",
            "Nicht für diese Art von Unternehmen: {kind}.";
        OtherCountry { country: Label } =
            "The law of another country than that of the profile: {country}.",
            "Recht eines anderen Landes als das des Profils: {country}.";
        OtherRoles =
            "Only for roles that the profile does not name.",
            "Nur für Rollen, die das Profil nicht nennt.";
        OtherRegime { regime: Label } =
            "Belongs to the other regime of DORA: {regime}.",
            "Gehört zum anderen Rahmen von DORA: {regime}.";
        MicroExempt =
            "Microenterprises are exempt.",
            "Kleinstunternehmen sind ausgenommen.";
        MicroOnly =
            "Holds only for microenterprises.",
            "Gilt nur für Kleinstunternehmen.";
        BelowMedium =
            "Holds only from medium size (NIS2 Art. 2(1)); the providers that Art. 2(2) names are covered whatever their size.",
            "Gilt erst ab mittlerer Größe (NIS2 Art. 2 Abs. 1); die in Art. 2 Abs. 2 genannten Anbieter sind unabhängig von ihrer Größe erfasst.";
        OtherSignificance { whom: Label } =
            "Limited by significance: {whom}.",
            "Nach der Bedeutung begrenzt: {whom}.";
        KindUnknown =
            "The profile does not say what kind of entity the institution is.",
            "Das Profil sagt nicht, welche Art von Unternehmen es ist.";
        CountryUnknown =
            "The profile does not say in which country the institution is.",
            "Das Profil sagt nicht, in welchem Land das Unternehmen sitzt.";
        RolesUnknown =
            "The profile does not say which roles the institution has.",
            "Das Profil sagt nicht, welche Rollen das Unternehmen hat.";
        RegimeUnknown =
            "The profile does not decide which regime of DORA holds.",
            "Das Profil entscheidet nicht, welcher Rahmen von DORA gilt.";
        SizeUnknown =
            "The profile does not say how large the institution is.",
            "Das Profil sagt nicht, wie groß das Unternehmen ist.";
        SignificanceUnknown =
            "The profile does not say whether the institution is significant.",
            "Das Profil sagt nicht, ob das Institut bedeutend ist.";
    }
}

/// Whether a requirement applies, with the reason in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub outcome: Outcome,
    pub reason: AppliesReason,
}

impl Verdict {
    /// An unknown outcome applies until the profile excludes it.
    pub fn applies(&self) -> bool {
        self.outcome != Outcome::DoesNotApply
    }

    fn yes(reason: AppliesReason) -> Self {
        Self { outcome: Outcome::Applies, reason }
    }

    fn no(reason: AppliesReason) -> Self {
        Self { outcome: Outcome::DoesNotApply, reason }
    }

    fn unknown(reason: AppliesReason) -> Self {
        Self { outcome: Outcome::Unknown, reason }
    }
}

/// Whether a requirement of this framework applies to an institution with these facts.
#[must_use]
pub fn verdict(framework: Option<&Framework>, requirement: &Requirement, facts: &Facts) -> Verdict {
    let applies = &requirement.applicability;
    let mut found = vec![binding(applies, facts)];
    if requirement.framework == FrameworkId::DORA {
        found.push(under_dora(facts));
    }
    found.extend(framework.into_iter().flat_map(|framework| limits(&framework.scope, facts)));
    found.extend(limits(applies, facts));
    // One excluding limit is enough; an unknown limit outweighs those that are met.
    let rank = |outcome| match outcome {
        Outcome::DoesNotApply => 0,
        Outcome::Unknown => 1,
        Outcome::Applies => 2,
    };
    let found: Vec<_> = found.into_iter().flatten().collect();
    let decided = found.iter().min_by_key(|verdict| rank(verdict.outcome));
    match decided {
        // Of several limits that are met, the requirement's own is the most specific: it comes last.
        Some(verdict) if verdict.outcome == Outcome::Applies => {
            found.last().cloned().unwrap_or_else(|| verdict.clone())
        }
        Some(verdict) => verdict.clone(),
        None => Verdict::yes(AppliesReason::Everyone),
    }
}

/// Whether it is a duty, and of whom.
fn binding(applies: &Applicability, facts: &Facts) -> Option<Verdict> {
    use domain::entity_kind::EntityKind::{IctProvider, IntraGroupIctProvider};
    match (applies.force, applies.addressee) {
        (Force::Definition, _) => Some(Verdict::no(AppliesReason::NoDuty)),
        (Force::Shall | Force::May, Addressee::Authority) => Some(Verdict::no(AppliesReason::OfAuthority)),
        (Force::May, _) => Some(Verdict::no(AppliesReason::OnlyAnOption)),
        (Force::Shall, Addressee::Entity) => None,
        (Force::Shall, Addressee::Provider) => Some(match facts.kind {
            None => Verdict::unknown(AppliesReason::KindUnknown),
            Some(IctProvider | IntraGroupIctProvider) => Verdict::yes(AppliesReason::ForProvider),
            Some(_) => Verdict::no(AppliesReason::OfProvider),
        }),
    }
}

/// The exemptions of Art. 2(3) and (4) exclude an institution from the whole act.
fn under_dora(facts: &Facts) -> Option<Verdict> {
    match facts.regime {
        Some(DoraRegime::None) => Some(Verdict::no(AppliesReason::OutsideDora)),
        Some(DoraRegime::Full | DoraRegime::Simplified) => None,
        None => Some(Verdict::unknown(AppliesReason::RegimeUnknown)),
    }
}

/// The verdict of every limit for these facts.
fn limits(applies: &Applicability, facts: &Facts) -> Vec<Option<Verdict>> {
    let mut found = vec![
        by_country(&applies.countries, facts),
        by_kind(applies, facts),
        by_role(applies, facts),
        by_regime(applies.regime, facts),
        by_significance(applies.significance, facts),
    ];
    found.extend(applies.sizes.iter().map(|relief| by_size(*relief, facts)));
    found
}

fn by_country(countries: &[Country], facts: &Facts) -> Option<Verdict> {
    let first = countries.first()?;
    match facts.country {
        None => Some(Verdict::unknown(AppliesReason::CountryUnknown)),
        Some(own) if countries.contains(&own) => None,
        Some(_) => Some(Verdict::no(AppliesReason::OtherCountry { country: first.label() })),
    }
}

fn by_kind(applies: &Applicability, facts: &Facts) -> Option<Verdict> {
    if applies.entities.is_empty() {
        return None;
    }
    Some(match facts.kind {
        None => Verdict::unknown(AppliesReason::KindUnknown),
        Some(kind) if applies.entities.contains(&kind) => {
            Verdict::yes(AppliesReason::ForKind { kind: kind.label() })
        }
        Some(kind) => Verdict::no(AppliesReason::OtherKinds { kind: kind.label() }),
    })
}

fn by_role(applies: &Applicability, facts: &Facts) -> Option<Verdict> {
    if applies.roles.is_empty() {
        return None;
    }
    Some(match facts.has_role(&applies.roles) {
        None => Verdict::unknown(AppliesReason::RolesUnknown),
        Some(true) => Verdict::yes(AppliesReason::ForRole),
        Some(false) => Verdict::no(AppliesReason::OtherRoles),
    })
}

fn by_regime(wanted: Option<RiskRegime>, facts: &Facts) -> Option<Verdict> {
    let wanted = wanted?;
    Some(match (wanted, facts.regime) {
        (_, None) => Verdict::unknown(AppliesReason::RegimeUnknown),
        (RiskRegime::Full, Some(DoraRegime::Full))
        | (RiskRegime::Simplified, Some(DoraRegime::Simplified)) => {
            Verdict::yes(AppliesReason::ForRegime { regime: wanted.label() })
        }
        (_, Some(DoraRegime::None)) => Verdict::no(AppliesReason::OutsideDora),
        (_, Some(_)) => Verdict::no(AppliesReason::OtherRegime { regime: wanted.label() }),
    })
}

fn by_significance(wanted: Option<Significance>, facts: &Facts) -> Option<Verdict> {
    let wanted = wanted?;
    let whom = wanted.label();
    Some(match facts.significant {
        None => Verdict::unknown(AppliesReason::SignificanceUnknown),
        Some(own) if own == (wanted == Significance::Significant) => {
            Verdict::yes(AppliesReason::ForSignificance { whom })
        }
        Some(_) => Verdict::no(AppliesReason::OtherSignificance { whom }),
    })
}

/// The providers that NIS2 covers whatever their size (Art. 2(2)(a); BSIG § 28(1)).
const WHATEVER_SIZE: [OperatorRole; 3] =
    [OperatorRole::TrustServiceProvider, OperatorRole::DnsServiceProvider, OperatorRole::TldNameRegistry];

/// The small and very small institutions of MaRisk AT 1 are no sizes of the profile, so their reliefs exclude
/// nothing.
fn by_size(relief: SizeRelief, facts: &Facts) -> Option<Verdict> {
    match relief {
        SizeRelief::MicroExempt => match facts.is_micro() {
            None => Some(Verdict::unknown(AppliesReason::SizeUnknown)),
            Some(true) => Some(Verdict::no(AppliesReason::MicroExempt)),
            Some(false) => None,
        },
        SizeRelief::MicroOnly => match facts.is_micro() {
            None => Some(Verdict::unknown(AppliesReason::SizeUnknown)),
            Some(true) => None,
            Some(false) => Some(Verdict::no(AppliesReason::MicroOnly)),
        },
        SizeRelief::BelowMediumExempt => match facts.size {
            _ if facts.has_role(&WHATEVER_SIZE) == Some(true) => Some(Verdict::yes(AppliesReason::ForRole)),
            None => Some(Verdict::unknown(AppliesReason::SizeUnknown)),
            Some(Size::Micro | Size::Small) => Some(Verdict::no(AppliesReason::BelowMedium)),
            Some(Size::Medium | Size::Large) => None,
        },
        SizeRelief::SmallRelief
        | SizeRelief::VerySmallRelief
        | SizeRelief::SmallExempt
        | SizeRelief::VerySmallExempt => {
            Some(Verdict::yes(AppliesReason::ReliefPossible { relief: relief.label() }))
        }
    }
}

/// From a column of the register over its article and DORA there are three steps; a layer that names itself as its
/// basis ends there too.
const BASIS_STEPS: u8 = 4;

impl Catalogue {
    /// Whether a requirement applies to an institution with these facts, and why.
    #[must_use]
    pub fn verdict(&self, requirement: &Requirement, facts: &Facts) -> Verdict {
        let own = verdict(self.frameworks.get(requirement.framework.as_str()), requirement, facts);
        if own.outcome == Outcome::DoesNotApply {
            return own;
        }
        self.excluded_by_basis(requirement, facts, BASIS_STEPS).unwrap_or(own)
    }

    /// A requirement that details others is never wider than they are: it does not apply where the limits of all of
    /// them exclude the institution. Their force does not count, because the record of a basis may be a heading.
    fn excluded_by_basis(&self, requirement: &Requirement, facts: &Facts, steps: u8) -> Option<Verdict> {
        let steps = steps.checked_sub(1)?;
        let mut exclusion = None;
        for id in &requirement.basis {
            let basis = self.requirements.get(id)?;
            let excluded = limits(&basis.applicability, facts)
                .into_iter()
                .flatten()
                .find(|verdict| verdict.outcome == Outcome::DoesNotApply)
                .or_else(|| self.excluded_by_basis(basis, facts, steps))?;
            exclusion.get_or_insert(excluded);
        }
        exclusion
    }

    /// Whether the points of a requirement are records of their own, so that it is not counted in addition to them. A
    /// requirement followed only by a second point or a later sentence is itself the first.
    pub fn is_heading(&self, requirement: &str) -> bool {
        ["a", "1", "01"]
            .iter()
            .any(|first| self.requirements.get(&format!("{requirement}-{first}")).is_some())
    }

    /// The requirements that percentages count for an institution: those that apply and are no headings.
    pub fn counted<'c, 'f>(
        &'c self,
        facts: &'f Facts,
    ) -> impl Iterator<Item = &'c Requirement> + use<'c, 'f> {
        self.requirements
            .iter()
            .filter(move |requirement| self.verdict(requirement, facts).applies())
            .filter(|requirement| !self.is_heading(&requirement.id))
    }
}
