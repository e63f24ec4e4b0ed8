//! The profile of a tenant, stored in the tenant's own row beside the time zone and the currency.

use domain::{
    entity_kind::OperatorRole,
    function::FunctionCriticality,
    moment::Moment,
    profile::{DoraRegime, Facts, Profile, ScopeFacts, Size},
    text::{Name, Prose},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row, Value},
};

crate::sql! {
    GET = "SELECT COALESCE(legal_name, name), lei, country, entity_kind, roles, size, significant, time_zone, calendar,
                  currency, authority, regime, regime_reason, profile_version, profile_updated_at, nis2_entity,
                  relief_excluded_since, trading_venue_operator, tlpt_identified, large_investment_firm,
                  npl_from_5_percent, real_estate_thresholds, small_non_complex
           FROM tenants WHERE id = $1";
    /// A legal name equal to the tenant's name is not stored twice.
    PUT = "UPDATE tenants SET legal_name = NULLIF($2, name), lei = $3, country = $4, entity_kind = $5, roles = $6, size = $7,
                  significant = $8, time_zone = $9, calendar = $10, currency = $11, authority = $12, regime = $13,
                  regime_reason = $14, profile_version = profile_version + 1, profile_updated_at = $15,
                  nis2_entity = $16, relief_excluded_since = $17, trading_venue_operator = $18, tlpt_identified = $19,
                  large_investment_firm = $20, npl_from_5_percent = $21, real_estate_thresholds = $22,
                  small_non_complex = $23
           WHERE id = $1";
    CRITICALITIES = "SELECT DISTINCT criticality FROM functions WHERE tenant_id = $1";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileRow {
    pub profile: Profile,
    pub version: i64,
    /// When the profile was last changed; `None` if it never was.
    pub updated_at: Option<Moment>,
}

fn read(row: &Row<'_>) -> Result<ProfileRow> {
    let roles: Option<String> = row.get(4)?;
    let regime: Option<DoraRegime> = row.parse_opt(11)?;
    Ok(ProfileRow {
        profile: Profile {
            legal_name: row.check(0, Name::parse)?,
            lei: row.parse_opt(1)?,
            country: row.parse_opt(2)?,
            kind: row.parse_opt(3)?,
            roles: roles.as_deref().map(read_roles).transpose()?,
            size: row.parse_opt(5)?,
            significant: row.get::<Option<i64>>(6)?.map(|flag| flag != 0),
            time_zone: row.parse(7)?,
            calendar: row.parse_opt(8)?,
            currency: row.parse(9)?,
            authority: row.check_opt(10, Name::parse)?,
            nis2_entity: row.get::<Option<i64>>(15)?.map(|flag| flag != 0),
            trading_venue_operator: row.get::<Option<i64>>(17)?.map(|flag| flag != 0),
            relief_excluded_since: row.parse_opt(16)?,
            set_regime: regime.zip(row.check_opt(12, Prose::parse)?),
            scope: read_scope(row)?,
        },
        version: row.get(13)?,
        updated_at: row.get(14)?,
    })
}

fn read_scope(row: &Row<'_>) -> Result<ScopeFacts> {
    let flag = |column| Ok::<_, Error>(row.get::<Option<i64>>(column)?.map(|flag| flag != 0));
    Ok(ScopeFacts {
        tlpt_identified: flag(18)?,
        large_investment_firm: flag(19)?,
        npl_from_5_percent: flag(20)?,
        real_estate_thresholds: flag(21)?,
        small_non_complex: flag(22)?,
    })
}

fn read_roles(text: &str) -> Result<Vec<OperatorRole>> {
    let words: Vec<String> = serde_json::from_str(text).map_err(Error::corrupt)?;
    words.iter().map(|word| word.parse().map_err(Error::corrupt)).collect()
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<ProfileRow> {
    reader.query_one(&GET, params![scope.tenant()], read)
}

/// The facts that decide what applies to the tenant.
pub fn facts(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Facts> {
    let facts = get(reader, scope)?.profile.facts();
    Ok(Facts { critical_functions: critical_functions(reader, scope)?, ..facts })
}

/// Whether one of its functions is critical or important. A function that is not assessed may be.
fn critical_functions(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<bool>> {
    let found: Vec<FunctionCriticality> =
        reader.query(&CRITICALITIES, params![scope.tenant()], |row| row.parse(0))?;
    Ok(if found.contains(&FunctionCriticality::CriticalOrImportant) {
        Some(true)
    } else {
        (found == [FunctionCriticality::Other]).then_some(false)
    })
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, profile: &Profile, now: Moment) -> Result<()> {
    let roles: Option<Vec<&str>> =
        profile.roles.as_ref().map(|roles| roles.iter().map(|role| role.as_str()).collect());
    let (regime, reason) = match &profile.set_regime {
        Some((regime, reason)) => (Some(regime.as_str()), Some(reason)),
        None => (None, None),
    };
    tx.execute(
        &PUT,
        params![
            scope.tenant(),
            &profile.legal_name,
            profile.lei.map(|lei| lei.to_string()),
            profile.country.map(|country| country.to_string()),
            profile.kind.map(domain::entity_kind::EntityKind::as_str),
            roles.map(|roles| Value::json(&roles)),
            profile.size.map(Size::as_str),
            profile.significant,
            profile.time_zone.as_str(),
            profile.calendar.map(|country| country.to_string()),
            profile.currency.as_str(),
            profile.authority.as_ref(),
            regime,
            reason,
            now,
            profile.nis2_entity,
            profile.relief_excluded_since,
            profile.trading_venue_operator,
            profile.scope.tlpt_identified,
            profile.scope.large_investment_firm,
            profile.scope.npl_from_5_percent,
            profile.scope.real_estate_thresholds,
            profile.scope.small_non_complex,
        ],
    )?;
    Ok(())
}
