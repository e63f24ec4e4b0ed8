//! The same step for several findings: each on its own, so that one that cannot go does not hold back the others.

use domain::{change::Change, finding::FindingInput, id::FindingId};

use crate::{App, Error, Result, authz::Caller, pages::Precondition};

/// The most findings one request moves.
const MOST: usize = 500;

/// What became of one finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    pub id: FindingId,
    /// Its reference, or its id if it could not be read.
    pub name: String,
    /// Why it did not move.
    pub refusal: Option<String>,
}

impl App {
    pub async fn move_findings(
        &self,
        caller: &Caller,
        ids: &[FindingId],
        status: &str,
        note: Change<String>,
    ) -> Result<Vec<Moved>> {
        caller.require_record_write()?;
        if ids.len() > MOST {
            return Err(Error::invalid("ids", format_args!("must be at most {MOST}")));
        }
        let input = FindingInput { status: Change::Set(status.to_owned()), note, ..FindingInput::default() };
        let mut moved = Vec::with_capacity(ids.len());
        for id in ids.iter().copied() {
            let changed = self.change_finding(caller, id, input.clone(), Precondition::None).await;
            moved.push(match changed {
                Ok((detail, _)) => Moved { id, name: detail.record.reference.to_string(), refusal: None },
                Err(error) => {
                    let refusal = Some(refusal(error)?);
                    Moved { id, name: self.name_of(caller, id).await, refusal }
                }
            });
        }
        Ok(moved)
    }

    async fn name_of(&self, caller: &Caller, id: FindingId) -> String {
        let found = self.finding(caller, id).await;
        found.map_or_else(|_| id.to_string(), |(detail, _)| detail.record.reference.to_string())
    }
}

/// Why one finding stays where it is; what concerns all of them ends the request.
fn refusal(error: Error) -> Result<String> {
    match error {
        Error::NotFound => Ok("is gone".to_owned()),
        Error::Stale => Ok("was changed meanwhile: try again".to_owned()),
        Error::Invalid(violations) => {
            let told: Vec<_> = violations.fields().values().flatten().map(String::as_str).collect();
            Ok(told.join("; "))
        }
        error => Err(error),
    }
}
