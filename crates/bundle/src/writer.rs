//! Writes a bundle file by file, in bounded memory. The same files in the same order give the same bytes.

use std::io::{self, Read, Seek, Write};

use sha2::{Digest as _, Sha256};
use zip::{CompressionMethod, DateTime, ZipWriter, result::ZipError, write::SimpleFileOptions};

use crate::{
    ChainSlice, FORMAT, FileEntry, Manifest, Missing, SigningKey, Subject, hex,
    manifest::{self, is_plain_path},
    seal,
};

/// Why a bundle could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("writing the bundle: {0}")]
    Io(#[from] io::Error),
    #[error("writing the bundle: {0}")]
    Zip(#[from] ZipError),
    #[error("writing the bundle: {0}")]
    Json(#[from] serde_json::Error),
    #[error("{0} is a name that a bundle must not hold")]
    Path(String),
}

/// How a file is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Compressed: texts.
    Deflated,
    /// As it is: workbooks, pictures and other files that are compressed already.
    Stored,
}

/// A bundle that is being written. Nothing verifies it before [`Writer::finish`] has sealed it.
pub struct Writer<F: Write + Seek> {
    zip: ZipWriter<F>,
    files: Vec<FileEntry>,
    missing: Vec<Missing>,
}

impl<F: Write + Seek> std::fmt::Debug for Writer<F> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Writer").field("files", &self.files.len()).finish_non_exhaustive()
    }
}

impl<F: Read + Write + Seek> Writer<F> {
    pub fn new(file: F) -> Self {
        Self { zip: ZipWriter::new(file), files: Vec::new(), missing: Vec::new() }
    }

    /// Adds a file whose content is written by `fill`.
    pub fn file<T, E: From<WriteError>>(
        &mut self,
        path: &str,
        packing: Packing,
        fill: impl FnOnce(&mut Part<'_, F>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.start(path, packing)?;
        let mut part = Part { zip: &mut self.zip, hasher: Sha256::new(), bytes: 0 };
        let made = fill(&mut part)?;
        let (bytes, digest) = (part.bytes, part.hasher.finalize());
        self.files.push(FileEntry { path: path.to_owned(), bytes, sha256: hex::encode(&digest) });
        Ok(made)
    }

    /// Adds a file that is in memory.
    pub fn bytes(&mut self, path: &str, content: &[u8]) -> Result<(), WriteError> {
        self.file(path, Packing::Deflated, |part| Ok(part.write_all(content)?))
    }

    /// Names something that belongs into the bundle and is not in it.
    pub fn missing(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.missing.push(Missing { what: what.into(), why: why.into() });
    }

    /// What was named as missing so far.
    pub fn is_missing(&self) -> &[Missing] {
        &self.missing
    }

    /// The files so far.
    pub fn files(&self) -> &[FileEntry] {
        &self.files
    }

    /// Writes the manifest with its signature.
    pub fn sign(
        mut self,
        subject: Subject,
        chain: ChainSlice,
        key: &SigningKey,
    ) -> Result<Signed<F>, WriteError> {
        let (files, missing) = (std::mem::take(&mut self.files), std::mem::take(&mut self.missing));
        let key_text = key.public().to_string();
        let manifest = Manifest { format: FORMAT.to_owned(), subject, key: key_text, chain, missing, files };
        let mut text = serde_json::to_vec_pretty(&manifest)?;
        text.push(b'\n');
        self.bytes(manifest::FILE, &text)?;
        let signature = format!("{}\n", seal::sign_manifest(key, &text));
        self.bytes(manifest::SIGNATURE_FILE, signature.as_bytes())?;
        Ok(Signed { writer: self, manifest: Sha256::digest(&text).into() })
    }

    fn start(&mut self, path: &str, packing: Packing) -> Result<(), WriteError> {
        if !is_plain_path(path) {
            return Err(WriteError::Path(path.to_owned()));
        }
        let method = match packing {
            Packing::Deflated => CompressionMethod::Deflated,
            Packing::Stored => CompressionMethod::Stored,
        };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            // The size is not known before the file is written, and any may be larger than 4 GiB.
            .large_file(true);
        Ok(self.zip.start_file(path, options)?)
    }
}

/// A bundle with all of its files, to which an authority can add when that was.
#[derive(Debug)]
pub struct Signed<F: Write + Seek> {
    writer: Writer<F>,
    manifest: [u8; 32],
}

impl<F: Read + Write + Seek> Signed<F> {
    /// The SHA-256 of the manifest, and with it of everything in the bundle.
    pub fn digest(&self) -> [u8; 32] {
        self.manifest
    }

    /// Adds the response of a time stamping authority (RFC 3161) about the digest, if there is one, and seals the
    /// archive.
    pub fn seal(mut self, key: &SigningKey, stamp: Option<&[u8]>) -> Result<F, WriteError> {
        if let Some(stamp) = stamp {
            self.writer.bytes(manifest::STAMP_FILE, stamp)?;
        }
        let mut zip = self.writer.zip;
        zip.set_raw_comment(seal::blank().into_boxed_slice())?;
        let mut file = zip.finish()?;
        seal::put(&mut file, key)?;
        Ok(file)
    }
}

/// A file that is being written.
pub struct Part<'z, F: Write + Seek> {
    zip: &'z mut ZipWriter<F>,
    hasher: Sha256,
    bytes: u64,
}

impl<F: Write + Seek> std::fmt::Debug for Part<'_, F> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Part").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl<F: Write + Seek> Write for Part<'_, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.zip.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}
