//! The share of responses with a 500, by route over the last hour, across nodes and restarts.
//!
//! Each process adds its counts to the store's sums by the minute. Counts that are not stored yet are added to the
//! result, so that its own errors are visible at once.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
};

use domain::moment::Moment;
use store::{
    Tx,
    route_count::{self as rows, RouteCount},
};

use super::{RouteCounts, Traffic};
use crate::{Operations, Result};

const MINUTE_MS: i64 = 60_000;
/// The period of the result.
const MINUTES: i64 = 60;

/// The errors of the last hour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorRate {
    pub requests: u64,
    pub errors: u64,
    /// Routes with requests, those with the most errors first.
    pub routes: Vec<RouteRate>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteRate {
    pub route: String,
    pub requests: u64,
    pub errors: u64,
}

/// The counts of a route that are not stored yet.
struct Unwritten {
    counts: Arc<RouteCounts>,
    count: RouteCount,
}

impl Traffic {
    fn unwritten(&self) -> Vec<Unwritten> {
        let news = self.each().into_iter().map(|(_, route, counts)| {
            let (requests, errors) = counts.totals();
            let written = &counts.written;
            let count = RouteCount {
                route: route.into(),
                requests: requests.saturating_sub(written.requests.load(Ordering::Acquire)),
                errors: errors.saturating_sub(written.errors.load(Ordering::Acquire)),
            };
            Unwritten { counts, count }
        });
        news.filter(|unwritten| unwritten.count.requests > 0).collect()
    }
}

impl Operations {
    /// Stores the counts since the last time. Only one caller at a time.
    pub async fn write_route_counts(&self) -> Result<()> {
        let unwritten = self.traffic.unwritten();
        if unwritten.is_empty() {
            return Ok(());
        }
        let minute = minute_of(self.clock.now());
        let counts: Vec<RouteCount> = unwritten.iter().map(|news| news.count.clone()).collect();
        let write = move |tx: &mut Tx<'_>| counts.iter().try_for_each(|count| rows::add(tx, minute, count));
        self.db.platform().bookkeep(write).await?;
        for Unwritten { counts, count } in unwritten {
            counts.written.requests.fetch_add(count.requests, Ordering::AcqRel);
            counts.written.errors.fetch_add(count.errors, Ordering::AcqRel);
        }
        Ok(())
    }

    /// The errors of the last hour.
    pub async fn error_rate(&self) -> Result<ErrorRate> {
        let since = minute_of(self.clock.now().plus_millis(-MINUTES * MINUTE_MS)).plus_millis(MINUTE_MS);
        let unwritten = self.traffic.unwritten();
        let written = self.db.platform().read(move |r| rows::since(r, since)).await?;
        let mut routes: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for count in written.into_iter().chain(unwritten.into_iter().map(|news| news.count)) {
            let sums = routes.entry(count.route).or_default();
            *sums = (sums.0 + count.requests, sums.1 + count.errors);
        }
        let rate = |(route, (requests, errors))| RouteRate { route, requests, errors };
        let mut routes: Vec<RouteRate> = routes.into_iter().map(rate).collect();
        routes.sort_by_key(|rate| std::cmp::Reverse((rate.errors, rate.requests)));
        let (requests, errors) =
            routes.iter().fold((0, 0), |sum, rate| (sum.0 + rate.requests, sum.1 + rate.errors));
        Ok(ErrorRate { requests, errors, routes })
    }

    /// Deletes counts that no result includes any more.
    pub(crate) async fn prune_route_counts(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-2 * MINUTES * MINUTE_MS);
        self.db.platform().bookkeep(move |tx| rows::prune(tx, before)).await.map_err(Into::into)
    }
}

fn minute_of(at: Moment) -> Moment {
    Moment::from_millis(at.millis().div_euclid(MINUTE_MS) * MINUTE_MS)
}
