//! Signing in with a passkey, and proving with one who it is.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use domain::{time_zone::TimeZone, violation::AccountComplaint};
use serde_json::json;
use store::{
    Reader, passkey as rows, session as sessions, tenant as tenants,
    user::{self as users, UserRow},
};

use super::{
    ANSWER_SECONDS, FIELD, PasskeyRow, Purpose, Question,
    ceremony::{self, Assertion, CeremonyError, RelyingParty},
    described,
};
use crate::{
    Access, Error, Result, audit,
    authz::Caller,
    proof::Proof,
    security::{SecurityEvent, What},
    session::{Session, Visitor},
    sign_in::SignInResult,
    token::Token,
};

/// How the audit log and the security events call it.
const MEANS: &str = "passkey";

/// A passkey with the account it opens.
#[derive(Debug)]
struct Found {
    passkey: PasskeyRow,
    user: UserRow,
    zone: TimeZone,
}

/// Why no session is opened, with the account it was about, where that is known.
struct Stop {
    reason: &'static str,
    user: Option<Box<UserRow>>,
}

impl Access {
    /// Asks the browser for any passkey it has for this site.
    pub fn ask_for_passkey(&self, party: &RelyingParty) -> Result<Question> {
        self.question(party, Purpose::SignIn, &[])
    }

    /// Asks the browser for one of the person's own passkeys.
    pub async fn ask_for_passkey_again(&self, session: &Session, party: &RelyingParty) -> Result<Question> {
        let own = self.passkeys(session).await?;
        self.question(party, Purpose::Proof(session.id), &own)
    }

    fn question(&self, party: &RelyingParty, purpose: Purpose, wanted: &[PasskeyRow]) -> Result<Question> {
        let (challenge, kept) = self.challenge(purpose)?;
        let options = json!({
            "challenge": challenge.reveal(),
            "rpId": party.id(),
            "allowCredentials": described(wanted),
            "userVerification": "required",
            "timeout": ANSWER_SECONDS * 1000,
        });
        Ok(Question { options, kept })
    }

    /// Signs in the owner of the passkey. It stands for a password and a second factor.
    pub async fn sign_in_with_passkey(
        &self,
        party: &RelyingParty,
        kept: Option<&str>,
        assertion: &Assertion,
        visitor: &Visitor,
    ) -> Result<SignInResult> {
        // The device's name for a passkey counts as the account: only its owner knows it, so no one else can make
        // them wait.
        let named = BASE64.encode(&assertion.credential_id);
        let attempt = match self.sign_in_throttle.attempt(&named, visitor.address, self.clock.now()).await {
            Ok(attempt) => attempt,
            Err(too_many) => {
                self.note(SecurityEvent::refused(What::SignIn).from(visitor.address).because("too_many"));
                return Ok(too_many.into());
            }
        };
        match self.enter_with_passkey(party, kept, assertion, visitor).await? {
            Ok((user, token)) => {
                attempt.succeeded();
                self.note_entry(&user, visitor, MEANS);
                Ok(SignInResult::Open(token))
            }
            Err(Stop { reason, user }) => {
                attempt.failed(self.clock.now());
                if let Some(user) = user {
                    self.note_refusal(&user, What::SignIn, visitor, reason);
                } else {
                    self.note(SecurityEvent::refused(What::SignIn).from(visitor.address).because(reason));
                }
                Ok(SignInResult::Refused)
            }
        }
    }

    async fn enter_with_passkey(
        &self,
        party: &RelyingParty,
        kept: Option<&str>,
        assertion: &Assertion,
        visitor: &Visitor,
    ) -> Result<Result<(UserRow, Token), Stop>> {
        let stop = |reason, user| Ok(Err(Stop { reason, user }));
        let Some(Found { passkey, user, zone }) = self.found_passkey(assertion).await? else {
            return stop("passkey_unknown", None);
        };
        let counter = match self.checked_answer(Purpose::SignIn, party, (kept, assertion), &passkey).await? {
            Ok(counter) => counter,
            Err(error) => return stop(error.reason(), Some(Box::new(user))),
        };
        // The passkey itself says whose it is: a browser must not be able to pair it with another account.
        if assertion.user_handle != user.id.to_string().as_bytes() {
            return stop("passkey_account", Some(Box::new(user)));
        }
        if user.is_shut(&zone, self.clock.now()) {
            return stop("closed", Some(Box::new(user)));
        }
        let token = Token::random();
        let mut opening = self.opening(&user, visitor, &token);
        opening.session.provider_factor = true;
        let (this, scope, now) = (self.clone(), *opening.caller.scope(), self.clock.now());
        let count = (passkey.signature_count, counter);
        let written = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                if !rows::note_use(tx, &scope, passkey.id, count, now)? {
                    return Err(Error::NotFound);
                }
                opening.write(&this, tx, MEANS)
            })
            .await;
        match written {
            Ok(()) => Ok(Ok((user, token))),
            Err(Error::NotFound) => stop("passkey_counter", Some(Box::new(user))),
            Err(error) => Err(error),
        }
    }

    /// The named passkey, unless its institution is closed.
    async fn found_passkey(&self, assertion: &Assertion) -> Result<Option<Found>> {
        if assertion.credential_id.is_empty() || assertion.credential_id.len() > ceremony::MOST_CREDENTIAL_ID
        {
            return Ok(None);
        }
        let named = BASE64.encode(&assertion.credential_id);
        let read = move |r: &mut Reader<'_>| {
            let Some(passkey) = rows::by_credential(r, &named)? else { return Ok(None) };
            let scope = *Caller::system(passkey.tenant).scope();
            let tenant = tenants::by_id(r, passkey.tenant)?.filter(|tenant| tenant.closed_at.is_none());
            let user = users::get(r, &scope, passkey.user)?;
            let both = tenant.zip(user);
            Ok::<_, Error>(both.map(|(tenant, (user, _))| Found { passkey, user, zone: tenant.time_zone }))
        };
        self.db.platform().read(read).await
    }

    /// The new signature counter, if the passkey answered the challenge that this browser was sent, for the first time.
    async fn checked_answer(
        &self,
        purpose: Purpose,
        party: &RelyingParty,
        (kept, assertion): (Option<&str>, &Assertion),
        passkey: &PasskeyRow,
    ) -> Result<Result<u32, CeremonyError>> {
        let Some(challenge) = self.opened_challenge(purpose, kept) else {
            return Ok(Err(CeremonyError::Challenge));
        };
        let scope = *Caller::system(passkey.tenant).scope();
        if !self.spend_challenge(&scope, &challenge).await? {
            return Ok(Err(CeremonyError::Challenge));
        }
        let known = (ceremony::part(&passkey.public_key), passkey.signature_count);
        Ok(ceremony::asserted(party, &challenge.token, assertion, (&known.0, known.1)))
    }

    /// Confirms with a passkey of the account who it is, as [`prove`](crate::Access::prove) does with the password.
    pub async fn prove_with_passkey(
        &self,
        session: &Session,
        party: &RelyingParty,
        (kept, assertion): (Option<&str>, &Assertion),
        visitor: &Visitor,
    ) -> Result<Proof> {
        let (scope, id, email) = (*session.caller.scope(), session.user.id, session.user.email.as_str());
        let attempt = self.sign_in_throttle.attempt_signed_in(email, self.clock.now()).await;
        let attempt = attempt.map_err(|too_many| {
            Error::invalid(FIELD, AccountComplaint::TriedTooOften { seconds: too_many.retry_after })
        })?;
        let event = |event: SecurityEvent| event.of(scope.tenant(), id).from(visitor.address);
        let refused = |reason| {
            self.note(event(SecurityEvent::refused(What::Proof)).because(reason));
            Error::invalid(FIELD, AccountComplaint::PasskeyRefused)
        };
        let named = BASE64.encode(&assertion.credential_id);
        let own = self.passkeys(session).await?;
        let believed = match own.into_iter().find(|passkey| passkey.credential_id == named) {
            Some(passkey) => self
                .checked_answer(Purpose::Proof(session.id), party, (kept, assertion), &passkey)
                .await?
                .map(|counter| (passkey, counter))
                .map_err(CeremonyError::reason),
            None => Err("passkey_unknown"),
        };
        let (passkey, counter) = match believed {
            Ok(believed) => believed,
            Err(reason) => {
                attempt.failed(self.clock.now());
                return Err(refused(reason));
            }
        };
        let (actor, now, here) = (session.caller.actor(), self.clock.now(), session.id);
        let detail = json!({ "address": visitor.address.to_string(), "means": MEANS });
        let token = Token::random();
        let digest = token.digest();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let count = (passkey.signature_count, counter);
                if !rows::note_use(tx, &scope, passkey.id, count, now)?
                    || !sessions::prove(tx, here, &digest, now)?
                {
                    return Err(Error::NotFound);
                }
                audit::record(tx, actor, now, "user.proved", id, &detail)
            })
            .await?;
        attempt.succeeded();
        self.note(event(SecurityEvent::allowed(What::Proof)).because(MEANS));
        Ok(Proof::given(session, token, now))
    }
}
