//! Secrets at rest: values that must be read back later (webhook URLs, second factors, stored responses) are sealed
//! with a key that is not in the store.
//!
//! A key ring contains the key that seals, and keys that only open what was sealed before a rotation. Each tenant's
//! secrets are sealed with a derived key of their own. A sealed text names the key it needs: `v1.ID.NONCE.TEXT`;
//! texts of earlier versions name none and are tried with every key.

mod audit_keys;

use std::{
    fmt,
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, STANDARD_NO_PAD as BASE64},
};
use chacha20poly1305::{
    KeyInit as _, XChaCha20Poly1305, XNonce,
    aead::{Aead as _, Payload},
};
use domain::id::TenantId;
use hmac::{Hmac, Mac as _};
use sha2::{Digest as _, Sha256};

use crate::ids::fill_random;

const KEY: usize = 32;
const NONCE: usize = 24;
/// The maximum number of keys in a ring: the one in use and those before it.
const MOST_KEYS: usize = 8;
const VERSION: &str = "v1";

/// One key of the ring.
#[derive(Clone)]
struct Key {
    /// Identifies the key without revealing it.
    id: String,
    bytes: [u8; KEY],
}

impl Key {
    fn new(bytes: [u8; KEY]) -> Self {
        let id = store::sql::hex(&derived(&bytes, "tidewall vault id"))[..8].to_owned();
        Self { id, bytes }
    }

    /// The fingerprint by which the store recognises the key.
    fn mark(&self) -> String {
        format!("{}.{}", self.id, store::sql::hex(&derived(&self.bytes, "tidewall vault check")))
    }

    fn cipher(&self, holder: &str) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&derived(&self.bytes, &format!("tidewall vault seal {holder}")).into())
    }
}

/// HKDF-Expand (RFC 5869) with SHA-256 to one block; the key is uniformly random, so there is nothing to extract.
fn derived(key: &[u8; KEY], label: &str) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(label.as_bytes());
    mac.update(&[1]);
    mac.finalize().into_bytes().into()
}

/// Seals and opens small secrets. The context is authenticated: a sealed text moved to another row does not open.
#[derive(Clone)]
pub struct Vault {
    /// The first one seals.
    keys: Vec<Key>,
    /// Generated for work that opens and seals nothing.
    made_up: bool,
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
    #[error("the key file {path} can be read by other users of this machine: chmod 600 {path}")]
    Readable { path: String },
    #[error(
        "{0} must hold 32 bytes in base64 or hexadecimal: make one with `head -c 32 /dev/urandom | base64`"
    )]
    Text(&'static str),
    #[error(
        "the store was sealed with the vault key {wanted}, and there is no key file at {path}: copy it from another node or \
         from your backup (an encrypted backup holds it); nothing was changed"
    )]
    Missing { wanted: String, path: String },
    #[error(
        "the store was sealed with the vault key {wanted}, but this is the key {found}: put the right key file in place (an \
         encrypted backup holds it; other nodes have it); nothing was changed"
    )]
    OtherKey { wanted: String, found: String },
    #[error("a stored secret does not open: the key file is not the one it was sealed with")]
    Sealed,
    #[error("a stored secret was sealed with the vault key {0}, which is not in the key file")]
    UnknownKey(String),
    #[error("the key file already holds {MOST_KEYS} keys: drop the old ones with `tidewall vault forget`")]
    Full,
    #[error(
        "the vault key does not come from a file: change it where it comes from, with the old key after the new one"
    )]
    NotAFile,
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl Vault {
    #[must_use]
    pub fn new(key: [u8; KEY]) -> Self {
        Self { keys: vec![Key::new(key)], made_up: false }
    }

    /// A key that is never stored, for work that opens and seals nothing.
    #[must_use]
    pub fn made_up() -> Self {
        Self { made_up: true, ..Self::new(random_key()) }
    }

    pub fn is_made_up(&self) -> bool {
        self.made_up
    }

    /// A ring from the bytes of a key file: keys of 32 bytes one after the other, the one in use first.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (keys, rest) = bytes.as_chunks::<KEY>();
        let fits = !keys.is_empty() && rest.is_empty() && keys.len() <= MOST_KEYS;
        fits.then(|| Self { keys: keys.iter().copied().map(Key::new).collect(), made_up: false })
    }

    /// A ring from text: keys in base64 or hexadecimal, separated by commas or white space.
    pub fn from_text(text: &str, setting: &'static str) -> Result<Self, VaultError> {
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
        let keys: Option<Vec<[u8; KEY]>> = words.map(key_in_text).collect();
        let bytes = keys.ok_or(VaultError::Text(setting))?.concat();
        Self::from_bytes(&bytes).ok_or(VaultError::Text(setting))
    }

    /// Reads a key file that only this user can read; `None` if it does not exist.
    pub fn existing(path: &Path) -> Result<Option<Self>, VaultError> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| trouble(path, error))?,
        };
        if is_open_to_others(path).map_err(|error| trouble(path, error))? {
            return Err(VaultError::Readable { path: path.display().to_string() });
        }
        Self::of_file(path, &bytes).map(Some)
    }

    /// Reads a key file whose permissions the service manager controls.
    pub fn given(path: &Path) -> Result<Self, VaultError> {
        let bytes = fs::read(path).map_err(|error| trouble(path, error))?;
        let text = str::from_utf8(&bytes).ok().and_then(|text| Self::from_text(text, "").ok());
        text.map_or_else(|| Self::of_file(path, &bytes), Ok)
    }

    fn of_file(path: &Path, bytes: &[u8]) -> Result<Self, VaultError> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "it must hold keys of exactly 32 bytes");
        Self::from_bytes(bytes).ok_or_else(|| trouble(path, wrong()))
    }

    /// Creates a key file readable by this user only, or reads the one that another process created first.
    pub fn create(path: &Path) -> Result<Self, VaultError> {
        let key = random_key();
        match write_private(path, &key) {
            Ok(()) => Ok(Self::new(key)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Self::existing(path)?.ok_or_else(|| trouble(path, error))
            }
            Err(error) => Err(trouble(path, error)),
        }
    }

    /// Adds a new key before those of the file, which only open from now on, and returns the new ring.
    pub fn rotate(path: &Path) -> Result<Self, VaultError> {
        let held = Self::existing(path)?.ok_or(VaultError::NotAFile)?;
        if held.keys.len() == MOST_KEYS {
            return Err(VaultError::Full);
        }
        let keys: Vec<Key> = [Key::new(random_key())].into_iter().chain(held.keys).collect();
        Self { keys, made_up: false }.replace(path)
    }

    /// Removes all keys but the one in use.
    pub fn forget_old(self, path: &Path) -> Result<Self, VaultError> {
        Self { keys: self.keys.into_iter().take(1).collect(), made_up: false }.replace(path)
    }

    fn replace(self, path: &Path) -> Result<Self, VaultError> {
        let written = draft(path, &self.to_bytes()).and_then(|draft| {
            fs::rename(&draft, path)?;
            fs::File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
        });
        written.map(|()| self).map_err(|error| trouble(path, error))
    }

    /// The ring as the bytes of a key file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.keys.iter().flat_map(|key| key.bytes).collect()
    }

    /// The id of the key that seals.
    pub fn id(&self) -> &str {
        self.keys.first().map_or("", |key| &key.id)
    }

    /// The ids of all keys, the one that seals first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| key.id.as_str())
    }

    /// The fingerprint by which a store recognises its key. The key cannot be computed from it.
    pub fn mark(&self) -> String {
        self.keys.first().map(Key::mark).unwrap_or_default()
    }

    /// The same ring with the key of this fingerprint as the one that seals; an error if it is not in the ring.
    pub fn marked(mut self, mark: &str) -> Result<Self, VaultError> {
        let Some(at) = self.keys.iter().position(|key| key.mark() == mark) else {
            let wanted = mark.split('.').next().unwrap_or_default().to_owned();
            return Err(VaultError::OtherKey { wanted, found: self.id().to_owned() });
        };
        let key = self.keys.remove(at);
        self.keys.insert(0, key);
        Ok(self)
    }

    /// A keyed digest that shows whether two secrets are equal, of no use without the key.
    pub fn fingerprint(&self, secret: &str) -> String {
        let key = self.keys.first().map_or([0; KEY], |key| key.bytes);
        let fingerprint_key =
            Sha256::new().chain_update(b"tidewall fingerprint").chain_update(key).finalize();
        BASE64.encode(Sha256::new().chain_update(fingerprint_key).chain_update(secret).finalize())
    }

    /// Whether a text was sealed with the key that seals now.
    pub fn is_current(&self, sealed: &str) -> bool {
        sealed
            .strip_prefix(VERSION)
            .and_then(|rest| rest.strip_prefix('.'))
            .is_some_and(|rest| rest.split('.').next() == Some(self.id()))
    }

    /// Seals with a key derived for the context alone.
    pub fn seal(&self, context: &str, secret: &str) -> Result<String, VaultError> {
        self.seal_with(context, context, secret)
    }

    /// Seals with the key of a tenant.
    pub fn seal_for(&self, tenant: TenantId, context: &str, secret: &str) -> Result<String, VaultError> {
        self.seal_with(&tenant.to_string(), context, secret)
    }

    fn seal_with(&self, holder: &str, context: &str, secret: &str) -> Result<String, VaultError> {
        let key = self.keys.first().ok_or(VaultError::Sealed)?;
        let mut nonce = [0; NONCE];
        fill_random(&mut nonce);
        let payload = Payload { msg: secret.as_bytes(), aad: context.as_bytes() };
        let sealed = key.cipher(holder).encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| VaultError::Sealed)?;
        Ok(format!("{VERSION}.{}.{}.{}", key.id, BASE64.encode(nonce), BASE64.encode(sealed)))
    }

    pub fn open(&self, context: &str, sealed: &str) -> Result<String, VaultError> {
        self.open_with(context, context, sealed)
    }

    pub fn open_for(&self, tenant: TenantId, context: &str, sealed: &str) -> Result<String, VaultError> {
        self.open_with(&tenant.to_string(), context, sealed)
    }

    fn open_with(&self, holder: &str, context: &str, sealed: &str) -> Result<String, VaultError> {
        let parts: Vec<&str> = sealed.split('.').collect();
        let [version, id, nonce, text] = parts[..] else { return self.open_unnamed(context, sealed) };
        if version != VERSION {
            return Err(VaultError::Sealed);
        }
        let key = self.keys.iter().find(|key| key.id == id);
        let key = key.ok_or_else(|| VaultError::UnknownKey(id.chars().take(16).collect()))?;
        let bytes = |text: &str| BASE64.decode(text).map_err(|_| VaultError::Sealed);
        let nonce: [u8; NONCE] = bytes(nonce)?.try_into().map_err(|_| VaultError::Sealed)?;
        opened(&key.cipher(holder), nonce, context, &bytes(text)?)
    }

    /// Opens a text of a version that named no key and sealed with the ring's key itself.
    fn open_unnamed(&self, context: &str, sealed: &str) -> Result<String, VaultError> {
        let bytes = BASE64.decode(sealed).map_err(|_| VaultError::Sealed)?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>().ok_or(VaultError::Sealed)?;
        let tried = self.keys.iter().map(|key| XChaCha20Poly1305::new(&key.bytes.into()));
        let mut tried = tried.map(|cipher| opened(&cipher, *nonce, context, sealed));
        tried.find(Result::is_ok).unwrap_or(Err(VaultError::Sealed))
    }

    /// An authentication code over a digest that only a holder of the key can compute, with the id of the key.
    pub fn authenticate(&self, purpose: &str, digest: &str) -> String {
        let key = self.keys.first().map_or([0; KEY], |key| key.bytes);
        format!("{} {}", self.id(), code(&key, purpose, digest))
    }

    /// Whether one of the keys computed this code.
    pub fn is_authentic(&self, purpose: &str, digest: &str, presented: &str) -> bool {
        let Some((id, presented)) = presented.trim().split_once(' ') else { return false };
        let made = |key: &Key| key.id == id && code(&key.bytes, purpose, digest) == presented;
        self.keys.iter().any(made)
    }
}

fn code(key: &[u8; KEY], purpose: &str, digest: &str) -> String {
    store::sql::hex(&derived(&derived(key, &format!("tidewall vault code {purpose}")), digest))
}

fn opened(
    cipher: &XChaCha20Poly1305,
    nonce: [u8; NONCE],
    context: &str,
    sealed: &[u8],
) -> Result<String, VaultError> {
    let payload = Payload { msg: sealed, aad: context.as_bytes() };
    let secret = cipher.decrypt(&XNonce::from(nonce), payload).map_err(|_| VaultError::Sealed)?;
    String::from_utf8(secret).map_err(|_| VaultError::Sealed)
}

fn key_in_text(word: &str) -> Option<[u8; KEY]> {
    if word.len() == 2 * KEY && word.is_ascii() {
        let byte = |at: usize| u8::from_str_radix(&word[at..at + 2], 16).ok();
        let bytes: Option<Vec<u8>> = (0..2 * KEY).step_by(2).map(byte).collect();
        return bytes?.try_into().ok();
    }
    let decoded = STANDARD.decode(word).or_else(|_| BASE64.decode(word)).ok()?;
    decoded.try_into().ok()
}

fn trouble(path: &Path, error: io::Error) -> VaultError {
    VaultError::KeyFile { path: path.display().to_string(), error }
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::metadata(path)?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> io::Result<bool> {
    Ok(false)
}

fn random_key() -> [u8; KEY] {
    let mut key = [0; KEY];
    fill_random(&mut key);
    key
}

/// Writes the whole key under another name first, so that a reader never sees half a key.
fn write_private(path: &Path, key: &[u8]) -> io::Result<()> {
    let draft = draft(path, key)?;
    // A hard link fails if the name exists; a rename would silently replace another process's key.
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    linked
}

fn draft(path: &Path, bytes: &[u8]) -> io::Result<std::path::PathBuf> {
    let mut suffix = [0; 8];
    fill_random(&mut suffix);
    let draft = path.with_extension(format!("{:x}", u64::from_ne_bytes(suffix)));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(draft)
}

#[cfg(test)]
#[path = "vault_tests.rs"]
mod tests;
