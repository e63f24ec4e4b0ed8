//! Heads leave the machine by themselves, and show that the end of a chain was cut off.

use std::{fs, sync::Arc};

use app::{
    App,
    audit_head::{AuditRules, Heads},
    authz::Caller,
    security::spool::Spool,
};
use domain::audit::{ChainFault, Head};
use serde_json::Value;
use store::sql::{hash_from_hex, hex};
use test_case::test_case;
use testkit::{Engine, Mailbox, TestApp, TestOptions};

use crate::audit_keys::{intruder, write_one, written};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Cuts the end of the tenant's chain off and makes the stored head fit.
async fn cut_off(test: &TestApp, chain: &str) {
    let entries = test.app.operations.audit_after(chain, 0).await.unwrap();
    let left = &entries[1];
    intruder(test).run(&format!(
        "DELETE FROM audit_entries WHERE chain = '{chain}' AND seq > {seq};
         UPDATE chains SET audit_seq = {seq}, audit_hash = '{hash}' WHERE name = '{chain}'",
        seq = left.seq,
        hash = hex(&left.hash)
    ));
}

async fn fault(app: &App, caller: &Caller, anchor: Option<Head>) -> Option<ChainFault> {
    app.operations.verify_audit(&caller.tenant().to_string(), anchor).await.unwrap().outcome.err()
}

fn head_in(text: &str, chain: &str) -> Head {
    let line = text.lines().find(|line| line.starts_with(chain)).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    Head { seq: words[1].parse().unwrap(), hash: hash_from_hex(words[2]).unwrap() }
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_cut_off_end_is_found_by_the_heads_kept_here_and_by_those_in_security_events(engine: Engine) {
    let (test, caller) = written(engine, TestOptions::default()).await;
    let chain = caller.tenant().to_string();
    let folder = test.scratch.dir.path().join("events");
    fs::create_dir(&folder).unwrap();
    let spool = Spool::open(&folder, 1 << 20).unwrap();
    test.app.security.spool_to(Arc::clone(&spool));
    let said = test.app.check_integrity().await.unwrap();
    assert!(said.contains("2 audit chains"), "{said}");
    spool.flush();
    let mut events = String::new();
    for file in fs::read_dir(&folder).unwrap() {
        events += &fs::read_to_string(file.unwrap().path()).unwrap();
    }
    let events: Vec<Value> = events.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let event = events.iter().find(|event| event["chain"] == chain.as_str()).unwrap();
    assert_eq!(
        (&event["event"], &event["reason"], &event["tenant"], &event["seq"]),
        (&"audit_head".into(), &"daily".into(), &chain.as_str().into(), &5.into())
    );
    let head = Head { seq: 5, hash: hash_from_hex(event["hash"].as_str().unwrap()).unwrap() };

    cut_off(&test, &chain).await;
    let cut = Some(ChainFault::WrongEnd { expected: 5, found: 2 });
    assert_eq!(fault(&test.app, &caller, None).await, cut, "{engine:?}: kept on this machine");
    assert!(test.app.check_integrity().await.is_err(), "the check does not forget the head it had");
    assert_eq!(fault(&test.app, &caller, None).await, cut, "{engine:?}");
    fs::remove_file(test.scratch.dir.path().join("audit-heads.json")).unwrap();
    assert_eq!(fault(&test.app, &caller, None).await, None, "nothing is left to compare with");
    assert_eq!(fault(&test.app, &caller, Some(head)).await, cut, "{engine:?}: the forwarded head");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn a_mail_a_day_takes_the_heads_to_the_receiver_whichever_node_checks(engine: Engine) {
    let mut mailbox = Mailbox::start().await;
    let audit = AuditRules { heads_to: Some("audit@bank.example".parse().unwrap()) };
    let mail = Some(mailbox.settings.clone());
    let options = TestOptions { audit, mail, ..TestOptions::default() };
    let (test, caller) = written(engine, options.clone()).await;
    let chain = caller.tenant().to_string();
    let second = test.beside(TestOptions { clock: Some(test.clock.clone()), ..options }).await;
    test.app.check_integrity().await.unwrap();
    second.check_integrity().await.unwrap();
    let mail = mailbox.next_mail().await;
    assert!(mail.to_string().contains("audit@bank.example"), "{mail}");
    let body = mail["parts"][0][1].as_str().unwrap();
    let head = head_in(body, &chain);
    assert_eq!(head, test.app.operations.audit_head(&chain).await.unwrap());

    // Every backup is mailed, also on a day on which the heads of a check were.
    let heads = Heads::from([(chain.clone(), head)]);
    test.app.operations.announce_backup(&heads).await.unwrap();
    let mail = mailbox.next_mail().await;
    assert!(mail.to_string().contains("Heads of the audit log in a backup"), "{mail}");
    assert_eq!(head_in(mail["parts"][0][1].as_str().unwrap(), &chain), head);

    // On the next day the chain was cut off: the mail says so, and yesterday's head proves it.
    write_one(&test.app, &caller).await.unwrap();
    cut_off(&test, &chain).await;
    assert_eq!(
        fault(&second, &caller, Some(head)).await,
        Some(ChainFault::WrongEnd { expected: 5, found: 2 })
    );
    test.clock.advance(DAY);
    assert!(second.check_integrity().await.is_err());
    let mail = mailbox.next_mail().await.to_string();
    assert!(mail.contains("The audit log is broken") && mail.contains("cut off"), "one a day: {mail}");
}
