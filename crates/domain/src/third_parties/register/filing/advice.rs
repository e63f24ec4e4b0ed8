//! Advice: requirements of Implementing Regulation (EU) 2024/2956 that no rule of the receiving system enforces.

use std::collections::{HashMap, HashSet};

use super::{
    report::{Report, RowCell, Severity},
    sentences::{CheckMessage, CheckRemedy},
    values::is_day,
};
use crate::{
    country::Country,
    register::{
        Quoted, Template,
        codes::{Assessed, CodeKind, PersonKind, YesNo},
        columns::{
            ColumnId, assessments, chain, entities, functions, lines, maintainer, providers,
            signing_providers,
        },
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

/// The text of a column in a row; its position is looked up once.
fn text<'s>(column: ColumnId) -> impl Fn(&'s SheetRow) -> &'s str {
    let position = column.position().unwrap_or(usize::MAX);
    move |row| row.cell(position)
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
        let (id, entity, critical) =
            (text(functions::IDENTIFIER), text(functions::ENTITY), text(functions::CRITICALITY));
        let (contract, provider, service) =
            (text(assessments::CONTRACT), text(assessments::PROVIDER), text(assessments::SERVICE_TYPE));
        let (code, kind) = (text(providers::CODE), text(providers::CODE_TYPE));
        let is_critical = |row: &&'s SheetRow| critical(row) == Assessed::Yes.code();
        Self {
            critical: sheets
                .rows(Template::Functions)
                .iter()
                .filter(is_critical)
                .map(|row| (entity(row), id(row)))
                .collect(),
            assessed: sheets
                .rows(Template::Assessments)
                .iter()
                .map(|row| (contract(row), provider(row), service(row)))
                .collect(),
            code_types: sheets.rows(Template::Providers).iter().map(|row| (code(row), kind(row))).collect(),
        }
    }
}

fn maintainer(sheets: &Sheets, report: &mut Report) {
    let (maintainers, lei) = (sheets.rows(Template::Maintainer), text(maintainer::LEI));
    let known: HashSet<_> = sheets.column(entities::LEI).collect();
    for row in maintainers.iter().filter(|row| !lei(row).is_empty() && !known.contains(lei(row))) {
        advise(report, "maintainer", RowCell::of(maintainer::LEI, row), || {
            (CheckMessage::NotInScope { value: Quoted(lei(row).to_owned()) }, CheckRemedy::AddEntity)
        });
    }
    for row in maintainers.iter().skip(1) {
        advise(report, "one-row", RowCell::of(maintainer::LEI, row), || {
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

/// What a line must say if its function is critical or important.
const FOR_CRITICAL: [ColumnId; 6] = [
    lines::NOTICE_OF_ENTITY,
    lines::NOTICE_OF_PROVIDER,
    lines::LAW,
    lines::PROVISION,
    lines::STORES_DATA,
    lines::RELIANCE,
];

/// The lines of contracts: requirements of critical or important functions, stored data, the period.
fn lines(sheets: &Sheets, release: &Release, index: &Index<'_>, report: &mut Report) {
    let (contract, entity, provider) = (text(lines::CONTRACT), text(lines::ENTITY), text(lines::PROVIDER));
    let (function, service) = (text(lines::FUNCTION), text(lines::SERVICE_TYPE));
    let (start, end, stores) = (text(lines::STARTS_ON), text(lines::ENDS_ON), text(lines::STORES_DATA));
    let missing = |row: &SheetRow, column: ColumnId| {
        let value = row.at(column);
        value.is_empty() || value == release.package.conventions.no_country
    };
    let mut named = HashSet::new();
    for row in sheets.rows(Template::ContractLines) {
        report.step(1);
        let critical = index.critical.contains(&(entity(row), function(row)));
        if critical {
            for column in FOR_CRITICAL.into_iter().filter(|column| missing(row, *column)) {
                advise(report, "critical-service", RowCell::of(column, row), || {
                    let function = function(row).to_owned();
                    (CheckMessage::ForCritical { title: Quoted(column.label()), function }, CheckRemedy::Fill)
                });
            }
            let key = (contract(row), provider(row), service(row));
            if !index.assessed.contains(&key) && named.insert(key) {
                advise(report, "assessment", RowCell::of(lines::CONTRACT, row), || {
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
            let wanted: &[ColumnId] =
                if critical { &[lines::STORAGE, lines::SENSITIVENESS] } else { &[lines::STORAGE] };
            for column in wanted.iter().copied().filter(|column| missing(row, *column)) {
                advise(report, "stored-data", RowCell::of(column, row), || {
                    (CheckMessage::ForStored { title: Quoted(column.label()) }, CheckRemedy::Fill)
                });
            }
        }
        // Days in the official form compare as texts.
        if is_day(start(row)) && is_day(end(row)) && end(row) < start(row) {
            advise(report, "period", RowCell::of(lines::ENDS_ON, row), || {
                (CheckMessage::EndsFirst { start: start(row).to_owned() }, CheckRemedy::CorrectPeriod)
            });
        }
    }
}

fn functions(sheets: &Sheets, release: &Release, report: &mut Report) {
    let (critical, assessed) = (text(functions::CRITICALITY), text(functions::ASSESSED_ON));
    for row in sheets.rows(Template::Functions) {
        report.step(1);
        if critical(row) == Assessed::Yes.code() && assessed(row) == release.package.conventions.open_end {
            advise(report, "assessed-on", RowCell::of(functions::ASSESSED_ON, row), || {
                (CheckMessage::NeverAssessed, CheckRemedy::Assess)
            });
        }
    }
}

fn providers(sheets: &Sheets, report: &mut Report) {
    let direct: HashSet<_> = sheets.column(signing_providers::PROVIDER).collect();
    let (code, kind, person) = (text(providers::CODE), text(providers::CODE_TYPE), text(providers::PERSON));
    let (country, expense) = (text(providers::COUNTRY), text(providers::ANNUAL_COST));
    for row in sheets.rows(Template::Providers) {
        report.step(1);
        if expense(row).is_empty() && direct.contains(code(row)) {
            advise(report, "expense", RowCell::of(providers::ANNUAL_COST, row), || {
                let title = providers::ANNUAL_COST.label();
                (CheckMessage::NoExpense { title: Quoted(title) }, CheckRemedy::Fill)
            });
        }
        let legal = person(row) == PersonKind::Legal.code();
        if !legal || kind(row).is_empty() || kind(row) == CodeKind::Lei.code() {
            continue;
        }
        if kind(row) != CodeKind::Euid.code() {
            advise(report, "identification", RowCell::of(providers::CODE_TYPE, row), || {
                (CheckMessage::LegalPerson, CheckRemedy::UseLeiOrEuid)
            });
        } else if is_outside(country(row)) {
            advise(report, "identification", RowCell::of(providers::CODE_TYPE, row), || {
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
        (lines::PROVIDER, lines::PROVIDER_TYPE),
        (signing_providers::PROVIDER, signing_providers::PROVIDER_TYPE),
        (providers::PARENT, providers::PARENT_TYPE),
        (chain::PROVIDER, chain::PROVIDER_TYPE),
        (chain::RECIPIENT, chain::RECIPIENT_TYPE),
        (assessments::PROVIDER, assessments::PROVIDER_TYPE),
    ];
    for (code_column, kind_column) in places {
        let (code, kind_of) = (text(code_column), text(kind_column));
        for row in sheets.rows(code_column.template) {
            report.step(1);
            let known = index.code_types.get(code(row)).filter(|known| !known.is_empty());
            if !kind_of(row).is_empty() && known.is_some_and(|known| *known != kind_of(row)) {
                advise(report, "code-type", RowCell::of(kind_column, row), || {
                    (CheckMessage::OtherType { code: Quoted(code(row).to_owned()) }, CheckRemedy::SameType)
                });
            }
        }
    }
}
