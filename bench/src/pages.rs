//! A tenant's list of findings over HTTP, unchanged and changed, and a single one of them, beside bare axum routes
//! with the same bytes.
//!
//! Every request uses another of 10,000 keys, on SQLite and, if a server is configured, on PostgreSQL. There an
//! unchanged page still costs one query of the tenant's revision, because another node may have written.

use std::net::SocketAddr;

use domain::{
    change::Change,
    finding::{Finding, FindingInput},
    permission::Permissions,
};
use testkit::Engine;

use crate::{
    fixture::{Fixture, Spec},
    load::{self, FINDINGS, Pace, Side},
    report::{Report, Target},
    size,
};

const INCIDENTS: &str = "/api/v1/incidents";
pub(crate) const ROUNDS: usize = 11;
/// Seconds of each side in a round.
pub(crate) const ROUND: f64 = 0.4;

pub(crate) async fn measure(report: &mut Report) {
    measure_on(report, Engine::Sqlite).await;
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        measure_on(report, Engine::Postgres).await;
    }
}

async fn measure_on(report: &mut Report, engine: Engine) {
    let kept = Filled::new(Spec { engine, ..Spec::default() }).await;
    // Without a page cache every request costs what a change somewhere in the tenant's data costs: the page is read
    // again and composed. Without a record cache it costs what it takes if all records are new.
    let forgotten = Filled::new(Spec { engine, page_bytes: 0, ..Spec::default() }).await;
    let renewed = Filled::new(Spec { engine, page_bytes: 0, record_bytes: 0, ..Spec::default() }).await;
    let unchanged = kept.side(|_| FINDINGS.to_owned()).await;
    let changed = forgotten.side(|_| FINDINGS.to_owned()).await;
    let new = renewed.side(|_| FINDINGS.to_owned()).await;
    let record = kept.side(|number| kept.record(number)).await;
    let list = bare(&unchanged, FINDINGS).await;
    let one = bare(&record, &kept.record(0)).await;
    let [list, unchanged, changed, new, one, record] =
        load::in_turns(ROUNDS, [&list, &unchanged, &changed, &new, &one, &record]).await;

    let [least_unchanged, least_changed, least_single] = match engine {
        Engine::Sqlite => [0.7, 0.25, 0.6],
        Engine::Postgres => [0.35, 0.08, 0.15],
    }
    .map(Target::AtLeast);
    let what = |state: &str| format!("v1 list of 50 findings, {state}, {engine:?}");
    add(report, &what("unchanged"), least_unchanged, &unchanged, &list);
    load::add_tail(report, &what("unchanged"), &unchanged, &list);
    add(report, &what("changed each time"), least_changed, &changed, &list);
    load::add_tail(report, &what("changed each time"), &changed, &list);
    add(report, &what("every record new each time"), Target::Shown, &new, &list);
    let what = format!("single finding, {engine:?}");
    add(report, &what, least_single, &record, &one);
    load::add_tail(report, &what, &record, &one);
    if engine == Engine::Sqlite {
        incidents(report, &forgotten).await;
    }
}

/// A list of incidents beside a list of as many findings.
async fn incidents(report: &mut Report, filled: &Filled) {
    for number in 0..50 {
        let incident = format!(r#"{{"title":"Outage {number} of the payments gateway"}}"#);
        load::body_of(filled.address, &load::post_with(&filled.fixture.key, INCIDENTS, &incident)).await;
    }
    let findings = filled.side(|_| FINDINGS.to_owned()).await;
    let incidents = filled.side(|_| INCIDENTS.to_owned()).await;
    let [findings, incidents] = load::in_turns(ROUNDS, [&findings, &incidents]).await;
    let what = "v1 list of 50 incidents beside one of findings, changed each time, Sqlite";
    add(report, what, Target::AtLeast(0.3), &incidents, &findings);
}

pub(crate) fn add(report: &mut Report, what: &str, target: Target, ours: &Pace, ceiling: &Pace) {
    let note = format!("{:.0}/s of {:.0}/s, {} keys", ours.per_second, ceiling.per_second, keys());
    report.add(what, ours.per_second / ceiling.per_second, "×", target, note);
}

/// A route that returns the response to the first request of this side.
pub(crate) async fn bare(side: &Side, path: &str) -> Side {
    let body = load::body_of(side.address, &side.requests[0]).await;
    let address = load::serve_bytes(path, body).await;
    Side::new(address, vec![format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n")]).lasting(ROUND).await
}

pub(crate) fn keys() -> usize {
    size::at_most(10_000)
}

/// A tenant with 50 findings, served.
struct Filled {
    address: SocketAddr,
    keys: Vec<String>,
    findings: Vec<String>,
    fixture: Fixture,
}

impl Filled {
    async fn new(spec: Spec) -> Self {
        let fixture = Fixture::with(spec).await;
        let mut findings = Vec::new();
        for number in 0..50 {
            let input = FindingInput {
                title: Change::Set(format!(
                    "Account {number} of the payments gateway may change its own limits"
                )),
                description: Change::Set(
                    "Seen in the yearly review of rights; the account is unused.".into(),
                ),
                severity: Change::Set("high".into()),
                owner: Change::Set("Anna Brandt".into()),
                affected_asset: Change::Set("payments-gateway".into()),
                ..FindingInput::default()
            };
            let made = fixture
                .app
                .records
                .create_record::<Finding>(&fixture.caller, input, None, |_| String::new())
                .await;
            findings.push(made.unwrap().subject);
        }
        let keys = fixture.keys(keys(), Permissions::READ_ONLY).await;
        let address = load::serve(fixture.service()).await;
        Self { address, keys, findings, fixture }
    }

    fn record(&self, number: usize) -> String {
        format!("{FINDINGS}/{}", self.findings[number % self.findings.len()])
    }

    /// One request with every key.
    async fn side(&self, path: impl Fn(usize) -> String) -> Side {
        side(self.address, &self.keys, path).await
    }
}

/// One request with every key.
pub(crate) async fn side(address: SocketAddr, keys: &[String], path: impl Fn(usize) -> String) -> Side {
    let ask = |(number, key): (usize, &String)| load::get_with(key, &path(number));
    Side::new(address, keys.iter().enumerate().map(ask).collect()).lasting(ROUND).await
}
