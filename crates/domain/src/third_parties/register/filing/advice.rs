//! Advice: requirements of Implementing Regulation (EU) 2024/2956 that no rule of the receiving system enforces.

use std::collections::{HashMap, HashSet};

use super::{
    position,
    report::{Report, RowCell, Severity},
    sentences::{CheckMessage, CheckRemedy},
    values::is_day,
};
use crate::{
    country::Country,
    register::{
        Quoted, Template,
        codes::{Assessed, CodeKind, PersonKind, YesNo},
        release::{CellType, Obligation, Release, RowRuleKind},
        sheets::{SheetRow, Sheets},
    },
};

pub(super) fn check(sheets: &Sheets, release: &Release, report: &mut Report) {
    let index = Index::of(sheets);
    maintainer(sheets, report);
    mandatory(sheets, release, report);
    lines(sheets, release, &index, report);
    functions(sheets, release, report);
    providers(sheets, report);
    code_types(sheets, &index, report);
    for row in sheets.rows(Template::Definitions).iter().skip(1) {
        let place = RowCell { template: Template::Definitions, row, position: None };
        advise(report, "one-row", place, || (CheckMessage::SecondRow, CheckRemedy::OneRow));
    }
}

fn advise(
    report: &mut Report,
    rule: &'static str,
    place: RowCell<'_>,
    words: impl FnOnce() -> (CheckMessage, CheckRemedy),
) {
    report.add(rule, Severity::Advice, place, words);
}

/// The rows of one template with the positions of its columns.
struct Table<'s> {
    template: Template,
    rows: &'s [SheetRow],
}

impl<'s> Table<'s> {
    fn of(sheets: &'s Sheets, template: Template) -> Self {
        Self { template, rows: sheets.rows(template) }
    }

    /// The cells of the column with this number, in the order of the rows.
    fn column(&self, number: u16) -> impl Fn(&'s SheetRow) -> &'s str + use<'s> {
        let position = position(self.template, number);
        move |row| row.cell(position)
    }

    fn cell(&self, row: &'s SheetRow, number: u16) -> RowCell<'s> {
        RowCell::cell(self.template, row, position(self.template, number))
    }
}

/// Lookup tables of rows of other templates.
struct Index<'s> {
    /// Functions, by entity and identifier, that are critical or important.
    critical: HashSet<(&'s str, &'s str)>,
    /// Assessed services: contract, provider, type.
    assessed: HashSet<(&'s str, &'s str, &'s str)>,
    /// The type of each provider's code.
    code_types: HashMap<&'s str, &'s str>,
}

impl<'s> Index<'s> {
    fn of(sheets: &'s Sheets) -> Self {
        let functions = Table::of(sheets, Template::Functions);
        let (id, entity, critical) = (functions.column(10), functions.column(40), functions.column(50));
        let assessments = Table::of(sheets, Template::Assessments);
        let (contract, provider, service) =
            (assessments.column(10), assessments.column(20), assessments.column(40));
        let providers = Table::of(sheets, Template::Providers);
        let (code, kind) = (providers.column(10), providers.column(20));
        let is_critical = |row: &&'s SheetRow| critical(row) == Assessed::Yes.code();
        Self {
            critical: functions.rows.iter().filter(is_critical).map(|row| (entity(row), id(row))).collect(),
            assessed: assessments
                .rows
                .iter()
                .map(|row| (contract(row), provider(row), service(row)))
                .collect(),
            code_types: providers.rows.iter().map(|row| (code(row), kind(row))).collect(),
        }
    }
}

fn maintainer(sheets: &Sheets, report: &mut Report) {
    let (maintainers, entities) =
        (Table::of(sheets, Template::Maintainer), Table::of(sheets, Template::Entities));
    let (lei, known) = (maintainers.column(10), entities.column(10));
    let known: HashSet<_> = entities.rows.iter().map(known).collect();
    for row in maintainers.rows.iter().filter(|row| !lei(row).is_empty() && !known.contains(lei(row))) {
        advise(report, "maintainer", maintainers.cell(row, 10), || {
            (CheckMessage::NotInScope { value: Quoted(lei(row).to_owned()) }, CheckRemedy::AddEntity)
        });
    }
    for row in maintainers.rows.iter().skip(1) {
        advise(report, "one-row", maintainers.cell(row, 10), || {
            (CheckMessage::SecondRow, CheckRemedy::OneRow)
        });
    }
}

/// Mandatory cells that no rule checks, and technical links.
fn mandatory(sheets: &Sheets, release: &Release, report: &mut Report) {
    let ruled: HashSet<_> = release
        .rules
        .iter()
        .filter(|rule| matches!(rule.kind, RowRuleKind::WithAny(_)))
        .map(|rule| (rule.template, rule.column))
        .collect();
    for template in Template::ALL {
        for (position, column) in template.columns().iter().enumerate() {
            let link = column.cell == CellType::Link;
            let asked = column.obligation == Obligation::Mandatory && !column.key;
            if !link && (!asked || ruled.contains(&(template, position))) {
                continue;
            }
            report.step(sheets.rows(template).len());
            for row in sheets.rows(template).iter().filter(|row| row.cell(position).is_empty()) {
                let place = RowCell::cell(template, row, position);
                if link {
                    advise(report, "link", place, || (CheckMessage::NoLink, CheckRemedy::WriteTrue));
                } else {
                    advise(report, "mandatory", place, || {
                        (CheckMessage::Mandatory { title: Quoted(column.label()) }, CheckRemedy::Fill)
                    });
                }
            }
        }
    }
}

/// The lines of contracts: requirements of critical or important functions, stored data, the period.
fn lines(sheets: &Sheets, release: &Release, index: &Index<'_>, report: &mut Report) {
    let table = Table::of(sheets, Template::ContractLines);
    let (contract, entity, provider) = (table.column(10), table.column(20), table.column(30));
    let (function, service) = (table.column(50), table.column(60));
    let (start, end, stores) = (table.column(70), table.column(80), table.column(140));
    let missing = |row: &SheetRow, number: u16| {
        let value = row.cell(position(Template::ContractLines, number));
        value.is_empty() || value == release.package.conventions.no_country
    };
    let title = |number: u16| {
        let columns = Template::ContractLines.columns();
        Quoted(columns[position(Template::ContractLines, number)].label())
    };
    let mut named = HashSet::new();
    for row in table.rows {
        report.step(1);
        let critical = index.critical.contains(&(entity(row), function(row)));
        if critical {
            for number in [100, 110, 120, 130, 140, 180].into_iter().filter(|number| missing(row, *number)) {
                advise(report, "critical-service", table.cell(row, number), || {
                    let function = function(row).to_owned();
                    (CheckMessage::ForCritical { title: title(number), function }, CheckRemedy::Fill)
                });
            }
            let key = (contract(row), provider(row), service(row));
            if !index.assessed.contains(&key) && named.insert(key) {
                advise(report, "assessment", table.cell(row, 10), || {
                    let message = CheckMessage::NotAssessed {
                        contract: key.0.to_owned(),
                        provider: key.1.to_owned(),
                        service: key.2.to_owned(),
                    };
                    (message, CheckRemedy::AddAssessment)
                });
            }
        }
        if stores(row) == YesNo::Yes.code() {
            let wanted: &[u16] = if critical { &[150, 170] } else { &[150] };
            for number in wanted.iter().copied().filter(|number| missing(row, *number)) {
                advise(report, "stored-data", table.cell(row, number), || {
                    (CheckMessage::ForStored { title: title(number) }, CheckRemedy::Fill)
                });
            }
        }
        // Days in the official form compare as texts.
        if is_day(start(row)) && is_day(end(row)) && end(row) < start(row) {
            advise(report, "period", table.cell(row, 80), || {
                (CheckMessage::EndsFirst { start: start(row).to_owned() }, CheckRemedy::CorrectPeriod)
            });
        }
    }
}

fn functions(sheets: &Sheets, release: &Release, report: &mut Report) {
    let table = Table::of(sheets, Template::Functions);
    let (critical, assessed) = (table.column(50), table.column(70));
    for row in table.rows {
        report.step(1);
        if critical(row) == Assessed::Yes.code() && assessed(row) == release.package.conventions.open_end {
            advise(report, "assessed-on", table.cell(row, 70), || {
                (CheckMessage::NeverAssessed, CheckRemedy::Assess)
            });
        }
    }
}

fn providers(sheets: &Sheets, report: &mut Report) {
    let signing = Table::of(sheets, Template::SigningProviders);
    let signs = signing.column(20);
    let direct: HashSet<_> = signing.rows.iter().map(signs).collect();
    let table = Table::of(sheets, Template::Providers);
    let (code, kind, person) = (table.column(10), table.column(20), table.column(70));
    let (country, expense) = (table.column(80), table.column(100));
    for row in table.rows {
        report.step(1);
        if expense(row).is_empty() && direct.contains(code(row)) {
            advise(report, "expense", table.cell(row, 100), || {
                let title = Template::Providers.columns()[position(Template::Providers, 100)].label();
                (CheckMessage::NoExpense { title: Quoted(title) }, CheckRemedy::Fill)
            });
        }
        let legal = person(row) == PersonKind::Legal.code();
        if !legal || kind(row).is_empty() || kind(row) == CodeKind::Lei.code() {
            continue;
        }
        if kind(row) != CodeKind::Euid.code() {
            advise(report, "identification", table.cell(row, 20), || {
                (CheckMessage::LegalPerson, CheckRemedy::UseLeiOrEuid)
            });
        } else if is_outside(country(row)) {
            advise(report, "identification", table.cell(row, 20), || {
                (CheckMessage::OutsideUnion, CheckRemedy::UseLei)
            });
        }
    }
}

fn is_outside(country: &str) -> bool {
    let known = country.strip_prefix("eba_GA:").and_then(|code| code.parse::<Country>().ok());
    known.is_some_and(|country| !country.in_union())
}

/// A provider's code has the same type everywhere.
fn code_types(sheets: &Sheets, index: &Index<'_>, report: &mut Report) {
    let places = [
        (Template::ContractLines, 30, 40),
        (Template::SigningProviders, 20, 30),
        (Template::Providers, 110, 120),
        (Template::SupplyChain, 30, 40),
        (Template::SupplyChain, 60, 70),
        (Template::Assessments, 20, 30),
    ];
    for (template, code, kind) in places {
        let table = Table::of(sheets, template);
        let (code, kind_of) = (table.column(code), table.column(kind));
        for row in table.rows {
            report.step(1);
            let known = index.code_types.get(code(row)).filter(|known| !known.is_empty());
            if !kind_of(row).is_empty() && known.is_some_and(|known| *known != kind_of(row)) {
                advise(report, "code-type", table.cell(row, kind), || {
                    (CheckMessage::OtherType { code: Quoted(code(row).to_owned()) }, CheckRemedy::SameType)
                });
            }
        }
    }
}
