//! Compliance scores: how far each framework is covered, and the change since the catalogue's last version.

use std::sync::Arc;

use catalogue::compliance::FrameworkStatus;
use domain::rounding::Hundredths;
use store::{
    Tx,
    score::{self as rows, ScoreRow},
};

use crate::{Compliance, Result, catalogue::Edition};

/// One framework's score.
#[derive(Debug, Clone)]
pub struct Score {
    pub status: FrameworkStatus,
    /// The score in the previous version of the catalogue, if it is known.
    pub previous: Option<Hundredths>,
}

impl Compliance {
    /// The score of every framework, in the order of the catalogue.
    pub async fn compliance_scores(&self) -> Result<(Arc<Edition>, Vec<Score>)> {
        let edition = self.catalogue()?;
        let version = edition.version.to_string();
        let seen = self.db.platform().read(rows::list).await?;
        let previous = |status: &FrameworkStatus| {
            let before =
                |row: &&ScoreRow| row.framework == status.framework.as_str() && row.version < version;
            seen.iter().rev().find(before).map(|row| row.score)
        };
        let scores = edition.compliance.frameworks.iter();
        let scores =
            scores.map(|status| Score { status: status.clone(), previous: previous(status) }).collect();
        Ok((edition, scores))
    }
}

/// The scores of this edition, as stored.
pub(crate) fn of(edition: &Edition) -> Vec<ScoreRow> {
    let row = |status: &FrameworkStatus| ScoreRow {
        version: edition.version.to_string(),
        framework: status.framework.to_string(),
        score: status.tally.coverage_pct(),
    };
    edition.compliance.frameworks.iter().map(row).collect()
}

/// Stores new scores; returns whether there were any.
pub(crate) fn keep(tx: &mut Tx<'_>, scores: &[ScoreRow]) -> Result<bool> {
    let kept = rows::list(tx)?;
    let mut changed = false;
    for row in scores.iter().filter(|row| !kept.contains(row)) {
        rows::put(tx, row)?;
        changed = true;
    }
    Ok(changed)
}
