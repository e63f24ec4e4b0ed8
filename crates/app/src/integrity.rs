//! Whether the store is whole: the pages of the file, the references between rows, the links of every audit chain.

use crate::{App, Error, Result};

impl App {
    /// Checks everything and says what was checked; fails with the first things that are wrong. Takes long.
    pub(crate) async fn check_integrity(&self) -> Result<String> {
        let mut wrong = self.db.check_integrity().await?;
        let chains = self.audit_chains().await?;
        let mut entries = 0;
        for chain in &chains {
            let report = self.verify_audit(chain, None).await?;
            match report.outcome {
                Ok(_) => entries += report.entries,
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
