//! The records of a register by their official keys.

use std::collections::{HashMap, HashSet};

use crate::lei::Lei;

use super::records::{Contract, ContractLine, Function, Placed, Register, RegisteredProvider};

#[derive(Debug)]
pub(super) struct Index<'r> {
    pub(super) entities: HashSet<Lei>,
    pub(super) contracts: HashMap<&'r str, &'r Contract>,
    pub(super) providers: HashMap<&'r str, &'r RegisteredProvider>,
    functions: HashMap<&'r str, Vec<&'r Function>>,
}

/// Why a function cannot be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoFunction {
    Unknown,
    /// Other entities use the identifier, but not the entity of the line.
    OfOthers,
}

impl<'r> Index<'r> {
    pub(super) fn of(register: &'r Register) -> Self {
        let mut functions: HashMap<_, Vec<_>> = HashMap::new();
        for function in records(&register.functions) {
            functions.entry(function.id.as_str()).or_default().push(function);
        }
        Self {
            entities: records(&register.entities).map(|entity| entity.lei).collect(),
            contracts: records(&register.contracts).map(|each| (each.reference.as_str(), each)).collect(),
            providers: records(&register.providers).map(|each| (each.code.code.as_str(), each)).collect(),
            functions,
        }
    }

    /// The function that a line supports: each entity assigns its own identifiers, so only its own counts.
    pub(super) fn function(&self, line: &ContractLine) -> Result<&'r Function, NoFunction> {
        let candidates = self.functions.get(line.function.as_str()).ok_or(NoFunction::Unknown)?;
        candidates.iter().find(|each| each.entity == line.entity).copied().ok_or(NoFunction::OfOthers)
    }
}

pub(super) fn records<T>(placed: &[Placed<T>]) -> impl Iterator<Item = &T> {
    placed.iter().map(|placed| &placed.record)
}
