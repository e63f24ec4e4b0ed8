//! The settings of `packaging/compose` against real servers: their scripts, certificates, passwords and options.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

use super::servers::{Postgres, free_address, wait_until};
use crate::house::{packaging::Compose, root};

const SYSTEM: &str = "/etc/ssl/certs/ca-certificates.crt";

/// What `setup.sh` made, in a directory that servers of other users can reach.
struct Setup {
    dir: TempDir,
}

impl Setup {
    fn run() -> Self {
        let dir = tempfile::Builder::new().prefix("tidewall-compose").tempdir_in("/tmp").unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let setup = Self { dir };
        setup.again();
        setup
    }

    fn again(&self) {
        let script = folder().join("setup.sh");
        let done =
            Command::new("sh").arg(script).args([self.dir.path(), Path::new(SYSTEM)]).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// An address in the settings of a node, with another host and port.
    fn address(&self, setting: &str, host: &str) -> String {
        let settings: toml::Table = self.text("node/tidewall.toml").parse().unwrap();
        let address = settings[setting].as_str().unwrap();
        let (before, after) = address.split_once('@').unwrap();
        let path = after.find(['/', '?']).map_or("", |at| &after[at..]);
        format!("{before}@{host}{path}")
    }

    fn tidewall(&self, arguments: &[&str], settings: &[(&str, &str)], authorities: &Path) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidewall"));
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("TIDEWALL_")) {
                command.env_remove(name);
            }
        }
        command.args(arguments).arg("--data-dir").arg(self.path("data")).env("SSL_CERT_FILE", authorities);
        command.env("TIDEWALL_CONFIG", self.path("node/tidewall.toml"));
        command.envs(settings.iter().copied()).output().unwrap()
    }
}

fn folder() -> PathBuf {
    root().join("packaging/compose")
}

fn printed(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn setup_makes_private_files_once() {
    let setup = Setup::run();
    let private = [
        "postgres/server.key",
        "postgres/superuser-password",
        "postgres/tidewall-password",
        "valkey/server.key",
        "valkey/valkey.conf",
        "node/server.key",
        "node/tidewall.toml",
    ];
    let before = private.map(|name| setup.text(name));
    for name in private {
        let mode = fs::metadata(setup.path(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
    assert_ne!(before[1], before[2], "each has a password of its own");
    assert!(before[1].len() >= 32 && before[2].len() >= 32);
    setup.again();
    assert_eq!(private.map(|name| setup.text(name)), before);
    let keys = fs::read_dir(setup.path("ca")).unwrap().map(|entry| entry.unwrap().file_name());
    let keys: Vec<_> = keys.filter(|name| name.to_string_lossy().ends_with(".key")).collect();
    assert!(keys.is_empty(), "the authority can issue more: {keys:?}");
    // Certificates that were deleted are renewed; passwords stay.
    fs::remove_file(setup.path("ca/ca.pem")).unwrap();
    setup.again();
    assert_ne!(setup.text("node/server.key"), before[5]);
    assert_eq!(setup.text("node/tidewall.toml"), before[6]);
}

#[test]
fn postgres_is_reached_over_tls_only_and_its_certificate_is_checked() {
    let setup = Setup::run();
    let command = Compose::read().command("postgres");
    assert_eq!(command[0], "postgres");
    let options = command[1..].join(" ").replace("/run/tidewall", &setup.dir.path().display().to_string());
    let server = Postgres::as_in_compose(options, setup.dir.path(), &folder().join("role.sh"));
    let bundle = setup.path("ca/bundle.pem");
    let (bundle, system) = (bundle.as_path(), Path::new(SYSTEM));
    let at = |host: &str| setup.address("database_url", &format!("{host}:{}", server.port));
    let migrate = |url: &str, authorities: &Path| {
        setup.tidewall(&["migrate"], &[("TIDEWALL_DATABASE_URL", url)], authorities)
    };
    let right = at("localhost");
    assert!(right.ends_with("?sslmode=verify-full"), "the address asks for a check");
    for (why, url, authorities) in [
        ("an authority that is not known", right.clone(), system),
        ("a name that is not in the certificate", at("127.0.0.1"), bundle),
        ("no TLS", right.replace("verify-full", "disable"), bundle),
        ("another password", right.replacen("tidewall:", "tidewall:x", 1), bundle),
    ] {
        let refused = migrate(&url, authorities);
        assert!(!refused.status.success(), "{why}: {}", printed(&refused));
    }
    let done = migrate(&right, bundle);
    assert!(done.status.success(), "{}", printed(&done));
    // pg_dump takes the same way, with the same check.
    let file = setup.path("backup.dump").display().to_string();
    let backup = |authorities: &Path| {
        let settings = [("TIDEWALL_DATABASE_URL", right.as_str())];
        setup.tidewall(&["backup", "--output", &file], &settings, authorities)
    };
    assert!(!backup(system).status.success());
    let done = backup(bundle);
    assert!(done.status.success(), "{}", printed(&done));
}

/// A server that is stopped at the end.
struct Counters(Child);

impl Drop for Counters {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_counters_are_reached_over_tls_only_and_with_a_password() {
    let setup = Setup::run();
    let port = free_address().port().to_string();
    let child = Command::new("redis-server")
        .arg(setup.path("valkey/valkey.conf"))
        .args(["--tls-port", &port, "--bind", "127.0.0.1"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let _server = Counters(child);
    let bundle = setup.path("ca/bundle.pem");
    let doctor = |url: &str, authorities: &Path| {
        let settings = [("TIDEWALL_DATABASE_URL", ""), ("TIDEWALL_REDIS_URL", url)];
        let found = printed(&setup.tidewall(&["doctor"], &settings, authorities));
        found.contains(&format!("localhost:{port} answers"))
    };
    let right = setup.address("redis_url", &format!("localhost:{port}"));
    wait_until("the counters answering", || doctor(&right, &bundle));
    assert!(!doctor(&right, Path::new(SYSTEM)), "an authority that is not known");
    assert!(!doctor(&right.replacen("rediss", "redis", 1), &bundle), "no TLS");
    assert!(!doctor(&right.replacen("://:", "://:x", 1), &bundle), "another password");
    assert!(!doctor(&format!("rediss://localhost:{port}"), &bundle), "no password");
}
