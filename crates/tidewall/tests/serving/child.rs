//! A server in a process of its own, for tests of a whole process: signals and file descriptors.
//!
//! The child is this test binary, which a variable makes serve instead of test.

use std::{
    env,
    io::{BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    process::{Child, Command, ExitStatus, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use tidewall::{
    config::{Configuration, Layers},
    lifecycle, serve,
};
use tokio::sync::Semaphore;

use super::server::router;

const SERVE: &str = "TIDEWALL_TEST_SERVE";

/// The server of the child. As a test among others it does nothing.
#[test]
fn serves_when_reported_to() {
    if env::var_os(SERVE).is_none() {
        return;
    }
    let layers = Layers::default()
        .with_environment(env::vars_os())
        .with_flag("listen", Some("127.0.0.1:0".to_owned()))
        .with_flag("operator.listen", Some(String::new()));
    let settings = Configuration::load(&layers).unwrap().settings;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let (shutdown, reload) = lifecycle::watch_signals(settings.server.shutdown).unwrap();
        let listeners = serve::Listeners::bind(&settings).unwrap();
        writeln!(std::io::stderr(), "listening {}", listeners.address()).unwrap();
        let surfaces =
            serve::Surfaces { public: router(Arc::new(Semaphore::new(0))), operator: axum::Router::new() };
        listeners.serve(surfaces, shutdown, reload).await;
    });
}

pub(crate) struct ChildServer {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl ChildServer {
    /// Starts one with these variables in its environment and waits until it listens.
    pub(crate) fn start(environment: &[(&str, &str)]) -> Self {
        Self::spawn(Command::new(env::current_exe().unwrap()), environment)
    }

    /// The same through a shell script that ends in `exec "$0" "$@"`.
    pub(crate) fn start_through_shell(script: &str, environment: &[(&str, &str)]) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).arg(env::current_exe().unwrap());
        Self::spawn(shell, environment)
    }

    fn spawn(mut command: Command, environment: &[(&str, &str)]) -> Self {
        let mut child = command
            .args(["--exact", "serving::child::serves_when_reported_to", "--nocapture"])
            .env(SERVE, "1")
            .envs(environment.iter().copied())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the child says where it listens").unwrap();
            if let Some(address) = line.strip_prefix("listening ") {
                break address.parse().unwrap();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Whether the process has been sent a signal that it has not received yet.
    pub(crate) fn has_a_signal_waiting(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let waiting = status.lines().find_map(|line| line.strip_prefix("ShdPnd:")).unwrap();
        waiting.contains(|digit: char| digit.is_ascii_hexdigit() && digit != '0')
    }

    /// Waits for the end and returns how it ended and how long that took.
    pub(crate) async fn ended(&mut self) -> (ExitStatus, Duration) {
        let since = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, since.elapsed());
            }
            assert!(since.elapsed() < Duration::from_secs(30), "the child does not end");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Processor time used so far, in ticks of a hundredth of a second.
    pub(crate) fn cpu_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        let fields: Vec<_> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

impl Drop for ChildServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
