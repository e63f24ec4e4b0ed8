//! Whether a condition is met if not every fact is known.
//!
//! Three-valued logic with the usual tables: an unknown part makes the whole unknown only if it could change the
//! result.

use crate::vocabulary::vocabulary;

vocabulary! {
    /// Whether a threshold is met.
    Met {
        Yes = "true" ("Met", "Erfüllt"),
        No = "false" ("Not met", "Nicht erfüllt"),
        Unknown = "unknown" ("Unknown", "Unbekannt"),
    }
}

impl Met {
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Unknown,
        }
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "reads like `and` and `or` beside it")]
    pub fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Whether any of these is met.
    #[must_use]
    pub fn any(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::No, Self::or)
    }

    /// Whether at least `wanted` of these are met.
    #[must_use]
    pub fn at_least(wanted: usize, all: &[Self]) -> Self {
        let met = all.iter().filter(|met| **met == Self::Yes).count();
        let open = all.iter().filter(|met| **met == Self::Unknown).count();
        match (met >= wanted, met + open >= wanted) {
            (true, _) => Self::Yes,
            (false, false) => Self::No,
            (false, true) => Self::Unknown,
        }
    }

    pub fn is_yes(self) -> bool {
        self == Self::Yes
    }

    pub fn is_unknown(self) -> bool {
        self == Self::Unknown
    }

    /// `None` for unknown.
    pub fn known(self) -> Option<bool> {
        match self {
            Self::Yes => Some(true),
            Self::No => Some(false),
            Self::Unknown => None,
        }
    }
}

impl From<bool> for Met {
    fn from(met: bool) -> Self {
        if met { Self::Yes } else { Self::No }
    }
}

impl From<Option<bool>> for Met {
    fn from(known: Option<bool>) -> Self {
        known.map_or(Self::Unknown, Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The possible values.
    fn possible(met: Met) -> &'static [bool] {
        match met {
            Met::Yes => &[true],
            Met::No => &[false],
            Met::Unknown => &[false, true],
        }
    }

    fn settled(outcomes: &[bool]) -> Met {
        match (outcomes.contains(&true), outcomes.contains(&false)) {
            (true, false) => Met::Yes,
            (false, true) => Met::No,
            _ => Met::Unknown,
        }
    }

    #[test]
    fn the_tables_are_what_trying_every_possibility_gives() {
        for a in Met::ALL.iter().copied() {
            for b in Met::ALL.iter().copied() {
                let pairs: Vec<(bool, bool)> =
                    possible(a).iter().flat_map(|x| possible(b).iter().map(|y| (*x, *y))).collect();
                let both: Vec<bool> = pairs.iter().map(|(x, y)| *x && *y).collect();
                let either: Vec<bool> = pairs.iter().map(|(x, y)| *x || *y).collect();
                assert_eq!(a.and(b), settled(&both), "{a} and {b}");
                assert_eq!(a.or(b), settled(&either), "{a} or {b}");
                assert_eq!(Met::any([a, b]), a.or(b));
                assert_eq!(Met::at_least(2, &[a, b]), a.and(b));
                assert_eq!(Met::at_least(1, &[a, b]), a.or(b));
            }
        }
    }
}
