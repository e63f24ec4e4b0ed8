//! Files of evidence of 25 MiB, sent and fetched over HTTP beside bare routes over the same storage: parts of 256 KiB in
//! a SQLite file, four in a transaction.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    time::Instant,
};

use api::ApiOptions;
use axum::{
    Router,
    body::Body,
    extract::{Path as Segment, State},
    routing::{get, post},
};
use bytes::{Bytes, BytesMut};
use domain::permission::Permissions;
use futures_util::{future::join_all, stream};
use http_body_util::BodyExt as _;
use rusqlite::{Connection, params};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::mpsc,
};

use crate::{
    answer, filling,
    fixture::{Fixture, new_key},
    load,
    memory::Peak,
    report::{Report, Target, median},
};

const FILE: usize = 25 * 1024 * 1024;
/// As the store keeps them.
const CHUNK: usize = 256 * 1024;
const PARTS: usize = 4;
const ROUNDS: usize = 7;
/// Transfers at the same time for the ratio, and for the memory.
const FEW: usize = 4;
const MANY: usize = 32;
/// A tenant may send four files at once, so many tenants send the many.
const TENANTS: usize = MANY / FEW;
const BOUNDARY: &str = "a-line-that-no-file-contains";

pub(crate) async fn measure(report: &mut Report) {
    let fixture = Fixture::new().await;
    let mut keys = vec![fixture.key.clone()];
    for tenant in filling::tenants(&fixture, TENANTS - 1).await {
        keys.push(new_key(&fixture.app, &tenant, Permissions::all()).await);
    }
    let ours = load::serve(api::service(&fixture.app, &ApiOptions::default(), Router::new())).await;
    let bare = load::serve(bare_routes(&fixture.dir.path().join("bare.db"))).await;
    let client = Client::default();
    let (mut sent, mut fetched) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let ceiling = client.in_parallel(FEW, |_| client.send_bare(bare)).await;
        let own = client.in_parallel(FEW, |_| client.send(ours, &keys[0])).await;
        sent.push((own.seconds, ceiling.seconds));
        let (path, bare_path) = (&own.paths[0], &ceiling.paths[0]);
        let ceiling = client.in_parallel(FEW, |_| client.fetch(bare, None, bare_path)).await;
        let own = client.in_parallel(FEW, |_| client.fetch(ours, Some(&keys[0]), path)).await;
        fetched.push((own.seconds, ceiling.seconds));
    }
    add(report, "upload of 25 MiB", &sent);
    add(report, "download of 25 MiB", &fetched);
    let peak = Peak::start();
    let all = client.in_parallel(MANY, |number| client.send(ours, &keys[number % TENANTS])).await;
    let sending = peak.mebibytes();
    let peak = Peak::start();
    client
        .in_parallel(MANY, |number| client.fetch(ours, Some(&keys[number % TENANTS]), &all.paths[number]))
        .await;
    let note = format!("more resident than before, of {} MiB on their way", MANY * FILE / (1024 * 1024));
    report.add("32 uploads of 25 MiB at once", sending, "MiB", Target::AtMost(100.0), note.clone());
    report.add("32 downloads of 25 MiB at once", peak.mebibytes(), "MiB", Target::AtMost(100.0), note);
}

fn add(report: &mut Report, what: &str, rounds: &[(f64, f64)]) {
    let mebibytes = (FEW * FILE / (1024 * 1024)) as f64;
    let ratio = median(rounds.iter().map(|(own, ceiling)| ceiling / own).collect());
    let pace = |of: fn(&(f64, f64)) -> f64| mebibytes / median(rounds.iter().map(of).collect());
    let note = format!("{:.0} MiB/s of {:.0} MiB/s, {FEW} at once", pace(|r| r.0), pace(|r| r.1));
    report.add(what, ratio, "×", Target::AtLeast(0.5), note);
}

/// Sends files that differ in their first bytes, from one buffer, so that the client takes no memory of its own.
struct Client {
    content: Bytes,
    sent: AtomicUsize,
}

impl Default for Client {
    fn default() -> Self {
        let content = (0..FILE - 16).map(|at| u8::try_from(at * 31 % 251).unwrap()).collect::<Vec<_>>();
        Self { content: content.into(), sent: AtomicUsize::new(0) }
    }
}

/// Transfers that ran at the same time: how long all of them took, and where the files are.
struct Taken {
    seconds: f64,
    paths: Vec<String>,
}

impl Client {
    async fn in_parallel<F: Future<Output = String>>(
        &self,
        count: usize,
        transfer: impl Fn(usize) -> F,
    ) -> Taken {
        let started = Instant::now();
        let paths = join_all((0..count).map(transfer)).await;
        Taken { seconds: started.elapsed().as_secs_f64(), paths }
    }

    /// Adds evidence with a file; where its content is.
    async fn send(&self, address: SocketAddr, key: &str) -> String {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"title\"\r\n\r\nBackup log\r\n--{BOUNDARY}\r\n\
             content-disposition: form-data; name=\"file\"; filename=\"backup.log\"\r\n\r\n"
        );
        let tail = format!("\r\n--{BOUNDARY}--\r\n");
        let headers = format!(
            "POST /api/v1/evidence HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\
             content-type: multipart/form-data; boundary={BOUNDARY}\r\n"
        );
        let body = self.post(address, &headers, &head, &tail).await;
        let made: serde_json::Value = serde_json::from_slice(&body).unwrap();
        format!("/api/v1/evidence/{}/content", made["data"]["id"].as_str().unwrap())
    }

    async fn send_bare(&self, address: SocketAddr) -> String {
        let body = self.post(address, "POST /files HTTP/1.1\r\nhost: x\r\n", "", "").await;
        format!("/files/{}", String::from_utf8_lossy(&body))
    }

    async fn post(&self, address: SocketAddr, headers: &str, head: &str, tail: &str) -> Vec<u8> {
        let number = self.sent.fetch_add(1, Ordering::Relaxed);
        let length = head.len() + FILE + tail.len();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let start = format!("{headers}content-length: {length}\r\n\r\n{head}{number:016}");
        stream.write_all(start.as_bytes()).await.unwrap();
        stream.write_all(&self.content).await.unwrap();
        stream.write_all(tail.as_bytes()).await.unwrap();
        let mut buffer = Vec::new();
        while !answer::is_whole(&buffer) {
            assert!(stream.read_buf(&mut buffer).await.unwrap() > 0, "the server hung up");
        }
        answer::body(&buffer)
    }

    /// Fetches a file and forgets it.
    async fn fetch(&self, address: SocketAddr, key: Option<&str>, path: &str) -> String {
        let authorization = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{authorization}\r\n");
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let (mut buffer, mut length) = (vec![0; 64 * 1024], 0);
        loop {
            let read = stream.read(&mut buffer).await.unwrap();
            if read == 0 {
                break;
            }
            assert!(length > 0 || buffer.starts_with(b"HTTP/1.1 200"));
            length += read;
        }
        assert!(length > FILE, "{length} bytes came");
        path.to_owned()
    }
}

/// The ceiling: the body goes into the table as it comes, without an account, a digest, a check or a record.
fn bare_routes(path: &Path) -> Router {
    let db = opened(path);
    db.execute_batch(
        "CREATE TABLE chunks (file INTEGER, place INTEGER, content BLOB, PRIMARY KEY (file, place))",
    )
    .unwrap();
    let bare = Bare { path: path.to_owned(), writer: Arc::new(Mutex::new(db)), files: Arc::default() };
    Router::new().route("/files", post(take)).route("/files/{file}", get(give)).with_state(bare)
}

#[derive(Clone)]
struct Bare {
    path: PathBuf,
    writer: Arc<Mutex<Connection>>,
    files: Arc<AtomicI64>,
}

/// With the settings of the store.
fn opened(path: &Path) -> Connection {
    let db = Connection::open(path).unwrap();
    db.pragma_update(None, "journal_mode", "wal").unwrap();
    db.pragma_update(None, "synchronous", "full").unwrap();
    db.pragma_update(None, "cache_size", -16_000).unwrap();
    db
}

async fn take(State(bare): State<Bare>, mut body: Body) -> String {
    let file = bare.files.fetch_add(1, Ordering::Relaxed);
    let (mut waiting, mut place) = (BytesMut::new(), 0);
    while let Some(frame) = body.frame().await {
        waiting.extend_from_slice(&frame.unwrap().into_data().unwrap());
        if waiting.len() >= CHUNK * PARTS {
            let parts = waiting.split_to(CHUNK * PARTS).freeze();
            place = bare.write(file, place, parts).await;
        }
    }
    bare.write(file, place, waiting.freeze()).await;
    file.to_string()
}

impl Bare {
    /// Writes parts in one transaction; the place of the next one.
    async fn write(&self, file: i64, mut place: i64, parts: Bytes) -> i64 {
        let writer = Arc::clone(&self.writer);
        let write = move || {
            let mut db = writer.lock().unwrap_or_else(PoisonError::into_inner);
            let tx = db.transaction().unwrap();
            for part in parts.chunks(CHUNK) {
                let mut insert = tx.prepare_cached("INSERT INTO chunks VALUES (?1, ?2, ?3)").unwrap();
                insert.execute(params![file, place, part]).unwrap();
                place += 1;
            }
            tx.commit().unwrap();
            place
        };
        tokio::task::spawn_blocking(write).await.unwrap()
    }
}

async fn give(State(bare): State<Bare>, Segment(file): Segment<i64>) -> Body {
    let (sender, mut receiver) = mpsc::channel(1);
    tokio::task::spawn_blocking(move || {
        let db = opened(&bare.path);
        let mut parts = db.prepare("SELECT content FROM chunks WHERE file = ?1 AND place = ?2").unwrap();
        let mut place = 0_i64;
        while let Ok(part) = parts.query_row(params![file, place], |row| row.get::<_, Vec<u8>>(0)) {
            if sender.blocking_send(Ok::<_, std::io::Error>(Bytes::from(part))).is_err() {
                return;
            }
            place += 1;
        }
    });
    Body::from_stream(stream::poll_fn(move |context| receiver.poll_recv(context)))
}
