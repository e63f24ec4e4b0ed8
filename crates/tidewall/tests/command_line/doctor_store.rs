//! The doctor's checks of a store and its files: each is broken first, then found.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Output,
    time::{Duration, SystemTime},
};

use serde_json::Value;
use store::sql::Location;
use tempfile::TempDir;
use testkit::{Engine, Scratch};

use super::{stderr, stdout, tidewall};
use crate::faults::clock::clock_off_by;

/// A store with a tenant, in a directory of its own.
fn a_store() -> TempDir {
    let directory = TempDir::new().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let output = tidewall(&["tenant", "create", "north", "--name", "North"])
        .env("TIDEWALL_DATA_DIR", directory.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    directory
}

fn doctor(directory: &Path, environment: &[(&str, &str)]) -> Output {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    tidewall(&["doctor", "--json"])
        .envs([("TIDEWALL_LISTEN", port.as_str()), ("TIDEWALL_OPERATOR__LISTEN", "")])
        .env("TIDEWALL_DATA_DIR", directory)
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

/// The verdict and the whole finding; every problem must have a remedy.
fn verdict(output: &Output, check: &str) -> String {
    let printed: Value = serde_json::from_str(&stdout(output)).unwrap();
    let findings = printed["findings"].as_array().unwrap();
    let Some(found) = findings.iter().find(|finding| finding["check"] == check) else {
        return format!("no such check in {printed:#}");
    };
    let verdict = found["verdict"].as_str().unwrap().to_owned();
    assert_eq!(verdict == "ok", found["remedy"].is_null(), "{found}");
    assert!(verdict != "fault" || output.status.code() == Some(1));
    verdict
}

fn path(directory: &TempDir, name: &str) -> PathBuf {
    directory.path().join(name)
}

#[test]
fn a_sound_store_passes_every_check() {
    let directory = a_store();
    let output = doctor(directory.path(), &[]);
    assert!(output.status.success(), "{}", stdout(&output));
    for check in ["store", "integrity", "clock", "key file", "database file", "write-ahead log", "catalogue"]
    {
        assert_eq!(verdict(&output, check), "ok", "{check}");
    }
    let quick =
        tidewall(&["doctor", "--quick", "--json"]).env("TIDEWALL_DATA_DIR", directory.path()).output();
    assert!(!stdout(&quick.unwrap()).contains("integrity"));
}

#[test]
fn a_sound_store_on_postgres_passes_too() {
    let scratch = Scratch::unmigrated(Engine::Postgres);
    let Location::Server { url, .. } = &scratch.location else { unreachable!() };
    let directory = TempDir::new().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let made = tidewall(&["tenant", "create", "north", "--name", "North"])
        .env("TIDEWALL_DATA_DIR", directory.path())
        .env("TIDEWALL_DATABASE_URL", url)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let redis = std::env::var("TIDEWALL_TEST_REDIS").unwrap();
    let settings = [("TIDEWALL_DATABASE_URL", url.as_str()), ("TIDEWALL_REDIS_URL", redis.as_str())];
    let output = doctor(directory.path(), &settings);
    assert!(output.status.success(), "{}", stdout(&output));
    for check in ["store", "integrity", "audit keys", "clock", "key file", "redis_url"] {
        assert_eq!(verdict(&output, check), "ok", "{check}");
    }
    // The role that owns the tables could lift row-level security and rewrite the log; another one cannot.
    assert_eq!(verdict(&output, "database role"), "warning");
    let service = url.replacen("://tidewall@", "://tidewall_service@", 1);
    let parted = tidewall(&["migrate"])
        .env("TIDEWALL_DATA_DIR", directory.path())
        .env("TIDEWALL_DATABASE_URL", &service)
        .env("TIDEWALL_DATABASE__MIGRATOR_URL", url)
        .output()
        .unwrap();
    assert!(parted.status.success(), "{}", stderr(&parted));
    let as_service = doctor(directory.path(), &[("TIDEWALL_DATABASE_URL", service.as_str())]);
    for check in ["database role", "integrity", "audit keys"] {
        assert_eq!(verdict(&as_service, check), "ok", "{check}");
    }
    // A change without an audit entry breaks the chain.
    let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
    client
        .batch_execute("SET tidewall.tenant = '*'; UPDATE audit_entries SET actor = 'nobody' WHERE seq = 1")
        .unwrap();
    assert_eq!(verdict(&doctor(directory.path(), &settings), "integrity"), "fault");
}

#[test]
fn an_altered_audit_entry_and_a_damaged_page_are_found() {
    let directory = a_store();
    let store = rusqlite::Connection::open(path(&directory, "tidewall.db")).unwrap();
    store.execute("UPDATE audit_entries SET actor = 'nobody' WHERE seq = 1", []).unwrap();
    drop(store);
    assert_eq!(verdict(&doctor(directory.path(), &[]), "integrity"), "fault");

    let directory = a_store();
    let store = rusqlite::Connection::open(path(&directory, "tidewall.db")).unwrap();
    store.pragma_update(None, "journal_mode", "delete").unwrap();
    drop(store);
    let mut bytes = fs::read(path(&directory, "tidewall.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0xa5);
    fs::write(path(&directory, "tidewall.db"), bytes).unwrap();
    let output = doctor(directory.path(), &[]);
    let found = [verdict(&output, "store"), verdict(&output, "integrity")];
    assert!(found.contains(&"fault".to_owned()), "{}", stdout(&output));
}

#[test]
fn the_key_file_must_be_there_whole_and_private() {
    let directory = a_store();
    let key = path(&directory, "secret.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(verdict(&doctor(directory.path(), &[]), "key file"), "fault");
    fs::write(&key, "short").unwrap();
    assert_eq!(verdict(&doctor(directory.path(), &[]), "key file"), "fault");
    fs::remove_file(&key).unwrap();
    assert_eq!(verdict(&doctor(directory.path(), &[]), "key file"), "fault");
    assert!(!key.exists(), "the doctor makes nothing");
}

#[test]
fn a_database_file_open_to_everybody_is_found() {
    let directory = a_store();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(path(&directory, "tidewall.db"), fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(verdict(&doctor(directory.path(), &[]), "database file"), "fault");
}

#[test]
fn a_clock_behind_the_store_is_found() {
    let directory = a_store();
    assert_eq!(verdict(&doctor(directory.path(), &[]), "clock"), "ok");
    let ten_days_behind = clock_off_by(-10 * 24 * 3600);
    let environment: Vec<(&str, &str)> =
        ten_days_behind.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(verdict(&doctor(directory.path(), &environment), "clock"), "fault");
}

#[test]
fn an_overgrown_log_is_a_warning() {
    let directory = a_store();
    // Sparse: it takes no space.
    fs::File::create(path(&directory, "tidewall.db-wal")).unwrap().set_len(600 << 20).unwrap();
    assert_eq!(verdict(&doctor(directory.path(), &[]), "write-ahead log"), "warning");
}

#[test]
fn an_old_backup_is_a_warning_and_a_new_one_is_fine() {
    let (directory, elsewhere) = (a_store(), TempDir::new_in("/dev/shm").unwrap());
    let key = path(&directory, "backup.pass");
    fs::write(&key, "a passphrase of some length").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let settings = [
        ("TIDEWALL_BACKUP__DIRECTORY", elsewhere.path().to_str().unwrap()),
        ("TIDEWALL_BACKUP__KEY_FILE", key.to_str().unwrap()),
    ];
    let taken =
        tidewall(&["backup"]).env("TIDEWALL_DATA_DIR", directory.path()).envs(settings).output().unwrap();
    assert!(taken.status.success(), "{}", stderr(&taken));
    assert!(stdout(&taken).contains("0 incident(s), 0 file(s) of evidence"), "{}", stdout(&taken));
    assert_eq!(verdict(&doctor(directory.path(), &settings), "backup"), "ok");
    let backups = fs::read_dir(elsewhere.path()).unwrap();
    for file in backups.map(|entry| entry.unwrap().path()) {
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 50);
        fs::File::options().write(true).open(file).unwrap().set_modified(long_ago).unwrap();
    }
    assert_eq!(verdict(&doctor(directory.path(), &settings), "backup"), "warning");
}

#[test]
fn the_catalogue_is_read_for_mistakes() {
    let (directory, folder) = (a_store(), TempDir::new().unwrap());
    let folder = folder.path().to_str().unwrap();
    assert_eq!(
        verdict(&doctor(directory.path(), &[("TIDEWALL_CATALOGUE_DIR", folder)]), "catalogue"),
        "fault"
    );
}

#[test]
fn something_else_on_the_port_of_redis_is_found() {
    let directory = a_store();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", other.local_addr().unwrap());
    std::thread::spawn(move || {
        use std::io::Write as _;
        while let Ok((mut stream, _)) = other.accept() {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    assert_eq!(verdict(&doctor(directory.path(), &[("TIDEWALL_REDIS_URL", &url)]), "redis_url"), "fault");
}

#[test]
fn a_certificate_is_watched_before_it_expires() {
    let directory = a_store();
    let begin = SystemTime::UNIX_EPOCH + Duration::from_millis(now_millis()) - Duration::from_hours(24 * 400);
    for (days, wanted) in [(399, "fault"), (405, "warning"), (600, "ok")] {
        let mut parameters = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        parameters.not_before = begin.into();
        parameters.not_after = (begin + Duration::from_hours(24 * days)).into();
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = parameters.self_signed(&key).unwrap();
        let (cert_file, key_file) = (path(&directory, "cert.pem"), path(&directory, "key.pem"));
        fs::write(&cert_file, certificate.pem()).unwrap();
        fs::write(&key_file, key.serialize_pem()).unwrap();
        fs::set_permissions(&key_file, fs::Permissions::from_mode(0o600)).unwrap();
        let settings = [
            ("TIDEWALL_TLS__CERT_FILE", cert_file.to_str().unwrap()),
            ("TIDEWALL_TLS__KEY_FILE", key_file.to_str().unwrap()),
        ];
        assert_eq!(
            verdict(&doctor(directory.path(), &settings), "tls"),
            wanted,
            "with {days} days in all, 400 of them over"
        );
        fs::set_permissions(&key_file, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(verdict(&doctor(directory.path(), &settings), "tls"), "warning", "a readable key");
    }
}

fn now_millis() -> u64 {
    app::clock::Clock::system().now().millis().unsigned_abs()
}

#[test]
fn a_cut_off_audit_log_is_found_with_its_export_and_what_was_not_checked_is_said() {
    let directory = a_store();
    let data_dir = directory.path().to_str().unwrap().to_owned();
    let run = |arguments: &[&str]| {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        tidewall(arguments)
            .envs([("TIDEWALL_LISTEN", port.as_str()), ("TIDEWALL_OPERATOR__LISTEN", "")])
            .env("TIDEWALL_DATA_DIR", &data_dir)
            .output()
            .unwrap()
    };
    for key in 0..3 {
        let made = run(&["key", "create", "--tenant", "north", "--name", &format!("k{key}")]);
        assert!(made.status.success(), "{}", stderr(&made));
    }
    let export = path(&directory, "audit.jsonl");
    fs::write(&export, run(&["audit", "export"]).stdout).unwrap();
    let heads = export.to_str().unwrap();
    let with_heads = |verb: &[&str]| run(&[verb, &["--heads", heads]].concat());

    assert!(stdout(&run(&["audit", "verify"])).contains("not checked: whether the end of 2 chain(s)"));
    assert_eq!(run(&["audit", "verify", "--strict"]).status.code(), Some(3));
    assert!(stdout(&run(&["doctor"])).contains("not checked: whether the end"));
    let verified = with_heads(&["audit", "verify"]);
    assert!(verified.status.success() && !stdout(&verified).contains("not checked"), "{}", stdout(&verified));
    assert!(with_heads(&["audit", "verify", "--strict"]).status.success());
    let (key, away) = (path(&directory, "secret.key"), path(&directory, "away.key"));
    fs::rename(&key, &away).unwrap();
    let keyless = with_heads(&["audit", "verify", "--strict"]);
    assert_eq!(keyless.status.code(), Some(3));
    assert!(stdout(&keyless).contains("hashed with a vault key that is not at hand"), "{}", stdout(&keyless));
    assert!(stdout(&with_heads(&["doctor"])).contains("hashed with a vault key that is not at hand"));
    fs::rename(&away, &key).unwrap();
    assert!(stdout(&with_heads(&["doctor"])).contains("every chain passes through its exported head"));

    let store = rusqlite::Connection::open(path(&directory, "tidewall.db")).unwrap();
    store
        .execute_batch(
            "DELETE FROM audit_entries WHERE chain LIKE 'ten_%' AND seq > 1;
             UPDATE chains SET audit_seq = 1, audit_hash = (
                 SELECT hash FROM audit_entries e WHERE e.chain = chains.name AND e.seq = 1)
             WHERE name LIKE 'ten_%'",
        )
        .unwrap();
    drop(store);
    assert!(run(&["audit", "verify"]).status.success(), "without heads the rest fits together");
    assert_eq!(with_heads(&["audit", "verify"]).status.code(), Some(1));
    let looked = with_heads(&["doctor", "--json"]);
    assert_eq!(looked.status.code(), Some(1));
    assert_eq!(verdict(&looked, "integrity"), "fault");
}
