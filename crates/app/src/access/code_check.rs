//! Checks codes of a second factor and limits how many can be guessed.
//!
//! Wrong codes are counted in the store, so that neither another address nor another node resets the count: per
//! session, which ends after a few, and per account, whose codes are then refused for an hour. Only a caller with the
//! password reaches this point, so the owner is warned by mail, with a link that ends the wait. A browser in which
//! the owner presented a code before has a count of its own, so that guesses from elsewhere do not lock the owner
//! out.

use domain::{
    actor::Actor,
    id::{SessionId, UserId},
    moment::Moment,
};
use serde_json::json;
use store::{
    TenantScope, Tx, known_device, session as sessions,
    user::{self as users, Credentials, Failures, UserRow},
};

use crate::{Access, Error, Result, audit, second_factor::Presented, token::Token};

/// The number of wrong codes that ends a sign-in, or a session that must confirm its identity.
pub const PER_SESSION: i64 = 5;
/// The number of wrong codes after which all codes for the account are refused, and for how long.
pub const PER_ACCOUNT: i64 = 10;
pub const PAUSE_SECONDS: i64 = 60 * 60;
/// The number of wrong codes after which the owner is warned.
const WARNED_AT: i64 = 5;

/// The caller who presents a code.
#[derive(Debug, Clone)]
pub(crate) struct Presenter {
    pub(crate) scope: TenantScope,
    pub(crate) user: UserId,
    pub(crate) session: SessionId,
    /// The token of a browser in which a code was presented before.
    pub(crate) device: Option<Token>,
    pub(crate) address: String,
}

/// The result of checking a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checked {
    /// Right, and used up; with the method.
    Right(&'static str),
    Wrong,
    /// One wrong code too many: the session was ended.
    Ended,
    /// Not checked.
    Paused {
        seconds: u64,
    },
}

/// Which counter the wrong codes of this browser belong to.
enum Count {
    Account,
    Device(String),
}

impl Access {
    /// Checks a code and counts failures, in the caller's transaction.
    pub(crate) fn check_code(
        &self,
        tx: &mut Tx<'_>,
        presenter: &Presenter,
        code: &Presented,
        now: Moment,
    ) -> Result<Checked> {
        let (scope, id) = (&presenter.scope, presenter.user);
        let (user, credentials) = users::get(tx, scope, id)?.ok_or(Error::NotFound)?;
        let (count, before) = counted(tx, presenter, &credentials)?;
        if let Some(seconds) = pause(before, now) {
            return Ok(Checked::Paused { seconds });
        }
        if let Some(means) = self.spend(tx, scope, id, &credentials, code, now)? {
            keep(tx, presenter, &count, Failures::default())?;
            return Ok(Checked::Right(means));
        }
        let failures = one_more(before, now);
        keep(tx, presenter, &count, failures)?;
        let ended = count_on_session(tx, presenter)?;
        let detail = json!({ "address": presenter.address, "failures": failures.count, "ended": ended });
        audit::record(tx, Actor::System, now, "user.code_refused", id, &detail)?;
        if failures.count == WARNED_AT {
            self.warn_of_codes(tx, &user, now)?;
        }
        Ok(if ended { Checked::Ended } else { Checked::Wrong })
    }

    /// Uses up the presented code; `None` if it is wrong.
    fn spend(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        user: UserId,
        credentials: &Credentials,
        code: &Presented,
        now: Moment,
    ) -> Result<Option<&'static str>> {
        match code {
            Presented::Code(code) => {
                let Some(sealed) = &credentials.totp_secret else { return Ok(None) };
                let secret = self.open_totp(user, sealed)?;
                match secret.step_of(code, credentials.totp_step, now) {
                    Some(step) if users::spend_step(tx, scope, user, step)? => Ok(Some("code")),
                    _ => Ok(None),
                }
            }
            Presented::Recovery(digest) => {
                Ok(users::spend_code(tx, scope, user, digest)?.then_some("recovery_code"))
            }
        }
    }

    fn warn_of_codes(&self, tx: &mut Tx<'_>, user: &UserRow, now: Moment) -> Result<()> {
        if self.sends_mail() { self.messages.write_code_warning(tx, user, now) } else { Ok(()) }
    }
}

fn counted(tx: &mut Tx<'_>, presenter: &Presenter, credentials: &Credentials) -> Result<(Count, Failures)> {
    if let Some(device) = &presenter.device {
        let digest = device.digest();
        let known = known_device::failures(tx, &presenter.scope, presenter.user, &digest)?;
        if let Some(failures) = known {
            return Ok((Count::Device(digest), failures));
        }
    }
    Ok((Count::Account, credentials.code_failures))
}

fn keep(tx: &mut Tx<'_>, presenter: &Presenter, count: &Count, failures: Failures) -> Result<()> {
    let (scope, user) = (&presenter.scope, presenter.user);
    match count {
        Count::Account => users::set_code_failures(tx, scope, user, failures)?,
        Count::Device(digest) => known_device::set_failures(tx, scope, user, digest, failures)?,
    }
    Ok(())
}

/// Counts a failure on the session, and ends the session after the last allowed one.
fn count_on_session(tx: &mut Tx<'_>, presenter: &Presenter) -> Result<bool> {
    let id = presenter.session;
    let failures = sessions::failures(tx, &presenter.scope, presenter.user, id)?.unwrap_or_default() + 1;
    if failures < PER_SESSION {
        sessions::set_failures(tx, id, failures)?;
        return Ok(false);
    }
    sessions::delete(tx, id)?;
    Ok(true)
}

fn is_recent(failures: Failures, now: Moment) -> bool {
    failures.last.is_some_and(|last| last.seconds_until(now) < PAUSE_SECONDS)
}

/// How long codes are still refused, if they are.
fn pause(failures: Failures, now: Moment) -> Option<u64> {
    let last = failures.last.filter(|_| failures.count >= PER_ACCOUNT && is_recent(failures, now))?;
    u64::try_from(PAUSE_SECONDS - last.seconds_until(now)).ok()
}

/// The count is reset after an hour without wrong codes, so that no hour has more than ten.
fn one_more(before: Failures, now: Moment) -> Failures {
    let count = if is_recent(before, now) { before.count + 1 } else { 1 };
    Failures { count, last: Some(now) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hour_has_more_than_ten_wrong_codes() {
        // At any pace, from one a second to one in ninety minutes.
        for step_seconds in [1, 59, 360, 500, 3_599, 3_600, 5_400] {
            let (mut failures, mut counted) = (Failures::default(), Vec::new());
            for try_number in 0..2_000 {
                let now = Moment::from_millis(1_794_664_800_000 + try_number * step_seconds * 1000);
                if pause(failures, now).is_none() {
                    failures = one_more(failures, now);
                    counted.push(now);
                }
            }
            for (index, first) in counted.iter().enumerate() {
                let hour = counted[index..].iter().take_while(|at| first.seconds_until(**at) < PAUSE_SECONDS);
                assert!(hour.count() <= 10, "one every {step_seconds} seconds");
            }
        }
    }
}
