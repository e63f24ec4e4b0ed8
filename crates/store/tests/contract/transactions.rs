//! Transactions: all or nothing, always audited, one tenant only.

use domain::{
    audit::Verifier,
    delivery::Health,
    id::WebhookId,
    page::PageRequest,
    text::Name,
    threshold::Thresholds,
    webhook::{Channel, Events},
};
use store::{
    Error, Result, TenantScope, Tx, audit, idempotency, signal, signal::Signal, threshold, webhook,
    webhook::WebhookRow,
};

use crate::{Fixture, id, note, now, on_both_engines};

on_both_engines![
    a_failed_change_leaves_nothing_behind,
    a_change_made_alone_is_all_or_nothing_among_others,
    a_change_without_audit_entry_is_refused,
    a_change_that_changes_nothing_moves_no_revision,
    bookkeeping_that_shows_moves_the_revision_without_an_audit_entry,
    a_write_is_seen_by_the_next_read_with_a_new_revision,
    tenants_do_not_see_each_other,
    a_stale_version_is_not_overwritten,
    the_audit_chain_verifies_and_finds_edits,
    a_panicking_closure_harms_nobody,
    kept_answers_are_found_and_pruned,
    thresholds_start_as_defaults_and_are_replaced,
];

fn sample(number: u128) -> WebhookRow {
    WebhookRow {
        id: id(number),
        name: Name::parse("Lage – Überblick 🌊").unwrap(),
        channel: Channel::Slack,
        sealed_url: "sealed".into(),
        url_hash: Some("hash".into()),
        events: Events::parse("finding.created").unwrap(),
        active: true,
        pending: false,
        version: 1,
        created_at: now(),
        updated_at: now(),
        health: Health::default(),
        last_try: None,
        switched_off_at: None,
    }
}

async fn add(fixture: &Fixture, scope: TenantScope, number: u128) -> Result<()> {
    fixture
        .db
        .tenant(&scope)
        .write(move |tx| {
            webhook::insert(tx, &scope, &sample(number))?;
            note(tx, "webhook.created")
        })
        .await
}

async fn count(fixture: &Fixture, scope: TenantScope) -> u64 {
    let list = move |r: &mut store::Reader<'_>| webhook::list(r, &scope, PageRequest::default());
    fixture.db.tenant(&scope).read(list).await.unwrap().total
}

async fn a_failed_change_leaves_nothing_behind(fixture: Fixture) {
    let scope = fixture.north;
    let failed: Result<()> = fixture
        .db
        .tenant(&scope)
        .write(move |tx| {
            webhook::insert(tx, &scope, &sample(1))?;
            note(tx, "webhook.created")?;
            Err(Error::Corrupt("on purpose".into()))
        })
        .await;
    assert!(matches!(failed, Err(Error::Corrupt(_))));
    assert_eq!(count(&fixture, scope).await, 0);
    assert_eq!(fixture.db.tenant(&scope).revision().await.unwrap().0, 0);
}

async fn a_change_made_alone_is_all_or_nothing_among_others(fixture: Fixture) {
    let scope = fixture.north;
    let alone = async |from: u128, fails: bool| {
        let write = move |tx: &mut Tx<'_>| {
            for number in from..from + 100 {
                webhook::insert(tx, &scope, &sample(number))?;
            }
            note(tx, "webhooks.imported")?;
            if fails { Err(Error::Corrupt("on purpose".into())) } else { Ok(()) }
        };
        fixture.db.tenant(&scope).write_alone(write).await
    };
    let few = async |from: u128| {
        for number in from..from + 10 {
            add(&fixture, scope, number).await.unwrap();
        }
    };
    let ((), failed, done, ()) = tokio::join!(few(1), alone(1000, true), alone(2000, false), few(11));
    assert!(matches!(failed, Err(Error::Corrupt(_))));
    done.unwrap();
    assert_eq!(count(&fixture, scope).await, 120);
    assert_eq!(fixture.db.tenant(&scope).revision().await.unwrap().0, 21);
}

async fn a_change_without_audit_entry_is_refused(fixture: Fixture) {
    let scope = fixture.north;
    let write = move |tx: &mut Tx<'_>| webhook::insert(tx, &scope, &sample(1));
    let refused = fixture.db.tenant(&scope).write(write).await;
    assert!(matches!(refused, Err(Error::Unaudited)), "{refused:?}");
    assert_eq!(count(&fixture, scope).await, 0);
}

async fn a_change_that_changes_nothing_moves_no_revision(fixture: Fixture) {
    let scope = fixture.north;
    let before = fixture.db.tenant(&scope).revision().await.unwrap();
    let look = move |tx: &mut Tx<'_>| webhook::get(tx, &scope, id(1)).map(|found| found.is_none());
    assert!(fixture.db.tenant(&scope).write(look).await.unwrap());
    assert_eq!(fixture.db.tenant(&scope).revision().await.unwrap(), before);
}

async fn bookkeeping_that_shows_moves_the_revision_without_an_audit_entry(fixture: Fixture) {
    let scope = fixture.north;
    let raise = |tx: &mut Tx<'_>| signal::raise(tx, Signal::Settings);
    fixture.db.tenant(&scope).bookkeep(raise).await.unwrap();
    assert_eq!(fixture.db.tenant(&scope).revision().await.unwrap().0, 1);
    let raise_and_note = |tx: &mut Tx<'_>| {
        signal::raise(tx, Signal::Settings)?;
        note(tx, "test")
    };
    fixture.db.tenant(&scope).bookkeep(raise_and_note).await.unwrap();
    assert_eq!(fixture.db.tenant(&scope).revision().await.unwrap().0, 2);
    let chain = scope.tenant().to_string();
    let entries = move |r: &mut store::Reader<'_>| audit::after(r, &chain, 0, 10);
    assert_eq!(fixture.db.platform().read(entries).await.unwrap().len(), 1);
    let look = |_: &mut Tx<'_>| Ok::<_, Error>(());
    fixture.db.tenant(&scope).bookkeep(look).await.unwrap();
    assert_eq!(fixture.db.tenant(&scope).revision().await.unwrap().0, 2);
}

async fn a_write_is_seen_by_the_next_read_with_a_new_revision(fixture: Fixture) {
    for number in 1..=20 {
        add(&fixture, fixture.north, number).await.unwrap();
        assert_eq!(count(&fixture, fixture.north).await, u64::try_from(number).unwrap());
        let revision = fixture.db.tenant(&fixture.north).revision().await.unwrap();
        assert_eq!(revision.0, i64::try_from(number).unwrap());
    }
    assert_eq!(fixture.db.tenant(&fixture.south).revision().await.unwrap().0, 0);
    let (row, _) = fixture
        .db
        .tenant(&fixture.north)
        .read_at({
            let scope = fixture.north;
            move |r| webhook::get(r, &scope, id(7))
        })
        .await
        .unwrap();
    assert_eq!(row, Some(sample(7)));
}

async fn tenants_do_not_see_each_other(fixture: Fixture) {
    add(&fixture, fixture.south, 1).await.unwrap();
    let (north, south) = (fixture.north, fixture.south);
    assert_eq!(count(&fixture, north).await, 0);
    let get = move |r: &mut store::Reader<'_>| webhook::get(r, &north, id(1));
    assert_eq!(fixture.db.tenant(&north).read(get).await.unwrap(), None);
    let delete = move |tx: &mut Tx<'_>| webhook::delete(tx, &north, id(1));
    assert!(!fixture.db.tenant(&north).write(delete).await.unwrap_or(false));
    // The second barrier: a query with the wrong scope inside another tenant's transaction.
    let wrong_scope = move |r: &mut store::Reader<'_>| webhook::get(r, &south, id(1));
    let leaked = fixture.db.tenant(&north).read(wrong_scope).await.unwrap();
    if fixture.db.is_shared() {
        assert_eq!(leaked, None, "row-level security must hide it");
    }
    assert_eq!(count(&fixture, south).await, 1);
}

async fn a_stale_version_is_not_overwritten(fixture: Fixture) {
    let scope = fixture.north;
    add(&fixture, scope, 1).await.unwrap();
    for (version, expected) in [(1, true), (1, false), (2, true)] {
        let changed = fixture
            .db
            .tenant(&scope)
            .write(move |tx| {
                let changed = webhook::update(tx, &scope, &WebhookRow { version, ..sample(1) })?;
                note(tx, "webhook.changed")?;
                Ok::<_, Error>(changed)
            })
            .await
            .unwrap();
        assert_eq!(changed, expected, "version {version}");
    }
}

async fn the_audit_chain_verifies_and_finds_edits(fixture: Fixture) {
    let scope = fixture.north;
    for number in 1..=5 {
        add(&fixture, scope, number).await.unwrap();
    }
    let chain = scope.tenant().to_string();
    let walk = {
        let chain = chain.clone();
        move |r: &mut store::Reader<'_>| {
            Ok::<_, Error>((audit::after(r, &chain, 0, 100)?, audit::head(r, &chain)?))
        }
    };
    let (mut rows, head) = fixture.db.platform().read(walk).await.unwrap();
    let verify = |rows: &[audit::AuditRow]| {
        let mut verifier = Verifier::new(chain.clone(), None);
        for row in rows {
            verifier.step(row.seq, row.hash, row.key.as_deref(), &row.entry)?;
        }
        verifier.finish(head)
    };
    assert_eq!(verify(&rows).unwrap().seq, 5);
    rows[2].entry.actor = "somebody else".into();
    assert!(verify(&rows).is_err());
}

async fn a_panicking_closure_harms_nobody(fixture: Fixture) {
    let scope = fixture.north;
    let panicking = move |tx: &mut Tx<'_>| -> Result<()> {
        webhook::insert(tx, &scope, &sample(1))?;
        panic!("on purpose")
    };
    assert!(matches!(fixture.db.tenant(&scope).write(panicking).await, Err(Error::Engine(_))));
    let reading = |_: &mut store::Reader<'_>| -> Result<()> { panic!("on purpose") };
    assert!(fixture.db.tenant(&scope).read(reading).await.is_err());
    assert_eq!(count(&fixture, scope).await, 0);
    add(&fixture, scope, 2).await.unwrap();
    assert_eq!(count(&fixture, scope).await, 1);
}

async fn kept_answers_are_found_and_pruned(fixture: Fixture) {
    let scope = fixture.north;
    let answer = idempotency::AnswerRow {
        request_digest: "d".into(),
        subject: id::<WebhookId>(1).to_string(),
        answer: "sealed".into(),
        created_at: now(),
    };
    let kept = answer.clone();
    fixture
        .db
        .tenant(&scope)
        .write(move |tx| {
            idempotency::put(tx, &scope, "k", &kept)?;
            note(tx, "x")
        })
        .await
        .unwrap();
    let get = move |r: &mut store::Reader<'_>| idempotency::get(r, &scope, "k");
    assert_eq!(fixture.db.tenant(&scope).read(get).await.unwrap(), Some(answer));
    let prune = |tx: &mut Tx<'_>| idempotency::prune(tx, now().plus_millis(1));
    assert_eq!(fixture.db.platform().bookkeep(prune).await.unwrap(), 1);
    assert_eq!(fixture.db.tenant(&scope).read(get).await.unwrap(), None);
}

async fn thresholds_start_as_defaults_and_are_replaced(fixture: Fixture) {
    let scope = fixture.north;
    let get = move |r: &mut store::Reader<'_>| threshold::get(r, &scope);
    let untouched = fixture.db.tenant(&scope).read(get).await.unwrap();
    assert_eq!((untouched.thresholds, untouched.version), (Thresholds::default(), 0));
    for version in 1..=2 {
        let changed = Thresholds { enabled: version == 1, ..Thresholds::default() };
        let put = move |tx: &mut Tx<'_>| {
            threshold::put(tx, &scope, changed, version, now())?;
            note(tx, "thresholds.changed")
        };
        fixture.db.tenant(&scope).write(put).await.unwrap();
        let row = fixture.db.tenant(&scope).read(get).await.unwrap();
        assert_eq!((row.thresholds, row.version), (changed, version));
    }
}
