//! Which arrangements, incidents and findings belong to a provider, and the providers that references create.
//!
//! A provider is created together with the first arrangement that names it, in the same transaction, so that the
//! register stays the only source of name, LEI and country. One LEI is one provider, whatever name accompanies it; a
//! name without a LEI belongs to the provider with that name, as in the concentration analysis. A provider that gets
//! its LEI later keeps its record. One that no arrangement names any more is deleted unless something was recorded
//! about it.

use domain::{
    arrangement::Party, country::Country, id::ProviderId, lei::Lei, moment::Moment, provider::Provider,
    record_event::RecordVerb,
};

use crate::{
    Error, Reader, Result, TenantScope, Tx,
    arrangement::ArrangementRow,
    contract_notice::{self, Terms},
    function::made_of,
    params,
    record::Kind as _,
    sql::{Row, Value, stream::RecordWrite},
};

crate::sql! {
    BY_LEI = "SELECT id, lei, notice_days, owner FROM providers WHERE tenant_id = $1 AND lei = $2 ORDER BY id LIMIT 1";
    BY_NAME = "SELECT id, lei, notice_days, owner FROM providers WHERE tenant_id = $1 AND name = $2 ORDER BY id LIMIT 3";
    ENSURE = "INSERT INTO providers (id, tenant_id, name, lei, country, last_review_on, next_review_on, scores, words,
                                     version, created_at, updated_at)
              VALUES ($1, $2, $3, $4, $5, 'none', 'none', 'null', $6, 1, $7, $7)
              ON CONFLICT (id) DO NOTHING";
    RENAME = "UPDATE providers SET name = $3, lei = COALESCE(CAST($4 AS TEXT), lei), country = $5,
                                   words = CAST($6 AS TEXT) || ' ' || LOWER(COALESCE(owner, '')), updated_at = $7
              WHERE tenant_id = $1 AND id = $2
                AND (name <> $3 OR country <> $5 OR COALESCE(lei, '') <> COALESCE(CAST($4 AS TEXT), lei, ''))
              RETURNING version";
    OF_RECORD = "SELECT provider_id FROM provider_links WHERE tenant_id = $1 AND record_id = $2 LIMIT 1";
    UNLINK = "DELETE FROM provider_links WHERE tenant_id = $1 AND record_id = $2";
    LINK = "INSERT INTO provider_links (tenant_id, provider_id, kind, record_id) VALUES ($1, $2, $3, $4)
            ON CONFLICT (tenant_id, record_id, provider_id) DO NOTHING";
    LINK_ID = "INSERT INTO provider_links (tenant_id, provider_id, kind, record_id)
               SELECT p.tenant_id, p.id, 'incident', $2 FROM providers p WHERE p.tenant_id = $1 AND p.id = $3
               ON CONFLICT (tenant_id, record_id, provider_id) DO NOTHING";
    LINK_NAME = "INSERT INTO provider_links (tenant_id, provider_id, kind, record_id)
                 SELECT p.tenant_id, p.id, 'incident', $2 FROM providers p WHERE p.tenant_id = $1 AND p.name = $3
                 ON CONFLICT (tenant_id, record_id, provider_id) DO NOTHING";
    FORGET = "DELETE FROM providers WHERE tenant_id = $1 AND id = $2
                AND owner IS NULL AND rating IS NULL AND review_months IS NULL AND notice_days IS NULL
                AND note IS NULL AND archetype IS NULL AND contact IS NULL
                AND last_review_on = 'none' AND next_review_on = 'none'
                AND NOT EXISTS (SELECT 1 FROM provider_links l WHERE l.tenant_id = $1 AND l.provider_id = $2)
                AND NOT EXISTS (SELECT 1 FROM provider_reviews v WHERE v.tenant_id = $1 AND v.provider_id = $2)
                AND NOT EXISTS (SELECT 1 FROM comments c WHERE c.tenant_id = $1 AND c.subject = $2)
                AND NOT EXISTS (SELECT 1 FROM evidence_links e WHERE e.tenant_id = $1 AND e.target_id = $2)
              RETURNING version, updated_at";
    RECORDS = "SELECT record_id FROM provider_links
               WHERE tenant_id = $1 AND provider_id = $2 AND kind = $3 ORDER BY record_id DESC LIMIT $4";
}

/// The effect of a reference to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Referred {
    pub id: ProviderId,
    /// It is new, or its data in the register changed.
    pub is_changed: bool,
    /// The provider that was deleted because nothing refers to it any more.
    pub gone: Option<ProviderId>,
}

/// Stores which provider an arrangement belongs to, and creates a new one if needed.
pub fn refer(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<Referred> {
    let (provider, record, now) = (&row.record.contract.provider, row.id.to_string(), row.updated_at);
    let (name, lei) = (provider.name.as_str(), provider.lei.map(|lei| lei.to_string()));
    let before: Option<ProviderId> =
        tx.query_opt(&OF_RECORD, params![scope.tenant(), &record], |row| row.parse(0))?;
    let words = format!("{name} {}", lei.as_deref().unwrap_or_default()).to_lowercase();
    let country = provider.country.to_string();
    let mut terms = Terms { name: name.to_owned(), ..Terms::default() };
    let (id, is_changed) = if let Some(found) = find(tx, scope, name, provider.lei)? {
        let values = params![scope.tenant(), found.id, name, lei.as_deref(), &country, &words, now];
        (terms.notice_days, terms.owner) = (found.notice_days, found.owner);
        let renamed: Option<i64> = tx.query_opt(&RENAME, values, |row| row.get(0))?;
        if let Some(version) = renamed {
            note_write(tx, scope, found.id, (RecordVerb::Changed, version), now)?;
        }
        (found.id, renamed.is_some())
    } else {
        let id = ProviderId::from(made_of(&record, &words, now));
        ensure(tx, scope, id, params![id, scope.tenant(), name, lei.as_deref(), &country, &words, now], now)?;
        (id, true)
    };
    // A new arrangement without a notice period, its own or its provider's, has no day to keep or to forget.
    if before.is_some() || terms.notice_days.or(row.record.facts.notice_days).is_some() {
        contract_notice::keep(tx, scope, (id, &terms), row)?;
    }
    if before == Some(id) {
        return Ok(Referred { id, is_changed, gone: None });
    }
    tx.execute(&UNLINK, params![scope.tenant(), &record])?;
    tx.execute(&LINK, params![scope.tenant(), id, "arrangement", &record])?;
    let gone = before.map(|before| forget_unused(tx, scope, before)).transpose()?.flatten();
    Ok(Referred { id, is_changed, gone })
}

/// Makes a provider, unless the same one was made before.
fn ensure(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: ProviderId,
    values: &[Value<'_>],
    now: Moment,
) -> Result<()> {
    if tx.execute(&ENSURE, values)? > 0 {
        note_write(tx, scope, id, (RecordVerb::Created, 1), now)?;
    }
    Ok(())
}

/// Notes for the stream what a reference did to a provider. A new name leaves the version as it is.
fn note_write(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: ProviderId,
    (verb, version): (RecordVerb, i64),
    at: Moment,
) -> Result<()> {
    let (table, record, recomputed) = (Provider::TABLE.name, id.to_string(), verb == RecordVerb::Changed);
    let what = verb.into();
    tx.note_write(scope, RecordWrite { table, record, what, version, recomputed, detail: None, at })
}

/// A provider that is there, with what decides about the days of its contracts.
#[derive(Debug, Clone)]
struct Found {
    id: ProviderId,
    lei: Option<String>,
    notice_days: Option<u32>,
    owner: Option<String>,
}

fn found(row: &Row<'_>) -> Result<Found> {
    let days: Option<i64> = row.get(2)?;
    Ok(Found {
        id: row.parse(0)?,
        lei: row.get(1)?,
        notice_days: days.map(u32::try_from).transpose().map_err(Error::corrupt)?,
        owner: row.get(3)?,
    })
}

/// The provider that a name and a LEI mean, if there is one.
fn find(tx: &mut Tx<'_>, scope: &TenantScope, name: &str, lei: Option<Lei>) -> Result<Option<Found>> {
    if let Some(lei) = lei {
        let lei = lei.to_string();
        let known = tx.query_opt(&BY_LEI, params![scope.tenant(), &lei], found)?;
        if known.is_some() {
            return Ok(known);
        }
    }
    let bearers: Vec<Found> = tx.query(&BY_NAME, params![scope.tenant(), name], found)?;
    let (with, without): (Vec<_>, Vec<_>) = bearers.into_iter().partition(|found| found.lei.is_some());
    let is_only = lei.is_none() && with.len() == 1;
    Ok(if is_only { with } else { without }.into_iter().next())
}

/// Deletes the reference of a deleted arrangement. Returns the provider that was deleted with it.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, arrangement: &str) -> Result<Option<ProviderId>> {
    let before = tx.query_opt(&OF_RECORD, params![scope.tenant(), arrangement], |row| row.parse(0))?;
    tx.execute(&UNLINK, params![scope.tenant(), arrangement])?;
    contract_notice::forget(tx, scope, arrangement)?;
    before.map(|before| forget_unused(tx, scope, before)).transpose().map(Option::flatten)
}

fn forget_unused(tx: &mut Tx<'_>, scope: &TenantScope, id: ProviderId) -> Result<Option<ProviderId>> {
    let gone: Option<(i64, Moment)> =
        tx.query_opt(&FORGET, params![scope.tenant(), id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((version, at)) = gone else { return Ok(None) };
    note_write(tx, scope, id, (RecordVerb::Deleted, version), at)?;
    Ok(Some(id))
}

/// Stores which providers an incident names, by id or by name. Unknown names are ignored.
pub(crate) fn refer_incident(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    incident: &str,
    providers: &[String],
) -> Result<()> {
    tx.execute(&UNLINK, params![scope.tenant(), incident])?;
    for text in providers {
        let statement = if text.parse::<ProviderId>().is_ok() { &LINK_ID } else { &LINK_NAME };
        tx.execute(statement, params![scope.tenant(), incident, text])?;
    }
    Ok(())
}

/// Records that a finding is about a provider.
pub fn link_finding(tx: &mut Tx<'_>, scope: &TenantScope, id: ProviderId, finding: &str) -> Result<()> {
    tx.execute(&LINK, params![scope.tenant(), id, "finding", finding])?;
    Ok(())
}

/// Makes a record of a company that is no party to an arrangement.
pub fn make(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    party: &Party,
    country: Country,
    now: Moment,
) -> Result<ProviderId> {
    let lei = party.lei.map(|lei| lei.to_string());
    let (name, country) = (party.name.as_str(), country.to_string());
    let words = format!("{name} {}", lei.as_deref().unwrap_or_default()).to_lowercase();
    let id = ProviderId::from(made_of(&scope.tenant().to_string(), &words, now));
    ensure(tx, scope, id, params![id, scope.tenant(), name, lei.as_deref(), &country, &words, now], now)?;
    Ok(id)
}

/// The ids of what belongs to a provider, newest first, at most so many. `kind` is `incident` or `finding`.
pub fn records_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: ProviderId,
    kind: &str,
    most: u32,
) -> Result<Vec<String>> {
    reader.query(&RECORDS, params![scope.tenant(), id, kind, i64::from(most)], |row| row.get(0))
}

/// The provider an arrangement belongs to.
pub fn of_arrangement(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    arrangement: &str,
) -> Result<Option<ProviderId>> {
    reader.query_opt(&OF_RECORD, params![scope.tenant(), arrangement], |row| row.parse(0))
}
