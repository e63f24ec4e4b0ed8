//! What recurs happens exactly once a day over three nodes whose clocks are wrong and of which one is killed each day in
//! the middle of its jobs: a scheduled report, the end of an acceptance, the daily mail of a person, and the task that
//! follows one that recurs.
//!
//! The days pass on the clock of PostgreSQL, which the nodes follow: a node that was just started at once, the others a
//! few seconds later, so that they also run jobs by the time of the day before.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use app::clock::Clock;
use domain::moment::Moment;
use http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Mailbox, header};

use super::{
    clock::{replaced_clock, wrong_clock},
    cluster::{Cluster, GENEROUS},
    figure, rounds,
    servers::Postgres,
    service::this_version,
};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Each day begins here after everything that is due in the morning, in UTC and at the institution.
const MORNING: i64 = 8 * HOUR;
const FINDINGS: &str = "/api/v1/findings";
const TASKS: &str = "/api/v1/tasks";
const REPORTS: &str = "/api/v1/reports";
const BEN: &str = "ben@north.example";
/// How long a node works before it is killed.
const MOMENTS: [u64; 7] = [0, 30, 400, 120, 800, 60, 220];
const PATIENCE: Duration = Duration::from_mins(1);

/// The clock of the processes that read it from this file.
struct SetClock {
    dir: TempDir,
    /// The beginning of the first day.
    start: i64,
}

impl SetClock {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::Builder::new().prefix("tidewall-clock").tempdir_in("/tmp").unwrap();
        // PostgreSQL runs as another user.
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let tomorrow = (Clock::system().now().millis() / DAY + 1) * DAY;
        let clock = Self { dir, start: tomorrow + MORNING };
        clock.set(0, 0);
        clock
    }

    fn file(&self) -> PathBuf {
        self.dir.path().join("offset")
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        replaced_clock([
            ("FAKETIME_TIMESTAMP_FILE", self.file().display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
        ])
    }

    /// So many milliseconds after the beginning of a day.
    fn set(&self, day: usize, later: i64) {
        let wanted = self.beginning(day) + later;
        let next = self.dir.path().join("next");
        std::fs::write(&next, format!("+{}s", (wanted - Clock::system().now().millis()) / 1000)).unwrap();
        std::fs::rename(&next, self.file()).unwrap();
    }

    fn beginning(&self, day: usize) -> i64 {
        self.start + i64::try_from(day).unwrap() * DAY
    }

    fn day(&self, day: usize) -> String {
        Moment::from_millis(self.beginning(day)).day().to_string()
    }
}

struct Bank {
    clock: SetClock,
    cluster: Cluster,
    mailbox: Mailbox,
    /// A finding of Ben's on which comments are made.
    discussed: String,
    /// The findings whose acceptance begins on a day and ends with the next.
    accepted: Vec<String>,
    /// The task that is open now.
    task: String,
    /// The daily mails so far, each once however often it came.
    mails: BTreeMap<String, String>,
}

impl Bank {
    async fn start() -> Self {
        let (mailbox, clock) = (Mailbox::start().await, SetClock::new());
        let mut settings = GENEROUS.to_vec();
        settings.extend([
            ("TIDEWALL_SMTP__URL", mailbox.settings.url.as_str()),
            ("TIDEWALL_SMTP__FROM", mailbox.settings.from.as_str()),
            ("TIDEWALL_SMTP__ALLOW_PLAIN", "true"),
            ("TIDEWALL_KEYS__DEFAULT_LIFE", ""),
        ]);
        let postgres = Postgres::in_environment(clock.environment());
        let cluster = Cluster::over(postgres, &this_version(), &settings, wrong_clock);
        cluster.nodes[0].person_as(BEN, "correct horse battery staple", "contributor");
        let schedule = json!({ "cron": "0 7 * * *", "covers": "month", "kind": "incidents", "language": "en", "people": [] });
        let template = json!({ "name": "Daily", "schedule": schedule });
        cluster.send(0, Method::POST, "/api/v1/report-templates", &template).await;
        let finding = json!({ "title": "Discussed", "severity": "low", "owner": BEN });
        let discussed = path(FINDINGS, &cluster.send(0, Method::POST, FINDINGS, &finding).await);
        let task = json!({ "title": "Look at the log", "cadence": "monthly" });
        let task = path(TASKS, &cluster.send(0, Method::POST, TASKS, &task).await);
        let (accepted, mails) = (Vec::new(), BTreeMap::new());
        let mut bank = Self { clock, cluster, mailbox, discussed, accepted, task, mails };
        bank.told_of_the_finding().await;
        bank
    }

    /// Waits until Ben has the mail about the finding that is his now; it is in no daily mail then.
    async fn told_of_the_finding(&mut self) {
        self.clock.set(0, MINUTE);
        self.cluster.nodes[0].kill();
        self.cluster.nodes[0].start();
        let since = Instant::now();
        while !self.read_mails().await {
            assert!(since.elapsed() < PATIENCE, "no mail about the finding");
        }
    }

    /// What a day leaves for the next ones.
    async fn work(&mut self, node: usize, day: usize) {
        let cluster = &self.cluster;
        for text in ["Who knows more?", "The vendor does."] {
            let comments = format!("{}/comments", self.discussed);
            cluster.send(node, Method::POST, &comments, &json!({ "text": text })).await;
        }
        let finding = json!({ "title": format!("Accepted on day {day}"), "severity": "low" });
        let finding = path(FINDINGS, &cluster.send(node, Method::POST, FINDINGS, &finding).await);
        let acceptance = json!({ "reason": "Replaced soon", "until": self.clock.day(day + 1) });
        let accept = json!({ "status": "risk_accepted", "acceptance": acceptance });
        cluster.send(node, Method::PATCH, &finding, &accept).await;
        self.accepted.push(finding);
    }

    /// A day begins: a node is started on it, killed at its work, and started again when its claims have ended. A task is
    /// done meanwhile, asked of all nodes. Returns whether a job was cut off.
    async fn begin(&mut self, node: usize, day: usize) -> bool {
        self.clock.set(day, 0);
        self.cluster.nodes[node].kill();
        self.cluster.nodes[node].start();
        let done = json!({ "status": "done" });
        let asked = (0..3).map(|at| self.cluster.client.patch(self.cluster.url(at, &self.task)).json(&done));
        let asked: Vec<_> = asked.map(|request| tokio::spawn(request.send())).collect();
        tokio::time::sleep(Duration::from_millis(MOMENTS[day % MOMENTS.len()])).await;
        self.cluster.nodes[node].kill();
        let is_cut_off = self.is_at_work((node + 1) % 3).await;
        for request in asked {
            // The killed node may have answered or not.
            let _ = request.await.unwrap();
        }
        self.clock.set(day, HOUR);
        self.cluster.nodes[node].start();
        let done = self.cluster.send(node, Method::PATCH, &self.task, &done).await;
        self.task = format!("{TASKS}/{}", done["next"].as_str().unwrap());
        is_cut_off
    }

    /// Waits until everything that is due on this day has happened.
    async fn until_done(&mut self, node: usize, day: usize) {
        let since = Instant::now();
        loop {
            self.read_mails().await;
            let missing = self.missing(node, day).await;
            if missing.is_empty() {
                return;
            }
            assert!(since.elapsed() < PATIENCE, "day {day} at node {node}: {missing:?} did not happen");
        }
    }

    async fn missing(&self, node: usize, day: usize) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if day > 1 && self.cluster.get(node, &self.accepted[day - 2]).await["data"]["status"] != "open" {
            missing.push("the end of the acceptance");
        }
        let reports = self.cluster.get(node, &format!("{REPORTS}?limit=100")).await["data"].take();
        let of_day = |report: &&Value| report["asked_at"].as_str().unwrap().starts_with(&self.clock.day(day));
        let states = reports.as_array().unwrap().iter().filter(of_day).map(|report| &report["state"]);
        match states.collect::<Vec<_>>()[..] {
            [state] if state == "made" => {}
            [] | [_] => missing.push("the report"),
            ref several => panic!("{several:?} for day {day}: {reports}"),
        }
        assert!(self.mails.len() <= day, "more than one daily mail until day {day}: {:?}", self.mails);
        if self.mails.len() < day {
            missing.push("the daily mail");
        }
        missing
    }

    /// Reads the mails to Ben that come within a moment. He gets one at once when the finding becomes his, and every other
    /// one is a daily mail, about both comments of its day. Returns whether the first was among them.
    async fn read_mails(&mut self) -> bool {
        let (moment, mut is_told) = (Duration::from_millis(100), false);
        while let Ok(mail) = tokio::time::timeout(moment, self.mailbox.next_mail()).await {
            let subject = header(&mail, "Subject").to_owned();
            if subject.contains("assigned") {
                is_told = true;
            } else if header(&mail, "To") == BEN {
                assert!(subject.ends_with(": 2 notices"), "{subject}");
                self.mails.insert(header(&mail, "Message-ID").to_owned(), subject);
            }
        }
        is_told
    }

    /// Whether a node that is alive sees a job at work.
    async fn is_at_work(&self, node: usize) -> bool {
        let jobs = self.cluster.get(node, "/api/cron/info").await["jobs"].take();
        jobs.as_array().unwrap().iter().any(|job| job["running"] == true)
    }

    /// What the audit log has of each day: how often each action was taken.
    fn audited(&self) -> BTreeMap<String, usize> {
        self.cluster.nodes[0].verb(&["audit", "verify"]);
        let mut counts = BTreeMap::new();
        for line in self.cluster.nodes[0].verb(&["audit", "export", "--tenant", "north"]).lines() {
            let entry: Value = serde_json::from_str(line).unwrap();
            if let Some(action) = entry["action"].as_str() {
                *counts.entry(action.to_owned()).or_default() += 1;
            }
        }
        counts
    }
}

fn path(folder: &str, record: &Value) -> String {
    format!("{folder}/{}", record["id"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_recurs_happens_once_a_day_whichever_node_is_killed() {
    let mut bank = Bank::start().await;
    let (days, mut cut_off) = (rounds(30, 1000), 0);
    for day in 0..days {
        let node = day % 3;
        bank.work(node, day).await;
        let node = (node + 1) % 3;
        cut_off += usize::from(bank.begin(node, day + 1).await);
        bank.until_done(node, day + 1).await;
    }
    let counts = bank.audited();
    let entries = |action: &str| counts.get(action).copied().unwrap_or_default();
    assert_eq!(entries("report.asked"), days, "{counts:?}");
    assert_eq!(entries("finding.acceptance_expired"), days - 1, "{counts:?}");
    assert_eq!(entries("task.created"), days + 1, "{counts:?}");
    assert_eq!(bank.mails.len(), days);
    assert!(cut_off > 0, "no kill fell into the work");
    figure(format_args!(
        "{days} days over three nodes, one killed each day, on {cut_off} of them at a job: each report, expiry, daily \
         mail and following task once"
    ));
}
