//! Sends the bytes of a file: read part by part, no faster than the client receives them.

use std::{io, ops::Range};

use bytes::Bytes;
use domain::{
    evidence::{Evidence, EvidenceFile},
    id::EvidenceId,
};
use futures_util::{Stream, stream};
use store::{
    Reader, TenantScope,
    evidence_file::{self, CHUNK, StoredFile},
    record,
};
use tokio::sync::mpsc;

use super::ObjectReader;
use crate::{Compliance, Core, Error, Result, authz::Caller};

/// A file that can be streamed.
#[derive(Debug)]
pub struct EvidenceContent {
    pub file: EvidenceFile,
    stored: StoredFile,
    core: Core,
    scope: TenantScope,
}

impl Compliance {
    /// The file of evidence; evidence without one has no content.
    pub async fn evidence_content(&self, caller: &Caller, id: EvidenceId) -> Result<EvidenceContent> {
        let scope = *caller.scope();
        let look = move |reader: &mut Reader<'_>| {
            let row = record::get::<Evidence>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            let file = row.record.file.ok_or(Error::NotFound)?;
            let stored = evidence_file::get(reader, &scope, &file.sha256)?;
            let missing = || Error::internal(format!("the bytes of {id} are missing"));
            Ok::<_, Error>((file, stored.ok_or_else(missing)?))
        };
        let (file, stored) = self.db.tenant(&scope).read(look).await?;
        Ok(EvidenceContent::of(self, scope, file, stored))
    }
}

/// Where the next part of a file is read.
enum Source {
    Store(EvidenceContent, Range<u64>),
    Bucket(Box<ObjectReader>),
}

impl EvidenceContent {
    /// A file whose bytes are known.
    pub(crate) fn of(core: &Core, scope: TenantScope, file: EvidenceFile, stored: StoredFile) -> Self {
        Self { file, stored, core: core.clone(), scope }
    }

    /// Opens the bytes of this range. Fails before the first byte if their storage does not answer. One part is read
    /// ahead.
    pub async fn open(
        self,
        range: Range<u64>,
    ) -> Result<impl Stream<Item = io::Result<Bytes>> + Send + 'static> {
        let (sender, mut receiver) = mpsc::channel(1);
        let mut source = self.source(range).await?;
        tokio::spawn(async move {
            while let Some(part) = source.next().await.transpose() {
                let broken = part.is_err();
                // Stops when the client has disconnected.
                if sender.send(part).await.is_err() || broken {
                    return;
                }
            }
        });
        Ok(stream::poll_fn(move |context| receiver.poll_recv(context)))
    }

    async fn source(self, range: Range<u64>) -> Result<Source> {
        let Some(object) = evidence_file::object(self.scope.tenant(), &self.stored.content_id) else {
            return Ok(Source::Store(self, range));
        };
        let whole = range == (0..self.file.bytes);
        let sha256 = whole.then(|| self.file.sha256.clone());
        let reader = ObjectReader::open(self.core.bucket()?, &self.core.clock, object, range, sha256);
        Ok(Source::Bucket(Box::new(reader.await?)))
    }

    async fn part(&self, place: u64) -> io::Result<Bytes> {
        let (scope, content) = (self.scope, self.stored.content_id.clone());
        let read = move |reader: &mut Reader<'_>| evidence_file::part(reader, &scope, &content, place);
        let part = self.core.db.tenant(&self.scope).read(read).await.map_err(io::Error::other)?;
        part.map(Bytes::from).ok_or_else(|| io::Error::other("the file was deleted while it was read"))
    }
}

impl Source {
    /// The next bytes; `None` after the last.
    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        let (content, left) = match self {
            Self::Bucket(reader) => return reader.next().await.map_err(io::Error::other),
            Self::Store(_, left) if left.is_empty() => return Ok(None),
            Self::Store(content, left) => (content, left),
        };
        let size = CHUNK as u64;
        let place = left.start / size;
        let part = content.part(place).await?;
        let from = usize::try_from(left.start - place * size).unwrap_or(usize::MAX);
        let to = usize::try_from((left.end - place * size).min(size)).unwrap_or(usize::MAX);
        left.start = ((place + 1) * size).min(left.end);
        Ok(Some(part.slice(from.min(part.len())..to.min(part.len()))))
    }
}
