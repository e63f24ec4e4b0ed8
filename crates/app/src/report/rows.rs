//! The rows of a list, all from one snapshot: whatever others write meanwhile, each row that is there throughout stands
//! in the file once.

use std::{
    fs,
    io::{self, BufWriter, Read as _, Seek as _},
};

use bytes::Bytes;
use domain::page::{Page, PageRequest};
use futures_util::{Stream, stream};
use reports::csv::{ColumnKind, Writer};
use store::Reader;
use tokio::sync::mpsc;

use super::{Content, File, MOST_IN_A_REPORT};
use crate::{App, Error, Result, authz::Caller};

/// How many rows are in memory at a time.
const PART: u32 = 2_000;

impl App {
    /// The first rows of a list, as many as a report takes, and how many there are in all.
    pub(super) async fn report_rows<T: Send + 'static>(
        &self,
        caller: &Caller,
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>> + Send + 'static,
    ) -> Result<(Vec<T>, u64)> {
        let gather = move |reader: &mut Reader<'_>| {
            let mut rows = Vec::new();
            let total = each_part(reader, MOST_IN_A_REPORT, &load, |part| {
                rows.extend(part);
                Ok(())
            })?;
            Ok::<_, Error>((rows, total))
        };
        self.db.tenant(caller.scope()).read(gather).await
    }

    /// A table of all rows, with a heading each. It is written to disk before it is handed out, so that neither its
    /// length costs memory nor a slow reader keeps the snapshot open.
    pub(super) async fn table<T: 'static, const N: usize>(
        &self,
        caller: &Caller,
        name: &str,
        columns: [(&'static str, ColumnKind); N],
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>> + Send + 'static,
        cells: fn(&T) -> [String; N],
    ) -> Result<File> {
        let write = move |reader: &mut Reader<'_>| {
            let file = tempfile::tempfile().map_err(no_room)?;
            let mut table = Writer::new(BufWriter::new(file), &columns).map_err(Error::internal)?;
            each_part(reader, u64::MAX, &load, |part| {
                part.iter().try_for_each(|row| table.row(cells(row))).map_err(no_room)
            })?;
            stored(table.finish().map_err(no_room)?).map_err(no_room)
        };
        let file = self.db.tenant(caller.scope()).read(write).await?;
        Ok(File { name: format!("{name}.csv"), content: Content::Stored(file) })
    }
}

pub(super) fn stored(written: BufWriter<fs::File>) -> io::Result<fs::File> {
    let mut file = written.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// How much of a stored file is read at a time, and how many pieces may wait for the reader.
const PIECE: usize = 64 * 1024;
const WAITING: usize = 4;

/// A stored file piece by piece, read no faster than the pieces are taken.
pub fn pieces(mut file: fs::File) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let (sender, mut receiver) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        loop {
            let mut piece = vec![0; PIECE];
            let read = file.read(&mut piece).map(|length| {
                piece.truncate(length);
                Bytes::from(piece)
            });
            let (is_end, is_broken) = (read.as_ref().is_ok_and(Bytes::is_empty), read.is_err());
            // A reader that left ends it.
            if is_end || sender.blocking_send(read).is_err() || is_broken {
                break;
            }
        }
    });
    stream::poll_fn(move |context| receiver.poll_recv(context))
}

pub(super) fn no_room(error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("a table cannot be written to disk: {error}"))
}

/// Hands over the rows of a list part by part, at most so many, and says how many there are in all. The reader's
/// snapshot keeps the parts together.
fn each_part<T>(
    reader: &mut Reader<'_>,
    most: u64,
    load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>>,
    mut each: impl FnMut(Vec<T>) -> Result<()>,
) -> Result<u64> {
    let mut request = PageRequest::part(PART, 0);
    let mut taken = 0;
    loop {
        let mut page = load(reader, request)?;
        let left = usize::try_from(most - taken).unwrap_or(usize::MAX);
        page.items.truncate(left);
        let found = page.items.len() as u64;
        taken += found;
        each(page.items)?;
        if found == 0 || taken >= most.min(page.total) {
            return Ok(page.total);
        }
        // An order without a cursor is counted along: nothing moves within a snapshot.
        request = match page.next {
            Some(cursor) => PageRequest::part(PART, 0).after(cursor),
            None => PageRequest::part(PART, taken),
        };
    }
}
