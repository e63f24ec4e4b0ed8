//! The zipped report package. Nothing in it is trusted: not its names, not its sizes.

use std::{
    collections::BTreeMap,
    io::{Read, Seek},
};

use domain::{register::Template, violation::FileComplaint};
use zip::{ZipArchive, result::ZipError};

use crate::{Error, Result, upload};

/// A report package has some twenty files.
const MAX_FILES: usize = 200;
/// What all tables together may unpack to.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;

/// The official tables of a package, as text. Files that are no table are passed over.
pub(super) fn tables(reader: impl Read + Seek) -> Result<BTreeMap<Template, String>> {
    let mut archive = ZipArchive::new(reader).map_err(damaged)?;
    if archive.len() > MAX_FILES {
        return Err(refused(FileComplaint::TooManyFiles { most: MAX_FILES }));
    }
    let (mut tables, mut left) = (BTreeMap::new(), MAX_UNPACKED);
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
        if template.columns().is_empty() {
            continue;
        }
        // The size a file claims is not believed: reading stops at the limit.
        let text = upload::text(file, left.min(upload::MAX_BYTES))?;
        left -= text.len() as u64;
        if tables.insert(template, text).is_some() {
            return Err(refused(FileComplaint::TemplateTwice { template: template.id() }));
        }
    }
    if tables.is_empty() {
        return Err(refused(FileComplaint::NoTemplate));
    }
    Ok(tables)
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
