//! The cost of counting a request.

use std::{hint::black_box, time::Instant};

use app::limits::{Counters, LimitRules, Tier};
use domain::{
    id::{ApiKeyId, Uuid7},
    moment::Moment,
};

use crate::report::{Report, Target, median};

pub(crate) fn measure(report: &mut Report) {
    let (counters, rules) = (Counters::<ApiKeyId>::default(), LimitRules::default());
    let keys: Vec<ApiKeyId> = (0..10_000).map(|n| Uuid7::from_parts(n, u128::from(n)).into()).collect();
    let rounds = (0..7).map(|round| {
        let started = Instant::now();
        for (number, key) in keys.iter().cycle().take(500_000).enumerate() {
            let at =
                Moment::from_millis(1_000_000_000 + round * 60_000 + i64::try_from(number).unwrap() / 10);
            black_box(counters.admit(rules.of(Tier::V1), *key, at));
        }
        started.elapsed().as_secs_f64() / 500_000.0 * 1e6
    });
    let micros = median(rounds.collect());
    report.add(
        "request limit, 10,000 keys",
        micros,
        "µs",
        Target::AtMost(1.0),
        "per request, one thread".into(),
    );
}
