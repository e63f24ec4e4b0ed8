//! Arrangements that stand in no template get rows of their own.
//!
//! What an arrangement and its functions say is written. What they do not say stays empty, and the checks name it: nothing
//! is invented. A company without a LEI is identified as template `B_05.01` identifies it; where that template does not
//! know it, the arrangement is left out, because every row about it would be refused.

use std::collections::{HashMap, HashSet};

use crate::{
    arrangement::{Arrangement, Entry, Facts, Party, Place},
    function::{Function, FunctionCriticality},
    money::Money,
    text::Name,
};

use super::{
    codes::{Assessed, CodeKind, ContractKind, Impact, PersonKind, YesNo},
    function_rows::new_function_row,
    release::Release,
    sheets::{SheetRow, Sheets},
    template::Template,
    write_back::{amount, replaceability, yes_no},
};

/// The nature of an entity in `B_04.01` that is no branch.
const NO_BRANCH: &str = "eba_ZZ:x839";
/// What a technical link holds.
const LINK: &str = "true";

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
pub fn taken_over(sheets: &Sheets, entries: &[Entry], functions: &[Function]) -> Option<TakenOver> {
    let entity = cell(sheets.rows(Template::Maintainer).first()?, Template::Maintainer, 10);
    if entity.is_empty() {
        return None;
    }
    let read = sheets.entries();
    let written = column(sheets, Template::Contracts, 10);
    let is_waiting = |entry: &&Entry| {
        let reference = entry.arrangement.reference.as_str();
        !written.contains(reference) && !read.contains_key(reference)
    };
    let mut writer = Writer::new(sheets, entity, entries, functions);
    for entry in entries.iter().filter(is_waiting) {
        writer.take(entry);
    }
    Some(writer.done)
}

/// The texts of one column.
fn column(sheets: &Sheets, template: Template, number: u16) -> HashSet<&str> {
    sheets.rows(template).iter().map(|row| cell(row, template, number)).collect()
}

fn cell(row: &SheetRow, template: Template, number: u16) -> &str {
    let position = template.columns().iter().position(|column| column.number == number);
    position.map_or("", |position| row.cell(position))
}

/// A code and its type.
type Code = (String, &'static str);

struct Writer<'s> {
    entity: &'s str,
    /// The codes that `B_05.01` has, with those that are added.
    codes: HashSet<String>,
    /// How `B_05.01` identifies a company, by its name.
    by_name: HashMap<&'s str, Code>,
    /// What each provider costs in a year; nothing where its costs have different currencies.
    expenses: HashMap<Code, Option<Money>>,
    functions: Functions<'s>,
    done: TakenOver,
}

impl<'s> Writer<'s> {
    fn new(sheets: &'s Sheets, entity: &'s str, entries: &'s [Entry], functions: &'s [Function]) -> Self {
        let mut by_name = HashMap::new();
        for row in sheets.rows(Template::Providers) {
            let at = |number| cell(row, Template::Providers, number);
            let kind = CodeKind::ALL.iter().find(|kind| kind.code() == at(20));
            if let Some(kind) = kind.filter(|_| !at(10).is_empty()) {
                by_name.entry(at(50)).or_insert((at(10).to_owned(), kind.code()));
            }
        }
        let codes = column(sheets, Template::Providers, 10).into_iter().map(str::to_owned).collect();
        let mut writer = Self {
            entity,
            codes,
            by_name,
            expenses: HashMap::new(),
            functions: Functions::new(sheets, entity, entries, functions),
            done: TakenOver::default(),
        };
        for Entry { arrangement, .. } in entries {
            let Some(code) = writer.code(&arrangement.direct_provider()) else { continue };
            let cost = arrangement.annual_cost.money();
            let sum = writer.expenses.entry(code).or_insert(Some(Money { amount: 0, ..cost }));
            let same = sum.filter(|sum| sum.currency == cost.currency);
            *sum = same.and_then(|sum| Some(Money { amount: sum.amount.checked_add(cost.amount)?, ..sum }));
        }
        writer
    }

    /// How the register identifies a company.
    fn code(&self, party: &Party) -> Option<Code> {
        match party.lei {
            Some(lei) => Some((lei.to_string(), CodeKind::Lei.code())),
            None => self.by_name.get(party.name.as_str()).cloned(),
        }
    }

    fn add(&mut self, template: Template, cells: &[(u16, &str)]) {
        let mut row = SheetRow::new("", template);
        for (number, text) in cells {
            let position = template.columns().iter().position(|column| column.number == *number);
            if let Some(place) = position.and_then(|position| row.cells.get_mut(position)) {
                *place = (*text).into();
            }
        }
        self.done.rows.push((template, row));
    }

    fn take(&mut self, entry: &Entry) {
        let Entry { arrangement, facts } = entry;
        let reference = arrangement.reference.as_str();
        let Some((code, kind)) = self.code(&arrangement.direct_provider()) else {
            self.done.left.push((reference.to_owned(), arrangement.provider.name.to_string()));
            return;
        };
        let cost = arrangement.annual_cost.money();
        let (currency, sum) = (format!("eba_CU:{}", cost.currency), amount(cost));
        let standalone = ContractKind::Standalone.code();
        self.add(Template::Contracts, &[(10, reference), (20, standalone), (40, &currency), (50, &sum)]);
        let entity = self.entity;
        self.add(Template::Signatories, &[(10, reference), (20, entity), (30, LINK)]);
        self.add(Template::SigningProviders, &[(10, reference), (20, &code), (30, kind)]);
        let no_branch = &Release::current().package.conventions.no_branch;
        self.add(Template::Users, &[(10, reference), (20, entity), (30, NO_BRANCH), (40, no_branch)]);
        self.provider(arrangement, facts, &(code.clone(), kind));
        self.chain(arrangement, facts, &(code.clone(), kind));
        self.lines(arrangement, facts, &(code.clone(), kind));
        if arrangement.is_critical() {
            self.assessment(arrangement, facts, &(code, kind));
        }
        self.done.taken.push(reference.to_owned());
    }

    /// The provider and the head of its group, where the template does not have them.
    fn provider(&mut self, arrangement: &Arrangement, facts: &Facts, (code, kind): &Code) {
        let parent = facts.ultimate_parent.as_ref();
        let head = parent.and_then(|parent| self.code(parent));
        let country = format!("eba_GA:{}", arrangement.provider.country);
        let expense = self.expenses.get(&(code.clone(), *kind)).copied().flatten();
        let currency = expense.map(|sum| format!("eba_CU:{}", sum.currency)).unwrap_or_default();
        let sum = expense.map(amount).unwrap_or_default();
        let (above, above_kind) = head.clone().unwrap_or_default();
        let paid: [(u16, &str); 5] =
            [(80, &country), (90, &currency), (100, &sum), (110, &above), (120, above_kind)];
        self.company(arrangement.provider.name.as_str(), (code, kind), &paid);
        if let (Some(parent), Some((head, kind))) = (parent, head) {
            // Nothing stands above the head of a group.
            self.company(parent.name.as_str(), (&head, kind), &[(110, &head), (120, kind)]);
        }
    }

    fn company(&mut self, name: &str, (code, kind): (&str, &str), more: &[(u16, &str)]) {
        if !self.codes.insert(code.to_owned()) {
            return;
        }
        let mut cells = vec![(10, code), (20, kind), (50, name), (60, name), (70, PersonKind::Legal.code())];
        cells.extend_from_slice(more);
        self.add(Template::Providers, &cells);
    }

    /// The direct provider, and every supplier that can be identified, one rank behind the one it delivers to.
    fn chain(&mut self, arrangement: &Arrangement, facts: &Facts, direct: &Code) {
        let (reference, service) = (arrangement.reference.as_str(), service(arrangement));
        let mut ranks = HashMap::from([(direct.0.clone(), 1_u16)]);
        let mut steps = vec![(direct.clone(), 1_u16, direct.clone())];
        for step in &facts.chain {
            let Some((supplier, recipient)) = self.code(&step.supplier).zip(self.code(&step.recipient))
            else {
                continue;
            };
            let Some(rank) = ranks.get(&recipient.0).map(|rank| rank + 1) else { continue };
            ranks.entry(supplier.0.clone()).or_insert(rank);
            self.company(step.supplier.name.as_str(), (&supplier.0, supplier.1), &[]);
            let step = (supplier, rank, recipient);
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        for ((code, kind), rank, (to, to_kind)) in steps {
            let rank = rank.to_string();
            let cells: [(u16, &str); 7] = [
                (10, reference),
                (20, &service),
                (30, &code),
                (40, kind),
                (50, &rank),
                (60, &to),
                (70, to_kind),
            ];
            self.add(Template::SupplyChain, &cells);
        }
    }

    /// One line for each function and place. Countries of provision beyond the first would make arrangements of their
    /// own, so they stay in the arrangement.
    fn lines(&mut self, arrangement: &Arrangement, facts: &Facts, (code, kind): &Code) {
        let nowhere = Release::current().package.conventions.no_country.clone();
        let at = |place: Place| -> Vec<String> {
            let countries = facts.places.iter().filter(|(at, _)| *at == place);
            let countries: Vec<_> = countries.map(|(_, country)| format!("eba_GA:{country}")).collect();
            if countries.is_empty() { vec![nowhere.clone()] } else { countries }
        };
        let (storage, processing) = (at(Place::Storage), at(Place::Processing));
        let provided = at(Place::Provision).swap_remove(0);
        let stores = if storage.first() == Some(&nowhere) { "" } else { YesNo::Yes.code() };
        let open = &Release::current().package.conventions.open_end;
        let starts_on = arrangement.starts_on.to_string();
        let ends_on = arrangement.ends_on.map_or_else(|| open.clone(), |day| day.to_string());
        let notice = facts.notice_days.map(|days| days.to_string()).unwrap_or_default();
        let service = service(arrangement);
        let pick = |countries: &[String], place: usize| -> String {
            countries.get(place).or(countries.last()).cloned().unwrap_or_default()
        };
        for function in &arrangement.functions {
            let id = self.function(function.name.as_str());
            for place in 0..storage.len().max(processing.len()) {
                let (kept_in, handled_in) = (pick(&storage, place), pick(&processing, place));
                let cells: [(u16, &str); 13] = [
                    (10, arrangement.reference.as_str()),
                    (20, self.entity),
                    (30, code),
                    (40, kind),
                    (50, &id),
                    (60, &service),
                    (70, &starts_on),
                    (80, &ends_on),
                    (100, &notice),
                    (130, &provided),
                    (140, stores),
                    (150, &kept_in),
                    (160, &handled_in),
                ];
                self.add(Template::ContractLines, &cells);
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

    fn assessment(&mut self, arrangement: &Arrangement, facts: &Facts, (code, kind): &Code) {
        let service = service(arrangement);
        let open = &Release::current().package.conventions.open_end;
        let cells: [(u16, &str); 9] = [
            (10, arrangement.reference.as_str()),
            (20, code),
            (30, kind),
            (40, &service),
            (50, replaceability(arrangement.substitutability)),
            (70, open),
            (80, facts.exit_plan.map_or("", yes_no)),
            (100, Impact::NotAssessed.code()),
            (110, Assessed::NotAssessed.code()),
        ];
        self.add(Template::Assessments, &cells);
    }
}

fn service(arrangement: &Arrangement) -> String {
    format!("eba_TA:{}", arrangement.service_type)
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
    fn new(sheets: &'s Sheets, entity: &'s str, entries: &'s [Entry], functions: &'s [Function]) -> Self {
        let own = sheets.rows(Template::Functions).iter().zip(sheets.function_names());
        let own = own.filter(|(row, _)| cell(row, Template::Functions, 40) == entity);
        let own = own.filter_map(|(row, name)| Some((name?, cell(row, Template::Functions, 10))));
        let ids: HashMap<_, _> = own.map(|(name, id)| (name.to_string(), id.to_owned())).collect();
        let supported = entries.iter().flat_map(|entry| &entry.arrangement.functions);
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
