//! Sends the bytes of a file: read part by part, no faster than the client receives them.

use std::{io, ops::Range};

use bytes::Bytes;
use domain::{
    evidence::{Evidence as Record, EvidenceFile},
    id::EvidenceId,
};
use futures_util::{Stream, stream};
use store::{
    Reader, TenantScope,
    evidence_file::{self, CHUNK, StoredFile},
    record,
};
use tokio::sync::mpsc;

use crate::{App, Error, Result, authz::Caller};

/// A file that can be streamed.
#[derive(Debug)]
pub struct EvidenceContent {
    pub file: EvidenceFile,
    stored: StoredFile,
    app: App,
    scope: TenantScope,
}

impl App {
    /// The file of evidence; evidence without one has no content.
    pub async fn evidence_content(&self, caller: &Caller, id: EvidenceId) -> Result<EvidenceContent> {
        let scope = *caller.scope();
        let look = move |reader: &mut Reader<'_>| {
            let row = record::get::<Record>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            let file = row.record.file.ok_or(Error::NotFound)?;
            let stored = evidence_file::get(reader, &scope, &file.sha256)?;
            let missing = || Error::internal(format!("the bytes of {id} are missing"));
            Ok::<_, Error>((file, stored.ok_or_else(missing)?))
        };
        let (file, stored) = self.db.tenant(&scope).read(look).await?;
        Ok(EvidenceContent { file, stored, app: self.clone(), scope })
    }
}

impl EvidenceContent {
    /// The bytes of this range. One part is read ahead.
    pub fn stream(self, range: Range<u64>) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        let (sender, mut receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            let size = CHUNK as u64;
            let mut at = range.start;
            while at < range.end {
                let place = at / size;
                let part = self.part(place).await.map(|part| {
                    let from = usize::try_from(at - place * size).unwrap_or(usize::MAX);
                    let to = usize::try_from((range.end - place * size).min(size)).unwrap_or(usize::MAX);
                    part.slice(from.min(part.len())..to.min(part.len()))
                });
                let broken = part.is_err();
                // Stops when the client has disconnected.
                if sender.send(part).await.is_err() || broken {
                    return;
                }
                at = (place + 1) * size;
            }
        });
        stream::poll_fn(move |context| receiver.poll_recv(context))
    }

    async fn part(&self, place: u64) -> io::Result<Bytes> {
        let (scope, content) = (self.scope, self.stored.content_id.clone());
        let read = move |reader: &mut Reader<'_>| evidence_file::part(reader, &scope, &content, place);
        let part = self.app.db.tenant(&self.scope).read(read).await.map_err(io::Error::other)?;
        part.map(Bytes::from).ok_or_else(|| io::Error::other("the file was deleted while it was read"))
    }
}
