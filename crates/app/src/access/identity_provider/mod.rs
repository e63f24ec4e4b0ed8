//! Signing in by OpenID Connect: the provider of a tenant, as its administrators set it up and try it.
//!
//! [`sign_in`] holds the way there and back, `pending` what is remembered meanwhile, `vouched` how the answer is
//! redeemed, `id_token` what of it is believed, [`account`] whose account a person gets. Accounts with a password of
//! their own go on beside it.

mod account;
mod discovery;
mod id_token;
mod jws;
mod pending;
pub mod sign_in;
mod vouched;

use domain::{
    id::TenantId,
    identity_provider::{
        EmailDomain, IdentityProvider, IdentityProviderComplaint, IdentityProviderInput, Issuer,
    },
    right::{Resource, Right},
    tenant::Slug,
    text::Name,
    user::Email,
};
pub use outbound::identity::CallError;
use outbound::identity::{Calling, ProviderClient};
use serde_json::{Value, json};
use store::{
    Reader,
    identity_provider::{self as rows, ProviderRow},
    tenant as tenants,
};
use url::Url;

pub(crate) use self::discovery::Providers;
pub use self::{
    account::Refusal,
    discovery::{ProviderFault, Step},
};
use crate::{
    Access, Error, Result, audit, authz::Caller, last_administrator, security::What, session::Visitor,
    tenant::TenantRow, token::Token,
};

/// Where the provider sends people back to.
pub const CALLBACK: &str = "/workspace/sign-in/callback";
/// The longest secret a provider hands out.
pub const MAX_SECRET: usize = 1_000;
/// The most institutions offered to an address whose domain several of them name.
const MOST_OFFERED: u32 = 5;

/// A tenant's settings, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub settings: IdentityProvider,
    pub has_secret: bool,
}

/// What is said about a provider to a person who is about to sign in with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrance {
    /// The short name, which names the institution: the full one is shown to its own people only.
    pub slug: Slug,
    pub label: Name,
    /// The host people are sent to.
    pub host: String,
}

/// What was found for a person who says which institution is theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Entrances(Vec<Entrance>),
    /// This client asked for too much that does not exist.
    TooMany {
        retry_after: u64,
    },
}

/// What the sign-in page offers besides a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offer {
    Nothing,
    /// Several institutions: which one is asked for first.
    Ask,
    /// The only institution has a provider.
    Direct(Entrance),
}

pub(crate) fn secret_context(tenant: TenantId) -> String {
    format!("identity-provider:{tenant}")
}

impl Access {
    /// Where the provider must be allowed to send people back to.
    pub fn callback_address(&self) -> String {
        format!("{}{CALLBACK}", self.senders.public_url)
    }

    /// The tenant's provider, if it has one.
    pub async fn identity_provider(&self, caller: &Caller) -> Result<Option<Chosen>> {
        caller.require_right(Resource::SignIn, Right::Write)?;
        let scope = *caller.scope();
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope)).await?;
        Ok(found.map(|row| Chosen { settings: row.settings, has_secret: row.sealed_secret.is_some() }))
    }

    /// Sets the provider up, or changes it. Without a new secret the one before stays, unless the issuer is another:
    /// a secret is never shown to a server that it does not belong to.
    pub async fn set_identity_provider(
        &self,
        caller: &Caller,
        input: &IdentityProviderInput,
        secret: &str,
    ) -> Result<()> {
        caller.require_right(Resource::SignIn, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        let settings = input.checked()?;
        let sealed = self.sealed_secret(scope.tenant(), secret)?;
        self.providers.forget(scope.tenant(), &settings.issuer);
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope)?;
                let kept = before.as_ref().filter(|row| row.settings.issuer == settings.issuer);
                let kept = kept.and_then(|row| row.sealed_secret.clone());
                let row = ProviderRow {
                    settings: settings.clone(),
                    sealed_secret: sealed.clone().or(kept),
                    updated_at: now,
                };
                rows::put(tx, &scope, &row)?;
                let before = before.map(|row| described(&row.settings));
                let detail =
                    json!({ "before": before, "after": described(&row.settings), "new_secret": sealed.is_some() });
                audit::record(tx, actor, now, "identity_provider.changed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::IdentityProvider, "changed");
        Ok(())
    }

    fn sealed_secret(&self, tenant: TenantId, secret: &str) -> Result<Option<String>> {
        let secret = secret.trim();
        if secret.is_empty() {
            return Ok(None);
        }
        if secret.chars().count() > MAX_SECRET || secret.chars().any(char::is_control) {
            let too_long = IdentityProviderComplaint::SecretTooLong { most: MAX_SECRET };
            return Err(Error::invalid("client_secret", too_long));
        }
        Ok(Some(self.vault.seal_for(tenant, &secret_context(tenant), secret)?))
    }

    pub(crate) fn opened_secret(&self, tenant: TenantId, row: &ProviderRow) -> Result<Option<String>> {
        let open = |sealed: &String| self.vault.open_for(tenant, &secret_context(tenant), sealed);
        row.sealed_secret.as_ref().map(open).transpose().map_err(Error::from)
    }

    /// Switches the sign-in with the provider off. Who was linked stays linked, for the day it comes back.
    pub async fn remove_identity_provider(&self, caller: &Caller) -> Result<()> {
        caller.require_right(Resource::SignIn, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope)?.ok_or(Error::NotFound)?;
                last_administrator::take_away(tx, &scope, "issuer", |tx| {
                    rows::delete(tx, &scope)?;
                    Ok(())
                })?;
                let detail = json!({ "before": described(&before.settings) });
                audit::record(tx, actor, now, "identity_provider.removed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::IdentityProvider, "removed");
        Ok(())
    }

    /// Asks the provider everything that can be asked without a person, and says what is wrong.
    pub async fn check_identity_provider(&self, caller: &Caller) -> Result<Vec<ProviderFault>> {
        caller.require_right(Resource::SignIn, Right::Write)?;
        let (now, scope) = (self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope)).await?;
        let Some(row) = found else {
            return Err(Error::invalid("issuer", IdentityProviderComplaint::NoProvider));
        };
        let secret = self.opened_secret(scope.tenant(), &row)?;
        let tenant = self.tenant_of(caller).await?;
        let client = &self.provider_client(&tenant, &row.settings.issuer).await?;
        Ok(self.troubles((&tenant, client), &row.settings, secret.as_deref()).await)
    }

    /// What calls the provider of a tenant, within what the operator allows it to reach.
    pub(crate) async fn provider_client(
        &self,
        tenant: &TenantRow,
        issuer: &Issuer,
    ) -> Result<ProviderClient<'_>> {
        let alone = self.db.platform().read(|r| tenants::count_up_to(r, 2)).await? == 1;
        let url = Url::parse(issuer.as_str()).map_err(Error::internal)?;
        Ok(self.senders.identity.calling(&url, Calling { slug: tenant.slug.as_str(), alone }))
    }

    async fn troubles(
        &self,
        (tenant, client): (&TenantRow, &ProviderClient<'_>),
        settings: &IdentityProvider,
        secret: Option<&str>,
    ) -> Vec<ProviderFault> {
        self.providers.forget(tenant.id, &settings.issuer);
        let provider = match self.providers.get(client, (tenant.id, &settings.issuer), self.clock.now()).await
        {
            Ok(provider) => provider,
            Err(trouble) => return vec![trouble],
        };
        let mut found = Vec::new();
        if provider.keys().usable() == 0 {
            found.push(ProviderFault::NoKeys);
        }
        if !provider.knows_pkce() {
            found.push(ProviderFault::NoPkce);
        }
        // A made-up code is refused either way; the reason tells whether the provider knows client and secret.
        let made_up = discovery::Redemption {
            code: "tidewall-connection-check",
            redirect_uri: &self.callback_address(),
            verifier: "tidewall-connection-check-tidewall-connection-check",
        };
        match provider.redeem(client, (settings.client_id.as_str(), secret), &made_up).await {
            Ok(_) | Err(ProviderFault::Code { .. }) => {}
            Err(trouble) => found.push(trouble),
        }
        found
    }

    /// The providers a person may sign in with, by the short name of the institution or by their address: several where
    /// several institutions name the domain. A client that keeps asking for what does not exist is slowed down, so that
    /// the institutions cannot be found by guessing.
    pub async fn entrances(&self, typed: &str, visitor: &Visitor) -> Result<Found> {
        let now = self.clock.now();
        // Counted like an account of its own: only the address it comes from is slowed down.
        let attempt = self.sign_in_throttle.attempt(Token::random().reveal(), visitor.address, now).await;
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err(too_many) => return Ok(Found::TooMany { retry_after: too_many.retry_after }),
        };
        let typed = typed.trim().to_lowercase();
        let found = self.db.platform().read(move |r| all_found_by(r, &typed)).await?;
        if found.is_empty() {
            attempt.failed(self.clock.now());
        }
        Ok(Found::Entrances(found.iter().map(|(tenant, row)| entrance(tenant, row)).collect()))
    }

    /// What the sign-in page offers besides a password.
    pub async fn sign_in_offer(&self) -> Result<Offer> {
        let read = |r: &mut Reader<'_>| {
            let Some((tenant, alone)) = rows::any(r)? else { return Ok(Offer::Nothing) };
            if !alone {
                return Ok(Offer::Ask);
            }
            let Some(tenant) = tenants::by_id(r, tenant)? else { return Ok(Offer::Nothing) };
            let found = found_by(r, tenant.slug.as_str())?;
            Ok::<_, Error>(
                found.map_or(Offer::Nothing, |(tenant, row)| Offer::Direct(entrance(&tenant, &row))),
            )
        };
        self.db.platform().read(read).await
    }

    /// The provider of the tenant a caller belongs to, for those who sign in with it.
    pub async fn own_entrance(&self, caller: &Caller) -> Result<Option<Entrance>> {
        let (tenant, scope) = (self.tenant_of(caller).await?, *caller.scope());
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope)).await?;
        Ok(found.map(|row| entrance(&tenant, &row)))
    }
}

fn entrance(tenant: &TenantRow, row: &ProviderRow) -> Entrance {
    Entrance {
        slug: tenant.slug.clone(),
        label: row.settings.label.clone(),
        host: row.settings.issuer.host().to_owned(),
    }
}

/// By an address, or else by a short name.
fn all_found_by(reader: &mut Reader<'_>, typed: &str) -> Result<Vec<(TenantRow, ProviderRow)>> {
    let Ok(email) = typed.parse::<Email>() else {
        return Ok(found_by(reader, typed)?.into_iter().collect());
    };
    let mut found = Vec::new();
    for id in rows::tenants_of_domain(reader, &EmailDomain::of(&email), MOST_OFFERED)? {
        if let Some(tenant) = tenants::by_id(reader, id)? {
            found.extend(with_provider(reader, tenant)?);
        }
    }
    Ok(found)
}

fn found_by(reader: &mut Reader<'_>, slug: &str) -> Result<Option<(TenantRow, ProviderRow)>> {
    let Ok(slug) = slug.parse::<Slug>() else { return Ok(None) };
    match tenants::by_slug(reader, &slug)? {
        Some(tenant) => with_provider(reader, tenant),
        None => Ok(None),
    }
}

fn with_provider(reader: &mut Reader<'_>, tenant: TenantRow) -> Result<Option<(TenantRow, ProviderRow)>> {
    if tenant.closed_at.is_some() {
        return Ok(None);
    }
    let scope = *Caller::system(tenant.id).scope();
    Ok(rows::get(reader, &scope)?.map(|row| (tenant, row)))
}

/// The settings as the audit log keeps them.
fn described(settings: &IdentityProvider) -> Value {
    let groups: Vec<String> = settings.group_roles.iter().map(ToString::to_string).collect();
    let domains: Vec<&str> = settings.domains.iter().map(EmailDomain::as_str).collect();
    json!({
        "issuer": settings.issuer.as_str(),
        "client_id": settings.client_id.as_str(),
        "scopes": settings.scopes,
        "groups_claim": settings.groups_claim.as_ref().map(Name::as_str),
        "group_roles": groups,
        "creates_accounts": settings.creates_accounts,
        "default_role": settings.default_role.map(domain::user::Role::as_str),
        "domains": domains,
        "factor_values": settings.factor_values,
        "label": settings.label.as_str(),
    })
}
