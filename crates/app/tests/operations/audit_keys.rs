//! Audit chains are keyed: rewritten without the key they are found, on a new store and on one of an earlier version,
//! before and after the vault key is rotated.

use std::fmt::Write as _;

use app::{
    App,
    api_key::{KeyRequest, NewKey},
    audit::{AuditRow, ChainReport},
    audit_key::Beginner,
    authz::Caller,
    vault::Vault,
};
use domain::{
    audit::{ChainFault, Head, Unchecked},
    permission::Permissions,
    text::Name,
};
use store::sql::{Location, hex};
use test_case::test_case;
use testkit::{Engine, Intruder, TestApp, TestOptions};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn with_vault(test: &TestApp, vault: Vault) -> TestOptions {
    TestOptions { vault, clock: Some(test.clock.clone()), ..TestOptions::default() }
}

/// A store with a tenant whose chain has entries, written with this vault.
pub(crate) async fn written(engine: Engine, options: TestOptions) -> (TestApp, Caller) {
    let test = TestApp::with(engine, options).await;
    let tenant = test.tenant("north").await;
    for _ in 0..5 {
        write_one(&test.app, &tenant.caller).await.unwrap();
    }
    (test, tenant.caller)
}

pub(crate) async fn write_one(app: &App, caller: &Caller) -> app::Result<()> {
    let request = KeyRequest::new(Name::parse("one").unwrap(), Permissions::READ_ONLY);
    let id = |new: &NewKey| new.record.id.to_string();
    app.people.create_key(caller, request, None, Box::new(id)).await.map(|_| ())
}

/// A connection that sees the rows of every tenant, as the owner of the database does.
pub(crate) fn intruder(test: &TestApp) -> Intruder {
    let mut intruder = Intruder::at(&test.scratch.location);
    if matches!(test.scratch.location, Location::Server { .. }) {
        intruder.run("SELECT set_config('tidewall.tenant', '*', false)");
    }
    intruder
}

/// Calculates a chain anew with plain hashes from one entry on, the stored head too.
async fn rewrite(test: &TestApp, chain: &str, from: i64, keeps_key_ids: bool) {
    let entries = test.app.operations.audit_after(chain, 0).await.unwrap();
    let mut head = Head::EMPTY;
    let mut statements = String::new();
    for AuditRow { seq, hash, mut entry, .. } in entries {
        if seq < from {
            head = Head { seq, hash };
            continue;
        }
        if seq == from {
            "someone else".clone_into(&mut entry.actor);
        }
        head = head.append(chain, &entry);
        let key = if keeps_key_ids { "key_id" } else { "NULL" };
        write!(
            statements,
            "UPDATE audit_entries SET actor = '{}', hash = '{}', key_id = {key}
             WHERE chain = '{chain}' AND seq = {seq};",
            entry.actor,
            hex(&head.hash)
        )
        .unwrap();
    }
    let key = if keeps_key_ids || from > 1 { "audit_key" } else { "NULL" };
    write!(
        statements,
        "UPDATE chains SET audit_hash = '{}', audit_key = {key} WHERE name = '{chain}'",
        hex(&head.hash)
    )
    .unwrap();
    intruder(test).run(&statements);
}

async fn verified(app: &App, caller: &Caller) -> ChainReport {
    app.operations.verify_audit(&caller.tenant().to_string(), None).await.unwrap()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_chain_rewritten_with_correct_plain_hashes_is_found_without_any_head(engine: Engine) {
    for (from, keeps_key_ids, fault) in [
        (1, false, ChainFault::NotKeyed),
        (3, false, ChainFault::Unkeyed(3)),
        (1, true, ChainFault::Mismatch(1)),
        (3, true, ChainFault::Mismatch(3)),
    ] {
        let (test, caller) = written(engine, TestOptions::default()).await;
        let whole = verified(&test.app, &caller).await;
        assert!(whole.outcome.is_ok() && whole.unchecked == Unchecked::default(), "{whole:?}");
        let chain = caller.tenant().to_string();
        rewrite(&test, &chain, from, keeps_key_ids).await;
        let found = verified(&test.app, &caller).await.outcome;
        assert_eq!(found, Err(fault), "{engine:?} from {from}, {keeps_key_ids}");
    }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_goes_on_over_a_rewritten_chain_does_not_hide_it(engine: Engine) {
    let (test, caller) = written(engine, TestOptions::default()).await;
    rewrite(&test, &caller.tenant().to_string(), 1, false).await;
    intruder(&test).run("UPDATE chains SET audit_key = 'x' WHERE audit_key IS NULL");
    write_one(&test.app, &caller).await.unwrap();
    let found = verified(&test.app, &caller).await.outcome;
    assert_eq!(found, Err(ChainFault::Unannounced(6)), "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_store_of_an_earlier_version_becomes_keyed_once_all_nodes_can_be_new(engine: Engine) {
    let old = TestOptions { vault: Vault::made_up(), ..TestOptions::default() };
    let (test, caller) = written(engine, old).await;
    let node = test.beside(with_vault(&test, Vault::new([7; 32]))).await;
    if engine == Engine::Postgres {
        // Nodes of the version before may still write to a shared store.
        let plain = verified(&node, &caller).await;
        assert_eq!(plain.unchecked.before_keys, 5, "{plain:?}");
        write_one(&test.app, &caller).await.unwrap();
        test.clock.advance(DAY);
        assert_eq!(node.operations.key_audit_chains(Beginner::Other).await.unwrap(), 2);
    }
    assert_eq!(node.operations.key_audit_chains(Beginner::Other).await.unwrap(), 0, "once");
    let before = verified(&node, &caller).await.unchecked.before_keys;
    write_one(&node, &caller).await.unwrap();
    let report = verified(&node, &caller).await;
    assert_eq!((report.outcome.is_ok(), report.entries), (true, before + 2), "{report:?}");
    for chain in node.operations.audit_chains().await.unwrap() {
        let entries = node.operations.audit_after(&chain, 0).await.unwrap();
        let first = entries.iter().find(|row| row.key.is_some()).unwrap();
        assert_eq!(first.entry.action, "audit.keyed", "{chain}");
    }
    // A process without the key cannot write any more, but sees what it could not check.
    assert!(write_one(&test.app, &caller).await.is_err());
    let report = verified(&test.app, &caller).await;
    assert_eq!((report.outcome.is_ok(), report.unchecked.without_key), (true, 2), "{report:?}");
    // A tenant that comes later is keyed from its first entry on.
    let late =
        node.people.create_tenant("late".parse().unwrap(), Name::parse("Late").unwrap()).await.unwrap();
    let late = Caller::operator(&late);
    write_one(&node, &late).await.unwrap();
    let report = verified(&node, &late).await;
    assert!(report.outcome.is_ok() && report.unchecked == Unchecked::default(), "{report:?}");
    // What was plain is fixed by the first keyed entry.
    rewrite(&test, &caller.tenant().to_string(), 1, false).await;
    assert_eq!(verified(&node, &caller).await.outcome, Err(ChainFault::NotKeyed));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn old_entries_stay_verifiable_after_a_rotation_and_after_the_old_key_is_dropped(engine: Engine) {
    let (test, caller) = written(engine, TestOptions::default()).await;
    let ring = Vault::from_bytes(&[[8; 32], [7; 32]].concat()).unwrap();
    test.app.operations.reseal(&ring).await.unwrap();
    let node = test.beside(with_vault(&test, Vault::new([8; 32]))).await;
    write_one(&node, &caller).await.unwrap();
    let next = Vault::from_bytes(&[[9; 32], [8; 32]].concat()).unwrap();
    node.operations.reseal(&next).await.unwrap();
    let node = test.beside(with_vault(&test, Vault::new([9; 32]))).await;
    write_one(&node, &caller).await.unwrap();
    for chain in node.operations.audit_chains().await.unwrap() {
        let report = node.operations.verify_audit(&chain, None).await.unwrap();
        assert!(report.outcome.is_ok() && report.unchecked == Unchecked::default(), "{report:?}");
    }
    let entries = node.operations.audit_after(&caller.tenant().to_string(), 0).await.unwrap();
    let mut keys: Vec<_> = entries.into_iter().map(|row| row.key.unwrap()).collect();
    keys.dedup();
    assert_eq!(keys, [[7; 32], [8; 32], [9; 32]].map(|key| Vault::new(key).id().to_owned()));
    // Keys that were kept can be taken away, but not silently.
    intruder(&test).run("DELETE FROM audit_chain_keys");
    assert_eq!(verified(&node, &caller).await.outcome, Err(ChainFault::UnknownKey(1)));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn entries_of_a_lost_key_are_said_not_to_be_checked(engine: Engine) {
    let (test, caller) = written(engine, TestOptions::default()).await;
    let lost = test.beside(with_vault(&test, Vault::made_up())).await;
    let found = Vault::new([9; 32]);
    lost.operations.adopt_vault(&found).await.unwrap();
    let node = test.beside(with_vault(&test, found)).await;
    write_one(&node, &caller).await.unwrap();
    let report = verified(&node, &caller).await;
    assert!(report.outcome.is_ok(), "{report:?}");
    assert_eq!(report.unchecked, Unchecked { lost_key: 5, ..Unchecked::default() });
    // What was written since is checked.
    rewrite(&test, &caller.tenant().to_string(), 6, true).await;
    assert_eq!(verified(&node, &caller).await.outcome, Err(ChainFault::Mismatch(6)));
}
