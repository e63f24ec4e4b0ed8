//! Every reference resolves.

use super::{CellPosition, Checker};
use crate::{
    lei::Lei,
    register::{
        columns::{assessments, chain, contracts, entities, functions, lines, maintainer, providers},
        index::NoFunction,
        problem::Rule,
        records::ProviderCode,
        sentences::{Quoted, RegisterFinding, RegisterRemedy},
        template::Template,
    },
};

impl Checker<'_, '_> {
    pub(super) fn references(&mut self) {
        let register = self.register;
        let place = |row, column| CellPosition { row, column };
        for placed in &register.maintainer {
            self.entity(place(placed.row, maintainer::LEI), placed.record.lei);
        }
        for placed in &register.entities {
            self.entity(place(placed.row, entities::PARENT), placed.record.parent);
        }
        for placed in &register.contracts {
            if let Some(overarching) = &placed.record.overarching {
                self.contract(place(placed.row, contracts::OVERARCHING), overarching.as_str());
            }
        }
        for placed in &register.lines {
            let at = |column| place(placed.row, column);
            self.contract(at(lines::CONTRACT), placed.record.contract.as_str());
            self.entity(at(lines::ENTITY), placed.record.entity);
            self.provider(at(lines::PROVIDER), &placed.record.provider);
            self.function(at(lines::FUNCTION), &placed.record);
        }
        for placed in &register.providers {
            if let Some(parent) = &placed.record.ultimate_parent {
                self.provider(place(placed.row, providers::PARENT), parent);
            }
        }
        for placed in &register.chain {
            let at = |column| place(placed.row, column);
            self.contract(at(chain::CONTRACT), placed.record.contract.as_str());
            self.provider(at(chain::PROVIDER), &placed.record.provider);
            if let Some(recipient) = &placed.record.recipient {
                self.provider(at(chain::RECIPIENT), recipient);
            }
        }
        for placed in &register.functions {
            self.entity(place(placed.row, functions::ENTITY), placed.record.entity);
        }
        for placed in &register.assessments {
            let at = |column| place(placed.row, column);
            self.contract(at(assessments::CONTRACT), placed.record.contract.as_str());
            self.provider(at(assessments::PROVIDER), &placed.record.provider);
        }
    }

    fn entity(&mut self, place: CellPosition, lei: Lei) {
        if !self.index.entities.contains(&lei) {
            self.broken(place, lei.as_str(), Template::Entities);
        }
    }

    fn contract(&mut self, place: CellPosition, reference: &str) {
        if !self.index.contracts.contains_key(reference) {
            self.broken(place, reference, Template::Contracts);
        }
    }

    fn provider(&mut self, place: CellPosition, code: &ProviderCode) {
        match self.index.providers.get(code.code.as_str()) {
            None => self.broken(place, code.code.as_str(), Template::Providers),
            Some(known) if known.code.kind != code.kind => {
                let finding = RegisterFinding::CodeDiffers {
                    code: Quoted::text(code.code.as_str()),
                    here: code.kind.as_str(),
                    there: known.code.kind.as_str(),
                };
                self.note(place, Rule::CodeType, finding, RegisterRemedy::SameCode);
            }
            Some(_) => {}
        }
    }

    fn function(&mut self, place: CellPosition, line: &crate::register::ContractLine) {
        match self.index.function(line) {
            Ok(_) => {}
            Err(NoFunction::Unknown) => self.broken(place, line.function.as_str(), Template::Functions),
            // An unknown entity was already reported.
            Err(NoFunction::OfOthers) if !self.index.entities.contains(&line.entity) => {}
            Err(NoFunction::OfOthers) => {
                let (function, entity) = (line.function.to_string(), line.entity.to_string());
                let remedy = RegisterRemedy::AddFunction { entity: entity.clone() };
                let finding = RegisterFinding::FunctionOfOthers { function, entity };
                self.note(place, Rule::BrokenReference, finding, remedy);
            }
        }
    }

    fn broken(&mut self, place: CellPosition, key: &str, target: Template) {
        if self.problems.only_counts() {
            return;
        }
        let finding = RegisterFinding::NotIn { key: Quoted::text(key), target };
        let remedy = RegisterRemedy::AddTo { target };
        self.note(place, Rule::BrokenReference, finding, remedy);
    }
}
