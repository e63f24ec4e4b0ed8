//! An attacker with access to the database changes the audit log: every change is found with the head exported
//! before.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use domain::audit::{Head, Verifier};
use serde_json::json;
use store::{audit::AuditRow, sql::hex};
use testkit::{Engine, Intruder, TestApp};

use super::rounds;

const ENTRIES: i64 = 40;

/// The change of the log.
#[derive(Debug, Clone, Copy)]
enum Tampering {
    Edit(&'static str),
    Delete,
    /// A deleted entry, and the rest renumbered so that no number is missing.
    DeleteAndCloseUp,
    Swap,
    Truncate,
    /// Truncated, and the stored head adjusted.
    TruncateWithHead,
    /// One entry edited, and everything after it calculated anew without the key, the stored head too.
    Rewrite,
    /// The same, with the names of the keys left as they were.
    RewriteUnderKey,
    Append,
}

const WAYS: &[Tampering] = &[
    Tampering::Edit("at"),
    Tampering::Edit("actor"),
    Tampering::Edit("action"),
    Tampering::Edit("subject"),
    Tampering::Edit("detail"),
    Tampering::Edit("hash"),
    Tampering::Edit("key_id"),
    Tampering::Delete,
    Tampering::DeleteAndCloseUp,
    Tampering::Swap,
    Tampering::Truncate,
    Tampering::TruncateWithHead,
    Tampering::Rewrite,
    Tampering::RewriteUnderKey,
    Tampering::Append,
];

struct Log {
    app: TestApp,
    chain: String,
    /// Kept where the attacker cannot reach it.
    head: Head,
    entries: Vec<AuditRow>,
    intruder: Intruder,
}

impl Log {
    async fn new() -> Self {
        let app = TestApp::on(Engine::Sqlite).await;
        let tenant = app.tenant("north").await;
        let client = app.client(&app.key(&tenant, "read,write").await);
        let chain = tenant.caller.tenant().to_string();
        while app.app.operations.audit_head(&chain).await.unwrap().seq < ENTRIES {
            client.post("/api/v1/findings", &json!({ "title": "F", "severity": "low" })).await.expect(201);
        }
        let head = app.app.operations.audit_head(&chain).await.unwrap();
        let entries = app.app.operations.audit_after(&chain, 0).await.unwrap();
        let mut intruder = Intruder::at(&app.scratch.location);
        intruder.run(
            "PRAGMA synchronous = off;
             CREATE TABLE kept AS SELECT * FROM audit_entries; CREATE TABLE kept_chains AS SELECT * FROM chains",
        );
        Self { app, chain, head, entries, intruder }
    }

    fn tamper(&mut self, way: Tampering, at: i64, other: i64) {
        let chain = format!("chain = '{}'", self.chain);
        match way {
            Tampering::Edit("at") => {
                self.run(&format!("UPDATE audit_entries SET at = at + 1 WHERE {chain} AND seq = {at}"));
            }
            Tampering::Edit("hash") => {
                let hash = hex(&self.entries[index(other)].hash);
                self.run(&format!("UPDATE audit_entries SET hash = '{hash}' WHERE {chain} AND seq = {at}"));
            }
            Tampering::Edit(column) => self.run(&format!(
                "UPDATE audit_entries SET {column} = {column} || ' ' WHERE {chain} AND seq = {at}"
            )),
            Tampering::Delete => self.run(&format!("DELETE FROM audit_entries WHERE {chain} AND seq = {at}")),
            Tampering::DeleteAndCloseUp => {
                self.run(&format!("DELETE FROM audit_entries WHERE {chain} AND seq = {at}"));
                self.run(&format!("UPDATE audit_entries SET seq = -seq WHERE {chain} AND seq > {at}"));
                self.run(&format!("UPDATE audit_entries SET seq = -seq - 1 WHERE {chain} AND seq < 0"));
            }
            Tampering::Swap => {
                for (from, to) in [(at, -1), (other, at), (-1, other)] {
                    self.run(&format!("UPDATE audit_entries SET seq = {to} WHERE {chain} AND seq = {from}"));
                }
            }
            Tampering::Truncate => {
                self.run(&format!("DELETE FROM audit_entries WHERE {chain} AND seq >= {at}"));
            }
            Tampering::TruncateWithHead => {
                self.run(&format!("DELETE FROM audit_entries WHERE {chain} AND seq >= {at}"));
                let hash = if at == 1 { Head::EMPTY.hash } else { self.entries[index(at - 1)].hash };
                self.pretend(Head { seq: at - 1, hash });
            }
            Tampering::Rewrite => self.rewrite(at, "NULL"),
            Tampering::RewriteUnderKey => self.rewrite(at, "key_id"),
            Tampering::Append => {
                let last = self.entries.last().unwrap();
                let head = self.head.append(&self.chain, &last.entry);
                self.run(&format!(
                    "INSERT INTO audit_entries SELECT chain, {}, at, actor, action, subject, detail, '{}', key_id
                     FROM audit_entries WHERE {chain} AND seq = {}",
                    head.seq,
                    hex(&head.hash),
                    last.seq
                ));
            }
        }
    }

    fn rewrite(&mut self, at: i64, key: &str) {
        let mut head =
            if at == 1 { Head::EMPTY } else { Head { seq: at - 1, hash: self.entries[index(at - 1)].hash } };
        for number in index(at)..self.entries.len() {
            let AuditRow { seq, mut entry, .. } = self.entries[number].clone();
            if seq == at {
                "somebody else".clone_into(&mut entry.actor);
            }
            head = head.append(&self.chain, &entry);
            self.run(&format!(
                "UPDATE audit_entries SET actor = '{}', hash = '{}', key_id = {key} WHERE chain = '{}' AND seq = {}",
                entry.actor,
                hex(&head.hash),
                self.chain,
                seq
            ));
        }
        self.pretend(head);
    }

    /// Sets another head in the store.
    fn pretend(&mut self, head: Head) {
        self.run(&format!(
            "UPDATE chains SET audit_seq = {}, audit_hash = '{}' WHERE name = '{}'",
            head.seq,
            hex(&head.hash),
            self.chain
        ));
    }

    fn run(&mut self, statement: &str) {
        self.intruder.run(statement);
    }

    fn put_back(&mut self) {
        self.run(
            "BEGIN; DELETE FROM audit_entries; INSERT INTO audit_entries SELECT * FROM kept;
             UPDATE chains SET (audit_seq, audit_hash) =
                 (SELECT audit_seq, audit_hash FROM kept_chains WHERE kept_chains.name = chains.name);
             COMMIT",
        );
    }

    async fn is_whole(&self) -> bool {
        self.app.app.operations.verify_audit(&self.chain, Some(self.head)).await.unwrap().outcome.is_ok()
    }
}

fn index(seq: i64) -> usize {
    usize::try_from(seq - 1).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tampering_is_found_with_the_exported_head() {
    let mut log = Log::new().await;
    assert!(log.is_whole().await);
    let tamperings = rounds(500, 10_000);
    let last = log.head.seq;
    for number in 0..tamperings {
        let way = WAYS[number % WAYS.len()];
        // Every position is used, with every partner.
        let turn = i64::try_from(number / WAYS.len()).unwrap();
        let at = turn % last + 1;
        let other = (at + turn / last) % last + 1;
        let other = if other == at { other % last + 1 } else { other };
        log.tamper(way, at, other);
        assert!(!log.is_whole().await, "{way:?} of entry {at} ({other}) is not found");
        log.put_back();
        if number % 97 == 0 {
            assert!(log.is_whole().await, "put back after {way:?}");
        }
    }
    println!("{tamperings} tamperings of {} kinds, all found", WAYS.len());
}

/// Without the exported head a log that was cut off fits together: that is what it is for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_exported_head_tells_a_log_that_was_cut_off_from_one_that_never_was() {
    let mut log = Log::new().await;
    log.tamper(Tampering::TruncateWithHead, 20, 21);
    let without = log.app.app.operations.verify_audit(&log.chain, None).await.unwrap();
    assert!(without.outcome.is_ok() && !without.anchored, "{without:?}");
    assert!(!log.is_whole().await);
    log.put_back();
    let keys = Arc::new(log.app.app.vault.audit_keys(&[]));
    let mut verifier = Verifier::new(&log.chain, Some(log.head)).with_keys(&keys);
    let mut step = |row: &AuditRow| verifier.step(row.seq, row.hash, row.key.as_deref(), &row.entry);
    assert!(log.entries.iter().all(|row| step(row).is_ok()));
}

/// Who can write to the database but has not the vault key cannot rewrite the log, head or no head.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rewritten_log_is_found_by_its_key_alone() {
    let mut log = Log::new().await;
    for way in [Tampering::Rewrite, Tampering::RewriteUnderKey] {
        for at in [1, 2, 20, log.head.seq] {
            log.tamper(way, at, 1);
            let without = log.app.app.operations.verify_audit(&log.chain, None).await.unwrap();
            assert!(without.outcome.is_err(), "{way:?} from {at}: {without:?}");
            log.put_back();
        }
    }
    assert!(log.is_whole().await);
}

/// The service keeps writing to a truncated log: no verification, at whatever moment, reports it as intact.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_log_that_was_cut_off_is_found_while_the_service_writes() {
    let mut log = Log::new().await;
    log.tamper(Tampering::TruncateWithHead, 20, 21);
    let tenant = log.app.app.people.tenant_by_slug("north".parse().unwrap()).await.unwrap();
    let caller = app::authz::Caller::operator(&tenant);
    let tenant = testkit::TestTenant { caller, slug: "north".to_owned() };
    let key = log.app.key(&tenant, "read,write").await;
    let done = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let (client, done) = (log.app.client(&key), Arc::clone(&done));
            tokio::spawn(async move {
                let mut written = 0;
                while written == 0 || !done.load(Ordering::Relaxed) {
                    let body = json!({ "title": "F", "severity": "low" });
                    client.post("/api/v1/findings", &body).await.expect(201);
                    written += 1;
                }
            })
        })
        .collect();
    for look in 0..rounds(150, 2_000) {
        let report = log.app.app.operations.verify_audit(&log.chain, Some(log.head)).await.unwrap();
        assert!(report.outcome.is_err(), "look {look}: {report:?}");
        // A consistent log is reported with the head it was verified to, never with another.
        let without = log.app.app.operations.verify_audit(&log.chain, None).await.unwrap();
        assert_eq!(without.outcome.map(|head| head.seq), Ok(without.entries), "look {look}");
    }
    done.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
}
