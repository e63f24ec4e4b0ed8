//! Deleting bundles: an administrator one that is no longer needed, and a job those that are past their time. What a
//! bundle held stays in the records and the audit log, so the same day gives the same bytes again.

use domain::{
    id::BundleId,
    right::{Resource, Right},
    violation::RecordComplaint,
};
use serde_json::json;
use store::{Tx, bundle as rows, evidence_file};

use super::check_reader;
use crate::{Bundles, Error, Result, author::Author, authz::Caller};

/// How long a bundle is kept.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// How many are looked for at a time.
const BATCH: u32 = 50;

impl Bundles {
    pub async fn delete_bundle(&self, caller: &Caller, id: BundleId) -> Result<()> {
        check_reader(caller)?;
        caller.require_right(Resource::Keys, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.remove_bundle(tx, id);
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Deletes bundles that are past their time, and returns their number. A job calls it.
    pub async fn prune_bundles(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-KEPT_MS);
        let mut pruned = 0;
        loop {
            let old = self.db.platform().read(move |r| rows::old(r, before, BATCH)).await?;
            if old.is_empty() {
                return Ok(pruned);
            }
            for (tenant, id) in old {
                let caller = Caller::system(tenant);
                let author = Author::new(self, &caller);
                let write = move |tx: &mut Tx<'_>| author.remove_bundle(tx, id);
                match self.db.tenant(caller.scope()).write(write).await {
                    Ok(()) => pruned += 1,
                    // An administrator was faster.
                    Err(Error::NotFound) => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

impl Author {
    fn remove_bundle(&self, tx: &mut Tx<'_>, id: BundleId) -> Result<()> {
        let row = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        if !rows::delete(tx, self.scope(), id)? {
            return Err(Error::Conflict(RecordComplaint::BundleInTheMaking.into()));
        }
        if let Some(file) = &row.file {
            evidence_file::drop_bytes(tx, self.scope().tenant(), &file.content_id)?;
        }
        let sha256 = row.file.map(|file| file.sha256);
        self.audit(tx, "bundle.deleted", id, &json!({ "as_of": row.wish.as_of, "sha256": sha256 }))
    }
}
