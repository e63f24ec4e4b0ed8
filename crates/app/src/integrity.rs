//! Whether the store is whole: the pages of the file, the references between rows, the links of every audit chain.

use crate::{App, Error, Result, audit};

impl App {
    /// Checks everything and says what was checked; fails with the first things that are wrong. Takes long.
    pub(crate) async fn check_integrity(&self) -> Result<String> {
        let mut wrong = self.db.check_integrity().await?;
        let chains = self.audit_chains().await?;
        let mut entries = 0;
        for chain in &chains {
            let report = self.verify_audit(chain, None).await?;
            match report.outcome {
                Ok(head) => {
                    // The log leaves the machine: a head in it shows later whether the chain was cut off or rewritten.
                    let (seq, hash) = (head.seq, audit::head_text(&head));
                    tracing::info!(target: "audit", %chain, seq, hash, "audit head");
                    entries += report.entries;
                }
                Err(fault) => wrong.push(format!("audit chain {chain}: {fault}")),
            }
        }
        if wrong.is_empty() {
            return Ok(format!(
                "{} audit chains with {entries} entries and the store are whole",
                chains.len()
            ));
        }
        for complaint in &wrong {
            tracing::error!(complaint, "the store is damaged");
        }
        Err(Error::internal(format!("the store is damaged: {}", wrong.join("; "))))
    }
}
