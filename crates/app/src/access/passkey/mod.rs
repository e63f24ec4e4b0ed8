//! Passkeys: keys on a device that open an account without a password (Web Authentication).
//!
//! [`ceremony`] decides whether an answer of a browser is believed, `cose` reads keys, [`sign_in`] opens sessions with
//! them. A passkey is asked to verify its user, so it counts as two factors.
//!
//! The question that a browser must answer travels in a cookie of this browser, sealed, for five minutes; the store only
//! notes that it was answered, so that no answer works twice, on any node.

mod ceremony;
mod cose;
pub mod sign_in;

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use domain::{
    id::{PasskeyId, SessionId, UserId},
    moment::Moment,
    right::{Resource, Right},
    text::Name,
    violation::AccountComplaint,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
pub use store::passkey::PasskeyRow;
use store::{TenantScope, identity_provider as finished, passkey as rows};

use self::ceremony::CeremonyError;
pub use self::ceremony::{Assertion, Creation, RelyingParty, part};
use crate::{
    Access, Error, Result, audit,
    authz::Caller,
    last_administrator,
    notice::Notice,
    security::{SecurityEvent, What},
    session::Session,
    signature::Algorithm,
    token::Token,
};

/// How long a person may take with their device.
pub const ANSWER_SECONDS: i64 = 5 * 60;
pub const MOST_PASSKEYS: usize = 20;
const MAX_KEPT: usize = 1_000;
/// Where complaints about a passkey are shown.
const FIELD: &str = "passkey";

/// A question to a browser and its passkeys.
pub struct Question {
    /// For the browser's own interface, with bytes in base64 for addresses.
    pub options: Value,
    /// What the browser keeps until it answers.
    pub kept: String,
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Question(…)")
    }
}

/// What a question is asked for. The answer to one is never taken for another.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    SignIn,
    Creation(SessionId),
    Proof(SessionId),
}

impl Purpose {
    fn context(self) -> String {
        match self {
            Self::SignIn => "passkey sign-in".to_owned(),
            Self::Creation(session) => format!("passkey creation:{session}"),
            Self::Proof(session) => format!("passkey proof:{session}"),
        }
    }
}

/// What is remembered between question and answer.
#[derive(Serialize, Deserialize)]
struct StoredChallenge {
    challenge: String,
    at: i64,
}

/// The challenge of a question that this browser was asked, and when it lapses.
struct Challenge {
    token: Token,
    ends: Moment,
}

impl Access {
    /// A new challenge, and what the browser keeps of it.
    fn challenge(&self, purpose: Purpose) -> Result<(Token, String)> {
        let token = Token::random();
        let kept = StoredChallenge { challenge: token.reveal().to_owned(), at: self.clock.now().millis() };
        let json = serde_json::to_string(&kept).map_err(Error::internal)?;
        Ok((token, self.vault.seal(&purpose.context(), &json)?))
    }

    /// The challenge that this browser was sent for this purpose, unless it has lapsed.
    fn opened_challenge(&self, purpose: Purpose, kept: Option<&str>) -> Option<Challenge> {
        let sealed = kept.filter(|sealed| sealed.len() <= MAX_KEPT)?;
        let kept: StoredChallenge =
            serde_json::from_str(&self.vault.open(&purpose.context(), sealed).ok()?).ok()?;
        let begun = Moment::from_millis(kept.at);
        let in_time = (0..ANSWER_SECONDS).contains(&begun.seconds_until(self.clock.now()));
        let token = Token::parse(&kept.challenge).filter(|_| in_time)?;
        Some(Challenge { token, ends: begun.plus_seconds(ANSWER_SECONDS) })
    }

    /// Notes that a challenge was answered, rightly or not; false if it was before.
    async fn spend_challenge(&self, scope: &TenantScope, challenge: &Challenge) -> Result<bool> {
        let (scope, digest, ends) = (*scope, challenge.token.digest(), challenge.ends);
        let first =
            self.db.platform().bookkeep(move |tx| finished::finish(tx, &scope, &digest, ends)).await?;
        Ok(first)
    }

    /// The person's own passkeys, the oldest first.
    pub async fn passkeys(&self, session: &Session) -> Result<Vec<PasskeyRow>> {
        let (scope, user) = (*session.caller.scope(), session.user.id);
        self.db.tenant(&scope).read(move |r| rows::of_user(r, &scope, user)).await.map_err(Error::from)
    }

    /// Whether an account has passkeys, for an administrator.
    pub async fn has_passkeys(&self, caller: &Caller, user: UserId) -> Result<bool> {
        caller.require_right(Resource::People, Right::Write)?;
        let scope = *caller.scope();
        let found = self.db.tenant(&scope).read(move |r| rows::of_user(r, &scope, user)).await?;
        Ok(!found.is_empty())
    }

    /// Asks the browser for a new passkey.
    pub async fn ask_for_new_passkey(&self, session: &Session, party: &RelyingParty) -> Result<Question> {
        session.caller.require_proof(self.clock.now())?;
        let present = self.passkeys(session).await?;
        require_room(&present)?;
        let (challenge, kept) = self.challenge(Purpose::Creation(session.id))?;
        let kinds = Algorithm::PASSKEYS.map(|kind| json!({ "type": "public-key", "alg": kind.number() }));
        let options = json!({
            "challenge": challenge.reveal(),
            "rp": { "id": party.id(), "name": "Tidewall" },
            "user": {
                "id": BASE64.encode(session.user.id.to_string()),
                "name": session.user.email.as_str(),
                "displayName": session.user.name.as_str(),
            },
            "pubKeyCredParams": kinds,
            "excludeCredentials": described(&present),
            "authenticatorSelection": {
                "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
            },
            "attestation": "none",
            "timeout": ANSWER_SECONDS * 1000,
        });
        Ok(Question { options, kept })
    }

    /// Adds the passkey that the browser made, and signs the person out everywhere else.
    pub async fn add_passkey(
        &self,
        session: &Session,
        (party, name): (&RelyingParty, Name),
        kept: Option<&str>,
        creation: &Creation,
    ) -> Result<()> {
        let (actor, now, scope) = (session.caller.actor(), self.clock.now(), *session.caller.scope());
        session.caller.require_proof(now)?;
        let made = match self.opened_challenge(Purpose::Creation(session.id), kept) {
            Some(challenge) if self.spend_challenge(&scope, &challenge).await? => {
                ceremony::created(party, &challenge.token, creation)
            }
            _ => Err(CeremonyError::Challenge),
        };
        let made = made.map_err(|error| {
            let event = SecurityEvent::refused(What::SecondFactor).of(scope.tenant(), session.user.id);
            self.note(event.because(error.reason()));
            Error::invalid(FIELD, AccountComplaint::PasskeyRefused)
        })?;
        let passkey = PasskeyRow {
            id: self.ids.next(now),
            tenant: scope.tenant(),
            user: session.user.id,
            credential_id: BASE64.encode(&made.credential_id),
            name,
            public_key: BASE64.encode(&made.key_bytes),
            algorithm: made.key.algorithm.as_str().to_owned(),
            signature_count: made.counter,
            created_at: now,
            used_at: None,
        };
        let (this, id, here) = (self.clone(), session.user.id, session.id);
        self.db
            .tenant(&scope)
            .write(move |tx| {
                require_room(&rows::of_user(tx, &scope, id)?)?;
                rows::insert(tx, &scope, &passkey).map_err(|error| match error {
                    store::Error::Duplicate(_) => Error::invalid(FIELD, AccountComplaint::PasskeyKnown),
                    other => other.into(),
                })?;
                this.people.tell_owner(tx, &scope, (id, Some(here)), &Notice::PasskeyAdded, now)?;
                audit::record(tx, actor, now, "user.passkey_added", id, &detail(&passkey))
            })
            .await?;
        self.people.note_own(session, What::SecondFactor, "passkey_added");
        self.messages.post_user_mail();
        Ok(())
    }

    /// Removes one of the person's own passkeys, and signs them out everywhere else.
    pub async fn remove_passkey(&self, session: &Session, passkey: PasskeyId) -> Result<()> {
        let (actor, now, scope) = (session.caller.actor(), self.clock.now(), *session.caller.scope());
        session.caller.require_proof(now)?;
        let (this, id, here) = (self.clone(), session.user.id, session.id);
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let present = rows::of_user(tx, &scope, id)?;
                let removed = present.iter().find(|row| row.id == passkey).ok_or(Error::NotFound)?;
                last_administrator::take_away(tx, &scope, FIELD, |tx| {
                    rows::delete(tx, &scope, id, passkey)?;
                    Ok(())
                })?;
                this.people.tell_owner(tx, &scope, (id, Some(here)), &Notice::PasskeyRemoved, now)?;
                audit::record(tx, actor, now, "user.passkey_removed", id, &detail(removed))
            })
            .await?;
        self.people.note_own(session, What::SecondFactor, "passkey_removed");
        self.messages.post_user_mail();
        Ok(())
    }
}

fn require_room(present: &[PasskeyRow]) -> Result<()> {
    if present.len() < MOST_PASSKEYS {
        return Ok(());
    }
    Err(Error::invalid(FIELD, AccountComplaint::TooManyPasskeys { most: MOST_PASSKEYS }))
}

/// Descriptors of passkeys for the options that are sent to a browser.
fn described(passkeys: &[PasskeyRow]) -> Vec<Value> {
    passkeys.iter().map(|row| json!({ "type": "public-key", "id": row.credential_id })).collect()
}

/// A passkey as the audit log keeps it.
fn detail(passkey: &PasskeyRow) -> Value {
    json!({ "passkey": passkey.id, "name": passkey.name.as_str(), "algorithm": passkey.algorithm })
}
