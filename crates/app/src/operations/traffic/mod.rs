//! Counters of requests: by route for the operator, over the last minutes for every user.
//!
//! Counting happens on every request, so it takes one short lookup and a few additions. Routes are templates, so
//! their number is bounded. Values that must survive a restart, the errors of the last hour, are added to the store
//! now and then. Neither the caller nor the content of a request is recorded.

mod histogram;
mod rate;
mod window;

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use domain::moment::Moment;
use foldhash::fast::RandomState;

use self::{histogram::Counted, window::Window};
pub use self::{
    histogram::{ENDS_MICROS, Histogram},
    rate::{ErrorRate, RouteRate},
    window::Recent,
};

/// Methods with a counter of their own; all others share one.
const METHODS: [&str; 8] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"];
/// Statuses with a counter of their own; all others are counted as 0.
const STATUSES: [u16; 28] = [
    200, 201, 202, 204, 206, 302, 303, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 422,
    429, 431, 500, 501, 503, 504, 0,
];

/// A request that was answered.
#[derive(Debug, Clone, Copy)]
pub struct Answered<'a> {
    pub method: &'a str,
    /// The template of the route; absent if no route matched.
    pub route: Option<&'a str>,
    pub status: u16,
    pub took: Duration,
    pub at: Moment,
}

/// The routes of one method.
type Routes = RwLock<HashMap<Box<str>, Arc<RouteCounts>, RandomState>>;

/// The counts of this process.
#[derive(Debug, Default)]
pub struct Traffic {
    routes: [Routes; METHODS.len()],
    window: Window,
}

#[derive(Debug, Default)]
struct RouteCounts {
    statuses: [AtomicU64; STATUSES.len()],
    durations: Counted,
    /// The counts that are already in the store.
    written: Written,
}

#[derive(Debug, Default)]
struct Written {
    requests: AtomicU64,
    errors: AtomicU64,
}

/// The counts of one route and method.
#[derive(Debug, Clone)]
pub struct RouteReading {
    pub method: &'static str,
    pub route: String,
    /// Responses by status, for each that occurred.
    pub statuses: Vec<(u16, u64)>,
    pub durations: Histogram,
}

impl Traffic {
    pub fn answered(&self, answered: Answered<'_>) {
        let Answered { method, route, status, took, at } = answered;
        self.window.add(at, took, status >= 500);
        let place = METHODS.iter().position(|known| *known == method).unwrap_or(METHODS.len() - 1);
        let (routes, route) = (&self.routes[place], route.unwrap_or("unmatched"));
        if let Some(counts) = routes.read().unwrap_or_else(PoisonError::into_inner).get(route) {
            return counts.add(status, took);
        }
        let mut routes = routes.write().unwrap_or_else(PoisonError::into_inner);
        routes.entry(route.into()).or_default().add(status, took);
    }

    /// What happened in the last five minutes.
    pub fn recent(&self, now: Moment) -> Recent {
        self.window.read(now)
    }

    /// Every route with requests, in alphabetical order.
    pub fn routes(&self) -> Vec<RouteReading> {
        let mut readings: Vec<RouteReading> = self
            .each()
            .into_iter()
            .map(|(method, route, counts)| RouteReading {
                method,
                route: route.into(),
                statuses: counts.statuses().collect(),
                durations: counts.durations.read(),
            })
            .collect();
        readings.sort_by(|one, other| (&one.route, one.method).cmp(&(&other.route, other.method)));
        readings
    }

    fn each(&self) -> Vec<(&'static str, Box<str>, Arc<RouteCounts>)> {
        let of = |(method, routes): (&'static str, &Routes)| {
            let routes = routes.read().unwrap_or_else(PoisonError::into_inner);
            routes
                .iter()
                .map(|(route, counts)| (method, route.clone(), Arc::clone(counts)))
                .collect::<Vec<_>>()
        };
        METHODS.into_iter().zip(&self.routes).flat_map(of).collect()
    }
}

impl RouteCounts {
    fn add(&self, status: u16, took: Duration) {
        let place = STATUSES.iter().position(|known| *known == status).unwrap_or(STATUSES.len() - 1);
        self.statuses[place].fetch_add(1, Ordering::Relaxed);
        self.durations.add(took);
    }

    fn statuses(&self) -> impl Iterator<Item = (u16, u64)> {
        let counted = STATUSES.into_iter().zip(&self.statuses);
        counted.map(|(status, count)| (status, count.load(Ordering::Relaxed))).filter(|(_, count)| *count > 0)
    }

    /// Requests, and those answered with a 500, since the start.
    fn totals(&self) -> (u64, u64) {
        self.statuses().fold((0, 0), |(requests, errors), (status, count)| {
            (requests + count, errors + if status == 500 { count } else { 0 })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(route: Option<&str>, status: u16) -> Answered<'_> {
        let at = Moment::from_millis(0);
        Answered { method: "GET", route, status, took: Duration::from_millis(3), at }
    }

    #[test]
    fn answers_are_counted_by_route_and_status() {
        let traffic = Traffic::default();
        for status in [200, 200, 500, 418] {
            traffic.answered(answer(Some("/api/v1/findings/{id}"), status));
        }
        traffic.answered(answer(None, 404));
        let routes = traffic.routes();
        assert_eq!(routes[0].route, "/api/v1/findings/{id}");
        assert_eq!(routes[0].statuses, [(200, 2), (500, 1), (0, 1)]);
        assert_eq!((routes[1].route.as_str(), &routes[1].statuses[..]), ("unmatched", &[(404, 1)][..]));
        assert_eq!(routes[0].durations.count, 4);
    }
}
