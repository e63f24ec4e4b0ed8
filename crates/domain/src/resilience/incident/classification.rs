//! Classifies one event under every regime that applies.

use crate::moment::Moment;

use super::{
    dora::{Assessment, Measures, assess},
    facts::{Facts, Times},
    met::Met,
    nis2,
    other_regimes::{PersonalDataBreach, ProductEvent, personal_data_breach, product_event},
    reason::Reason,
    words::{Outcome, Regime},
};

/// The classification of an event, regime by regime. A regime that does not apply has no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classification {
    pub dora: Option<Assessment>,
    pub nis2: Option<(Met, Vec<Reason>)>,
    pub gdpr: Option<PersonalDataBreach>,
    pub cra: Option<ProductEvent>,
}

impl Classification {
    #[must_use]
    pub fn of(facts: &Facts, times: &Times, regimes: &[Regime], now: Moment) -> Self {
        let applies = |regime| regimes.contains(&regime);
        Self {
            dora: applies(Regime::Dora).then(|| assess(&Measures::of(facts, times, now))),
            nis2: applies(Regime::Nis2).then(|| nis2::assess(facts)),
            gdpr: applies(Regime::Gdpr).then(|| personal_data_breach(facts.gdpr)),
            cra: applies(Regime::Cra).then(|| product_event(&facts.cra)),
        }
    }

    /// Whether a regime requires a report. One that does not apply requires none.
    pub fn notifiable(&self, regime: Regime) -> Met {
        match regime {
            Regime::Dora => self.dora.as_ref().map_or(Met::No, |dora| match dora.outcome {
                Outcome::Major => Met::Yes,
                Outcome::Undetermined => Met::Unknown,
                Outcome::NotMajor | Outcome::Significant => Met::No,
            }),
            Regime::Nis2 => self.nis2.as_ref().map_or(Met::No, |(met, _)| *met),
            Regime::Gdpr => self.gdpr.as_ref().map_or(Met::No, |gdpr| gdpr.notification),
            Regime::Cra => self.cra.as_ref().map_or(Met::No, ProductEvent::notifiable),
        }
    }

    /// One result for the whole: major by DORA, else significant by another regime, else open, else neither.
    pub fn outcome(&self) -> Outcome {
        let others =
            Met::any([Regime::Nis2, Regime::Gdpr, Regime::Cra].map(|regime| self.notifiable(regime)));
        match (self.notifiable(Regime::Dora), others) {
            (Met::Yes, _) => Outcome::Major,
            (_, Met::Yes) => Outcome::Significant,
            (Met::Unknown, _) | (_, Met::Unknown) => Outcome::Undetermined,
            (Met::No, Met::No) => Outcome::NotMajor,
        }
    }

    /// Every reason, with the regime it belongs to.
    pub fn reasons(&self) -> Vec<(Regime, &Reason)> {
        let lists = [
            (Regime::Dora, self.dora.as_ref().map(|dora| &dora.reasons)),
            (Regime::Nis2, self.nis2.as_ref().map(|(_, reasons)| reasons)),
            (Regime::Gdpr, self.gdpr.as_ref().map(|gdpr| &gdpr.reasons)),
            (Regime::Cra, self.cra.as_ref().map(|cra| &cra.reasons)),
        ];
        let mut all = Vec::new();
        for (regime, reasons) in lists {
            all.extend(reasons.into_iter().flatten().map(|reason| (regime, reason)));
        }
        all
    }
}

#[cfg(test)]
#[path = "classification_tests/mod.rs"]
mod tests;
