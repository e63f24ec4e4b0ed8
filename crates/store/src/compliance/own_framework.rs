//! Frameworks of the institution's own, and their sets of requirements. A set is written once and never changed, so
//! that a reader may keep it by its number.

use std::sync::LazyLock;

use domain::{
    any_of::AnyOf,
    archive::Archived,
    assessment::Signed,
    framework::Framework,
    id::OwnFrameworkId,
    moment::Moment,
    own_framework::{InForce, OwnFramework, OwnFrameworkStatus, OwnRequirement},
    text::Name,
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, params,
    record::{Kind, RecordRow},
    sql::{ARCHIVED, Cells, Filter, ListQuery, Table, TableColumn, TableStatements, Value},
};

crate::sql! {
    KEYS = "SELECT id, key FROM own_frameworks WHERE tenant_id = $1 ORDER BY key LIMIT $2";
    IN_FORCE = "SELECT id, key, force_title, force_edition, force_content FROM own_frameworks
                WHERE tenant_id = $1 AND force_content > 0 ORDER BY key LIMIT $2";
    ADD = "INSERT INTO own_framework_contents (tenant_id, framework_id, number, created_at, requirements)
           VALUES ($1, $2, $3, $4, $5)";
    CONTENT = "SELECT requirements FROM own_framework_contents
               WHERE tenant_id = $1 AND framework_id = $2 AND number = $3";
    FORGET = "DELETE FROM own_framework_contents WHERE tenant_id = $1 AND framework_id = $2";
}

pub type OwnFrameworkRow = RecordRow<OwnFramework>;

/// Which frameworks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFrameworkFilter {
    pub status: AnyOf<OwnFrameworkStatus>,
    pub owner: AnyOf<String>,
    /// Whether archived records are listed.
    pub archived: Archived,
    pub search: Option<String>,
}

/// Composed once.
pub static SQL: LazyLock<TableStatements> = LazyLock::new(|| TableStatements::of(&OwnFramework::TABLE));

impl Kind for OwnFramework {
    type Id = OwnFrameworkId;
    type Filter = OwnFrameworkFilter;

    const TABLE: Table<Self> = Table {
        name: "own_frameworks",
        prefix: OwnFrameworkId::PREFIX,
        columns: &[
            TableColumn::fixed("key", |own| Value::from(own.key.as_str())),
            TableColumn::new("title", |own| Value::from(&own.title)),
            TableColumn::new("description", |own| Value::from(own.description.as_ref())),
            TableColumn::new("edition", |own| Value::from(own.edition.as_ref())),
            TableColumn::new("owner", |own| Value::from(own.owner.as_ref())),
            TableColumn::new("status", |own| Value::from(own.status.as_str())),
            TableColumn::new("content", |own| Value::from(own.content)),
            TableColumn::new("requirements", |own| Value::from(own.requirements)),
            TableColumn::new("force_title", |own| Value::from(own.in_force.as_ref().map(|held| &held.title))),
            TableColumn::new("force_edition", |own| {
                Value::from(own.in_force.as_ref().and_then(|held| held.edition.as_ref()))
            }),
            TableColumn::new("force_content", |own| {
                Value::from(own.in_force.as_ref().map_or(0, |held| held.content))
            }),
            TableColumn::new("editors", |own| Value::json(&own.editors)),
            TableColumn::new("approved_at", |own| Value::from(own.approved.as_ref().map(|signed| signed.at))),
            TableColumn::new("approved_by", |own| {
                Value::from(own.approved.as_ref().map(|signed| signed.by.as_str()))
            }),
        ],
        archives: true,
        work: None,
        filters: &[
            ARCHIVED,
            Filter { name: "status", condition: "r.status = ?" },
            Filter { name: "owner", condition: "r.owner = ?" },
        ],
        sorts: &[],
    };

    fn statements() -> &'static TableStatements {
        &SQL
    }

    fn read(cells: &mut Cells<'_, '_>) -> Result<Self> {
        Ok(Self {
            key: cells.parse("key")?,
            title: cells.name("title")?,
            description: cells.prose_opt("description")?,
            edition: cells.name_opt("edition")?,
            owner: cells.name_opt("owner")?,
            status: cells.parse("status")?,
            content: cells.get("content")?,
            requirements: cells.get("requirements")?,
            in_force: {
                let title = cells.name_opt("force_title")?;
                let edition = cells.name_opt("force_edition")?;
                let content: i64 = cells.get("force_content")?;
                title.filter(|_| content > 0).map(|title| InForce { title, edition, content })
            },
            editors: cells.json("editors")?,
            approved: {
                let at: Option<Moment> = cells.get("approved_at")?;
                let by: Option<String> = cells.get("approved_by")?;
                at.zip(by).map(|(at, by)| Signed { at, by })
            },
        })
    }

    fn narrow<'q>(filter: &'q OwnFrameworkFilter, list: ListQuery<'q>) -> ListQuery<'q> {
        list.any_word("status", &filter.status)
            .filter_opt("archived", filter.archived.wanted())
            .any_text("owner", &filter.owner)
    }
}

/// The keys of the tenant's frameworks, at most so many.
pub fn keys(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    most: u64,
) -> Result<Vec<(OwnFrameworkId, Framework)>> {
    reader.query(&KEYS, params![scope.tenant(), most], |row| Ok((row.parse(0)?, row.parse(1)?)))
}

/// A framework of which something was approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForceRow {
    pub id: OwnFrameworkId,
    pub key: Framework,
    pub in_force: InForce,
}

/// What is in force, by key, at most so many.
pub fn in_force(reader: &mut Reader<'_>, scope: &TenantScope, most: u64) -> Result<Vec<ForceRow>> {
    reader.query(&IN_FORCE, params![scope.tenant(), most], |row| {
        let title = row.check(2, Name::parse)?;
        let edition = row.check_opt(3, Name::parse)?;
        let in_force = InForce { title, edition, content: row.get(4)? };
        Ok(ForceRow { id: row.parse(0)?, key: row.parse(1)?, in_force })
    })
}

/// Writes a set of requirements under a number that was not used before.
pub fn add_content(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    id: OwnFrameworkId,
    (number, at): (i64, Moment),
    requirements: &[OwnRequirement],
) -> Result<()> {
    let text = serde_json::to_string(requirements).map_err(Error::corrupt)?;
    tx.execute(&ADD, params![scope.tenant(), id, number, at, text])?;
    Ok(())
}

/// The set of this number; the one of number 0 is empty.
pub fn content(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: OwnFrameworkId,
    number: i64,
) -> Result<Vec<OwnRequirement>> {
    let found = reader.query_opt(&CONTENT, params![scope.tenant(), id, number], |row| row.json(0))?;
    Ok(found.unwrap_or_default())
}

/// Forgets every set of a framework that is deleted.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, id: OwnFrameworkId) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), id])?;
    Ok(())
}
