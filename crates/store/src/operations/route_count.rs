//! How many requests each route answered, and how many of them with a 500, per minute. Platform data.

use domain::moment::Moment;

use crate::{Reader, Result, Tx, params};

crate::sql! {
    ADD = "INSERT INTO route_counts (minute, route, requests, errors) VALUES ($1, $2, $3, $4)
           ON CONFLICT (minute, route) DO UPDATE SET requests = route_counts.requests + excluded.requests,
                                                     errors = route_counts.errors + excluded.errors";
    SINCE = "SELECT route, CAST(SUM(requests) AS BIGINT), CAST(SUM(errors) AS BIGINT) FROM route_counts
             WHERE minute >= $1 GROUP BY route";
    PRUNE = "DELETE FROM route_counts WHERE minute < $1";
}

/// The counts of one route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteCount {
    /// The template, such as `/api/v1/findings/{id}`.
    pub route: String,
    pub requests: u64,
    pub errors: u64,
}

/// Adds to the counts of a minute, given by its first moment.
pub fn add(tx: &mut Tx<'_>, minute: Moment, count: &RouteCount) -> Result<()> {
    tx.execute(&ADD, params![minute, &count.route, count.requests, count.errors])?;
    Ok(())
}

/// The sums by route from a minute on.
pub fn since(reader: &mut Reader<'_>, minute: Moment) -> Result<Vec<RouteCount>> {
    reader.query(&SINCE, params![minute], |row| {
        Ok(RouteCount { route: row.get(0)?, requests: row.get(1)?, errors: row.get(2)? })
    })
}

pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}
