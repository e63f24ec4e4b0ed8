//! What the self-healing job did, by action. Platform data, a handful of rows.

use domain::moment::Moment;

use crate::{Reader, Result, Tx, params};

crate::sql! {
    LIST = "SELECT name, runs, healed, last_run_at, last_outcome FROM healings WHERE name > '' ORDER BY name";
    NOTE = "INSERT INTO healings (name, runs, healed, last_run_at, last_outcome) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (name) DO UPDATE SET runs = healings.runs + excluded.runs,
                healed = healings.healed + excluded.healed, last_run_at = excluded.last_run_at,
                last_outcome = excluded.last_outcome";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealingRow {
    pub name: String,
    /// How often the check ran, and how often there was something to repair.
    pub runs: u64,
    pub healed: u64,
    pub last_run_at: Moment,
    pub last_outcome: String,
}

pub fn list(reader: &mut Reader<'_>) -> Result<Vec<HealingRow>> {
    reader.query(&LIST, &[], |row| {
        Ok(HealingRow {
            name: row.get(0)?,
            runs: row.get(1)?,
            healed: row.get(2)?,
            last_run_at: row.get(3)?,
            last_outcome: row.get(4)?,
        })
    })
}

/// Adds to the counts of an action.
pub fn note(tx: &mut Tx<'_>, row: &HealingRow) -> Result<()> {
    tx.execute(&NOTE, params![&row.name, row.runs, row.healed, row.last_run_at, &row.last_outcome])?;
    Ok(())
}
