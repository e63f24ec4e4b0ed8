//! Whether the store can be reached and fits this binary.

use store::sql::{Location, migrate};

use super::Finding;
use crate::{compose, config::Settings};

pub(super) fn schema(settings: &Settings) -> Finding {
    const CHECK: &str = "store";
    let location = compose::location(settings);
    let (place, absent) = match &location {
        Location::File { path, .. } => (path.display().to_string(), !path.exists()),
        Location::Server { .. } => ("PostgreSQL".to_owned(), false),
    };
    if absent {
        return Finding::ok(CHECK, format!("{place} is not there yet; `tidewall serve` makes it"));
    }
    match migrate::pending(&location) {
        Ok(names) if names.is_empty() => Finding::ok(CHECK, format!("{place} is up to date")),
        Ok(names) => Finding::warning(
            CHECK,
            format!("{place} lacks {} migration(s), the first is {}", names.len(), names[0]),
            "run `tidewall migrate`, or start with `tidewall serve`, which does it",
        ),
        Err(error @ store::Error::Refused(_)) => {
            Finding::fault(CHECK, error.to_string(), "see the remedy in that sentence")
        }
        Err(error) => Finding::fault(
            CHECK,
            format!("{place} cannot be used ({error})"),
            "check data_dir or database_url and that the database runs; restore a backup if the file is damaged",
        ),
    }
}
