//! Many writers at once, and writers in another process.

use std::{
    future::poll_fn,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
    time::Duration,
};

use futures_util::future::{join, join_all};
use store::{Db, Error, Reader, Tx, audit, signal, signal::Signal, sql::Location};
use testkit::Engine;

use crate::{Fixture, note, on_both_engines};

on_both_engines![
    concurrent_writers_of_one_tenant_form_one_gapless_chain,
    a_failing_writer_does_not_take_its_neighbours_along,
    writers_who_wait_together_share_a_commit,
    another_process_is_noticed_within_a_second,
    a_hint_wakes_this_node_and_others,
    whoever_asks_after_a_write_sees_it_however_many_ask,
    whoever_leaves_takes_nobody_along,
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

async fn writers_who_wait_together_share_a_commit(fixture: Fixture) {
    let open = Arc::new(AtomicBool::new(false));
    let first = Arc::clone(&open);
    let tenant = fixture.db.tenant(&fixture.north);
    let held = tenant.write(move |tx: &mut Tx<'_>| {
        while !first.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        note(tx, "first")
    });
    let others = (0..20).map(|_| tenant.write(|tx: &mut Tx<'_>| note(tx, "other")));
    let mut all = Box::pin(join(held, join_all(others)));
    // All of them are in the queue once they have been polled.
    let waits = poll_fn(|context| Poll::Ready(all.as_mut().poll(context).is_pending())).await;
    assert!(waits, "the first writer holds up the others");
    open.store(true, Ordering::Relaxed);
    let (first, others) = all.await;
    first.unwrap();
    assert!(others.iter().all(Result::is_ok));
    let writers = fixture.db.meter().writers;
    let commits: u64 = writers.ranges.iter().map(|(_, count)| count).sum();
    assert!(writers.sum >= 21 && commits < writers.sum / 2, "{writers:?}");
}

async fn another_process_is_noticed_within_a_second(fixture: Fixture) {
    // A second handle on the same store behaves like another process: it shares no memory.
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
    // The listening connection may take a moment, and sends a hint of its own when it is ready.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let quiet = |tx: &mut Tx<'_>| signal::raise(tx, Signal::Settings);
    let hinting = |tx: &mut Tx<'_>| {
        tx.hint();
        signal::raise(tx, Signal::Settings)
    };
    fixture.db.platform().bookkeep(quiet).await.unwrap();
    // SQLite reports every change of another process.
    tokio::time::sleep(Duration::from_millis(400)).await;
    for hint in &mut waiting {
        while tokio::time::timeout(Duration::from_millis(50), hint.arrived()).await.is_ok() {}
    }
    fixture.db.platform().bookkeep(hinting).await.unwrap();
    for hint in &mut waiting {
        tokio::time::timeout(Duration::from_secs(1), hint.arrived()).await.unwrap();
    }
}

async fn whoever_asks_after_a_write_sees_it_however_many_ask(fixture: Fixture) {
    // On a server another node writes; changes of a file by another process are noticed only a little later.
    let writer = if fixture.db.is_shared() {
        Db::open(&fixture.scratch.location).await.unwrap()
    } else {
        fixture.db.clone()
    };
    let (db, north, south) = (fixture.db.clone(), fixture.north, fixture.south);
    let crowd = (0..8).map(|number| {
        let db = db.clone();
        tokio::spawn(async move {
            loop {
                let scope = if number % 4 == 0 { south } else { north };
                let seen = db.tenant(&scope).revision().await.unwrap().0;
                assert!(number % 4 != 0 || seen == 0, "one tenant received another's revision");
                // From memory it takes no time at all.
                tokio::task::yield_now().await;
            }
        })
    });
    let crowd: Vec<_> = crowd.collect();
    for written in 1..=60 {
        writer.tenant(&north).write(|tx| note(tx, "test")).await.unwrap();
        let askers = (0..4).map(|_| {
            let db = db.clone();
            tokio::spawn(async move { db.tenant(&north).revision().await.unwrap().0 })
        });
        for asker in askers.collect::<Vec<_>>() {
            assert_eq!(asker.await.unwrap(), written);
        }
    }
    for one in crowd {
        assert!(!one.is_finished(), "one of the concurrent tasks failed");
        one.abort();
    }
}

async fn whoever_leaves_takes_nobody_along(fixture: Fixture) {
    let (db, scope) = (fixture.db.clone(), fixture.north);
    for _ in 0..50 {
        let ask = || {
            let db = db.clone();
            tokio::spawn(async move { db.tenant(&scope).revision().await.unwrap().0 })
        };
        let (leaves, stays) = (ask(), ask());
        tokio::task::yield_now().await;
        leaves.abort();
        let seen = tokio::time::timeout(Duration::from_secs(10), stays).await.unwrap().unwrap();
        assert_eq!(seen, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_that_is_over_keeps_no_snapshot_on_the_server() {
    let fixture = Fixture::new(Engine::Postgres).await;
    for _ in 0..20 {
        let reads = (0..32).map(|number| {
            let db = fixture.db.clone();
            let scope = if number % 2 == 0 { fixture.north } else { fixture.south };
            tokio::spawn(async move {
                let chain = scope.tenant().to_string();
                db.tenant(&scope).read(move |r| audit::after(r, &chain, 0, 10)).await.unwrap()
            })
        });
        for read in reads.collect::<Vec<_>>() {
            assert!(read.await.unwrap().is_empty());
        }
    }
    let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                 AND application_name = 'tidewall' AND state <> 'idle'";
    let deadline = std::time::Instant::now() + Duration::from_secs(5);
    while asked(&fixture, count) != 0 {
        assert!(std::time::Instant::now() < deadline, "transactions left open by readers");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The number returned by a query of the server.
fn asked(fixture: &Fixture, question: &'static str) -> i64 {
    let Location::Server { url, .. } = &fixture.scratch.location else { unreachable!() };
    let url = url.clone();
    let ask = move || {
        let mut client = ::postgres::Client::connect(&url, ::postgres::NoTls).unwrap();
        client.query_one(question, &[]).unwrap().get(0)
    };
    // The driver refuses the runtime's threads.
    std::thread::spawn(ask).join().unwrap()
}

/// A process of the server that is stopped until this is dropped.
struct Frozen(String);

impl Frozen {
    fn new(process: i64) -> Self {
        let frozen = Self(process.to_string());
        frozen.signal("-STOP");
        frozen
    }

    fn signal(&self, signal: &str) {
        // The shell's built-in, which every machine has.
        let kill = format!("kill {signal} {}", self.0);
        assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        self.signal("-CONT");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_hangs_holds_up_only_those_who_wait_for_it() {
    let fixture = Fixture::new(Engine::Postgres).await;
    let tenant = fixture.db.tenant(&fixture.north);
    assert_eq!(tenant.revision().await.unwrap().0, 0);
    let first = "SELECT CAST(min(pid) AS BIGINT) FROM pg_stat_activity WHERE datname = current_database()
                 AND application_name = 'tidewall'";
    let frozen = Frozen::new(asked(&fixture, first));
    let mut held_up = 0;
    for _ in 0..50 {
        match tokio::time::timeout(Duration::from_millis(2500), tenant.revision()).await {
            Ok(seen) => assert_eq!(seen.unwrap().0, 0),
            Err(_) => held_up += 1,
        }
    }
    // Its worker takes at most one job, and gets no other.
    assert!(held_up <= 1, "{held_up} were held up");
    drop(frozen);
    assert_eq!(tenant.revision().await.unwrap().0, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_readings_do_not_hold_up_short_ones_while_a_reader_is_in_reserve() {
    let fixture = Fixture::new(Engine::Sqlite).await;
    let Location::File { path, .. } = &fixture.scratch.location else { unreachable!() };
    let cores = std::thread::available_parallelism().unwrap().get();
    let db = Arc::new(Db::open(&Location::File { path: path.clone(), readers: cores + 2 }).await.unwrap());
    let (let_go, held) = crossbeam_channel::bounded::<()>(0);
    // One more than there are cores: the last one is taken by the reserve.
    let long: Vec<_> = (0..=cores)
        .map(|_| {
            let (db, held) = (Arc::clone(&db), held.clone());
            tokio::spawn(async move {
                let read = move |_: &mut Reader<'_>| {
                    let _ = held.recv();
                    Ok::<_, Error>(())
                };
                db.platform().read(read).await
            })
        })
        .collect();
    let begun = std::time::Instant::now();
    for _ in 0..200 {
        let platform = db.platform();
        let raised = platform.read(|r| signal::read(r, Signal::Settings));
        let raised = tokio::time::timeout(Duration::from_secs(5), raised).await;
        assert_eq!(raised.expect("a reserve reader takes the job").unwrap(), 0);
    }
    // A reserve reader that took over stays active: not every job waits until that is noticed.
    assert!(begun.elapsed() < Duration::from_secs(1), "200 short readings took {:?}", begun.elapsed());
    assert!(long.iter().all(|long| !long.is_finished()));
    drop(let_go);
    for long in long {
        long.await.unwrap().unwrap();
    }
}
