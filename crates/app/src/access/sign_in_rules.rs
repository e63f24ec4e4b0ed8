//! The operator's rules for sessions and new institutions.

use domain::user::SecondFactorPolicy;

/// How long sessions last, how many a person may have, and whom new institutions ask for a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInRules {
    /// A session ends after this long without use.
    pub idle_seconds: i64,
    /// It ends this long after it began in any case.
    pub absolute_seconds: i64,
    /// How many sessions a person may have at once; the oldest ends for one more. 0: no limit.
    pub sessions_per_person: usize,
    /// For whom an institution requires a second factor from its creation on.
    pub second_factor: SecondFactorPolicy,
}

impl Default for SignInRules {
    fn default() -> Self {
        Self {
            idle_seconds: 30 * 60,
            absolute_seconds: 12 * 60 * 60,
            sessions_per_person: 20,
            second_factor: SecondFactorPolicy::Administrators,
        }
    }
}
