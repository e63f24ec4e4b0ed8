//! The tests' mail server: a real one in a process of its own, observed through its output.

use std::{process::Stdio, time::Duration};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/smtp/server.py");
/// Debian's own interpreter, which finds Debian's packages.
const PYTHON: &str = "/usr/bin/python3";
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct Postbox {
    pub(super) port: u16,
    process: Child,
    received: UnboundedReceiver<Value>,
}

impl Postbox {
    pub(super) async fn start(arguments: &[&str]) -> Self {
        let python = std::env::var("TIDEWALL_TEST_PYTHON").unwrap_or_else(|_| PYTHON.to_owned());
        let mut process = Command::new(&python)
            .arg(SERVER)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{python} cannot be started: {error}"));
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        // Read continuously: a server whose output is not read blocks.
        let (sender, received) = unbounded_channel();
        tokio::spawn(async move {
            while let Some(line) = lines.next_line().await.unwrap() {
                let _ = sender.send(serde_json::from_str(&line).unwrap());
            }
        });
        let mut postbox = Self { port: 0, process, received };
        let started = postbox.next().await.unwrap_or_else(|| {
            panic!("install python3-aiosmtpd, or set TIDEWALL_TEST_PYTHON to a Python that has aiosmtpd: {python} has not")
        });
        postbox.port = started["port"].as_u64().unwrap().try_into().unwrap();
        postbox
    }

    /// The next event, or `None` when the server has ended.
    async fn next(&mut self) -> Option<Value> {
        tokio::time::timeout(PATIENCE, self.received.recv()).await.expect("the mail server is silent")
    }

    /// Waits for an event of this kind and returns it.
    pub(super) async fn wait_for(&mut self, event: &str) -> Value {
        loop {
            let next = self.next().await.expect("the mail server has ended");
            if next["event"] == event {
                return next;
            }
        }
    }

    /// Ends the server and returns all events that no test waited for.
    pub(super) async fn end(mut self) -> Vec<Value> {
        drop(self.process.stdin.take());
        let mut events = vec![];
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

pub(super) fn count(events: &[Value], event: &str) -> usize {
    events.iter().filter(|received| received["event"] == event).count()
}

/// A certificate for `localhost` with its key, in temporary files.
pub(super) struct Certificate {
    folder: TempDir,
    pub(super) der: rustls::pki_types::CertificateDer<'static>,
}

impl Certificate {
    pub(super) fn new() -> Self {
        let issued = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("certificate.pem"), issued.cert.pem()).unwrap();
        std::fs::write(folder.path().join("key.pem"), issued.signing_key.serialize_pem()).unwrap();
        Self { folder, der: issued.cert.der().clone() }
    }

    /// A server that shows this certificate.
    pub(super) async fn postbox(&self, security: &str, more: &[&str]) -> Postbox {
        let file = |name: &str| self.folder.path().join(name).display().to_string();
        let (certificate, key) = (file("certificate.pem"), file("key.pem"));
        let shown = ["--security", security, "--certificate", &certificate, "--key", &key];
        Postbox::start(&[&shown, more].concat()).await
    }
}
