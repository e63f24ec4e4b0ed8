//! The audit log: written with every change, verified and exported on demand.

use std::fmt::Display;

use domain::{
    actor::Actor,
    audit::{ChainFault, Entry, Head, Verifier},
    moment::Moment,
};
use serde_json::Value;
use store::{Tx, audit as rows, audit::AuditRow};

use crate::{App, Error, Result};

/// How many entries are held in memory while a chain is walked.
const STEP: u32 = 1000;

/// Appends what was done to the audit chain of the running change.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    actor: Actor,
    at: Moment,
    action: &str,
    subject: impl Display,
    detail: &Value,
) -> Result<()> {
    let entry = Entry {
        at,
        actor: actor.to_string(),
        action: action.to_owned(),
        subject: subject.to_string(),
        detail: detail.to_string(),
    };
    tx.audit(&entry).map_err(Error::from)
}

/// What verifying one chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainReport {
    pub chain: String,
    pub entries: i64,
    pub outcome: Result<Head, ChainFault>,
}

impl App {
    /// The names of all audit chains: one for each tenant, by its id, and `platform`.
    pub async fn audit_chains(&self) -> Result<Vec<String>> {
        self.db.platform().read(rows::chains).await.map_err(Error::from)
    }

    /// Walks one chain from its first entry. `anchor` is a head exported earlier.
    pub async fn verify_audit(&self, chain: &str, anchor: Option<Head>) -> Result<ChainReport> {
        let mut verifier = Verifier::new(chain, anchor);
        let mut last = 0;
        let report = |entries, outcome| ChainReport { chain: chain.to_owned(), entries, outcome };
        loop {
            let batch = self.audit_after(chain, last).await?;
            for row in &batch {
                if let Err(fault) = verifier.step(row.seq, row.hash, &row.entry) {
                    return Ok(report(last, Err(fault)));
                }
                last = row.seq;
            }
            if batch.is_empty() {
                break;
            }
        }
        let stored = self.audit_head(chain).await?;
        // Entries appended while walking are verified by the next run.
        if stored.seq > last && !self.audit_after(chain, last).await?.is_empty() {
            return Ok(report(last, Ok(stored)));
        }
        Ok(report(last, verifier.finish(stored)))
    }

    /// The next entries of a chain after `seq`, oldest first.
    pub async fn audit_after(&self, chain: &str, seq: i64) -> Result<Vec<AuditRow>> {
        let chain = chain.to_owned();
        self.db.platform().read(move |r| rows::after(r, &chain, seq, STEP)).await.map_err(Error::from)
    }

    pub async fn audit_head(&self, chain: &str) -> Result<Head> {
        let chain = chain.to_owned();
        self.db.platform().read(move |r| rows::head(r, &chain)).await.map_err(Error::from)
    }
}
