//! The real binary on a real port, started and killed at will.

use std::{
    fs::{self, File, OpenOptions},
    io::Write as _,
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

pub(super) struct Service {
    pub(super) dir: TempDir,
    pub(super) address: SocketAddr,
    settings: Vec<(String, String)>,
    /// The program: the one under test, unless a test needs another version.
    pub(super) program: PathBuf,
    /// The command before the program when it serves, such as a shell that prepares something.
    pub(super) before: Vec<String>,
    child: Option<Child>,
}

/// A client with this key, without redirects and proxies.
pub(super) fn client(key: &str) -> reqwest::Client {
    // The client's TLS is rarely used here but needs its provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let bearer = format!("Bearer {}", key.trim()).parse().unwrap();
    let headers = [(http::header::AUTHORIZATION, bearer)].into_iter().collect();
    reqwest::Client::builder()
        .default_headers(headers)
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .danger_accept_invalid_certs(true)
        .timeout(Duration::from_secs(15))
        .build()
        .unwrap()
}

/// A file that other users of this machine cannot read, as the service requires of its key.
pub(super) fn write_private(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

pub(super) fn this_version() -> PathBuf {
    env!("CARGO_BIN_EXE_tidewall").into()
}

impl Service {
    /// A store with one tenant, not started yet.
    pub(super) fn new() -> Self {
        let service = Self::with(&[
            ("TIDEWALL_LIMITS__V1__STANDARD", "1000000"),
            ("TIDEWALL_LIMITS__V1__BURST", "1000000"),
        ]);
        service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
        service
    }

    /// With these settings in its environment, and nothing in its store.
    pub(super) fn with(settings: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        // The port stays free between runs unless another process grabs it in that very moment.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let program = this_version();
        Self { dir, address, settings: settings.collect(), program, before: Vec::new(), child: None }
    }

    /// One more setting for the next start.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(super) fn is_running(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| child.try_wait().unwrap().is_none())
    }

    pub(super) fn data_dir(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// Runs a command on the store and returns its output.
    pub(super) fn verb(&self, arguments: &[&str]) -> String {
        let output = self.try_verb(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(super) fn try_verb(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// Runs a command and kills it after a while, if it is still running.
    pub(super) fn killed_after(&self, arguments: &[&str], pause: Duration) {
        let quiet = || Stdio::null();
        let mut child = self.command().args(arguments).stdout(quiet()).stderr(quiet()).spawn().unwrap();
        std::thread::sleep(pause);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// An administrator who can sign in.
    pub(super) fn person(&self, email: &str, password: &str) {
        self.person_as(email, password, "administrator");
    }

    pub(super) fn person_as(&self, email: &str, password: &str, role: &str) {
        let arguments = ["user", "create", email, "--tenant", "north", "--role", role, "--password-stdin"];
        let mut child = self.command().args(arguments).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(password.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env("TIDEWALL_DATA_DIR", self.data_dir())
            .env("TIDEWALL_OPERATOR__LISTEN", "")
            .envs(self.settings.iter().map(|(name, value)| (name, value)));
        // The load creates webhooks without end, and people sign in with a password alone. Earlier versions do not know
        // the settings and would refuse them.
        if self.program == this_version() {
            command.env("TIDEWALL_QUOTAS__WEBHOOKS", "0");
            command.env("TIDEWALL_SIGN_IN__SECOND_FACTOR_OF_NEW_INSTITUTIONS", "nobody");
        }
        command
    }

    /// Starts the service and returns how long it took to be ready.
    pub(super) fn start(&mut self) -> Duration {
        self.start_within(Duration::from_secs(20), &[], Stdio::null())
    }

    /// Starts the service with the demo tenant and returns its key, its user's address and their password.
    pub(super) fn start_demo(&mut self) -> [String; 3] {
        let said = self.dir.path().join("said");
        self.start_within(Duration::from_mins(3), &["--demo"], File::create(&said).unwrap().into());
        let said = fs::read_to_string(said).unwrap();
        let after = |name: &str| {
            let line = said.lines().find_map(|line| line.trim().strip_prefix(name)).unwrap();
            line.trim().to_owned()
        };
        let sign_in = after("Sign in");
        let words: Vec<&str> = sign_in.split_whitespace().collect();
        let [email, "password", password, ..] = words[..] else { panic!("{sign_in}") };
        [after("API key"), email.to_owned(), password.to_owned()]
    }

    fn start_within(&mut self, patience: Duration, flags: &[&str], output: Stdio) -> Duration {
        let started = Instant::now();
        let log = File::options().create(true).append(true).open(self.dir.path().join("log")).unwrap();
        let mut command = self.command();
        if let [program, arguments @ ..] = &self.before[..] {
            let mut outer = Command::new(program);
            outer.args(arguments).arg(command.get_program());
            outer.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
            command = outer;
        }
        let child = command
            .args(["serve", "--listen", &self.address.to_string()])
            .args(flags)
            .stdout(output)
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
        while !self.is_ready() {
            assert!(self.is_running(), "it has ended: {}", self.log());
            assert!(started.elapsed() < patience, "not ready: {}", self.log());
            std::thread::sleep(Duration::from_millis(5));
        }
        started.elapsed()
    }

    pub(super) fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Its whole output so far, over all runs.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).unwrap()
    }

    pub(super) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end; returns the status and the duration.
    pub(super) async fn ended(&mut self) -> (ExitStatus, Duration) {
        let since = Instant::now();
        loop {
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                self.child = None;
                return (status, since.elapsed());
            }
            assert!(since.elapsed() < Duration::from_secs(30), "it does not end: {}", self.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn is_ready(&self) -> bool {
        use std::io::Read as _;
        let Ok(mut stream) = TcpStream::connect(self.address) else { return false };
        // With TLS an open port is all that can be checked from here.
        if self.settings.iter().any(|(name, _)| name == "TIDEWALL_TLS__CERT_FILE") {
            return true;
        }
        let asked = stream.write_all(b"GET /api/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        let mut answer = String::new();
        asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
    }

    /// Ends it at once, without a shutdown.
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
