//! A tenant's limits of concentration risk.

use crate::wording::sentence;

/// A whole percentage from 1 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u8);

/// The interval of reviews of the analysis, in days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReviewDays(u16);

sentence! {
    /// The number is outside the allowed range.
    #[derive(Copy)]
    OutOfRange { min: i64, max: i64 } =
        "must be a whole number from {min} to {max}",
        "muss eine ganze Zahl von {min} bis {max} sein";
}

impl Percent {
    pub const MIN: i64 = 1;
    pub const MAX: i64 = 100;

    pub fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<i64> for Percent {
    type Error = OutOfRange;

    fn try_from(value: i64) -> Result<Self, OutOfRange> {
        ranged(value, Self::MIN, Self::MAX).map(Self)
    }
}

impl ReviewDays {
    pub const MIN: i64 = 30;
    pub const MAX: i64 = 730;

    pub fn get(self) -> u16 {
        self.0
    }
}

impl TryFrom<i64> for ReviewDays {
    type Error = OutOfRange;

    fn try_from(value: i64) -> Result<Self, OutOfRange> {
        ranged(value, Self::MIN, Self::MAX).map(Self)
    }
}

fn ranged<T: TryFrom<i64>>(value: i64, min: i64, max: i64) -> Result<T, OutOfRange> {
    let out_of_range = OutOfRange { min, max };
    if (min..=max).contains(&value) {
        T::try_from(value).map_err(|_| out_of_range)
    } else {
        Err(out_of_range)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    pub provider: Percent,
    pub sector: Percent,
    pub regional: Percent,
    pub technology: Percent,
    pub review_frequency: ReviewDays,
    pub enabled: bool,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            provider: Percent(25),
            sector: Percent(40),
            regional: Percent(50),
            technology: Percent(33),
            review_frequency: ReviewDays(365),
            enabled: true,
        }
    }
}

/// A change of some of the thresholds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ThresholdsPatch {
    pub provider: Option<Percent>,
    pub sector: Option<Percent>,
    pub regional: Option<Percent>,
    pub technology: Option<Percent>,
    pub review_frequency: Option<ReviewDays>,
    pub enabled: Option<bool>,
}

impl Thresholds {
    #[must_use]
    pub fn patched(self, patch: ThresholdsPatch) -> Self {
        Self {
            provider: patch.provider.unwrap_or(self.provider),
            sector: patch.sector.unwrap_or(self.sector),
            regional: patch.regional.unwrap_or(self.regional),
            technology: patch.technology.unwrap_or(self.technology),
            review_frequency: patch.review_frequency.unwrap_or(self.review_frequency),
            enabled: patch.enabled.unwrap_or(self.enabled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive() {
        for good in [1, 100] {
            assert!(Percent::try_from(good).is_ok());
        }
        for bad in [i64::MIN, -1, 0, 101, 257, i64::MAX] {
            assert_eq!(Percent::try_from(bad), Err(OutOfRange { min: 1, max: 100 }));
        }
        assert!(ReviewDays::try_from(30).is_ok() && ReviewDays::try_from(730).is_ok());
        assert!(ReviewDays::try_from(29).is_err() && ReviewDays::try_from(731).is_err());
    }

    #[test]
    fn an_empty_patch_changes_nothing() {
        assert_eq!(Thresholds::default().patched(ThresholdsPatch::default()), Thresholds::default());
    }
}
