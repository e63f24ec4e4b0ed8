//! What a copy of a store holds, read from the copy itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{
    audit::{Entry, Hash, Head, Verifier},
    moment::Moment,
};

use super::super::{Error, PLATFORM, Reader, Result};
use crate::audit;

/// How many entries are held in memory while a chain is walked.
const STEP: u32 = 1000;

/// What was counted and found whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// The schema it has, oldest first.
    pub migrations: Vec<String>,
    /// Rows by table.
    pub rows: BTreeMap<String, u64>,
    /// Where each audit chain ends.
    pub heads: BTreeMap<String, (i64, Hash)>,
    /// When the youngest audit entry was written.
    pub latest: Option<Moment>,
}

impl Contents {
    pub fn count(&self, table: &str) -> u64 {
        self.rows.get(table).copied().unwrap_or(0)
    }

    pub(super) fn platform_head(&self) -> Head {
        self.heads.get(PLATFORM).map_or(Head::EMPTY, |(seq, hash)| Head { seq: *seq, hash: *hash })
    }
}

/// Heads exported earlier, by their chains.
pub type Anchors = BTreeMap<String, Head>;

/// Walks every chain of an open store, and every chain that had a head earlier.
pub(super) fn walk(reader: &mut Reader<'_>, anchors: &Anchors) -> Result<Walked> {
    let mut walked = Walked::default();
    let chains: BTreeSet<String> =
        audit::chains(reader)?.into_iter().chain(anchors.keys().cloned()).collect();
    for chain in chains {
        let mut verifier = Verifier::new(&chain, anchors.get(&chain).copied());
        let mut last = 0;
        loop {
            let batch = audit::after(reader, &chain, last, STEP)?;
            let Some(end) = batch.last() else { break };
            last = end.seq;
            for row in &batch {
                walked.latest = walked.latest.max(Some(row.entry.at));
                verifier.step(row.seq, row.hash, &row.entry).map_err(|fault| broken(&chain, &fault))?;
            }
        }
        let head = audit::head(reader, &chain)?;
        let head = verifier.finish(head).map_err(|fault| broken(&chain, &fault))?;
        walked.heads.insert(chain, (head.seq, head.hash));
    }
    Ok(walked)
}

/// What walking all chains found.
#[derive(Debug, Default)]
pub(super) struct Walked {
    pub(super) heads: BTreeMap<String, (i64, Hash)>,
    pub(super) latest: Option<Moment>,
}

/// Walks chains whose entries come in any order, as rows lie in a dump.
#[derive(Debug, Default)]
pub(super) struct Unsorted {
    strands: HashMap<String, Strand>,
    heads: HashMap<String, Head>,
    latest: Option<Moment>,
}

#[derive(Debug)]
struct Strand {
    verifier: Verifier,
    next: i64,
    /// Entries that came before those they follow.
    early: BTreeMap<i64, (Hash, Entry)>,
}

impl Unsorted {
    pub(super) fn head(&mut self, chain: String, head: Head) {
        self.heads.insert(chain, head);
    }

    pub(super) fn entry(&mut self, chain: &str, seq: i64, hash: Hash, entry: Entry) -> Result<()> {
        let strand = self.strands.entry(chain.to_owned()).or_insert_with(|| Strand {
            verifier: Verifier::new(chain, None),
            next: 1,
            early: BTreeMap::new(),
        });
        self.latest = self.latest.max(Some(entry.at));
        strand.early.insert(seq, (hash, entry));
        while let Some((hash, entry)) = strand.early.remove(&strand.next) {
            strand.verifier.step(strand.next, hash, &entry).map_err(|fault| broken(chain, &fault))?;
            strand.next += 1;
        }
        Ok(())
    }

    /// Every chain must end at its head, with nothing left over.
    pub(super) fn finish(mut self) -> Result<Walked> {
        let mut heads = BTreeMap::new();
        for (chain, head) in self.heads {
            let verifier = match self.strands.remove(&chain) {
                Some(strand) if !strand.early.is_empty() => {
                    return Err(broken(&chain, &format_args!("entry {} is missing", strand.next)));
                }
                Some(strand) => strand.verifier,
                None => Verifier::new(&chain, None),
            };
            let head = verifier.finish(head).map_err(|fault| broken(&chain, &fault))?;
            heads.insert(chain, (head.seq, head.hash));
        }
        match self.strands.into_keys().next() {
            Some(chain) => Err(broken(&chain, &"it has entries but no head")),
            None => Ok(Walked { heads, latest: self.latest }),
        }
    }
}

fn broken(chain: &str, fault: &dyn std::fmt::Display) -> Error {
    Error::corrupt(format_args!("audit chain {chain}: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: i64) -> Entry {
        Entry {
            at: Moment::from_millis(number),
            actor: "system".into(),
            action: "x.y".into(),
            subject: "-".into(),
            detail: "{}".into(),
        }
    }

    fn links(count: i64) -> Vec<(Head, Entry)> {
        let mut head = Head::EMPTY;
        (1..=count)
            .map(|number| {
                head = head.append("c", &entry(number));
                (head, entry(number))
            })
            .collect()
    }

    fn walked(order: &[usize], drop_last: bool) -> Result<Walked> {
        let links = links(4);
        let mut walk = Unsorted::default();
        walk.head("c".into(), links[3].0);
        for place in order.iter().take(order.len() - usize::from(drop_last)) {
            let (head, entry) = &links[*place];
            walk.entry("c", head.seq, head.hash, entry.clone())?;
        }
        walk.finish()
    }

    #[test]
    fn any_order_will_do_but_every_entry_must_be_there() {
        assert_eq!(walked(&[0, 1, 2, 3], false).unwrap().heads["c"].0, 4);
        assert_eq!(walked(&[2, 0, 3, 1], false).unwrap().heads["c"].0, 4);
        assert!(walked(&[0, 1, 2, 3], true).is_err(), "a cut-off end");
        assert!(walked(&[3, 1, 2, 0], true).is_err(), "a missing start");
    }

    #[test]
    fn a_changed_entry_is_found() {
        let links = links(2);
        let mut walk = Unsorted::default();
        walk.entry("c", 1, links[0].0.hash, links[0].1.clone()).unwrap();
        let mut forged = links[1].1.clone();
        forged.actor = "nobody".into();
        assert!(walk.entry("c", 2, links[1].0.hash, forged).is_err());
    }
}
