//! The zipped report package. Nothing in it is trusted: not its names, not its sizes.

use std::{
    collections::BTreeMap,
    io::{Read, Seek},
};

use domain::{
    import::records::{RecordError, Records},
    register::{Notice, Template},
    violation::FileComplaint,
};
use zip::{ZipArchive, result::ZipError};

use crate::{Error, Result, upload};

/// A report package has some twenty files.
const MAX_FILES: usize = 200;
/// What all tables together may unpack to.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

/// The official tables of a package, as text, and a notice for each that is not read yet. Files that are no table are
/// passed over.
pub(super) fn tables(reader: impl Read + Seek) -> Result<(BTreeMap<Template, String>, Vec<Notice>)> {
    let mut archive = ZipArchive::new(reader).map_err(damaged)?;
    if archive.len() > MAX_FILES {
        return Err(refused(FileComplaint::TooManyFiles { most: MAX_FILES }));
    }
    let (mut tables, mut passed_over, mut left) = (BTreeMap::new(), BTreeMap::new(), MAX_UNPACKED);
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(damaged)?;
        let name = file.name().map_err(damaged)?.into_owned();
        if file.enclosed_name().is_none() || name.contains('\\') || name.starts_with('/') || file.is_symlink()
        {
            return Err(refused(FileComplaint::OutsidePath { name: format!("{name:?}") }));
        }
        if file.is_dir() {
            continue;
        }
        let Some(template) = Template::from_name(&name) else { continue };
        // The size a file claims is not believed: reading stops at the limit.
        let limit = left.min(upload::MAX_BYTES);
        let twice = if !template.is_read() {
            let (rows, bytes) = counted(file, limit, template)?;
            left -= bytes;
            passed_over.insert(template, rows).is_some()
        } else {
            let text = upload::text(file, limit)?;
            left -= text.len() as u64;
            tables.insert(template, text).is_some()
        };
        if twice {
            return Err(refused(FileComplaint::TemplateTwice { template: template.id() }));
        }
    }
    if tables.is_empty() {
        return Err(refused(FileComplaint::NoTemplate));
    }
    let notices = passed_over.into_iter().map(|(template, rows)| Notice::NotKept { template, rows });
    Ok((tables, notices.collect()))
}

/// How many rows a table has below its headings, and how many bytes were read for that.
fn counted(reader: impl Read, limit: u64, template: Template) -> Result<(u64, u64)> {
    let mut limited = reader.take(limit + 1);
    let (mut records, mut record, mut rows) =
        (Records::new(&mut limited, b','), csv::StringRecord::new(), 0_u64);
    loop {
        match records.next_into(&mut record) {
            Ok(None) => break,
            Ok(Some(_)) => rows += u64::from(record.iter().any(|cell| !cell.trim().is_empty())),
            Err(RecordError::Read(error)) => return Err(upload::unreadable(&error)),
            Err(RecordError::Record(problem)) => {
                return Err(refused(FileComplaint::NoTable { template: template.id(), problem }));
            }
        }
    }
    drop(records);
    let read = limit + 1 - limited.limit();
    if read > limit {
        return Err(refused(FileComplaint::TableTooLarge));
    }
    Ok((rows.saturating_sub(1), read))
}

fn refused(complaint: FileComplaint) -> Error {
    Error::invalid("file", complaint)
}

fn damaged(error: ZipError) -> Error {
    match error {
        ZipError::UnsupportedArchive(what) => {
            refused(FileComplaint::NotUnpacked { problem: what.to_string() })
        }
        other => refused(FileComplaint::NotAnArchive { problem: other.to_string() }),
    }
}
