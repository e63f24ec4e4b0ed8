//! The way to a provider and back (OpenID Connect Core 1.0, code flow with PKCE).
//!
//! What a sign-in must remember travels in a cookie of the browser that began it, sealed, for ten minutes; the store
//! only notes that a sign-in came back, so that none comes back twice. Everything that is sent to the provider (state,
//! nonce, PKCE verifier) follows from one random token in that cookie, each in a way that does not tell the others.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use domain::{
    id::{SessionId, TenantId},
    identity_provider::IdentityProvider,
    tenant::Slug,
};
use sha2::{Digest as _, Sha256};
use store::user::UserRow;

use super::{
    account::{Admission, Arrival, Refusal},
    discovery::{Provider, ProviderFault},
    found_by,
    pending::{CONTEXT, Pending, PendingSignIn, Stop, nonce, state, verifier},
};
use crate::{
    Access, Error, Result,
    authz::{Caller, PROOF_SECONDS},
    security::{SecurityEvent, What},
    session::{Session, Visitor},
    sign_in::{Opening, SignInResult},
    token::Token,
};

/// How long a person may take at the provider.
pub const SIGN_IN_SECONDS: i64 = 10 * 60;
/// What a cookie has room for.
const MAX_NEXT: usize = 1_000;
/// How the audit log and the security events call it.
const MEANS: &str = "oidc";

/// How a sign-in is begun.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'w> {
    /// Where it leads to.
    pub next: &'w str,
    /// Whether the provider is asked for a fresh proof.
    pub again: bool,
    /// The open session of this browser that the person agreed to leave for another account.
    pub replaces: Option<SessionId>,
}

/// A sign-in that has begun.
pub struct Begun {
    /// Where the browser goes.
    pub address: String,
    pub host: String,
    /// What the browser keeps until it comes back.
    pub kept: String,
}

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Begun(…)")
    }
}

/// What the browser brings back from the provider.
#[derive(Clone, Default)]
pub struct Returned {
    pub code: Option<String>,
    pub state: Option<String>,
    pub iss: Option<String>,
    pub error: Option<String>,
}

impl fmt::Debug for Returned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Returned(…)")
    }
}

/// What came of a sign-in.
#[derive(Debug)]
pub enum Finished {
    /// On to the page that was asked for at first.
    Entered {
        entry: SignInResult,
        next: String,
    },
    Refused(Refusal),
}

impl Access {
    /// Begins a sign-in with the provider of a tenant.
    pub async fn begin_sign_in(
        &self,
        slug: &str,
        Wanted { next, again, replaces }: Wanted<'_>,
        visitor: &Visitor,
    ) -> Result<Result<Begun, Refusal>> {
        let slug = slug.parse::<Slug>().map(|slug| slug.to_string()).unwrap_or_default();
        let token = Token::random();
        let now = self.clock.now();
        let attempt = match self.sign_in_throttle.attempt(token.reveal(), visitor.address, now).await {
            Ok(attempt) => attempt,
            Err(too_many) => return Ok(Err(Refusal::TooMany { retry_after: too_many.retry_after })),
        };
        let found = self.db.platform().read(move |r| found_by(r, &slug)).await?;
        let Some((tenant, row)) = found else {
            attempt.failed(now);
            self.note_stopped(None, visitor, Refusal::NoProvider.reason());
            return Ok(Err(Refusal::NoProvider));
        };
        let settings = &row.settings;
        let client = self.provider_client(&tenant, &settings.issuer).await?;
        let asked = (tenant.id, &settings.issuer);
        let provider = match self.providers.get(&client, asked, self.clock.now()).await {
            Ok(provider) => provider,
            Err(trouble) => {
                self.note_trouble(tenant.id, visitor, &trouble);
                return Ok(Err(Refusal::Unreachable));
            }
        };
        let kept = PendingSignIn {
            token: token.reveal().to_owned(),
            tenant: tenant.id.to_string(),
            issuer: settings.issuer.as_str().to_owned(),
            client_id: settings.client_id.as_str().to_owned(),
            next: if next.len() > MAX_NEXT { String::new() } else { next.to_owned() },
            again,
            replaces: replaces.map(|session| session.to_string()),
            at: self.clock.now().millis(),
        };
        let json = serde_json::to_string(&kept).map_err(Error::internal)?;
        let address = self.way_there(settings, &provider, &token, again);
        let host = provider.authorization_endpoint().host_str().unwrap_or_default().to_owned();
        Ok(Ok(Begun { address, host, kept: self.vault.seal(CONTEXT, &json)? }))
    }

    fn way_there(
        &self,
        settings: &IdentityProvider,
        provider: &Provider,
        token: &Token,
        again: bool,
    ) -> String {
        let mut address = provider.authorization_endpoint();
        let challenge = BASE64.encode(Sha256::digest(verifier(token).as_bytes()));
        {
            let mut query = address.query_pairs_mut();
            query
                .append_pair("response_type", "code")
                .append_pair("client_id", settings.client_id.as_str())
                .append_pair("redirect_uri", &self.callback_address())
                .append_pair("scope", &settings.scopes.join(" "))
                .append_pair("state", &state(token))
                .append_pair("nonce", &nonce(token))
                .append_pair("code_challenge", &challenge)
                .append_pair("code_challenge_method", "S256");
            if !settings.factor_values.is_empty() {
                query.append_pair("acr_values", &settings.factor_values.join(" "));
            }
            if again {
                query.append_pair("prompt", "login").append_pair("max_age", "0");
            }
        }
        address.into()
    }

    /// Finishes a sign-in that came back from the provider, to a browser with this session, if one is open in it.
    pub async fn finish_sign_in(
        &self,
        kept: Option<&str>,
        returned: &Returned,
        (visitor, open): (&Visitor, Option<&Session>),
    ) -> Result<Finished> {
        let pending = match self.pending_sign_in(kept, returned).await? {
            Ok(pending) => pending,
            Err(stop) => {
                self.note_stopped(None, visitor, stop.reason);
                return Ok(Finished::Refused(stop.refusal));
            }
        };
        // Every sign-in counts as an account of its own: only the address it comes from is slowed down, so that no one
        // can make the people of an institution wait.
        let attempt =
            self.sign_in_throttle.attempt(&pending.token.digest(), visitor.address, self.clock.now()).await;
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err(too_many) => {
                let refusal = Refusal::TooMany { retry_after: too_many.retry_after };
                self.note_stopped(Some(pending.tenant.id), visitor, refusal.reason());
                return Ok(Finished::Refused(refusal));
            }
        };
        let tenant = pending.tenant.id;
        match self.sign_in_with(&pending, returned, (visitor, open)).await? {
            Ok(entry) => {
                attempt.succeeded();
                Ok(Finished::Entered { entry, next: pending.kept.next })
            }
            Err(stop) => {
                attempt.failed(self.clock.now());
                match stop.user {
                    Some(user) => {
                        let event = SecurityEvent::refused(What::SignIn).of(tenant, user);
                        self.note(event.from(visitor.address).because(stop.reason));
                    }
                    None => self.note_stopped(Some(tenant), visitor, stop.reason),
                }
                Ok(Finished::Refused(stop.refusal))
            }
        }
    }

    async fn sign_in_with(
        &self,
        pending: &Pending,
        returned: &Returned,
        (visitor, open): (&Visitor, Option<&Session>),
    ) -> Result<Result<SignInResult, Stop>> {
        let person = match self.vouched_person(pending, returned, visitor).await? {
            Ok(person) => person,
            Err(stop) => return Ok(Err(stop)),
        };
        let now = self.clock.now();
        let fresh = person
            .auth_time
            .is_some_and(|at| (-PROOF_SECONDS..PROOF_SECONDS).contains(&at.seconds_until(now)));
        if pending.kept.again && !fresh {
            return Ok(Err(Refusal::NotFresh.into()));
        }
        let saw_factor = pending.settings().saw_second_factor(person.acr.as_deref(), &person.amr);
        let arrival = Arrival {
            scope: *Caller::system(pending.tenant.id).scope(),
            zone: pending.tenant.time_zone.clone(),
            settings: pending.settings().clone(),
            person,
            now,
        };
        let user = match self.admitted(arrival).await? {
            Admission::In(user) => user,
            Admission::Out(refusal, user) => {
                return Ok(Err(Stop { user, ..refusal.into() }));
            }
        };
        self.messages.post_user_mail();
        // Another account never takes the place of an open one without the person's consent.
        let stays = open.is_some_and(|open| open.user.id != user.id && !pending.may_replace(open.id));
        if stays {
            return Ok(Err(Stop { user: Some(user.id), ..Refusal::SignedInElsewhere.into() }));
        }
        if user.has_second_factor && !saw_factor {
            return Ok(Ok(self.ask_for_code(&user, visitor, fresh).await?));
        }
        Ok(Ok(SignInResult::Open(self.open_vouched(&user, visitor, fresh, saw_factor).await?)))
    }

    /// Opens a session. It counts as proved when the person has just shown the provider who they are.
    async fn open_vouched(
        &self,
        user: &UserRow,
        visitor: &Visitor,
        fresh: bool,
        saw_factor: bool,
    ) -> Result<Token> {
        let token = Token::random();
        let mut opening: Opening = self.opening(user, visitor, &token);
        opening.session.proved_at = opening.session.proved_at.filter(|_| fresh);
        opening.session.provider_factor = saw_factor;
        let (this, scope) = (self.clone(), *opening.caller.scope());
        self.db.tenant(&scope).write(move |tx| opening.write(&this, tx, MEANS)).await?;
        self.note_entry(user, visitor, MEANS);
        Ok(token)
    }

    fn note_trouble(&self, tenant: TenantId, visitor: &Visitor, trouble: &ProviderFault) {
        tracing::warn!(%tenant, %trouble, "an identity provider cannot be used");
        self.note_stopped(Some(tenant), visitor, Refusal::Unreachable.reason());
    }

    fn note_stopped(&self, tenant: Option<TenantId>, visitor: &Visitor, reason: &'static str) {
        let event = SecurityEvent::refused(What::SignIn).from(visitor.address).because(reason);
        self.note(match tenant {
            Some(tenant) => event.of_tenant(tenant),
            None => event,
        });
    }
}
