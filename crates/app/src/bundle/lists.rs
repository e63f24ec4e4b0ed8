//! Every list as of the day, as JSON lines for programs and as a workbook for people.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
};

use bundle::{LISTS, ListedRecord, Packing, WriteError, Writer};
use domain::{moment::Moment, page::PageRequest};
use reports::{csv::ColumnKind, xlsx};
use serde_json::{Map, Value, json, value::to_raw_value};
use store::Reader;

use super::{
    claims::Claims,
    gather::Gathering,
    trail::{Recorded, Trail},
};
use crate::{
    Error, Result, assessment,
    records::{AnyKind, KINDS, PastRecord},
    report::no_room,
    scratch::Scratch,
};

/// How many records are in memory at a time.
const PART: u32 = 2000;
/// How many rows a workbook holds; what is more goes into another one.
const ROWS: u32 = 1_000_000;
/// Computed from other records whenever those change, without a version, so not known for a day that has passed.
const NOT_KEPT: [(&str, &str); 2] = [("controls", "computed"), ("controls", "effectiveness")];

/// A line of a list.
struct Listed {
    id: String,
    version: i64,
    rests_on: Option<i64>,
    data: Map<String, Value>,
}

/// Writes all lists. Controls come first, because other records belong to requirements through them.
pub(super) fn write(
    gathering: &Gathering,
    reader: &mut Reader<'_>,
    writer: &mut Writer<File>,
    until: Moment,
    trail: &Trail,
    claims: &mut Claims,
) -> Result<()> {
    assessments(gathering, reader, writer, trail, claims)?;
    let is_control = |kind: &&AnyKind| kind.table == "controls";
    let ordered = KINDS.iter().filter(is_control).chain(KINDS.iter().filter(|kind| !is_control(kind)));
    for kind in ordered {
        let is_kept = |column: &&str| !NOT_KEPT.contains(&(kind.table, *column));
        let columns: Vec<&str> = kind.columns().into_iter().filter(is_kept).collect();
        list(writer, &gathering.scratch, kind.table, &columns, |line| {
            each(kind, reader, gathering, until, |mut record| {
                record.cells.retain(|column, _| is_kept(&column.as_str()));
                claims.see(kind.table, &record, trail);
                let rests_on = trail.last(&record.id);
                line(Listed { id: record.id, version: record.version, rests_on, data: record.cells })
            })
        })?;
    }
    let performed = ("performances", &PERFORMED[..], &trail.performed[..]);
    recorded(gathering, writer, performed, |one| claims.performed(&one.record, one.number))?;
    let retested = ("retests", &RETESTED[..], &trail.retested[..]);
    recorded(gathering, writer, retested, |one| claims.retested(&one.record, one.number))
}

/// What the audit log says of a performance of a control.
const PERFORMED: [&str; 3] = ["on", "note", "evidence"];
/// What it says of a retest of a finding.
const RETESTED: [&str; 6] =
    ["result", "performed_on", "performed_by", "by_owner", "actual_result", "evidence"];

/// Calls `each_one` with every record of a kind.
fn each(
    kind: &AnyKind,
    reader: &mut Reader<'_>,
    gathering: &Gathering,
    until: Moment,
    mut each_one: impl FnMut(PastRecord) -> Result<()>,
) -> Result<()> {
    let (mut request, mut taken) = (PageRequest::part(PART, 0), 0);
    loop {
        let page = kind.past(reader, &gathering.scope, until, request)?;
        let (found, total, next) = (page.items.len() as u64, page.total, page.next);
        page.items.into_iter().try_for_each(&mut each_one)?;
        taken += found;
        if found == 0 || taken >= total {
            return Ok(());
        }
        request = match next {
            Some(cursor) => PageRequest::part(PART, 0).after(cursor),
            None => PageRequest::part(PART, taken),
        };
    }
}

fn assessments(
    gathering: &Gathering,
    reader: &mut Reader<'_>,
    writer: &mut Writer<File>,
    trail: &Trail,
    claims: &mut Claims,
) -> Result<()> {
    let (scope, wish) = (&gathering.scope, &gathering.wish);
    let mut rows = assessment::at_end_of(reader, scope, None, wish.as_of)?;
    rows.sort_by(|one, other| one.requirement.cmp(&other.requirement));
    let columns: Vec<&str> = COLUMNS_OF_ASSESSMENTS.to_vec();
    list(writer, &gathering.scratch, "assessments", &columns, |line| {
        for row in rows {
            let Value::Object(data) = assessment::fields(&row.assessment) else { continue };
            claims.assessed(&row.requirement, row.version, &data);
            let rests_on = trail.last(&row.requirement);
            line(Listed { id: row.requirement, version: row.version, rests_on, data })?;
        }
        Ok(())
    })
}

const COLUMNS_OF_ASSESSMENTS: [&str; 16] = [
    "status",
    "applies",
    "applies_reason",
    "maturity",
    "rationale",
    "owner",
    "due_on",
    "next_review_on",
    "assessed_at",
    "assessed_by",
    "approved_at",
    "approved_by",
    "changed_by",
    "editors",
    "carried_from",
    "crosswalk",
];

/// What the audit log records below a record, each line of which rests on the entry that recorded it.
fn recorded(
    gathering: &Gathering,
    writer: &mut Writer<File>,
    (name, fields, all): (&str, &[&str], &[Recorded]),
    mut claim: impl FnMut(&Recorded),
) -> Result<()> {
    let columns: Vec<&str> = fields.iter().copied().chain(["recorded_at", "recorded_by"]).collect();
    list(writer, &gathering.scratch, name, &columns, |line| {
        for one in all {
            claim(one);
            let mut data = Map::new();
            for field in fields {
                data.insert((*field).to_owned(), one.detail[*field].clone());
            }
            data.insert("recorded_at".to_owned(), json!(one.at));
            data.insert("recorded_by".to_owned(), json!(one.actor));
            line(Listed { id: one.record.clone(), version: one.number, rests_on: Some(one.seq), data })?;
        }
        Ok(())
    })
}

/// Writes a list twice: as lines and as workbooks.
fn list(
    writer: &mut Writer<File>,
    scratch: &Scratch,
    name: &str,
    columns: &[&str],
    fill: impl FnOnce(&mut dyn FnMut(Listed) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let mut sheets = Sheets::new(scratch, name, columns)?;
    writer.file(&format!("{LISTS}{name}.jsonl"), Packing::Deflated, |part| {
        let mut out = BufWriter::new(part);
        fill(&mut |listed: Listed| {
            sheets.row(&listed)?;
            let Listed { id, version, rests_on, data } = listed;
            let data = to_raw_value(&data).map_err(WriteError::from)?;
            let record = ListedRecord { id, version, rests_on, data };
            serde_json::to_writer(&mut out, &record).map_err(WriteError::from)?;
            Ok(out.write_all(b"\n").map_err(WriteError::from)?)
        })?;
        Ok::<_, Error>(out.flush().map_err(WriteError::from)?)
    })?;
    sheets.finish(writer)
}

/// The workbooks of a list.
pub(super) struct Sheets<'c> {
    scratch: &'c Scratch,
    name: &'c str,
    columns: &'c [&'c str],
    books: Vec<xlsx::Writer>,
    rows: u32,
}

impl<'c> Sheets<'c> {
    fn new(scratch: &'c Scratch, name: &'c str, columns: &'c [&'c str]) -> Result<Self> {
        let mut sheets = Self { scratch, name, columns, books: Vec::new(), rows: 0 };
        sheets.begin()?;
        Ok(sheets)
    }

    fn begin(&mut self) -> Result<()> {
        let heads = ["id", "version"].into_iter().chain(self.columns.iter().copied());
        let heads: Vec<(&str, ColumnKind)> = heads.map(|head| (head, ColumnKind::Text)).collect();
        let folder = self.scratch.folder().map_err(no_room)?;
        self.books.push(xlsx::Writer::new(self.name, &heads, folder).map_err(no_room)?);
        self.rows = 0;
        Ok(())
    }

    fn row(&mut self, listed: &Listed) -> Result<()> {
        if self.rows == ROWS {
            self.begin()?;
        }
        self.rows += 1;
        let own = [listed.id.clone(), listed.version.to_string()];
        let values = self.columns.iter().map(|column| cell(listed.data.get(*column)));
        let cells: Vec<String> = own.into_iter().chain(values).collect();
        match self.books.last_mut() {
            Some(book) => book.row(cells).map_err(no_room),
            None => Ok(()),
        }
    }

    fn finish(self, writer: &mut Writer<File>) -> Result<()> {
        for (number, book) in (1..).zip(self.books) {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let path = format!("{LISTS}{}{suffix}.xlsx", self.name);
            add_workbook(writer, self.scratch, &path, book)?;
        }
        Ok(())
    }
}

/// Adds a workbook to the bundle. It is written to disk before, because its writer goes back in it.
pub(super) fn add_workbook(
    writer: &mut Writer<File>,
    scratch: &Scratch,
    path: &str,
    book: xlsx::Writer,
) -> Result<()> {
    use std::io::Seek as _;
    let written = book.finish(BufWriter::new(scratch.file().map_err(no_room)?)).map_err(no_room)?;
    let mut file = written.into_inner().map_err(|error| no_room(error.into_error()))?;
    file.rewind().map_err(no_room)?;
    writer.file(path, Packing::Stored, |part| {
        std::io::copy(&mut file, part).map_err(WriteError::from)?;
        Ok::<_, Error>(())
    })
}

/// A value as a cell.
fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}
