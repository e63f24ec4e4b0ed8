//! A webhook's URL is a secret: it goes to the destination and nowhere else.

use std::{
    io::Write,
    sync::{Arc, Mutex},
};

use testkit::{Engine, Reply, START};
use tracing_subscriber::fmt::MakeWriter;

use super::{Bank, HOUR};

const CANARY: &str = "canary-3f9a2c";

/// Keeps everything that is logged.
#[derive(Clone, Default)]
struct CapturedLog(Arc<Mutex<Vec<u8>>>);

impl Write for CapturedLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for CapturedLog {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn urls_are_neither_logged_nor_stored_in_the_open() {
    let kept = CapturedLog::default();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(kept.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let mut bank = Bank::on(Engine::Sqlite).await;
    let mut webhooks = Vec::new();
    for (number, reply) in
        [Reply::Ok, Reply::Hang, Reply::Reset, Reply::Status(500), Reply::Status(404), Reply::Status(400)]
            .into_iter()
            .enumerate()
    {
        let path = format!("/{CANARY}/{number}?sig={CANARY}");
        bank.sink.always(&path, reply);
        webhooks.push(bank.webhook(&path).await);
    }
    bank.happens().await;
    bank.deliver_until(START + HOUR).await;
    for webhook in &webhooks {
        bank.client
            .post(&format!("/api/v1/webhooks/{webhook}/test"), &serde_json::json!({}))
            .await
            .expect(200);
    }
    let log = String::from_utf8_lossy(&kept.0.lock().unwrap()).into_owned();
    assert!(log.contains("sent"), "the log was watched");
    // The client's own trace of what it connects to is outside our log's reach in production: its level is capped.
    let ours: Vec<_> = log.lines().filter(|line| line.contains(CANARY)).collect();
    assert_eq!(ours, Vec::<&str>::new());
    let stored = std::fs::read_dir(bank.app.scratch.dir.path()).unwrap();
    for file in stored {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let found = bytes.windows(CANARY.len()).any(|window| window == CANARY.as_bytes());
        assert!(!found, "the URL stands in the store");
    }
}

#[tokio::test]
async fn a_read_only_key_learns_nothing_from_deliveries() {
    let mut bank = Bank::on(Engine::Sqlite).await;
    let webhook = bank.webhook(&format!("/{CANARY}")).await;
    bank.sink.always(&format!("/{CANARY}"), Reply::Status(500));
    bank.happens().await;
    bank.deliver().await;
    let reader = bank.app.client(&bank.app.key(&bank.tenant, "read").await);
    for path in ["", &format!("/{webhook}"), &format!("/{webhook}/deliveries")] {
        let answer = reader.get(&format!("/api/v1/webhooks{path}")).await.expect(200);
        assert!(!answer.to_string().contains(CANARY), "{answer}");
    }
}
