//! A bank that runs the service: what its users do, what the machine does, and a clock for both.

use app::{
    backup::{self, Accept, Place, RestoreRequest},
    jobs::delivery::{DeliveryOptions, Dispatcher},
};
use axum::body::Body;
use domain::{job::JobOutcome, moment::Moment};
use http::{Request, header};
use serde_json::Value;
use testkit::{ChatSink, Client, Engine, Scratch, TestApp, TestOptions};

const MINUTE: i64 = 60_000;
/// The service checks for due jobs all the time; here at least this often.
const STEP: i64 = 60 * MINUTE;

pub(super) struct Bank {
    engine: Engine,
    app: TestApp,
    pub(super) client: Client,
    /// Shown by every client of the bank, also after a restart.
    key: String,
    pub(super) chat: ChatSink,
    delivery: Dispatcher,
}

impl Bank {
    /// Creates the bank at this moment.
    pub(super) async fn open(engine: Engine, at: &str) -> Self {
        let chat = ChatSink::start().await;
        let app = TestApp::with(engine, options(&chat)).await;
        app.clock.advance(at.parse::<Moment>().unwrap().millis() - testkit::START);
        let tenant = app.tenant("north").await;
        let key = app.key(&tenant, "read,write").await;
        Self::run(engine, app, key, chat)
    }

    fn run(engine: Engine, app: TestApp, key: String, chat: ChatSink) -> Self {
        let delivery =
            Dispatcher::new(app.app.clone(), DeliveryOptions { dice: || 0.5, ..DeliveryOptions::default() });
        Self { engine, client: app.client(&key), app, key, chat, delivery }
    }

    pub(super) fn now(&self) -> Moment {
        self.app.clock.now()
    }

    /// Advances the clock to this moment; jobs run and messages are sent when they are due.
    pub(super) async fn until(&mut self, moment: &str) {
        let end: Moment = moment.parse().unwrap();
        assert!(end >= self.now(), "{moment} has passed");
        loop {
            self.work().await;
            let left = end.millis() - self.now().millis();
            if left == 0 {
                return;
            }
            let due = self.delivery.next_due().await.unwrap();
            let due = due.map_or(STEP, |due| (due.millis() - self.now().millis()).max(1));
            self.app.clock.advance(left.min(due).min(STEP));
        }
    }

    /// Everything that is due at this moment.
    async fn work(&mut self) {
        for run in self.app.app.run_due_jobs().await.unwrap() {
            assert_eq!(run.outcome, JobOutcome::Done, "{run:?}");
        }
        while self.delivery.round().await.unwrap() > 0 {}
    }

    pub(super) async fn created(&self, path: &str, body: &Value) -> Value {
        self.client.post(path, body).await.expect(201).data()
    }

    /// Moves a record through these states, one after the other.
    pub(super) async fn moved(&self, path: &str, record: &Value, states: &[&str]) -> Value {
        let mut seen = Value::Null;
        for state in states {
            let body = serde_json::json!({ "status": state });
            seen = self.client.patch(&at(path, record), &body).await.expect(200).data();
        }
        seen
    }

    pub(super) async fn imported(&self, path: &str, kind: &str, file: &str) -> Value {
        let request = Request::post(format!("{path}/import")).header(header::CONTENT_TYPE, kind);
        self.client.request(request.body(Body::from(file.to_owned())).unwrap()).await.expect(200).data()
    }

    pub(super) async fn list(&self, path: &str) -> Vec<Value> {
        self.client.get(path).await.expect(200).data().as_array().unwrap().clone()
    }

    /// The process ends and restarts over the same store.
    pub(super) async fn restarted(self) -> Self {
        let Self { engine, app, key, chat, .. } = self;
        let options = TestOptions { clock: Some(app.clock.clone()), ..options(&chat) };
        let TestApp { app, service, scratch, .. } = app;
        drop((app, service));
        Self::run(engine, TestApp::over(scratch, options).await, key, chat)
    }

    pub(super) async fn backed_up(&self) -> std::path::PathBuf {
        let (place, now) = (place(&self.app.scratch), self.now());
        let file = tempfile::Builder::new().prefix("day").tempdir().unwrap().keep().join("backup");
        let target = file.clone();
        let taken = move || backup::take(&place, &target, None, now, &mut |_, _, _| {}).unwrap();
        tokio::task::spawn_blocking(taken).await.unwrap();
        file
    }

    /// The store is lost; the backup is restored to a new location and the service starts there.
    pub(super) async fn restored(self, file: std::path::PathBuf) -> Self {
        let Self { engine, app, key, chat, .. } = self;
        let (clock, now) = (app.clock.clone(), app.clock.now());
        drop(app);
        let restore = move || {
            let elsewhere = Scratch::unmigrated(engine);
            let place = place(&elsewhere);
            let accept = Accept::default();
            let request =
                RestoreRequest { place: &place, file: &file, secret: None, accept, replace: false, now };
            backup::restore(&request, &mut |_, _, _| {}).unwrap();
            std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
            elsewhere
        };
        let elsewhere = tokio::task::spawn_blocking(restore).await.unwrap();
        let options = TestOptions { clock: Some(clock), ..options(&chat) };
        Self::run(engine, TestApp::over(elsewhere, options).await, key, chat)
    }
}

fn options(chat: &ChatSink) -> TestOptions {
    TestOptions { dev_destinations: vec![chat.origin.clone()], ..TestOptions::default() }
}

fn place(scratch: &Scratch) -> Place {
    let data_dir = scratch.dir.path().to_owned();
    Place { location: scratch.location.clone(), key_file: data_dir.join("secret.key"), data_dir, vault: None }
}

/// The address of a record.
pub(super) fn at(path: &str, record: &Value) -> String {
    format!("{path}/{}", record["id"].as_str().unwrap())
}
