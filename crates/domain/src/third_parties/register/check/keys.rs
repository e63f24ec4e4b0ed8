//! Every key is unique.

use std::{
    collections::{HashMap, hash_map},
    hash::Hash,
};

use super::{CellPosition, Checker};
use crate::register::{
    columns::{ColumnId, assessments, chain, contracts, entities, functions, lines, maintainer, providers},
    problem::Rule,
    records::{Placed, RegisteredProvider},
    sentences::{KnownPlace, Quoted, RecordKey, RegisterFinding, RegisterRemedy},
};

impl<'r> Checker<'r, '_> {
    pub(super) fn keys(&mut self) {
        let register = self.register;
        self.unique(maintainer::LEI, &register.maintainer, |_| (), |_| RecordKey::Maintainer);
        self.unique(entities::LEI, &register.entities, |each| each.lei, |each| plain(&each.lei));
        self.unique(
            contracts::REFERENCE,
            &register.contracts,
            |each| &each.reference,
            |each| plain(&each.reference),
        );
        self.unique(
            lines::CONTRACT,
            &register.lines,
            |line| {
                let who = (&line.contract, line.entity, &line.provider.code);
                (who, (&line.function, line.service_type), (line.provision, line.storage, line.processing))
            },
            |line| RecordKey::ContractLine {
                contract: line.contract.to_string(),
                function: line.function.to_string(),
                service: line.service_type.as_str(),
            },
        );
        self.providers(&register.providers);
        self.unique(
            chain::CONTRACT,
            &register.chain,
            |link| (&link.contract, link.service_type, &link.provider.code, link.rank, &link.recipient),
            |link| RecordKey::ChainLink {
                contract: link.contract.to_string(),
                service: link.service_type.as_str(),
                provider: link.provider.code.to_string(),
                rank: link.rank,
            },
        );
        self.unique(
            functions::IDENTIFIER,
            &register.functions,
            |function| (&function.id, function.entity),
            |function| RecordKey::Function {
                id: function.id.to_string(),
                entity: function.entity.to_string(),
            },
        );
        self.unique(
            assessments::CONTRACT,
            &register.assessments,
            |each| (&each.contract, &each.provider.code, each.service_type),
            |each| RecordKey::Assessment {
                contract: each.contract.to_string(),
                provider: each.provider.code.to_string(),
                service: each.service_type.as_str(),
            },
        );
    }

    fn unique<T, K: Eq + Hash>(
        &mut self,
        key_column: ColumnId,
        rows: &'r [Placed<T>],
        key: impl Fn(&'r T) -> K,
        named: impl Fn(&T) -> RecordKey,
    ) {
        let mut first: HashMap<K, &Placed<T>> = HashMap::with_capacity(rows.len());
        for placed in rows {
            match first.entry(key(&placed.record)) {
                hash_map::Entry::Vacant(entry) => {
                    entry.insert(placed);
                }
                hash_map::Entry::Occupied(_) if self.problems.only_counts() => {}
                hash_map::Entry::Occupied(entry) => {
                    let key = Quoted(named(&placed.record));
                    let finding = RegisterFinding::KeyStands { key, place: at(entry.get().row) };
                    let place = CellPosition { row: placed.row, column: key_column };
                    self.note(place, Rule::DuplicateKey, finding, RegisterRemedy::KeepOneRow);
                }
            }
        }
    }

    /// A repeated provider with different parents is reported as such, not only as repeated.
    fn providers(&mut self, rows: &'r [Placed<RegisteredProvider>]) {
        let mut first: HashMap<&str, &Placed<RegisteredProvider>> = HashMap::new();
        for placed in rows {
            let (code, parent) = (placed.record.code.code.as_str(), &placed.record.ultimate_parent);
            let Some(before) = first.get(code).copied() else {
                first.insert(code, placed);
                continue;
            };
            let place = |column| CellPosition { row: placed.row, column };
            match (&before.record.ultimate_parent, parent) {
                (Some(one), Some(other)) if one.code != other.code => {
                    let (first, second) = (one.code.to_string(), other.code.to_string());
                    let finding = RegisterFinding::ParentTwice { code: Quoted::text(code), first, second };
                    self.note(
                        place(providers::PARENT),
                        Rule::TwoParents,
                        finding,
                        RegisterRemedy::KeepRightParent,
                    );
                }
                _ => {
                    let finding =
                        RegisterFinding::KeyStands { key: Quoted(plain(&code)), place: at(before.row) };
                    self.note(
                        place(providers::CODE),
                        Rule::DuplicateKey,
                        finding,
                        RegisterRemedy::KeepOneRow,
                    );
                }
            }
        }
    }
}

fn plain(key: &impl ToString) -> RecordKey {
    RecordKey::Plain { key: key.to_string() }
}

fn at(row: Option<u32>) -> KnownPlace {
    row.map_or(KnownPlace::Register, |row| KnownPlace::Row { row })
}
