//! A look at the machine, the surroundings and the store before or beside a running service: what is wrong, and
//! what to do about it.
//!
//! It changes nothing: a store that does not exist is not made, one that is behind is not migrated. Left out on
//! purpose: putting anything right. Each finding says what to do, and the operator does it.

mod backups;
mod certificate;
mod machine;
mod network;
mod store;

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
    /// The service cannot start, or cannot do what the settings ask for.
    Fault,
}

/// What one check found.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub check: &'static str,
    pub verdict: Verdict,
    pub detail: String,
    /// What to do, where there is something to do.
    pub remedy: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, detail: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Ok, detail: detail.into(), remedy: None }
    }

    fn warning(check: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Warning, detail: detail.into(), remedy: Some(remedy.into()) }
    }

    /// Something that must be put right.
    pub fn fault(check: &'static str, detail: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, verdict: Verdict::Fault, detail: detail.into(), remedy: Some(remedy.into()) }
    }
}

/// How thoroughly to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Without reading the whole store.
    Quick,
    /// Everything; the audit log is compared with heads exported earlier, if there are any.
    Whole(Option<Anchors>),
}

/// Makes every check that the settings call for. Blocks: files, name resolution, connections.
pub fn examine(settings: &Settings, now: Moment, depth: &Depth) -> Vec<Finding> {
    // Before the store is opened: closing it again can fold the log in, and opening takes rights from other users.
    let log = store::log(settings);
    let database_file = store::database_file(settings);
    let store = store::schema(settings);
    let read = match depth {
        Depth::Whole(anchors) if store.verdict != Verdict::Fault => {
            store::contents(settings, anchors.as_ref(), now)
        }
        _ => Vec::new(),
    };
    // What the store's entries say about the clock is said instead of the simple answer.
    let clock =
        if read.iter().any(|finding| finding.check == "clock") { None } else { Some(machine::clock(now)) };
    let machine = [
        machine::data_directory(settings),
        machine::disk(settings),
        machine::descriptors(settings),
        machine::catalogue(settings),
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
        backups::check(settings, now),
    ];
    let machine = machine.into_iter().chain(configured.into_iter().flatten());
    machine.chain([store]).chain(read).collect()
}
