//! Parses the tables of a release once.

use std::collections::{HashMap, HashSet};

use super::{
    CellType, ClosedList, Column, Obligation, Reference, Release, RowRule, RowRuleKind, Tables, Template,
};
use crate::wording::Label;

/// Why the tables of a release cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{table}: {problem}")]
pub struct BadRelease {
    table: &'static str,
    problem: String,
}

impl Release {
    pub fn parse(tables: &Tables) -> Result<Self, BadRelease> {
        let lists = lists(tables.lists)?;
        let package = toml::from_str(tables.package).map_err(|error| bad("package.toml", error))?;
        let mut release = Self {
            titles: vec![Label::new("", ""); Template::ALL.len()],
            columns: vec![Vec::new(); Template::ALL.len()],
            package,
            lists: lists.clone(),
            ..Self::default()
        };
        for row in rows("templates.csv", tables.templates)? {
            let [template, en, de] = row.cells()?;
            release.titles[row.template(template)? as usize] = Label::new(en, de);
        }
        for row in rows("columns.csv", tables.columns)? {
            let [template, code, first, kind, key, obligation, list, en, de] = row.cells()?;
            let number = row.number(code)?;
            let column = Column {
                number,
                first_published_as: if first.is_empty() { number } else { row.number(first)? },
                cell: cell(&row, kind, list, &lists)?,
                key: key == "yes",
                obligation: match obligation {
                    "mandatory" => Obligation::Mandatory,
                    "conditional" => Obligation::Conditional,
                    "optional" => Obligation::Optional,
                    "taxonomy" => Obligation::Technical,
                    _ => return Err(row.bad(obligation)),
                },
                title: Label::new(en, de),
            };
            release.columns[row.template(template)? as usize].push(column);
        }
        for row in rows("references.csv", tables.references)? {
            let [id, template, columns, target, target_columns] = row.cells()?;
            let (template, target) = (row.template(template)?, row.template(target)?);
            let columns = release.positions(&row, template, columns)?;
            let target_columns = release.positions(&row, target, target_columns)?;
            release.references.push(Reference { id, template, columns, target, target_columns });
        }
        for row in rows("rules.csv", tables.rules)? {
            let [id, template, column, kind, given] = row.cells()?;
            let template = row.template(template)?;
            let column = release.position(&row, template, column)?;
            let kind = release.rule(&row, template, kind, given)?;
            release.rules.push(RowRule { id, template, column, kind });
        }
        Ok(release)
    }

    fn position(&self, row: &Row, template: Template, code: &str) -> Result<usize, BadRelease> {
        let number = row.number(code)?;
        let known = self.columns(template).iter().position(|column| column.number == number);
        known.ok_or_else(|| row.bad(code))
    }

    fn positions(&self, row: &Row, template: Template, codes: &str) -> Result<Vec<usize>, BadRelease> {
        codes.split(' ').map(|code| self.position(row, template, code)).collect()
    }

    fn rule(
        &self,
        row: &Row,
        template: Template,
        kind: &str,
        given: &'static str,
    ) -> Result<RowRuleKind, BadRelease> {
        let condition = || {
            let mut parts = given.split(' ');
            let column = self.position(row, template, parts.next().unwrap_or_default())?;
            Ok((column, parts.collect::<Vec<_>>()))
        };
        let type_of_code = || {
            if given.is_empty() {
                return Ok(None);
            }
            let (column, codes) = condition()?;
            Ok(codes.first().map(|code| (column, *code)))
        };
        Ok(match kind {
            "row_required" => RowRuleKind::WithAny(self.positions(row, template, given)?),
            "required_if" => condition().map(|(column, codes)| RowRuleKind::If(column, codes))?,
            "required_unless" => condition().map(|(column, codes)| RowRuleKind::Unless(column, codes))?,
            "not_negative" => RowRuleKind::NotNegative,
            "lei_form" => RowRuleKind::LeiForm,
            "lei" => RowRuleKind::Lei(type_of_code()?),
            "euid" => RowRuleKind::Euid(type_of_code()?),
            _ => return Err(row.bad(kind)),
        })
    }
}

type Lists = HashMap<&'static str, &'static ClosedList>;

fn lists(text: &str) -> Result<Lists, BadRelease> {
    let mut lists: HashMap<_, Vec<_>> = HashMap::new();
    for row in rows("lists.csv", text)? {
        let [list, code, label] = row.cells()?;
        lists.entry(list).or_default().push((code, label));
    }
    let closed = |(name, options): (&'static str, Vec<(&'static str, &'static str)>)| {
        let codes: HashSet<_> = options.iter().map(|(code, _)| *code).collect();
        (name, &*Box::leak(Box::new(ClosedList { name, options, codes })))
    };
    Ok(lists.into_iter().map(closed).collect())
}

fn cell(row: &Row, kind: &str, list: &str, lists: &Lists) -> Result<CellType, BadRelease> {
    Ok(match kind {
        "string" => CellType::Text,
        "enum" => CellType::Code(lists.get(list).ok_or_else(|| row.bad(list))?),
        "date" => CellType::Day,
        "integer" => CellType::Integer,
        "monetary" => CellType::Money,
        "true" => CellType::Link,
        _ => return Err(row.bad(kind)),
    })
}

/// A row below the source note and the headings. Its texts live as long as the program, which parses the tables once.
struct Row {
    table: &'static str,
    line: usize,
    cells: Vec<&'static str>,
}

impl Row {
    fn cells<const N: usize>(&self) -> Result<[&'static str; N], BadRelease> {
        self.cells.as_slice().try_into().map_err(|_| self.bad("number of cells"))
    }

    fn bad(&self, what: &str) -> BadRelease {
        bad(self.table, format_args!("row {}: {what:?}", self.line))
    }

    fn template(&self, id: &str) -> Result<Template, BadRelease> {
        Template::ALL.into_iter().find(|template| template.id() == id).ok_or_else(|| self.bad(id))
    }

    fn number(&self, code: &str) -> Result<u16, BadRelease> {
        code.trim_start_matches('c').parse().map_err(|_| self.bad(code))
    }
}

fn rows(table: &'static str, text: &str) -> Result<Vec<Row>, BadRelease> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let row = |(index, record): (usize, Result<csv::StringRecord, csv::Error>)| {
        let record = record.map_err(|error| bad(table, error))?;
        let cells = record.iter().map(|cell| &*Box::leak(Box::<str>::from(cell))).collect();
        Ok(Row { table, line: index + 1, cells })
    };
    reader.records().enumerate().map(row).collect()
}

fn bad(table: &'static str, problem: impl std::fmt::Display) -> BadRelease {
    BadRelease { table, problem: problem.to_string() }
}
