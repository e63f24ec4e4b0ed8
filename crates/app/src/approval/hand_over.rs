//! Requests for a decision when a person hands their work over: they wait for the successor where the successor may
//! decide, and otherwise for the others who can.

use domain::{approval::ApprovalState, id::UserId, inbox::Reason};
use store::{Tx, approval as rows, user::UserRow};

use super::{about, panel::Panel};
use crate::{Error, Result, author::Author};

impl Author {
    /// Returns how many requests waited for the person.
    pub(crate) fn hand_over_waits(
        &self,
        tx: &mut Tx<'_>,
        from: UserId,
        heir: Option<&UserRow>,
    ) -> Result<u64> {
        let waiting = rows::waits_of(tx, self.scope(), from)?;
        rows::leave(tx, self.scope(), from)?;
        let mut moved = 0;
        for row in waiting.iter().filter(|row| row.record.state == ApprovalState::Asked) {
            moved += 1;
            let panel = match Panel::of(self, tx, &row.record) {
                // Its subject is gone with a framework that was retired, or with an edition of the catalogue.
                Err(Error::NotFound) => {
                    self.lapse(tx, row.record.subject.as_str(), || vec!["deleted".to_owned()])?;
                    continue;
                }
                panel => panel?,
            };
            let able = heir.filter(|heir| panel.refusal(heir.id, heir.role).is_none());
            let people: Vec<UserId> = match able {
                Some(heir) => vec![heir.id],
                None if rows::waits(tx, self.scope(), row.id)?.is_empty() => {
                    let others = panel.deciders(tx, self.scope())?.into_iter().map(|(id, _)| id);
                    others.filter(|id| *id != from).collect()
                }
                None => Vec::new(),
            };
            for person in people {
                rows::wait(tx, self.scope(), row.id, person)?;
                self.notify(tx, person, Reason::ApprovalWanted, &about(row))?;
            }
        }
        Ok(moved)
    }
}
