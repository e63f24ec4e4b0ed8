//! Receives the bytes of a file: spooled to disk, digested, scanned, and stored part by part or as an object.

use std::io::{Read, Seek as _};

use domain::{
    evidence::{EvidenceComplaint, EvidenceFile, FileName, FileTypes, HEAD, media_type},
    id::TenantId,
};
use outbound::clamd::{self, Verdict};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use store::{
    Tx,
    evidence_file::{self, CHUNK},
};

use super::NewFile;
use crate::{
    Compliance, Error, Result,
    author::Author,
    authz::Caller,
    ids::random_u128,
    upload::{Upload, unreadable},
};

/// How many parts are written in one transaction.
const PARTS: usize = 4;

/// A file as the client sent it.
#[derive(Debug)]
pub struct SentFile {
    pub name: String,
    pub upload: Upload,
}

/// An examined file, still on disk.
#[derive(Debug)]
pub(super) struct ReceivedFile {
    pub(super) file: EvidenceFile,
    upload: Upload,
}

impl Compliance {
    /// The largest file of evidence, in bytes.
    pub fn max_evidence_bytes(&self) -> u64 {
        self.evidence.max_file_bytes
    }

    /// Examines a file and has it scanned.
    pub(super) async fn received_file(&self, caller: &Caller, sent: SentFile) -> Result<ReceivedFile> {
        let (most, clamd) = (self.evidence.max_file_bytes, self.evidence.clamd.clone());
        let types = self.evidence_types(caller).await?;
        let work = tokio::task::spawn_blocking(move || examined(sent, most, &types, clamd.as_deref()));
        match work.await.map_err(Error::internal)?? {
            Examined::Fine(received) => Ok(received),
            Examined::Infected { name, found } => {
                self.note_infected(caller, name, found.clone()).await?;
                Err(Error::invalid("file", EvidenceComplaint::Infected { name: found }))
            }
        }
    }

    async fn note_infected(&self, caller: &Caller, name: FileName, found: String) -> Result<()> {
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| {
            let detail = json!({ "file": name.as_str(), "found": found });
            author.audit(tx, "evidence.refused", author.caller.tenant(), &detail)
        };
        self.db.tenant(caller.scope()).write(write).await
    }

    /// Stores the bytes unless the tenant has them already.
    pub(super) async fn stored_file(&self, caller: &Caller, received: ReceivedFile) -> Result<NewFile> {
        let ReceivedFile { file, upload } = received;
        let (scope, sha256) = (*caller.scope(), file.sha256.clone());
        let look = move |reader: &mut store::Reader<'_>| {
            let known = evidence_file::get(reader, &scope, &sha256)?.is_some();
            Ok::<_, Error>((known, evidence_file::held(reader, &scope)?))
        };
        let (known, held) = self.db.tenant(&scope).read(look).await?;
        if known {
            return Ok(NewFile { file, upload: None });
        }
        self.check_room(held, file.bytes)?;
        let (tenant, now) = (scope.tenant(), self.clock.now());
        let content = evidence_file::content_id(self.evidence.storage, random_u128());
        let begun = content.clone();
        self.db.platform().bookkeep(move |tx| evidence_file::begin(tx, tenant, &begun, now)).await?;
        match evidence_file::object(tenant, &content) {
            Some(object) => self.write_object(&object, &file, upload).await?,
            None => self.write_parts(tenant, &content, upload).await?,
        }
        Ok(NewFile { file, upload: Some(content) })
    }

    /// Stores a few parts at a time, so that a large file takes little memory and other writers do not wait long.
    pub(crate) async fn write_parts(
        &self,
        tenant: TenantId,
        content: &str,
        mut upload: Upload,
    ) -> Result<()> {
        let mut place = 0;
        loop {
            let read = move || next_parts(&mut upload).map(|parts| (upload, parts));
            let (rest, parts) = tokio::task::spawn_blocking(read).await.map_err(Error::internal)??;
            upload = rest;
            let count = parts.len() as u64;
            if count == 0 {
                return Ok(());
            }
            let content = content.to_owned();
            let write = move |tx: &mut Tx<'_>| {
                let places = (place..).zip(&parts);
                places
                    .into_iter()
                    .try_for_each(|(place, part)| evidence_file::append(tx, tenant, &content, place, part))
            };
            self.db.platform().bookkeep(write).await?;
            place += count;
        }
    }

    /// Deletes bytes that belong to no evidence.
    pub(super) async fn drop_upload(&self, caller: &Caller, upload: String) -> Result<()> {
        let tenant = caller.tenant();
        let write = move |tx: &mut Tx<'_>| evidence_file::drop_upload(tx, tenant, &upload);
        Ok(self.db.platform().bookkeep(write).await?)
    }
}

enum Examined {
    Fine(ReceivedFile),
    Infected { name: FileName, found: String },
}

fn examined(sent: SentFile, most: u64, types: &FileTypes, clamd: Option<&str>) -> Result<Examined> {
    let SentFile { name, mut upload } = sent;
    let name = FileName::cleaned(&name);
    let head = upload.head(HEAD as u64)?;
    let (bytes, sha256) = digest(&mut upload)?;
    if bytes == 0 {
        return Err(Error::invalid("file", EvidenceComplaint::EmptyFile));
    }
    if bytes > most {
        return Err(Error::invalid("file", EvidenceComplaint::TooLarge { most }));
    }
    types.check(&name, &head).map_err(|refused| Error::invalid("file", refused))?;
    if let Some(address) = clamd {
        upload.rewind().map_err(|error| unreadable(&error))?;
        let verdict = clamd::scan(address, &mut upload)
            .map_err(|error| Error::Unavailable(format!("the virus scanner does not answer: {error}")))?;
        if let Verdict::Infected(found) = verdict {
            return Ok(Examined::Infected { name, found });
        }
    }
    upload.rewind().map_err(|error| unreadable(&error))?;
    let media_type = media_type(&head, &name).to_owned();
    Ok(Examined::Fine(ReceivedFile { file: EvidenceFile { name, media_type, bytes, sha256 }, upload }))
}

/// The length of a file and its digest.
fn digest(upload: &mut Upload) -> Result<(u64, String)> {
    let (mut hasher, mut bytes, mut part) = (Sha256::new(), 0, vec![0; CHUNK]);
    loop {
        let length = upload.read(&mut part).map_err(|error| unreadable(&error))?;
        if length == 0 {
            break;
        }
        hasher.update(&part[..length]);
        bytes += length as u64;
    }
    let digest = hasher.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    Ok((bytes, digest))
}

/// The next parts, all full except the very last; empty at the end.
fn next_parts(upload: &mut Upload) -> Result<Vec<Vec<u8>>> {
    let mut parts = Vec::with_capacity(PARTS);
    for _ in 0..PARTS {
        let mut part = Vec::with_capacity(CHUNK);
        let read = upload.by_ref().take(CHUNK as u64).read_to_end(&mut part);
        read.map_err(|error| unreadable(&error))?;
        if part.is_empty() {
            break;
        }
        parts.push(part);
    }
    Ok(parts)
}
