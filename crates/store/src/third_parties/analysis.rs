//! Concentration analyses and the breaches each of them found. Neither ever changes.

use domain::{
    concentration::{Basis, Dimension, Scope},
    id::{AnalysisId, ArrangementId, BreachId},
    moment::{Day, Moment},
    page::{Page, PageRequest},
};

use crate::{
    Reader, Result, Revision, TenantScope, Tx, params,
    sql::{Error, Filter, List, Order, Row, Value, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO analyses (id, tenant_id, analysed_at, as_of, basis, scope, level, arrangements, breaches,
                                    result, revision)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    LATEST = "SELECT id, analysed_at, as_of, basis, scope, level, arrangements, breaches, result
              FROM analyses WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1";
    GET = "SELECT id, analysed_at, as_of, basis, scope, level, arrangements, breaches, result
           FROM analyses WHERE tenant_id = $1 AND id = $2";
    REVISION = "SELECT revision FROM analyses WHERE tenant_id = $1 AND id = $2";
    INSERT_BREACH = "INSERT INTO breaches (id, tenant_id, analysis_id, dimension, by_group, name, share_pct,
                                           threshold_pct, excess_pct, severity, arrangements, detected_at,
                                           first_detected_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    FIRST_DETECTED = "SELECT dimension, by_group, name, first_detected_at
                      FROM breaches WHERE tenant_id = $1 AND analysis_id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST, &BREACHES];

static LIST: List = List {
    name: "analyses",
    columns: "a.id, a.analysed_at, a.as_of, a.basis, a.scope, a.level, a.arrangements, a.breaches",
    stamps: None,
    from: "analyses a",
    base: "a.tenant_id = $1",
    filters: &[],
    orders: &[Order { name: "-analysed_at", by: "a.id DESC", back: "a.id" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("a.id", AnalysisId, "a.analysed_at"),
};

static BREACHES: List = List {
    name: "breaches",
    columns:
        "b.id, b.analysis_id, b.dimension, b.by_group, b.name, b.share_pct, b.threshold_pct, b.excess_pct,
              b.severity, b.arrangements, b.detected_at, b.first_detected_at",
    stamps: None,
    from: "breaches b",
    base: "b.tenant_id = $1",
    filters: &[
        Filter { name: "analysis", condition: "b.analysis_id = ?" },
        Filter { name: "dimension", condition: "b.dimension = ?" },
        // Providers are listed either as legal entities or as groups, never as both.
        Filter { name: "without_group", condition: "b.by_group <> ?" },
    ],
    orders: &[Order { name: "found", by: "b.id", back: "b.id DESC" }],
    found: None,
    tagged: None,
    cursor: cursor_columns!("b.id", BreachId, "b.detected_at"),
};

/// The values of an analysis that the history list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalysisHead {
    pub id: AnalysisId,
    pub analysed_at: Moment,
    pub as_of: Day,
    pub basis: Basis,
    pub scope: Scope,
    pub level: String,
    pub arrangements: u64,
    pub breaches: u64,
}

/// The subject of a breach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whose {
    /// A sector, region or technology, which has no provider.
    Anybody,
    LegalEntity,
    Group,
}

impl Whose {
    fn number(self) -> i64 {
        match self {
            Self::Anybody => 0,
            Self::LegalEntity => 1,
            Self::Group => 2,
        }
    }

    fn from_number(number: i64) -> Result<Self> {
        [Self::Anybody, Self::LegalEntity, Self::Group]
            .into_iter()
            .find(|known| known.number() == number)
            .ok_or_else(|| Error::corrupt("a breach without a provider"))
    }
}

/// A stored breach. Percentages are hundredths, rounded when the breach was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreachRow {
    pub id: BreachId,
    pub analysis_id: AnalysisId,
    pub dimension: Dimension,
    pub whose: Whose,
    pub name: String,
    pub share: i64,
    pub threshold: i64,
    pub excess: i64,
    pub severity: String,
    pub arrangements: Vec<ArrangementId>,
    pub detected_at: Moment,
    pub first_detected_at: Moment,
}

/// Identifies the same breach in different analyses.
pub type BreachKey = (Dimension, Whose, String);

fn read_head(row: &Row<'_>) -> Result<AnalysisHead> {
    Ok(AnalysisHead {
        id: row.parse(0)?,
        analysed_at: row.get(1)?,
        as_of: row.parse(2)?,
        basis: row.parse(3)?,
        scope: row.parse(4)?,
        level: row.get(5)?,
        arrangements: row.get(6)?,
        breaches: row.get(7)?,
    })
}

fn read_breach(row: &Row<'_>) -> Result<BreachRow> {
    let arrangements: Vec<String> = row.json(9)?;
    Ok(BreachRow {
        id: row.parse(0)?,
        analysis_id: row.parse(1)?,
        dimension: row.parse(2)?,
        whose: Whose::from_number(row.get(3)?)?,
        name: row.get(4)?,
        share: row.get(5)?,
        threshold: row.get(6)?,
        excess: row.get(7)?,
        severity: row.get(8)?,
        arrangements: arrangements
            .iter()
            .map(|id| id.parse().map_err(Error::corrupt))
            .collect::<Result<_>>()?,
        detected_at: row.get(10)?,
        first_detected_at: row.get(11)?,
    })
}

/// Stores an analysis of the data at the tenant's `revision`; `result` is its whole content as JSON.
pub fn insert(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    head: &AnalysisHead,
    result: &str,
    revision: Revision,
) -> Result<()> {
    tx.execute(
        &INSERT,
        params![
            head.id,
            scope.tenant(),
            head.analysed_at,
            head.as_of,
            head.basis.as_str(),
            head.scope.as_str(),
            &head.level,
            head.arrangements,
            head.breaches,
            result,
            revision.0,
        ],
    )?;
    Ok(())
}

pub fn insert_breach(tx: &mut Tx<'_>, scope: &TenantScope, breach: &BreachRow) -> Result<()> {
    let arrangements: Vec<String> = breach.arrangements.iter().map(ToString::to_string).collect();
    tx.execute(
        &INSERT_BREACH,
        params![
            breach.id,
            scope.tenant(),
            breach.analysis_id,
            breach.dimension.as_str(),
            breach.whose.number(),
            &breach.name,
            breach.share,
            breach.threshold,
            breach.excess,
            &breach.severity,
            Value::json(&arrangements),
            breach.detected_at,
            breach.first_detected_at,
        ],
    )?;
    Ok(())
}

/// The latest analysis with its result.
pub fn latest(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Option<(AnalysisHead, String)>> {
    reader.query_opt(&LATEST, params![scope.tenant()], |row| Ok((read_head(row)?, row.get(8)?)))
}

/// One analysis with its result.
pub fn get(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: AnalysisId,
) -> Result<Option<(AnalysisHead, String)>> {
    reader.query_opt(&GET, params![scope.tenant(), id], |row| Ok((read_head(row)?, row.get(8)?)))
}

/// The tenant's revision that an analysis was made from; `None` for analyses stored before this was recorded.
pub fn revision(reader: &mut Reader<'_>, scope: &TenantScope, id: AnalysisId) -> Result<Option<i64>> {
    let kept = reader.query_opt(&REVISION, params![scope.tenant(), id], |row| row.get(0))?;
    Ok(kept.flatten())
}

/// Since when each breach of an analysis has been present.
pub fn first_detected(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    analysis: AnalysisId,
) -> Result<Vec<(BreachKey, Moment)>> {
    reader.query(&FIRST_DETECTED, params![scope.tenant(), analysis], |row| {
        let key = (row.parse(0)?, Whose::from_number(row.get(1)?)?, row.get(2)?);
        Ok((key, row.get(3)?))
    })
}

/// Earlier analyses without their results, newest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    request: PageRequest,
) -> Result<Page<AnalysisHead>> {
    LIST.query(scope).page(reader, request, read_head)
}

/// The breaches of one analysis in the order they were found, providers as legal entities or as groups.
pub fn breaches(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    analysis: AnalysisId,
    of: Option<Dimension>,
    by_group: bool,
    request: PageRequest,
) -> Result<Page<BreachRow>> {
    let replaced = if by_group { Whose::LegalEntity } else { Whose::Group };
    BREACHES
        .query(scope)
        .filter("analysis", analysis)
        .filter_opt("dimension", of.map(Dimension::as_str))
        .filter("without_group", replaced.number())
        .page(reader, request, read_breach)
}
