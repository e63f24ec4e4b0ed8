//! The audit chain up to the end of the day, and what follows from it: the last entry about each record, the links of
//! evidence, the performances of controls and the retests of findings. Rows of links, performances and retests have no
//! earlier versions, but their entries cannot change.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::File,
    io::{BufWriter, Write as _},
    sync::Arc,
};

use bundle::{CHAIN_FILE, ChainEntry, ChainSlice, ChainWriter, Packing, Part, WriteError, Writer};
use domain::{
    audit::{Head, Verifier},
    audit_key::AuditKeys,
    moment::Moment,
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use store::{
    Reader, TenantScope,
    audit::{self as rows, AuditRow},
};

use crate::{Error, Result};

/// How many entries are in memory at a time.
const STEP: u32 = 2000;

/// A performance of a control or a retest of a finding, as it was recorded.
#[derive(Debug)]
pub(super) struct Recorded {
    /// The control or the finding.
    pub(super) record: String,
    /// Counted for each record.
    pub(super) number: i64,
    pub(super) seq: i64,
    pub(super) at: Moment,
    pub(super) actor: String,
    pub(super) detail: Value,
}

#[derive(Debug, Default)]
pub(super) struct Trail {
    /// By a part of the digest of their ids, because there may be a million.
    last: HashMap<[u8; 8], i64>,
    /// The records that evidence is attached to.
    links: BTreeMap<String, BTreeSet<(String, String)>>,
    pub(super) performed: Vec<Recorded>,
    pub(super) retested: Vec<Recorded>,
    counts: HashMap<String, i64>,
}

impl Trail {
    pub(super) fn last(&self, id: &str) -> Option<i64> {
        self.last.get(&short(id)).copied()
    }

    /// The kind and the id of each record that this evidence is attached to.
    pub(super) fn links(&self, evidence: &str) -> impl Iterator<Item = &(String, String)> {
        self.links.get(evidence).into_iter().flatten()
    }

    /// Whether a performance or a retest of this record was recorded.
    pub(super) fn has_recorded(&self, id: &str) -> bool {
        self.counts.contains_key(id)
    }

    fn follow(&mut self, row: &AuditRow) {
        let entry = &row.entry;
        self.last.insert(short(&entry.subject), row.seq);
        match entry.action.as_str() {
            "evidence.linked" => {
                if let Some(link) = link(&entry.detail) {
                    self.links.entry(entry.subject.clone()).or_default().insert(link);
                }
            }
            "evidence.unlinked" => {
                if let (Some(link), Some(links)) = (link(&entry.detail), self.links.get_mut(&entry.subject)) {
                    links.remove(&link);
                }
            }
            "control.performed" => {
                let recorded = self.recorded(row);
                self.performed.push(recorded);
            }
            "finding.retested" => {
                let recorded = self.recorded(row);
                self.retested.push(recorded);
            }
            _ => {}
        }
    }

    fn recorded(&mut self, row: &AuditRow) -> Recorded {
        let number = self.counts.entry(row.entry.subject.clone()).or_default();
        *number += 1;
        Recorded {
            record: row.entry.subject.clone(),
            number: *number,
            seq: row.seq,
            at: row.entry.at,
            actor: row.entry.actor.clone(),
            detail: serde_json::from_str(&row.entry.detail).unwrap_or_default(),
        }
    }
}

fn link(detail: &str) -> Option<(String, String)> {
    let detail: Value = serde_json::from_str(detail).ok()?;
    Some((detail["type"].as_str()?.to_owned(), detail["id"].as_str()?.to_owned()))
}

fn short(id: &str) -> [u8; 8] {
    let digest = Sha256::digest(id);
    std::array::from_fn(|place| digest[place])
}

/// Writes the entries from the first day to the end of the last, and checks all from the first of the chain on with the
/// keys of the service, which an auditor does not have. A broken chain makes no bundle.
pub(super) fn write(
    reader: &mut Reader<'_>,
    writer: &mut Writer<File>,
    scope: &TenantScope,
    keys: &Arc<AuditKeys>,
    (since, until): (Option<Moment>, Moment),
) -> Result<(Trail, ChainSlice)> {
    writer.file(CHAIN_FILE, Packing::Deflated, |part| {
        let name = scope.tenant().to_string();
        let mut walk = Walk {
            verifier: Verifier::new(name.clone(), None).with_keys(keys),
            out: BufWriter::new(part),
            chain: None,
            before: Head::EMPTY,
            since,
            trail: Trail::default(),
            name,
        };
        'walk: loop {
            let batch = rows::after(reader, &walk.name, walk.before.seq, STEP).map_err(Error::from)?;
            if batch.is_empty() {
                break;
            }
            for row in &batch {
                if row.entry.at > until {
                    break 'walk;
                }
                walk.step(row)?;
            }
        }
        walk.finish()
    })
}

struct Walk<'p, 'z> {
    name: String,
    verifier: Verifier,
    out: BufWriter<&'p mut Part<'z, File>>,
    /// There from the first entry of the slice on.
    chain: Option<ChainWriter>,
    before: Head,
    since: Option<Moment>,
    trail: Trail,
}

impl Walk<'_, '_> {
    fn step(&mut self, row: &AuditRow) -> Result<()> {
        let AuditRow { seq, hash, key, entry } = row;
        self.verifier.step(*seq, *hash, key.as_deref(), entry).map_err(Error::internal)?;
        self.trail.follow(row);
        if self.chain.is_none() && self.since.is_none_or(|since| entry.at >= since) {
            self.chain = Some(ChainWriter::new(&self.name, self.before.seq, self.before.hash));
        }
        if let Some(chain) = &mut self.chain {
            let line = ChainEntry {
                seq: *seq,
                at: entry.at.millis(),
                actor: entry.actor.clone(),
                action: entry.action.clone(),
                subject: entry.subject.clone(),
                detail: entry.detail.clone(),
                key: key.clone(),
                hash: store::sql::hex(hash),
            };
            chain.entry(&mut self.out, &line).map_err(WriteError::from)?;
        }
        self.before = Head { seq: *seq, hash: *hash };
        Ok(())
    }

    fn finish(mut self) -> Result<(Trail, ChainSlice)> {
        self.out.flush().map_err(WriteError::from)?;
        let empty = || ChainWriter::new(&self.name, self.before.seq, self.before.hash);
        let chain = self.chain.take().unwrap_or_else(empty);
        Ok((self.trail, chain.finish()))
    }
}
