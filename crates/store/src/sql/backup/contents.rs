//! The contents of a backup, read from the backup itself.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use domain::{
    audit::{Hash, Head, Unchecked, Verifier},
    audit_key::AuditKeys,
    moment::Moment,
};

use super::super::{Error, PLATFORM, Reader, Result};
use crate::{
    audit::{self, AuditRow},
    audit_key::{self, SealedKey},
    evidence_file::{self, BucketFile},
};

/// How many entries are held in memory while a chain is verified.
const STEP: u32 = 1000;

/// The counted and verified contents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    /// The migrations it has, oldest first.
    pub migrations: Vec<String>,
    /// Rows by table.
    pub rows: BTreeMap<String, u64>,
    /// Where each audit chain ends.
    pub heads: BTreeMap<String, (i64, Hash)>,
    /// When the youngest audit entry was written.
    pub latest: Option<Moment>,
    /// What of the audit chains could not be checked.
    pub unchecked: Unchecked,
    /// Files whose bytes are in a bucket and therefore not in the backup.
    pub in_bucket: Vec<BucketFile>,
    /// Whether the platform's chain is keyed.
    pub(super) is_keyed: bool,
}

impl Contents {
    pub(super) fn take(&mut self, checked: CheckedChains) {
        self.is_keyed |= checked.is_keyed;
        (self.heads, self.latest, self.unchecked) = (checked.heads, checked.latest, checked.unchecked);
    }

    pub fn count(&self, table: &str) -> u64 {
        self.rows.get(table).copied().unwrap_or(0)
    }

    pub(super) fn platform_head(&self) -> Head {
        self.heads.get(PLATFORM).map_or(Head::EMPTY, |(seq, hash)| Head { seq: *seq, hash: *hash })
    }
}

/// Heads exported earlier, by their chains.
pub type Anchors = BTreeMap<String, Vec<Head>>;

/// The keys of the audit chains, from those that the vault holds and those that lie sealed in the store.
pub type KeyFinder<'k> = dyn Fn(&[SealedKey]) -> AuditKeys + 'k;

/// From this migration on a store has keyed chains.
const KEYS_SINCE: &str = "0235_audit_keys";

/// Whether a store with this schema has room for keys.
pub(super) fn has_keys(migrations: &[String]) -> bool {
    migrations.iter().any(|name| name == KEYS_SINCE)
}

/// From this migration on a store has evidence.
const EVIDENCE_SINCE: &str = "0191_evidence";

/// Every file of an open store whose bytes are in a bucket. `migrations` are those of the store.
pub(super) fn in_bucket(reader: &mut Reader<'_>, migrations: &[String]) -> Result<Vec<BucketFile>> {
    let mut all = Vec::new();
    let mut place = migrations.iter().any(|name| name == EVIDENCE_SINCE).then(Default::default);
    while let Some(after) = place {
        let (files, next) = evidence_file::in_bucket_after(reader, &after, STEP)?;
        all.extend(files);
        place = next;
    }
    Ok(all)
}

/// Walks every chain of an open store, and every chain that had a head earlier. `migrations` are those of the store.
pub(super) fn check_chains(
    reader: &mut Reader<'_>,
    migrations: &[String],
    anchors: &Anchors,
    find_keys: &KeyFinder<'_>,
) -> Result<CheckedChains> {
    let mut checked = CheckedChains::default();
    let has_keys = has_keys(migrations);
    let keys = Arc::new(if has_keys { find_keys(&audit_key::kept(reader)?) } else { AuditKeys::default() });
    let must_be_keyed = has_keys && audit_key::is_begun(reader)?;
    let chains: BTreeSet<String> =
        audit::chains(reader)?.into_iter().chain(anchors.keys().cloned()).collect();
    for chain in chains {
        let anchors = anchors.get(&chain).cloned().unwrap_or_default();
        let mut verifier = Verifier::new(&chain, anchors).with_keys(&keys).must_be_keyed(must_be_keyed);
        let mut last = 0;
        loop {
            let after = if has_keys { audit::after } else { audit::after_plain };
            let batch = after(reader, &chain, last, STEP)?;
            let Some(end) = batch.last() else { break };
            last = end.seq;
            for AuditRow { seq, hash, key, entry } in &batch {
                checked.latest = checked.latest.max(Some(entry.at));
                let step = verifier.step(*seq, *hash, key.as_deref(), entry);
                step.map_err(|fault| broken(&chain, &fault))?;
            }
        }
        checked.unchecked = checked.unchecked.and(verifier.unchecked());
        let head = audit::head(reader, &chain)?;
        let head = verifier.finish(head).map_err(|fault| broken(&chain, &fault))?;
        checked.heads.insert(chain, (head.seq, head.hash));
    }
    checked.is_keyed = must_be_keyed;
    Ok(checked)
}

/// The result of verifying all chains.
#[derive(Debug, Default)]
pub(super) struct CheckedChains {
    pub(super) heads: BTreeMap<String, (i64, Hash)>,
    pub(super) latest: Option<Moment>,
    pub(super) unchecked: Unchecked,
    pub(super) is_keyed: bool,
}

/// Verifies chains whose entries come in any order, as in a dump.
#[derive(Debug, Default)]
pub(super) struct Unsorted {
    strands: HashMap<String, Strand>,
    heads: HashMap<String, Head>,
    latest: Option<Moment>,
    /// Known once the first entry comes: a dump has the table of keys before that of entries.
    keys: Option<Arc<AuditKeys>>,
}

#[derive(Debug)]
struct Strand {
    verifier: Verifier,
    next: i64,
    /// Entries that came before those they follow.
    early: BTreeMap<i64, AuditRow>,
}

impl Unsorted {
    pub(super) fn head(&mut self, chain: String, head: Head) {
        self.heads.insert(chain, head);
    }

    /// The keys to go on with; `find` is asked once.
    pub(super) fn know_keys(&mut self, find: impl FnOnce() -> AuditKeys) {
        self.keys.get_or_insert_with(|| Arc::new(find()));
    }

    pub(super) fn entry(&mut self, chain: &str, row: AuditRow) -> Result<()> {
        let keys = self.keys.clone().unwrap_or_default();
        let strand = self.strands.entry(chain.to_owned()).or_insert_with(|| Strand {
            verifier: Verifier::new(chain, None).with_keys(&keys),
            next: 1,
            early: BTreeMap::new(),
        });
        self.latest = self.latest.max(Some(row.entry.at));
        strand.early.insert(row.seq, row);
        while let Some(AuditRow { hash, key, entry, .. }) = strand.early.remove(&strand.next) {
            let step = strand.verifier.step(strand.next, hash, key.as_deref(), &entry);
            step.map_err(|fault| broken(chain, &fault))?;
            strand.next += 1;
        }
        Ok(())
    }

    /// Every chain must end at its head, with nothing left over.
    pub(super) fn finish(mut self) -> Result<CheckedChains> {
        let platform = self.strands.get(PLATFORM);
        let is_keyed = platform.is_some_and(|strand| strand.verifier.is_keyed());
        let mut checked = CheckedChains { latest: self.latest, is_keyed, ..CheckedChains::default() };
        for (chain, head) in self.heads {
            let verifier = match self.strands.remove(&chain) {
                Some(strand) if !strand.early.is_empty() => {
                    return Err(broken(&chain, &format_args!("entry {} is missing", strand.next)));
                }
                Some(strand) => strand.verifier,
                None => Verifier::new(&chain, None),
            };
            checked.unchecked = checked.unchecked.and(verifier.unchecked());
            let head = verifier.must_be_keyed(is_keyed).finish(head);
            let head = head.map_err(|fault| broken(&chain, &fault))?;
            checked.heads.insert(chain, (head.seq, head.hash));
        }
        match self.strands.into_keys().next() {
            Some(chain) => Err(broken(&chain, &"it has entries but no head")),
            None => Ok(checked),
        }
    }
}

fn broken(chain: &str, fault: &dyn std::fmt::Display) -> Error {
    Error::corrupt(format_args!("audit chain {chain}: {fault}"))
}

#[cfg(test)]
mod tests {
    use domain::audit::Entry;

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

    fn row(head: Head, entry: &Entry) -> AuditRow {
        AuditRow { seq: head.seq, hash: head.hash, key: None, entry: entry.clone() }
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

    fn checked(order: &[usize], drop_last: bool) -> Result<CheckedChains> {
        let links = links(4);
        let mut rows = Unsorted::default();
        rows.head("c".into(), links[3].0);
        for place in order.iter().take(order.len() - usize::from(drop_last)) {
            let (head, entry) = &links[*place];
            rows.entry("c", row(*head, entry))?;
        }
        rows.finish()
    }

    #[test]
    fn any_order_will_do_but_every_entry_must_be_there() {
        assert_eq!(checked(&[0, 1, 2, 3], false).unwrap().heads["c"].0, 4);
        assert_eq!(checked(&[2, 0, 3, 1], false).unwrap().heads["c"].0, 4);
        assert!(checked(&[0, 1, 2, 3], true).is_err(), "a cut-off end");
        assert!(checked(&[3, 1, 2, 0], true).is_err(), "a missing start");
    }

    #[test]
    fn a_changed_entry_is_found() {
        let links = links(2);
        let mut rows = Unsorted::default();
        rows.entry("c", row(links[0].0, &links[0].1)).unwrap();
        let mut forged = links[1].1.clone();
        forged.actor = "nobody".into();
        assert!(rows.entry("c", row(links[1].0, &forged)).is_err());
    }
}
