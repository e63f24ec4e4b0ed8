//! The rows of a list, all from one snapshot: whatever other callers write meanwhile, each row occurs in the file
//! once.

use std::{
    fs,
    io::{self, BufWriter, Read as _, Seek as _},
};

use bytes::Bytes;
use domain::page::{Page, PageRequest};
use futures_util::{Stream, stream};
use reports::{
    csv::{ColumnKind, Writer},
    xlsx,
};
use store::Reader;
use tokio::sync::mpsc;

use super::{Content, File, Format, MOST_IN_A_REPORT, MOST_IN_FULL, ReportContext, TableFormat};
use crate::{App, Error, Result, authz::Caller, costly::WorkContext};

/// How many rows are in memory at a time.
const PART: u32 = 2_000;

impl App {
    /// The first rows of a list, as many as a report contains, and their total number.
    pub(super) async fn report_rows<T: Send + 'static>(
        &self,
        caller: &Caller,
        ctx: &ReportContext,
        format: Format,
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>> + Send + 'static,
    ) -> Result<(Vec<T>, u64)> {
        let (most, held) = match format {
            Format::LongPdf => (MOST_IN_FULL, ctx.work.held()),
            Format::Pdf | Format::Table(_) => (MOST_IN_A_REPORT, ctx.work.held()),
        };
        let gather = move |reader: &mut Reader<'_>| {
            let mut rows = Vec::new();
            let total = each_part(reader, most, &load, |part| {
                rows.extend(part);
                held.context().check()
            })?;
            Ok::<_, Error>((rows, total))
        };
        self.db.tenant(caller.scope()).read(gather).await
    }

    /// A table of all rows with headings. It is written to disk before it is sent, so that its length costs no memory
    /// and a slow client does not keep the snapshot open.
    pub(super) async fn table<T: 'static, const N: usize>(
        &self,
        caller: &Caller,
        name: &'static str,
        format: TableFormat,
        columns: [(&'static str, ColumnKind); N],
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>> + Send + 'static,
        cells: fn(&T) -> [String; N],
    ) -> Result<File> {
        let work = self.export_work(caller).await?;
        let held = work.held();
        let write = move |reader: &mut Reader<'_>| {
            let mut table = Table::new(format, name, &columns, held.context())?;
            each_part(reader, u64::MAX, &load, |part| part.iter().try_for_each(|row| table.row(cells(row))))?;
            table.finish()
        };
        let file = self.db.tenant(caller.scope()).read(write).await?;
        Ok(File { name: format!("{name}.{}", format.suffix()), content: Content::Stored(file) })
    }
}

impl TableFormat {
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }
}

/// A table that is being written to disk, for as long as its request waits for it.
pub(super) struct Table {
    writer: TableWriter,
    context: WorkContext,
}

enum TableWriter {
    Csv(Box<Writer<BufWriter<fs::File>>>),
    Xlsx(Box<xlsx::Writer>),
}

impl Table {
    pub(super) fn new(
        format: TableFormat,
        name: &str,
        columns: &[(&str, ColumnKind)],
        context: &WorkContext,
    ) -> Result<Self> {
        let writer = match format {
            TableFormat::Csv => {
                let file = BufWriter::new(context.file().map_err(no_room)?);
                TableWriter::Csv(Box::new(Writer::new(file, columns).map_err(Error::internal)?))
            }
            TableFormat::Xlsx => {
                let folder = context.folder().map_err(no_room)?;
                TableWriter::Xlsx(Box::new(xlsx::Writer::new(name, columns, folder).map_err(no_room)?))
            }
        };
        Ok(Self { writer, context: context.clone() })
    }

    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) -> Result<()> {
        self.context.check()?;
        let written = match &mut self.writer {
            TableWriter::Csv(table) => table.row(cells),
            TableWriter::Xlsx(table) => table.row(cells),
        };
        written.map_err(no_room)
    }

    pub(super) fn finish(self) -> Result<fs::File> {
        let written = match self.writer {
            TableWriter::Csv(table) => table.finish(),
            TableWriter::Xlsx(table) => table.finish(BufWriter::new(self.context.file().map_err(no_room)?)),
        };
        stored(written.map_err(no_room)?).map_err(no_room)
    }
}

pub(super) fn stored(written: BufWriter<fs::File>) -> io::Result<fs::File> {
    let mut file = written.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

/// How much of a stored file is read at a time, and how many chunks may wait for the client.
const PIECE: usize = 64 * 1024;
const WAITING: usize = 4;

/// A stored file in chunks, read no faster than the client receives them.
pub fn chunks(mut file: fs::File) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let (sender, mut receiver) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        loop {
            let mut piece = vec![0; PIECE];
            let read = file.read(&mut piece).map(|length| {
                piece.truncate(length);
                Bytes::from(piece)
            });
            let (is_end, is_broken) = (read.as_ref().is_ok_and(Bytes::is_empty), read.is_err());
            // Stops when the client has disconnected.
            if is_end || sender.blocking_send(read).is_err() || is_broken {
                break;
            }
        }
    });
    stream::poll_fn(move |ctx| receiver.poll_recv(ctx))
}

pub(crate) fn no_room(error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("a table cannot be written to disk: {error}"))
}

/// Calls `each` with the rows of a list part by part, up to a maximum, and returns their total number. All parts come
/// from the reader's snapshot.
pub(crate) fn each_part<T>(
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
        // An order without a cursor is paged by offset, which is stable within a snapshot.
        request = match page.next {
            Some(cursor) => PageRequest::part(PART, 0).after(cursor),
            None => PageRequest::part(PART, taken),
        };
    }
}
