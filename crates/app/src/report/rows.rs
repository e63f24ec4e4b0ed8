//! The rows of a list, all from one snapshot: whatever other callers write meanwhile, each row occurs in the file
//! once.

use std::{
    borrow::Cow,
    fs,
    io::{self, BufWriter, Read as _, Seek as _},
};

use bytes::Bytes;
use domain::{
    custom_field::{CustomField, CustomValues, FieldType},
    moment::Day,
    page::{Page, PageRequest},
    wording::Language,
};
use futures_util::{Stream, stream};
use reports::{
    csv::{ColumnKind, Writer},
    xlsx::{self, Days, Heading},
};
use store::Reader;
use tokio::sync::mpsc;

use super::{
    Content, File, Format, MOST_IN_A_REPORT, MOST_IN_FULL, ReportContext, TableFormat,
    column::{self, Holds, RecordColumn, TableColumn, order},
    table_reader::{Names, TableReader},
};
use crate::{Error, Reports, Result, authz::Caller, costly::WorkContext, records::RecordKind};

/// How many rows are in memory at a time.
const PART: u32 = 2_000;

impl Reports {
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
            let total = each_part(reader, most, &load, |_, part| {
                rows.extend(part);
                held.context().check()
            })?;
            Ok::<_, Error>((rows, total))
        };
        self.db.tenant(caller.scope()).read(gather).await
    }

    /// A table of all rows with headings. It is written to disk before it is sent, so that its length costs no memory
    /// and a slow client does not keep the snapshot open.
    pub(super) async fn table<T: 'static, R: AsRef<[String]> + 'static>(
        &self,
        caller: &Caller,
        name: &'static str,
        format: TableFormat,
        columns: Vec<TableColumn>,
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>> + Send + 'static,
        cells: fn(&T) -> R,
    ) -> Result<File> {
        let none = OwnColumns { fields: Vec::new(), values: |_| None };
        self.table_with(caller, (name, format), columns, load, cells, none).await
    }

    /// A table of the records of a kind, with their own fields behind the columns of the kind.
    pub(super) async fn record_file<K: RecordKind>(
        &self,
        caller: &Caller,
        name: &'static str,
        format: TableFormat,
        columns: &'static [RecordColumn<K::View>],
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<K::View>> + Send + 'static,
    ) -> Result<File> {
        let own = self.own_columns::<K>(caller).await?;
        let plain = columns.iter().map(|(column, _)| *column).collect();
        let cells = move |view: &K::View| column::cells(columns, view);
        self.table_with(caller, (name, format), plain, load, cells, own).await
    }

    async fn own_columns<K: RecordKind>(&self, caller: &Caller) -> Result<OwnColumns<K::View>> {
        let mut fields = self.records.fields_of::<K>(caller).await?;
        fields.retain(|field| !field.is_archived());
        Ok(OwnColumns { fields, values: |view| Some(&K::row(view).custom) })
    }

    async fn table_with<T: 'static, R: AsRef<[String]>>(
        &self,
        caller: &Caller,
        (name, format): (&'static str, TableFormat),
        columns: Vec<TableColumn>,
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>> + Send + 'static,
        cells: impl Fn(&T) -> R + Send + 'static,
        own: OwnColumns<T>,
    ) -> Result<File> {
        let work = self.export_work(caller).await?;
        let people = self.table_reader(caller, format.language()).await?;
        let dated = named_by_day(name, people.zone.local(self.clock.now()).day);
        let (held, reading) = (work.held(), caller.clone());
        let write = move |reader: &mut Reader<'_>| {
            let own_columns = (columns.as_slice(), own.fields.as_slice());
            let mut table = RecordTable::new(format, name, own_columns, people.clone(), held.context())?;
            each_part(reader, u64::MAX, &load, |reader, part| {
                let rows: Vec<R> = part.iter().map(&cells).collect();
                let values: Vec<_> = part.iter().map(own.values).collect();
                table.rows(reader, &reading, &rows, &values)
            })?;
            table.finish()
        };
        let file = self.db.tenant(caller.scope()).read(write).await?;
        Ok(File { name: format!("{dated}.{}", format.suffix()), content: Content::Stored(file) })
    }
}

/// The name of a file with the day on which it was made.
pub(super) fn named_by_day(name: &str, day: Day) -> String {
    format!("{name}-{day}")
}

/// The own fields of the records in a table.
struct OwnColumns<T> {
    fields: Vec<CustomField>,
    values: fn(&T) -> Option<&CustomValues>,
}

/// A table of records: as the API has them, or for people.
pub(super) struct RecordTable<'c> {
    table: Table,
    columns: &'c [TableColumn],
    own: &'c [CustomField],
    /// The places of the columns in a workbook; none for a table as the API has it.
    order: Option<Order>,
    people: TableReader,
}

/// The places of columns in a workbook: own fields come before the ids.
struct Order {
    others: Vec<usize>,
    ids: Vec<usize>,
}

impl<'c> RecordTable<'c> {
    pub(super) fn new(
        format: TableFormat,
        name: &str,
        (columns, own): (&'c [TableColumn], &'c [CustomField]),
        people: TableReader,
        context: &WorkContext,
    ) -> Result<Self> {
        let order = matches!(format, TableFormat::Xlsx(_)).then(|| {
            let (others, ids) = order(columns);
            Order { others, ids }
        });
        let names: Vec<String> = own.iter().map(CustomField::name).collect();
        let own_headings = own.iter().zip(&names).map(|(field, name)| match &order {
            None => own_heading(field, name, field.field_type == FieldType::Number),
            Some(_) => own_heading(field, field.label.text(people.language), true),
        });
        let headings: Vec<_> = match &order {
            None => columns.iter().map(plain_heading).chain(own_headings).collect(),
            Some(Order { others, ids }) => {
                let shown = |place: &usize| people.heading(&columns[*place]);
                others.iter().map(shown).chain(own_headings).chain(ids.iter().map(shown)).collect()
            }
        };
        let table = Table::with_headings(format, name, &headings, people.days(), context)?;
        Ok(Self { table, columns, own, order, people })
    }

    /// The ids of the records that cells name.
    pub(super) fn linked(columns: &[TableColumn], rows: &[impl AsRef<[String]>]) -> Vec<String> {
        let cells = rows.iter().flat_map(|row| columns.iter().zip(row.as_ref()));
        cells.flat_map(|(column, cell)| column.ids(cell)).map(str::to_owned).collect()
    }

    pub(super) fn rows(
        &mut self,
        reader: &mut Reader<'_>,
        caller: &Caller,
        rows: &[impl AsRef<[String]>],
        values: &[Option<&CustomValues>],
    ) -> Result<()> {
        let mut names = Names::default();
        if self.order.is_some() {
            let linked = Self::linked(self.columns, rows);
            names = Names::read(reader, caller, linked.iter().map(String::as_str))?;
        }
        rows.iter().zip(values).try_for_each(|(row, values)| self.row(row.as_ref(), *values, &names))
    }

    pub(super) fn row(&mut self, row: &[String], values: Option<&CustomValues>, names: &Names) -> Result<()> {
        let value = |field: &CustomField| values.and_then(|values| values.get(&field.key));
        match &self.order {
            None => {
                let own =
                    self.own.iter().map(|field| value(field).map(ToString::to_string).unwrap_or_default());
                let cells = row.iter().map(|cell| Cow::Borrowed(cell.as_str()));
                self.table.row(cells.chain(own.map(Cow::Owned)))
            }
            Some(Order { others, ids }) => {
                let shown = |place: &usize| self.people.shown(&self.columns[*place], &row[*place], names);
                let own = self.own.iter().map(|field| self.people.own_value(value(field)));
                self.table.row(others.iter().map(shown).chain(own).chain(ids.iter().map(shown)))
            }
        }
    }

    pub(super) fn finish(self) -> Result<fs::File> {
        self.table.finish()
    }
}

/// A column of a CSV file. Times are texts there, as in the API.
fn plain_heading<'h>(column: &TableColumn) -> Heading<'h> {
    let kind = if matches!(column.holds, Holds::Number) { ColumnKind::Number } else { ColumnKind::Text };
    Heading { text: column.name, kind, is_hidden: false }
}

/// The column of an own field. Its name is the one in `custom`; people know it by its label.
fn own_heading<'h>(field: &CustomField, text: &'h str, is_typed: bool) -> Heading<'h> {
    let kind = match field.field_type {
        FieldType::Number if is_typed => ColumnKind::Number,
        FieldType::Day if is_typed => ColumnKind::Day,
        _ => ColumnKind::Text,
    };
    Heading { text, kind, is_hidden: false }
}

impl TableFormat {
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx(_) => "xlsx",
        }
    }

    /// The language of its headings and words; a CSV file has those of the API.
    pub(super) fn language(self) -> Language {
        match self {
            Self::Csv => Language::default(),
            Self::Xlsx(language) => language,
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
    /// A table whose headings are the same in both formats.
    pub(super) fn new(
        format: TableFormat,
        name: &str,
        columns: &[(&str, ColumnKind)],
        context: &WorkContext,
    ) -> Result<Self> {
        let heading = |&(text, kind): &(_, ColumnKind)| Heading { text, kind, is_hidden: false };
        let headings: Vec<_> = columns.iter().map(heading).collect();
        Self::with_headings(format, name, &headings, Days::default(), context)
    }

    fn with_headings(
        format: TableFormat,
        name: &str,
        headings: &[Heading<'_>],
        days: Days,
        context: &WorkContext,
    ) -> Result<Self> {
        let writer = match format {
            TableFormat::Csv => {
                let file = BufWriter::new(context.file().map_err(no_room)?);
                let columns: Vec<_> = headings.iter().map(|heading| (heading.text, heading.kind)).collect();
                TableWriter::Csv(Box::new(Writer::new(file, &columns).map_err(Error::internal)?))
            }
            TableFormat::Xlsx(_) => {
                let folder = context.folder().map_err(no_room)?;
                TableWriter::Xlsx(Box::new(
                    xlsx::Writer::with_headings(name, headings, days, folder).map_err(no_room)?,
                ))
            }
        };
        Ok(Self { writer, context: context.clone() })
    }

    pub(super) fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<()> {
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
    mut each: impl FnMut(&mut Reader<'_>, Vec<T>) -> Result<()>,
) -> Result<u64> {
    let mut request = PageRequest::part(PART, 0);
    let mut taken = 0;
    loop {
        let mut page = load(reader, request)?;
        let left = usize::try_from(most - taken).unwrap_or(usize::MAX);
        page.items.truncate(left);
        let found = page.items.len() as u64;
        taken += found;
        each(reader, page.items)?;
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
