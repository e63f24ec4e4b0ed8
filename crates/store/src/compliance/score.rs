//! Compliance scores of each version of the catalogue. Platform data, a few rows a version.

use domain::rounding::Hundredths;

use crate::{Reader, Result, Tx, params, sql::Row};

crate::sql! {
    LIST = whole("five rows for each published version of the catalogue",
                 "SELECT version, framework, score FROM compliance_scores ORDER BY version, framework");
    PUT = "INSERT INTO compliance_scores (version, framework, score) VALUES ($1, $2, $3)
           ON CONFLICT (version, framework) DO UPDATE SET score = excluded.score";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreRow {
    /// The day label of the catalogue; later ones sort later.
    pub version: String,
    pub framework: String,
    pub score: Hundredths,
}

fn read(row: &Row<'_>) -> Result<ScoreRow> {
    Ok(ScoreRow { version: row.get(0)?, framework: row.get(1)?, score: Hundredths::new(row.get(2)?) })
}

/// Every score, oldest version first.
pub fn list(reader: &mut Reader<'_>) -> Result<Vec<ScoreRow>> {
    reader.query(&LIST, &[], read)
}

pub fn put(tx: &mut Tx<'_>, row: &ScoreRow) -> Result<()> {
    tx.execute(&PUT, params![&row.version, &row.framework, row.score.get()])?;
    Ok(())
}
