//! Our store beside bare rusqlite on the same disk, and beside bare connections to the same PostgreSQL.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use app::api_key::{KeyRequest, NewKey};
use domain::{
    id::{ApiKeyId, TenantId},
    moment::Moment,
    page::PageRequest,
    permission::Permissions,
    text::Name,
};
use rusqlite::Connection;
use store::{Reader, Tx, api_key, health};

use testkit::Engine;

use crate::{
    fixture::{CONNECTIONS, Fixture, READERS, Spec},
    report::{Report, Target, median},
};

const WRITERS: usize = 64;
const WRITES: usize = 40;

pub(crate) async fn measure(report: &mut Report) {
    let fixture = Arc::new(Fixture::new().await);
    durable_writes(report, &fixture).await;
    list_of_fifty(report, &fixture).await;
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        let on_server = Fixture::with(Spec { engine: Engine::Postgres, ..Spec::default() }).await;
        durable_writes_on_a_server(report, &Arc::new(on_server)).await;
    }
}

/// Creates one key: its row, its audit entry and the tenant's revision, on disk when it returns.
async fn audited_write(fixture: &Fixture) {
    let request = KeyRequest::new(Name::parse("a key of ordinary name").unwrap(), Permissions::READ_ONLY);
    fixture
        .app
        .people
        .create_key(&fixture.caller, request, None, Box::new(|_: &NewKey| String::new()))
        .await
        .unwrap();
}

/// One row and nothing else, on disk when it returns.
async fn plain_write(fixture: &Fixture, number: u64) {
    let node = format!("node {number}");
    let start = Moment::from_millis(START_MS);
    let insert = move |tx: &mut Tx<'_>| health::beat(tx, &node, start, start);
    fixture.app.db.platform().bookkeep(insert).await.unwrap();
}

const START_MS: i64 = 1_760_000_000_000;
/// The statement of [`plain_write`].
const SAME_INSERT: &str = "INSERT INTO heartbeats (node, started_at, seen_at) VALUES (?1, ?2, ?2)
                           ON CONFLICT (node) DO UPDATE SET seen_at = excluded.seen_at";

/// Acknowledged inserts with 64 writers at once, beside one commit for each on the same disk.
async fn durable_writes(report: &mut Report, fixture: &Arc<Fixture>) {
    let bare = Connection::open(fixture.dir.path().join("bare.db")).unwrap();
    bare.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
         CREATE TABLE heartbeats (node TEXT PRIMARY KEY, started_at INTEGER NOT NULL, seen_at INTEGER NOT NULL);",
    )
    .unwrap();
    let numbers = Arc::new(AtomicU64::new(0));
    let (mut plain, mut audited, mut one_by_one) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..5 {
        plain.push(plain_rate(fixture, WRITES * 8, &numbers).await);
        audited.push(rate(fixture, WRITES, |fixture| async move { audited_write(&fixture).await }).await);
        let started = Instant::now();
        let commits = 200;
        for number in 0..commits {
            let mut insert = bare.prepare_cached(SAME_INSERT).unwrap();
            insert.execute((format!("node {round} {number}"), START_MS)).unwrap();
        }
        one_by_one.push(f64::from(commits) / started.elapsed().as_secs_f64());
    }
    let (plain, audited, one_by_one) = (median(plain), median(audited), median(one_by_one));
    let note = |rate: f64| format!("{rate:.0}/s with 64 writers, {one_by_one:.0}/s one commit each");
    let what = "durable inserts, shared commits";
    report.add(what, plain / one_by_one, "×", Target::AtLeast(8.0), note(plain));
    let what = "durable changes with audit entry and revision";
    report.add(what, audited / one_by_one, "×", Target::Shown, note(audited));
}

/// The same on a server: 64 writers over a node's connections, beside as many bare connections, each committing row
/// after row. The server, the node and the writers share the machine.
async fn durable_writes_on_a_server(report: &mut Report, fixture: &Arc<Fixture>) {
    let url = fixture.server_url().unwrap().to_owned();
    let bare = tokio::task::spawn_blocking(move || Bare::connect(&url)).await.unwrap();
    let bare = Arc::new(bare);
    let numbers = Arc::new(AtomicU64::new(0));
    let (mut plain, mut audited) = (Vec::new(), Vec::new());
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for round in 0..5 {
        plain.push(plain_rate(fixture, WRITES, &numbers).await);
        audited.push(rate(fixture, WRITES / 2, |fixture| async move { audited_write(&fixture).await }).await);
        for (connections, rates) in [(1, &mut alone), (CONNECTIONS, &mut together)] {
            let bare = Arc::clone(&bare);
            let write = move || bare.rate(connections, WRITES * 4 / connections.min(4), round);
            rates.push(tokio::task::spawn_blocking(write).await.unwrap());
        }
    }
    tokio::task::spawn_blocking(move || drop(bare)).await.unwrap();
    let (alone, together) = (median(alone), median(together));
    let note = |rate: f64| {
        format!(
            "{rate:.0}/s with 64 writers; bare, one commit each: {together:.0}/s on {CONNECTIONS} connections, \
             {alone:.0}/s on one"
        )
    };
    let (plain, audited) = (median(plain), median(audited));
    let what = "durable inserts on PostgreSQL";
    report.add(what, plain / together, "×", Target::Shown, note(plain));
    let what = "durable changes with audit entry and revision, PostgreSQL";
    report.add(what, audited / together, "×", Target::Shown, note(audited));
}

/// Connections to the server without our store.
struct Bare(Vec<Mutex<(postgres::Client, postgres::Statement)>>);

impl Bare {
    fn connect(url: &str) -> Self {
        let connect = |_| {
            let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
            let insert = client.prepare(&SAME_INSERT.replace('?', "$")).unwrap();
            Mutex::new((client, insert))
        };
        Self((0..CONNECTIONS).map(connect).collect())
    }

    /// Rows a second over some of the connections, each waiting for its commit. Blocks.
    fn rate(&self, connections: usize, writes: usize, round: i32) -> f64 {
        let started = Instant::now();
        thread::scope(|scope| {
            for (number, one) in self.0[..connections].iter().enumerate() {
                scope.spawn(move || {
                    let (client, insert) = &mut *one.lock().unwrap();
                    for write in 0..writes {
                        let node = format!("bare {connections} {number} {round} {write}");
                        client.execute(&*insert, &[&node, &START_MS]).unwrap();
                    }
                });
            }
        });
        (connections * writes) as f64 / started.elapsed().as_secs_f64()
    }
}

async fn plain_rate(fixture: &Arc<Fixture>, writes: usize, numbers: &Arc<AtomicU64>) -> f64 {
    let numbers = Arc::clone(numbers);
    let write = move |fixture: Arc<Fixture>| {
        let number = numbers.fetch_add(1, Ordering::Relaxed);
        async move { plain_write(&fixture, number).await }
    };
    rate(fixture, writes, write).await
}

/// Writes a second by 64 writers, each waiting for its answer before it writes again.
async fn rate<F>(
    fixture: &Arc<Fixture>,
    writes: usize,
    write: impl Fn(Arc<Fixture>) -> F + Clone + Send + 'static,
) -> f64
where
    F: Future<Output = ()> + Send + 'static,
{
    let started = Instant::now();
    let tasks = (0..WRITERS).map(|_| {
        let (fixture, write) = (Arc::clone(fixture), write.clone());
        tokio::spawn(async move {
            for _ in 0..writes {
                write(Arc::clone(&fixture)).await;
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    (WRITERS * writes) as f64 / started.elapsed().as_secs_f64()
}

/// A list of 50 rows through our store, beside the same statement on a bare connection.
async fn list_of_fifty(report: &mut Report, fixture: &Arc<Fixture>) {
    let bare = Connection::open(fixture.dir.path().join("tidewall.db")).unwrap();
    let scope = *fixture.caller.scope();
    let tenant = scope.tenant().to_string();
    let reads = 2000_u32;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        let started = Instant::now();
        let readers = (0..8).map(|_| {
            let fixture = Arc::clone(fixture);
            tokio::spawn(async move {
                for _ in 0..reads / 8 {
                    let list = move |r: &mut Reader<'_>| api_key::list(r, &scope, PageRequest::default());
                    assert_eq!(fixture.app.db.tenant(&scope).read(list).await.unwrap().items.len(), 50);
                }
            })
        });
        for reader in readers.collect::<Vec<_>>() {
            reader.await.unwrap();
        }
        ours.push(f64::from(reads) / started.elapsed().as_secs_f64());
        let started = Instant::now();
        // As many threads as our store allows to read at once.
        let at_once = thread::available_parallelism().map_or(1, usize::from).min(READERS);
        let threads = (0..at_once).map(|_| {
            let path = bare.path().unwrap().to_owned();
            let tenant = tenant.clone();
            thread::spawn(move || {
                let bare = Connection::open(path).unwrap();
                for _ in 0..reads as usize / at_once {
                    assert_eq!(bare_list(&bare, &tenant), 50);
                }
            })
        });
        threads.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
        theirs.push(f64::from(reads) / started.elapsed().as_secs_f64());
    }
    let (ours, theirs) = (median(ours), median(theirs));
    let note = format!("{ours:.0}/s through the seam, {theirs:.0}/s bare");
    report.add("list of 50 rows through the seam", ours / theirs, "×", Target::AtLeast(0.8), note);
}

/// The same statements and the same work per row, without our store.
fn bare_list(bare: &Connection, tenant: &str) -> usize {
    bare.prepare_cached("BEGIN").unwrap().execute([]).unwrap();
    let mut count = bare.prepare_cached("SELECT COUNT(*) FROM api_keys WHERE tenant_id = ?1").unwrap();
    let _: i64 = count.query_row([tenant], |row| row.get(0)).unwrap();
    let mut list = bare
        .prepare_cached(
            "SELECT id, tenant_id, name, prefix, permissions, created_at, expires_at, revoked_at, last_used_at
             FROM api_keys WHERE tenant_id = ?1 ORDER BY id LIMIT ?2 OFFSET ?3",
        )
        .unwrap();
    let rows = list.query_map((tenant, 50, 0), |row| {
        Ok((
            row.get_ref(0)?.as_str()?.parse::<ApiKeyId>().unwrap(),
            row.get_ref(1)?.as_str()?.parse::<TenantId>().unwrap(),
            Name::parse(row.get_ref(2)?.as_str()?).unwrap(),
            row.get::<_, String>(3)?,
            Permissions::parse(row.get_ref(4)?.as_str()?).unwrap(),
            row.get::<_, i64>(5)?,
            row.get::<_, Option<i64>>(6)?,
            row.get::<_, Option<i64>>(7)?,
            row.get::<_, Option<i64>>(8)?,
        ))
    });
    let rows: Vec<_> = rows.unwrap().map(Result::unwrap).collect();
    drop(list);
    bare.prepare_cached("ROLLBACK").unwrap().execute([]).unwrap();
    rows.len()
}
