//! The files of the catalogue: embedded in the library, or read from a folder.

use std::{
    borrow::Cow,
    fs,
    io::{self, Read as _},
    path::Path,
};

use flate2::read::GzDecoder;

use crate::fault::{Fault, Faults};

/// One file of the catalogue. Its path is relative and uses `/` on every system.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    pub(crate) path: Cow<'static, str>,
    pub(crate) text: Cow<'static, str>,
    /// 0 for the catalogue itself, from 1 on for the layers over it.
    pub(crate) layer: usize,
    /// The prefix of the path in reported mistakes: the layer's folder.
    pub(crate) root: Cow<'static, str>,
}

impl SourceFile {
    pub(crate) fn new(path: impl Into<Cow<'static, str>>, text: impl Into<Cow<'static, str>>) -> Self {
        Self { path: path.into(), text: text.into(), layer: 0, root: Cow::Borrowed("") }
    }
}

const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/embedded.gz"));

/// The files in `catalogue/` when the library was built.
pub(crate) fn embedded() -> Result<Vec<SourceFile>, Faults> {
    let mut texts = String::new();
    let unpacked = GzDecoder::new(EMBEDDED).read_to_string(&mut texts);
    unpacked.map_err(|error| Faults::one("embedded.gz".to_owned(), 1, cannot_read(&error)))?;
    let mut parts = texts.split_terminator('\0').map(str::to_owned);
    let files = std::iter::from_fn(|| Some(SourceFile::new(parts.next()?, parts.next()?)));
    Ok(files.collect())
}

/// The TOML files of a folder and its subfolders, sorted by path. Other files are ignored.
pub(crate) fn from_dir(root: &Path) -> Result<Vec<SourceFile>, Faults> {
    let mut files = Vec::new();
    let mut faults = Vec::new();
    match tables(root) {
        Err(error) => return Err(Faults::one(root.display().to_string(), 1, cannot_read(&error))),
        Ok(entries) => {
            for entry in entries {
                take(&entry, &mut files, &mut faults);
            }
        }
    }
    Faults::refuse(faults)?;
    files.sort_by(|a: &SourceFile, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The files of every folder in this one, each a layer, in the order of their names.
pub(crate) fn from_layers(root: &Path) -> Result<Vec<SourceFile>, Faults> {
    let refuse = |error: &io::Error| Faults::one(root.display().to_string(), 1, cannot_read(error));
    let mut folders = Vec::new();
    for entry in fs::read_dir(root).map_err(|error| refuse(&error))? {
        let path = entry.map_err(|error| refuse(&error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') {
            folders.push((name, path));
        }
    }
    folders.sort();
    let mut files = Vec::new();
    for (layer, (name, path)) in (1..).zip(folders) {
        let of_layer = from_dir(&path)?.into_iter();
        files.extend(of_layer.map(|file| SourceFile { layer, root: format!("{name}/").into(), ..file }));
    }
    Ok(files)
}

/// The relative paths of all TOML files, one folder deep.
fn tables(root: &Path) -> io::Result<Vec<(String, std::path::PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Editors leave hidden copies beside the file being edited.
        if name.starts_with('.') {
            continue;
        }
        if !entry.path().is_dir() {
            found.push((name, entry.path()));
            continue;
        }
        for inner in fs::read_dir(entry.path())? {
            let inner = inner?;
            let file = inner.file_name().to_string_lossy().into_owned();
            if !file.starts_with('.') {
                found.push((format!("{name}/{file}"), inner.path()));
            }
        }
    }
    found.retain(|(name, path)| Path::new(name).extension().is_some_and(|e| e == "toml") && path.is_file());
    Ok(found)
}

fn take((name, path): &(String, std::path::PathBuf), files: &mut Vec<SourceFile>, faults: &mut Vec<Fault>) {
    let refuse = |line, message| Fault { file: name.clone(), line, message };
    match fs::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => {
            files.push(SourceFile::new(name.clone(), text));
        }
        Ok(Err(error)) => {
            let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
            faults.push(refuse(line, "is not UTF-8 text; save the file as UTF-8".to_owned()));
        }
        Err(error) => faults.push(refuse(1, cannot_read(&error))),
    }
}

fn cannot_read(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// The line, counted from 1, that holds the byte at `offset`.
pub(crate) fn line_of(text: &[u8], offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    1 + memchr::memchr_iter(b'\n', before).count()
}
