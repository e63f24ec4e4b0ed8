//! The second factor of a user's own account: switched on with a first code, removed, and its recovery codes renewed.

use domain::{id::UserId, moment::Moment, violation::AccountComplaint};
use serde_json::json;
use store::{
    Tx, tenant as tenants,
    user::{self as rows, Credentials},
};

use crate::{
    Access, Error, Result, audit,
    notice::Notice,
    second_factor::{TotpSecret, recovery_codes},
    security::What,
    session::Session,
};

/// How long a new second factor waits for its first code.
const PENDING_SECONDS: i64 = 15 * 60;

/// The second factor that waits for its first code, unless it has expired.
fn pending(credentials: Credentials, now: Moment) -> Option<String> {
    let fresh = credentials.totp_pending_at.is_some_and(|at| at.seconds_until(now) < PENDING_SECONDS);
    credentials.totp_pending.filter(|_| fresh)
}

pub(crate) fn totp_context(user: UserId) -> String {
    format!("totp:{user}")
}

impl Access {
    /// Creates a second factor that waits for its first code.
    pub async fn start_second_factor(&self, session: &Session) -> Result<TotpSecret> {
        let now = self.clock.now();
        session.caller.require_proof(now)?;
        let (scope, id) = (*session.caller.scope(), session.user.id);
        let secret = TotpSecret::random();
        let sealed = self.vault.seal(&totp_context(id), &secret.to_base32())?;
        self.db.platform().bookkeep(move |tx| rows::set_pending(tx, &scope, id, &sealed, now)).await?;
        Ok(secret)
    }

    /// The second factor that waits for its first code.
    pub async fn pending_second_factor(&self, session: &Session) -> Result<Option<TotpSecret>> {
        let (scope, id, now) = (*session.caller.scope(), session.user.id, self.clock.now());
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope, id)).await?;
        let sealed = found.and_then(|(_, credentials)| pending(credentials, now));
        sealed.map(|sealed| self.open_totp(id, &sealed)).transpose()
    }

    /// Switches the second factor on with its first code, and returns recovery codes, which are shown only once.
    pub async fn confirm_second_factor(&self, session: &Session, code: &str) -> Result<Vec<String>> {
        let (this, code) = (self.clone(), code.split_whitespace().collect::<String>());
        let (actor, now, scope) = (session.caller.actor(), self.clock.now(), *session.caller.scope());
        session.caller.require_proof(now)?;
        let (id, here) = (session.user.id, session.id);
        let (codes, digests) = recovery_codes();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let (_, credentials) = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                let Some(sealed) = pending(credentials, now) else {
                    return Err(Error::invalid("code", AccountComplaint::CodeTooLate));
                };
                let Some(step) = this.open_totp(id, &sealed)?.step_of(&code, None, now) else {
                    return Err(Error::invalid("code", AccountComplaint::CodeDoesNotFit));
                };
                rows::set_totp(tx, &scope, id, Some(&sealed), Some(step), now)?;
                rows::replace_codes(tx, &scope, id, &digests)?;
                this.people.tell_owner(tx, &scope, (id, Some(here)), &Notice::SecondFactorOn, now)?;
                audit::record(tx, actor, now, "user.second_factor_on", id, &json!({}))
            })
            .await?;
        self.people.note_own(session, What::SecondFactor, "on");
        self.messages.post_user_mail();
        Ok(codes)
    }

    pub async fn remove_second_factor(&self, session: &Session) -> Result<()> {
        let (actor, now, scope) = (session.caller.actor(), self.clock.now(), *session.caller.scope());
        session.caller.require_proof(now)?;
        let (this, id, here) = (self.clone(), session.user.id, session.id);
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let (user, _) = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                if tenants::second_factor(tx, &scope)?.requires(user.role) {
                    return Err(Error::invalid("second_factor", AccountComplaint::FactorRequired));
                }
                forget_second_factor(tx, &scope, id, now)?;
                this.people.tell_owner(tx, &scope, (id, Some(here)), &Notice::SecondFactorOff, now)?;
                audit::record(tx, actor, now, "user.second_factor_off", id, &json!({}))
            })
            .await?;
        self.people.note_own(session, What::SecondFactor, "off");
        self.messages.post_user_mail();
        Ok(())
    }

    /// New recovery codes instead of the old ones.
    pub async fn renew_recovery_codes(&self, session: &Session) -> Result<Vec<String>> {
        let (actor, now, scope) = (session.caller.actor(), self.clock.now(), *session.caller.scope());
        session.caller.require_proof(now)?;
        let (this, here) = (self.clone(), session.id);
        let (id, (codes, digests)) = (session.user.id, recovery_codes());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                rows::replace_codes(tx, &scope, id, &digests)?;
                this.people.tell_owner(tx, &scope, (id, Some(here)), &Notice::RecoveryCodesRenewed, now)?;
                audit::record(tx, actor, now, "user.recovery_codes_renewed", id, &json!({}))
            })
            .await?;
        self.people.note_own(session, What::RecoveryCodes, "renewed");
        self.messages.post_user_mail();
        Ok(codes)
    }

    pub async fn recovery_codes_left(&self, session: &Session) -> Result<u64> {
        let (scope, id) = (*session.caller.scope(), session.user.id);
        self.db.tenant(&scope).read(move |r| rows::count_codes(r, &scope, id)).await.map_err(Error::from)
    }
}

pub(crate) fn forget_second_factor(
    tx: &mut Tx<'_>,
    scope: &store::TenantScope,
    id: UserId,
    now: Moment,
) -> Result<()> {
    rows::set_totp(tx, scope, id, None, None, now)?;
    Ok(rows::replace_codes(tx, scope, id, &[])?)
}
