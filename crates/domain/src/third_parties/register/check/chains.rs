//! Supply chains: ranks that count from 1, recipients one rank before, no cycles.

use std::collections::{BTreeMap, HashSet};

use super::{CellPosition, Checker};
use crate::{
    register::{
        columns::{ColumnId, chain},
        problem::Rule,
        records::{ChainLink, Placed},
        sentences::{Quoted, RegisterFinding, RegisterRemedy},
    },
    supply_chain::{ChainDefect, inspect},
};

/// The links of one contract and service.
type Chain<'r> = Vec<&'r Placed<ChainLink>>;

impl<'r> Checker<'r, '_> {
    pub(super) fn chains(&mut self) {
        let mut chains: BTreeMap<_, Chain<'r>> = BTreeMap::new();
        for placed in &self.register.chain {
            chains
                .entry((placed.record.contract.as_str(), placed.record.service_type))
                .or_default()
                .push(placed);
        }
        for chain in chains.values() {
            if self.recipients(chain) && self.shape(chain) {
                self.ranks(chain);
            }
        }
    }

    /// The direct provider has no recipient, or itself as in some files; all others have one.
    fn recipients(&mut self, chain: &Chain<'r>) -> bool {
        let mut sound = true;
        for placed in chain {
            let link = &placed.record;
            let (finding, remedy) = match (link.rank, &link.recipient) {
                (1, Some(recipient)) if recipient.code != link.provider.code => {
                    (RegisterFinding::OtherRecipient, RegisterRemedy::OwnCodeAtOne)
                }
                (2.., None) => (RegisterFinding::NoRecipient, RegisterRemedy::EnterRecipient),
                _ => continue,
            };
            sound = false;
            self.note(at(placed, chain::RECIPIENT), Rule::Rank, finding, remedy);
        }
        sound
    }

    /// No cycle, and every recipient is in the chain. The bank itself is the root, as `None`.
    fn shape(&mut self, chain: &Chain<'r>) -> bool {
        let steps: Vec<_> = chain.iter().map(|placed| (step(&placed.record), *placed)).collect();
        match inspect(None, &steps, |(step, _)| *step) {
            None => true,
            Some(ChainDefect::Circle(path)) => {
                let names: Vec<_> = path.iter().copied().flatten().map(|code| self.name(code)).collect();
                let closing = steps.iter().rev().find(|((_, supplier), _)| path.contains(supplier));
                if let Some((_, placed)) = closing {
                    let finding = RegisterFinding::Circle { path: names.join(" → ") };
                    self.note(at(placed, chain::RECIPIENT), Rule::Cycle, finding, RegisterRemedy::RemoveStep);
                }
                false
            }
            Some(ChainDefect::Loose(position)) => {
                let ((recipient, _), placed) = steps[position];
                let recipient = Quoted::text(recipient.unwrap_or_default());
                let finding = RegisterFinding::LooseRecipient { recipient };
                self.note(
                    at(placed, chain::RECIPIENT),
                    Rule::BrokenReference,
                    finding,
                    RegisterRemedy::AddLink,
                );
                false
            }
        }
    }

    fn ranks(&mut self, chain: &Chain<'r>) {
        let ranked: HashSet<_> =
            chain.iter().map(|placed| (placed.record.provider.code.as_str(), placed.record.rank)).collect();
        for placed in chain {
            let (Some(recipient), _) = step(&placed.record) else { continue };
            let before = placed.record.rank - 1;
            if !ranked.contains(&(recipient, before)) {
                let (rank, recipient) = (placed.record.rank, Quoted::text(recipient));
                let finding = RegisterFinding::WrongRank { rank, recipient, before };
                self.note(at(placed, chain::RANK), Rule::Rank, finding, RegisterRemedy::RankAfterRecipient);
            }
        }
    }

    fn name(&self, code: &'r str) -> &'r str {
        self.index.providers.get(code).map_or(code, |provider| provider.name.as_str())
    }
}

/// From the recipient to the provider; `None` is the bank.
fn step(link: &ChainLink) -> (Option<&str>, Option<&str>) {
    let recipient = link.recipient.as_ref().filter(|_| link.rank > 1);
    (recipient.map(|recipient| recipient.code.as_str()), Some(link.provider.code.as_str()))
}

fn at(placed: &Placed<ChainLink>, column: ColumnId) -> CellPosition {
    CellPosition { row: placed.row, column }
}
