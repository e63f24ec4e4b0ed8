//! An S3-compatible server on this machine that checks every signature by its own reading of the rule, and can fail, hang
//! and cut connections.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    fs,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use outbound::bucket::BucketSettings;
use ring::{
    digest::{Context, SHA256, digest},
    hmac,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
};

const BUCKET: &str = "evidence";
const REGION: &str = "eu-central-1";
const ACCESS_KEY: &str = "test-access-key";
const SECRET_KEY: &str = "canary-secret-key";
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// A fault of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectFault {
    /// This status, without doing what was asked.
    Status(u16),
    /// Resets the connection without doing what was asked.
    Cut,
    /// Does what was asked and resets the connection instead of answering.
    DoneThenCut,
    /// Sends half of the body and resets the connection.
    HalfThenCut,
    /// Does nothing and never answers.
    Hang,
    /// Does what was asked and answers only after [`ObjectServer::release`].
    Hold,
}

#[derive(Debug, Default)]
struct State {
    next: HashMap<String, VecDeque<ObjectFault>>,
    always: HashMap<String, ObjectFault>,
    counts: HashMap<String, usize>,
    held: usize,
    /// Names of objects, with the file of each.
    objects: BTreeMap<String, PathBuf>,
    files: usize,
}

/// The running server with one bucket. Objects are on disk, so that they do not count as memory of the test.
#[derive(Debug, Clone)]
pub struct ObjectServer {
    origin: String,
    folder: Arc<TempDir>,
    state: Arc<Mutex<State>>,
    released: Arc<watch::Sender<usize>>,
}

/// A request whose body has been written to a file.
struct ReceivedRequest {
    method: String,
    target: String,
    headers: BTreeMap<String, String>,
    file: PathBuf,
    sha256: String,
}

impl ObjectServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            origin: format!("http://{}", listener.local_addr().unwrap()),
            folder: Arc::new(tempfile::tempdir().unwrap()),
            state: Arc::default(),
            released: Arc::new(watch::channel(0).0),
        };
        let accepting = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = accepting.clone();
                // A broken connection is an expected case.
                tokio::spawn(async move { server.serve(stream).await });
            }
        });
        server
    }

    /// How the application reaches it.
    pub fn settings(&self) -> BucketSettings {
        BucketSettings {
            endpoint: self.origin.parse().unwrap(),
            name: BUCKET.into(),
            region: REGION.into(),
            prefix: "tidewall/".into(),
            path_style: true,
            access_key: ACCESS_KEY.into(),
            secret_key: SECRET_KEY.into(),
            lock: None,
            timeout: Duration::from_secs(20),
        }
    }

    /// The same as settings of the program.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("TIDEWALL_EVIDENCE__STORAGE", "s3".into()),
            ("TIDEWALL_EVIDENCE__S3__ENDPOINT", self.origin.clone()),
            ("TIDEWALL_EVIDENCE__S3__BUCKET", BUCKET.into()),
            ("TIDEWALL_EVIDENCE__S3__REGION", REGION.into()),
            ("TIDEWALL_EVIDENCE__S3__PREFIX", "tidewall".into()),
            ("TIDEWALL_EVIDENCE__S3__ACCESS_KEY", ACCESS_KEY.into()),
            ("TIDEWALL_EVIDENCE__S3__SECRET_KEY", SECRET_KEY.into()),
        ]
    }

    /// Faults of the next answers to this method, before it works again.
    pub fn next(&self, method: &str, faults: impl IntoIterator<Item = ObjectFault>) {
        self.state.lock().unwrap().next.entry(method.into()).or_default().extend(faults);
    }

    /// A fault of every answer to this method from now on; `None` ends it.
    pub fn always(&self, method: &str, fault: Option<ObjectFault>) {
        let always = &mut self.state.lock().unwrap().always;
        match fault {
            Some(fault) => always.insert(method.into(), fault),
            None => always.remove(method),
        };
    }

    /// Sends the answers that are held.
    pub fn release(&self) {
        self.released.send_modify(|count| *count += 1);
    }

    /// How many answers have been held.
    pub fn held(&self) -> usize {
        self.state.lock().unwrap().held
    }

    /// How many requests with this method had a right signature.
    pub fn count(&self, method: &str) -> usize {
        self.state.lock().unwrap().counts.get(method).copied().unwrap_or(0)
    }

    /// The names of all objects.
    pub fn names(&self) -> Vec<String> {
        self.state.lock().unwrap().objects.keys().cloned().collect()
    }

    /// Changes an object behind the back of the application.
    pub fn tamper(&self, name: &str, bytes: &[u8]) {
        fs::write(&self.state.lock().unwrap().objects[name], bytes).unwrap();
    }

    /// Deletes an object behind the back of the application.
    pub fn lose(&self, name: &str) {
        self.state.lock().unwrap().objects.remove(name).unwrap();
    }

    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut buffer = Vec::new();
        loop {
            let asked = self.read(&mut stream, &mut buffer).await?;
            let mut answer = if let Some(code) = refusal(&asked) {
                Answer::error(403, code)
            } else {
                let fault = self.fault(&asked.method);
                self.answered(&mut stream, &asked, fault).await?
            };
            if asked.method == "HEAD" {
                answer.body.clear();
            }
            stream.write_all(answer.head.as_bytes()).await.ok()?;
            stream.write_all(&answer.body).await.ok()?;
        }
    }

    fn fault(&self, method: &str) -> Option<ObjectFault> {
        let mut state = self.state.lock().unwrap();
        *state.counts.entry(method.into()).or_default() += 1;
        let scripted = state.next.get_mut(method).and_then(VecDeque::pop_front);
        scripted.or_else(|| state.always.get(method).copied())
    }

    /// The answer; `None` if the connection ends without one.
    async fn answered(
        &self,
        stream: &mut TcpStream,
        asked: &ReceivedRequest,
        fault: Option<ObjectFault>,
    ) -> Option<Answer> {
        match fault {
            None => Some(self.perform(asked)),
            Some(ObjectFault::Status(status)) => Some(Answer::error(status, "InternalError")),
            Some(ObjectFault::Cut) => cut(stream),
            Some(ObjectFault::DoneThenCut) => {
                self.perform(asked);
                cut(stream)
            }
            Some(ObjectFault::HalfThenCut) => {
                let answer = self.perform(asked);
                stream.write_all(answer.head.as_bytes()).await.ok()?;
                stream.write_all(&answer.body[..answer.body.len() / 2]).await.ok()?;
                // An ordinary end of the connection: a reset could take back what was sent.
                stream.shutdown().await.ok()?;
                None
            }
            Some(ObjectFault::Hang) => {
                let mut rest = Vec::new();
                let _ = stream.read_to_end(&mut rest).await;
                None
            }
            Some(ObjectFault::Hold) => {
                let mut released = self.released.subscribe();
                let answer = self.perform(asked);
                self.state.lock().unwrap().held += 1;
                released.changed().await.ok()?;
                Some(answer)
            }
        }
    }

    fn perform(&self, asked: &ReceivedRequest) -> Answer {
        let path = asked.target.split('?').next().unwrap_or_default();
        let mut state = self.state.lock().unwrap();
        let Some(name) = path.strip_prefix(&format!("/{BUCKET}/")) else {
            let ours = path == format!("/{BUCKET}");
            return if ours { Answer::ok("", Vec::new()) } else { Answer::error(404, "NoSuchBucket") };
        };
        match (asked.method.as_str(), state.objects.get(name)) {
            ("PUT", _) => {
                state.objects.insert(name.into(), asked.file.clone());
                Answer::ok("", Vec::new())
            }
            ("DELETE", _) => {
                state.objects.remove(name);
                Answer { head: "HTTP/1.1 204 No Content\r\n\r\n".into(), body: Vec::new() }
            }
            (_, None) => Answer::error(404, "NoSuchKey"),
            ("HEAD", Some(file)) => Answer::ok("", fs::read(file).unwrap()),
            (_, Some(file)) => part(&fs::read(file).unwrap(), asked.headers.get("range")),
        }
    }

    /// Reads one request; its body goes to a file of its own.
    async fn read(&self, stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<ReceivedRequest> {
        let end = loop {
            if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            read_more(stream, buffer).await?;
        };
        let head = String::from_utf8(buffer.drain(..end).collect()).ok()?;
        let mut lines = head.lines();
        let mut first = lines.next()?.split(' ');
        let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
        let headers: BTreeMap<String, String> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let mut left: usize = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let number = {
            let mut state = self.state.lock().unwrap();
            state.files += 1;
            state.files
        };
        let file = self.folder.path().join(number.to_string());
        let (mut written, mut hash) = (fs::File::create(&file).unwrap(), Context::new(&SHA256));
        while left > 0 {
            if buffer.is_empty() {
                read_more(stream, buffer).await?;
            }
            let taken: Vec<u8> = buffer.drain(..buffer.len().min(left)).collect();
            std::io::Write::write_all(&mut written, &taken).unwrap();
            hash.update(&taken);
            left -= taken.len();
        }
        Some(ReceivedRequest { method, target, headers, file, sha256: hex(hash.finish().as_ref()) })
    }
}

/// Resets the connection when it is dropped.
fn cut(stream: &TcpStream) -> Option<Answer> {
    let _ = stream.set_zero_linger();
    None
}

async fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let read = stream.read_buf(buffer).await.ok()?;
    (read > 0).then_some(())
}

struct Answer {
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn ok(more: &str, body: Vec<u8>) -> Self {
        let status = if more.is_empty() { "200 OK" } else { "206 Partial Content" };
        Self { head: format!("HTTP/1.1 {status}\r\n{more}content-length: {}\r\n\r\n", body.len()), body }
    }

    /// An error that repeats the key, as real servers do.
    fn error(status: u16, code: &str) -> Self {
        let body = format!("<Error><Code>{code}</Code><AWSAccessKeyId>{ACCESS_KEY}</AWSAccessKeyId></Error>");
        let head = format!("HTTP/1.1 {status} No\r\ncontent-length: {}\r\n\r\n", body.len());
        Self { head, body: body.into_bytes() }
    }
}

fn part(bytes: &[u8], range: Option<&String>) -> Answer {
    let Some((first, last)) = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-')) else {
        return Answer::ok("", bytes.to_vec());
    };
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    if first >= bytes.len() {
        return Answer::error(416, "InvalidRange");
    }
    let end = (last + 1).min(bytes.len());
    let said = format!("content-range: bytes {first}-{}/{}\r\n", end - 1, bytes.len());
    Answer::ok(&said, bytes[first..end].to_vec())
}

/// Why a request is refused. The rule is read from what arrived, and shares no code with the client that signs.
fn refusal(asked: &ReceivedRequest) -> Option<&'static str> {
    let header = |name: &str| asked.headers.get(name).map(String::as_str).unwrap_or_default();
    let Some(rest) = header("authorization").strip_prefix("AWS4-HMAC-SHA256 ") else {
        return Some("AccessDenied");
    };
    let fields: HashMap<&str, &str> =
        rest.split(',').filter_map(|field| field.trim().split_once('=')).collect();
    let field = |name: &str| fields.get(name).copied().unwrap_or_default();
    let date = header("x-amz-date");
    let day = date.get(..8).unwrap_or_default();
    let scope = format!("{day}/{REGION}/s3/aws4_request");
    if field("Credential") != format!("{ACCESS_KEY}/{scope}") {
        return Some("InvalidAccessKeyId");
    }
    let signed: Vec<&str> = field("SignedHeaders").split(';').collect();
    let must = |name: &&String| *name == "host" || name.starts_with("x-amz-");
    if !signed.is_sorted() || asked.headers.keys().filter(must).any(|name| !signed.contains(&&**name)) {
        return Some("AccessDenied");
    }
    let has_body = asked.sha256 != EMPTY;
    if header("x-amz-content-sha256") != asked.sha256 || (asked.method == "PUT") != has_body {
        return Some("XAmzContentSHA256Mismatch");
    }
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    let mut parameters: Vec<&str> = query.split('&').collect();
    parameters.sort_unstable();
    let lines: Vec<String> = signed.iter().map(|name| format!("{name}:{}\n", header(name))).collect();
    let text = format!(
        "{}\n{path}\n{}\n{}\n{}\n{}",
        asked.method,
        parameters.join("&"),
        lines.concat(),
        signed.join(";"),
        asked.sha256
    );
    let hashed = hex(digest(&SHA256, text.as_bytes()).as_ref());
    let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{hashed}");
    let sign = |key: &[u8], text: &str| {
        hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text.as_bytes()).as_ref().to_vec()
    };
    let key = sign(format!("AWS4{SECRET_KEY}").as_bytes(), day);
    let key = sign(&sign(&sign(&key, REGION), "s3"), "aws4_request");
    (field("Signature") != hex(&sign(&key, &text))).then_some("SignatureDoesNotMatch")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
