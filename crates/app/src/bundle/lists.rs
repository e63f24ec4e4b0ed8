//! Every list as of the day, as JSON lines for programs and as a workbook for people. The workbooks come after all lines,
//! so that they are compressed while further lists are read.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
};

use bundle::{LISTS, ListedRecord, Packing, WriteError, Writer};
use domain::moment::Moment;
use serde_json::{Map, Value, json, value::to_raw_value};
use store::Reader;

use super::{
    books::{Book, Books},
    claims::Claims,
    gather::Gathering,
    trail::{Recorded, Trail},
};
use crate::{
    Error, Result, assessment,
    records::{AnyKind, KINDS},
};

/// How many bytes are compressed at a time.
const BUFFER: usize = 64 * 1024;
/// Computed from other records whenever those change, without a version, so not known for a day that has passed.
const NOT_KEPT: [(&str, &str); 2] = [("controls", "computed"), ("controls", "effectiveness")];

/// A line of a list.
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) version: i64,
    rests_on: Option<i64>,
    pub(super) data: Map<String, Value>,
}

/// Where lists are written.
struct Lists<'w> {
    writer: &'w mut Writer<File>,
    books: Books,
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
    let mut lists = Lists { writer, books: Books::new(&gathering.scratch) };
    assessments(gathering, reader, &mut lists, trail, claims)?;
    let is_control = |kind: &&AnyKind| kind.table == "controls";
    let ordered = KINDS.iter().filter(is_control).chain(KINDS.iter().filter(|kind| !is_control(kind)));
    for kind in ordered {
        let is_kept = |column: &&str| !NOT_KEPT.contains(&(kind.table, *column));
        let columns: Vec<&str> = kind.columns().into_iter().filter(is_kept).collect();
        lists.list(kind.table, &columns, |line| {
            kind.each_past(reader, &gathering.scope, until, &mut |mut record| {
                record.cells.retain(|column, _| is_kept(&column.as_str()));
                claims.see(kind.table, &record, trail);
                let rests_on = trail.last(&record.id);
                line(Listed { id: record.id, version: record.version, rests_on, data: record.cells })
            })
        })?;
    }
    let performed = ("performances", &PERFORMED[..], &trail.performed[..]);
    lists.recorded(performed, |one| claims.performed(&one.record, one.number))?;
    let retested = ("retests", &RETESTED[..], &trail.retested[..]);
    lists.recorded(retested, |one| claims.retested(&one.record, one.number))?;
    lists.books.finish(lists.writer)
}

/// What the audit log says of a performance of a control.
const PERFORMED: [&str; 3] = ["on", "note", "evidence"];
/// What it says of a retest of a finding.
const RETESTED: [&str; 6] =
    ["result", "performed_on", "performed_by", "by_owner", "actual_result", "evidence"];

fn assessments(
    gathering: &Gathering,
    reader: &mut Reader<'_>,
    lists: &mut Lists<'_>,
    trail: &Trail,
    claims: &mut Claims,
) -> Result<()> {
    let (scope, wish) = (&gathering.scope, &gathering.wish);
    let mut rows = assessment::at_end_of(reader, scope, None, wish.as_of)?;
    rows.sort_by(|one, other| one.requirement.cmp(&other.requirement));
    lists.list("assessments", &COLUMNS_OF_ASSESSMENTS, |line| {
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

impl Lists<'_> {
    /// What the audit log records below a record, each line of which rests on the entry that recorded it.
    fn recorded(
        &mut self,
        (name, fields, all): (&'static str, &[&'static str], &[Recorded]),
        mut claim: impl FnMut(&Recorded),
    ) -> Result<()> {
        let columns: Vec<&str> = fields.iter().copied().chain(["recorded_at", "recorded_by"]).collect();
        self.list(name, &columns, |line| {
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
        &mut self,
        name: &'static str,
        columns: &[&'static str],
        fill: impl FnOnce(&mut dyn FnMut(Listed) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let mut book: Book = self.books.begin(name, columns)?;
        self.writer.file(&format!("{LISTS}{name}.jsonl"), Packing::Deflated, |part| {
            let mut out = BufWriter::with_capacity(BUFFER, part);
            fill(&mut |listed: Listed| {
                book.row(&listed)?;
                let Listed { id, version, rests_on, data } = listed;
                let data = to_raw_value(&data).map_err(WriteError::from)?;
                let record = ListedRecord { id, version, rests_on, data };
                serde_json::to_writer(&mut out, &record).map_err(WriteError::from)?;
                Ok(out.write_all(b"\n").map_err(WriteError::from)?)
            })?;
            Ok::<_, Error>(out.flush().map_err(WriteError::from)?)
        })?;
        self.books.end(book)
    }
}
