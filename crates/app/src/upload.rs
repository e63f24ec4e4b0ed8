//! A file on its way in: bytes of a request, or a file of the operator. Never more than the limit.
//!
//! What the file holds is for whoever imports it to find out; here are only its bytes, and how progress is told.

use domain::violation::FileComplaint;
use std::{
    fs::File,
    io::{self, Cursor, Read, Seek, SeekFrom},
    sync::Arc,
};

use bytes::Bytes;

use crate::{Error, Result};

/// The largest file an import takes.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// How often progress is told.
pub(crate) const TELL_EVERY: u64 = 10_000;

/// Told how many rows have been read or stored so far.
pub type Progress = Arc<dyn Fn(Step, u64) + Send + Sync>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Read,
    Stored,
}

impl Step {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Stored => "stored",
        }
    }
}

/// For those who do not want to know.
pub fn silent() -> Progress {
    Arc::new(|_, _| ())
}

#[derive(Debug)]
pub enum Upload {
    Bytes(Cursor<Bytes>),
    File(File),
}

impl Upload {
    #[must_use]
    pub fn bytes(bytes: Bytes) -> Self {
        Self::Bytes(Cursor::new(bytes))
    }

    /// Refuses a file that is empty or too large.
    pub(crate) fn checked(mut self) -> Result<Self> {
        let length = self.seek(SeekFrom::End(0)).map_err(|error| unreadable(&error))?;
        self.rewind().map_err(|error| unreadable(&error))?;
        match length {
            0 => Err(Error::invalid("file", FileComplaint::Empty)),
            1..=MAX_BYTES => Ok(self),
            _ => Err(Error::invalid("file", FileComplaint::TooLarge)),
        }
    }

    /// The first bytes, by which many formats are known.
    pub(crate) fn head(&mut self, length: u64) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        self.rewind().map_err(|error| unreadable(&error))?;
        self.by_ref().take(length).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
        self.rewind().map_err(|error| unreadable(&error))?;
        Ok(head)
    }

    pub(crate) fn is_zip(&mut self) -> Result<bool> {
        Ok(is_zip(&self.head(4)?))
    }

    /// The whole file as text.
    pub(crate) fn text(self) -> Result<String> {
        text(self, MAX_BYTES)
    }
}

pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// Reads a text to its end, but not beyond the limit.
pub(crate) fn text(reader: impl Read, limit: u64) -> Result<String> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > limit {
        return Err(Error::invalid("file", FileComplaint::TableTooLarge));
    }
    String::from_utf8(bytes).map_err(|_| Error::invalid("file", FileComplaint::NotUtf8))
}

pub(crate) fn unreadable(error: &io::Error) -> Error {
    Error::invalid("file", FileComplaint::Unreadable { problem: error.to_string() })
}

impl Read for Upload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Bytes(bytes) => bytes.read(buffer),
            Self::File(file) => file.read(buffer),
        }
    }
}

impl Seek for Upload {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Bytes(bytes) => bytes.seek(position),
            Self::File(file) => file.seek(position),
        }
    }
}
