//! A look at the machine, the surroundings and the store before or beside a running service: what is wrong, and
//! what to do about it.
//!
//! It changes nothing: a store that does not exist is not made, one that is behind is not migrated. Left out on
//! purpose: what takes long (the audit chains, a full integrity check) has verbs of its own.

mod machine;
mod network;
mod store;

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

/// Makes every check that the settings call for. Blocks: files, name resolution, connections.
pub fn examine(settings: &Settings) -> Vec<Finding> {
    let always = [
        machine::data_directory(settings),
        machine::disk(settings),
        machine::descriptors(settings),
        store::schema(settings),
        network::listen("listen", settings.listen, settings.tls.is_some()),
    ];
    let configured = [
        settings.operator_listen.map(|address| network::listen("operator.listen", address, false)),
        network::certificate(settings),
        settings.redis_url.as_ref().map(network::redis),
        settings.smtp.as_ref().map(network::mail),
        machine::catalogue(settings),
        machine::backups(settings),
    ];
    always.into_iter().chain(configured.into_iter().flatten()).collect()
}
