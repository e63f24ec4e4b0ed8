//! Where an import comes from: bytes of a request, or a file of the operator. Never more than the limit.

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek, SeekFrom},
};

use bytes::Bytes;

use crate::{Error, Result};

/// The largest file an import takes.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;

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

    pub(super) fn checked(mut self) -> Result<Self> {
        let length = self.seek(SeekFrom::End(0)).map_err(|error| unreadable(&error))?;
        self.rewind().map_err(|error| unreadable(&error))?;
        match length {
            0 => Err(Error::invalid("file", "is empty: send a CSV file or a zipped report package")),
            1..=MAX_BYTES => Ok(self),
            _ => Err(Error::invalid("file", "is larger than 64 MiB: split the register or zip the package")),
        }
    }

    pub(super) fn is_zip(&mut self) -> Result<bool> {
        let mut start = Vec::with_capacity(4);
        self.by_ref().take(4).read_to_end(&mut start).map_err(|error| unreadable(&error))?;
        self.rewind().map_err(|error| unreadable(&error))?;
        Ok(start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06"))
    }

    /// The whole file as text.
    pub(super) fn text(self) -> Result<String> {
        text(self, MAX_BYTES)
    }
}

/// Reads a text to its end, but not beyond the limit.
pub(super) fn text(reader: impl Read, limit: u64) -> Result<String> {
    let mut bytes = Vec::new();
    reader.take(limit + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > limit {
        return Err(Error::invalid("file", "holds a table that is too large: split the register"));
    }
    String::from_utf8(bytes).map_err(|_| Error::invalid("file", "must be UTF-8: save the CSV file as UTF-8"))
}

pub(super) fn unreadable(error: &io::Error) -> Error {
    Error::invalid("file", format_args!("could not be read: {error}"))
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
