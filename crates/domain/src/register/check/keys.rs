//! Every key stands once.

use std::{
    collections::{HashMap, hash_map},
    hash::Hash,
};

use super::{Checker, Place};
use crate::register::{
    problem::{Rule, quoted},
    records::{Placed, RegisteredProvider},
    template::Template,
};

impl<'r> Checker<'r, '_> {
    pub(super) fn keys(&mut self) {
        let register = self.register;
        self.unique(
            Template::Maintainer,
            &register.maintainer,
            |_| (),
            |_| "more than one entity".to_owned(),
        );
        self.unique(Template::Entities, &register.entities, |each| each.lei, |each| each.lei.to_string());
        self.unique(
            Template::Contracts,
            &register.contracts,
            |each| &each.reference,
            |each| each.reference.to_string(),
        );
        self.unique(
            Template::ContractLines,
            &register.lines,
            |line| {
                let who = (&line.contract, line.entity, &line.provider.code);
                (who, (&line.function, line.service_type), (line.provision, line.storage, line.processing))
            },
            |line| format!("{} for {} and {}", line.contract, line.function, line.service_type),
        );
        self.providers(&register.providers);
        self.unique(
            Template::SupplyChain,
            &register.chain,
            |link| (&link.contract, link.service_type, &link.provider.code, link.rank, &link.recipient),
            |link| {
                format!(
                    "{} {} {} at rank {}",
                    link.contract, link.service_type, link.provider.code, link.rank
                )
            },
        );
        self.unique(
            Template::Functions,
            &register.functions,
            |function| (&function.id, function.entity),
            |function| format!("{} of {}", function.id, function.entity),
        );
        self.unique(
            Template::Assessments,
            &register.assessments,
            |each| (&each.contract, &each.provider.code, each.service_type),
            |each| format!("{} {} {}", each.contract, each.provider.code, each.service_type),
        );
    }

    fn unique<T, K: Eq + Hash>(
        &mut self,
        template: Template,
        rows: &'r [Placed<T>],
        key: impl Fn(&'r T) -> K,
        named: impl Fn(&T) -> String,
    ) {
        let mut first: HashMap<K, &Placed<T>> = HashMap::with_capacity(rows.len());
        for placed in rows {
            match first.entry(key(&placed.record)) {
                hash_map::Entry::Vacant(entry) => {
                    entry.insert(placed);
                }
                hash_map::Entry::Occupied(_) if self.problems.only_counts() => {}
                hash_map::Entry::Occupied(entry) => {
                    let finding =
                        format!("the key {} stands {}", quoted(&named(&placed.record)), at(entry.get().row));
                    let place = Place { template, row: placed.row, column: 10 };
                    self.note(place, Rule::DuplicateKey, finding, "keep one of the rows");
                }
            }
        }
    }

    /// A provider that comes twice with different parents is told so, not only that it comes twice.
    fn providers(&mut self, rows: &'r [Placed<RegisteredProvider>]) {
        let mut first: HashMap<&str, &Placed<RegisteredProvider>> = HashMap::new();
        for placed in rows {
            let (code, parent) = (placed.record.code.code.as_str(), &placed.record.ultimate_parent);
            let Some(before) = first.get(code).copied() else {
                first.insert(code, placed);
                continue;
            };
            let place = |column| Place { template: Template::Providers, row: placed.row, column };
            match (&before.record.ultimate_parent, parent) {
                (Some(one), Some(other)) if one.code != other.code => {
                    let finding =
                        format!("{} has two ultimate parents, {} and {}", quoted(code), one.code, other.code);
                    self.note(place(110), Rule::TwoParents, finding, "keep the row with the right parent");
                }
                _ => {
                    let finding = format!("the key {} stands {}", quoted(code), at(before.row));
                    self.note(place(10), Rule::DuplicateKey, finding, "keep one of the rows");
                }
            }
        }
    }
}

fn at(row: Option<u32>) -> String {
    row.map_or_else(|| "in the register already".to_owned(), |row| format!("in row {row} already"))
}
