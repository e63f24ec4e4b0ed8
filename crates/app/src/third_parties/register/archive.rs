//! Reads a zipped report package. Neither the names nor the sizes in it are trusted.

use std::{
    collections::BTreeMap,
    io::{self, Read, Seek, SeekFrom},
};

use domain::{
    import::FileComplaint,
    register::{Template, filing::IncomingPackage},
};
use zip::{ZipArchive, result::ZipError};

use crate::{Error, Result, upload};

/// A report package has some twenty files.
const MAX_FILES: usize = 200;
/// The maximum uncompressed size of all tables together; they are in memory as a whole.
const MAX_UNPACKED: u64 = 64 * 1024 * 1024;
/// The maximum uncompressed size of a file beside the tables.
const MAX_BESIDE: u64 = 1024 * 1024;

/// The contents of a package.
pub(super) struct Archive {
    /// The official tables, as text.
    pub(super) tables: BTreeMap<Template, String>,
    /// The other files, as far as the checks need them.
    pub(super) package: IncomingPackage,
}

/// Decompresses the official tables and the files beside them. Other files are ignored.
pub(super) fn read(mut reader: impl Read + Seek) -> Result<Archive> {
    check_count(&mut reader, MAX_FILES)?;
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
        // The size in the header is not trusted: reading stops at the limit.
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

/// Refuses an archive with more files, before its directory is read into memory.
pub(super) fn check_count(reader: &mut (impl Read + Seek), most: usize) -> Result<()> {
    if claims_more(reader, most).map_err(|error| upload::unreadable(&error))? {
        return Err(refused(FileComplaint::TooManyFiles { most }));
    }
    Ok(())
}

fn claims_more(reader: &mut (impl Read + Seek), most: usize) -> io::Result<bool> {
    /// The end of an archive: this record, followed by a comment of at most 64 KiB.
    const END: &[u8] = b"PK\x05\x06";
    /// Precedes the end of an archive with more files than the record can count.
    const LARGE: &[u8] = b"PK\x06\x07";
    const TAIL: u64 = 65_536 + 64;
    let length = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    reader.by_ref().take(TAIL).read_to_end(&mut tail)?;
    reader.rewind()?;
    let ends = (0..tail.len()).filter(|at| tail[*at..].starts_with(END));
    Ok(ends.into_iter().any(|at| {
        let count =
            tail.get(at + 10..at + 12).map_or(0, |bytes| usize::from(bytes[0]) | usize::from(bytes[1]) << 8);
        let is_large = at.checked_sub(20).is_some_and(|before| tail[before..].starts_with(LARGE));
        count > most || is_large
    }))
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    #[test]
    fn an_archive_of_many_files_is_refused_before_they_are_listed() {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for number in 0..20 {
            archive.start_file(format!("{number}"), SimpleFileOptions::default()).unwrap();
        }
        let mut bytes = archive.finish().unwrap();
        assert!(check_count(&mut bytes, 20).is_ok());
        assert_eq!(bytes.position(), 0);
        assert!(check_count(&mut bytes, 19).is_err());
        assert!(check_count(&mut Cursor::new(b"no archive"), 1).is_ok());
    }
}
