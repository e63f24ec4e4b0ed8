//! Tenants. Platform data: created by the operator, read when a key or a session is resolved.

use domain::{
    audit::Head,
    currency::Currency,
    id::TenantId,
    key_policy::KeyPolicy,
    moment::Moment,
    tenant::Slug,
    text::{Name, TextError},
    time_zone::TimeZone,
    user::SecondFactorPolicy,
    wording::Language,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row, hex},
};

crate::sql! {
    INSERT = "INSERT INTO tenants (id, slug, name, language, created_at, time_zone, keys_decide, keys_end_with_maker)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    /// A new chain is keyed from its first entry on where the platform's is.
    INSERT_CHAIN = "INSERT INTO chains (name, revision, audit_seq, audit_hash, audit_key)
                    VALUES ($1, 0, $2, $3, (SELECT p.audit_key FROM chains p WHERE p.name = 'platform'))";
    LIST = whole("a platform has few tenants and the operator wants all",
                 "SELECT id, slug, name, language, created_at, time_zone, classification, closed_at FROM tenants
                  ORDER BY slug");
    BY_SLUG = "SELECT id, slug, name, language, created_at, time_zone, classification, closed_at
               FROM tenants WHERE slug = $1";
    BY_ID = "SELECT id, slug, name, language, created_at, time_zone, classification, closed_at
             FROM tenants WHERE id = $1";
    SET_LANGUAGE = "UPDATE tenants SET language = $2 WHERE id = $1";
    SET_TIME_ZONE = "UPDATE tenants SET time_zone = $2, profile_version = profile_version + 1 WHERE id = $1";
    SET_CLASSIFICATION = "UPDATE tenants SET classification = $2 WHERE id = $1";
    SET_NAME = "UPDATE tenants SET name = $2, profile_version = profile_version + 1 WHERE id = $1";
    SET_CLOSED = "UPDATE tenants SET closed_at = $2 WHERE id = $1";
    SET_CURRENCY = "UPDATE tenants SET currency = $2, profile_version = profile_version + 1 WHERE id = $1";
    SECOND_FACTOR = "SELECT second_factor FROM tenants WHERE id = $1";
    SET_SECOND_FACTOR = "UPDATE tenants SET second_factor = $2 WHERE id = $1";
    CURRENCY = "SELECT currency FROM tenants WHERE id = $1";
    SET_KEY_DAYS = "UPDATE tenants SET key_days = $2 WHERE id = $1";
    KEY_DAYS = "SELECT key_days FROM tenants WHERE id = $1";
    FIRST = whole("a few rows are enough to answer", "SELECT id FROM tenants ORDER BY id LIMIT $1");
    EVIDENCE_TYPES = "SELECT evidence_types FROM tenants WHERE id = $1";
    SET_EVIDENCE_TYPES = "UPDATE tenants SET evidence_types = $2, profile_version = profile_version + 1 WHERE id = $1";
    MAIL_DOMAINS = "SELECT mail_domains FROM tenants WHERE id = $1";
    SET_MAIL_DOMAINS = "UPDATE tenants SET mail_domains = $2, profile_version = profile_version + 1 WHERE id = $1";
    KEY_POLICY = "SELECT keys_decide, keys_end_with_maker FROM tenants WHERE id = $1";
    TITLES_IN_MAIL = "SELECT titles_in_mail FROM tenants WHERE id = $1";
    SET_TITLES_IN_MAIL = "UPDATE tenants SET titles_in_mail = $2 WHERE id = $1";
    SET_KEY_POLICY = "UPDATE tenants SET keys_decide = $2, keys_end_with_maker = $3 WHERE id = $1";
    EPOCH = "SELECT value FROM store_meta WHERE name = 'epoch'";
}

/// The currency the tenant's results are given in.
pub fn currency(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Currency> {
    reader.query_one(&CURRENCY, params![scope.tenant()], |row| row.parse(0))
}

/// How many days a key of the tenant works at most, if that is limited.
pub fn key_days(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<i64>> {
    reader.query_one(&KEY_DAYS, params![scope.tenant()], |row| row.get(0))
}

pub fn set_key_days(tx: &mut Tx<'_>, scope: &TenantScope, days: Option<i64>) -> Result<()> {
    tx.execute(&SET_KEY_DAYS, params![scope.tenant(), days])?;
    Ok(())
}

/// The types of files the tenant has chosen for its evidence, if it has.
pub fn evidence_types(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<String>> {
    reader.query_one(&EVIDENCE_TYPES, params![scope.tenant()], |row| row.get(0))
}

pub fn set_evidence_types(tx: &mut Tx<'_>, scope: &TenantScope, types: Option<&str>) -> Result<()> {
    tx.execute(&SET_EVIDENCE_TYPES, params![scope.tenant(), types])?;
    Ok(())
}

/// The domains the tenant has named as its own, if it has.
pub fn mail_domains(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<String>> {
    reader.query_one(&MAIL_DOMAINS, params![scope.tenant()], |row| row.get(0))
}

pub fn set_mail_domains(tx: &mut Tx<'_>, scope: &TenantScope, domains: Option<&str>) -> Result<()> {
    tx.execute(&SET_MAIL_DOMAINS, params![scope.tenant(), domains])?;
    Ok(())
}

/// What the tenant lets its keys do.
pub fn key_policy(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<KeyPolicy> {
    reader.query_one(&KEY_POLICY, params![scope.tenant()], |row| {
        let [may_decide, end_with_maker] = [row.get::<i64>(0)?, row.get::<i64>(1)?].map(|word| word != 0);
        Ok(KeyPolicy { may_decide, end_with_maker })
    })
}

/// Whether mails name the titles of records.
pub fn titles_in_mail(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<bool> {
    reader.query_one(&TITLES_IN_MAIL, params![scope.tenant()], |row| row.get(0))
}

pub fn set_titles_in_mail(tx: &mut Tx<'_>, scope: &TenantScope, allowed: bool) -> Result<()> {
    tx.execute(&SET_TITLES_IN_MAIL, params![scope.tenant(), allowed])?;
    Ok(())
}

pub fn set_key_policy(tx: &mut Tx<'_>, scope: &TenantScope, policy: KeyPolicy) -> Result<()> {
    tx.execute(&SET_KEY_POLICY, params![scope.tenant(), policy.may_decide, policy.end_with_maker])?;
    Ok(())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantRow {
    pub id: TenantId,
    pub slug: Slug,
    pub name: Name,
    /// Of the messages its webhooks send.
    pub language: Language,
    /// For reading and writing times, unless a user has chosen another.
    pub time_zone: TimeZone,
    /// The confidentiality class printed on its reports; `None` means internal.
    pub classification: Option<Name>,
    pub created_at: Moment,
    /// Since when its users and keys are refused.
    pub closed_at: Option<Moment>,
}

fn read(row: &Row<'_>) -> Result<TenantRow> {
    let name = |error: TextError| Error::Corrupt(error.to_string());
    Ok(TenantRow {
        id: row.parse(0)?,
        slug: row.parse(1)?,
        name: Name::parse(row.text(2)?).map_err(name)?,
        language: row.parse(3)?,
        created_at: row.get(4)?,
        time_zone: row.parse(5)?,
        classification: row.check_opt(6, Name::parse)?,
        closed_at: row.get(7)?,
    })
}

/// Adds the tenant with its own empty audit chain.
pub fn insert(tx: &mut Tx<'_>, tenant: &TenantRow) -> Result<()> {
    let (slug, name, language) = (tenant.slug.as_str(), tenant.name.as_str(), tenant.language.as_str());
    tx.execute(
        &INSERT,
        params![
            tenant.id,
            slug,
            name,
            language,
            tenant.created_at,
            tenant.time_zone.as_str(),
            KeyPolicy::NEW.may_decide,
            KeyPolicy::NEW.end_with_maker,
        ],
    )?;
    tx.execute(&INSERT_CHAIN, params![tenant.id, Head::EMPTY.seq, hex(&Head::EMPTY.hash)])?;
    Ok(())
}

pub fn list(reader: &mut Reader<'_>) -> Result<Vec<TenantRow>> {
    reader.query(&LIST, &[], read)
}

/// How many tenants there are, counted no further than `most`.
pub fn count_up_to(reader: &mut Reader<'_>, most: usize) -> Result<usize> {
    let limit = u32::try_from(most).unwrap_or(u32::MAX);
    Ok(reader.query(&FIRST, params![limit], |row| row.parse::<TenantId>(0))?.len())
}

pub fn by_slug(reader: &mut Reader<'_>, slug: &Slug) -> Result<Option<TenantRow>> {
    reader.query_opt(&BY_SLUG, params![slug.as_str()], read)
}

pub fn by_id(reader: &mut Reader<'_>, id: TenantId) -> Result<Option<TenantRow>> {
    reader.query_opt(&BY_ID, params![id], read)
}

pub fn set_language(tx: &mut Tx<'_>, id: TenantId, language: Language) -> Result<()> {
    tx.execute(&SET_LANGUAGE, params![id, language.as_str()])?;
    Ok(())
}

pub fn set_time_zone(tx: &mut Tx<'_>, scope: &TenantScope, zone: &TimeZone) -> Result<()> {
    tx.execute(&SET_TIME_ZONE, params![scope.tenant(), zone.as_str()])?;
    Ok(())
}

pub fn set_classification(tx: &mut Tx<'_>, scope: &TenantScope, word: Option<&Name>) -> Result<()> {
    tx.execute(&SET_CLASSIFICATION, params![scope.tenant(), word])?;
    Ok(())
}

pub fn set_name(tx: &mut Tx<'_>, scope: &TenantScope, name: &Name) -> Result<()> {
    tx.execute(&SET_NAME, params![scope.tenant(), name.as_str()])?;
    Ok(())
}

/// Closes the tenant, or opens it again.
pub fn set_closed(tx: &mut Tx<'_>, scope: &TenantScope, at: Option<Moment>) -> Result<()> {
    tx.execute(&SET_CLOSED, params![scope.tenant(), at])?;
    Ok(())
}

pub fn set_currency(tx: &mut Tx<'_>, scope: &TenantScope, currency: Currency) -> Result<()> {
    tx.execute(&SET_CURRENCY, params![scope.tenant(), currency.as_str()])?;
    Ok(())
}

/// For whom the tenant requires a second factor.
pub fn second_factor(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<SecondFactorPolicy> {
    reader.query_one(&SECOND_FACTOR, params![scope.tenant()], |row| row.parse(0))
}

pub fn set_second_factor(tx: &mut Tx<'_>, scope: &TenantScope, policy: SecondFactorPolicy) -> Result<()> {
    tx.execute(&SET_SECOND_FACTOR, params![scope.tenant(), policy.as_str()])?;
    Ok(())
}

/// Identifies this incarnation of the store: it changes when a backup is restored.
pub fn epoch(reader: &mut Reader<'_>) -> Result<String> {
    reader.query_one(&EPOCH, &[], |row| row.get(0))
}
