//! Many writers at once, and writers in another process.

use std::{sync::Arc, time::Duration};

use store::{Db, Error, Tx, audit, signal, signal::Signal};

use crate::{Fixture, note, on_both_engines};

on_both_engines![
    concurrent_writers_of_one_tenant_form_one_gapless_chain,
    a_failing_writer_does_not_take_its_neighbours_along,
    another_process_is_noticed_within_a_second,
    a_hint_wakes_this_node_and_others,
];

async fn concurrent_writers_of_one_tenant_form_one_gapless_chain(fixture: Fixture) {
    let fixture = Arc::new(fixture);
    let writers = (0..32).map(|_| {
        let fixture = Arc::clone(&fixture);
        tokio::spawn(async move {
            for _ in 0..5 {
                let write = |tx: &mut Tx<'_>| {
                    signal::raise(tx, Signal::Settings)?;
                    note(tx, "test")
                };
                fixture.db.tenant(&fixture.north).write(write).await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let chain = fixture.north.tenant().to_string();
    let rows = fixture.db.platform().read(move |r| audit::after(r, &chain, 0, 1000)).await.unwrap();
    let seqs: Vec<_> = rows.iter().map(|row| row.seq).collect();
    assert_eq!(seqs, (1..=160).collect::<Vec<_>>());
    assert_eq!(fixture.db.tenant(&fixture.north).revision().await.unwrap().0, 160);
    let raised = fixture.db.platform().read(|r| signal::read(r, Signal::Settings)).await.unwrap();
    assert_eq!(raised, 160);
}

async fn a_failing_writer_does_not_take_its_neighbours_along(fixture: Fixture) {
    let fixture = Arc::new(fixture);
    let writers = (0..64).map(|number| {
        let fixture = Arc::clone(&fixture);
        tokio::spawn(async move {
            let write = move |tx: &mut Tx<'_>| {
                signal::raise(tx, Signal::Settings)?;
                note(tx, "test")?;
                if number % 2 == 0 { Err(Error::Corrupt("on purpose".into())) } else { Ok(()) }
            };
            fixture.db.tenant(&fixture.north).write(write).await.is_ok()
        })
    });
    let mut succeeded = 0;
    for writer in writers.collect::<Vec<_>>() {
        succeeded += i64::from(writer.await.unwrap());
    }
    assert_eq!(succeeded, 32);
    let raised = fixture.db.platform().read(|r| signal::read(r, Signal::Settings)).await.unwrap();
    assert_eq!(raised, 32);
}

async fn another_process_is_noticed_within_a_second(fixture: Fixture) {
    // A second handle on the same place behaves as another process does: it shares nothing in memory.
    let other = Db::open(&fixture.scratch.location).await.unwrap();
    let scope = fixture.north;
    assert_eq!(fixture.db.tenant(&scope).revision().await.unwrap().0, 0);
    let write = |tx: &mut Tx<'_>| {
        signal::raise(tx, Signal::Settings)?;
        note(tx, "test")
    };
    other.tenant(&scope).write(write).await.unwrap();
    let deadline = tokio::time::Instant::now() + Duration::from_secs(1);
    while fixture.db.tenant(&scope).revision().await.unwrap().0 != 1 {
        assert!(tokio::time::Instant::now() < deadline, "the other process's write stayed hidden");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn a_hint_wakes_this_node_and_others(fixture: Fixture) {
    let other = Db::open(&fixture.scratch.location).await.unwrap();
    let mut waiting = [fixture.db.hint().unwrap(), other.hint().unwrap()];
    // The listening connection may take a moment, and announces itself with a hint of its own.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let quiet = |tx: &mut Tx<'_>| signal::raise(tx, Signal::Settings);
    let hinting = |tx: &mut Tx<'_>| {
        tx.hint();
        signal::raise(tx, Signal::Settings)
    };
    fixture.db.platform().bookkeep(quiet).await.unwrap();
    // SQLite tells another process of every change.
    tokio::time::sleep(Duration::from_millis(400)).await;
    for hint in &mut waiting {
        while tokio::time::timeout(Duration::from_millis(50), hint.arrived()).await.is_ok() {}
    }
    fixture.db.platform().bookkeep(hinting).await.unwrap();
    for hint in &mut waiting {
        tokio::time::timeout(Duration::from_secs(1), hint.arrived()).await.unwrap();
    }
}
