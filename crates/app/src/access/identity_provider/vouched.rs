//! The person a provider vouches for: the code is redeemed, the token checked, and what it leaves out asked for.

use domain::identity_provider::IdentityProvider;
use outbound::identity::ProviderClient;

use super::{
    account::Refusal,
    discovery::{Provider, ProviderFault, Redemption, Tokens},
    id_token::{self, Expected, Person, TokenError},
    jws::{KeySet, SignatureError},
    pending::{Pending, Stop, nonce, verifier},
    sign_in::Returned,
};
use crate::{Access, Result, session::Visitor};

const MAX_CODE: usize = 4_096;

impl Access {
    /// Redeems the code and believes what it was redeemed for, or says why not.
    pub(super) async fn vouched_person(
        &self,
        pending: &Pending,
        returned: &Returned,
        visitor: &Visitor,
    ) -> Result<Result<Person, Stop>> {
        let settings = pending.settings();
        let client = &self.provider_client(&pending.tenant, &settings.issuer).await?;
        let stopped = |trouble: &ProviderFault| -> Stop {
            tracing::warn!(tenant = %pending.tenant.id, %trouble, "a sign-in with an identity provider failed");
            match trouble {
                ProviderFault::Call { .. } => Refusal::Unreachable.into(),
                ProviderFault::Code { .. } => Stop::new(Refusal::Untrusted, "oidc_code"),
                _ => Refusal::Untrusted.into(),
            }
        };
        let provider =
            match self.providers.get(client, (pending.tenant.id, &settings.issuer), self.clock.now()).await {
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
        let believed = match self.believed(pending, (&provider, client), &tokens).await {
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
        match complete(client, settings, &provider, person, tokens.access_token.as_deref()).await {
            Ok(person) => Ok(Ok(person)),
            Err(trouble) => Ok(Err(stopped(&trouble))),
        }
    }

    /// Checks the token, with keys fetched again where it is signed with one that is not known.
    async fn believed(
        &self,
        pending: &Pending,
        (provider, client): (&Provider, &ProviderClient<'_>),
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
                let keys = provider.keys_again(client, now).await?;
                Ok(read(&keys))
            }
            other => Ok(other),
        }
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
    client: &ProviderClient<'_>,
    settings: &IdentityProvider,
    provider: &Provider,
    person: Person,
    access_token: Option<&str>,
) -> Result<Person, ProviderFault> {
    let groups = settings.groups_claim.as_ref().filter(|_| !settings.group_roles.is_empty());
    let left_out = person.email().is_none() || groups.is_some_and(|claim| !person.has(claim.as_str()));
    let Some(access_token) = access_token.filter(|_| left_out) else { return Ok(person) };
    let user_info = provider.person(client, (&person.subject, access_token)).await?;
    Ok(match user_info {
        Some(user_info) => person.completed(user_info),
        None => person,
    })
}
