//! The audit log: written with every change, verified and exported on demand.

use std::{collections::HashMap, fmt::Display};

use domain::{
    actor::Actor,
    audit::{ChainFault, Entry, Head, Verifier},
    id::{ApiKeyId, UserId},
    moment::Moment,
};
use serde_json::Value;
pub use store::audit::AuditRow;
use store::{Reader, TenantScope, Tx, api_key, audit as rows, user};

use crate::{App, Error, Result, authz::Caller, history::HistoryRow};

/// How many entries are held in memory while a chain is walked.
const STEP: u32 = 1000;

/// Appends what was done to the audit chain of the running change.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    actor: Actor,
    at: Moment,
    action: &str,
    subject: impl Display,
    detail: &Value,
) -> Result<()> {
    let entry = Entry {
        at,
        actor: actor.to_string(),
        action: action.to_owned(),
        subject: subject.to_string(),
        detail: detail.to_string(),
    };
    tx.audit(&entry).map_err(Error::from)
}

/// Who made a change, by the name people know them by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    Person {
        name: String,
        email: String,
    },
    Key {
        name: String,
        prefix: String,
    },
    Operator,
    System,
    /// Somebody of whom only the id is left.
    Unknown(String),
}

/// A head as people keep it.
pub fn head_text(head: &Head) -> String {
    store::sql::hex(&head.hash)
}

/// What verifying one chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainReport {
    pub chain: String,
    pub entries: i64,
    pub outcome: Result<Head, ChainFault>,
}

impl App {
    /// The names of all audit chains: one for each tenant, by its id, and `platform`.
    pub async fn audit_chains(&self) -> Result<Vec<String>> {
        self.db.platform().read(rows::chains).await.map_err(Error::from)
    }

    /// Walks one chain from its first entry to its head. `anchor` is a head exported earlier.
    pub async fn verify_audit(&self, chain: &str, anchor: Option<Head>) -> Result<ChainReport> {
        let chain = chain.to_owned();
        self.db.platform().read(move |r| verify(r, &chain, anchor)).await
    }

    /// The next entries of a chain after `seq`, oldest first.
    pub async fn audit_after(&self, chain: &str, seq: i64) -> Result<Vec<AuditRow>> {
        let chain = chain.to_owned();
        self.db.platform().read(move |r| rows::after(r, &chain, seq, STEP)).await.map_err(Error::from)
    }

    pub async fn audit_head(&self, chain: &str) -> Result<Head> {
        let chain = chain.to_owned();
        self.db.platform().read(move |r| rows::head(r, &chain)).await.map_err(Error::from)
    }

    /// The names behind the ids a record's history names.
    pub async fn names(&self, caller: &Caller, history: &[HistoryRow]) -> Result<HashMap<String, Who>> {
        let scope = *caller.scope();
        let actors: Vec<String> = history.iter().map(|step| step.actor.clone()).collect();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let mut names = HashMap::new();
                for actor in &actors {
                    if !names.contains_key(actor) {
                        names.insert(actor.clone(), who(r, &scope, actor)?);
                    }
                }
                Ok(names)
            })
            .await
    }

    /// Walks the tenant's own chain from its first entry.
    pub async fn verify_own_audit(&self, caller: &Caller) -> Result<ChainReport> {
        caller.require_audit_reader()?;
        self.verify_audit(&caller.tenant().to_string(), None).await
    }
}

/// Head and entries are read from one snapshot, so that they belong together however much is appended meanwhile.
fn verify(reader: &mut Reader<'_>, chain: &str, anchor: Option<Head>) -> Result<ChainReport> {
    let report = |entries, outcome| ChainReport { chain: chain.to_owned(), entries, outcome };
    let stored = rows::head(reader, chain)?;
    let mut verifier = Verifier::new(chain, anchor);
    let mut last = 0;
    loop {
        let batch = rows::after(reader, chain, last, STEP)?;
        if batch.is_empty() {
            return Ok(report(last, verifier.finish(stored)));
        }
        for row in &batch {
            if let Err(fault) = verifier.step(row.seq, row.hash, &row.entry) {
                return Ok(report(last, Err(fault)));
            }
            last = row.seq;
        }
    }
}

pub(crate) fn who(reader: &mut Reader<'_>, scope: &TenantScope, actor: &str) -> Result<Who> {
    if let Ok(id) = actor.parse::<UserId>() {
        let found = user::get(reader, scope, id)?;
        return Ok(found.map_or_else(
            || Who::Unknown(actor.to_owned()),
            |(user, _)| Who::Person { name: user.name.to_string(), email: user.email.to_string() },
        ));
    }
    if let Ok(id) = actor.parse::<ApiKeyId>() {
        let found = api_key::get(reader, scope, id)?;
        return Ok(found.map_or_else(
            || Who::Unknown(actor.to_owned()),
            |key| Who::Key { name: key.name.to_string(), prefix: key.prefix },
        ));
    }
    Ok(match actor {
        "operator" => Who::Operator,
        "system" => Who::System,
        other => Who::Unknown(other.to_owned()),
    })
}
