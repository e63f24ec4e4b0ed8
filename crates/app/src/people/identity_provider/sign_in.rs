//! The way to a provider and back (OpenID Connect Core 1.0, code flow with PKCE).
//!
//! What a sign-in must remember travels in a cookie of the browser that began it, sealed, for ten minutes; the store
//! only notes that a sign-in came back, so that none comes back twice. Everything that is sent to the provider (state,
//! nonce, PKCE verifier) follows from one random token in that cookie, each in a way that does not tell the others.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use domain::{
    id::{TenantId, UserId},
    identity_provider::IdentityProvider,
    moment::Moment,
    tenant::Slug,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use store::{
    Reader,
    identity_provider::{self as rows, ProviderRow},
    tenant as tenants,
    user::UserRow,
};
use subtle::ConstantTimeEq as _;

use super::{
    account::{Admission, Arrival, Refusal},
    discovery::{Provider, ProviderFault, Redemption, Tokens},
    found_by,
    id_token::{self, Expected, Person, TokenError},
    jws::{KeySet, SignatureError},
};
use crate::{
    App, Error, Result,
    authz::{Caller, PROOF_SECONDS},
    security::{SecurityEvent, What},
    session::Visitor,
    sign_in::{Opening, SignInResult},
    tenant::TenantRow,
    token::Token,
};

/// How long a person may take at the provider.
pub const SIGN_IN_SECONDS: i64 = 10 * 60;
const CONTEXT: &str = "provider sign-in";
/// What a cookie has room for.
const MAX_NEXT: usize = 1_000;
const MAX_KEPT: usize = 4_000;
const MAX_CODE: usize = 4_096;
/// How the audit log and the security events call it.
const MEANS: &str = "oidc";

/// A sign-in that has begun.
pub struct Begun {
    /// Where the browser goes.
    pub address: String,
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

/// What is remembered between going and coming back.
#[derive(Serialize, Deserialize)]
struct PendingSignIn {
    token: String,
    tenant: String,
    issuer: String,
    client_id: String,
    next: String,
    /// Whether the provider is to ask again who it is.
    again: bool,
    at: i64,
}

/// A sign-in that came back to the browser that began it.
struct Pending {
    kept: PendingSignIn,
    token: Token,
    tenant: TenantRow,
    row: ProviderRow,
}

impl Pending {
    fn settings(&self) -> &IdentityProvider {
        &self.row.settings
    }
}

/// Why a sign-in ends, with a word for the security events and the account it was for, where that is known.
struct Stop {
    refusal: Refusal,
    reason: &'static str,
    user: Option<UserId>,
}

impl Stop {
    fn new(refusal: Refusal, reason: &'static str) -> Self {
        Self { refusal, reason, user: None }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal, refusal.reason())
    }
}

fn state(token: &Token) -> String {
    token.derive("oidc state")
}

fn nonce(token: &Token) -> String {
    token.derive("oidc nonce")
}

fn verifier(token: &Token) -> String {
    token.derive("oidc verifier")
}

fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

impl App {
    /// Begins a sign-in with the provider of a tenant. `again` asks the provider for a fresh proof.
    pub async fn begin_sign_in(
        &self,
        slug: &str,
        next: &str,
        again: bool,
        visitor: &Visitor,
    ) -> Result<Result<Begun, Refusal>> {
        let slug = slug.parse::<Slug>().map(|slug| slug.to_string()).unwrap_or_default();
        let found = self.db.platform().read(move |r| found_by(r, &slug)).await?;
        let Some((tenant, row)) = found else {
            self.note_stopped(None, visitor, Refusal::NoProvider.reason());
            return Ok(Err(Refusal::NoProvider));
        };
        let settings = &row.settings;
        let provider = self.providers.get(&self.senders.identity, &settings.issuer, self.clock.now()).await;
        let provider = match provider {
            Ok(provider) => provider,
            Err(trouble) => {
                self.note_trouble(tenant.id, visitor, &trouble);
                return Ok(Err(Refusal::Unreachable));
            }
        };
        let token = Token::random();
        let kept = PendingSignIn {
            token: token.reveal().to_owned(),
            tenant: tenant.id.to_string(),
            issuer: settings.issuer.as_str().to_owned(),
            client_id: settings.client_id.as_str().to_owned(),
            next: if next.len() > MAX_NEXT { String::new() } else { next.to_owned() },
            again,
            at: self.clock.now().millis(),
        };
        let json = serde_json::to_string(&kept).map_err(Error::internal)?;
        let address = self.way_there(settings, &provider, &token, again);
        Ok(Ok(Begun { address, kept: self.vault.seal(CONTEXT, &json)? }))
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

    /// Finishes a sign-in that came back from the provider.
    pub async fn finish_sign_in(
        &self,
        kept: Option<&str>,
        returned: &Returned,
        visitor: &Visitor,
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
        match self.sign_in_with(&pending, returned, visitor).await? {
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

    /// The sign-in that this browser began and that comes back now, for the first time.
    async fn pending_sign_in(
        &self,
        kept: Option<&str>,
        returned: &Returned,
    ) -> Result<Result<Pending, Stop>> {
        let lapsed = || Ok(Err(Refusal::Lapsed.into()));
        let Some((kept, token)) = kept.and_then(|sealed| self.opened(sealed)) else { return lapsed() };
        if !same(returned.state.as_deref().unwrap_or_default(), &state(&token)) {
            return lapsed();
        }
        let now = self.clock.now();
        let begun = Moment::from_millis(kept.at);
        if !(0..SIGN_IN_SECONDS).contains(&begun.seconds_until(now)) {
            return lapsed();
        }
        let Ok(tenant) = kept.tenant.parse::<TenantId>() else { return lapsed() };
        let scope = *Caller::system(tenant).scope();
        let read = move |r: &mut Reader<'_>| {
            let tenant = tenants::by_id(r, tenant)?.filter(|tenant| tenant.closed_at.is_none());
            Ok::<_, Error>(tenant.zip(rows::get(r, &scope)?))
        };
        let Some((tenant, row)) = self.db.platform().read(read).await? else {
            return Ok(Err(Refusal::NoProvider.into()));
        };
        // The settings may have changed meanwhile; a code is only taken to the provider that gave it.
        let settings = &row.settings;
        if settings.issuer.as_str() != kept.issuer || settings.client_id.as_str() != kept.client_id {
            return lapsed();
        }
        let (digest, ends) = (token.digest(), begun.plus_seconds(SIGN_IN_SECONDS));
        let first = self.db.platform().bookkeep(move |tx| rows::finish(tx, &scope, &digest, ends)).await?;
        Ok(if first { Ok(Pending { kept, token, tenant, row }) } else { Err(Refusal::Lapsed.into()) })
    }

    fn opened(&self, sealed: &str) -> Option<(PendingSignIn, Token)> {
        let json = Some(sealed).filter(|sealed| sealed.len() <= MAX_KEPT)?;
        let kept: PendingSignIn = serde_json::from_str(&self.vault.open(CONTEXT, json).ok()?).ok()?;
        let token = Token::parse(&kept.token)?;
        Some((kept, token))
    }

    async fn sign_in_with(
        &self,
        pending: &Pending,
        returned: &Returned,
        visitor: &Visitor,
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
        self.post_user_mail();
        if user.has_second_factor && !saw_factor {
            return Ok(Ok(self.ask_for_code(&user, visitor).await?));
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
        let (app, scope) = (self.clone(), *opening.caller.scope());
        self.db.tenant(&scope).write(move |tx| opening.write(&app, tx, MEANS)).await?;
        self.note_entry(user, visitor, MEANS);
        Ok(token)
    }

    /// Redeems the code and believes what it was redeemed for, or says why not.
    async fn vouched_person(
        &self,
        pending: &Pending,
        returned: &Returned,
        visitor: &Visitor,
    ) -> Result<Result<Person, Stop>> {
        let (settings, client) = (pending.settings(), &self.senders.identity);
        let stopped = |trouble: &ProviderFault| -> Stop {
            tracing::warn!(tenant = %pending.tenant.id, %trouble, "a sign-in with an identity provider failed");
            match trouble {
                ProviderFault::Call { .. } => Refusal::Unreachable.into(),
                ProviderFault::Code { .. } => Stop::new(Refusal::Untrusted, "oidc_code"),
                _ => Refusal::Untrusted.into(),
            }
        };
        let provider = match self.providers.get(client, &settings.issuer, self.clock.now()).await {
            Ok(provider) => provider,
            Err(trouble) => return Ok(Err(stopped(&trouble))),
        };
        if !is_answer_of(returned, settings, &provider) {
            return Ok(Err(Stop::new(Refusal::Untrusted, "oidc_issuer")));
        }
        let code = returned.code.as_deref().filter(|code| !code.is_empty() && code.len() <= MAX_CODE);
        let Some(code) = code.filter(|_| returned.error.is_none()) else {
            return Ok(Err(Refusal::Declined.into()));
        };
        let secret = self.opened_secret(pending.tenant.id, &pending.row)?;
        let redemption =
            Redemption { code, redirect_uri: &self.callback_address(), verifier: &verifier(&pending.token) };
        let client_of = (settings.client_id.as_str(), secret.as_deref());
        let tokens = match provider.redeem(client, client_of, &redemption).await {
            Ok(tokens) => tokens,
            Err(trouble) => return Ok(Err(stopped(&trouble))),
        };
        let believed = match self.believed(pending, &provider, &tokens).await {
            Ok(believed) => believed,
            Err(trouble) => return Ok(Err(stopped(&trouble))),
        };
        let person = match believed {
            Ok(person) => person,
            Err(error) => {
                tracing::warn!(tenant = %pending.tenant.id, address = %visitor.address, %error,
                    "a token of an identity provider is not believed");
                return Ok(Err(Stop::new(Refusal::Untrusted, error.reason())));
            }
        };
        match complete(self, settings, &provider, person, tokens.access_token.as_deref()).await {
            Ok(person) => Ok(Ok(person)),
            Err(trouble) => Ok(Err(stopped(&trouble))),
        }
    }

    /// Checks the token, with keys fetched again where it is signed with one that is not known.
    async fn believed(
        &self,
        pending: &Pending,
        provider: &Provider,
        tokens: &Tokens,
    ) -> Result<Result<Person, TokenError>, ProviderFault> {
        let (settings, now) = (pending.settings(), self.clock.now());
        let nonce = nonce(&pending.token);
        let expected = Expected {
            issuer: settings.issuer.as_str(),
            client_id: settings.client_id.as_str(),
            nonce: &nonce,
            access_token: tokens.access_token.as_deref(),
            now,
        };
        let read = |keys: &KeySet| id_token::read(&tokens.id_token, keys, expected);
        match read(&provider.keys()) {
            Err(TokenError::Signature(SignatureError::UnknownKey)) => {
                let keys = provider.keys_again(&self.senders.identity, now).await?;
                Ok(read(&keys))
            }
            other => Ok(other),
        }
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

/// Whether an answer says that it is of this provider, where it says so at all or must (RFC 9207).
fn is_answer_of(returned: &Returned, settings: &IdentityProvider, provider: &Provider) -> bool {
    match &returned.iss {
        Some(issuer) => issuer == settings.issuer.as_str(),
        None => !provider.names_issuer(),
    }
}

/// Asks the provider for what the token leaves out.
async fn complete(
    app: &App,
    settings: &IdentityProvider,
    provider: &Provider,
    person: Person,
    access_token: Option<&str>,
) -> Result<Person, ProviderFault> {
    let groups = settings.groups_claim.as_ref().filter(|_| !settings.group_roles.is_empty());
    let left_out = person.email().is_none() || groups.is_some_and(|claim| !person.has(claim.as_str()));
    let Some(access_token) = access_token.filter(|_| left_out) else { return Ok(person) };
    let user_info = provider.person(&app.senders.identity, (&person.subject, access_token)).await?;
    Ok(match user_info {
        Some(user_info) => person.completed(user_info),
        None => person,
    })
}
