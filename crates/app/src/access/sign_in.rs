//! Signing in: address and password, then the code of a second factor where there is one.

use domain::{
    id::{SessionId, UserId},
    password::Password,
    time_zone::TimeZone,
    user::Email,
};
use serde_json::json;
use store::{
    Reader, Tx, known_device,
    session::{self as rows, Stage},
    tenant::{self as tenants, TenantRow},
    user::{self as users, Credentials, UserRow},
};

use crate::{
    Access, Error, Result, audit,
    authz::Caller,
    code_check::{Checked, Presenter},
    notice::Notice,
    second_factor::{Presented, TotpSecret},
    security::{SecurityEvent, What},
    session::{SessionRow, Visitor, browser_name},
    sign_in_throttle::TooMany,
    token::Token,
    user::totp_context,
};

/// How long the second factor may take after the password.
const CODE_SECONDS: i64 = 10 * 60;
const MAX_AGENT: usize = 200;
/// With so many accounts of one address a password is compared; further ones name their institution.
const MOST_COMPARED: usize = 3;

/// An account with its institution's time zone.
struct Account {
    user: UserRow,
    zone: TimeZone,
}

/// The accounts a password is compared with, and their hashes, filled up to the number that is always computed.
struct Compared {
    known: Vec<Account>,
    hashes: Vec<Option<String>>,
}

/// The result of an attempt to sign in.
#[derive(Debug)]
pub enum SignInResult {
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

impl From<TooMany> for SignInResult {
    fn from(too_many: TooMany) -> Self {
        Self::TooMany { retry_after: too_many.retry_after }
    }
}

impl Access {
    /// The first step: address and password. Takes the same time whether there is such a person or not, and however
    /// many institutions know the address: the same number of passwords is always compared. Where several accounts have
    /// the password and none is named, it is the oldest.
    pub async fn sign_in(
        &self,
        email: &str,
        institution: Option<&str>,
        password: Password,
        visitor: &Visitor,
    ) -> Result<SignInResult> {
        let attempt = match self.sign_in_throttle.attempt(email, visitor.address, self.clock.now()).await {
            Ok(attempt) => attempt,
            Err(too_many) => {
                self.note_stranger(email, visitor, "too_many");
                return Ok(too_many.into());
            }
        };
        let accounts = self.accounts_with_password(email, institution).await?;
        let place = attempt.place(self.clock.now());
        let right = match self.passwords.compared(place, password, accounts.hashes).await {
            Ok(right) => right,
            Err(error) => {
                // A flood that the queue turns away is slowed down like wrong passwords.
                attempt.failed(self.clock.now());
                return Err(error);
            }
        };
        let now = self.clock.now();
        let mut matching: Vec<_> = accounts
            .known
            .iter()
            .zip(right)
            .filter(|(_, right)| *right)
            .map(|(account, _)| account)
            .collect();
        matching.sort_by_key(|account| account.user.is_shut(&account.zone, now));
        let Some(account) = matching.first() else {
            attempt.failed(now);
            self.note_wrong_password(email, &accounts.known, visitor);
            return Ok(SignInResult::Refused);
        };
        let user = &account.user;
        if user.is_shut(&account.zone, now) {
            attempt.failed(now);
            self.note_refusal(user, What::SignIn, visitor, "closed");
            return Ok(SignInResult::Refused);
        }
        if user.has_second_factor {
            return self.ask_for_code(user, visitor, true).await;
        }
        let token = self.open_session(user, visitor, "password").await?;
        attempt.succeeded();
        Ok(SignInResult::Open(token))
    }

    /// The accounts whose passwords are compared, the oldest first. Those without a password are left out, so that an
    /// invitation of another institution does not stand before them.
    async fn accounts_with_password(&self, email: &str, institution: Option<&str>) -> Result<Compared> {
        let email = email.parse::<Email>().ok();
        let named = institution.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        let read = move |r: &mut Reader<'_>| {
            let all = match &email {
                Some(email) => by_email(r, email, named.as_deref())?,
                None => Vec::new(),
            };
            // No address is known to more institutions than there are.
            let computed = tenants::count_up_to(r, MOST_COMPARED)?.max(1);
            let with_password = all.into_iter().filter(|(user, ..)| user.has_password).take(computed);
            let (known, hashes): (Vec<_>, Vec<_>) = with_password
                .map(|(user, credentials, zone)| (Account { user, zone }, credentials.password_hash))
                .unzip();
            Ok::<_, Error>((known, hashes, computed))
        };
        let (known, mut hashes, computed) = self.db.platform().read(read).await?;
        hashes.resize(computed, None);
        Ok(Compared { known, hashes })
    }

    /// Records a wrong password. It is shown at the account, if it is the only one with this address and was ever used: where
    /// several institutions know the address, none of them learns of a sign-in that may be meant for another.
    fn note_wrong_password(&self, typed: &str, known: &[Account], visitor: &Visitor) {
        match known {
            [Account { user, .. }] if user.signed_in_at.is_some() => {
                self.note_refusal(user, What::SignIn, visitor, "password");
            }
            [Account { user, .. }] => {
                let event = SecurityEvent::refused(What::SignIn).of(user.tenant, user.id);
                self.note(event.from(visitor.address).because("password"));
            }
            [] => self.note_stranger(typed, visitor, "unknown"),
            _ => self.note_stranger(typed, visitor, "password"),
        }
    }

    /// Opens a session that waits for a code. `fresh` says whether the person has just shown who they are, so that the
    /// code completes a proof.
    pub(crate) async fn ask_for_code(
        &self,
        user: &UserRow,
        visitor: &Visitor,
        fresh: bool,
    ) -> Result<SignInResult> {
        let token = Token::random();
        let mut session = self.new_session(Stage::Code, visitor);
        session.proved_at = session.proved_at.filter(|_| fresh);
        let digest = token.digest();
        let (scope, user) = (*Caller::user(user.tenant, user.id, user.role).scope(), user.id);
        self.db.platform().bookkeep(move |tx| rows::insert(tx, &scope, user, &session, &digest)).await?;
        Ok(SignInResult::CodeNeeded(token))
    }

    /// A sign-in to an account that may not exist: only a digest of the typed address is stored.
    fn note_stranger(&self, typed: &str, visitor: &Visitor, reason: &'static str) {
        let event = SecurityEvent::refused(What::SignIn).of_account(self.account_digest(typed));
        self.note(event.from(visitor.address).because(reason));
    }

    async fn open_session(&self, user: &UserRow, visitor: &Visitor, means: &'static str) -> Result<Token> {
        let token = Token::random();
        let (this, opening) = (self.clone(), self.opening(user, visitor, &token));
        let scope = *opening.caller.scope();
        self.db.tenant(&scope).write(move |tx| opening.write(&this, tx, means)).await?;
        self.note_entry(user, visitor, means);
        Ok(token)
    }

    pub(crate) fn note_entry(&self, user: &UserRow, visitor: &Visitor, means: &'static str) {
        let event = SecurityEvent::allowed(What::SignIn).of(user.tenant, user.id).because(means);
        self.note(event.from(visitor.address));
        self.messages.post_user_mail();
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
            proved_at: Some(now),
            provider_factor: false,
        }
    }

    /// Whether this token belongs to a sign-in that waits for a code.
    pub async fn awaits_code(&self, token: &Token) -> Result<bool> {
        Ok(self.pending(token).await?.is_some())
    }

    /// The session that waits for a code, whether its first step was fresh, and its user.
    async fn pending(&self, token: &Token) -> Result<Option<(SessionId, bool, UserRow)>> {
        let (digest, now) = (token.digest(), self.clock.now());
        let found = self.db.platform().read(move |r| rows::by_digest(r, &digest)).await?;
        let waiting = found.filter(|found| {
            found.session.stage == Stage::Code
                && found.session.created_at.seconds_until(now) < CODE_SECONDS
                && !found.user.is_shut(&found.tenant_zone, now)
        });
        Ok(waiting.map(|found| (found.session.id, found.session.proved_at.is_some(), found.user)))
    }

    /// The second step: a code of the authenticator app, or a recovery code.
    pub async fn present_code(&self, token: &Token, code: &str, visitor: &Visitor) -> Result<SignInResult> {
        let Some((pending, fresh, user)) = self.pending(token).await? else {
            return Ok(SignInResult::Refused);
        };
        let now = self.clock.now();
        let attempt = match self.sign_in_throttle.attempt(user.email.as_str(), visitor.address, now).await {
            Ok(attempt) => attempt,
            Err(too_many) => {
                self.note_refusal(&user, What::Code, visitor, "too_many");
                return Ok(too_many.into());
            }
        };
        let (this, code, token) = (self.clone(), Presented::parse(code), Token::random());
        let mut opening = self.opening(&user, visitor, &token);
        opening.session.proved_at = opening.session.proved_at.filter(|_| fresh);
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
                let checked = this.check_code(tx, &presenter, &code, now)?;
                if let Checked::Right(means) = checked {
                    // If the same code is presented twice at once, the second request finds the waiting session gone.
                    if !rows::delete(tx, pending)? {
                        return Err(Error::NotFound);
                    }
                    opening.write(&this, tx, means)?;
                }
                Ok(checked)
            })
            .await;
        let refused = match checked {
            Ok(Checked::Right(means)) => {
                attempt.succeeded();
                self.note_entry(&user, visitor, means);
                return Ok(SignInResult::Open(token));
            }
            Ok(Checked::Wrong) | Err(Error::NotFound) => (SignInResult::Refused, "code"),
            Ok(Checked::Ended) => (SignInResult::Ended, "ended"),
            Ok(Checked::Paused { seconds }) => (SignInResult::Paused { seconds }, "paused"),
            Err(error) => return Err(error),
        };
        attempt.failed(now);
        self.messages.post_user_mail();
        self.note_refusal(&user, What::Code, visitor, refused.1);
        Ok(refused.0)
    }

    /// Signs in a user who was just identified by a one-time link; a second factor is still required.
    pub async fn enter(&self, user: &UserRow, visitor: &Visitor) -> Result<SignInResult> {
        if user.has_second_factor {
            return self.ask_for_code(user, visitor, true).await;
        }
        Ok(SignInResult::Open(self.open_session(user, visitor, "link").await?))
    }

    pub(crate) fn open_totp(&self, user: UserId, sealed: &str) -> Result<TotpSecret> {
        let text = self.vault.open(&totp_context(user), sealed)?;
        TotpSecret::from_base32(&text).ok_or_else(|| Error::internal("a stored second factor is misshapen"))
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
    pub(crate) fn write(&self, access: &Access, tx: &mut Tx<'_>, means: &str) -> Result<()> {
        let (scope, at) = (self.caller.scope(), self.session.created_at);
        self.announce(access, tx)?;
        rows::insert(tx, scope, self.user, &self.session, &self.digest)?;
        access.end_surplus_sessions(tx, scope, self.user)?;
        users::note_sign_in(tx, scope, self.user, at)?;
        let detail = json!({ "address": self.session.address, "means": means });
        audit::record(tx, self.caller.actor(), at, "user.signed_in", self.user, &detail)
    }

    /// Writes to the owner about a new browser. The very first sign-in causes no mail.
    fn announce(&self, access: &Access, tx: &mut Tx<'_>) -> Result<()> {
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
        access.messages.write_notice(tx, &user, &notice, self.session.created_at)
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
