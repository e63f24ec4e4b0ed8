//! Reference data: public bodies and filtered lists over HTTP beside bare routes with the same bytes, and what
//! reading the whole catalogue takes.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::{Router, routing::get};
use bytes::Bytes;
use catalogue::Catalogue;

use crate::{
    fixture::Fixture,
    load,
    report::{Report, Target, median},
};

const PUBLIC: &str = "/api/measures";
const FILTERED: &str = "/api/v2/risk-register?level=high";

pub(crate) async fn measure(report: &mut Report) {
    reading(report);
    let fixture = Fixture::new().await;
    let ours = load::serve(api::router(&fixture.app, &api::ApiOptions::default())).await;
    let public = format!("GET {PUBLIC} HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n");
    beside_bare(report, "public list, packed", ours, PUBLIC, &public, 0.9).await;
    let plain = format!("GET {PUBLIC} HTTP/1.1\r\nhost: x\r\n\r\n");
    beside_bare(report, "public list", ours, PUBLIC, &plain, 0.9).await;
    let keyed =
        format!("GET {FILTERED} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\r\n", fixture.key);
    beside_bare(report, "v2 list, filtered", ours, FILTERED, &keyed, 0.7).await;
}

/// Rounds of our route and of one that only answers the same bytes, in turns.
async fn beside_bare(
    report: &mut Report,
    what: &str,
    ours: SocketAddr,
    path: &str,
    request: &str,
    at_least: f64,
) {
    let body: Bytes = load::body_of(ours, request).await;
    let (size, route) = (body.len(), path.split('?').next().unwrap_or(path).to_owned());
    let bare = load::serve(Router::new().route(&route, get(move || async move { body }))).await;
    let requests = Arc::new(vec![request.to_owned()]);
    let (mut ceiling, mut measured) = (Vec::new(), Vec::new());
    for _ in 0..7 {
        ceiling.push(load::drive(bare, &requests, 16, 500).await);
        measured.push(load::drive(ours, &requests, 16, 500).await);
    }
    let (ceiling, measured) = (median(ceiling), median(measured));
    let note = format!("{measured:.0}/s of {ceiling:.0}/s, {size} bytes");
    report.add(what, measured / ceiling, "×", Target::AtLeast(at_least), note);
}

/// Reading and checking the whole catalogue, as every start does.
fn reading(report: &mut Report) {
    let rounds = (0..9).map(|_| {
        let started = Instant::now();
        let catalogue = Catalogue::embedded().unwrap();
        assert!(!catalogue.measures.is_empty());
        started.elapsed().as_secs_f64() * 1000.0
    });
    let took = median(rounds.collect());
    report.add("reading and checking the catalogue", took, "ms", Target::AtMost(50.0), "median of 9".into());
}
