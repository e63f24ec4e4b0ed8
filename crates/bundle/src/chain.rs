//! The slice of the audit chain, one entry on each line.
//!
//! The hashes of the service are keyed, and the key never leaves it, so an auditor cannot recompute them. Each line
//! therefore has a link besides: the SHA-256 of the link before it, of the content that the keyed hash is made of
//! (which begins with the hash before it), and of the hash. Hashes from before there were keys are recomputed.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{ChainSlice, Fault, hex};

pub(crate) type Hash = [u8; 32];

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEntry {
    pub seq: i64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub actor: String,
    pub action: String,
    pub subject: String,
    pub detail: String,
    /// The key of the service it was hashed with; nothing for a plain hash.
    pub key: Option<String>,
    pub hash: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    entry: ChainEntry,
    link: String,
}

/// Where a walk along the chain is.
#[derive(Debug)]
struct Walk {
    name: String,
    seq: i64,
    hash: Hash,
    link: Hash,
}

impl Walk {
    fn new(name: &str, before: i64, hash: Hash) -> Self {
        Self { name: name.to_owned(), seq: before, hash, link: [0; 32] }
    }

    fn content(&self, entry: &ChainEntry) -> Vec<u8> {
        let fields = [&self.name, &entry.actor, &entry.action, &entry.subject, &entry.detail];
        let mut content = Vec::with_capacity(48 + fields.iter().map(|field| field.len() + 8).sum::<usize>());
        content.extend(self.hash);
        content.extend(entry.seq.to_be_bytes());
        content.extend(entry.at.to_be_bytes());
        for field in fields {
            content.extend((field.len() as u64).to_be_bytes());
            content.extend(field.as_bytes());
        }
        content
    }

    fn step(&mut self, content: &[u8], seq: i64, hash: Hash) {
        let link = Sha256::new().chain_update(self.link).chain_update(content).chain_update(hash).finalize();
        (self.seq, self.hash, self.link) = (seq, hash, link.into());
    }
}

/// Writes the entries and works out their links.
#[derive(Debug)]
pub struct ChainWriter {
    walk: Walk,
    first: i64,
    before: Hash,
}

impl ChainWriter {
    /// Begins after an entry, with its number and hash: 0 and zeros for the whole chain.
    pub fn new(name: &str, before: i64, hash: Hash) -> Self {
        Self { walk: Walk::new(name, before, hash), first: before + 1, before: hash }
    }

    /// Writes the next entry.
    pub fn entry(&mut self, out: &mut impl Write, entry: &ChainEntry) -> io::Result<()> {
        let hash = hex::decode(&entry.hash).ok_or(io::ErrorKind::InvalidData)?;
        let content = self.walk.content(entry);
        self.walk.step(&content, entry.seq, hash);
        let line = Line { entry: entry.clone(), link: hex::encode(&self.walk.link) };
        serde_json::to_writer(&mut *out, &line)?;
        out.write_all(b"\n")
    }

    pub fn finish(self) -> ChainSlice {
        let Walk { name, seq, hash, link } = self.walk;
        let (before, head, link) = (hex::encode(&self.before), hex::encode(&hash), hex::encode(&link));
        ChainSlice { name, first: self.first, before, last: seq, head, link }
    }
}

/// The entries of a verified slice: of each the digest of what it is about.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    first: i64,
    subjects: Vec<[u8; 8]>,
    pub(crate) keyed: u64,
}

/// What a record rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rests {
    InSlice,
    BeforeSlice,
    Nowhere,
}

impl Entries {
    pub(crate) fn count(&self) -> u64 {
        self.subjects.len() as u64
    }

    /// Whether an entry is about a record.
    pub(crate) fn find(&self, seq: i64, id: &str) -> Rests {
        let Some(place) = seq.checked_sub(self.first).and_then(|place| usize::try_from(place).ok()) else {
            return if seq > 0 { Rests::BeforeSlice } else { Rests::Nowhere };
        };
        let fits = self.subjects.get(place).is_some_and(|subject| *subject == short(id));
        if fits { Rests::InSlice } else { Rests::Nowhere }
    }
}

/// Enough to tell records apart without holding the ids of a million of them.
fn short(id: &str) -> [u8; 8] {
    let digest = Sha256::digest(id);
    std::array::from_fn(|place| digest[place])
}

/// Walks the slice from the hash before it to its head.
pub(crate) fn check(lines: impl BufRead, slice: &ChainSlice) -> Result<Entries, Fault> {
    let before = hex::decode(&slice.before).ok_or(Fault::ChainHead)?;
    let mut walk = Walk::new(&slice.name, slice.first.saturating_sub(1), before);
    let mut entries = Entries { first: slice.first, ..Entries::default() };
    for (number, line) in (1..).zip(lines.lines()) {
        let unreadable = || Fault::ChainUnreadable(number);
        let text = line.map_err(|_| unreadable())?;
        let Line { entry, link } = serde_json::from_str(&text).map_err(|_| unreadable())?;
        let seq = walk.seq.saturating_add(1);
        if entry.seq != seq {
            return Err(Fault::ChainOrder(seq));
        }
        let hash: Hash = hex::decode(&entry.hash).ok_or_else(unreadable)?;
        let content = walk.content(&entry);
        if entry.key.is_none() && Hash::from(Sha256::digest(&content)) != hash {
            return Err(Fault::ChainHash(seq));
        }
        walk.step(&content, seq, hash);
        if hex::encode(&walk.link) != link {
            return Err(Fault::ChainLink(seq));
        }
        entries.keyed += u64::from(entry.key.is_some());
        entries.subjects.push(short(&entry.subject));
    }
    let ends = walk.seq == slice.last && hex::encode(&walk.hash) == slice.head;
    if ends && hex::encode(&walk.link) == slice.link { Ok(entries) } else { Err(Fault::ChainHead) }
}
