//! The hash chain of the audit log: each entry's hash covers its content and the hash before it.
//!
//! An edited, deleted or swapped entry breaks the chain; a truncated tail is found by the head that was
//! exported before. Each tenant has its own chain.

use sha2::{Digest as _, Sha256};

use crate::moment::Moment;

pub type Hash = [u8; 32];

/// The hash "before" the first entry of every chain.
pub const GENESIS: Hash = [0; 32];

/// What one entry says, without its place in the chain.
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
        let seq = self.seq + 1;
        let mut hasher = Sha256::new();
        hasher.update(self.hash);
        hasher.update(seq.to_be_bytes());
        hasher.update(entry.at.millis().to_be_bytes());
        // Lengths in front keep two neighbouring fields from being shifted into one another.
        for field in [chain, &entry.actor, &entry.action, &entry.subject, &entry.detail] {
            hasher.update((field.len() as u64).to_be_bytes());
            hasher.update(field.as_bytes());
        }
        Self { seq, hash: hasher.finalize().into() }
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
}

/// Walks a chain entry by entry, in bounded memory.
#[derive(Debug)]
pub struct Verifier {
    chain: String,
    head: Head,
    /// A head exported earlier that the chain must pass through.
    anchor: Option<Head>,
}

impl Verifier {
    pub fn new(chain: impl Into<String>, anchor: Option<Head>) -> Self {
        Self { chain: chain.into(), head: Head::EMPTY, anchor }
    }

    pub fn step(&mut self, seq: i64, hash: Hash, entry: &Entry) -> Result<(), ChainFault> {
        if seq != self.head.seq + 1 {
            return Err(ChainFault::Gap(self.head.seq + 1));
        }
        let next = self.head.append(&self.chain, entry);
        if next.hash != hash {
            return Err(ChainFault::Mismatch(seq));
        }
        if self.anchor.is_some_and(|anchor| anchor.seq == seq && anchor.hash != hash) {
            return Err(ChainFault::WrongHead);
        }
        self.head = next;
        Ok(())
    }

    /// Compares the end reached with the head the store keeps and the one exported earlier.
    pub fn finish(self, stored: Head) -> Result<Head, ChainFault> {
        let wrong_end = |expected| ChainFault::WrongEnd { expected, found: self.head.seq };
        if self.head.seq != stored.seq {
            return Err(wrong_end(stored.seq));
        }
        if self.head.hash != stored.hash {
            return Err(ChainFault::WrongHead);
        }
        match self.anchor {
            Some(anchor) if anchor.seq > self.head.seq => Err(wrong_end(anchor.seq)),
            _ => Ok(self.head),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(n: i64) -> Entry {
        Entry {
            at: Moment::from_millis(n),
            actor: "operator".into(),
            action: "webhook.created".into(),
            subject: format!("whk_{n}"),
            detail: "{}".into(),
        }
    }

    fn chain(length: i64) -> (Vec<(i64, Hash, Entry)>, Head) {
        let mut head = Head::EMPTY;
        let entries = (1..=length)
            .map(|n| {
                head = head.append("t", &entry(n));
                (n, head.hash, entry(n))
            })
            .collect();
        (entries, head)
    }

    fn verify(
        entries: &[(i64, Hash, Entry)],
        stored: Head,
        anchor: Option<Head>,
    ) -> Result<Head, ChainFault> {
        let mut verifier = Verifier::new("t", anchor);
        for (seq, hash, entry) in entries {
            verifier.step(*seq, *hash, entry)?;
        }
        verifier.finish(stored)
    }

    #[test]
    fn an_untouched_chain_verifies() {
        let (entries, head) = chain(5);
        assert_eq!(verify(&entries, head, Some(head)), Ok(head));
        assert_eq!(verify(&[], Head::EMPTY, None), Ok(Head::EMPTY));
    }

    #[test]
    fn every_kind_of_tampering_is_found() {
        let (entries, head) = chain(6);
        let mut edited = entries.clone();
        edited[2].2.detail = "{\"x\":1}".into();
        assert_eq!(verify(&edited, head, None), Err(ChainFault::Mismatch(3)));
        let mut deleted = entries.clone();
        deleted.remove(3);
        assert_eq!(verify(&deleted, head, None), Err(ChainFault::Gap(4)));
        let mut swapped = entries.clone();
        swapped.swap(1, 2);
        assert_eq!(verify(&swapped, head, None), Err(ChainFault::Gap(2)));
        let (short, short_head) = chain(4);
        // The tail is cut and the stored head forged: only the exported head tells.
        assert_eq!(verify(&short, short_head, None), Ok(short_head));
        assert_eq!(
            verify(&short, short_head, Some(head)),
            Err(ChainFault::WrongEnd { expected: 6, found: 4 })
        );
    }
}
