//! Tables read back into files.

use std::{collections::BTreeMap, fmt::Write as _};

use toml::Table;

use super::{
    FILE, FILES, FilledSheet, SINGLE,
    column::{Column, natural},
};
use crate::fault::Fault;

/// A row with a cell for each head; cells may be missing at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledRow {
    /// From 1, as a spreadsheet counts.
    pub number: u32,
    pub cells: Vec<String>,
}

/// A block of a file, with the row it came from.
#[derive(Debug)]
struct Block {
    kind: String,
    row: u32,
    record: Table,
}

/// A file on its way back.
#[derive(Debug, Default)]
pub(super) struct File {
    besides: Table,
    row: u32,
    blocks: Vec<Block>,
}

/// Where the blocks of a file begin: line, sheet and row.
pub(super) type Places = Vec<(usize, String, u32)>;

impl File {
    /// The text of the file.
    pub(super) fn to_toml(&self) -> (String, Places) {
        let mut text = String::new();
        let mut places = vec![(1, FILES.to_owned(), self.row)];
        fields(&self.besides, &mut text);
        for Block { kind, row, record } in &self.blocks {
            if !text.is_empty() {
                text.push('\n');
            }
            places.push((1 + text.matches('\n').count(), kind.clone(), *row));
            let is_single = SINGLE.contains(&kind.as_str());
            // Writing into a text cannot fail.
            let _ = if is_single { writeln!(text, "[{kind}]") } else { writeln!(text, "[[{kind}]]") };
            fields(record, &mut text);
        }
        (text, places)
    }
}

fn fields(table: &Table, text: &mut String) {
    for (name, value) in table {
        let _ = writeln!(text, "{name} = {value}");
    }
}

pub(super) fn files(sheets: &[FilledSheet]) -> (BTreeMap<String, File>, Vec<Fault>) {
    let (mut files, mut faults) = (BTreeMap::new(), Vec::new());
    for sheet in sheets {
        read(sheet, &mut files, &mut faults);
    }
    (files, faults)
}

fn read(sheet: &FilledSheet, files: &mut BTreeMap<String, File>, faults: &mut Vec<Fault>) {
    let fault = |row: u32, message: String| Fault {
        file: format!("sheet {}", sheet.name),
        line: row as usize,
        message,
    };
    let is_kind = sheet.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let mut rows = sheet.rows.iter();
    let Some(heads) = rows.next().filter(|_| is_kind && !sheet.name.is_empty()) else {
        faults.push(fault(1, "must have the name of a kind of record and a first row of heads".to_owned()));
        return;
    };
    let mut columns = Vec::new();
    let mut file_at = None;
    for (at, head) in heads.cells.iter().enumerate().filter(|(_, head)| !head.is_empty()) {
        match Column::parse(head) {
            _ if head == FILE => file_at = Some(at),
            Some(column) => columns.push((at, column, head)),
            None => faults.push(fault(heads.number, format!("{head} is not the head of a column"))),
        }
    }
    // The parts of a list and its items come in their order, however the columns were moved.
    columns.sort_by_cached_key(|(_, column, head)| (column.part(), natural(head)));
    for row in rows {
        let mut record = Table::new();
        for (at, column, head) in &columns {
            let Some(cell) = row.cells.get(*at).filter(|cell| !cell.is_empty()) else { continue };
            if let Err(message) = column.set(&mut record, cell) {
                faults.push(fault(row.number, format!("{head} {message}")));
            }
        }
        let path = file_at.and_then(|at| row.cells.get(at)).map(|path| path.trim()).unwrap_or_default();
        if !is_path(path) {
            let message = "file must be catalogue.toml or a folder and a name such as measures/sharing.toml";
            faults.push(fault(row.number, message.to_owned()));
            continue;
        }
        let file: &mut File = files.entry(path.to_owned()).or_default();
        if sheet.name == FILES {
            (file.besides, file.row) = (record, row.number);
        } else {
            file.blocks.push(Block { kind: sheet.name.clone(), row: row.number, record });
        }
    }
}

/// Whether it is a path within a catalogue, and nothing that leads out of it.
fn is_path(path: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.len() <= 100
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let Some(stem) = path.strip_suffix(".toml") else { return false };
    match stem.split_once('/') {
        Some((folder, name)) => is_name(folder) && is_name(name),
        None => stem == "catalogue",
    }
}
