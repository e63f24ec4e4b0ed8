//! The figures of trainings: how many are passed, due and late, with those of the management body apart.

use store::{Reader, training as rows};

use super::TrainingTotals;
use crate::{Compliance, Error, Result, authz::Caller};

impl Compliance {
    /// The figures of the institution, which name no person.
    pub async fn training_totals(&self, caller: &Caller) -> Result<TrainingTotals> {
        let (scope, now) = (*caller.scope(), self.clock.now());
        let read = move |reader: &mut Reader<'_>| rows::totals(reader, &scope, now).map_err(Error::from);
        self.db.tenant(caller.scope()).read(read).await
    }
}
