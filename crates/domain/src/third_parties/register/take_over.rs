//! Arrangements that stand in no template get rows of their own.
//!
//! What an arrangement and its functions say is written. What they do not say stays empty, and the checks name it: nothing
//! is invented. A company without a LEI is identified as template `B_05.01` identifies it; where that template does not
//! know it, the arrangement is left out, because every row about it would be refused.

use std::collections::{HashMap, HashSet};

use crate::{
    arrangement::{Arrangement, Party},
    function::{Function, FunctionCriticality},
    money::Money,
    text::Name,
};

use super::{
    codes::CodeKind,
    columns::{contracts, functions, maintainer, providers},
    fields::new_row,
    function_rows::new_function_row,
    row_content::{Company, CompanyCode, Link, RowContent},
    sheets::{SheetRow, Sheets},
    template::Template,
};

/// What is to be added to the templates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenOver {
    /// Rows without a name, in the order they are added.
    pub rows: Vec<(Template, SheetRow)>,
    /// The references of the arrangements that get rows.
    pub taken: Vec<String>,
    /// Arrangements that are left out, each with the company whose code is unknown.
    pub left: Vec<(String, String)>,
}

/// The rows of every arrangement that has none yet; nothing while no entity maintains the register.
pub fn taken_over(sheets: &Sheets, entries: &[Arrangement], functions: &[Function]) -> Option<TakenOver> {
    let entity = sheets.rows(Template::Maintainer).first()?.at(maintainer::LEI);
    if entity.is_empty() {
        return None;
    }
    let read = sheets.entries();
    let written: HashSet<&str> = sheets.column(contracts::REFERENCE).collect();
    let is_waiting = |entry: &&Arrangement| {
        let reference = entry.contract.reference.as_str();
        !written.contains(reference) && !read.contains_key(reference)
    };
    let mut writer = Writer::new(sheets, entity, entries, functions);
    for entry in entries.iter().filter(is_waiting) {
        writer.take(entry);
    }
    Some(writer.done)
}

struct Writer<'s> {
    entity: &'s str,
    /// The codes that `B_05.01` has, with those that are added.
    codes: HashSet<String>,
    /// How `B_05.01` identifies a company, by its name.
    by_name: HashMap<&'s str, CompanyCode>,
    /// What each provider costs in a year; nothing where its costs have different currencies.
    expenses: HashMap<CompanyCode, Option<Money>>,
    functions: Functions<'s>,
    done: TakenOver,
}

impl<'s> Writer<'s> {
    fn new(
        sheets: &'s Sheets,
        entity: &'s str,
        entries: &'s [Arrangement],
        functions: &'s [Function],
    ) -> Self {
        let mut by_name = HashMap::new();
        for row in sheets.rows(Template::Providers) {
            let (code, kind) = (row.at(providers::CODE), row.at(providers::CODE_TYPE));
            let kind = CodeKind::ALL.iter().find(|known| known.code() == kind);
            if let Some(kind) = kind.filter(|_| !code.is_empty()) {
                by_name.entry(row.at(providers::NAME)).or_insert(CompanyCode::new(code, *kind));
            }
        }
        let mut writer = Self {
            entity,
            codes: sheets.column(providers::CODE).map(str::to_owned).collect(),
            by_name,
            expenses: HashMap::new(),
            functions: Functions::new(sheets, entity, entries, functions),
            done: TakenOver::default(),
        };
        for Arrangement { contract, .. } in entries {
            let Some(code) = writer.code(&contract.direct_provider()) else { continue };
            let cost = contract.annual_cost.money();
            let sum = writer.expenses.entry(code).or_insert(Some(Money { amount: 0, ..cost }));
            let same = sum.filter(|sum| sum.currency == cost.currency);
            *sum = same.and_then(|sum| Some(Money { amount: sum.amount.checked_add(cost.amount)?, ..sum }));
        }
        writer
    }

    /// How the register identifies a company.
    fn code(&self, party: &Party) -> Option<CompanyCode> {
        match party.lei {
            Some(lei) => Some(CompanyCode::new(&lei, CodeKind::Lei)),
            None => self.by_name.get(party.name.as_str()).cloned(),
        }
    }

    fn add(&mut self, template: Template, content: &RowContent<'_>) {
        self.done.rows.push((template, new_row(template, content)));
    }

    fn take(&mut self, entry: &Arrangement) {
        let contract = &entry.contract;
        let reference = contract.reference.to_string();
        let Some(provider) = self.code(&contract.direct_provider()) else {
            self.done.left.push((reference, contract.provider.name.to_string()));
            return;
        };
        let mut content = RowContent { entity: self.entity, provider, ..RowContent::of(entry) };
        for template in
            [Template::Contracts, Template::Signatories, Template::SigningProviders, Template::Users]
        {
            self.add(template, &content);
        }
        self.provider(&content);
        self.chain(&mut content);
        self.lines(&mut content);
        if contract.is_critical() {
            self.add(Template::Assessments, &content);
        }
        self.done.taken.push(reference);
    }

    /// The provider and the head of its group, where the template does not have them.
    fn provider(&mut self, content: &RowContent<'_>) {
        let parent = content.entry.facts.ultimate_parent.as_ref();
        let head = parent.and_then(|parent| Some((parent.name.as_str(), self.code(parent)?)));
        let company = Company {
            code: content.provider.clone(),
            annual_cost: self.expenses.get(&content.provider).copied().flatten(),
            parent: head.as_ref().map(|(_, code)| code.clone()).unwrap_or_default(),
            ..content.company.clone()
        };
        self.company(content, company);
        if let Some((name, code)) = head {
            // Nothing stands above the head of a group.
            let parent = code.clone();
            self.company(content, Company { name, code, parent, ..Company::default() });
        }
    }

    fn company<'a>(&mut self, content: &RowContent<'a>, company: Company<'a>) {
        if self.codes.insert(company.code.code.clone()) {
            self.add(Template::Providers, &RowContent { company, ..content.clone() });
        }
    }

    /// The direct provider, and every supplier that can be identified, one rank behind the one it delivers to.
    fn chain(&mut self, content: &mut RowContent<'_>) {
        let direct = content.provider.clone();
        let mut ranks = HashMap::from([(direct.code.clone(), 1_u16)]);
        let mut links = vec![Link { supplier: direct.clone(), rank: 1, recipient: direct }];
        for step in &content.entry.facts.chain {
            let Some((supplier, recipient)) = self.code(&step.supplier).zip(self.code(&step.recipient))
            else {
                continue;
            };
            let Some(rank) = ranks.get(&recipient.code).map(|rank| rank + 1) else { continue };
            ranks.entry(supplier.code.clone()).or_insert(rank);
            let (name, code) = (step.supplier.name.as_str(), supplier.clone());
            self.company(content, Company { name, code, ..Company::default() });
            let link = Link { supplier, rank, recipient };
            if !links.contains(&link) {
                links.push(link);
            }
        }
        for link in links {
            content.link = link;
            self.add(Template::SupplyChain, content);
        }
    }

    /// One line for each function and place.
    fn lines(&mut self, content: &mut RowContent<'_>) {
        for function in &content.entry.contract.functions {
            content.function_id = self.function(function.name.as_str());
            for place in 0..content.places() {
                content.place = place;
                self.add(Template::ContractLines, content);
            }
        }
    }

    /// The identifier of a function, which gets a row where it has none.
    fn function(&mut self, name: &str) -> String {
        let (id, row) = self.functions.identified(name);
        if let Some(row) = row {
            self.done.rows.push((Template::Functions, row));
        }
        id
    }
}

/// The functions of the entity: those that have a row, and those that get one.
struct Functions<'s> {
    entity: &'s str,
    ids: HashMap<String, String>,
    used: HashSet<String>,
    known: HashMap<&'s str, &'s Function>,
    /// Functions that an arrangement calls critical.
    critical: HashSet<&'s str>,
}

impl<'s> Functions<'s> {
    fn new(
        sheets: &'s Sheets,
        entity: &'s str,
        entries: &'s [Arrangement],
        functions: &'s [Function],
    ) -> Self {
        let own = sheets.rows(Template::Functions).iter().zip(sheets.function_names());
        let own = own.filter(|(row, _)| row.at(functions::ENTITY) == entity);
        let own = own.filter_map(|(row, name)| Some((name?, row.at(functions::IDENTIFIER))));
        let ids: HashMap<_, _> = own.map(|(name, id)| (name.to_string(), id.to_owned())).collect();
        let supported = entries.iter().flat_map(|entry| &entry.contract.functions);
        let critical = supported.filter(|function| function.critical).map(|function| function.name.as_str());
        Self {
            entity,
            used: ids.values().cloned().collect(),
            ids,
            known: functions.iter().map(|function| (function.name.as_str(), function)).collect(),
            critical: critical.collect(),
        }
    }

    /// The identifier of the function, and its row if it had none.
    fn identified(&mut self, name: &str) -> (String, Option<SheetRow>) {
        if let Some(id) = self.ids.get(name) {
            return (id.clone(), None);
        }
        let known = self.known.get(name).copied();
        let own = known.map(Function::reference).filter(|id| !self.used.contains(id));
        let next = || (1..=u32::MAX).map(|number| format!("F{number}")).find(|id| !self.used.contains(id));
        let id = own.or_else(next).unwrap_or_default();
        self.used.insert(id.clone());
        self.ids.insert(name.to_owned(), id.clone());
        let row = self.row(name, &id, known);
        (id, row)
    }

    fn row(&self, name: &str, id: &str, known: Option<&Function>) -> Option<SheetRow> {
        let function =
            known.cloned().or_else(|| Name::parse(name).ok().map(|name| Function::named(0, name)))?;
        let criticality = match function.criticality {
            FunctionCriticality::NotAssessed | FunctionCriticality::Other if self.critical.contains(name) => {
                FunctionCriticality::CriticalOrImportant
            }
            assessed => assessed,
        };
        let identifier = Name::parse(id).ok();
        Some(new_function_row(&Function { identifier, criticality, ..function }, self.entity))
    }
}

#[cfg(test)]
#[path = "tests/take_over.rs"]
mod tests;
