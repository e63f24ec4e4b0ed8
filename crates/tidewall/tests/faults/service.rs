//! The real binary on a real port, started and killed at will.

use std::{
    fs::File,
    io::Write as _,
    net::{SocketAddr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

pub(super) struct Service {
    pub(super) dir: TempDir,
    pub(super) address: SocketAddr,
    child: Option<Child>,
}

impl Service {
    /// A store with one tenant, not started yet.
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        // The port stays free between runs unless another process grabs it in that very moment.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let service = Self { dir, address, child: None };
        service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
        service
    }

    pub(super) fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// Runs a verb on the store and returns what it prints.
    pub(super) fn verb(&self, arguments: &[&str]) -> String {
        let output = self.command().args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidewall"));
        command
            .env("TIDEWALL_DATA_DIR", self.data_dir())
            .env("TIDEWALL_OPERATOR__LISTEN", "")
            .env("TIDEWALL_LIMITS__V1__STANDARD", "1000000")
            .env("TIDEWALL_LIMITS__V1__BURST", "1000000");
        command
    }

    /// Starts the service and says how long it took to be ready.
    pub(super) fn start(&mut self) -> Duration {
        let started = Instant::now();
        let log = File::options().create(true).append(true).open(self.dir.path().join("log")).unwrap();
        let child = self
            .command()
            .args(["serve", "--listen", &self.address.to_string()])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
        while !self.is_ready() {
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "not ready: see {}",
                self.dir.path().display()
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        started.elapsed()
    }

    fn is_ready(&self) -> bool {
        use std::io::Read as _;
        let Ok(mut stream) = TcpStream::connect(self.address) else { return false };
        let asked = stream.write_all(b"GET /api/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        let mut answer = String::new();
        asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
    }

    /// No warning, no last words.
    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}
