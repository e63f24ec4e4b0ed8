//! What the service does by itself, with every thing broken first that it is said to put right.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

extern crate tidewall_app as app;

mod alerts;
mod heal;
mod health;
mod jobs;
mod scores;

use std::path::PathBuf;

use store::sql::Location;
use testkit::Scratch;

/// The file of a store that is one.
fn sqlite_file(scratch: &Scratch) -> PathBuf {
    match &scratch.location {
        Location::File { path, .. } => path.clone(),
        Location::Server { .. } => panic!("not a file"),
    }
}

/// The address of a store that is a server.
fn postgres_url(scratch: &Scratch) -> String {
    match &scratch.location {
        Location::Server { url, .. } => url.clone(),
        Location::File { .. } => panic!("not a server"),
    }
}
