//! Secrets at rest: what must be read back later (webhook URLs, kept answers) is sealed with a key from a file.

use std::{
    fmt,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD as BASE64};
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305, XNonce,
    aead::{Aead as _, Payload},
};

use sha2::{Digest as _, Sha256};

use crate::ids::fill_random;

const KEY: usize = 32;
const NONCE: usize = 24;

/// Seals and opens small secrets. The context is bound in: a sealed text moved to another row does not open.
#[derive(Clone)]
pub struct Vault {
    cipher: XChaCha20Poly1305,
    /// Made from the key, which cannot be made from it.
    fingerprint_key: [u8; 32],
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault(…)")
    }
}

#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    #[error(
        "the key file {path} cannot be used ({error}): restore it from your backup, without it stored webhook URLs are lost"
    )]
    KeyFile { path: String, error: io::Error },
    #[error("a stored secret does not open: the key file is not the one it was sealed with")]
    Sealed,
}

impl Vault {
    #[must_use]
    pub fn new(key: [u8; KEY]) -> Self {
        let fingerprint_key =
            Sha256::new().chain_update(b"tidewall fingerprint").chain_update(key).finalize();
        Self { cipher: XChaCha20Poly1305::new(&key.into()), fingerprint_key: fingerprint_key.into() }
    }

    /// The same for the same secret, and of no use to anybody without the key file: tells whether two secrets are
    /// one.
    pub fn fingerprint(&self, secret: &str) -> String {
        let digest = Sha256::new().chain_update(self.fingerprint_key).chain_update(secret).finalize();
        BASE64.encode(digest)
    }

    /// Reads the key file, or makes one readable by this user only.
    pub fn from_file(path: &Path) -> Result<Self, VaultError> {
        if let Some(vault) = Self::existing(path)? {
            return Ok(vault);
        }
        let key = random_key();
        match write_private(path, &key) {
            // Another process was faster: its key counts.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::from_file(path),
            written => written.map(|()| Self::new(key)).map_err(|error| trouble(path, error)),
        }
    }

    /// Reads the key file. Where there is none, the key is one that is never written, so that work which opens and
    /// seals nothing can go on without leaving a file behind.
    pub fn for_reading(path: &Path) -> Result<Self, VaultError> {
        Ok(Self::existing(path)?.unwrap_or_else(|| Self::new(random_key())))
    }

    fn existing(path: &Path) -> Result<Option<Self>, VaultError> {
        match fs::read(path) {
            Ok(bytes) => {
                let key = bytes.try_into().map_err(|_| {
                    let wrong = io::Error::new(io::ErrorKind::InvalidData, "it must hold exactly 32 bytes");
                    trouble(path, wrong)
                })?;
                Ok(Some(Self::new(key)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(trouble(path, error)),
        }
    }

    pub fn seal(&self, context: &str, secret: &str) -> Result<String, VaultError> {
        let mut nonce = [0; NONCE];
        fill_random(&mut nonce);
        let payload = Payload { msg: secret.as_bytes(), aad: context.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| VaultError::Sealed)?;
        Ok(BASE64.encode([&nonce[..], &sealed].concat()))
    }

    pub fn open(&self, context: &str, sealed: &str) -> Result<String, VaultError> {
        let bytes = BASE64.decode(sealed).map_err(|_| VaultError::Sealed)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>().ok_or(VaultError::Sealed)?;
        let payload = Payload { msg: sealed, aad: context.as_bytes() };
        let secret = self.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| VaultError::Sealed)?;
        String::from_utf8(secret).map_err(|_| VaultError::Sealed)
    }
}

fn trouble(path: &Path, error: io::Error) -> VaultError {
    VaultError::KeyFile { path: path.display().to_string(), error }
}

fn random_key() -> [u8; KEY] {
    let mut key = [0; KEY];
    fill_random(&mut key);
    key
}

/// Writes the whole key under another name first, so that a reader never meets half a key.
fn write_private(path: &Path, key: &[u8]) -> io::Result<()> {
    let mut suffix = [0; 8];
    fill_random(&mut suffix);
    let draft = path.with_extension(format!("{:x}", u64::from_ne_bytes(suffix)));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(key)?;
    file.sync_all()?;
    // A hard link fails if the name exists; a rename would silently replace another process's key.
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    linked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_only_in_its_own_context_and_untouched() {
        let vault = Vault::new([7; KEY]);
        let sealed = vault.seal("webhook:1", "https://hooks.slack.com/services/x").unwrap();
        assert_eq!(vault.open("webhook:1", &sealed).unwrap(), "https://hooks.slack.com/services/x");
        assert!(vault.open("webhook:2", &sealed).is_err());
        assert!(Vault::new([8; KEY]).open("webhook:1", &sealed).is_err());
        assert!(vault.open("webhook:1", &sealed[1..]).is_err());
        assert!(vault.open("webhook:1", "").is_err());
    }

    #[test]
    fn a_fingerprint_hangs_on_the_secret_and_the_key() {
        let vault = Vault::new([7; KEY]);
        assert_eq!(vault.fingerprint("a"), Vault::new([7; KEY]).fingerprint("a"));
        assert_ne!(vault.fingerprint("a"), vault.fingerprint("b"));
        assert_ne!(vault.fingerprint("a"), Vault::new([8; KEY]).fingerprint("a"));
    }
}
