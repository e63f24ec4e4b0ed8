//! The clauses of DORA Art. 30(2) and (3) and of (EU) 2025/532 Art. 4(1) in the contracts of a provider. The catalogue
//! lists them.

use std::collections::{BTreeMap, BTreeSet};

use catalogue::{applicability::Force, framework::Requirement};
use domain::{
    arrangement::Arrangement,
    id::{ArrangementId, ProviderId},
    provider::{ClauseInput, ClauseState, ClauseStatement, Provider},
    right::{Resource, Right},
    text::Prose,
};
use serde_json::{Map, json};
use sha2::{Digest as _, Sha256};
use store::{
    Reader, Revision, TenantScope, Tx,
    arrangement::ArrangementRow,
    provider as rows,
    provider::ProviderFacts,
    provider_clause::{self, ClauseCount},
    record,
};

use crate::{
    Error, Result, ThirdParties, author::Author, authz::Caller, catalogue::Edition, pages::Precondition,
};

/// The prefixes of clause ids: those of every contract, and those of contracts behind critical functions, where the
/// clauses on subcontracting follow.
const OF_EVERY: &str = "dora-art-30-02-";
const OF_CRITICAL: [&str; 2] = ["dora-art-30-03-", "dora-rts-532-art-04-01-"];

/// The clauses a contract needs, in the order of the regulation.
pub(crate) fn needed(edition: &Edition, critical: bool) -> impl Iterator<Item = &Requirement> {
    edition.requirements.iter().filter(move |requirement| is_needed(requirement, critical))
}

fn is_needed(requirement: &Requirement, critical: bool) -> bool {
    let begins = |prefix: &str| requirement.id.starts_with(prefix);
    let named = begins(OF_EVERY) || critical && OF_CRITICAL.into_iter().any(begins);
    named && requirement.applicability.force == Force::Shall
}

/// The clauses of all contracts with a provider, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clauses {
    /// Required clauses over all arrangements, without those marked as not required.
    pub required: u64,
    pub present: u64,
    /// Required clauses that were not assessed yet.
    pub not_assessed: u64,
    /// The clauses that at least one contract lacks.
    pub missing: Vec<String>,
}

impl Clauses {
    pub(super) fn of(edition: &Edition, facts: &ProviderFacts, counts: &[ClauseCount]) -> Self {
        let number = |critical| needed(edition, critical).count() as u64;
        let plain = facts.arrangements - facts.critical_arrangements;
        let all = plain * number(false) + facts.critical_arrangements * number(true);
        let mut sums: BTreeMap<ClauseState, u64> = BTreeMap::new();
        let mut missing = BTreeSet::new();
        for count in counts {
            let requirement = edition.requirements.get(&count.clause);
            // A clause that is no longer required, because the function is not critical any more, does not count.
            if !requirement.is_some_and(|requirement| is_needed(requirement, count.critical)) {
                continue;
            }
            *sums.entry(count.state).or_default() += count.count;
            if count.state == ClauseState::Missing {
                missing.insert(count.clause.clone());
            }
        }
        let sum = |state| sums.get(&state).copied().unwrap_or_default();
        let required = all.saturating_sub(sum(ClauseState::NotNeeded));
        let present = sum(ClauseState::Present);
        Self {
            required,
            present,
            not_assessed: required.saturating_sub(present + sum(ClauseState::Missing)),
            missing: missing.into_iter().collect(),
        }
    }
}

/// One clause of one contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseLine {
    pub id: String,
    /// `None` until it was assessed.
    pub state: Option<ClauseState>,
    pub note: Option<Prose>,
}

/// The clauses of the contract of one arrangement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractClauses {
    pub arrangement: ArrangementId,
    pub reference: String,
    pub service: String,
    pub critical: bool,
    pub clauses: Vec<ClauseLine>,
    /// The same as long as the same is said about the clauses.
    pub version: i64,
}

/// A number made of everything that is said about the clauses of one contract.
fn version_of(said: &[ClauseStatement]) -> i64 {
    let mut digest = Sha256::new();
    for statement in said {
        let state = statement.state.map_or("", ClauseState::as_str);
        let note = statement.note.as_ref().map_or("", Prose::as_str);
        for text in [statement.clause.as_str(), state, note] {
            digest.update(text.len().to_be_bytes());
            digest.update(text.as_bytes());
        }
    }
    let bytes = digest.finalize();
    bytes.iter().take(7).fold(0, |number, byte| number << 8 | i64::from(*byte))
}

impl ContractClauses {
    pub(super) fn of(edition: &Edition, row: &ArrangementRow, said: &[ClauseStatement]) -> Self {
        let content = &row.record.contract;
        let critical = content.is_critical();
        let line = |requirement: &Requirement| {
            let said = said.iter().find(|statement| *statement.clause == *requirement.id);
            ClauseLine {
                id: requirement.id.to_string(),
                state: said.and_then(|statement| statement.state),
                note: said.and_then(|statement| statement.note.clone()),
            }
        };
        Self {
            arrangement: row.id,
            reference: content.reference.to_string(),
            service: content.service.to_string(),
            critical,
            clauses: needed(edition, critical).map(line).collect(),
            version: version_of(said),
        }
    }
}

/// The arrangement, if it belongs to the provider.
fn own(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    provider: ProviderId,
    id: ArrangementId,
) -> Result<ArrangementRow> {
    record::get::<Provider>(reader, scope, provider)?.ok_or(Error::NotFound)?;
    if rows::of_arrangement(reader, scope, &id.to_string())? != Some(provider) {
        return Err(Error::NotFound);
    }
    record::get::<Arrangement>(reader, scope, id)?.ok_or(Error::NotFound)
}

impl ThirdParties {
    /// The clauses of the contract of one arrangement.
    pub async fn contract_clauses(
        &self,
        caller: &Caller,
        provider: ProviderId,
        id: ArrangementId,
    ) -> Result<(ContractClauses, Revision)> {
        let (edition, scope) = (self.catalogue()?, *caller.scope());
        let read = move |reader: &mut Reader<'_>| {
            let row = own(reader, &scope, provider, id)?;
            let said = provider_clause::of(reader, &scope, id)?;
            Ok::<_, Error>(ContractClauses::of(&edition, &row, &said))
        };
        self.db.tenant(caller.scope()).read_at(read).await
    }

    /// Sets whether clauses are in the contract. Clauses that are not named stay as they are.
    pub async fn change_clauses(
        &self,
        caller: &Caller,
        provider: ProviderId,
        id: ArrangementId,
        inputs: Vec<ClauseInput>,
        precondition: Precondition,
    ) -> Result<(ContractClauses, Revision)> {
        caller.require_right(Resource::Providers, Right::Write)?;
        let (edition, author) = (self.catalogue()?, Author::new(self, caller));
        let write = move |tx: &mut Tx<'_>| {
            let scope = *author.scope();
            let row = own(tx, &scope, provider, id)?;
            let critical = row.record.contract.is_critical();
            let is_clause = |clause: &str| {
                edition.requirements.get(clause).is_some_and(|found| is_needed(found, critical))
            };
            let before = provider_clause::of(tx, &scope, id)?;
            author.core.check_match(&precondition, version_of(&before))?;
            let statements = ClauseInput::read(&inputs, is_clause)?;
            let mut changes = Map::new();
            let actor = author.caller.actor().to_string();
            for statement in statements {
                let known = before.iter().find(|known| known.clause == statement.clause);
                if known == Some(&statement) || known.is_none() && statement.state.is_none() {
                    continue;
                }
                provider_clause::put(tx, &scope, id, &statement, (&actor, author.now))?;
                let was = known.and_then(|known| known.state);
                changes.insert(statement.clause, json!([was, statement.state]));
            }
            if !changes.is_empty() {
                let detail = json!({ "arrangement": id, "clauses": changes });
                author.audit(tx, "provider.clauses_changed", provider, &detail)?;
            }
            Ok::<_, Error>(())
        };
        self.db.tenant(caller.scope()).write(write).await?;
        self.contract_clauses(caller, provider, id).await
    }
}
