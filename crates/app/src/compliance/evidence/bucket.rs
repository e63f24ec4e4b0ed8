//! Files in a bucket: written from the spooled upload, read part by part and compared with their digest.

use std::{
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use domain::evidence::EvidenceFile;
use futures_util::{Stream, stream};
use outbound::bucket::{Bucket, BucketError, Download, ObjectDigest};
use sha2::{Digest as _, Sha256};
use store::evidence_file::CHUNK;
use tokio::sync::mpsc;

use crate::{Compliance, Core, Error, Result, clock::Clock, upload::Upload};

/// How often a download continues after its connection was cut.
const RESUMED: u32 = 5;

impl Core {
    pub(super) fn bucket(&self) -> Result<&Bucket> {
        let missing = || Error::StorageAway("a file is in a bucket, but evidence.s3 is not set".to_owned());
        self.bucket.as_ref().ok_or_else(missing)
    }
}

impl Compliance {
    /// Stores a file as an object, part by part. The bucket has confirmed it when this returns.
    pub(super) async fn write_object(&self, object: &str, file: &EvidenceFile, upload: Upload) -> Result<()> {
        let sha256 = digest_of(&file.sha256)?;
        let upload = Arc::new(Mutex::new(upload));
        let known = ObjectDigest { bytes: file.bytes, sha256: &sha256 };
        let open = || parts_of(Arc::clone(&upload));
        Ok(self.bucket()?.put(object, known, open, self.clock.now()).await?)
    }
}

fn digest_of(sha256: &str) -> Result<[u8; 32]> {
    let bytes = HEXLOWER.decode(sha256.as_bytes()).map_err(Error::internal)?;
    bytes.try_into().map_err(|_| Error::internal("a digest has another length"))
}

/// The parts of an upload from its beginning. One is read ahead; reading ends when the stream is dropped.
fn parts_of(upload: Arc<Mutex<Upload>>) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let (sender, mut receiver) = mpsc::channel(1);
    tokio::task::spawn_blocking(move || {
        let mut at = 0;
        loop {
            let part = part_at(&upload, at);
            let length = part.as_ref().map_or(0, |part| part.len() as u64);
            let ended = part.as_ref().is_ok_and(Bytes::is_empty);
            if ended || sender.blocking_send(part).is_err() || length == 0 {
                return;
            }
            at += length;
        }
    });
    stream::poll_fn(move |context| receiver.poll_recv(context))
}

/// The part at a position: an earlier try may still be reading, so the file has no position of its own.
fn part_at(upload: &Mutex<Upload>, at: u64) -> io::Result<Bytes> {
    let mut upload = upload.lock().unwrap_or_else(PoisonError::into_inner);
    upload.seek(SeekFrom::Start(at))?;
    let mut part = Vec::with_capacity(CHUNK);
    upload.by_ref().take(CHUNK as u64).read_to_end(&mut part)?;
    Ok(part.into())
}

/// An object that is being read. It continues where a connection was cut.
#[derive(Debug)]
pub(crate) struct ObjectReader {
    bucket: Bucket,
    clock: Clock,
    object: String,
    download: Download,
    left: Range<u64>,
    resumes: u32,
    /// The digest so far and the expected one, if the whole object is read.
    digest: Option<(Sha256, String)>,
}

impl ObjectReader {
    /// Opens a range of an object. With its digest, the last bytes are only returned if all are as they were stored.
    pub(crate) async fn open(
        bucket: &Bucket,
        clock: &Clock,
        object: String,
        range: Range<u64>,
        sha256: Option<String>,
    ) -> Result<Self, BucketError> {
        let download = bucket.get(&object, range.clone(), clock.now()).await?;
        Ok(Self {
            bucket: bucket.clone(),
            clock: clock.clone(),
            object,
            download,
            left: range,
            resumes: RESUMED,
            digest: sha256.map(|expected| (Sha256::new(), expected)),
        })
    }

    /// The next bytes; `None` after the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, BucketError> {
        loop {
            match self.download.next().await {
                Ok(Some(part)) => {
                    self.left.start += part.len() as u64;
                    self.check(&part)?;
                    return Ok(Some(part));
                }
                Err(BucketError::Away(why)) if self.resumes > 0 && !self.left.is_empty() => {
                    tracing::debug!(why, "a download from the bucket was cut; it continues");
                    self.resumes -= 1;
                    self.download =
                        self.bucket.get(&self.object, self.left.clone(), self.clock.now()).await?;
                }
                ended => return ended,
            }
        }
    }

    fn check(&mut self, part: &Bytes) -> Result<(), BucketError> {
        let Some((digest, expected)) = &mut self.digest else { return Ok(()) };
        digest.update(part);
        if self.left.is_empty() && HEXLOWER.encode(&digest.clone().finalize()) != *expected {
            return Err(BucketError::Altered("its digest differs".to_owned()));
        }
        Ok(())
    }
}
