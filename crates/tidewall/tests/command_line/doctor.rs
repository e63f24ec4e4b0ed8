use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    process::Output,
};

use serde_json::Value;
use tempfile::TempDir;

use super::{stdout, tidewall};

fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// The doctor on a data directory of its own, with these settings.
fn doctor(data_dir: &TempDir, environment: &[(&str, &str)]) -> Output {
    tidewall(&["doctor", "--first-start", "--json", "--data-dir", data_dir.path().to_str().unwrap()])
        .envs([("TIDEWALL_LISTEN", free_port().as_str()), ("TIDEWALL_OPERATOR__LISTEN", "")])
        .envs(environment.iter().copied())
        .output()
        .unwrap()
}

fn private_directory() -> TempDir {
    let directory = TempDir::new().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o700)).unwrap();
    directory
}

fn finding(output: &Output, check: &str) -> Value {
    let printed: Value = serde_json::from_str(&stdout(output)).unwrap();
    let findings = printed["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["check"] == check).unwrap_or(&Value::Null).clone()
}

#[test]
fn a_sound_machine_is_fine_and_left_as_it_is() {
    let directory = private_directory();
    let output = doctor(&directory, &[]);
    assert!(output.status.success(), "{}", stdout(&output));
    for check in ["data_dir", "disk", "store", "listen"] {
        assert_eq!(finding(&output, check)["verdict"], "ok", "{check}: {}", stdout(&output));
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn a_missing_virus_scanner_is_said_and_a_set_one_named() {
    let directory = private_directory();
    let found = finding(&doctor(&directory, &[]), "evidence.clamd");
    assert_eq!(found["verdict"], "warning", "{found}");
    assert!(found["remedy"].as_str().unwrap().contains("evidence.clamd"), "{found}");
    let output = doctor(&directory, &[("TIDEWALL_EVIDENCE__CLAMD", "127.0.0.1:3310")]);
    let found = finding(&output, "evidence.clamd");
    assert_eq!(found["verdict"], "ok", "{found}");
    assert!(found["detail"].as_str().unwrap().contains("127.0.0.1:3310"), "{found}");
}

#[test]
fn each_fault_is_found_and_has_a_remedy() {
    let unused = free_port();
    let cases = [
        ("listen", "TIDEWALL_LISTEN", "192.0.2.1:80".to_owned()),
        ("store", "TIDEWALL_DATABASE_URL", format!("postgres://me:canary@{unused}/tidewall")),
        ("redis_url", "TIDEWALL_REDIS_URL", format!("redis://:canary@{unused}")),
        ("catalogue", "TIDEWALL_CATALOGUE_DIR", "/nowhere".to_owned()),
        ("telemetry.otlp", "TIDEWALL_TELEMETRY__OTLP", format!("http://{unused}")),
        ("settings", "TIDEWALL_TELEMETRY__OTLP", "grpc://me:canary@collector:4317".to_owned()),
        (
            "bundles.time_stamp_authority",
            "TIDEWALL_BUNDLES__TIME_STAMP_AUTHORITY",
            format!("http://{unused}/tsr"),
        ),
        (
            "settings",
            "TIDEWALL_BUNDLES__TIME_STAMP_AUTHORITY",
            "https://me:canary@tsa.example.com/".to_owned(),
        ),
        ("backup", "TIDEWALL_BACKUP__KEY_FILE", "/nowhere/key".to_owned()),
        ("backup", "TIDEWALL_BACKUP__DIRECTORY", "/proc/backups".to_owned()),
        ("data_dir", "TIDEWALL_DATA_DIR", "/proc/tidewall".to_owned()),
        ("settings", "TIDEWALL_LIMITS__V1__BURST", "0".to_owned()),
    ];
    for (check, variable, value) in cases {
        let directory = private_directory();
        let mut command = tidewall(&["doctor", "--json"]);
        command.envs([
            ("TIDEWALL_LISTEN", free_port().as_str()),
            ("TIDEWALL_OPERATOR__LISTEN", ""),
            ("TIDEWALL_DATA_DIR", directory.path().to_str().unwrap()),
        ]);
        let output = command.env(variable, &value).output().unwrap();
        let found = finding(&output, check);
        assert_eq!(found["verdict"], "fault", "{variable}={value}: {}", stdout(&output));
        assert!(found["remedy"].as_str().is_some_and(|remedy| !remedy.is_empty()), "{found}");
        assert_eq!(output.status.code(), Some(1));
        assert!(!stdout(&output).contains("canary"), "{}", stdout(&output));
    }
    let directory = private_directory();
    let tls = [("TIDEWALL_TLS__CERT_FILE", "/nowhere/c"), ("TIDEWALL_TLS__KEY_FILE", "/nowhere/k")];
    assert_eq!(finding(&doctor(&directory, &tls), "tls")["verdict"], "fault");
    let mail = [
        ("TIDEWALL_SMTP__URL", format!("smtp://{unused}")),
        ("TIDEWALL_SMTP__FROM", "a@b.example".to_owned()),
    ];
    let mail = mail.each_ref().map(|(name, value)| (*name, value.as_str()));
    assert_eq!(finding(&doctor(&directory, &mail), "smtp.url")["verdict"], "fault");
}

#[test]
fn a_port_taken_by_something_else_is_distinguished_from_the_running_service() {
    let directory = private_directory();
    for (answer, verdict) in [
        ("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"pong\":true}", "ok"),
        ("220 mail.example.com ESMTP\r\n", "fault"),
    ] {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap().to_string();
        std::thread::spawn(move || {
            let (mut stream, _) = taken.accept().unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            // Kept open until the doctor has read the answer.
            let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
            drop(taken);
        });
        let output = doctor(&directory, &[("TIDEWALL_LISTEN", &address)]);
        assert_eq!(finding(&output, "listen")["verdict"], verdict, "{}", stdout(&output));
    }
}

#[test]
fn a_collector_that_takes_or_refuses_telemetry_is_recognised() {
    let directory = private_directory();
    for (status, verdict) in [("200 OK", "ok"), ("401 Unauthorized", "fault")] {
        let collector = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", collector.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = collector.accept().unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            assert!(line.starts_with("POST /v1/metrics "), "{line}");
            let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
        });
        let found = finding(&doctor(&directory, &[("TIDEWALL_TELEMETRY__OTLP", &url)]), "telemetry.otlp");
        assert_eq!(found["verdict"], verdict, "{found}");
    }
}

/// A permanent warning would teach operators to ignore warnings.
#[test]
fn beside_a_running_service_both_of_its_ports_are_recognised() {
    let directory = private_directory();
    let metrics = free_port();
    let service = super::serve::Service::start_with_operator(&directory, &metrics);
    let address = service.address.to_string();
    let output =
        doctor(&directory, &[("TIDEWALL_LISTEN", &address), ("TIDEWALL_OPERATOR__LISTEN", &metrics)]);
    for check in ["listen", "operator.listen"] {
        let found = finding(&output, check);
        assert_eq!(found["verdict"], "ok", "{found}");
        assert!(found["detail"].as_str().unwrap().starts_with("a running service answers"), "{found}");
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    std::thread::spawn(move || drop(taken.accept()));
    let output = doctor(&directory, &[("TIDEWALL_OPERATOR__LISTEN", &address)]);
    assert_eq!(finding(&output, "operator.listen")["verdict"], "fault", "the service could not start");
}

#[test]
fn a_directory_open_to_others_is_a_warning() {
    let directory = private_directory();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let output = doctor(&directory, &[]);
    let found = finding(&output, "data_dir");
    assert_eq!(found["verdict"], "warning");
    assert!(found["remedy"].as_str().unwrap().starts_with("chmod 700 "), "{found}");
    assert!(output.status.success(), "a warning alone is no failure");
}

#[test]
fn a_damaged_store_is_found() {
    let directory = private_directory();
    fs::write(directory.path().join("tidewall.db"), vec![b'x'; 8192]).unwrap();
    let output = doctor(&directory, &[]);
    assert_eq!(finding(&output, "store")["verdict"], "fault", "{}", stdout(&output));
}

#[test]
fn the_printed_text_names_verdict_and_remedy() {
    let directory = private_directory();
    let output = tidewall(&["doctor", "--first-start", "--data-dir", directory.path().to_str().unwrap()])
        .envs([("TIDEWALL_LISTEN", "192.0.2.1:80"), ("TIDEWALL_OPERATOR__LISTEN", "")])
        .output()
        .unwrap();
    let printed = stdout(&output);
    let fault = printed.lines().position(|line| line.starts_with("FAULT    listen")).expect("the fault");
    assert!(
        printed.lines().nth(fault + 1).unwrap().trim_start().starts_with("→ choose an address"),
        "{printed}"
    );
    assert_eq!(super::stderr(&output), "tidewall: one thing must be put right\n");
}

#[test]
fn a_directory_without_a_store_is_a_fault_unless_it_is_the_first_start() {
    let directory = private_directory();
    let looked = |flags: &[&str]| {
        tidewall(&[&["doctor", "--json"], flags].concat())
            .envs([("TIDEWALL_LISTEN", free_port().as_str()), ("TIDEWALL_OPERATOR__LISTEN", "")])
            .env("TIDEWALL_DATA_DIR", directory.path())
            .output()
            .unwrap()
    };
    let wrong = looked(&[]);
    assert_eq!(wrong.status.code(), Some(1));
    let found = finding(&wrong, "store");
    assert_eq!(found["verdict"], "fault");
    assert!(found["remedy"].as_str().unwrap().contains("--first-start"), "{found}");
    assert_eq!(finding(&looked(&["--first-start"]), "store")["verdict"], "ok");
}

#[test]
fn backups_beside_the_store_or_in_plain_text_are_a_warning() {
    let (directory, elsewhere) = (private_directory(), TempDir::new_in("/dev/shm").unwrap());
    let found = finding(&doctor(&directory, &[]), "backup");
    assert_eq!(found["verdict"], "warning");
    let detail = found["detail"].as_str().unwrap();
    assert!(detail.contains("on the same disk as the store, not encrypted"), "{detail}");
    let key = directory.path().join("backup.pass");
    fs::write(&key, "a passphrase of some length").unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let good = [
        ("TIDEWALL_BACKUP__DIRECTORY", elsewhere.path().to_str().unwrap()),
        ("TIDEWALL_BACKUP__KEY_FILE", key.to_str().unwrap()),
    ];
    let found = finding(&doctor(&directory, &good), "backup");
    assert_eq!(found["verdict"], "ok", "{found}");
}
