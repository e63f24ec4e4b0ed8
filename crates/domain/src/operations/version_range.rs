//! Ranges of versions in security advisories.
//!
//! They have the syntax of Cargo's requirements but a different order: Cargo excludes pre-releases from most ranges,
//! while an advisory must cover each. In doubt a version is outside, because the ranges name safe versions:
//! `>= 1.2.0` begins after the pre-releases of 1.2.0 unless it names one, and `< 1.2.0` ends before them.

use semver::{Comparator, Op, Prerelease, Version, VersionReq};

/// One range of versions that are safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRange(VersionReq);

impl VersionRange {
    pub fn parse(text: &str) -> Result<Self, semver::Error> {
        text.parse().map(Self)
    }

    pub fn contains(&self, version: &Version) -> bool {
        self.0.comparators.iter().all(|comparator| {
            let bounds = Bounds::of(comparator);
            let above = bounds.from.is_none_or(|from| version.cmp_precedence(&from).is_ge());
            let below = bounds.before.is_none_or(|before| version.cmp_precedence(&before).is_lt());
            above && below
        })
    }

    /// The first version of the range, when it has one.
    pub fn first(&self) -> Option<Version> {
        self.0.comparators.iter().filter_map(|comparator| Bounds::of(comparator).from).max()
    }
}

impl<'de> serde::Deserialize<'de> for VersionRange {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Every comparator as a lower and an upper bound.
struct Bounds {
    from: Option<Version>,
    before: Option<Version>,
}

impl Bounds {
    fn of(comparator: &Comparator) -> Self {
        let from = first_of(comparator);
        let (from, before) = match comparator.op {
            Op::GreaterEq => (Some(from), None),
            Op::Greater => (Some(after(comparator)), None),
            Op::Less => (None, Some(before_all_of(from))),
            Op::LessEq => (None, Some(after(comparator))),
            Op::Exact | Op::Wildcard => (Some(from), Some(after(comparator))),
            Op::Tilde => (Some(from), Some(next(comparator.major, comparator.minor))),
            Op::Caret => (Some(from), Some(after_compatible(comparator))),
            // The crate may add operators; an unknown one makes no version safe.
            _ => (Some(Version::new(u64::MAX, 0, 0)), Some(Version::new(0, 0, 0))),
        };
        Self { from, before }
    }
}

fn first_of(comparator: &Comparator) -> Version {
    let mut version =
        Version::new(comparator.major, comparator.minor.unwrap_or(0), comparator.patch.unwrap_or(0));
    version.pre = comparator.pre.clone();
    version
}

/// The end of a range before `version`: without a pre-release of its own it excludes all of them.
fn before_all_of(mut version: Version) -> Version {
    if version.pre.is_empty() {
        version.pre = lowest_prerelease();
    }
    version
}

/// The lowest possible pre-release.
fn lowest_prerelease() -> Prerelease {
    Prerelease::new("0").unwrap_or(Prerelease::EMPTY)
}

/// The first version after everything that a comparator like `1`, `1.2`, `1.2.3` or `1.2.3-rc.1` matches.
fn after(comparator: &Comparator) -> Version {
    match (comparator.minor, comparator.patch) {
        (Some(minor), Some(patch)) if comparator.pre.is_empty() => {
            before_all_of(Version::new(comparator.major, minor, patch.saturating_add(1)))
        }
        (Some(_), Some(_)) => {
            let mut version = first_of(comparator);
            // No version is between `rc.1` and `rc.1.0`.
            version.pre = Prerelease::new(&format!("{}.0", comparator.pre)).unwrap_or(Prerelease::EMPTY);
            version
        }
        (minor, _) => next(comparator.major, minor),
    }
}

fn next(major: u64, minor: Option<u64>) -> Version {
    before_all_of(match minor {
        Some(minor) => Version::new(major, minor.saturating_add(1), 0),
        None => Version::new(major.saturating_add(1), 0, 0),
    })
}

/// After the last version that Cargo calls compatible: the leftmost number that is not zero is increased.
fn after_compatible(comparator: &Comparator) -> Version {
    match (comparator.major, comparator.minor, comparator.patch) {
        (0, Some(0), Some(patch)) => before_all_of(Version::new(0, 0, patch.saturating_add(1))),
        (0, Some(minor), _) => next(0, Some(minor)),
        (major, _, _) => next(major, None),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn holds(range: &str, version: &str) -> bool {
        VersionRange::parse(range).unwrap().contains(&version.parse().unwrap())
    }

    #[test]
    fn pre_releases_are_not_safe_by_accident() {
        assert!(!holds(">= 1.2.0", "1.2.0-rc.1"));
        assert!(holds(">= 1.2.0", "1.3.0-rc.1"), "later than the fix");
        assert!(holds(">= 1.2.0-rc.2", "1.2.0-rc.2") && !holds(">= 1.2.0-rc.2", "1.2.0-rc.1"));
        assert!(!holds("< 1.2.0", "1.2.0-rc.1"), "may already hold what 1.2.0 brought in");
        assert!(holds("< 1.2.0", "1.1.9-rc.1"));
        assert!(!holds("^1.2", "2.0.0-alpha") && holds("^1.2", "1.9.0-alpha"));
        assert!(holds("<= 1.0.0-rc.1", "1.0.0-rc.1") && !holds("<= 1.0.0-rc.1", "1.0.0-rc.2"));
        assert!(!holds("> 1.0.0-rc.1", "1.0.0-rc.1") && holds("> 1.0.0-rc.1", "1.0.0"));
        assert!(holds("= 1.0.0-rc.1", "1.0.0-rc.1") && !holds("= 1.0.0-rc.1", "1.0.0"));
    }

    #[test]
    fn build_metadata_does_not_count() {
        assert!(holds(">= 1.2.0", "1.2.0+spec-1.1.0") && holds("= 1.2.0", "1.2.0+x"));
        assert!(!holds("> 1.2.0", "1.2.0+x"));
    }

    #[test]
    fn knows_its_first_version() {
        let first = |range: &str| VersionRange::parse(range).unwrap().first().map(|v| v.to_string());
        assert_eq!(first(">= 1.2, < 2"), Some("1.2.0".into()));
        assert_eq!(first("^0.3.1"), Some("0.3.1".into()));
        assert_eq!(first("< 2"), None);
        assert_eq!(first("*"), None);
    }

    fn ranges() -> impl Strategy<Value = String> {
        let op = prop::sample::select(vec!["", "^", "~", "=", ">", ">=", "<", "<="]);
        let number = prop_oneof!["[0-3]", "[0-3]\\.[0-3]", "[0-3]\\.[0-3]\\.[0-3]"];
        prop::collection::vec((op, number), 1..3).prop_map(|parts| {
            parts.into_iter().map(|(op, n)| format!("{op} {n}")).collect::<Vec<_>>().join(", ")
        })
    }

    proptest! {
        /// For releases the result is the same as Cargo's.
        #[test]
        fn agrees_with_cargo_on_releases(range in ranges(), major in 0_u64..5, minor in 0_u64..5, patch in 0_u64..5) {
            let version = Version::new(major, minor, patch);
            let cargo: VersionReq = range.parse().unwrap();
            let ours = VersionRange::parse(&range).unwrap();
            prop_assert_eq!(ours.contains(&version), cargo.matches(&version), "{} in {}", version, range);
        }
    }
}
