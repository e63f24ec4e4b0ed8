//! The passphrase of encrypted backups, from a file or typed.

use std::{fmt, fs, path::Path};

use super::{BackupError, Result};

/// A shorter passphrase could be guessed, however slow each guess is.
const SHORTEST: usize = 12;

/// The passphrase of encrypted backups. Its `Debug` output hides it.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    pub fn new(mut bytes: Vec<u8>) -> Result<Self> {
        // Editors end the last line of a file with a newline, which is not part of the passphrase.
        while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
            bytes.pop();
        }
        if bytes.len() < SHORTEST {
            return Err(BackupError::WeakSecret(SHORTEST));
        }
        Ok(Self(bytes))
    }

    pub fn from_file(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(|error| BackupError::KeyFile { path: path.to_owned(), error })?;
        Self::new(bytes)
    }

    pub(super) fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
