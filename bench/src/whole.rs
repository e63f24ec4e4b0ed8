//! What a tenant opens besides its lists, and what reads all of its findings: the time for each record of a file and of an
//! audit bundle.

use crate::{
    filling::Store,
    growth::Axis,
    made,
    report::{Report, Target, median},
    visitor::{self, Visitor},
};

const ROUNDS: usize = 15;
/// Files of the small store, before and after the one of the large store.
const FILES: usize = 3;
const PATHS: [&str; 8] = [
    "/workspace",
    "/workspace/findings",
    "/workspace/findings?search=ledger",
    "/workspace/findings?status=all&sort=due_on",
    "/workspace/search?q=access",
    "/workspace/approvals",
    "/workspace/inbox",
    "/workspace/work",
];

pub(crate) async fn measure(report: &mut Report, axis: Axis, small: &Store, large: &Store) {
    let (few, many) = (Visitor::new(&small.fixture).await, Visitor::new(&large.fixture).await);
    for store in [small, large] {
        store.fixture.app.reload_catalogue().await.unwrap().unwrap();
    }
    let what = format!("growth in {}", axis.name());
    for path in PATHS {
        let (few, many) = visitor::in_turns(&few, &many, path, ROUNDS).await;
        let note = format!("{many:.2} ms with {}, {few:.2} ms with {}", axis.size(large), axis.size(small));
        report.add(&format!("{what}: {path}"), many / few, "×", Target::AtMost(1.3), note);
    }
    let sizes = [small.shape.own, large.shape.own];
    let path = "/workspace/findings.csv?status=all";
    file(report, &format!("{what}: export of findings as CSV"), path, [&few, &many], sizes).await;
    let mut times = [0.0; 2];
    for (time, store) in times.iter_mut().zip([small, large]) {
        *time = made::bundle(&store.fixture.app, &store.fixture.caller).await;
    }
    add(report, &format!("{what}: audit bundle"), sizes, times);
}

/// A file of a small and of a large store.
pub(crate) async fn file(
    report: &mut Report,
    what: &str,
    path: &str,
    [small, large]: [&Visitor; 2],
    sizes: [usize; 2],
) {
    let (mut few, mut many) = (Vec::new(), 0.0);
    for round in 0..=2 * FILES {
        if round == FILES {
            many = large.time(path).await;
        } else {
            few.push(small.time(path).await);
        }
    }
    add(report, what, sizes, [median(few) / 1e3, many / 1e3]);
}

fn add(report: &mut Report, what: &str, sizes: [usize; 2], seconds: [f64; 2]) {
    let [few, many] = [0, 1].map(|at| seconds[at] * 1e6 / sizes[at] as f64);
    let note = format!(
        "{many:.1} µs a record with {} ({:.1} s in all), {few:.1} µs with {}",
        sizes[1], seconds[1], sizes[0]
    );
    report.add(what, many / few, "×", Target::AtMost(1.3), note);
}
