//! Functions of the institution, and which records refer to them.
//!
//! Programmes, test cases and arrangements name their functions; an unknown name creates a function, so that every name in a
//! record is a function. The references are stored in a table of their own, updated with every change of such a
//! record, so that a page of functions is counted in one statement.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::LazyLock,
};

use domain::{
    any_of::AnyOf,
    archive::Archived,
    function::{DiscontinuingImpact, Function, FunctionCriticality, FunctionSort},
    id::{FunctionId, Uuid7},
    moment::Moment,
    record_event::RecordVerb,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    record::{Kind, RecordRow},
    sql::{
        ARCHIVED, Cells, Error, Filter, ListQuery, Table, TableColumn, TableStatements, Value,
        stream::RecordWrite,
    },
    work::Work,
};

crate::sql! {
    NUMBER = "SELECT COALESCE(MAX(number), 0) + 1 FROM functions WHERE tenant_id = $1";
    BY_NAME = "SELECT id FROM functions WHERE tenant_id = $1 AND name = $2";
    NAME_OF = "SELECT name FROM functions WHERE tenant_id = $1 AND id = $2";
    BY_NUMBER = "SELECT id FROM functions WHERE tenant_id = $1 AND number = $2";
    BY_IDENTIFIER = "SELECT id FROM functions WHERE tenant_id = $1 AND identifier = $2 ORDER BY id LIMIT 1";
    UNIDENTIFIED = "SELECT id FROM functions WHERE tenant_id = $1 AND number = $2 AND identifier IS NULL";
    NAMES = "SELECT name FROM functions WHERE tenant_id = $1 AND archived = 0 ORDER BY name LIMIT $2";
    ENSURE = "INSERT INTO functions (id, tenant_id, number, name, criticality, impact_of_discontinuing, assessed_on,
                                     words, version, created_at, updated_at)
              VALUES ($1, $2, (SELECT COALESCE(MAX(number), 0) + 1 FROM functions WHERE tenant_id = $2), $3, $4, $5,
                      'none', $6, 1, $7, $7)
              ON CONFLICT (tenant_id, name) DO NOTHING";
    UNLINK = "DELETE FROM function_links WHERE tenant_id = $1 AND record_id = $2";
    LINK = "INSERT INTO function_links (tenant_id, function_id, kind, record_id)
            SELECT f.tenant_id, f.id, $2, $3 FROM functions f WHERE f.tenant_id = $1 AND f.name = $4
            ON CONFLICT (tenant_id, record_id, function_id) DO NOTHING";
    LINK_ID = "INSERT INTO function_links (tenant_id, function_id, kind, record_id)
               SELECT f.tenant_id, f.id, $2, $3 FROM functions f WHERE f.tenant_id = $1 AND f.id = $4
               ON CONFLICT (tenant_id, record_id, function_id) DO NOTHING";
    COUNTS = differs("the portable dialect has no list parameters",
        sqlite "SELECT l.function_id, l.kind, CAST(COUNT(*) AS BIGINT) FROM function_links l
                WHERE l.tenant_id = $1 AND l.function_id IN (SELECT value FROM json_each($2))
                GROUP BY l.function_id, l.kind
                UNION ALL
                SELECT l.function_id, 'finding', CAST(SUM(c.n) AS BIGINT) FROM function_links l
                JOIN finding_counts c ON c.tenant_id = l.tenant_id AND c.parent = l.record_id
                WHERE l.tenant_id = $1 AND l.function_id IN (SELECT value FROM json_each($2))
                  AND l.kind IN ('test_case', 'archived_test_case')
                  AND c.status IN ('open', 'in_progress', 'resolved')
                GROUP BY l.function_id",
        postgres "SELECT l.function_id, l.kind, CAST(COUNT(*) AS BIGINT) FROM function_links l
                  WHERE l.tenant_id = $1
                    AND l.function_id IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))
                  GROUP BY l.function_id, l.kind
                  UNION ALL
                  SELECT l.function_id, 'finding', CAST(SUM(c.n) AS BIGINT) FROM function_links l
                  JOIN finding_counts c ON c.tenant_id = l.tenant_id AND c.parent = l.record_id
                  WHERE l.tenant_id = $1
                    AND l.function_id IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))
                    AND l.kind IN ('test_case', 'archived_test_case')
                    AND c.status IN ('open', 'in_progress', 'resolved')
                  GROUP BY l.function_id");
}

pub type FunctionRow = RecordRow<Function>;

/// Which functions, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionFilter {
    pub criticality: AnyOf<FunctionCriticality>,
    /// Whether archived records are listed.
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<FunctionSort>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&Function::TABLE));

impl Kind for Function {
    type Id = FunctionId;
    type Filter = FunctionFilter;

    const TABLE: Table<Self> = Table {
        name: "functions",
        prefix: FunctionId::PREFIX,
        columns: &[
            TableColumn::new("number", |function| Value::from(function.number)),
            TableColumn::new("identifier", |function| Value::from(function.identifier.as_ref())),
            TableColumn::new("name", |function| Value::from(&function.name)),
            TableColumn::new("licensed_activity", |function| {
                Value::from(function.licensed_activity.as_ref())
            }),
            TableColumn::new("criticality", |function| Value::from(function.criticality.as_str())),
            TableColumn::new("reasons", |function| Value::from(function.reasons.as_ref())),
            TableColumn::new("assessed_on", |function| Value::day(function.assessed_on)),
            TableColumn::new("rto_minutes", |function| Value::from(function.rto_minutes.map(i64::from))),
            TableColumn::new("rpo_minutes", |function| Value::from(function.rpo_minutes.map(i64::from))),
            TableColumn::new("impact_of_discontinuing", |function| {
                Value::from(function.impact_of_discontinuing.as_str())
            }),
            TableColumn::new("owner", |function| Value::from(function.owner.as_ref())),
            TableColumn::derived("words", |function| Value::Owned(function.words())),
        ],
        archives: true,
        work: Some(&Work {
            table: "functions",
            task: None,
            id: "id",
            title: "name",
            owner: "owner",
            open: "",
            days: &[],
        }),
        filters: &[
            ARCHIVED,
            Filter { name: "criticality", condition: "r.criticality = ?" },
            Filter { name: "search", condition: "r.words LIKE ?" },
        ],
        sorts: &[("reference", "r.number")],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        let minutes = |number: Option<i64>| number.map(u32::try_from).transpose().map_err(Error::corrupt);
        Ok(Self {
            number: cells.get("number")?,
            identifier: cells.name_opt("identifier")?,
            name: cells.name("name")?,
            licensed_activity: cells.name_opt("licensed_activity")?,
            criticality: cells.parse("criticality")?,
            reasons: cells.prose_opt("reasons")?,
            assessed_on: cells.day("assessed_on")?,
            rto_minutes: minutes(cells.get("rto_minutes")?)?,
            rpo_minutes: minutes(cells.get("rpo_minutes")?)?,
            impact_of_discontinuing: cells.parse("impact_of_discontinuing")?,
            owner: cells.name_opt("owner")?,
        })
    }

    fn narrow<'q>(filter: &'q FunctionFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        // Wildcards of a pattern are removed: no function name that people search for contains them.
        let pattern = |text: &String| format!("%{}%", text.to_lowercase().replace(['%', '_', '\\'], ""));
        list.any_word("criticality", &filter.criticality)
            .filter_opt("search", filter.search.as_ref().map(pattern))
            .filter_opt("archived", filter.archived.wanted())
            .order_opt(filter.sort.map(FunctionSort::as_str))
    }
}

/// The number of the next function.
pub fn next_number(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<i64> {
    tx.query_one(&NUMBER, params![scope.tenant()], |row| row.get(0))
}

pub fn by_name(reader: &mut Reader<'_>, scope: &TenantScope, name: &str) -> Result<Option<FunctionId>> {
    reader.query_opt(&BY_NAME, params![scope.tenant(), name], |row| row.parse(0))
}

/// The function with this number, whatever its reference.
pub fn by_number(reader: &mut Reader<'_>, scope: &TenantScope, number: i64) -> Result<Option<FunctionId>> {
    reader.query_opt(&BY_NUMBER, params![scope.tenant(), number], |row| row.parse(0))
}

pub fn by_reference(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    reference: &str,
) -> Result<Option<FunctionId>> {
    let named = reader.query_opt(&BY_IDENTIFIER, params![scope.tenant(), reference], |row| row.parse(0))?;
    match (named, Function::number_in(reference)) {
        (None, Some(number)) => {
            reader.query_opt(&UNIDENTIFIED, params![scope.tenant(), number], |row| row.parse(0))
        }
        (named, _) => Ok(named),
    }
}

pub fn name_of(reader: &mut Reader<'_>, scope: &TenantScope, id: FunctionId) -> Result<Option<String>> {
    reader.query_opt(&NAME_OF, params![scope.tenant(), id], |row| row.get(0))
}

/// The first names in alphabetical order, at most `most`.
pub fn names(reader: &mut Reader<'_>, scope: &TenantScope, most: u64) -> Result<Vec<String>> {
    reader.query(&NAMES, params![scope.tenant(), most], |row| row.get(0))
}

/// The kinds of records that refer to functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referrer {
    Programme,
    TestCase,
    /// Its functions keep their names, but it is left out of the count of test cases.
    ArchivedTestCase,
    Arrangement,
    Incident,
}

impl Referrer {
    fn as_str(self) -> &'static str {
        match self {
            Self::Programme => "programme",
            Self::TestCase => "test_case",
            Self::ArchivedTestCase => "archived_test_case",
            Self::Arrangement => "arrangement",
            Self::Incident => "incident",
        }
    }
}

/// Stores which functions a record refers to, by name or by id. An unknown name creates a function, which is critical
/// only if the record says so.
pub(crate) fn refer<'n>(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    (kind, record): (Referrer, &str),
    functions: impl IntoIterator<Item = (&'n str, bool)>,
    now: Moment,
) -> Result<()> {
    forget(tx, scope, record)?;
    for (text, critical) in functions {
        if let Ok(id) = text.parse::<FunctionId>() {
            tx.execute(&LINK_ID, params![scope.tenant(), kind.as_str(), record, id])?;
            continue;
        }
        let criticality = if critical {
            FunctionCriticality::CriticalOrImportant
        } else {
            FunctionCriticality::NotAssessed
        };
        let id = FunctionId::from(made_of(record, text, now));
        let made = tx.execute(
            &ENSURE,
            params![
                id,
                scope.tenant(),
                text,
                criticality.as_str(),
                DiscontinuingImpact::NotAssessed.as_str(),
                text.to_lowercase(),
                now,
            ],
        )?;
        if made > 0 {
            let write = RecordWrite {
                table: Function::TABLE.name,
                record: id.to_string(),
                what: RecordVerb::Created.into(),
                version: 1,
                recomputed: false,
                detail: None,
                at: now,
            };
            tx.note_write(scope, write)?;
        }
        tx.execute(&LINK, params![scope.tenant(), kind.as_str(), record, text])?;
    }
    Ok(())
}

/// Deletes the references of a deleted record.
pub(crate) fn forget(tx: &mut Tx<'_>, scope: &TenantScope, record: &str) -> Result<()> {
    tx.execute(&UNLINK, params![scope.tenant(), record])?;
    Ok(())
}

/// A unique id, derived from the id of the record and the name, which occur together only once.
pub(crate) fn made_of(record: &str, name: &str, now: Moment) -> Uuid7 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, record, name).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    Uuid7::from_parts(u64::try_from(now.millis()).unwrap_or(0), half(0) << 64 | half(1))
}

/// How many records refer to a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FunctionCounts {
    pub programmes: u64,
    pub arrangements: u64,
    pub test_cases: u64,
    pub archived_test_cases: u64,
    pub open_findings: u64,
    pub incidents: u64,
}

impl FunctionCounts {
    /// How many records name the function directly.
    pub fn referrers(&self) -> u64 {
        self.programmes + self.test_cases + self.archived_test_cases + self.arrangements + self.incidents
    }
}

/// The counts of these functions, in their order, in one statement.
pub fn counts_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[FunctionId],
) -> Result<Vec<FunctionCounts>> {
    let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let mut counts: HashMap<String, FunctionCounts> = HashMap::new();
    let found: Vec<(String, String, u64)> =
        reader.query(&COUNTS, &[Value::from(scope.tenant()), Value::json(&texts)], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    for (id, kind, n) in found {
        let counts = counts.entry(id).or_default();
        match kind.as_str() {
            "programme" => counts.programmes = n,
            "arrangement" => counts.arrangements = n,
            "incident" => counts.incidents = n,
            "test_case" => counts.test_cases = n,
            "archived_test_case" => counts.archived_test_cases = n,
            _ => counts.open_findings = n,
        }
    }
    Ok(texts.iter().map(|id| counts.get(id).copied().unwrap_or_default()).collect())
}
