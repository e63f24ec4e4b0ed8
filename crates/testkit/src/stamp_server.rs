//! A time stamping authority on this machine: `openssl ts`, with a certificate of its own, behind HTTP.

use std::{
    collections::VecDeque,
    fs,
    path::Path,
    process::Command,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
    routing::post,
};
use tempfile::TempDir;
use tokio::net::TcpListener;

/// What is wrong with one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StampFault {
    /// The server answers 503.
    Away,
    /// The authority takes other digests only.
    Refused,
    /// The stamp is about another digest.
    OtherDigest,
    /// The stamp answers another request about the same digest.
    OtherNonce,
    /// No response of an authority.
    Garbage,
    /// The response breaks off.
    Cut,
}

#[derive(Debug)]
struct Authority {
    folder: TempDir,
    faults: Mutex<VecDeque<StampFault>>,
    asked: Mutex<usize>,
}

/// The running authority.
#[derive(Debug, Clone)]
pub struct StampServer {
    pub url: String,
    authority: Arc<Authority>,
}

const CONFIG: &str = "\
[tsa]
default_tsa = own
[own]
serial = serial
signer_cert = tsa.pem
certs = ca.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
clock_precision_digits = 3
accuracy = secs:1
ordering = yes
tsa_name = yes
ess_cert_id_alg = sha256
";
/// The steps that make the certificate of the authority.
const STEPS: [&str; 3] = [
    "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=Test",
    "req -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj /CN=Stamps",
    "x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile extensions -out tsa.pem",
];

/// Runs openssl in a folder; says whether it succeeded.
fn openssl(folder: &Path, line: &str) -> bool {
    let output = Command::new("openssl").args(line.split(' ')).current_dir(folder).output().unwrap();
    output.status.success()
}

impl StampServer {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("extensions"), "extendedKeyUsage = critical, timeStamping\n").unwrap();
        fs::write(folder.path().join("usual.cnf"), CONFIG).unwrap();
        fs::write(folder.path().join("other.cnf"), CONFIG.replace("sha256\nclock", "sha512\nclock")).unwrap();
        fs::write(folder.path().join("serial"), "01\n").unwrap();
        for step in STEPS {
            assert!(openssl(folder.path(), step), "openssl {step}");
        }
        let (faults, asked) = (Mutex::default(), Mutex::default());
        let authority = Arc::new(Authority { folder, faults, asked });
        let router = Router::new().route("/tsr", post(answer)).with_state(Arc::clone(&authority));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/tsr", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, authority }
    }

    /// The next answers are wrong in these ways.
    pub fn fail(&self, faults: impl IntoIterator<Item = StampFault>) {
        self.authority.faults.lock().unwrap().extend(faults);
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        *self.authority.asked.lock().unwrap()
    }

    /// Whether openssl, which knows the certificate of this authority, accepts a stamp about some bytes.
    pub fn accepts(&self, stamp: &[u8], about: &[u8]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("stamp", stamp), ("data", about)] {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let ca = self.authority.folder.path().join("ca.pem");
        openssl(folder.path(), &format!("ts -verify -data data -in stamp -CAfile {}", ca.display()))
    }
}

async fn answer(State(authority): State<Arc<Authority>>, headers: HeaderMap, body: Bytes) -> Response {
    assert_eq!(headers[CONTENT_TYPE], "application/timestamp-query");
    *authority.asked.lock().unwrap() += 1;
    let fault = authority.faults.lock().unwrap().pop_front();
    if headers.get("authorization").is_none_or(|sent| sent != "Basic dGVzdA==") {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if fault == Some(StampFault::Away) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let signing = move || signed(authority.folder.path(), &body, fault);
    let response = tokio::task::spawn_blocking(signing).await.unwrap();
    ([(CONTENT_TYPE, "application/timestamp-reply")], response).into_response()
}

fn signed(folder: &Path, query: &[u8], fault: Option<StampFault>) -> Vec<u8> {
    let mut query = query.to_vec();
    // Behind the digest of 32 bytes is the nonce.
    let digest = query.windows(2).position(|bytes| bytes == [0x04, 0x20]).unwrap() + 2;
    match fault {
        Some(StampFault::OtherDigest) => query[digest] ^= 1,
        Some(StampFault::OtherNonce) => query[digest + 36] ^= 1,
        Some(StampFault::Garbage) => return b"<html>not here</html>".to_vec(),
        _ => {}
    }
    let config = if fault == Some(StampFault::Refused) { "other.cnf" } else { "usual.cnf" };
    fs::write(folder.join("query"), &query).unwrap();
    let line = format!("ts -reply -config {config} -section own -queryfile query -out response");
    assert!(openssl(folder, &line), "openssl {line}");
    let mut response = fs::read(folder.join("response")).unwrap();
    if fault == Some(StampFault::Cut) {
        response.truncate(response.len() / 2);
    }
    response
}
