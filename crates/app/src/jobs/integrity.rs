//! Checks the integrity of the store: the pages of the file, the references between rows, and every audit chain.

use crate::{
    App, Error, Result,
    audit_head::{Heads, Occasion},
    audit_key::Beginner,
};

impl App {
    /// Checks everything and says what was checked; fails with the first things that are wrong. Takes long.
    ///
    /// The heads of whole chains are made known, also where something else is wrong.
    pub async fn check_integrity(&self) -> Result<String> {
        let keyed = self.operations.key_audit_chains(Beginner::Other).await?;
        let mut wrong = self.db.check_integrity().await?;
        let (mut entries, mut heads) = (0, Heads::new());
        for chain in self.operations.audit_chains().await? {
            let report = self.operations.verify_audit(&chain, None).await?;
            match report.outcome {
                Ok(head) => {
                    entries += report.entries;
                    heads.insert(chain, head);
                }
                Err(fault) => wrong.push(format!("audit chain {chain}: {fault}")),
            }
        }
        self.operations.make_heads_known(&heads, Occasion::Check);
        self.operations.mail_heads(&heads, &wrong, Occasion::Check).await?;
        if wrong.is_empty() {
            let begun =
                if keyed > 0 { format!("; {keyed} chains are keyed from now on") } else { String::new() };
            let chains = heads.len();
            return Ok(format!(
                "{chains} audit chains with {entries} entries and the store are whole{begun}"
            ));
        }
        for complaint in &wrong {
            tracing::error!(complaint, "the store is damaged");
        }
        Err(Error::internal(format!("the store is damaged: {}", wrong.join("; "))))
    }
}
