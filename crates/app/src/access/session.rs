//! Sessions: resolving cookies, listing and ending sessions, known browsers.
//!
//! A session is in the store, so that every node knows it and ending it takes effect everywhere at once. It ends
//! after some time without use, and some time after it began in any case; [`SignInRules`] say when.

use std::net::IpAddr;

use domain::{
    id::{SessionId, UserId},
    moment::Moment,
    right::{Resource, Right},
    text::Name,
    time_zone::TimeZone,
};
use serde_json::json;
pub use store::session::SessionRow;
use store::{
    TenantScope, Tx, known_device,
    session::{self as rows, Stage},
    user::UserRow,
};

use crate::{
    Access, Error, Result, audit,
    authz::Caller,
    security::{SecurityEvent, What},
    sign_in_rules::SignInRules,
    token::Token,
};

/// A session's last use is stored at most this often.
const TOUCH_SECONDS: i64 = 60;
/// How long a browser stays known after it was last used to sign in.
pub const DEVICE_SECONDS: i64 = 180 * 24 * 60 * 60;

/// The client that signs in.
#[derive(Debug, Clone)]
pub struct Visitor {
    pub address: IpAddr,
    /// The browser's `User-Agent`.
    pub agent: String,
    /// The token it was given when the account was signed in to with it before.
    pub device: Option<Token>,
}

/// A signed-in user.
#[derive(Debug, Clone)]
pub struct Session {
    pub id: SessionId,
    pub caller: Caller,
    pub user: UserRow,
    pub tenant_name: Name,
    /// The institution's time zone.
    pub tenant_zone: TimeZone,
    pub created_at: Moment,
    /// Whether a second factor must be set up before anything else.
    pub must_set_up_factor: bool,
    /// The number of notices that the user has not read.
    pub unread: u64,
}

impl Access {
    /// Makes the browser of this session known to its account, so that wrong codes from elsewhere do not count
    /// against it, and its next sign-in causes no mail. Returns the token that the browser must keep; `None` if it is
    /// known already.
    pub async fn know_device(&self, token: &Token, visitor: &Visitor) -> Result<Option<Token>> {
        let Some(session) = self.session(token).await? else { return Ok(None) };
        let (scope, user, now) = (*session.caller.scope(), session.user.id, self.clock.now());
        let (presented, fresh) = (visitor.device.as_ref().map(Token::digest), Token::random());
        let digest = fresh.digest();
        let known = self
            .db
            .platform()
            .bookkeep(move |tx| {
                let known = match &presented {
                    Some(presented) => known_device::failures(tx, &scope, user, presented)?.is_some(),
                    None => false,
                };
                let kept = if known { presented.as_deref().unwrap_or(&digest) } else { &digest };
                known_device::keep(tx, &scope, user, kept, now)?;
                Ok::<_, Error>(known)
            })
            .await?;
        Ok((!known).then_some(fresh))
    }

    /// The session of this token, if it is still valid.
    pub async fn session(&self, token: &Token) -> Result<Option<Session>> {
        let (digest, now) = (token.digest(), self.clock.now());
        let found = self.db.platform().read(move |r| rows::by_digest(r, &digest)).await?;
        let Some(found) = found.filter(|found| {
            is_good(&found.session, &self.sign_in_rules, now) && !found.user.is_shut(&found.tenant_zone, now)
        }) else {
            return Ok(None);
        };
        let id = found.session.id;
        if found.session.seen_at.seconds_until(now) >= TOUCH_SECONDS {
            self.db.platform().bookkeep(move |tx| rows::touch(tx, id, now)).await?;
        }
        Ok(Some(Session {
            id,
            caller: Caller::user(found.user.tenant, found.user.id, found.user.role)
                .proved(found.session.proved_at),
            must_set_up_factor: found.second_factor.requires(found.user.role)
                && !found.user.has_second_factor
                && !found.session.provider_factor,
            user: found.user,
            tenant_name: found.tenant_name,
            tenant_zone: found.tenant_zone,
            created_at: found.session.created_at,
            unread: found.unread,
        }))
    }

    /// What the forms of a session carry, so that no other site can send them. It stays the same when a proof changes the
    /// cookie, so that other open pages of the browser go on working.
    pub fn form_secret(&self, session: SessionId) -> String {
        self.vault.fingerprint(&format!("form {session}"))
    }

    /// Ends this session. It is no error if it has ended already.
    pub async fn sign_out(&self, session: &Session) -> Result<()> {
        match self.end_one(session, session.id).await {
            Err(Error::NotFound) => Ok(()),
            ended => ended,
        }
    }

    /// The user's signed-in browsers, the latest first.
    pub async fn sessions(&self, session: &Session) -> Result<Vec<SessionRow>> {
        let (scope, user, now) = (*session.caller.scope(), session.user.clone(), self.clock.now());
        let found = self.db.tenant(&scope).read(move |r| rows::list(r, &scope, user.id)).await?;
        Ok(found.into_iter().rev().filter(|row| is_good(row, &self.sign_in_rules, now)).collect())
    }

    /// Signs out one of the user's browsers. A stolen session must not get rid of its owner's.
    pub async fn end_session(&self, session: &Session, id: SessionId) -> Result<()> {
        session.caller.require_proof(self.clock.now())?;
        self.end_one(session, id).await
    }

    async fn end_one(&self, session: &Session, id: SessionId) -> Result<()> {
        let (actor, now) = (session.caller.actor(), self.clock.now());
        let (scope, user) = (*session.caller.scope(), session.user.id);
        self.db
            .tenant(&scope)
            .write(move |tx| {
                if !rows::delete_one(tx, &scope, user, id)? {
                    return Err(Error::NotFound);
                }
                audit::record(tx, actor, now, "user.signed_out", user, &json!({ "session": id }))
            })
            .await?;
        self.note(SecurityEvent::allowed(What::SignOut).of(session.caller.tenant(), user));
        Ok(())
    }

    /// The browsers that are signed in to a user's account, for an administrator; the latest first.
    pub async fn sessions_of(&self, caller: &Caller, user: UserId) -> Result<Vec<SessionRow>> {
        caller.require_right(Resource::People, Right::Write)?;
        let (scope, now) = (*caller.scope(), self.clock.now());
        let found = self.db.tenant(&scope).read(move |r| rows::list(r, &scope, user)).await?;
        Ok(found.into_iter().rev().filter(|row| is_good(row, &self.sign_in_rules, now)).collect())
    }

    /// Signs a browser out of a user's account, for an administrator.
    pub async fn end_session_of(&self, caller: &Caller, user: UserId, id: SessionId) -> Result<()> {
        caller.require_right(Resource::People, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                if !rows::delete_one(tx, &scope, user, id)? {
                    return Err(Error::NotFound);
                }
                audit::record(tx, actor, now, "user.signed_out", user, &json!({ "session": id }))
            })
            .await?;
        self.note(SecurityEvent::allowed(What::SignOut).of(caller.tenant(), user).because("administrator"));
        Ok(())
    }

    /// Signs the user out everywhere else.
    pub async fn sign_out_elsewhere(&self, session: &Session) -> Result<u64> {
        let (id, actor, now) = (session.id, session.caller.actor(), self.clock.now());
        let (scope, user) = (*session.caller.scope(), session.user.id);
        session.caller.require_proof(now)?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let ended = rows::delete_others(tx, &scope, user, Some(id))?;
                let detail = json!({ "sessions": ended });
                audit::record(tx, actor, now, "user.signed_out_elsewhere", user, &detail)?;
                Ok(ended)
            })
            .await
    }

    /// Ends the oldest sessions of a person who has more than the rules allow.
    pub(crate) fn end_surplus_sessions(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        user: UserId,
    ) -> Result<()> {
        let most = self.sign_in_rules.sessions_per_person;
        let open = rows::list(tx, scope, user)?;
        let surplus = if most == 0 { 0 } else { open.len().saturating_sub(most) };
        for session in open.iter().take(surplus) {
            rows::delete_one(tx, scope, user, session.id)?;
        }
        Ok(())
    }

    /// Deletes expired sessions and links. A job calls it.
    pub async fn prune_sessions(&self) -> Result<u64> {
        let now = self.clock.now();
        let rules = &self.sign_in_rules;
        let (idle, old) = (now.plus_seconds(-rules.idle_seconds), now.plus_seconds(-rules.absolute_seconds));
        let unseen = now.plus_seconds(-DEVICE_SECONDS);
        self.db
            .platform()
            .bookkeep(move |tx| {
                let ended = rows::prune(tx, idle, old)? + store::one_time_link::prune(tx, now)?;
                let ended = ended + store::review_link::prune(tx, now)?;
                let ended = ended + store::identity_provider::prune(tx, now)?;
                Ok::<_, Error>(ended + known_device::prune(tx, unseen)?)
            })
            .await
    }
}

/// A readable name of the browser, from its `User-Agent`; `None` if it is unknown.
pub fn browser_name(agent: &str) -> Option<String> {
    let browsers = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("Windows", "Windows"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    ];
    let named = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name)
    };
    match (named(&browsers), named(&systems)) {
        (Some(browser), Some(system)) => Some(format!("{browser}, {system}")),
        (Some(name), None) | (None, Some(name)) => Some(name.to_owned()),
        (None, None) => None,
    }
}

fn is_good(session: &SessionRow, rules: &SignInRules, now: Moment) -> bool {
    session.stage == Stage::Open
        && session.seen_at.seconds_until(now) < rules.idle_seconds
        && session.created_at.seconds_until(now) < rules.absolute_seconds
}
