//! The workbooks of the lists. Each is written by a thread of its own beside the lines of its list, because that takes as
//! long as all the rest.

use std::{
    fs::File,
    io::{BufWriter, Seek as _},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread::JoinHandle,
};

use bundle::{LISTS, Packing, WriteError, Writer};
use reports::{csv::ColumnKind, xlsx};
use serde_json::Value;

use super::lists::Listed;
use crate::{Error, Result, report::no_room, scratch::Scratch};

/// How many rows a workbook holds; what is more goes into another one.
const ROWS: usize = 1_000_000;
/// How many rows are handed over at a time, and how many times before the thread has taken them.
const BATCH: usize = 200;
const AHEAD: usize = 4;

type Row = Vec<String>;

/// The workbooks of all lists.
pub(super) struct Books {
    scratch: Scratch,
    begun: Vec<(&'static str, JoinHandle<Result<Vec<File>>>)>,
}

/// The workbook of the list that is being written.
pub(super) struct Book {
    name: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Row>,
    thread: SyncSender<Vec<Row>>,
    written: JoinHandle<Result<Vec<File>>>,
}

impl Books {
    pub(super) fn new(scratch: &Scratch) -> Self {
        Self { scratch: scratch.clone(), begun: Vec::new() }
    }

    pub(super) fn begin(&self, name: &'static str, columns: &[&'static str]) -> Result<Book> {
        let (thread, rows) = sync_channel(AHEAD);
        let (scratch, columns) = (self.scratch.clone(), columns.to_vec());
        let heads: Vec<&str> = ["id", "version"].into_iter().chain(columns.iter().copied()).collect();
        let write = move || write(name, &heads, &rows, &scratch);
        let written =
            std::thread::Builder::new().name("workbook".to_owned()).spawn(write).map_err(no_room)?;
        Ok(Book { name, columns, rows: Vec::with_capacity(BATCH), thread, written })
    }

    /// The list has no more rows.
    pub(super) fn end(&mut self, mut book: Book) -> Result<()> {
        book.hand_over()?;
        self.begun.push((book.name, book.written));
        Ok(())
    }

    /// Adds the workbooks in the order of their lists.
    pub(super) fn finish(self, writer: &mut Writer<File>) -> Result<()> {
        for (name, written) in self.begun {
            let files = written.join().map_err(|_| Error::internal(format!("the workbook of {name}")))??;
            for (number, file) in (1..).zip(files) {
                let suffix = if number == 1 { String::new() } else { format!("-{number}") };
                add(writer, &format!("{LISTS}{name}{suffix}.xlsx"), file)?;
            }
        }
        Ok(())
    }
}

impl Book {
    pub(super) fn row(&mut self, listed: &Listed) -> Result<()> {
        let own = [listed.id.clone(), listed.version.to_string()];
        let values = self.columns.iter().map(|column| cell(listed.data.get(*column)));
        self.rows.push(own.into_iter().chain(values).collect());
        if self.rows.len() < BATCH { Ok(()) } else { self.hand_over() }
    }

    fn hand_over(&mut self) -> Result<()> {
        let rows = std::mem::replace(&mut self.rows, Vec::with_capacity(BATCH));
        // The thread has ended only if it could not write.
        self.thread.send(rows).map_err(|_| no_room(format!("the workbook of {}", self.name)))
    }
}

/// Writes one workbook after the other until the list ends.
fn write(name: &str, heads: &[&str], rows: &Receiver<Vec<Row>>, scratch: &Scratch) -> Result<Vec<File>> {
    let heads: Vec<(&str, ColumnKind)> = heads.iter().map(|head| (*head, ColumnKind::Text)).collect();
    let begin = || xlsx::Writer::new(name, &heads, scratch.folder().map_err(no_room)?).map_err(no_room);
    let (mut files, mut book, mut count) = (Vec::new(), begin()?, 0);
    for row in rows.iter().flatten() {
        if count == ROWS {
            files.push(finished(std::mem::replace(&mut book, begin()?), scratch)?);
            count = 0;
        }
        book.row(row).map_err(no_room)?;
        count += 1;
    }
    files.push(finished(book, scratch)?);
    Ok(files)
}

/// The bytes of a workbook. They are on disk before they are in the bundle, because their writer goes back in them.
fn finished(book: xlsx::Writer, scratch: &Scratch) -> Result<File> {
    let written = book.finish(BufWriter::new(scratch.file().map_err(no_room)?)).map_err(no_room)?;
    let mut file = written.into_inner().map_err(|error| no_room(error.into_error()))?;
    file.rewind().map_err(no_room)?;
    Ok(file)
}

fn add(writer: &mut Writer<File>, path: &str, mut file: File) -> Result<()> {
    writer.file(path, Packing::Stored, |part| {
        std::io::copy(&mut file, part).map_err(WriteError::from)?;
        Ok::<_, Error>(())
    })
}

/// Adds one workbook.
pub(super) fn add_workbook(
    writer: &mut Writer<File>,
    scratch: &Scratch,
    path: &str,
    book: xlsx::Writer,
) -> Result<()> {
    add(writer, path, finished(book, scratch)?)
}

/// A value as a cell.
fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}
