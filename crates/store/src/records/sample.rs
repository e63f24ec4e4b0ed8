//! Samples of records. They are stored once; there is no statement that changes one.

use domain::{
    id::SampleId,
    page::{Page, PageRequest},
    sample::Sample,
    text::Name,
};

use crate::{
    Error, Reader, Result, TenantScope, Tx, params,
    sql::{List, Order, Row, cursor_columns},
};

crate::sql! {
    INSERT = "INSERT INTO samples (id, tenant_id, list, filters, size, seed, purpose, population, drawn, drawn_by, drawn_at)
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    GET = "SELECT s.id, s.list, s.filters, s.size, s.seed, s.purpose, s.population, s.drawn, s.drawn_by, s.drawn_at
           FROM samples s WHERE s.tenant_id = $1 AND s.id = $2";
}

/// Every list of this module.
pub const LISTS: &[&List] = &[&LIST];

static LIST: List = List {
    name: "samples",
    columns: "s.id, s.list, s.filters, s.size, s.seed, s.purpose, s.population, s.drawn, s.drawn_by, s.drawn_at",
    stamps: None,
    from: "samples s",
    base: "s.tenant_id = $1",
    filters: &[],
    tagged: None,
    orders: &[Order { name: "-drawn_at", by: "s.id DESC", back: "s.id" }],
    found: None,
    cursor: cursor_columns!("s.id", SampleId, "s.drawn_at"),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleRow {
    pub id: SampleId,
    pub sample: Sample,
}

fn read(row: &Row<'_>) -> Result<SampleRow> {
    let sample = Sample {
        list: row.get(1)?,
        filter: serde_json::from_str(&row.get::<String>(2)?).map_err(Error::corrupt)?,
        size: u32::try_from(row.get::<i64>(3)?).map_err(Error::corrupt)?,
        seed: row.check(4, Name::parse)?,
        purpose: row.check(5, Name::parse)?,
        population: row.get(6)?,
        drawn: serde_json::from_str(&row.get::<String>(7)?).map_err(Error::corrupt)?,
        drawn_by: row.get(8)?,
        drawn_at: row.get(9)?,
    };
    Ok(SampleRow { id: row.parse(0)?, sample })
}

pub fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &SampleRow) -> Result<()> {
    let sample = &row.sample;
    let text = |json: serde_json::Result<String>| json.map_err(Error::corrupt);
    let (filter, drawn) =
        (text(serde_json::to_string(&sample.filter))?, text(serde_json::to_string(&sample.drawn))?);
    tx.execute(
        &INSERT,
        params![
            row.id,
            scope.tenant(),
            sample.list.as_str(),
            filter.as_str(),
            sample.size,
            sample.seed.as_str(),
            sample.purpose.as_str(),
            sample.population,
            drawn.as_str(),
            sample.drawn_by.as_str(),
            sample.drawn_at,
        ],
    )?;
    Ok(())
}

/// Newest first.
pub fn list(reader: &mut Reader<'_>, scope: &TenantScope, request: PageRequest) -> Result<Page<SampleRow>> {
    LIST.query(scope).page(reader, request, read)
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope, id: SampleId) -> Result<Option<SampleRow>> {
    reader.query_opt(&GET, params![scope.tenant(), id], read)
}
