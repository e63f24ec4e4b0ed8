//! Servers of a test's own, which it may stop, freeze and restart without affecting other tests.

use std::{
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

pub(super) fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

pub(super) fn wait_until(what: &str, ready: impl Fn() -> bool) {
    let started = Instant::now();
    while !ready() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what} did not happen");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn signal(pid: u32, name: &str) {
    let done = Command::new("kill").args([format!("-{name}"), pid.to_string()]).status().unwrap();
    assert!(done.success(), "kill -{name} {pid}");
}

/// A Redis without persistence.
pub(super) struct Redis {
    address: SocketAddr,
    password: &'static str,
    child: Child,
}

impl Redis {
    pub(super) fn start() -> Self {
        Self::with_password("")
    }

    /// One that requires this password, or none.
    pub(super) fn with_password(password: &'static str) -> Self {
        let address = free_address();
        Self { address, password, child: Self::spawn(address, password) }
    }

    fn spawn(address: SocketAddr, password: &str) -> Child {
        let port = address.port().to_string();
        let child = Command::new("redis-server")
            .args(["--port", &port, "--bind", "127.0.0.1", "--save", "", "--requirepass", password])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        wait_until("Redis starting", || TcpStream::connect(address).is_ok());
        child
    }

    pub(super) fn url(&self) -> String {
        match self.password {
            "" => format!("redis://{}/", self.address),
            password => format!("redis://:{password}@{}/", self.address),
        }
    }

    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(super) fn restart(&mut self) {
        self.child = Self::spawn(self.address, self.password);
    }

    pub(super) fn freeze(&self) {
        signal(self.child.id(), "STOP");
    }

    pub(super) fn thaw(&self) {
        signal(self.child.id(), "CONT");
    }

    pub(super) fn flush(&self) {
        use std::io::{Read as _, Write as _};
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.write_all(b"FLUSHALL\r\n").unwrap();
        let mut answer = [0; 5];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"+OK\r\n");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A PostgreSQL cluster with a role that is no superuser, so that row-level security applies.
pub(super) struct Postgres {
    dir: TempDir,
    bin: PathBuf,
    pub(super) port: u16,
    /// Further options of the server.
    options: String,
    /// What its programs have in their environment besides.
    environment: Vec<(&'static str, String)>,
}

impl Postgres {
    pub(super) fn start() -> Self {
        Self::in_environment(Vec::new())
    }

    /// With these variables in the environment of all its processes.
    pub(super) fn in_environment(environment: Vec<(&'static str, String)>) -> Self {
        let dir = tempfile::Builder::new().prefix("tidewall-pg").tempdir_in("/tmp").unwrap();
        let server = Self::empty(dir, String::new(), environment);
        let sql = "CREATE ROLE tidewall LOGIN CREATEDB";
        server.psql(sql);
        server.psql("CREATE DATABASE tidewall OWNER tidewall");
        server
    }

    /// A cluster without roles and databases of its own, started with further options.
    fn empty(dir: TempDir, options: String, environment: Vec<(&'static str, String)>) -> Self {
        let server = Self { bin: newest_bin(), port: free_address().port(), dir, options, environment };
        server.hand_over();
        let data = server.data();
        server.run("initdb", &["-D", &data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8"]);
        server.resume();
        server
    }

    /// A cluster as compose starts it: `options` of its command, and the script that its image runs once. The files that
    /// the options name are in `secrets`.
    pub(super) fn as_in_compose(options: String, secrets: &Path, script: &Path) -> Self {
        let dir = tempfile::Builder::new().prefix("tidewall-pg").tempdir_in("/tmp").unwrap();
        if is_root() {
            let path = secrets.join("postgres");
            assert!(Command::new("chown").arg("-R").arg("postgres").arg(path).status().unwrap().success());
        }
        let server = Self::empty(dir, options, Vec::new());
        let environment = [
            format!("PGDATA={}", server.data()),
            format!("PGHOST={}", server.dir.path().display()),
            format!("PGPORT={}", server.port),
            format!("TIDEWALL_SETUP={}", secrets.display()),
        ];
        let mut command = Self::as_its_user(Path::new("env"));
        command.args(environment).args(["sh", "-s"]).stdin(std::fs::File::open(script).unwrap());
        let done = command.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        server.run("pg_ctl", &["-D", &server.data(), "reload"]);
        server
    }

    pub(super) fn url(&self) -> String {
        format!("postgres://tidewall@127.0.0.1:{}/tidewall?sslmode=disable", self.port)
    }

    fn data(&self) -> String {
        self.dir.path().join("data").display().to_string()
    }

    /// PostgreSQL refuses to run as root, so its directory belongs to its own user.
    fn hand_over(&self) {
        if is_root() {
            let path = self.dir.path().display().to_string();
            assert!(Command::new("chown").args(["postgres", &path]).status().unwrap().success());
        }
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = Self::as_its_user(Path::new("env"));
        command.args(self.environment.iter().map(|(name, value)| format!("{name}={value}")));
        command.arg(self.bin.join(program));
        let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    }

    fn as_its_user(program: &Path) -> Command {
        if !is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    }

    fn psql(&self, sql: &str) {
        let port = self.port.to_string();
        self.run("psql", &["-q", "-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-c", sql, "postgres"]);
    }

    /// Stops at once, like a power failure.
    pub(super) fn crash(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "-w", "stop"]);
    }

    pub(super) fn resume(&self) {
        let socket = self.dir.path().display();
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories={socket} -c max_connections=200 {}",
            self.port, self.options
        );
        let log = self.dir.path().join("log").display().to_string();
        self.run("pg_ctl", &["-D", &self.data(), "-w", "-l", &log, "-o", &options, "start"]);
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if Path::new(&self.data()).join("postmaster.pid").exists() {
            self.crash();
        }
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

pub(super) fn newest_bin() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("scripts/test installs PostgreSQL");
    let newest = versions.map(|entry| entry.unwrap().path()).max_by_key(|path| {
        path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<u32>().ok())
    });
    newest.unwrap().join("bin")
}
