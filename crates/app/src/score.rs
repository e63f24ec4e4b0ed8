//! Compliance scores: how far each framework is covered, and how that moved since the catalogue last changed.

use std::sync::Arc;

use catalogue::compliance::FrameworkStatus;
use domain::exact::Hundredths;
use store::{
    Tx,
    score::{self as rows, ScoreRow},
};

use crate::{App, Result, catalogue::Edition};

/// One framework's score.
#[derive(Debug, Clone)]
pub struct Score {
    pub status: FrameworkStatus,
    /// What it was in the version of the catalogue before this one, if one was seen.
    pub previous: Option<Hundredths>,
}

impl App {
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

/// The scores of this edition, as they are kept.
pub(crate) fn of(edition: &Edition) -> Vec<ScoreRow> {
    let row = |status: &FrameworkStatus| ScoreRow {
        version: edition.version.to_string(),
        framework: status.framework.to_string(),
        score: status.tally.coverage_pct(),
    };
    edition.compliance.frameworks.iter().map(row).collect()
}

/// Keeps what is not kept yet; says whether there was anything.
pub(crate) fn keep(tx: &mut Tx<'_>, scores: &[ScoreRow]) -> Result<bool> {
    let kept = rows::list(tx)?;
    let mut changed = false;
    for row in scores.iter().filter(|row| !kept.contains(row)) {
        rows::put(tx, row)?;
        changed = true;
    }
    Ok(changed)
}
