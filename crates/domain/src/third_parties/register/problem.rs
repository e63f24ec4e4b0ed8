//! Problems of an import: the location, the rule and the remedy.

use std::fmt;

use super::{
    sentences::{RegisterFinding, RegisterRemedy},
    template::Template,
};

/// The rule that a problem breaks. The numbers are those of the technical checks of the European Banking Authority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    MissingTemplate,
    DuplicateTemplate,
    MissingColumn,
    UnknownColumn,
    FieldCount,
    TooManyRows,
    Required,
    /// Check 805.
    EmptyKey,
    /// Check 806.
    DuplicateKey,
    /// Check 807.
    BrokenReference,
    CodeType,
    Lei,
    CodeList,
    Country,
    Currency,
    Amount,
    Number,
    Date,
    Text,
    Period,
    Rank,
    Cycle,
    TwoParents,
    NotUltimate,
    Overarching,
    Reason,
    Field,
}

impl Rule {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::MissingTemplate => "missing-template",
            Self::DuplicateTemplate => "duplicate-template",
            Self::MissingColumn => "missing-column",
            Self::UnknownColumn => "unknown-column",
            Self::FieldCount => "field-count",
            Self::TooManyRows => "too-many-rows",
            Self::Required => "required",
            Self::EmptyKey => "empty-key",
            Self::DuplicateKey => "duplicate-key",
            Self::BrokenReference => "broken-reference",
            Self::CodeType => "code-type",
            Self::Lei => "lei",
            Self::CodeList => "code-list",
            Self::Country => "country",
            Self::Currency => "currency",
            Self::Amount => "amount",
            Self::Number => "number",
            Self::Date => "date",
            Self::Text => "text",
            Self::Period => "period",
            Self::Rank => "rank",
            Self::Cycle => "cycle",
            Self::TwoParents => "two-parents",
            Self::NotUltimate => "not-ultimate",
            Self::Overarching => "overarching",
            Self::Reason => "reason",
            Self::Field => "field",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The table of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    Official(Template),
    /// The flat table of arrangements.
    Flat,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Official(template) => f.write_str(template.id()),
            Self::Flat => f.write_str("arrangements"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub table: Table,
    /// The line of the file; `None` if the whole table is meant.
    pub row: Option<u32>,
    /// The heading of the column as files write it.
    pub column: Option<String>,
    pub rule: Rule,
    /// What is wrong.
    pub finding: RegisterFinding,
    /// What to do.
    pub remedy: RegisterRemedy,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.table)?;
        if let Some(row) = self.row {
            write!(f, " row {row}")?;
        }
        if let Some(column) = &self.column {
            write!(f, " column {column}")?;
        }
        write!(f, " ({}): {}; {}", self.rule, self.finding, self.remedy)
    }
}

/// The maximum number of problems kept; an entirely wrong file would otherwise exhaust the memory.
pub const MOST: usize = 1000;

/// The problems of one import, in the order they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    found: Vec<Problem>,
    beyond: u64,
}

impl Problems {
    pub fn add(&mut self, problem: Problem) {
        if self.found.len() < MOST {
            self.found.push(problem);
        } else {
            self.beyond += 1;
        }
    }

    /// Counts a problem that would not be kept, so that it need not be formatted.
    pub(super) fn only_counts(&mut self) -> bool {
        let full = self.found.len() >= MOST;
        self.beyond += u64::from(full);
        full
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many there are, counted ones included.
    pub fn total(&self) -> u64 {
        self.found.len() as u64 + self.beyond
    }

    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.found.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.found.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        if self.beyond > 0 { write!(f, "\nand {} more", self.beyond) } else { Ok(()) }
    }
}

impl std::error::Error for Problems {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::register::Quoted;

    #[test]
    fn a_problem_reads_as_a_sentence_with_its_place() {
        let problem = Problem {
            table: Table::Official(Template::ContractLines),
            row: Some(17),
            column: Some("c0060".into()),
            rule: Rule::CodeList,
            finding: RegisterFinding::NotAnActivity { text: Quoted::text("S20") },
            remedy: RegisterRemedy::UseList,
        };
        assert_eq!(
            problem.to_string(),
            "B_02.02 row 17 column c0060 (code-list): \"S20\" is not a licensed activity; use a value of the list"
        );
    }

    #[test]
    fn problems_are_bounded_but_counted() {
        let mut problems = Problems::default();
        let problem = Problem {
            table: Table::Flat,
            row: None,
            column: None,
            rule: Rule::Field,
            finding: RegisterFinding::EmptyCell,
            remedy: RegisterRemedy::UseList,
        };
        for _ in 0..MOST + 5 {
            problems.add(problem.clone());
        }
        assert_eq!((problems.iter().count(), problems.total()), (MOST, MOST as u64 + 5));
        assert!(problems.to_string().ends_with("and 5 more"));
        assert!(problems.only_counts() && !Problems::default().only_counts());
        assert_eq!(problems.total(), MOST as u64 + 6);
    }
}
