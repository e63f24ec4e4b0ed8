//! The work of the job: claims bundles one after the other, makes each and keeps its bytes.
//!
//! A bundle is written to a file without a name, which is gone with the process, and stored in parts that belong to
//! nothing until the transaction that calls the bundle made. A process that is killed leaves no half bundle: the claim
//! ends, and another run begins anew.

use std::{
    fs::File,
    io::{Read as _, Seek as _},
    sync::Arc,
    time::Duration,
};

use bundle::Writer;
use domain::{id::BundleId, moment::Moment};
use outbound::time_stamp::TimeStamp;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use store::{
    Tx,
    bundle::{self as rows, BundleFile, BundleRow},
    evidence_file::{self, Storage},
};

use super::gather::{Gathered, Gathering};
use crate::{
    Bundles, Error, Result,
    author::Author,
    authz::Caller,
    ids::{fill_random, random_u128},
    report::no_room,
    upload::Upload,
};

/// How long a claim holds without progress.
const CLAIM_MS: i64 = 15 * 60 * 1000;
/// How many are looked for at a time.
const BATCH: u32 = 20;
/// How far the work is once the lists are written, and once the files of evidence are.
const GATHERED: i64 = 40;
const FILED: i64 = 90;
/// The steps in between.
const STEPS: usize = 50;

/// How long the authority is waited for before each try.
const STAMP_WAITS: [Duration; 3] = [Duration::ZERO, Duration::from_secs(1), Duration::from_secs(3)];

/// What is known of the bytes of a bundle.
struct SealedFile {
    bytes: u64,
    sha256: String,
    stamped_at: Option<Moment>,
}

/// A bundle that this process makes.
struct Claimed {
    row: BundleRow,
    caller: Caller,
    claim: String,
}

impl Bundles {
    /// Begins at once with what was asked for. The job does what this process does not get to.
    pub(super) fn begin_bundles(&self) {
        let this = self.clone();
        tokio::spawn(async move {
            if let Err(error) = Box::pin(this.make_bundles()).await {
                tracing::warn!(%error, "bundles wait for the next run of their job");
            }
        });
    }

    /// Makes every bundle that waits. A job calls it.
    pub async fn make_bundles(&self) -> Result<u64> {
        let mut made = 0;
        loop {
            let now = self.clock.now();
            let open = self.db.platform().read(move |r| rows::open(r, now, BATCH)).await?;
            let mut claimed_any = false;
            for (tenant, id) in open {
                // What finds no slot is left to the run that holds it, or to the next one.
                let _slot = match self.admission.bundling.take(tenant).await {
                    Ok(slot) => slot,
                    Err(Error::Busy) => continue,
                    Err(error) => return Err(error),
                };
                let caller = Caller::system(tenant);
                let Some(claimed) = self.claim_bundle(caller, id).await? else { continue };
                claimed_any = true;
                made += u64::from(Box::pin(self.make_claimed(&claimed)).await?);
            }
            if !claimed_any {
                return Ok(made);
            }
        }
    }

    async fn claim_bundle(&self, caller: Caller, id: BundleId) -> Result<Option<Claimed>> {
        let (scope, times) = (*caller.scope(), self.claim_times());
        let claim = format!("{:032x}", random_u128());
        let own = claim.clone();
        let write = move |tx: &mut Tx<'_>| {
            let is_mine = rows::claim(tx, &scope, id, &own, times)?;
            if is_mine { rows::get(tx, &scope, id) } else { Ok(None) }
        };
        let row = self.db.tenant(&scope).bookkeep::<_, store::Error>(write).await?;
        Ok(row.map(|row| Claimed { row, caller, claim }))
    }

    /// Now, and when a claim ends that is made or renewed now.
    fn claim_times(&self) -> (Moment, Moment) {
        let now = self.clock.now();
        (now, now.plus_millis(CLAIM_MS))
    }

    /// Says whether it was made. One that cannot be made says why, and is not tried again.
    async fn make_claimed(&self, claimed: &Claimed) -> Result<bool> {
        let error = match Box::pin(self.make_bundle(claimed)).await {
            Ok(()) => return Ok(true),
            // What may pass by itself is tried again when the claim has ended.
            Err(error @ (Error::Unavailable(_) | Error::StorageAway(_))) => return Err(error),
            Err(error) => error,
        };
        let problem = match &error {
            Error::Internal(cause) => cause.to_string(),
            other => other.to_string(),
        };
        tracing::error!(bundle = %claimed.row.id, %problem, "a bundle cannot be made");
        let (author, id, claim) = (Author::new(self, &claimed.caller), claimed.row.id, claimed.claim.clone());
        let note = move |tx: &mut Tx<'_>| {
            if rows::failed(tx, author.scope(), id, &claim, &problem)? {
                author.audit(tx, "bundle.failed", id, &json!({ "problem": problem }))?;
            }
            Ok::<_, Error>(())
        };
        self.db.tenant(claimed.caller.scope()).bookkeep(note).await?;
        Ok(false)
    }

    async fn make_bundle(&self, claimed: &Claimed) -> Result<()> {
        let key = self.signing_key().await?;
        let gathering = Gathering::new(self, &claimed.caller, &claimed.row.wish).await?;
        let gathering = Arc::new(gathering);
        let gather = {
            let gathering = Arc::clone(&gathering);
            move |reader: &mut store::Reader<'_>| gathering.gather(reader)
        };
        let mut gathered: Gathered = self.db.tenant(claimed.caller.scope()).read(gather).await?;
        self.note_progress(claimed, GATHERED).await?;
        let mut writer: Writer<File> = gathered.writer;
        let (total, mut shown) = (gathered.files.len().max(1), GATHERED);
        for (done, file) in (1..).zip(&gathered.files) {
            let written = self.write_evidence(&claimed.caller, writer, file, &mut gathered.claims);
            writer = Box::pin(written).await?;
            let percent = GATHERED + i64::try_from(done * STEPS / total).unwrap_or_default();
            if percent > shown {
                self.note_progress(claimed, percent).await?;
                shown = percent;
            }
        }
        let (claims, slice, subject) = (gathered.claims, gathered.slice, gathered.subject);
        let sign = move || {
            gathering.finish(&mut writer, &claims)?;
            Ok::<_, Error>((writer.sign(subject, slice, &key)?, key))
        };
        let signed = tokio::task::spawn_blocking(sign).await.map_err(Error::internal)?;
        let (signed, key) = signed?;
        self.note_progress(claimed, FILED).await?;
        let stamp = self.stamped(claimed.row.id, &signed.digest()).await;
        let stamped_at = stamp.as_ref().map(|stamp| stamp.at);
        let seal = move || {
            let response = stamp.as_ref().map(|stamp| stamp.response.as_ref());
            digested(signed.seal(&key, response)?)
        };
        let sealed = tokio::task::spawn_blocking(seal).await.map_err(Error::internal)?;
        let (file, bytes, sha256) = sealed?;
        self.keep_bundle(claimed, file, SealedFile { bytes, sha256, stamped_at }).await
    }

    /// The time stamp of the authority, if one is set. A bundle is made without it when the authority gives none in
    /// several tries: the stamp says when the bundle was made at the latest, and nothing about what is in it.
    async fn stamped(&self, id: BundleId, digest: &[u8; 32]) -> Option<TimeStamp> {
        let authority = self.senders.stamps.as_ref()?;
        for wait in STAMP_WAITS {
            tokio::time::sleep(wait).await;
            match authority.stamp(digest, nonce()).await {
                Ok(stamp) => return Some(stamp),
                Err(error) => {
                    tracing::warn!(bundle = %id, authority = authority.host(), %error, "no time stamp");
                }
            }
        }
        tracing::error!(bundle = %id, authority = authority.host(), "a bundle is made without a time stamp");
        None
    }

    async fn note_progress(&self, claimed: &Claimed, percent: i64) -> Result<()> {
        let (scope, id, claim) = (*claimed.caller.scope(), claimed.row.id, claimed.claim.clone());
        let (_, until) = self.claim_times();
        let write = move |tx: &mut Tx<'_>| rows::progress(tx, &scope, id, &claim, (percent, until));
        if !self.db.tenant(&scope).bookkeep(write).await? {
            return Err(Error::Unavailable("another node makes this bundle".to_owned()));
        }
        Ok(())
    }

    /// Stores the bytes and calls the bundle made, in one transaction.
    async fn keep_bundle(&self, claimed: &Claimed, file: File, sealed: SealedFile) -> Result<()> {
        let SealedFile { bytes, sha256, stamped_at } = sealed;
        let (tenant, now) = (claimed.caller.tenant(), self.clock.now());
        let content = evidence_file::content_id(Storage::Store, random_u128());
        let begun = content.clone();
        self.db.platform().bookkeep(move |tx| evidence_file::begin(tx, tenant, &begun, now)).await?;
        self.compliance.write_parts(tenant, &content, Upload::File(file)).await?;
        let (author, id, claim) = (Author::new(self, &claimed.caller), claimed.row.id, claimed.claim.clone());
        let kept = BundleFile { content_id: content, bytes, sha256, stamped_at };
        let write = move |tx: &mut Tx<'_>| {
            let stored = evidence_file::take(tx, author.scope(), &kept.content_id)?;
            if !stored || !rows::made(tx, author.scope(), id, &claim, (&kept, author.now))? {
                return Err(Error::Unavailable("another node makes this bundle".to_owned()));
            }
            let detail = match kept.stamped_at {
                Some(at) => json!({ "bytes": kept.bytes, "sha256": kept.sha256, "stamped_at": at }),
                None => json!({ "bytes": kept.bytes, "sha256": kept.sha256 }),
            };
            author.audit(tx, "bundle.made", id, &detail)
        };
        self.db.tenant(claimed.caller.scope()).bookkeep(write).await
    }
}

fn nonce() -> u64 {
    let mut bytes = [0; 8];
    fill_random(&mut bytes);
    u64::from_ne_bytes(bytes)
}

/// The file from its beginning, with its length and its digest.
fn digested(mut file: File) -> Result<(File, u64, String)> {
    file.rewind().map_err(no_room)?;
    let (mut hasher, mut buffer, mut bytes) = (Sha256::new(), vec![0; 64 * 1024], 0);
    loop {
        let read = file.read(&mut buffer).map_err(no_room)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
        bytes += read as u64;
    }
    file.rewind().map_err(no_room)?;
    Ok((file, bytes, store::sql::hex(&hasher.finalize().into())))
}
