//! A tenant's list of findings over HTTP, unchanged and changed, beside a bare axum route that answers the same bytes.
//!
//! Every request comes with another of 10,000 keys, on SQLite and, where a server is named, on PostgreSQL. There an
//! unchanged page still costs one look at the tenant's revision, because another node may have written.

use std::sync::Arc;

use axum::{Router, routing::get};
use domain::{change::Change, finding::FindingInput, permission::Permissions};
use testkit::Engine;

use crate::{
    fixture::{Fixture, Spec},
    load,
    report::{Report, Target, median},
};

const PATH: &str = "/api/v1/findings";
const KEYS: usize = 10_000;
const ROUNDS: usize = 7;

pub(crate) async fn measure(report: &mut Report) {
    measure_on(report, Engine::Sqlite).await;
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        measure_on(report, Engine::Postgres).await;
    }
}

async fn measure_on(report: &mut Report, engine: Engine) {
    let kept = filled(Spec { engine, ..Spec::default() }).await;
    // A cache that holds nothing costs every request what a change costs: read, rendered, serialised.
    let forgotten = filled(Spec { engine, page_bytes: 0, ..Spec::default() }).await;
    let ours = load::serve(api::router(&kept.app, &api::ApiOptions::default())).await;
    let fresh = load::serve(api::router(&forgotten.app, &api::ApiOptions::default())).await;
    let (unchanged_requests, changed_requests) = (requests(&kept).await, requests(&forgotten).await);
    let body = load::body_of(ours, &unchanged_requests[0]).await;
    let size = body.len();
    let bare = load::serve(Router::new().route(PATH, get(move || async move { body }))).await;
    let plain = Arc::new(vec![format!("GET {PATH} HTTP/1.1\r\nhost: x\r\n\r\n")]);
    let (mut ceiling, mut unchanged, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ceiling.push(load::drive(bare, &plain, 16, 1000).await);
        unchanged.push(load::drive(ours, &unchanged_requests, 16, 1000).await);
        changed.push(load::drive(fresh, &changed_requests, 16, 250).await);
    }
    let (ceiling, unchanged, changed) = (median(ceiling), median(unchanged), median(changed));
    let note = |rate: f64| format!("{rate:.0}/s of {ceiling:.0}/s, {size} bytes, {KEYS} keys");
    let (least_unchanged, least_changed) = match engine {
        Engine::Sqlite => (Target::AtLeast(0.55), Target::AtLeast(0.13)),
        Engine::Postgres => (Target::Shown, Target::Shown),
    };
    let what = |state: &str| format!("v1 list of 50 findings, {state}, {engine:?}");
    report.add(&what("unchanged"), unchanged / ceiling, "×", least_unchanged, note(unchanged));
    report.add(&what("changed each time"), changed / ceiling, "×", least_changed, note(changed));
}

/// The same question with every key.
async fn requests(fixture: &Fixture) -> Arc<Vec<String>> {
    let keys = fixture.keys(KEYS, Permissions::READ_ONLY).await;
    let ask = |key: &String| format!("GET {PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\n\r\n");
    Arc::new(keys.iter().map(ask).collect())
}

/// A tenant with 50 findings.
async fn filled(spec: Spec) -> Fixture {
    let fixture = Fixture::with(spec).await;
    for number in 0..50 {
        let input = FindingInput {
            title: Change::Set(format!("Account {number} of the payments gateway may change its own limits")),
            description: Change::Set("Seen in the yearly review of rights; nobody has used it.".into()),
            severity: Change::Set("high".into()),
            owner: Change::Set("Anna Brandt".into()),
            affected_asset: Change::Set("payments-gateway".into()),
            ..FindingInput::default()
        };
        fixture.app.create_finding(&fixture.caller, input, None, |_| String::new()).await.unwrap();
    }
    fixture
}
