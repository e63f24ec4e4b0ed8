//! Whether the authority that stamps audit bundles gives time stamps.

use domain::moment::Moment;
use outbound::time_stamp::TimeStampAuthority;
use tokio::runtime::Builder;

use super::Finding;
use crate::{compose, config::Settings};

const CHECK: &str = "bundles.time_stamp_authority";
/// By more than this no clock that is set differs.
const APART_MS: i64 = 5 * 60 * 1000;

pub(super) fn check(settings: &Settings, now: Moment) -> Option<Finding> {
    let remedy = "correct bundles.time_stamp_authority or ask the authority; until then bundles are made without a time \
                  stamp";
    let authority = match compose::stamps(settings) {
        Ok(authority) => authority?,
        Err(error) => return Some(Finding::fault(CHECK, error.to_string(), remedy)),
    };
    let host = authority.host();
    Some(match ask(&authority, now) {
        Ok(at) if (at.millis() - now.millis()).abs() > APART_MS => {
            let remedy = "set the clock of this machine (NTP)";
            Finding::warning(CHECK, format!("{host} says that it is {at}"), remedy)
        }
        Ok(_) => Finding::ok(CHECK, format!("{host} gives time stamps")),
        Err(problem) => Finding::fault(CHECK, format!("{host}: {problem}"), remedy),
    })
}

fn ask(authority: &TimeStampAuthority, now: Moment) -> Result<Moment, String> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let nonce = u64::try_from(now.millis()).unwrap_or_default();
    let stamp = runtime.block_on(authority.stamp(&[0; 32], nonce));
    stamp.map(|stamp| stamp.at).map_err(|error| error.to_string())
}
