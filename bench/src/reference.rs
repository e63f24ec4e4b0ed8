//! Reference data: public bodies, filtered lists and exports over HTTP beside bare routes with the same bytes, and
//! the cost of loading the whole catalogue.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use catalogue::Catalogue;

use crate::{
    fixture::Fixture,
    load::{self, Pace, Side},
    report::{Report, Target, median},
};

const PUBLIC: &str = "/api/measures";
const FILTERED: &str = "/api/v2/risk-register?level=high";
const EXPORTS: [(&str, f64); 2] =
    [("/api/v1/exports/measures/json", 0.6), ("/api/v1/exports/measures/csv", 0.5)];
const ROUNDS: usize = 15;

pub(crate) async fn measure(report: &mut Report) {
    reading(report);
    let fixture = Fixture::new().await;
    let ours = load::serve(fixture.service()).await;
    let packed = format!("GET {PUBLIC} HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n");
    packed_well(ours, &packed).await;
    beside_bare(report, "public list, packed", ours, PUBLIC, packed, Target::AtLeast(0.9)).await;
    let plain = format!("GET {PUBLIC} HTTP/1.1\r\nhost: x\r\n\r\n");
    let [ceiling, measured] =
        beside_bare(report, "public list", ours, PUBLIC, plain, Target::AtLeast(0.9)).await;
    load::add_tail(report, "public list", &measured, &ceiling);
    let keyed = load::get_with(&fixture.key, FILTERED);
    beside_bare(report, "v2 list, filtered", ours, FILTERED, keyed, Target::AtLeast(0.7)).await;
    for (path, least) in EXPORTS {
        let what = format!("export of all measures, {}", &path[path.len() - 4..].trim_start_matches('/'));
        let keyed = load::get_with(&fixture.key, path);
        beside_bare(report, &what, ours, path, keyed, Target::AtLeast(least)).await;
    }
}

/// Waits until the body is thoroughly compressed, which happens soon after the first request.
async fn packed_well(ours: SocketAddr, request: &str) {
    let quick = load::body_of(ours, request).await.len();
    for _ in 0..100 {
        if load::body_of(ours, request).await.len() != quick {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Rounds of our route and of one that only returns the same bytes, in turn.
async fn beside_bare(
    report: &mut Report,
    what: &str,
    ours: SocketAddr,
    path: &str,
    request: String,
    target: Target,
) -> [Pace; 2] {
    let body = load::body_of(ours, &request).await;
    let (size, route) = (body.len(), path.split('?').next().unwrap_or(path));
    let bare = Side::new(load::serve_bytes(route, body).await, vec![request]);
    let asked = Side { address: ours, ..bare.clone() }.lasting(0.25).await;
    let bare = bare.lasting(0.25).await;
    let [ceiling, measured] = load::in_turns(ROUNDS, [&bare, &asked]).await;
    let note = format!("{:.0}/s of {:.0}/s, {size} bytes", measured.per_second, ceiling.per_second);
    report.add(what, measured.per_second / ceiling.per_second, "×", target, note);
    [ceiling, measured]
}

/// Loading and checking the whole catalogue of some 2,000 requirements, as at every start.
fn reading(report: &mut Report) {
    let rounds = (0..9).map(|_| {
        let started = Instant::now();
        let catalogue = Catalogue::embedded().unwrap();
        assert!(!catalogue.measures.is_empty());
        started.elapsed().as_secs_f64() * 1000.0
    });
    let took = median(rounds.collect());
    report.add("reading and checking the catalogue", took, "ms", Target::AtMost(60.0), "median of 9".into());
}
