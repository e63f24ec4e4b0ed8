//! Whether a requirement applies to an institution, and why.
//!
//! An unknown fact of the profile excludes nothing: the requirement stays on the list, and the reason names what is
//! missing.

use domain::{
    country::Country,
    entity_kind::{EntityKind, OperatorRole},
    moment::Day,
    profile::{DoraRegime, Facts, Size},
    vocabulary,
};

use super::{
    Addressee, Applicability, AppliesReason, FactLimit, Force, RiskRegime, Significance, SizeRelief,
};
use crate::{
    framework::{Framework, Requirement},
    vocabulary::FrameworkId,
};

/// What is known about whether a requirement applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Applies,
    DoesNotApply,
    /// It will apply from this day.
    From(Day),
    /// The profile lacks the deciding fact.
    Unknown,
}

impl Outcome {
    /// One excluding limit is enough, a later day outweighs what is unknown, and that what is met.
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::DoesNotApply => 0,
            Self::From(_) => 1,
            Self::Unknown => 2,
            Self::Applies => 3,
        }
    }

    pub fn word(self) -> VerdictWord {
        match self {
            Self::Applies => VerdictWord::Yes,
            Self::DoesNotApply => VerdictWord::No,
            Self::From(_) => VerdictWord::From,
            Self::Unknown => VerdictWord::Unknown,
        }
    }
}

vocabulary! {
    /// Whether a requirement applies according to the profile.
    VerdictWord {
        Yes = "yes" ("Applies", "Gilt"),
        No = "no" ("Does not apply", "Gilt nicht"),
        From = "from" ("Applies from a later day", "Gilt ab einem späteren Tag"),
        Unknown = "unknown" ("Not decided by the profile", "Vom Profil nicht entschieden"),
    }
}

/// Whether a requirement applies, with the reason in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub outcome: Outcome,
    pub reason: AppliesReason,
}

impl Verdict {
    /// An unknown outcome applies until the profile excludes it. What applies from a later day does not apply yet.
    pub fn applies(&self) -> bool {
        matches!(self.outcome, Outcome::Applies | Outcome::Unknown)
    }

    /// The day from which it will apply.
    pub fn applies_from(&self) -> Option<Day> {
        match self.outcome {
            Outcome::From(day) => Some(day),
            _ => None,
        }
    }

    pub(super) fn yes(reason: AppliesReason) -> Self {
        Self { outcome: Outcome::Applies, reason }
    }

    pub(super) fn no(reason: AppliesReason) -> Self {
        Self { outcome: Outcome::DoesNotApply, reason }
    }

    fn unknown(reason: AppliesReason) -> Self {
        Self { outcome: Outcome::Unknown, reason }
    }
}

/// Whether a requirement of this framework applies to an institution with these facts on this day.
#[must_use]
pub fn verdict(
    framework: Option<&Framework>,
    requirement: &Requirement,
    facts: &Facts,
    today: Day,
) -> Verdict {
    let applies = &requirement.applicability;
    let mut found = vec![binding(applies, facts), by_day(framework, requirement, today)];
    if requirement.framework == FrameworkId::DORA && applies.addressee != Addressee::Provider {
        found.push(under_dora(facts));
        found.push(by_national_law(requirement, facts, today));
    }
    found.extend(framework.into_iter().flat_map(|framework| of_framework(framework, applies, facts)));
    found.extend(limits(applies, facts));
    let found: Vec<_> = found.into_iter().flatten().collect();
    let decided = found.iter().min_by_key(|verdict| verdict.outcome.rank());
    match decided {
        // Of several limits that are met, the requirement's own is the most specific: it comes last.
        Some(verdict) if verdict.outcome == Outcome::Applies => {
            found.last().cloned().unwrap_or_else(|| verdict.clone())
        }
        Some(verdict) => verdict.clone(),
        None => Verdict::yes(AppliesReason::Everyone),
    }
}

/// The kinds of entities that a framework names are those whose own duties it sets. A duty of providers binds others.
fn of_framework(framework: &Framework, applies: &Applicability, facts: &Facts) -> Vec<Option<Verdict>> {
    if applies.addressee != Addressee::Provider {
        return limits(&framework.scope, facts);
    }
    limits(&Applicability { entities: Vec::new(), ..framework.scope.clone() }, facts)
}

/// A day of the requirement itself takes the place of its framework's.
pub(super) fn by_day(
    framework: Option<&Framework>,
    requirement: &Requirement,
    today: Day,
) -> Option<Verdict> {
    let validity = &requirement.validity;
    if let Some(day) = validity.until.filter(|day| *day < today) {
        return Some(Verdict::no(AppliesReason::NoLonger { day }));
    }
    let scope = framework.and_then(|framework| framework.scope.applies_from);
    let applies = requirement.applicability.applies_from.or(scope);
    let day = applies.max(validity.from).filter(|day| *day > today)?;
    Some(Verdict { outcome: Outcome::From(day), reason: AppliesReason::FromDay { day } })
}

/// Whether it is a duty, and of whom.
fn binding(applies: &Applicability, facts: &Facts) -> Option<Verdict> {
    use EntityKind::{IctProvider, IntraGroupIctProvider};
    match (applies.force, applies.addressee) {
        (Force::Definition, _) => Some(Verdict::no(AppliesReason::NoDuty)),
        (_, Addressee::Authority) => Some(Verdict::no(AppliesReason::OfAuthority)),
        (Force::May, _) => Some(Verdict::no(AppliesReason::OnlyAnOption)),
        (Force::Voluntary, Addressee::Entity) => Some(Verdict::yes(AppliesReason::Voluntary)),
        (Force::Selected, Addressee::Entity) => Some(Verdict::yes(AppliesReason::Selected)),
        (Force::Shall, Addressee::Entity) => None,
        (Force::Shall | Force::Voluntary | Force::Selected, Addressee::Provider) => Some(match facts.kind {
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

/// Sections on incident reporting, which other German institutions have met since DORA applies.
const REPORTING: [&str; 4] = ["dora-chapter-iii", "dora-rts-1772", "dora-rts-301", "dora-its-302"];

/// Level 2 of DORA Art. 28 to 30.
const THIRD_PARTIES: [&str; 3] = ["dora-rts-1773", "dora-rts-532", "dora-its-2956"];

fn is_on_third_parties(requirement: &Requirement) -> bool {
    let article = requirement.id.strip_prefix("dora-art-").and_then(|rest| rest.get(..2));
    matches!(article, Some("28" | "29" | "30")) || THIRD_PARTIES.contains(&&*requirement.section)
}

/// DORA does not name the other institutions of Germany. Section 1a(2a) KWG puts them under it with the simplified
/// framework from 2027 on, reporting aside (section 65a(3) KWG), and spares microenterprises Art. 28 to 30 (No. 3).
fn by_national_law(requirement: &Requirement, facts: &Facts, today: Day) -> Option<Verdict> {
    let is_meant = facts.kind == Some(EntityKind::OtherFinancialEntity)
        && facts.regime == Some(DoraRegime::Simplified)
        && facts.country.is_some_and(|country| country.to_string() == "DE");
    if !is_meant || REPORTING.contains(&&*requirement.section) {
        return None;
    }
    if is_on_third_parties(requirement) && facts.is_micro() == Some(true) {
        return Some(Verdict::no(AppliesReason::MicroExempt));
    }
    let day: Day = "2027-01-01".parse().ok().filter(|day| *day > today)?;
    Some(Verdict { outcome: Outcome::From(day), reason: AppliesReason::FromDay { day } })
}

/// The verdict of every limit for these facts.
pub(super) fn limits(applies: &Applicability, facts: &Facts) -> Vec<Option<Verdict>> {
    let mut found = vec![
        by_country(&applies.countries, facts),
        by_kind(applies, facts),
        by_role(applies, facts),
        by_regime(applies.regime, facts),
        by_significance(applies.significance, facts),
    ];
    found.extend(applies.sizes.iter().map(|relief| by_size(*relief, facts)));
    found.extend(applies.limits.iter().map(|limit| by_fact(*limit, facts)));
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
    if facts.trading_venue_operator == Some(true) && applies.entities.contains(&EntityKind::TradingVenue) {
        let kind = EntityKind::TradingVenue.label();
        return Some(Verdict::yes(AppliesReason::ForKind { kind }));
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

/// What NIS2 covers whatever its size (Art. 2(2)(a) and (3); BSIG § 28(1)).
const WHATEVER_SIZE: [OperatorRole; 4] = [
    OperatorRole::TrustServiceProvider,
    OperatorRole::DnsServiceProvider,
    OperatorRole::TldNameRegistry,
    OperatorRole::CriticalPlantOperator,
];

/// The very small institutions of MaRisk AT 1 are no fact of the profile, so their reliefs exclude nothing.
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
        SizeRelief::SmallExempt if facts.scope.small_non_complex == Some(true) => {
            Some(Verdict::no(AppliesReason::SmallExempt))
        }
        SizeRelief::SmallRelief | SizeRelief::SmallExempt if facts.scope.small_non_complex == Some(false) => {
            None
        }
        SizeRelief::SmallRelief
        | SizeRelief::VerySmallRelief
        | SizeRelief::SmallExempt
        | SizeRelief::VerySmallExempt => {
            Some(Verdict::yes(AppliesReason::ReliefPossible { relief: relief.label() }))
        }
    }
}

/// What a single fact of the institution decides.
fn by_fact(limit: FactLimit, facts: &Facts) -> Option<Verdict> {
    let scope = &facts.scope;
    let decided = |fact: Option<bool>, no: AppliesReason, unknown: AppliesReason| match fact {
        None => Some(Verdict::unknown(unknown)),
        Some(false) => Some(Verdict::no(no)),
        Some(true) => None,
    };
    match limit {
        FactLimit::Tlpt => {
            decided(scope.tlpt_identified, AppliesReason::NotForTlpt, AppliesReason::TlptUnknown)
                .or(Some(Verdict::yes(AppliesReason::ForTlpt)))
        }
        FactLimit::OnlyCif => Some(match facts.critical_functions {
            Some(false) => Verdict::no(AppliesReason::NoneCritical),
            Some(true) | None => Verdict::yes(AppliesReason::ForCritical),
        }),
        // The limit speaks of investment firms alone.
        FactLimit::LargeFirm if facts.kind != Some(EntityKind::InvestmentFirm) => None,
        FactLimit::LargeFirm => {
            decided(scope.large_investment_firm, AppliesReason::NotLarge, AppliesReason::LargeUnknown)
        }
        FactLimit::Npl => decided(
            scope.npl_from_5_percent,
            AppliesReason::FewNonPerforming,
            AppliesReason::NonPerformingUnknown,
        ),
        FactLimit::RealEstate => decided(
            scope.real_estate_thresholds,
            AppliesReason::LittleRealEstate,
            AppliesReason::RealEstateUnknown,
        ),
    }
}
