//! Identity providers of tenants, whose identity there belongs to which account, and sign-ins that were finished.

use std::fmt;

use domain::{
    id::{TenantId, UserId},
    identity_provider::{EmailDomain, GroupRole, IdentityProvider, Issuer},
    moment::Moment,
    text::Name,
    user::Role,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row, Value},
    tenant,
};

crate::sql! {
    GET = "SELECT issuer, client_id, scopes, groups_claim, group_roles, creates_accounts, default_role, domains,
                  factor_values, label, sealed_secret, updated_at
           FROM identity_providers WHERE tenant_id = $1";
    PUT = "INSERT INTO identity_providers (tenant_id, issuer, client_id, scopes, groups_claim, group_roles,
                                           creates_accounts, default_role, domains, factor_values, label,
                                           sealed_secret, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           ON CONFLICT (tenant_id) DO UPDATE SET
               issuer = excluded.issuer, client_id = excluded.client_id, scopes = excluded.scopes,
               groups_claim = excluded.groups_claim, group_roles = excluded.group_roles,
               creates_accounts = excluded.creates_accounts, default_role = excluded.default_role,
               domains = excluded.domains, factor_values = excluded.factor_values, label = excluded.label,
               sealed_secret = excluded.sealed_secret, updated_at = excluded.updated_at";
    DELETE = "DELETE FROM identity_providers WHERE tenant_id = $1";
    ADD_DOMAIN = "INSERT INTO identity_domains (domain, tenant_id) VALUES ($2, $1)";
    DELETE_DOMAINS = "DELETE FROM identity_domains WHERE tenant_id = $1";
    BY_DOMAIN = "SELECT tenant_id FROM identity_domains WHERE domain = $1 ORDER BY tenant_id LIMIT $2";
    IDENTITY = "SELECT user_id FROM user_identities WHERE tenant_id = $1 AND issuer = $2 AND subject = $3";
    IS_LINKED = "SELECT subject FROM user_identities WHERE user_id = $2 AND tenant_id = $1 ORDER BY issuer LIMIT 1";
    LINKED_TO = "SELECT subject FROM user_identities WHERE user_id = $2 AND issuer = $3 AND tenant_id = $1";
    LINK = "INSERT INTO user_identities (tenant_id, issuer, subject, user_id, created_at)
            VALUES ($1, $2, $3, $4, $5)";
    UNLINK = "DELETE FROM user_identities WHERE user_id = $2 AND tenant_id = $1";
    FINISH = "INSERT INTO finished_sign_ins (digest, tenant_id, expires_at) VALUES ($2, $1, $3)
              ON CONFLICT (digest) DO NOTHING";
    PRUNE = "DELETE FROM finished_sign_ins WHERE expires_at <= $1";
    ANY = whole("one row is enough to answer",
                "SELECT tenant_id FROM identity_providers ORDER BY tenant_id LIMIT 1");
    SECRETS = "SELECT tenant_id, sealed_secret FROM identity_providers WHERE tenant_id > $1 ORDER BY tenant_id LIMIT $2";
    SET_SECRET = "UPDATE identity_providers SET sealed_secret = $2 WHERE tenant_id = $1";
}

/// A tenant's provider with the sealed secret of the tenant there.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderRow {
    pub settings: IdentityProvider,
    /// None for a provider that knows the tenant without a secret.
    pub sealed_secret: Option<String>,
    pub updated_at: Moment,
}

impl fmt::Debug for ProviderRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderRow").field("settings", &self.settings).finish_non_exhaustive()
    }
}

fn items<T>(texts: &[String]) -> Result<Vec<T>>
where
    T: std::str::FromStr<Err: fmt::Display>,
{
    texts.iter().map(|text| text.parse().map_err(Error::corrupt)).collect()
}

fn read(row: &Row<'_>) -> Result<ProviderRow> {
    let groups: Vec<GroupRole> = items(&row.json::<Vec<String>>(4)?)?;
    let domains: Vec<EmailDomain> = items(&row.json::<Vec<String>>(7)?)?;
    Ok(ProviderRow {
        settings: IdentityProvider {
            issuer: row.parse::<Issuer>(0)?,
            client_id: row.check(1, Name::parse)?,
            scopes: row.json(2)?,
            groups_claim: row.check_opt(3, Name::parse)?,
            group_roles: groups,
            creates_accounts: row.get(5)?,
            default_role: row.parse_opt::<Role>(6)?,
            domains,
            factor_values: row.json(8)?,
            label: row.check(9, Name::parse)?,
        },
        sealed_secret: row.get(10)?,
        updated_at: row.get(11)?,
    })
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<ProviderRow>> {
    reader.query_opt(&GET, params![scope.tenant()], read)
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, provider: &ProviderRow) -> Result<()> {
    let settings = &provider.settings;
    let groups: Vec<String> = settings.group_roles.iter().map(ToString::to_string).collect();
    tx.execute(
        &PUT,
        params![
            scope.tenant(),
            settings.issuer.as_str(),
            settings.client_id.as_str(),
            Value::json(&settings.scopes),
            settings.groups_claim.as_ref().map(Name::as_str),
            Value::json(&groups),
            settings.creates_accounts,
            settings.default_role.map(Role::as_str),
            Value::json(&settings.domains),
            Value::json(&settings.factor_values),
            settings.label.as_str(),
            provider.sealed_secret.as_deref(),
            provider.updated_at,
        ],
    )?;
    tx.execute(&DELETE_DOMAINS, params![scope.tenant()])?;
    for domain in &settings.domains {
        tx.execute(&ADD_DOMAIN, params![scope.tenant(), domain.as_str()])?;
    }
    Ok(())
}

/// Forgets the provider; who was linked to whom stays, for a provider that comes back.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<bool> {
    tx.execute(&DELETE_DOMAINS, params![scope.tenant()])?;
    Ok(tx.execute(&DELETE, params![scope.tenant()])? > 0)
}

/// The tenants that name this domain, the oldest first and at most `most`. Domains are not verified, so none of them
/// stands in for the others.
pub fn tenants_of_domain(reader: &mut Reader<'_>, domain: &EmailDomain, most: u32) -> Result<Vec<TenantId>> {
    reader.query(&BY_DOMAIN, params![domain.as_str(), most], |row| row.parse(0))
}

/// A tenant that has a provider, if any has, and whether it is the only tenant of all.
pub fn any(reader: &mut Reader<'_>) -> Result<Option<(TenantId, bool)>> {
    let Some(tenant) = reader.query_opt(&ANY, &[], |row| row.parse(0))? else { return Ok(None) };
    Ok(Some((tenant, tenant::count_up_to(reader, 2)? == 1)))
}

/// Whose account an identity belongs to.
pub fn user_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    issuer: &Issuer,
    subject: &str,
) -> Result<Option<UserId>> {
    reader.query_opt(&IDENTITY, params![scope.tenant(), issuer.as_str(), subject], |row| row.parse(0))
}

/// The identity an account has with this provider.
pub fn subject_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    user: UserId,
    issuer: &Issuer,
) -> Result<Option<String>> {
    reader.query_opt(&LINKED_TO, params![scope.tenant(), user, issuer.as_str()], |row| row.get(0))
}

/// Whether an account has an identity with any provider.
pub fn is_linked(reader: &mut Reader<'_>, scope: &TenantScope, user: UserId) -> Result<bool> {
    let found = reader.query_opt(&IS_LINKED, params![scope.tenant(), user], |row| row.get::<String>(0))?;
    Ok(found.is_some())
}

pub fn link(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    user: UserId,
    (issuer, subject): (&Issuer, &str),
    at: Moment,
) -> Result<()> {
    tx.execute(&LINK, params![scope.tenant(), issuer.as_str(), subject, user, at])?;
    Ok(())
}

/// Forgets the identities of an account; false if it has none.
pub fn unlink(tx: &mut Tx<'_>, scope: &TenantScope, user: UserId) -> Result<bool> {
    Ok(tx.execute(&UNLINK, params![scope.tenant(), user])? > 0)
}

/// Notes that a sign-in came back from the provider, or the answer of a passkey; false if it did before.
pub fn finish(tx: &mut Tx<'_>, scope: &TenantScope, digest: &str, expires_at: Moment) -> Result<bool> {
    Ok(tx.execute(&FINISH, params![scope.tenant(), digest, expires_at])? > 0)
}

/// Forgets sign-ins that are too old to come back, and says how many.
pub fn prune(tx: &mut Tx<'_>, now: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![now])
}

/// The sealed secrets of all tenants, in order, after the one named.
pub fn secrets(reader: &mut Reader<'_>, after: &str, limit: u32) -> Result<Vec<(TenantId, Option<String>)>> {
    reader.query(&SECRETS, params![after, limit], |row| Ok::<_, Error>((row.parse(0)?, row.get(1)?)))
}

pub fn set_secret(tx: &mut Tx<'_>, tenant: TenantId, sealed: &str) -> Result<()> {
    tx.execute(&SET_SECRET, params![tenant, sealed])?;
    Ok(())
}
