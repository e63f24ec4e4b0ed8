//! Sessions, and what new institutions require of their people.

use std::time::Duration;

use app::sign_in_rules::SignInRules;

use super::{ConfigError, Reader};

const FACTOR_REMEDY: &str = "write \"nobody\", \"administrators\" or \"everybody\"";

pub(super) fn rules(reader: &Reader<'_>) -> Result<SignInRules, ConfigError> {
    let idle = reader.duration("sign_in.session_idle", Duration::from_mins(1)..=Duration::from_hours(24))?;
    let absolute =
        reader.duration("sign_in.session_life", Duration::from_hours(1)..=Duration::from_hours(7 * 24))?;
    if absolute < idle {
        let remedy = "make it at least as long as sign_in.session_idle";
        return Err(reader.bad("sign_in.session_life", "is shorter than sign_in.session_idle", remedy));
    }
    let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
    Ok(SignInRules {
        idle_seconds: seconds(idle),
        absolute_seconds: seconds(absolute),
        sessions_per_person: reader.number("sign_in.sessions_per_person", 0..=1_000)?,
        second_factor: reader
            .parsed("sign_in.second_factor_of_new_institutions", FACTOR_REMEDY, |text| text.parse().ok())?,
    })
}
