//! The zipped report package. Nothing in it is trusted: not its names, not its sizes.

use std::{
    collections::BTreeMap,
    io::{Read, Seek},
};

use domain::{
    register::{Template, filing::IncomingPackage},
    violation::FileComplaint,
};
use zip::{ZipArchive, result::ZipError};

use crate::{Error, Result, upload};

/// A report package has some twenty files.
const MAX_FILES: usize = 200;
/// What all tables together may unpack to.
const MAX_UNPACKED: u64 = 256 * 1024 * 1024;
/// What a file beside the tables may unpack to.
const MAX_BESIDE: u64 = 1024 * 1024;

/// What a package holds.
pub(super) struct Archive {
    /// The official tables, as text.
    pub(super) tables: BTreeMap<Template, String>,
    /// The rest, as far as its checks need it.
    pub(super) package: IncomingPackage,
}

/// Unpacks the official tables and the files beside them. Other files are passed over.
pub(super) fn read(reader: impl Read + Seek) -> Result<Archive> {
    let mut archive = ZipArchive::new(reader).map_err(damaged)?;
    if archive.len() > MAX_FILES {
        return Err(refused(FileComplaint::TooManyFiles { most: MAX_FILES }));
    }
    let (mut tables, mut package, mut left) = (BTreeMap::new(), IncomingPackage::default(), MAX_UNPACKED);
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
        // The size a file claims is not believed: reading stops at the limit.
        let limit = left.min(upload::MAX_BYTES);
        if let Some(template) = Template::from_name(&name) {
            let text = upload::text(file, limit)?;
            left -= text.len() as u64;
            if tables.insert(template, text).is_some() {
                return Err(refused(FileComplaint::TemplateTwice { template: template.id() }));
            }
        } else if let Some(path) = beside(&name) {
            let text = upload::text(file, limit.min(MAX_BESIDE))?;
            left -= text.len() as u64;
            package.files.insert(path, text);
        }
        package.names.push(name);
    }
    if tables.is_empty() {
        return Err(refused(FileComplaint::NoTemplate));
    }
    Ok(Archive { tables, package })
}

/// Which of the files beside the tables this is.
fn beside(name: &str) -> Option<&'static str> {
    let below = name.split_once('/')?.1;
    IncomingPackage::FILES.into_iter().find(|path| *path == below)
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
