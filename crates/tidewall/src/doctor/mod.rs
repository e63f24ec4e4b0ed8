//! Checks the machine, its environment and the store before or beside a running service, and names problems and
//! remedies.
//!
//! It changes nothing: a missing store is not created, an old one is not migrated, and problems are not repaired. Only
//! in a bucket a small object is stored and removed again. Each finding names a remedy for the operator.

mod backups;
mod bucket;
mod certificate;
mod machine;
mod network;
mod store;
mod telemetry;
mod time_stamps;

use ::store::sql::backup::Anchors;
use domain::moment::Moment;
use serde::Serialize;

use crate::config::Settings;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Ok,
    /// Works, but not as it should.
    Warning,
    /// The service cannot start, or cannot do what is configured.
    Fault,
}

/// The result of one check.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub check: &'static str,
    pub verdict: Verdict,
    pub detail: String,
    /// The remedy, if there is one.
    pub remedy: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Ok, detail: detail.into(), remedy: None }
    }

    fn warning(check: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Warning, detail: detail.into(), remedy: Some(remedy.into()) }
    }

    /// A fault, which must be repaired.
    pub fn fault(check: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Fault, detail: detail.into(), remedy: Some(remedy.into()) }
    }
}

/// The depth of the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Without reading the whole store.
    Quick,
    /// Everything; the audit log is compared with heads exported earlier, if there are any.
    Whole(Option<Anchors>),
}

/// Runs every check that applies to the settings. Before the first start a missing store is no fault. Blocks: files, name resolution, connections.
pub fn examine(settings: &Settings, now: Moment, depth: &Depth, first_start: bool) -> Vec<Finding> {
    // Before the store is opened: closing it can truncate the log, and opening it changes file permissions.
    let log = store::log(settings);
    let database_file = store::database_file(settings);
    let store = store::schema(settings, first_start);
    let read = match depth {
        Depth::Whole(anchors) if store.verdict != Verdict::Fault => {
            store::contents(settings, anchors.as_ref(), now)
        }
        _ => Vec::new(),
    };
    // What the store's entries show about the clock replaces the simple check.
    let clock =
        if read.iter().any(|finding| finding.check == "clock") { None } else { Some(machine::clock(now)) };
    let machine = [
        machine::data_directory(settings),
        machine::disk(settings),
        machine::descriptors(settings),
        machine::catalogue(settings),
        machine::virus_scanner(settings),
        network::listen("listen", settings.listen, settings.tls.is_some()),
    ];
    let configured = [
        clock,
        settings.operator_listen.map(|address| network::listen("operator.listen", address, false)),
        certificate::check(settings, now),
        store::key_file(settings),
        database_file,
        log,
        store::role(settings),
        settings.redis_url.as_ref().map(network::redis),
        settings.smtp.as_ref().map(network::mail),
        telemetry::check(&settings.telemetry),
        time_stamps::check(settings, now),
        bucket::check(settings, now),
        backups::check(settings, now),
    ];
    let machine = machine.into_iter().chain(configured.into_iter().flatten());
    machine.chain([store]).chain(read).collect()
}
