//! Signing in and out, and resolving cookies.
//!
//! A session is in the store, so that every node knows it and ending it takes effect everywhere at once. It ends
//! after half an hour without use, and twelve hours after it began in any case.

use std::net::IpAddr;

use domain::{
    id::{SessionId, UserId},
    moment::Moment,
    password::Password,
    text::Name,
    time_zone::TimeZone,
    user::Email,
};
use serde_json::json;
pub use store::session::SessionRow;
use store::{
    Reader, Tx, known_device,
    session::{self as rows, Stage},
    tenant::TenantRow,
    user::{self as users, Credentials, UserRow},
};

use crate::{
    App, Error, Result, audit,
    authz::Caller,
    code_check::{Checked, Presenter},
    notice::Notice,
    second_factor::{Presented, TotpSecret},
    security::{SecurityEvent, What},
    sign_in_throttle::TooMany,
    token::Token,
    user::totp_context,
};

pub const IDLE_SECONDS: i64 = 30 * 60;
pub const ABSOLUTE_SECONDS: i64 = 12 * 60 * 60;
/// How long the second factor may take after the password.
const CODE_SECONDS: i64 = 10 * 60;
/// A session's last use is stored at most this often.
const TOUCH_SECONDS: i64 = 60;
const MAX_AGENT: usize = 200;
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

/// The result of an attempt to sign in.
#[derive(Debug)]
pub enum Entry {
    Open(Token),
    /// The password was right; the second factor must follow with this token.
    CodeNeeded(Token),
    /// Wrong password, wrong code, unknown or closed account: the response does not say which.
    Refused,
    /// Too many wrong codes: the sign-in has ended and starts again with the password.
    Ended,
    /// Too many wrong codes for this account: none is checked until then.
    Paused {
        seconds: u64,
    },
    /// Too many attempts of this client are in progress.
    TooMany {
        retry_after: u64,
    },
}

impl From<TooMany> for Entry {
    fn from(too_many: TooMany) -> Self {
        Self::TooMany { retry_after: too_many.retry_after }
    }
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
    /// The first step: address and password. Takes the same time whether there is such a person or not, and however
    /// many institutions know the address: one password is compared. Where several know it and none is named, it is that
    /// of the oldest account.
    pub async fn sign_in(
        &self,
        email: &str,
        institution: Option<&str>,
        password: Password,
        visitor: &Visitor,
    ) -> Result<Entry> {
        let attempt = match self.sign_in_throttle.attempt(email, visitor.address, self.clock.now()).await {
            Ok(attempt) => attempt,
            Err(too_many) => {
                self.note_stranger(email, visitor, "too_many");
                return Ok(too_many.into());
            }
        };
        let found = match email.parse::<Email>() {
            Ok(email) => {
                let named = institution.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
                let platform = self.db.platform();
                let found = platform.read(move |r| by_email(r, &email, named.as_deref())).await?;
                found.into_iter().next()
            }
            Err(_) => None,
        };
        let hash = found.as_ref().and_then(|(_, credentials, _)| credentials.password_hash.clone());
        let right = self.passwords.matches(password, hash).await?;
        let (user, credentials) = match found {
            Some((user, credentials, zone)) if right && !user.is_shut(&zone, self.clock.now()) => {
                (user, credentials)
            }
            Some((user, ..)) => {
                attempt.failed(self.clock.now());
                let reason = if right { "closed" } else { "password" };
                self.note_refusal(&user, What::SignIn, visitor, reason);
                return Ok(Entry::Refused);
            }
            None => {
                attempt.failed(self.clock.now());
                self.note_stranger(email, visitor, "unknown");
                return Ok(Entry::Refused);
            }
        };
        if credentials.totp_secret.is_some() {
            return self.ask_for_code(&user, visitor).await;
        }
        let token = self.open_session(&user, visitor, "password").await?;
        attempt.succeeded();
        Ok(Entry::Open(token))
    }

    pub(crate) async fn ask_for_code(&self, user: &UserRow, visitor: &Visitor) -> Result<Entry> {
        let token = Token::random();
        let (digest, session) = (token.digest(), self.new_session(Stage::Code, visitor));
        let (scope, user) = (*Caller::user(user.tenant, user.id, user.role).scope(), user.id);
        self.db.platform().bookkeep(move |tx| rows::insert(tx, &scope, user, &session, &digest)).await?;
        Ok(Entry::CodeNeeded(token))
    }

    /// A sign-in to an account that may not exist: only a digest of the typed address is stored.
    fn note_stranger(&self, typed: &str, visitor: &Visitor, reason: &'static str) {
        let event = SecurityEvent::refused(What::SignIn).of_account(self.account_digest(typed));
        self.note(event.from(visitor.address).because(reason));
    }

    async fn open_session(&self, user: &UserRow, visitor: &Visitor, means: &'static str) -> Result<Token> {
        let token = Token::random();
        let (app, opening) = (self.clone(), self.opening(user, visitor, &token));
        let scope = *opening.caller.scope();
        self.db.tenant(&scope).write(move |tx| opening.write(&app, tx, means)).await?;
        self.note_entry(user, visitor, means);
        Ok(token)
    }

    pub(crate) fn note_entry(&self, user: &UserRow, visitor: &Visitor, means: &'static str) {
        let event = SecurityEvent::allowed(What::SignIn).of(user.tenant, user.id).because(means);
        self.note(event.from(visitor.address));
        self.post_letters();
    }

    pub(crate) fn opening(&self, user: &UserRow, visitor: &Visitor, token: &Token) -> Opening {
        Opening {
            caller: Caller::user(user.tenant, user.id, user.role),
            user: user.id,
            session: self.new_session(Stage::Open, visitor),
            digest: token.digest(),
            device: visitor.device.as_ref().map(Token::digest),
        }
    }

    fn new_session(&self, stage: Stage, visitor: &Visitor) -> SessionRow {
        let now = self.clock.now();
        let agent = visitor.agent.chars().filter(|c| !c.is_control()).take(MAX_AGENT).collect();
        SessionRow {
            id: self.ids.next(now),
            stage,
            address: visitor.address.to_string(),
            agent,
            created_at: now,
            seen_at: now,
            failures: 0,
            // Signing in counts as the first confirmation of identity.
            proved_at: (stage == Stage::Open).then_some(now),
            provider_factor: false,
        }
    }

    /// Whether this token belongs to a sign-in that waits for a code.
    pub async fn awaits_code(&self, token: &Token) -> Result<bool> {
        Ok(self.pending(token).await?.is_some())
    }

    async fn pending(&self, token: &Token) -> Result<Option<(SessionId, UserRow)>> {
        let (digest, now) = (token.digest(), self.clock.now());
        let found = self.db.platform().read(move |r| rows::by_digest(r, &digest)).await?;
        let waiting = found.filter(|found| {
            found.session.stage == Stage::Code
                && found.session.created_at.seconds_until(now) < CODE_SECONDS
                && !found.user.is_shut(&found.tenant_zone, now)
        });
        Ok(waiting.map(|found| (found.session.id, found.user)))
    }

    /// The second step: a code of the authenticator app, or a recovery code.
    pub async fn present_code(&self, token: &Token, code: &str, visitor: &Visitor) -> Result<Entry> {
        let Some((pending, user)) = self.pending(token).await? else { return Ok(Entry::Refused) };
        let now = self.clock.now();
        let attempt = match self.sign_in_throttle.attempt(user.email.as_str(), visitor.address, now).await {
            Ok(attempt) => attempt,
            Err(too_many) => {
                self.note_refusal(&user, What::Code, visitor, "too_many");
                return Ok(too_many.into());
            }
        };
        let (app, code, token) = (self.clone(), Presented::parse(code), Token::random());
        let opening = self.opening(&user, visitor, &token);
        let scope = *opening.caller.scope();
        let presenter = Presenter {
            scope,
            user: user.id,
            session: pending,
            device: visitor.device.clone(),
            address: visitor.address.to_string(),
        };
        let now = self.clock.now();
        let checked = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let checked = app.check_code(tx, &presenter, &code, now)?;
                if let Checked::Right(means) = checked {
                    // If the same code is presented twice at once, the second request finds the waiting session gone.
                    if !rows::delete(tx, pending)? {
                        return Err(Error::NotFound);
                    }
                    opening.write(&app, tx, means)?;
                }
                Ok(checked)
            })
            .await;
        let refused = match checked {
            Ok(Checked::Right(means)) => {
                attempt.succeeded();
                self.note_entry(&user, visitor, means);
                return Ok(Entry::Open(token));
            }
            Ok(Checked::Wrong) | Err(Error::NotFound) => (Entry::Refused, "code"),
            Ok(Checked::Ended) => (Entry::Ended, "ended"),
            Ok(Checked::Paused { seconds }) => (Entry::Paused { seconds }, "paused"),
            Err(error) => return Err(error),
        };
        attempt.failed(now);
        self.post_letters();
        self.note_refusal(&user, What::Code, visitor, refused.1);
        Ok(refused.0)
    }

    /// Signs in a user who was just identified by a one-time link; a second factor is still required.
    pub async fn enter(&self, user: &UserRow, visitor: &Visitor) -> Result<Entry> {
        if user.has_second_factor {
            return self.ask_for_code(user, visitor).await;
        }
        Ok(Entry::Open(self.open_session(user, visitor, "link").await?))
    }

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

    pub(crate) fn open_totp(&self, user: UserId, sealed: &str) -> Result<TotpSecret> {
        let text = self.vault.open(&totp_context(user), sealed)?;
        TotpSecret::from_base32(&text).ok_or_else(|| Error::internal("a stored second factor is misshapen"))
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
        caller.require_administrator()?;
        let (scope, now) = (*caller.scope(), self.clock.now());
        let found = self.db.tenant(&scope).read(move |r| rows::list(r, &scope, user)).await?;
        Ok(found.into_iter().rev().filter(|row| is_good(row, now)).collect())
    }

    /// Signs a browser out of a user's account, for an administrator.
    pub async fn end_session_of(&self, caller: &Caller, user: UserId, id: SessionId) -> Result<()> {
        caller.require_administrator()?;
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

/// A new session.
#[derive(Debug)]
pub(crate) struct Opening {
    pub(crate) caller: Caller,
    user: UserId,
    pub(crate) session: SessionRow,
    digest: String,
    /// Digest of the browser's earlier token.
    device: Option<String>,
}

impl Opening {
    pub(crate) fn write(&self, app: &App, tx: &mut Tx<'_>, means: &str) -> Result<()> {
        let (scope, at) = (self.caller.scope(), self.session.created_at);
        self.announce(app, tx)?;
        rows::insert(tx, scope, self.user, &self.session, &self.digest)?;
        users::note_sign_in(tx, scope, self.user, at)?;
        let detail = json!({ "address": self.session.address, "means": means });
        audit::record(tx, self.caller.actor(), at, "user.signed_in", self.user, &detail)
    }

    /// Writes to the owner about a new browser. The very first sign-in causes no mail.
    fn announce(&self, app: &App, tx: &mut Tx<'_>) -> Result<()> {
        let scope = self.caller.scope();
        let known = match &self.device {
            Some(device) => known_device::failures(tx, scope, self.user, device)?.is_some(),
            None => false,
        };
        let (user, _) = users::get(tx, scope, self.user)?.ok_or(Error::NotFound)?;
        if known || user.signed_in_at.is_none() {
            return Ok(());
        }
        let browser = browser_name(&self.session.agent);
        let notice = Notice::NewBrowser { browser, address: self.session.address.clone() };
        app.write_notice(tx, &user, &notice, self.session.created_at)
    }
}

/// The people with this address and the time zones of their institutions, without closed ones, the oldest account first.
/// With an institution named, by its short name or its name, only those of that one.
pub(crate) fn by_email(
    reader: &mut Reader<'_>,
    email: &Email,
    institution: Option<&str>,
) -> store::Result<Vec<(UserRow, Credentials, TimeZone)>> {
    let mut found = Vec::new();
    for (user, credentials) in users::by_email(reader, email)? {
        let tenant = store::tenant::by_id(reader, user.tenant)?;
        let is_meant = |tenant: &TenantRow| {
            let names = [tenant.slug.as_str(), tenant.name.as_str()];
            institution
                .is_none_or(|meant| names.iter().any(|name| name.to_lowercase() == meant.to_lowercase()))
        };
        let open = tenant.filter(|tenant| tenant.closed_at.is_none() && is_meant(tenant));
        found.extend(open.map(|tenant| (user, credentials, tenant.time_zone)));
    }
    Ok(found)
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
