//! A real mail server in a process of its own, and the mails it received.

use std::{process::Stdio, time::Duration};

use domain::id::Uuid7;
use outbound::mail::MailSettings;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../outbound/tests/smtp/server.py");
/// Debian's own interpreter, which finds Debian's packages.
const PYTHON: &str = "/usr/bin/python3";

#[derive(Debug)]
pub struct Mailbox {
    /// How to reach it.
    pub settings: MailSettings,
    lines: Lines<BufReader<ChildStdout>>,
    process: Child,
}

impl Mailbox {
    pub async fn start() -> Self {
        let python = std::env::var("TIDEWALL_TEST_PYTHON").unwrap_or_else(|_| PYTHON.to_owned());
        let mut process = Command::new(&python)
            .arg(SERVER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{python} cannot be started: {error}"));
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let started = lines.next_line().await.unwrap();
        let started: Value = serde_json::from_str(&started.unwrap_or_else(|| {
            panic!("install python3-aiosmtpd, or set TIDEWALL_TEST_PYTHON to a Python that has aiosmtpd")
        }))
        .unwrap();
        let settings = MailSettings {
            url: format!("smtp://127.0.0.1:{}", started["port"]),
            from: "Tidewall <tidewall@bank.example>".into(),
            allow_plain: true,
            timeout: Duration::from_secs(10),
        };
        Self { settings, lines, process }
    }

    /// The next mail, with its headers and parts. No mail names a record or a person by an id.
    pub async fn next_mail(&mut self) -> Value {
        let mail = self.next("mail").await;
        let shown = ids_shown(&mail);
        assert!(shown.is_empty(), "a mail shows {shown:?}: {mail}");
        mail
    }

    /// Waits until the server has refused a recipient.
    pub async fn next_refusal(&mut self) {
        self.next("refused").await;
    }

    /// From now on the server refuses every recipient for the time being, or accepts them again.
    pub async fn refuse(&mut self, refuse: bool) {
        let order: &[u8] = if refuse { b"refuse\n" } else { b"accept\n" };
        let input = self.process.stdin.as_mut().unwrap();
        input.write_all(order).await.unwrap();
        input.flush().await.unwrap();
        self.next("obeyed").await;
    }

    async fn next(&mut self, event: &str) -> Value {
        loop {
            let line = tokio::time::timeout(Duration::from_secs(20), self.lines.next_line());
            let line = line
                .await
                .unwrap_or_else(|_| panic!("no {event} came"))
                .unwrap()
                .expect("the mail server has ended");
            let output: Value = serde_json::from_str(&line).unwrap();
            if output["event"] == event {
                return output;
            }
        }
    }
}

/// The ids in subject and text of a mail, but for those in addresses, and those of events: by them a receiver knows a
/// delivery that is repeated.
fn ids_shown(mail: &Value) -> Vec<String> {
    let parts = mail["parts"].as_array().into_iter().flatten().filter_map(|part| part[1].as_str());
    let words = parts.chain([header(mail, "Subject")]).flat_map(|text| text.split([' ', '<', '>', '\n']));
    let words = words.filter(|word| !word.contains("://"));
    let parts =
        words.flat_map(|word| word.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_'));
    // Programs compare the ids of events, and those of institutions in the mail with the heads of their logs.
    let is_shown = |part: &&str| part.starts_with("evt_") || part.starts_with("ten_");
    let is_id = |part: &&str| Uuid7::of_id(part).is_some() && !is_shown(part);
    parts.filter(is_id).map(str::to_owned).collect()
}

/// A header of a mail.
pub fn header<'m>(mail: &'m Value, name: &str) -> &'m str {
    let headers = mail["headers"].as_array().unwrap();
    let found = headers.iter().find(|pair| pair[0].as_str().unwrap().eq_ignore_ascii_case(name));
    found.and_then(|pair| pair[1].as_str()).unwrap_or_else(|| panic!("no {name} in {mail}"))
}
