//! The severity of one breach and the level of the whole analysis.
//!
//! Both rules are our own; no regulation sets one. They are defined only here.

use std::sync::Arc;

use crate::{
    arrangement::ArrangementId,
    lei::Lei,
    threshold::Percent,
    tone::Tone,
    vocabulary::{Severity, vocabulary},
};

use super::{
    question::Dimension,
    share::{Hhi, Share},
};

impl Severity {
    /// By the used part of the range between the threshold and 100 %: up to a tenth low, up to a quarter medium, up
    /// to a half high, above that critical. One step worse if a critical function depends on it through an
    /// arrangement that is hard or impossible to replace.
    pub(super) fn of_breach(share: Share, threshold: Percent, locked_in: bool) -> Self {
        let room = u128::from(share.whole) * u128::from(100 - threshold.get());
        let above = share.above(threshold);
        let severity = if above * 10 <= room {
            Self::Low
        } else if above * 4 <= room {
            Self::Medium
        } else if above * 2 <= room {
            Self::High
        } else {
            Self::Critical
        };
        if locked_in { severity.worse() } else { severity }
    }

    fn worse(self) -> Self {
        match self {
            Self::Info => Self::Low,
            Self::Low => Self::Medium,
            Self::Medium => Self::High,
            Self::High | Self::Critical => Self::Critical,
        }
    }
}

/// A share above its threshold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    pub dimension: Dimension,
    pub name: Arc<str>,
    pub lei: Option<Lei>,
    pub share: Share,
    pub threshold: Percent,
    pub severity: Severity,
    /// The arrangements that make up the share.
    pub arrangements: Vec<ArrangementId>,
}

vocabulary! {
    /// The concentration of the whole portfolio, in ascending order of risk.
    Level {
        Low = "low" ("Low", "Niedrig"),
        Moderate = "moderate" ("Moderate", "Mäßig"),
        High = "high" ("High", "Hoch"),
        Critical = "critical" ("Critical", "Kritisch"),
    }
}

impl Level {
    pub fn tone(self) -> Tone {
        match self {
            Self::Low => Tone::Good,
            Self::Moderate => Tone::Notice,
            Self::High => Tone::Warning,
            Self::Critical => Tone::Critical,
        }
    }
}

impl Level {
    /// The worst breach decides: critical gives critical, high gives high, others moderate; breaches in two
    /// or more dimensions give at least high. Without a breach an index of providers above 2,000, where
    /// merger control begins to speak of high concentration, gives moderate, everything else low.
    pub(super) fn of(breaches: &[Breach], providers: Hhi) -> Self {
        // The worst severity sorts first.
        let worst = breaches.iter().map(|breach| breach.severity).min();
        let by_breach = match worst {
            None if providers.exceeds(1, 5) => Self::Moderate,
            None => Self::Low,
            Some(Severity::Info | Severity::Low | Severity::Medium) => Self::Moderate,
            Some(Severity::High) => Self::High,
            Some(Severity::Critical) => Self::Critical,
        };
        let several = breaches.windows(2).any(|pair| pair[0].dimension != pair[1].dimension);
        if several { by_breach.max(Self::High) } else { by_breach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(value: i64) -> Percent {
        Percent::try_from(value).unwrap()
    }

    #[test]
    fn severity_follows_the_room_that_is_used_up() {
        // Between 40 and 100 there are 60 points of room: a tenth ends at 46, a quarter at 55, a half at 70.
        let severity = |share| Severity::of_breach(Share::new(share, 1000), percent(40), false);
        assert_eq!([401, 460].map(severity), [Severity::Low; 2]);
        assert_eq!([461, 550].map(severity), [Severity::Medium; 2]);
        assert_eq!([551, 700].map(severity), [Severity::High; 2]);
        assert_eq!([701, 1000].map(severity), [Severity::Critical; 2]);
        assert_eq!(Severity::of_breach(Share::new(401, 1000), percent(40), true), Severity::Medium);
        assert_eq!(Severity::of_breach(Share::new(999, 1000), percent(99), false), Severity::Critical);
    }

    #[test]
    fn the_level_is_that_of_the_worst_breach() {
        let breach = |dimension, severity| Breach {
            dimension,
            name: "x".into(),
            lei: None,
            share: Share::new(1, 1),
            threshold: percent(25),
            severity,
            arrangements: Vec::new(),
        };
        let (spread, tight) = (Hhi::of([1; 10].into_iter(), 10), Hhi::of([1; 4].into_iter(), 4));
        assert_eq!(Level::of(&[], spread), Level::Low);
        assert_eq!(Level::of(&[], tight), Level::Moderate);
        let one = breach(Dimension::Provider, Severity::Medium);
        assert_eq!(Level::of(&[one.clone(), one.clone()], spread), Level::Moderate);
        assert_eq!(Level::of(&[one.clone(), breach(Dimension::Sector, Severity::Low)], spread), Level::High);
        assert_eq!(
            Level::of(&[one, breach(Dimension::Provider, Severity::Critical)], spread),
            Level::Critical
        );
    }
}
