//! The zipped report package. Nothing in it is trusted: not its names, not its sizes.

use std::{
    collections::BTreeMap,
    io::{Read, Seek},
};

use domain::register::Template;
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
        return Err(refused(format_args!("holds more than {MAX_FILES} files: send one report package")));
    }
    let (mut tables, mut left) = (BTreeMap::new(), MAX_UNPACKED);
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(damaged)?;
        let name = file.name().map_err(damaged)?.into_owned();
        if file.enclosed_name().is_none() || name.contains('\\') || name.starts_with('/') || file.is_symlink()
        {
            return Err(refused(format_args!(
                "holds {name:?}, which points outside of the package: make the package again"
            )));
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
            return Err(refused(format_args!("holds the template {template} twice: keep one file of each")));
        }
    }
    if tables.is_empty() {
        return Err(refused("holds no template: name the files like b_02.01.csv"));
    }
    Ok(tables)
}

fn refused(message: impl std::fmt::Display) -> Error {
    Error::invalid("file", message)
}

fn damaged(error: ZipError) -> Error {
    match error {
        ZipError::UnsupportedArchive(what) => {
            refused(format_args!("cannot be unpacked ({what}): zip it again, without a password"))
        }
        other => refused(format_args!("is not a sound zip archive ({other}): make the package again")),
    }
}
