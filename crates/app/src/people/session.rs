//! Sessions: resolving cookies, listing and ending sessions, known browsers.
//!
//! A session is in the store, so that every node knows it and ending it takes effect everywhere at once. It ends
//! after half an hour without use, and twelve hours after it began in any case.

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
    known_device,
    session::{self as rows, Stage},
    user::UserRow,
};

use crate::{
    App, Error, Result, audit,
    authz::Caller,
    security::{SecurityEvent, What},
    token::Token,
};

pub const IDLE_SECONDS: i64 = 30 * 60;
pub const ABSOLUTE_SECONDS: i64 = 12 * 60 * 60;
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
}

impl App {
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
        let Some(found) = found
            .filter(|found| is_good(&found.session, now) && !found.user.is_shut(&found.tenant_zone, now))
        else {
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
        }))
    }

    /// Ends this session. It is no error if it has ended already.
    pub async fn sign_out(&self, session: &Session) -> Result<()> {
        match self.end_session(session, session.id).await {
            Err(Error::NotFound) => Ok(()),
            ended => ended,
        }
    }

    /// The user's signed-in browsers, the latest first.
    pub async fn sessions(&self, session: &Session) -> Result<Vec<SessionRow>> {
        let (scope, user, now) = (*session.caller.scope(), session.user.clone(), self.clock.now());
        let found = self.db.tenant(&scope).read(move |r| rows::list(r, &scope, user.id)).await?;
        Ok(found.into_iter().rev().filter(|row| is_good(row, now)).collect())
    }

    /// Signs out one of the user's browsers.
    pub async fn end_session(&self, session: &Session, id: SessionId) -> Result<()> {
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
        Ok(found.into_iter().rev().filter(|row| is_good(row, now)).collect())
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

    /// Deletes expired sessions and links. A job calls it.
    pub async fn prune_sessions(&self) -> Result<u64> {
        let now = self.clock.now();
        let (idle, old) = (now.plus_seconds(-IDLE_SECONDS), now.plus_seconds(-ABSOLUTE_SECONDS));
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

fn is_good(session: &SessionRow, now: Moment) -> bool {
    session.stage == Stage::Open
        && session.seen_at.seconds_until(now) < IDLE_SECONDS
        && session.created_at.seconds_until(now) < ABSOLUTE_SECONDS
}
