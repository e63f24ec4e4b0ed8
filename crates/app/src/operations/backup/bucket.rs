//! Compares the files that a backup lists as being in a bucket with that bucket.

use outbound::bucket::{Bucket, BucketError};
use store::evidence_file::BucketFile;

use super::{Result, Watch};
use crate::{clock::Clock, evidence::ObjectReader};

/// How thoroughly the bucket is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BucketDepth {
    /// Every object exists and has its size.
    Sizes,
    /// Every object is read and compared with its digest.
    Bytes,
}

/// The result of the comparison. Files are given by the names of their objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BucketCheck {
    pub files: u64,
    pub bytes: u64,
    pub missing: Vec<String>,
    pub altered: Vec<String>,
}

impl BucketCheck {
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty() && self.altered.is_empty()
    }
}

/// Compares every file of the list. Fails only if the bucket does not answer or refuses.
pub async fn check_bucket(
    bucket: &Bucket,
    files: &[BucketFile],
    depth: BucketDepth,
    clock: &Clock,
    watch: &mut Watch<'_>,
) -> Result<BucketCheck> {
    let mut check = BucketCheck::default();
    for file in files {
        watch("comparing files in the bucket", check.files, files.len() as u64);
        check.files += 1;
        check.bytes += file.bytes;
        match compare(bucket, file, depth, clock).await {
            Ok(()) => {}
            Err(BucketError::Missing) => check.missing.push(file.object.clone()),
            Err(BucketError::Altered(_)) => check.altered.push(file.object.clone()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(check)
}

async fn compare(
    bucket: &Bucket,
    file: &BucketFile,
    depth: BucketDepth,
    clock: &Clock,
) -> Result<(), BucketError> {
    let object = bucket.head(&file.object, clock.now()).await?.ok_or(BucketError::Missing)?;
    if object.bytes != file.bytes {
        return Err(BucketError::Altered("its size differs".to_owned()));
    }
    if depth == BucketDepth::Bytes {
        let digest = Some(file.sha256.clone());
        let mut reader =
            ObjectReader::open(bucket, clock, file.object.clone(), 0..file.bytes, digest).await?;
        while reader.next().await?.is_some() {}
    }
    Ok(())
}
