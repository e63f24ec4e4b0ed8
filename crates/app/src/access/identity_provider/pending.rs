//! What a sign-in remembers while its person is at the provider, and how it is recognised when it comes back.

use domain::{
    id::{SessionId, TenantId, UserId},
    identity_provider::IdentityProvider,
    moment::Moment,
};
use serde::{Deserialize, Serialize};
use store::{
    Reader,
    identity_provider::{self as rows, ProviderRow},
    tenant as tenants,
};
use subtle::ConstantTimeEq as _;

use super::{
    account::Refusal,
    sign_in::{Returned, SIGN_IN_SECONDS},
};
use crate::{Access, Error, Result, authz::Caller, tenant::TenantRow, token::Token};

pub(super) const CONTEXT: &str = "provider sign-in";
/// What a cookie has room for.
const MAX_KEPT: usize = 4_000;

/// What is remembered between going and coming back.
#[derive(Serialize, Deserialize)]
pub(super) struct PendingSignIn {
    pub(super) token: String,
    pub(super) tenant: String,
    pub(super) issuer: String,
    pub(super) client_id: String,
    pub(super) next: String,
    /// Whether the provider is to ask again who it is.
    pub(super) again: bool,
    /// The session that the person agreed to leave; none in a sign-in that an earlier version began.
    #[serde(default)]
    pub(super) replaces: Option<String>,
    pub(super) at: i64,
}

/// A sign-in that came back to the browser that began it.
pub(super) struct Pending {
    pub(super) kept: PendingSignIn,
    pub(super) token: Token,
    pub(super) tenant: TenantRow,
    pub(super) row: ProviderRow,
}

impl Pending {
    pub(super) fn settings(&self) -> &IdentityProvider {
        &self.row.settings
    }

    pub(super) fn may_replace(&self, session: SessionId) -> bool {
        self.kept.replaces.as_deref() == Some(session.to_string().as_str())
    }
}

/// Why a sign-in ends, with a word for the security events and the account it was for, where that is known.
pub(super) struct Stop {
    pub(super) refusal: Refusal,
    pub(super) reason: &'static str,
    pub(super) user: Option<UserId>,
}

impl Stop {
    pub(super) fn new(refusal: Refusal, reason: &'static str) -> Self {
        Self { refusal, reason, user: None }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal, refusal.reason())
    }
}

pub(super) fn state(token: &Token) -> String {
    token.derive("oidc state")
}

pub(super) fn nonce(token: &Token) -> String {
    token.derive("oidc nonce")
}

pub(super) fn verifier(token: &Token) -> String {
    token.derive("oidc verifier")
}

fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

impl Access {
    /// The sign-in that this browser began and that comes back now, for the first time.
    pub(super) async fn pending_sign_in(
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
}
