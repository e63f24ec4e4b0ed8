//! The compliance timeline as of its latest synchronisation. Platform data: every tenant sees the same.

use domain::moment::Moment;

use crate::{Reader, Result, Tx, params, sql::Row};

crate::sql! {
    LIST = whole("the timeline is compared and shown as a whole; feeds are bounded when they are read",
                 "SELECT id, origin, digest, item FROM timeline_items ORDER BY id");
    PUT = "INSERT INTO timeline_items (id, origin, digest, item, synced_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (id) DO UPDATE SET origin = excluded.origin, digest = excluded.digest,
                                          item = excluded.item, synced_at = excluded.synced_at";
    DELETE = "DELETE FROM timeline_items WHERE id = $1";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineRow {
    pub id: String,
    /// The feed it came from, or the catalogue.
    pub origin: String,
    /// Shows whether the item has changed.
    pub digest: String,
    /// The item itself, if it is stored nowhere else.
    pub item: Option<String>,
}

fn read(row: &Row<'_>) -> Result<TimelineRow> {
    Ok(TimelineRow { id: row.get(0)?, origin: row.get(1)?, digest: row.get(2)?, item: row.get(3)? })
}

pub fn list(reader: &mut Reader<'_>) -> Result<Vec<TimelineRow>> {
    reader.query(&LIST, &[], read)
}

pub fn put(tx: &mut Tx<'_>, row: &TimelineRow, at: Moment) -> Result<()> {
    tx.execute(&PUT, params![&row.id, &row.origin, &row.digest, row.item.as_deref(), at])?;
    Ok(())
}

pub fn delete(tx: &mut Tx<'_>, id: &str) -> Result<()> {
    tx.execute(&DELETE, params![id])?;
    Ok(())
}
