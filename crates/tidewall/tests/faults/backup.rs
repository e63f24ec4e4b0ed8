//! `kill -9` and a full disk during backups and restores: a file with its final name is complete.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use serde_json::Value;
use store::sql::Location;
use tempfile::TempDir;
use testkit::{Engine, Scratch};

use super::{rounds, servers::wait_until, service::write_private};

/// A store reached through the command line alone.
struct Store {
    directory: TempDir,
    scratch: Scratch,
}

impl Store {
    fn new(engine: Engine, tenants: &[&str]) -> Self {
        Self { directory: TempDir::new().unwrap(), scratch: Scratch::unmigrated(engine) }
            .with_tenants(tenants)
    }

    /// A store of the same institution: it accepts backups of the other one.
    fn with_key_of(other: &Self, engine: Engine, tenants: &[&str]) -> Self {
        let store = Self { directory: TempDir::new().unwrap(), scratch: Scratch::unmigrated(engine) };
        fs::create_dir_all(store.data_dir()).unwrap();
        let key = fs::read(other.data_dir().join("secret.key")).unwrap();
        write_private(&store.data_dir().join("secret.key"), &key);
        store.with_tenants(tenants)
    }

    fn with_tenants(self, tenants: &[&str]) -> Self {
        for tenant in tenants {
            self.verb(&["tenant", "create", tenant, "--name", tenant]);
        }
        self
    }

    fn data_dir(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidewall"));
        command.args(arguments).env("TIDEWALL_DATA_DIR", self.data_dir());
        if let Location::Server { url, .. } = &self.scratch.location {
            command.env("TIDEWALL_DATABASE_URL", url);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn verb(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Enough rows for a copy to take a while.
    fn fatten(&self) {
        match &self.scratch.location {
            Location::File { .. } => {
                let store = rusqlite::Connection::open(self.data_dir().join("tidewall.db")).unwrap();
                store
                    .execute_batch(
                        "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 40000)
                         INSERT INTO store_meta SELECT 'padding ' || n, hex(randomblob(250)) FROM many",
                    )
                    .unwrap();
            }
            Location::Server { url, .. } => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                client
                    .batch_execute(
                        "CREATE TABLE padding AS SELECT n,
                         (SELECT string_agg(md5(random()::text || m || n.n), '') FROM generate_series(1, 15) AS m) AS body
                         FROM generate_series(1, 40000) AS n (n)",
                    )
                    .unwrap();
            }
        }
    }

    /// Runs a command and kills it after a while, if it is still running.
    fn kill_after(&self, arguments: &[&str], pause: Duration) {
        let mut child = self.command(arguments).spawn().unwrap();
        std::thread::sleep(pause);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn tenants(&self) -> Vec<String> {
        let printed: Value = serde_json::from_str(&self.verb(&["tenant", "list", "--json"])).unwrap();
        let list = printed.as_array().or_else(|| printed["tenants"].as_array()).unwrap().clone();
        list.iter().map(|tenant| tenant["slug"].as_str().unwrap().to_owned()).collect()
    }
}

fn parts(directory: &Path) -> usize {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().contains(".part")).count()
}

fn backups_that_are_killed_leave_none_or_a_whole_one(engine: Engine) {
    let store = Store::new(engine, &["north"]);
    store.fatten();
    let safe = TempDir::new().unwrap();
    let pass = safe.path().join("pass");
    fs::write(&pass, "correct horse battery staple").unwrap();
    let pass = pass.to_str().unwrap();
    for round in 0..rounds(6, 100) {
        let file = safe.path().join(format!("backup-{round}"));
        let file = file.to_str().unwrap();
        // Every second one is encrypted.
        let key: &[&str] = if round % 2 == 1 { &["--key-file", pass] } else { &[] };
        let backup = [&["backup", "--output", file], key].concat();
        store.kill_after(&backup, Duration::from_millis(20 + (round as u64 * 61) % 600));
        if Path::new(file).exists() {
            store.verb(&[&["restore", "--drill"], key, &[file]].concat());
        }
    }
    // The next one deletes the files of those that were killed.
    store.verb(&["backup", "--output", safe.path().join("last").to_str().unwrap()]);
    assert_eq!(parts(safe.path()) + parts(&store.data_dir()), 0, "leftovers");
}

#[test]
fn killed_backups_on_sqlite() {
    backups_that_are_killed_leave_none_or_a_whole_one(Engine::Sqlite);
}

#[test]
fn killed_backups_on_postgres() {
    backups_that_are_killed_leave_none_or_a_whole_one(Engine::Postgres);
}

/// A `pg_dump` that starts late: it reports its call, waits for a signal, and reports how it ended.
fn late_dump(directory: &Path) {
    let script = directory.join("pg_dump");
    let text = "#!/bin/sh\ncd \"$(dirname \"$0\")\" && PATH=${PATH#*:} && touch called\n\
                until [ -e go ]; do sleep 0.02; done\npg_dump \"$@\"; echo $? > status && mv status ended\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_dump_of_a_killed_backup_ends_and_leaves_no_file() {
    let store = Store::new(Engine::Postgres, &["north"]);
    let (tools, safe) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    late_dump(tools.path());
    let target = |name: &str| safe.path().join(name).to_str().unwrap().to_owned();
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
    let mut killed =
        store.command(&["backup", "--output", &target("killed")]).env("PATH", path).spawn().unwrap();
    wait_until("pg_dump is called", || tools.path().join("called").exists());
    killed.kill().unwrap();
    killed.wait().unwrap();
    store.verb(&["backup", "--output", &target("whole")]);
    assert_eq!(parts(safe.path()), 0, "the next backup tidies up");
    fs::write(tools.path().join("go"), "").unwrap();
    wait_until("pg_dump ended", || tools.path().join("ended").exists());
    assert_ne!(fs::read_to_string(tools.path().join("ended")).unwrap().trim(), "0", "the dump was received");
    assert_eq!(parts(safe.path()), 0, "the dump made a file when its backup was gone");
}

fn restores_that_are_killed_leave_the_old_store_or_the_new_one(engine: Engine) {
    let new = Store::new(engine, &["new"]);
    let old = Store::with_key_of(&new, engine, &["old"]);
    new.fatten();
    let file = new.directory.path().join("backup");
    let file = file.to_str().unwrap();
    new.verb(&["backup", "--output", file]);
    for round in 0..rounds(8, 100) {
        let restore = ["restore", "--replace", "--yes", file];
        old.kill_after(&restore, Duration::from_millis(30 + (round as u64 * 97) % 900));
        // PostgreSQL needs a moment to notice that the client is gone.
        if engine == Engine::Postgres {
            std::thread::sleep(Duration::from_millis(200));
        }
        old.verb(&["audit", "verify"]);
        let tenants = old.tenants();
        assert!(tenants == ["old"] || tenants == ["new"], "half a store: {tenants:?}");
    }
    old.verb(&["restore", "--replace", "--yes", file]);
    assert_eq!(old.tenants(), ["new"]);
}

#[test]
fn killed_restores_on_sqlite() {
    restores_that_are_killed_leave_the_old_store_or_the_new_one(Engine::Sqlite);
}

#[test]
fn killed_restores_on_postgres() {
    restores_that_are_killed_leave_the_old_store_or_the_new_one(Engine::Postgres);
}

/// Runs a verb in a shell where no file can grow beyond two megabytes: writing fails as on a full disk.
fn cramped(store: &Store, arguments: &[&str]) -> Output {
    let script = "trap '' XFSZ; ulimit -f 4096; exec \"$@\"";
    let tidewall = store.command(&[]);
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(tidewall.get_program()).args(arguments);
    for (name, value) in tidewall.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    command.output().unwrap()
}

fn a_full_disk_stops_it_with_a_sentence_and_leaves_nothing(engine: Engine) {
    let store = Store::new(engine, &["north"]);
    let safe = TempDir::new().unwrap();
    let small = safe.path().join("small");
    store.verb(&["backup", "--output", small.to_str().unwrap()]);
    store.fatten();
    let pass = safe.path().join("pass");
    fs::write(&pass, "correct horse battery staple").unwrap();
    let pass = pass.to_str().unwrap();
    let file = safe.path().join("backup");
    let file = file.to_str().unwrap();
    for arguments in [&["backup", "--output", file][..], &["backup", "--output", file, "--key-file", pass]] {
        let output = cramped(&store, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("tidewall: "), "{said}");
        assert!(!Path::new(file).exists());
        assert_eq!(parts(safe.path()) + parts(&store.data_dir()), 0, "leftovers");
    }
    // With free space again, everything works; and a restore without space changes nothing.
    store.verb(&["backup", "--output", file]);
    let other = Store::new(engine, &["old"]);
    let output = cramped(&other, &["restore", "--replace", "--yes", file]);
    assert!(!output.status.success(), "restored {} bytes without room", fs::metadata(file).unwrap().len());
    assert_eq!(other.tenants(), ["old"]);
}

#[test]
fn a_full_disk_on_sqlite() {
    a_full_disk_stops_it_with_a_sentence_and_leaves_nothing(Engine::Sqlite);
}

#[test]
fn a_full_disk_on_postgres() {
    a_full_disk_stops_it_with_a_sentence_and_leaves_nothing(Engine::Postgres);
}
