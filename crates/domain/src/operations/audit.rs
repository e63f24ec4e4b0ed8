//! The hash chain of the audit log: each entry's hash covers its content and the hash before it.
//!
//! An edited, deleted or swapped entry breaks the chain; a truncated tail is found by the head that was
//! exported before. Each tenant has its own chain. Hashes are keyed ([`crate::audit_key`]), except those of entries from
//! before there were keys: the first keyed entry says so and fixes them.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::{
    audit_key::{AuditKeys, ChainKey, Found, KEYED, RESTORED},
    moment::Moment,
};

pub type Hash = [u8; 32];

/// The hash "before" the first entry of every chain.
pub const GENESIS: Hash = [0; 32];

/// The content of one entry, without its position in the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub at: Moment,
    pub actor: String,
    /// What was done, as `noun.verb`.
    pub action: String,
    /// The record it was done to.
    pub subject: String,
    /// What changed, as compact JSON without secrets.
    pub detail: String,
}

/// The last link of a chain: enough to prove later that nothing before it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub seq: i64,
    pub hash: Hash,
}

impl Head {
    pub const EMPTY: Self = Self { seq: 0, hash: GENESIS };

    /// The head after `entry` was appended to `chain`.
    #[must_use]
    pub fn append(self, chain: &str, entry: &Entry) -> Self {
        Self { seq: self.seq + 1, hash: Sha256::digest(self.content(chain, entry)).into() }
    }

    /// The same with the key of the chain.
    #[must_use]
    pub fn append_keyed(self, chain: &str, entry: &Entry, key: &ChainKey) -> Self {
        Self { seq: self.seq + 1, hash: key.hash(&self.content(chain, entry)) }
    }

    /// What the next hash is made of.
    fn content(self, chain: &str, entry: &Entry) -> Vec<u8> {
        let fields = [chain, &entry.actor, &entry.action, &entry.subject, &entry.detail];
        let mut content = Vec::with_capacity(48 + fields.iter().map(|field| field.len() + 8).sum::<usize>());
        content.extend(self.hash);
        content.extend((self.seq + 1).to_be_bytes());
        content.extend(entry.at.millis().to_be_bytes());
        // Lengths in front keep two neighbouring fields from being shifted into one another.
        for field in fields {
            content.extend((field.len() as u64).to_be_bytes());
            content.extend(field.as_bytes());
        }
        content
    }
}

/// What a verification found wrong, with the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    #[error("entry {0} is missing or out of order")]
    Gap(i64),
    #[error("entry {0} does not fit the hash before it: it or an earlier entry was changed")]
    Mismatch(i64),
    #[error(
        "the chain ends at entry {found}, but the head names entry {expected}: entries were cut off or added"
    )]
    WrongEnd { expected: i64, found: i64 },
    #[error("the last entry does not fit the head: the chain was rewritten")]
    WrongHead,
    #[error("entry {0} was appended without the key although the chain is keyed")]
    Unkeyed(i64),
    #[error("entry {0} is the first keyed one, but does not say so: entries before it were rewritten")]
    Unannounced(i64),
    #[error("entry {0} names a key that was never one of this store's")]
    UnknownKey(i64),
    #[error("the chain is not keyed although all chains of this store are: it was rewritten")]
    NotKeyed,
}

/// What a verification could not check, in numbers of entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unchecked {
    /// From before the chain was keyed. The first keyed entry fixes them as they were then.
    pub before_keys: i64,
    /// Hashed with a key that is not at hand here.
    pub without_key: i64,
    /// Hashed with a key that is lost.
    pub lost_key: i64,
    /// Restores that were written where the key was not at hand.
    pub restores: i64,
}

impl Unchecked {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            before_keys: self.before_keys + other.before_keys,
            without_key: self.without_key + other.without_key,
            lost_key: self.lost_key + other.lost_key,
            restores: self.restores + other.restores,
        }
    }
}

/// Verifies a chain entry by entry, in bounded memory.
#[derive(Debug)]
pub struct Verifier {
    chain: String,
    head: Head,
    /// Heads exported earlier that the chain has yet to pass through, the nearest last.
    anchors: Vec<Head>,
    keys: Arc<AuditKeys>,
    /// Whether a chain without a keyed entry is a fault.
    must_be_keyed: bool,
    is_keyed: bool,
    /// Whether an entry was checked with its key.
    key_was_here: bool,
    unchecked: Unchecked,
}

impl Verifier {
    pub fn new(chain: impl Into<String>, anchors: impl IntoIterator<Item = Head>) -> Self {
        let mut anchors: Vec<Head> = anchors.into_iter().collect();
        anchors.sort_by_key(|anchor| std::cmp::Reverse(anchor.seq));
        Self {
            chain: chain.into(),
            head: Head::EMPTY,
            anchors,
            keys: Arc::default(),
            must_be_keyed: false,
            is_keyed: false,
            key_was_here: false,
            unchecked: Unchecked::default(),
        }
    }

    #[must_use]
    pub fn with_keys(self, keys: &Arc<AuditKeys>) -> Self {
        Self { keys: Arc::clone(keys), ..self }
    }

    /// The chains of the store are keyed, so this one must be, too.
    #[must_use]
    pub fn must_be_keyed(self, must: bool) -> Self {
        Self { must_be_keyed: must, ..self }
    }

    /// Checks the next entry, with the id of the key that it says it was hashed with.
    pub fn step(&mut self, seq: i64, hash: Hash, key: Option<&str>, entry: &Entry) -> Result<(), ChainFault> {
        if seq != self.head.seq + 1 {
            return Err(ChainFault::Gap(self.head.seq + 1));
        }
        let next = match key {
            None => self.plain(seq, entry)?,
            Some(id) => self.keyed(seq, hash, id, entry)?,
        };
        if next.hash != hash {
            return Err(ChainFault::Mismatch(seq));
        }
        while let Some(anchor) = self.anchors.pop_if(|anchor| anchor.seq <= seq) {
            if anchor.seq == seq && anchor.hash != hash {
                return Err(ChainFault::WrongHead);
            }
        }
        self.head = next;
        Ok(())
    }

    fn plain(&mut self, seq: i64, entry: &Entry) -> Result<Head, ChainFault> {
        match (self.is_keyed, entry.action == RESTORED) {
            (false, _) => self.unchecked.before_keys += 1,
            (true, true) => self.unchecked.restores += 1,
            (true, false) => return Err(ChainFault::Unkeyed(seq)),
        }
        Ok(self.head.append(&self.chain, entry))
    }

    fn keyed(&mut self, seq: i64, hash: Hash, id: &str, entry: &Entry) -> Result<Head, ChainFault> {
        // Otherwise a service that goes on over a rewritten chain would make it look like an old one.
        if !self.is_keyed && seq > 1 && entry.action != KEYED {
            return Err(ChainFault::Unannounced(seq));
        }
        self.is_keyed = true;
        match self.keys.find(id, &self.chain) {
            Found::Key(key) => {
                self.key_was_here = true;
                return Ok(self.head.append_keyed(&self.chain, entry, &key));
            }
            // A key that is lost made nothing any more once another one was in use.
            Found::Lost if self.key_was_here => return Err(ChainFault::UnknownKey(seq)),
            Found::Lost => self.unchecked.lost_key += 1,
            Found::NotHere => self.unchecked.without_key += 1,
            Found::Unknown => return Err(ChainFault::UnknownKey(seq)),
        }
        Ok(Head { seq, hash })
    }

    /// What could not be checked so far.
    pub fn unchecked(&self) -> Unchecked {
        self.unchecked
    }

    /// Whether a keyed entry has come.
    pub fn is_keyed(&self) -> bool {
        self.is_keyed
    }

    /// Compares the end reached with the head the store keeps and those exported earlier.
    pub fn finish(self, stored: Head) -> Result<Head, ChainFault> {
        let wrong_end = |expected| ChainFault::WrongEnd { expected, found: self.head.seq };
        if self.head.seq != stored.seq {
            return Err(wrong_end(stored.seq));
        }
        if self.head.hash != stored.hash {
            return Err(ChainFault::WrongHead);
        }
        // The first is the farthest.
        if let Some(cut) = self.anchors.first().filter(|anchor| anchor.seq > self.head.seq) {
            return Err(wrong_end(cut.seq));
        }
        if self.must_be_keyed && !self.is_keyed && self.head.seq > 0 {
            return Err(ChainFault::NotKeyed);
        }
        Ok(self.head)
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
