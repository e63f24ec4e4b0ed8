//! The cost of the built program before it does anything: its size, its start on a large store and with the demo's data,
//! its memory when idle.
//!
//! Measured on the binary as operators run it: `TIDEWALL_BIN`, or `tidewall` beside this program.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use domain::moment::Moment;
use rusqlite::Connection;
use store::sql::{Location, migrate};
use tempfile::TempDir;

use crate::{
    report::{Report, Target, median},
    size,
};

const ROUNDS: usize = 7;
/// After this long all background preparation is done.
const SETTLED: Duration = Duration::from_secs(8);
/// Clock ticks of `/proc` in a second, on every Linux of today.
const TICKS: f64 = 100.0;

pub(crate) fn measure(report: &mut Report) {
    let Some(binary) = binary() else {
        println!("start: no binary of the service (build it, or name it in TIDEWALL_BIN); left out");
        return;
    };
    let megabytes = fs::metadata(&binary).unwrap().len() as f64 / 1e6;
    report.add("binary, stripped", megabytes, "MB", Target::Shown, binary.display().to_string());
    let findings = size::at_most(1_000_000);
    let store = large_store(findings);
    let file = fs::metadata(store.path().join("tidewall.db")).unwrap().len() >> 20;
    let note = format!("{findings} findings, {file} MiB; from start to the first answer, median of {ROUNDS}");
    let starts = (0..ROUNDS).map(|_| Service::start(&binary, store.path(), &[]).ready.as_secs_f64() * 1e3);
    report.add("ready on a large store", median(starts.collect()), "ms", Target::AtMost(150.0), note);
    let starts = (0..ROUNDS).map(|_| {
        let empty = folder();
        Service::start(&binary, empty.path(), &["--demo"]).ready.as_secs_f64()
    });
    let note = format!("an empty store is filled first; median of {ROUNDS}");
    report.add("ready with the data of the demo", median(starts.collect()), "s", Target::AtMost(1.0), note);
    let service = Service::start(&binary, store.path(), &[]);
    thread::sleep(SETTLED);
    let note = format!("catalogue and search index loaded, {SETTLED:?} after the start");
    report.add("resident when idle", service.resident_mib(), "MiB", Target::AtMost(80.0), note.clone());
    report.add("processor time of the start", service.processor_seconds(), "s", Target::AtMost(1.0), note);
}

fn binary() -> Option<PathBuf> {
    let named = std::env::var_os("TIDEWALL_BIN").map(PathBuf::from);
    let beside = || Some(std::env::current_exe().ok()?.with_file_name("tidewall"));
    named.or_else(beside).filter(|path| path.exists())
}

fn folder() -> TempDir {
    tempfile::tempdir_in(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".into())).unwrap()
}

/// A store with one tenant and very many findings, written directly: only its size matters here.
fn large_store(findings: usize) -> TempDir {
    let directory = folder();
    let path = directory.path().join("tidewall.db");
    migrate::up(&Location::File { path: path.clone(), readers: 1 }, Moment::from_millis(0)).unwrap();
    let store = Connection::open(path).unwrap();
    store
        .execute_batch(&format!(
            "PRAGMA synchronous = off; PRAGMA cache_size = -200000; BEGIN;
             INSERT INTO tenants (id, slug, name, created_at)
             VALUES ('ten_01k9x14js0e000000000000000', 'large', 'Large Bank', 0);
             INSERT INTO chains (name, revision, audit_seq, audit_hash)
             VALUES ('ten_01k9x14js0e000000000000000', 0, 0, printf('%064d', 0));
             WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < {findings})
             INSERT INTO findings (id, tenant_id, year, number, title, description, severity, status, open, measures,
                                   detected_at, due_on, version, created_at, updated_at)
             SELECT printf('fnd_01k9x14js0e%012d', n), 'ten_01k9x14js0e000000000000000', 2026, n,
                    'Restores of the core banking database are not tested, part ' || n,
                    'The last restore was rehearsed more than a year ago and took longer than planned.',
                    n % 5 + 1, 'open', 1, '[]', n, printf('2027-%02d-%02d', n % 12 + 1, n % 28 + 1), 1, n, n
             FROM many;
             COMMIT; PRAGMA wal_checkpoint(truncate);"
        ))
        .unwrap();
    directory
}

/// The program, serving.
struct Service {
    child: Child,
    ready: Duration,
}

impl Service {
    fn start(binary: &Path, data_dir: &Path, flags: &[&str]) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let started = Instant::now();
        let mut command = Command::new(binary);
        // The benchmark's own variables are no settings, and the program refuses unknown ones.
        for (name, _) in
            std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TIDEWALL_"))
        {
            command.env_remove(name);
        }
        let child = command
            .args(["serve", "--listen", &address.to_string()])
            .args(flags)
            .env("TIDEWALL_DATA_DIR", data_dir)
            .env("TIDEWALL_OPERATOR__LISTEN", "")
            .env("TIDEWALL_BACKUP__SCHEDULE", "")
            // Errors at the start must be visible; nothing else is logged.
            .env("TIDEWALL_LOG__LEVEL", "error")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut service = Self { child, ready: Duration::ZERO };
        while !answers(address) {
            let ended = service.child.try_wait().unwrap();
            assert!(ended.is_none(), "the service ended instead of starting: see above");
            assert!(started.elapsed() < Duration::from_secs(30), "the service does not start");
            thread::sleep(Duration::from_millis(1));
        }
        service.ready = started.elapsed();
        service
    }

    fn resident_mib(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1024.0
    }

    /// Of all its threads, in user and system mode.
    fn processor_seconds(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // The name of the program is in brackets and may contain spaces.
        let fields = stat.rsplit(')').next().unwrap().split_whitespace().skip(11).take(2);
        fields.map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / TICKS
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn answers(address: SocketAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    let asked = stream.write_all(b"GET /api/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    let mut answer = String::new();
    asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
}
