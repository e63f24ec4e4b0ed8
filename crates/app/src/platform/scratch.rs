//! Temporary files in a folder of `data_dir`.
//!
//! The shared temporary directory of the machine is never used: a container may have none that can be written to, and
//! what the service holds stays in its own folder.

use std::{
    fs::{DirBuilder, File},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

/// The folder below `data_dir`.
const FOLDER: &str = "temporary";

#[derive(Debug, Clone)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn below(data_dir: &Path) -> Self {
        Self(data_dir.join(FOLDER))
    }

    /// The folder itself, for commands of the operator that write a file there anyway.
    pub(crate) fn at(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// The folder, which other users of the machine cannot read. It is created when it is missing.
    pub(crate) fn folder(&self) -> io::Result<&Path> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        Ok(&self.0)
    }

    /// A file without a name, which is gone when it is closed.
    pub(crate) fn file(&self) -> io::Result<File> {
        tempfile::tempfile_in(self.folder()?)
    }
}
