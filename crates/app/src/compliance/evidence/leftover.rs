//! Cleans up what belongs to no evidence: interrupted uploads, and objects whose evidence was deleted.

use outbound::bucket::BucketError;
use store::{
    Tx,
    evidence_file::{self, Leftover},
};

use crate::{Compliance, Result};

/// An upload that is not finished after this time was abandoned: the file is on this machine before storing starts, and
/// the tries to store it in a bucket together take less.
const GIVEN_UP_MS: i64 = 20 * 60 * 1000;
/// An object whose removal the bucket refuses is tried again after this time. Usually it is still locked.
const REFUSED_MS: i64 = 24 * 60 * 60 * 1000;
/// How many are read at once.
const BATCH: u32 = 100;

/// What was cleaned up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Interrupted uploads.
    pub uploads: u64,
    /// Objects removed from the bucket.
    pub objects: u64,
    /// Objects that could not be removed and are tried again later.
    pub postponed: u64,
}

impl Compliance {
    /// Deletes interrupted uploads and removes objects that belong to no evidence. A job calls it.
    ///
    /// An interrupted upload in a bucket first becomes an order to remove its object, in one transaction: from then on
    /// it can no longer become a file, so an object is never removed while evidence could still refer to it.
    pub async fn prune_uploads(&self) -> Result<Pruned> {
        let before = self.clock.now().plus_millis(-GIVEN_UP_MS);
        let (mut pruned, mut away) = (Pruned::default(), false);
        loop {
            let found = self.db.platform().read(move |r| evidence_file::stale(r, before, BATCH)).await?;
            if found.is_empty() {
                return Ok(pruned);
            }
            // Each is deleted, turned into an order or postponed, so the next batch has others.
            for leftover in found {
                let Some(object) = leftover.object() else {
                    self.drop_leftover(leftover).await?;
                    pruned.uploads += 1;
                    continue;
                };
                match self.remove_object(&object, away).await {
                    Ok(()) => {
                        let write = move |tx: &mut Tx<'_>| evidence_file::removed(tx, &leftover);
                        self.db.platform().bookkeep(write).await?;
                        pruned.objects += 1;
                    }
                    Err(error) => {
                        // After one time without an answer the others are not tried in this run.
                        away |= matches!(error, BucketError::Away(_));
                        self.postpone(leftover, &error).await?;
                        pruned.postponed += 1;
                    }
                }
            }
        }
    }

    async fn drop_leftover(&self, leftover: Leftover) -> Result<()> {
        let Leftover { tenant, content_id } = leftover;
        let write = move |tx: &mut Tx<'_>| evidence_file::drop_upload(tx, tenant, &content_id);
        Ok(self.db.platform().bookkeep(write).await?)
    }

    async fn remove_object(&self, object: &str, away: bool) -> Result<(), BucketError> {
        match &self.bucket {
            Some(bucket) if !away => bucket.remove(object, self.clock.now()).await,
            Some(_) => Err(BucketError::Away("not tried again in this run".to_owned())),
            None => Err(BucketError::Away("no bucket is configured".to_owned())),
        }
    }

    async fn postpone(&self, leftover: Leftover, error: &BucketError) -> Result<()> {
        tracing::warn!(tenant = %leftover.tenant, %error, "an object in the bucket cannot be removed yet");
        let refused = matches!(error, BucketError::Refused { .. });
        let wait = if refused { REFUSED_MS - GIVEN_UP_MS } else { 0 };
        let at = self.clock.now().plus_millis(wait);
        let write = move |tx: &mut Tx<'_>| evidence_file::postpone(tx, &leftover, at);
        Ok(self.db.platform().bookkeep(write).await?)
    }
}
