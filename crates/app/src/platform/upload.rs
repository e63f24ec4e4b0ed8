//! Receives a file: the bytes of a request, or a file of the operator. Never more than the limit.
//!
//! This module handles the bytes, their temporary storage and the progress; each import interprets them.

use domain::import::{FileComplaint, records::MAX_RECORD};
use std::{
    fs::File,
    io::{self, Cursor, Read, Seek, SeekFrom, Write as _},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::{sync::mpsc, task::JoinHandle};

use crate::{
    Core, Error, Result,
    authz::Caller,
    scratch::Scratch,
    slots::{Slot, Slots},
};

/// The largest file an import takes.
pub const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// How often progress is reported, in rows.
pub(crate) const TELL_EVERY: u64 = 10_000;

/// Receives how many rows have been read or stored so far.
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

/// Ignores the progress.
pub fn silent() -> Progress {
    Arc::new(|_, _| ())
}

/// The maximum number of concurrent uploads, which bounds the space they take on disk.
const RECEIVING: usize = 16;
const RECEIVING_OF_ONE: usize = 4;
/// The maximum number of concurrent imports, which bounds the memory they take.
const IMPORTING: usize = 2;
const IMPORTING_OF_ONE: usize = 1;
/// The maximum number of concurrent reports, exports and packages of the register, for the same reason.
const EXPORTING: usize = 2;
const EXPORTING_OF_ONE: usize = 1;
/// The maximum number of bundles that this process makes at once.
const BUNDLING: usize = 2;
const BUNDLING_OF_ONE: usize = 1;
/// Bundles wait in the store and not for a slot.
const NO_PATIENCE: Duration = Duration::from_millis(50);
/// Holders of questionnaire links have receiving slots of their own: they must not keep the institution from sending.
const RECEIVING_FROM_LINKS: usize = 4;
const RECEIVING_FROM_LINKS_OF_ONE: usize = 1;
/// How long a further one waits before its client is asked to retry.
const PATIENCE: Duration = Duration::from_secs(10);

/// The limits of uploads and imports.
#[derive(Debug)]
pub(crate) struct Admission {
    receiving: Slots,
    receiving_from_links: Slots,
    pub(crate) importing: Slots,
    pub(crate) exporting: Slots,
    pub(crate) bundling: Slots,
}

impl Default for Admission {
    fn default() -> Self {
        Self {
            receiving: Slots::new(RECEIVING, RECEIVING_OF_ONE, PATIENCE),
            receiving_from_links: Slots::new(RECEIVING_FROM_LINKS, RECEIVING_FROM_LINKS_OF_ONE, PATIENCE),
            exporting: Slots::new(EXPORTING, EXPORTING_OF_ONE, PATIENCE),
            bundling: Slots::new(BUNDLING, BUNDLING_OF_ONE, NO_PATIENCE),
            importing: Slots::new(IMPORTING, IMPORTING_OF_ONE, PATIENCE),
        }
    }
}

#[derive(Debug)]
pub enum Upload {
    Bytes(Cursor<Bytes>),
    File(File),
    /// A temporary file without a name, which is deleted when it is closed.
    Spooled(File, Slot),
}

/// The file is larger than an import takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

/// An upload that is being written to disk, so that its size costs no memory.
#[derive(Debug)]
pub struct Spool {
    chunks: mpsc::Sender<Bytes>,
    writer: JoinHandle<io::Result<File>>,
    left: u64,
    slot: Slot,
}

impl Core {
    /// Starts receiving a file from a caller who may send one.
    pub async fn spool(&self, caller: &Caller) -> Result<Spool> {
        self.spool_at_most(caller, MAX_BYTES).await
    }

    /// The same for a file with another size limit.
    pub async fn spool_at_most(&self, caller: &Caller, most: u64) -> Result<Spool> {
        let slot = self.admission.receiving.take(caller.tenant()).await?;
        Ok(self.spool_in(slot, most))
    }

    /// The same for the holder of a questionnaire link.
    pub(crate) async fn spool_from_link(&self, caller: &Caller, most: u64) -> Result<Spool> {
        let slot = self.admission.receiving_from_links.take(caller.tenant()).await?;
        Ok(self.spool_in(slot, most))
    }

    fn spool_in(&self, slot: Slot, most: u64) -> Spool {
        /// How many chunks may wait for the disk.
        const WAITING: usize = 8;
        let scratch = self.scratch.clone();
        let (chunks, waiting) = mpsc::channel(WAITING);
        let writer = tokio::task::spawn_blocking(move || write_chunks(&scratch, waiting));
        Spool { chunks, writer, left: most.min(MAX_BYTES), slot }
    }
}

impl Spool {
    /// Accepts the next chunk, no faster than the disk writes.
    pub async fn write(&mut self, chunk: Bytes) -> Result<(), TooLarge> {
        self.left = self.left.checked_sub(chunk.len() as u64).ok_or(TooLarge)?;
        // The writer ends when the disk is full, and `finish` returns the error.
        let _ = self.chunks.send(chunk).await;
        Ok(())
    }

    /// The whole file.
    pub async fn finish(self) -> Result<Upload> {
        drop(self.chunks);
        let file = self.writer.await.map_err(Error::internal)?;
        let full =
            |error: io::Error| Error::Unavailable(format!("an upload cannot be kept on disk: {error}"));
        Ok(Upload::Spooled(file.map_err(full)?, self.slot))
    }
}

/// The stream chunk by chunk, yielding after each. A parser that takes everything available at once would otherwise
/// hold a whole file that arrives faster than it is written.
pub fn paced<S: Stream + Send>(stream: S) -> impl Stream<Item = S::Item> + Send {
    let mut stream = Box::pin(stream);
    let mut has_given = false;
    stream::poll_fn(move |context| {
        if std::mem::take(&mut has_given) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = stream.as_mut().poll_next(context);
        has_given = matches!(next, Poll::Ready(Some(_)));
        next
    })
}

fn write_chunks(scratch: &Scratch, mut chunks: mpsc::Receiver<Bytes>) -> io::Result<File> {
    let mut file = scratch.file()?;
    while let Some(chunk) = chunks.blocking_recv() {
        file.write_all(&chunk)?;
    }
    Ok(file)
}

impl Upload {
    #[must_use]
    pub fn bytes(bytes: Bytes) -> Self {
        Self::Bytes(Cursor::new(bytes))
    }

    /// Refuses a file that is empty or too large.
    pub(crate) fn checked(self) -> Result<Self> {
        self.checked_at_most(MAX_BYTES)
    }

    /// The same with another size limit.
    pub(crate) fn checked_at_most(mut self, most: u64) -> Result<Self> {
        let length = self.seek(SeekFrom::End(0)).map_err(|error| unreadable(&error))?;
        self.rewind().map_err(|error| unreadable(&error))?;
        match length {
            0 => Err(Error::invalid("file", FileComplaint::Empty)),
            _ if length > MAX_BYTES => Err(Error::invalid("file", FileComplaint::TooLarge)),
            _ if length > most => {
                Err(Error::invalid("file", FileComplaint::LargerThan { most: most / (1024 * 1024) }))
            }
            _ => Ok(self),
        }
    }

    /// Puts another file in the place of this one, which keeps its slot.
    pub(crate) fn replace(&mut self, file: File) {
        match self {
            Self::Spooled(before, _) => *before = file,
            Self::Bytes(_) | Self::File(_) => *self = Self::File(file),
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

/// Reads a text to its end, up to the limit.
pub(crate) fn text(reader: impl Read, limit: u64) -> Result<String> {
    let mut bytes = Vec::new();
    let mut lines = ShortLines { inner: reader.take(limit + 1), length: 0 };
    lines.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > limit {
        return Err(Error::invalid("file", FileComplaint::TableTooLarge));
    }
    String::from_utf8(bytes).map_err(|_| Error::invalid("file", FileComplaint::NotUtf8))
}

/// Stops at a line longer than any record, so that a file of one endless line is not read to its end.
struct ShortLines<R> {
    inner: R,
    length: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("a line that is too long")]
struct LongLine;

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        for (index, chunk) in buffer[..count].split(|byte| matches!(byte, b'\n' | b'\r')).enumerate() {
            self.length = if index == 0 { self.length } else { 0 } + chunk.len() as u64;
            if self.length > MAX_RECORD {
                return Err(io::Error::other(LongLine));
            }
        }
        Ok(count)
    }
}

pub(crate) fn unreadable(error: &io::Error) -> Error {
    if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<LongLine>) {
        return Error::invalid("file", FileComplaint::LongLine);
    }
    Error::invalid("file", FileComplaint::Unreadable { problem: error.to_string() })
}

impl Read for Upload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Bytes(bytes) => bytes.read(buffer),
            Self::File(file) | Self::Spooled(file, _) => file.read(buffer),
        }
    }
}

impl Seek for Upload {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Bytes(bytes) => bytes.seek(position),
            Self::File(file) | Self::Spooled(file, _) => file.seek(position),
        }
    }
}
