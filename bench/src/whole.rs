//! What reads all findings of a tenant: the time for each record of a file and of an audit bundle, with a thousand and with
//! a million of them.

use crate::{
    filling::Store,
    made,
    report::{Report, Target},
    visitor::{self, Visitor},
};

const ROUNDS: usize = 3;

pub(crate) async fn measure(report: &mut Report, small: &Store, large: &Store) {
    let sizes = [small.shape.own, large.shape.own];
    let path = "/workspace/findings.csv?status=all";
    let (few, many) = (Visitor::new(&small.fixture).await, Visitor::new(&large.fixture).await);
    let (few, many) = visitor::in_turns(&few, &many, path, ROUNDS).await;
    add(report, "export of findings as CSV", sizes, [few / 1e3, many / 1e3]);
    let mut times = [0.0; 2];
    for (time, store) in times.iter_mut().zip([small, large]) {
        store.fixture.app.reload_catalogue().await.unwrap().unwrap();
        *time = made::bundle(&store.fixture.app, &store.fixture.caller).await;
    }
    add(report, "audit bundle", sizes, times);
}

fn add(report: &mut Report, what: &str, sizes: [usize; 2], seconds: [f64; 2]) {
    let [few, many] = [0, 1].map(|at| seconds[at] * 1e6 / sizes[at] as f64);
    let note = format!(
        "{many:.1} µs a finding with {} ({:.1} s in all), {few:.1} µs with {}",
        sizes[1], seconds[1], sizes[0]
    );
    report.add(&format!("growth in findings: {what}"), many / few, "×", Target::AtMost(1.3), note);
}
