//! What columns demand of each other, beyond keys and references.

use std::collections::HashSet;

use super::{Checker, Place};
use crate::register::{
    codes::{CodeKind, ContractKind, PersonKind},
    index::records,
    problem::{Rule, quoted},
    records::Contract,
    template::Template,
};

impl<'r> Checker<'r, '_> {
    pub(super) fn rules(&mut self) {
        let used: HashSet<_> = records(&self.register.lines).map(|line| line.contract.as_str()).collect();
        for placed in &self.register.contracts {
            self.cost(placed.row, &placed.record);
            self.overarching(placed.row, &placed.record, &used);
        }
        for placed in &self.register.providers {
            let provider = &placed.record;
            let place = |column| Place { template: Template::Providers, row: placed.row, column };
            let is_official = matches!(provider.code.kind, CodeKind::Lei | CodeKind::Euid);
            if provider.person == PersonKind::Legal && !is_official {
                let finding = format!(
                    "{} is a legal person identified by {}",
                    quoted(provider.name.as_str()),
                    provider.code.kind
                );
                self.note(place(20), Rule::CodeType, finding, "identify companies by LEI or EUID");
            }
            let parent = provider
                .ultimate_parent
                .as_ref()
                .and_then(|parent| self.index.providers.get(parent.code.as_str()));
            let Some((parent, above)) =
                parent.and_then(|parent| Some((parent, parent.ultimate_parent.as_ref()?)))
            else {
                continue;
            };
            if above.code != parent.code.code {
                let finding =
                    format!("the ultimate parent {} has itself the parent {}", parent.code.code, above.code);
                self.note(
                    place(110),
                    Rule::NotUltimate,
                    finding,
                    "name the undertaking at the top of the group",
                );
            }
        }
    }

    fn cost(&mut self, row: Option<u32>, contract: &Contract) {
        let finding = match contract.annual_cost.amount {
            ..0 => "the annual expense is negative",
            // A framework and its orders may keep the expense at one of them only; a standalone contract cannot.
            0 if contract.kind == ContractKind::Standalone => "a standalone arrangement costs nothing",
            _ => return,
        };
        let place = Place { template: Template::Contracts, row, column: 50 };
        self.note(
            place,
            Rule::Amount,
            finding.to_owned(),
            "enter the annual expense or an estimate above zero",
        );
    }

    fn overarching(&mut self, row: Option<u32>, contract: &'r Contract, used: &HashSet<&str>) {
        let place = Place { template: Template::Contracts, row, column: 30 };
        let Some(reference) = &contract.overarching else {
            if contract.kind == ContractKind::Subsequent {
                let finding = "a subsequent arrangement names no overarching one".to_owned();
                self.note(place, Rule::Overarching, finding, "enter the reference of its framework");
            }
            return;
        };
        let Some(framework) = self.index.contracts.get(reference.as_str()) else { return };
        if framework.kind != ContractKind::Overarching {
            let finding = format!("{} is not an overarching arrangement", quoted(reference.as_str()));
            self.note(place, Rule::Overarching, finding, "correct the reference, or its type to eba_CO:x2");
            return;
        }
        // The expense of a framework that is never used directly is handed on to the arrangements under it.
        let hands_on = framework.annual_cost.amount > 0 && !used.contains(reference.as_str());
        if hands_on && framework.annual_cost.currency != contract.annual_cost.currency {
            let finding = format!(
                "the expense of the framework {} is in {}, that of this arrangement in {}",
                quoted(reference.as_str()),
                framework.annual_cost.currency,
                contract.annual_cost.currency
            );
            self.note(Place { column: 40, ..place }, Rule::Currency, finding, "report both in one currency");
        }
    }
}
