//! Latency under a mixed load: 500 requests a second over 100 tenants, of which most read, some write, search or open a
//! page; alone, and while an import, a backup, an audit bundle and a report are at work.
//!
//! The requests leave at their times whether earlier ones are answered or not, and their latency counts from then on, so
//! that a pause of the service is charged to every request that waits for it.

use std::{
    fmt::Write as _,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use api::ApiOptions;
use app::{
    App,
    authz::Caller,
    backup::{self, Place},
    clock::Clock,
    finding::{FindingImport, FindingImportOutcome},
    upload::Upload,
};
use domain::permission::Permissions;
use store::sql::Location;
use testkit::Engine;
use tokio::{net::TcpStream, time::sleep_until};

use crate::{
    filling::{Shape, Store},
    fixture::{Fixture, READERS, Spec, new_key},
    load::{self, FINDINGS},
    made,
    report::{Report, Target},
    size, workspace,
};

const TENANTS: usize = 100;
/// Requests a second.
const RATE: usize = 500;
const SECONDS: usize = 20;
const CONNECTIONS: usize = 64;
/// Every so many tenants has a person who opens pages.
const READING: usize = 20;
/// What an import in the background brings.
const IMPORTED: usize = 20_000;

pub(crate) async fn measure(report: &mut Report) {
    measure_on(report, Engine::Sqlite, 25.0).await;
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        measure_on(report, Engine::Postgres, 60.0).await;
    }
}

async fn measure_on(report: &mut Report, engine: Engine, most: f64) {
    let each = size::at_most(100_000);
    let spec = Spec { engine, ..Spec::default() };
    let Store { fixture, .. } = &Store::with(spec, Shape { own: each, others: TENANTS - 1, each }).await;
    fixture.app.reload_catalogue().await.unwrap().unwrap();
    let load = Load::over(fixture).await;
    // Connections, prepared statements and sets of the search are made.
    load.drive(3).await;
    let alone = load.drive(SECONDS).await;
    let note = |taken: &Taken| {
        format!(
            "p50 {:.1} ms, slowest {:.0} ms; {RATE} requests a second over {TENANTS} tenants of {each} findings",
            taken.p50, taken.slowest
        )
    };
    report.add(&format!("mixed load, p99, {engine:?}"), alone.p99, "ms", Target::AtMost(most), note(&alone));
    let stop = Arc::new(AtomicBool::new(false));
    let works = background(fixture, &stop);
    let beside = load.drive(SECONDS).await;
    stop.store(true, Ordering::Release);
    let mut done = Vec::new();
    for (name, work) in works {
        done.push(format!("{} {name}", work.await.unwrap()));
    }
    let note = format!("{}; ended or under way: {}", note(&beside), done.join(", "));
    let what = format!("mixed load beside import, backup, bundle and report, p99, {engine:?}");
    report.add(&what, beside.p99, "ms", Target::AtMost(2.0 * most), note);
}

/// The requests in their order, and where they go.
struct Load {
    address: SocketAddr,
    requests: Arc<Vec<String>>,
}

/// Milliseconds.
struct Taken {
    p50: f64,
    p99: f64,
    slowest: f64,
}

impl Load {
    async fn over(fixture: &Fixture) -> Self {
        let pages = workspace::pages(fixture);
        let tenants = fixture.app.people.tenants().await.unwrap();
        let mut requests = Vec::new();
        let mut page = String::new();
        for (number, tenant) in tenants.iter().enumerate() {
            let caller = Caller::operator(tenant);
            let key = new_key(&fixture.app, &caller, Permissions::all()).await;
            if number % READING == 0 {
                let email = format!("bench-{number}@bank.example");
                let cookie = workspace::signed_in_as(&email, &caller, fixture, &pages).await;
                page = format!(
                    "GET /workspace/findings HTTP/1.1\r\nhost: 127.0.0.1:8080\r\ncookie: {cookie}\r\n\r\n"
                );
            }
            let get = |path: &str| load::get_with(&key, path);
            requests.extend([
                get(FINDINGS),
                get(&format!("{FINDINGS}?severity=high&limit=20")),
                load::new_finding(&key),
                get(&format!("{FINDINGS}?status=all&sort=due_on&limit=20")),
                get(&format!("/api/v2/search?q=access%20{number}")),
                get(FINDINGS),
                get("/api/v1/risks"),
                page.clone(),
                load::new_finding(&key),
                get(&format!("{FINDINGS}?search=ledger&limit=10")),
            ]);
        }
        let service = api::service(&fixture.app, &ApiOptions::default(), pages);
        Self { address: load::serve(service).await, requests: Arc::new(requests) }
    }

    async fn drive(&self, seconds: usize) -> Taken {
        let begin = tokio::time::Instant::now() + Duration::from_millis(200);
        let total = RATE * seconds;
        let clients = (0..CONNECTIONS).map(|client| {
            let (address, requests) = (self.address, Arc::clone(&self.requests));
            tokio::spawn(async move {
                let mut stream = TcpStream::connect(address).await.unwrap();
                stream.set_nodelay(true).unwrap();
                let (mut buffer, mut millis) = (Vec::with_capacity(64 * 1024), Vec::new());
                for number in (client..total).step_by(CONNECTIONS) {
                    let due = begin + Duration::from_micros(number as u64 * 1_000_000 / RATE as u64);
                    sleep_until(due).await;
                    // Neighbours in time are of different tenants.
                    let request = &requests[number * 7 % requests.len()];
                    load::exchange(&mut stream, request, &mut buffer).await;
                    millis.push(due.elapsed().as_secs_f64() * 1e3);
                }
                millis
            })
        });
        let mut millis = Vec::with_capacity(total);
        for client in clients.collect::<Vec<_>>() {
            millis.extend(client.await.unwrap());
        }
        millis.sort_by(f64::total_cmp);
        let (p50, p99) = (millis[total / 2], millis[total * 99 / 100]);
        Taken { p50, p99, slowest: millis[total - 1] }
    }
}

type Works = Vec<(&'static str, tokio::task::JoinHandle<usize>)>;

/// Begins each kind of heavy work, again and again until it is stopped; each says how often it ended.
fn background(fixture: &Fixture, stop: &Arc<AtomicBool>) -> Works {
    let (app, caller) = (fixture.app.clone(), fixture.caller.clone());
    let (importing, bundling, reporting) = (app.clone(), app.clone(), app);
    let (imported, bundled, reported) = (caller.clone(), caller.clone(), caller);
    let place = place(fixture);
    let target = fixture.dir.path().to_owned();
    vec![
        (
            "imports",
            repeated(stop, move |round| {
                let (app, caller) = (importing.clone(), imported.clone());
                async move { import(&app, &caller, size::at_most(IMPORTED), &format!("round {round}")).await }
            }),
        ),
        (
            "backups",
            repeated(stop, move |round| back_up(place.clone(), target.join(format!("backup-{round}")))),
        ),
        (
            "bundles",
            repeated(stop, move |_| {
                let (app, caller) = (bundling.clone(), bundled.clone());
                async move {
                    made::bundle(&app, &caller).await;
                }
            }),
        ),
        (
            "reports",
            repeated(stop, move |_| {
                let (app, caller) = (reporting.clone(), reported.clone());
                async move { made::report(&app, &caller).await }
            }),
        ),
    ]
}

fn repeated<F: Future<Output = ()> + Send + 'static>(
    stop: &Arc<AtomicBool>,
    work: impl Fn(usize) -> F + Send + 'static,
) -> tokio::task::JoinHandle<usize> {
    let stop = Arc::clone(stop);
    tokio::spawn(async move {
        let mut rounds = 0;
        while !stop.load(Ordering::Acquire) {
            work(rounds).await;
            rounds += 1;
        }
        rounds
    })
}

async fn import(app: &App, caller: &Caller, count: usize, round: &str) {
    let mut csv = String::from("external_id,title,severity\n");
    for number in 0..count {
        writeln!(csv, "{round}-{number},Account without an owner in the ledger {number},medium").unwrap();
    }
    let upload = Upload::bytes(csv.into());
    let done =
        app.resilience.import_findings(caller, upload, FindingImport::default(), Arc::new(|_, _| {})).await;
    assert!(matches!(done.unwrap(), FindingImportOutcome::Done(_)), "the file is sound");
}

fn place(fixture: &Fixture) -> Arc<Place> {
    let data_dir = fixture.dir.path().to_owned();
    let location = match fixture.server_url() {
        Some(url) => Location::Server { url: url.to_owned(), connections: 1 },
        None => Location::File { path: data_dir.join("tidewall.db"), readers: READERS },
    };
    Arc::new(Place {
        location,
        key_file: data_dir.join("secret.key"),
        data_dir,
        vault: Some(Fixture::vault()),
    })
}

async fn back_up(place: Arc<Place>, target: PathBuf) {
    let take = move || backup::take(&place, &target, None, Clock::system().now(), &mut |_, _, _| {}).unwrap();
    tokio::task::spawn_blocking(take).await.unwrap();
}
