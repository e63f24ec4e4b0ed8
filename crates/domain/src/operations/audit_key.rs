//! The keys audit chains are hashed with.
//!
//! Who can write to the store can calculate plain hashes anew. A keyed hash needs a key that is not in the store, so that
//! without it a chain can be cut off, but not rewritten. Each chain has a key of its own, derived from a root key; an
//! entry names the root key it was hashed with.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// The action of the entry with which a chain becomes a keyed one.
pub const KEYED: &str = "audit.keyed";
/// The action of the one entry that may be written without the key: a restore where the key is not at hand.
pub const RESTORED: &str = "store.restored";

pub type Secret = [u8; 32];

/// The root keys at hand, by their ids.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AuditKeys {
    /// The one that new entries are hashed with.
    current: Option<String>,
    roots: BTreeMap<String, Secret>,
    /// Keys of which a holder of the present one has said that they are lost.
    lost: BTreeSet<String>,
    /// Whether a key that is neither at hand nor lost is a fault.
    complete: bool,
}

impl fmt::Debug for AuditKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditKeys").field("current", &self.current).finish_non_exhaustive()
    }
}

impl AuditKeys {
    /// New entries are hashed with this key.
    #[must_use]
    pub fn new(id: &str, root: Secret) -> Self {
        let roots = BTreeMap::from([(id.to_owned(), root)]);
        Self { current: Some(id.to_owned()), roots, lost: BTreeSet::new(), complete: true }
    }

    /// A key of earlier entries.
    #[must_use]
    pub fn with(mut self, id: &str, root: Secret) -> Self {
        self.roots.entry(id.to_owned()).or_insert(root);
        self
    }

    /// A key that is lost: what was hashed with it cannot be checked any more.
    #[must_use]
    pub fn without(mut self, id: &str) -> Self {
        self.lost.insert(id.to_owned());
        self
    }

    /// Keys among which the right one may be missing, such as those of another place than the store's.
    #[must_use]
    pub fn partial(self) -> Self {
        Self { complete: false, ..self }
    }

    /// The key that the next entry of a chain is hashed with.
    pub fn current(&self, chain: &str) -> Option<ChainKey> {
        match self.find(self.current.as_deref()?, chain) {
            Found::Key(key) => Some(key),
            _ => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// The key of a chain, by the id its entries name.
    pub fn find(&self, id: &str, chain: &str) -> Found {
        match self.roots.get(id) {
            Some(root) => Found::Key(ChainKey { id: id.to_owned(), key: mac(root, &[chain.as_bytes()]) }),
            None if self.lost.contains(id) => Found::Lost,
            None if self.complete => Found::Unknown,
            None => Found::NotHere,
        }
    }
}

/// What is known of the key an entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Key(ChainKey),
    Lost,
    /// It may be somewhere else.
    NotHere,
    /// It was never one of this store's.
    Unknown,
}

/// The key of one chain.
#[derive(Clone, PartialEq, Eq)]
pub struct ChainKey {
    id: String,
    key: Secret,
}

impl fmt::Debug for ChainKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainKey").field("id", &self.id).finish_non_exhaustive()
    }
}

impl ChainKey {
    /// The id of the root key.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn hash(&self, content: &[u8]) -> Secret {
        mac(
            &self.key,
            &[b"tidewall audit entry 1", &(self.id.len() as u64).to_be_bytes(), self.id.as_bytes(), content],
        )
    }
}

fn mac(key: &Secret, parts: &[&[u8]]) -> Secret {
    // A key of any length is taken, so that there is no other case.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_chain_and_each_root_has_a_key_of_its_own() {
        let keys = AuditKeys::new("a", [1; 32]).with("b", [2; 32]).without("c");
        let hash = |id: &str, chain: &str| match keys.find(id, chain) {
            Found::Key(key) => key.hash(b"x"),
            other => panic!("{other:?}"),
        };
        assert_eq!(hash("a", "t"), keys.current("t").unwrap().hash(b"x"));
        assert_ne!(hash("a", "t"), hash("a", "u"));
        assert_ne!(hash("a", "t"), hash("b", "t"));
        assert_eq!((keys.find("c", "t"), keys.find("d", "t")), (Found::Lost, Found::Unknown));
        assert_eq!(keys.clone().partial().find("d", "t"), Found::NotHere);
        assert_eq!(AuditKeys::default().find("a", "t"), Found::NotHere);
        assert!(!format!("{keys:?}").contains('1'), "keys do not print");
    }
}
