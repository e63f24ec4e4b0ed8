//! Lists with constant cost: pages of a tenant with a million findings beside the same page of a tenant with 1,000.

use std::time::Instant;

use app::finding::{FindingFilter, States};
use domain::{finding::Finding, page::PageRequest};

use crate::{
    filling::{Shape, Store},
    growth::{self, Axis},
    report::{Report, Target, median},
    size, whole,
};

const FEW: usize = 1_000;
const ROUNDS: usize = 7;
const READS: usize = 40;

pub(crate) async fn measure(report: &mut Report) {
    let count = size::at_most(1_000_000).max(FEW);
    let small = Store::new(Shape::alone(FEW)).await;
    let middle = Store::new(Shape::alone((count / 10).max(FEW))).await;
    let started = Instant::now();
    let large = Store::new(Shape::alone(count)).await;
    let filling = started.elapsed().as_secs_f64();
    far_into_a_list(report, &small, &large, filling).await;
    growth::measure(report, Axis::Findings, [&small, &middle, &large]).await;
    whole::measure(report, Axis::Findings, &small, &large).await;
    drop((middle, large));
    // The requesting tenant has as many findings as in the small store; the others are added.
    let some = Store::new(Shape { own: FEW, others: 99, each: count / 1_000 }).await;
    let others = (count / 100).saturating_sub(1);
    let many = Store::new(Shape { own: FEW, others, each: 100 }).await;
    growth::measure(report, Axis::Tenants, [&small, &some, &many]).await;
    whole::measure(report, Axis::Tenants, &small, &many).await;
}

/// Pages of one list, wherever in it they are.
async fn far_into_a_list(report: &mut Report, small: &Store, large: &Store, filling: f64) {
    let count = large.shape.own;
    let total = page(large, &FindingFilter::default(), 0).await;
    let (open, search) = (FindingFilter::default(), by_reference(count / 2));
    let everything = FindingFilter { states: States::All, ..FindingFilter::default() };
    let (mut few, mut many) = (Vec::new(), Vec::new());
    let (mut deep, mut middle, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        few.push(time(small, &open, 0).await);
        many.push(time(large, &open, 0).await);
        deep.push(time(large, &everything, count as u64 - 50).await);
        middle.push(time(large, &open, total / 2).await);
        found.push(time(large, &search, 0).await);
    }
    let (base, first, middle) = (median(few), median(many), median(middle));
    let note = format!(
        "{middle:.0} µs, the first page {first:.0} µs, of {total} open findings; both ends are as far"
    );
    report.add("findings: middle page beside the first", middle / first, "×", Target::AtMost(3.0), note);
    let mut add = |what: &str, measured: f64, most: f64, more: String| {
        let note = format!("{measured:.0} µs, {base:.0} µs with 1,000{more}");
        report.add(what, measured / base, "×", Target::AtMost(most), note);
    };
    let filled = format!("; {count} findings filled in {filling:.0} s");
    add("findings: first page with its total", first, 1.3, filled);
    add("findings: deepest page", median(deep), 10.0, String::new());
    add("findings: search by reference", median(found), 5.0, String::new());
}

fn by_reference(number: usize) -> FindingFilter {
    let search = Some(format!("F-2026-{number:04}"));
    FindingFilter { states: States::All, search, ..FindingFilter::default() }
}

/// How long the list is.
async fn page(store: &Store, filter: &FindingFilter, offset: u64) -> u64 {
    let request = PageRequest::new(Some(50), Some(offset)).unwrap();
    let page =
        store.fixture.app.records.records::<Finding>(&store.fixture.caller, filter, request).await.unwrap();
    assert!(!page.items.is_empty());
    page.total
}

/// Microseconds for one page, on average.
async fn time(store: &Store, filter: &FindingFilter, offset: u64) -> f64 {
    let started = Instant::now();
    for _ in 0..READS {
        page(store, filter, offset).await;
    }
    started.elapsed().as_secs_f64() * 1e6 / READS as f64
}
