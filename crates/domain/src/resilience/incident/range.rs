//! A number of which only bounds may be known: exact, at least, at most, or unknown.
//!
//! Most facts of an incident arrive late and one by one. Comparing bounds instead of numbers lets a threshold be
//! decided as soon as what is known suffices: three of eight kinds of costs may already be more than the limit.

use super::met::Met;

/// The known bounds of a non-negative number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub least: u64,
    /// `None` when nothing bounds it from above.
    pub most: Option<u64>,
}

impl Range {
    pub const UNKNOWN: Self = Self { least: 0, most: None };

    #[must_use]
    pub fn exactly(value: u64) -> Self {
        Self { least: value, most: Some(value) }
    }

    #[must_use]
    pub fn at_least(value: u64) -> Self {
        Self { least: value, most: None }
    }

    pub fn exact(self) -> Option<u64> {
        self.most.filter(|most| *most == self.least)
    }

    /// Nothing is known at all.
    pub fn is_unknown(self) -> bool {
        self == Self::UNKNOWN
    }

    /// The sum of two amounts.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(a, b)| a.saturating_add(b));
        Self { least: self.least.saturating_add(other.least), most }
    }

    /// The size of the union of two groups that may overlap.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), ..self.plus(other) }
    }

    /// One number that was given twice: the union of both ranges.
    #[must_use]
    pub fn either(self, other: Self) -> Self {
        let most = self.most.zip(other.most).map(|(a, b)| a.max(b));
        Self { least: self.least.min(other.least), most }
    }

    /// A part and its whole, each bounded by the other.
    #[must_use]
    pub fn within(part: Self, whole: Self) -> (Self, Self) {
        let most = match (part.most, whole.most) {
            (Some(part), Some(whole)) => Some(part.min(whole)),
            (part, whole) => part.or(whole),
        };
        (Self { most, ..part }, Self { least: whole.least.max(part.least), ..whole })
    }

    /// Strictly more than `limit`.
    pub fn more_than(self, limit: u64) -> Met {
        match self.most {
            _ if self.least > limit => Met::Yes,
            Some(most) if most <= limit => Met::No,
            _ => Met::Unknown,
        }
    }

    /// `limit` or more.
    pub fn at_least_met(self, limit: u64) -> Met {
        limit.checked_sub(1).map_or(Met::Yes, |below| self.more_than(below))
    }

    /// Strictly more than `per_mille` of a thousand parts of `whole`.
    pub fn more_than_share(self, per_mille: u64, whole: Self) -> Met {
        let scaled = |part: u64| u128::from(part) * 1000;
        let share = |whole: u64| u128::from(whole) * u128::from(per_mille);
        if whole.most.is_some_and(|whole| scaled(self.least) > share(whole)) {
            Met::Yes
        } else if self.most.is_some_and(|most| scaled(most) <= share(whole.least)) {
            Met::No
        } else {
            Met::Unknown
        }
    }
}

impl From<Option<u64>> for Range {
    fn from(known: Option<u64>) -> Self {
        known.map_or(Self::UNKNOWN, Self::exactly)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn settled(outcomes: impl IntoIterator<Item = bool>) -> Met {
        let mut seen = [false, false];
        for outcome in outcomes {
            seen[usize::from(outcome)] = true;
        }
        match seen {
            [false, true] => Met::Yes,
            [true, false] => Met::No,
            _ => Met::Unknown,
        }
    }

    prop_compose! {
        fn bounded()(least in 0_u64..40, more in 0_u64..20) -> Range {
            Range { least, most: Some(least + more) }
        }
    }

    fn values(range: Range) -> std::ops::RangeInclusive<u64> {
        range.least..=range.most.unwrap()
    }

    proptest! {
        #[test]
        fn comparisons_are_what_trying_every_value_gives(part in bounded(), whole in bounded(), limit in 0_u64..60) {
            prop_assert_eq!(part.more_than(limit), settled(values(part).map(|x| x > limit)));
            prop_assert_eq!(part.at_least_met(limit), settled(values(part).map(|x| x >= limit)));
            let pairs = values(part).flat_map(|p| values(whole).map(move |w| p * 10 > w * 3));
            prop_assert_eq!(part.more_than_share(300, whole), settled(pairs));
        }

        #[test]
        fn sums_hold_every_sum(a in bounded(), b in bounded()) {
            for (x, y) in values(a).flat_map(|x| values(b).map(move |y| (x, y))) {
                prop_assert!(values(a.plus(b)).contains(&(x + y)));
                prop_assert!(values(a.merged(b)).contains(&x.max(y)) && values(a.merged(b)).contains(&(x + y)));
            }
        }

        #[test]
        fn a_part_is_never_more_than_its_whole(part in bounded(), whole in bounded()) {
            prop_assume!(part.least <= whole.most.unwrap());
            let (narrow_part, narrow_whole) = Range::within(part, whole);
            for (p, w) in values(part).flat_map(|p| values(whole).map(move |w| (p, w))).filter(|(p, w)| p <= w) {
                prop_assert!(values(narrow_part).contains(&p) && values(narrow_whole).contains(&w));
            }
        }
    }

    #[test]
    fn nothing_known_decides_nothing_and_a_zero_decides_a_share() {
        assert_eq!(Range::UNKNOWN.more_than(5), Met::Unknown);
        assert_eq!(Range::at_least(6).more_than(5), Met::Yes);
        assert_eq!(Range::exactly(0).more_than_share(100, Range::UNKNOWN), Met::No);
        assert_eq!(Range::exactly(u64::MAX).more_than_share(999, Range::exactly(u64::MAX)), Met::Yes);
    }
}
