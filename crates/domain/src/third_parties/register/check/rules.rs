//! Rules between columns, beyond keys and references.

use std::collections::HashSet;

use super::{CellPosition, Checker};
use crate::register::{
    codes::{CodeKind, ContractKind, PersonKind},
    columns::{contracts, providers},
    index::records,
    problem::Rule,
    records::Contract,
    sentences::{Quoted, RegisterFinding, RegisterRemedy},
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
            let place = |column| CellPosition { row: placed.row, column };
            let is_official = matches!(provider.code.kind, CodeKind::Lei | CodeKind::Euid);
            if provider.person == PersonKind::Legal && !is_official {
                let (name, kind) = (Quoted::text(provider.name.as_str()), provider.code.kind.as_str());
                let finding = RegisterFinding::LegalPerson { name, kind };
                self.note(
                    place(providers::CODE_TYPE),
                    Rule::CodeType,
                    finding,
                    RegisterRemedy::IdentifyCompanies,
                );
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
                let (parent, above) = (parent.code.code.to_string(), above.code.to_string());
                let finding = RegisterFinding::NotUltimate { parent, above };
                self.note(place(providers::PARENT), Rule::NotUltimate, finding, RegisterRemedy::NameTop);
            }
        }
    }

    fn cost(&mut self, row: Option<u32>, contract: &Contract) {
        let finding = match contract.annual_cost.amount {
            ..0 => RegisterFinding::NegativeExpense,
            // A framework and its orders may have the expense at only one of them; a standalone contract cannot.
            0 if contract.kind == ContractKind::Standalone => RegisterFinding::FreeStandalone,
            _ => return,
        };
        let place = CellPosition { row, column: contracts::ANNUAL_COST };
        self.note(place, Rule::Amount, finding, RegisterRemedy::EnterEstimate);
    }

    fn overarching(&mut self, row: Option<u32>, contract: &'r Contract, used: &HashSet<&str>) {
        let place = CellPosition { row, column: contracts::OVERARCHING };
        let Some(reference) = &contract.overarching else {
            if contract.kind == ContractKind::Subsequent {
                let (finding, remedy) = (RegisterFinding::NoFramework, RegisterRemedy::EnterFramework);
                self.note(place, Rule::Overarching, finding, remedy);
            }
            return;
        };
        let Some(framework) = self.index.contracts.get(reference.as_str()) else { return };
        if framework.kind != ContractKind::Overarching {
            let finding = RegisterFinding::NotAFramework { reference: Quoted::text(reference.as_str()) };
            self.note(place, Rule::Overarching, finding, RegisterRemedy::CorrectFramework);
            return;
        }
        // The expense of a framework that is never used directly is divided among the arrangements under it.
        let hands_on = framework.annual_cost.amount > 0 && !used.contains(reference.as_str());
        if hands_on && framework.annual_cost.currency != contract.annual_cost.currency {
            let finding = RegisterFinding::TwoCurrencies {
                reference: Quoted::text(reference.as_str()),
                theirs: framework.annual_cost.currency,
                ours: contract.annual_cost.currency,
            };
            let place = CellPosition { column: contracts::CURRENCY, ..place };
            self.note(place, Rule::Currency, finding, RegisterRemedy::OneCurrency);
        }
    }
}
