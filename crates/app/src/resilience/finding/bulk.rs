//! The same change to many findings at once: all or none, each with its own audit entry and event.

use std::collections::BTreeSet;

use domain::{
    approval::ApprovalComplaint,
    finding::{Finding, FindingInput},
    id::FindingId,
    right::{Resource, Right},
    violation::{RecordComplaint, Violations},
};
use store::Tx;

use crate::{Error, Resilience, Result, author::Author, authz::Caller, pages::Precondition};

/// The maximum number of findings in one change.
pub const MAX_BULK: usize = 500;

/// The result of changing many findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkOutcome {
    Done {
        changed: u64,
        unchanged: u64,
    },
    /// Nothing was changed: the violations by finding.
    Refused(Vec<(FindingId, Violations)>),
}

/// Aborts the transaction with the violations, so that nothing is stored.
enum Stop {
    Refused(Vec<(FindingId, Violations)>),
    Failed(Error),
}

impl From<store::Error> for Stop {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl Resilience {
    /// Changes the status, the owner or the due day of many findings.
    pub async fn change_findings(
        &self,
        caller: &Caller,
        findings: BTreeSet<FindingId>,
        input: FindingInput,
    ) -> Result<BulkOutcome> {
        let needed = if input.decides(None) { Right::Decide } else { Right::Write };
        caller.require_right(Resource::Findings, needed)?;
        if findings.is_empty() || findings.len() > MAX_BULK {
            return Err(Error::invalid("findings", RecordComplaint::BulkSize { most: MAX_BULK }));
        }
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| tx.counting(|tx| author.change_findings(tx, &findings, &input));
        match self.db.tenant(caller.scope()).write(write).await {
            Ok((changed, unchanged)) => Ok(BulkOutcome::Done { changed, unchanged }),
            Err(Stop::Refused(refused)) => Ok(BulkOutcome::Refused(refused)),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

impl Author {
    fn change_findings(
        &self,
        tx: &mut Tx<'_>,
        findings: &BTreeSet<FindingId>,
        input: &FindingInput,
    ) -> Result<(u64, u64), Stop> {
        let (mut changed, mut unchanged, mut refused) = (0, 0, Vec::new());
        for id in findings {
            match self.change::<Finding>(tx, *id, input, &Precondition::None) {
                Ok(true) => changed += 1,
                Ok(false) => unchanged += 1,
                Err(Error::Invalid(violations)) => refused.push((*id, violations)),
                Err(Error::ApprovalRequired { .. }) => {
                    refused.push((*id, Violations::one("status", ApprovalComplaint::Required)));
                }
                Err(Error::NotFound) => {
                    refused.push((*id, Violations::one("finding", RecordComplaint::NotYourFinding)));
                }
                Err(error) => return Err(Stop::Failed(error)),
            }
        }
        if refused.is_empty() { Ok((changed, unchanged)) } else { Err(Stop::Refused(refused)) }
    }
}
