//! The whole service as a process: started, queried, stopped.

use std::{
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::tidewall;
use crate::serving::client::Client;

pub(super) struct Service {
    child: Child,
    pub(super) address: SocketAddr,
    /// What it logged since it listens.
    log: mpsc::Receiver<String>,
}

impl Service {
    fn start(data_dir: &TempDir) -> Self {
        Self::start_with(data_dir, &[])
    }

    pub(super) fn start_with(data_dir: &TempDir, arguments: &[&str]) -> Self {
        Self::spawn(data_dir, arguments, "")
    }

    pub(super) fn start_with_operator(data_dir: &TempDir, operator: &str) -> Self {
        Self::spawn(data_dir, &[], operator)
    }

    fn spawn(data_dir: &TempDir, arguments: &[&str], operator: &str) -> Self {
        let mut child = tidewall(&["serve", "--listen", "127.0.0.1:0"])
            .args(["--data-dir", data_dir.path().to_str().unwrap()])
            .args(arguments)
            .env("TIDEWALL_OPERATOR__LISTEN", operator)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("it says where it listens").unwrap();
            let entry: serde_json::Value =
                serde_json::from_str(&line).expect("the log is JSON off a terminal");
            let message = entry["message"].as_str().unwrap_or_default();
            assert!(!message.starts_with("ready"), "it says that it is ready before it listens");
            if let Some(address) = message.strip_prefix("listening on http://") {
                break address.parse().unwrap();
            }
        };
        let (sender, log) = mpsc::channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { child, address, log }
    }

    /// Waits until a line of the log says this.
    pub(super) fn wait_for_log(&self, text: &str) {
        let limit = Duration::from_secs(10);
        while !self.log.recv_timeout(limit).expect("the log says it in time").contains(text) {}
    }

    pub(super) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn starts_on_an_empty_directory_answers_and_ends_on_sigterm() {
    let directory = TempDir::new().unwrap();
    for _ in 0..2 {
        let mut service = Service::start(&directory);
        service.wait_for_log("ready: open http://");
        let mut client = Client::connect(service.address).await;
        for path in ["/api/healthz", "/api/ping"] {
            client.request("GET", path).await;
            assert_eq!(client.answer().await.unwrap().status, 200, "{path}");
        }
        client.request("GET", "/nowhere").await;
        let answer = client.answer().await.unwrap();
        assert_eq!(answer.status, 404);
        answer.error();
        let since = Instant::now();
        service.signal("TERM");
        let status = loop {
            if let Some(status) = service.child.try_wait().unwrap() {
                break status;
            }
            assert!(since.elapsed() < Duration::from_secs(10), "does not end within ten seconds");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        assert!(status.success(), "{status}");
    }
}
