//! The audit log: appended with every change, verified and exported on demand.

use std::{collections::HashMap, fmt::Display, sync::Arc};

use domain::{
    actor::Actor,
    audit::{ChainFault, Entry, Head, Unchecked, Verifier},
    id::{ApiKeyId, UserId},
    moment::Moment,
    page::Page,
    right::{Resource, Right},
};
use serde_json::Value;
pub use store::audit::AuditRow;
use store::{Reader, TenantScope, Tx, api_key, audit as rows, audit_key, user};

use crate::{Core, Error, Operations, Result, authz::Caller, history::HistoryRow, vault::Vault};

/// How many entries are held in memory while a chain is verified.
const STEP: u32 = 1000;

/// Appends an entry to the audit chain of the running transaction.
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

/// The author of a change, with the name shown to users.
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
    /// An actor of whom only the id is known.
    Unknown(String),
}

/// Something that was written down, with who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed<Row> {
    pub row: Row,
    pub who: Who,
}

/// The page with who wrote each row; each author is looked up once.
pub(crate) fn signed<Row>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    mut page: Page<Row>,
    actor: fn(&Row) -> &str,
) -> Result<Page<Signed<Row>>> {
    let mut entries: Vec<Signed<Row>> = Vec::with_capacity(page.items.len());
    for row in std::mem::take(&mut page.items) {
        let known = entries.iter().find(|entry| actor(&entry.row) == actor(&row));
        let who = match known {
            Some(entry) => entry.who.clone(),
            None => who(reader, scope, actor(&row))?,
        };
        entries.push(Signed { row, who });
    }
    Ok(page.with(entries))
}

/// A head as people keep it.
pub fn head_text(head: &Head) -> String {
    store::sql::hex(&head.hash)
}

/// The result of verifying one chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainReport {
    pub chain: String,
    pub entries: i64,
    pub outcome: Result<Head, ChainFault>,
    /// What of these entries could not be checked.
    pub unchecked: Unchecked,
    /// Whether the end was compared with a head that was exported, or kept on this machine, before.
    pub anchored: bool,
}

impl Operations {
    /// The names of all audit chains: one for each tenant, by its id, and `platform`.
    pub async fn audit_chains(&self) -> Result<Vec<String>> {
        self.db.platform().read(rows::chains).await.map_err(Error::from)
    }

    /// Walks one chain from its first entry to its head. `anchors` are heads exported earlier; the one kept on this
    /// machine is always compared.
    pub async fn verify_audit(
        &self,
        chain: &str,
        anchors: impl IntoIterator<Item = Head>,
    ) -> Result<ChainReport> {
        let (chain, vault) = (chain.to_owned(), self.vault.clone());
        let kept = self.kept_heads().and_then(|kept| kept.get(&chain).copied());
        let anchors: Vec<Head> = anchors.into_iter().chain(kept).collect();
        self.db.platform().read(move |r| verify(r, &vault, &chain, &anchors)).await
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

    /// Verifies the tenant's own chain from its first entry.
    pub async fn verify_own_audit(&self, caller: &Caller) -> Result<ChainReport> {
        caller.require_right(Resource::AuditLog, Right::Read)?;
        self.verify_audit(&caller.tenant().to_string(), None).await
    }
}

impl Core {
    /// The names behind the ids in a record's history.
    pub async fn names(&self, caller: &Caller, history: &[HistoryRow]) -> Result<HashMap<String, Who>> {
        self.actor_names(caller, history.iter().map(|step| step.actor.clone()).collect()).await
    }

    /// The names behind these ids of people and keys.
    pub async fn actor_names(&self, caller: &Caller, actors: Vec<String>) -> Result<HashMap<String, Who>> {
        let scope = *caller.scope();
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
}

/// Head and entries are read from one snapshot, so that they belong together however much is appended meanwhile.
fn verify(reader: &mut Reader<'_>, vault: &Vault, chain: &str, anchors: &[Head]) -> Result<ChainReport> {
    let stored = rows::head(reader, chain)?;
    let keys = Arc::new(vault.audit_keys(&audit_key::kept(reader)?));
    let verifier = Verifier::new(chain, anchors.iter().copied()).with_keys(&keys);
    let mut verifier = verifier.must_be_keyed(audit_key::is_begun(reader)?);
    let report = |entries, verifier: &Verifier, outcome| ChainReport {
        chain: chain.to_owned(),
        entries,
        outcome,
        unchecked: verifier.unchecked(),
        anchored: !anchors.is_empty(),
    };
    let mut last = 0;
    loop {
        let batch = rows::after(reader, chain, last, STEP)?;
        if batch.is_empty() {
            let walked = report(last, &verifier, Ok(stored));
            return Ok(ChainReport { outcome: verifier.finish(stored), ..walked });
        }
        for AuditRow { seq, hash, key, entry } in &batch {
            if let Err(fault) = verifier.step(*seq, *hash, key.as_deref(), entry) {
                return Ok(report(last, &verifier, Err(fault)));
            }
            last = *seq;
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
