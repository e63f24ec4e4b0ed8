//! The files of evidence, read part by part from the store or the bucket.

use std::{fs::File, io::Write as _};

use bundle::{Packing, WriteError, Writer};
use domain::evidence::{EvidenceFile, FileName};
use futures_util::{StreamExt as _, pin_mut};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use store::evidence_file::StoredFile;

use super::claims::Claims;
use crate::{Bundles, Error, Result, authz::Caller, evidence::EvidenceContent, report::no_room};

/// How much of a path an extension may take.
const LONGEST_EXTENSION: usize = 8;

/// A file that belongs into the bundle.
#[derive(Debug)]
pub(super) struct WantedFile {
    pub(super) evidence: String,
    pub(super) file: EvidenceFile,
    pub(super) path: String,
    /// Nothing if the bytes were deleted since.
    pub(super) stored: Option<StoredFile>,
}

impl WantedFile {
    /// The file of evidence with these columns, if it has one.
    pub(super) fn of(evidence: &str, cells: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| cells.get(name).and_then(Value::as_str);
        let (name, sha256) = (text("file_name")?, text("sha256")?);
        let file = EvidenceFile {
            name: FileName::cleaned(name),
            media_type: text("media_type").unwrap_or_default().to_owned(),
            bytes: cells.get("bytes").and_then(Value::as_u64)?,
            sha256: sha256.to_owned(),
        };
        // The name of the file is in the list; a path has plain letters only.
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let is_plain = |extension: &String| {
            extension.len() <= LONGEST_EXTENSION && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let extension = extension.filter(|extension| !extension.is_empty() && is_plain(extension));
        let path = format!("evidence/{evidence}.{}", extension.as_deref().unwrap_or("bin"));
        Some(Self { evidence: evidence.to_owned(), file, path, stored: None })
    }
}

impl Bundles {
    /// Adds a file, or names it as missing.
    pub(super) async fn write_evidence(
        &self,
        caller: &Caller,
        mut writer: Writer<File>,
        wanted: &WantedFile,
        claims: &mut Claims,
    ) -> Result<Writer<File>> {
        let Some(stored) = wanted.stored.clone() else {
            writer.missing(&wanted.path, "the bytes were deleted");
            return Ok(writer);
        };
        let mut spooled = match self.spooled(caller, wanted, stored).await {
            Ok(spooled) => spooled,
            // An object that is gone or was changed will not come back; a bucket that is away may.
            Err(Error::Internal(error)) => {
                writer.missing(&wanted.path, format!("the bytes cannot be read: {error}"));
                return Ok(writer);
            }
            Err(error) => return Err(error),
        };
        claims.filed(wanted);
        let path = wanted.path.clone();
        let add = move || {
            let copy = |part: &mut bundle::Part<'_, File>| {
                std::io::copy(&mut spooled, part).map_err(WriteError::from)?;
                Ok::<_, Error>(())
            };
            writer.file(&path, Packing::Stored, copy)?;
            Ok(writer)
        };
        tokio::task::spawn_blocking(add).await.map_err(Error::internal)?
    }

    /// The bytes in a temporary file, compared with their digest: a file that cannot be read to its end must not be in
    /// the bundle in half.
    async fn spooled(&self, caller: &Caller, wanted: &WantedFile, stored: StoredFile) -> Result<File> {
        use std::io::Seek as _;
        let content = EvidenceContent::of(self, *caller.scope(), wanted.file.clone(), stored);
        let parts = content.open(0..wanted.file.bytes).await?;
        pin_mut!(parts);
        let (mut file, mut hasher) = (self.scratch.file().map_err(no_room)?, Sha256::new());
        while let Some(part) = parts.next().await {
            let part = part.map_err(Error::internal)?;
            hasher.update(&part);
            file.write_all(&part).map_err(no_room)?;
        }
        if store::sql::hex(&hasher.finalize().into()) != wanted.file.sha256 {
            return Err(Error::internal("they do not have their digest"));
        }
        file.rewind().map_err(no_room)?;
        Ok(file)
    }
}
