//! The register of information as data of one release of the taxonomy: templates, columns, closed lists, references
//! and rules. The tables are in `data/register`; another release is another folder.

mod parse;

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

pub use self::parse::BadRelease;
use super::template::Template;
use crate::wording::Label;

/// The type of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellType {
    Text,
    /// A code of a closed list.
    Code(&'static ClosedList),
    Day,
    Integer,
    Money,
    /// `true` in every row: without it a row of only keys would report nothing.
    Link,
}

/// The obligation of a column in the regulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obligation {
    Mandatory,
    Conditional,
    Optional,
    /// The column exists in the taxonomy only.
    Technical,
}

/// Whether a column must be present, and filled, for the conversion to arrangements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Part of the row's key: present and filled.
    Key,
    /// Present and filled.
    Required,
    /// Present; whether filled depends on other columns.
    Conditional,
    /// Required by the regulation, but a file without it is accepted with a notice.
    Expected,
    Optional,
}

/// One column, by its number in the data point model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    pub number: u16,
    /// The number in the annex as first published, before its corrigendum.
    pub first_published_as: u16,
    pub cell: CellType,
    /// Part of the key: never empty in a report.
    pub key: bool,
    pub obligation: Obligation,
    pub title: Label,
}

impl Column {
    /// The code of the column: `c0010`.
    pub fn code(&self) -> ColumnCode {
        ColumnCode(self.number)
    }

    /// The displayed title.
    pub fn label(&self) -> Label {
        self.title
    }

    pub fn list(&self) -> Option<&'static ClosedList> {
        match self.cell {
            CellType::Code(list) => Some(list),
            _ => None,
        }
    }
}

/// The number of a column, printed as the data point model does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnCode(pub u16);

impl std::fmt::Display for ColumnCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "c{:04}", self.0)
    }
}

/// The codes a column may hold.
#[derive(Debug, PartialEq, Eq)]
pub struct ClosedList {
    pub name: &'static str,
    /// Code and label, in the order of publication.
    pub options: Vec<(&'static str, &'static str)>,
    codes: HashSet<&'static str>,
}

impl ClosedList {
    pub fn has(&self, code: &str) -> bool {
        self.codes.contains(code)
    }
}

/// Every value of these columns must exist in those of the target. Columns are positions in their template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    pub id: &'static str,
    pub template: Template,
    pub columns: Vec<usize>,
    pub target: Template,
    pub target_columns: Vec<usize>,
}

/// A rule about one cell and others of its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowRule {
    pub id: &'static str,
    pub template: Template,
    pub column: usize,
    pub kind: RowRuleKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowRuleKind {
    /// Filled if one of the others is.
    WithAny(Vec<usize>),
    /// Filled if the other column has one of the codes.
    If(usize, Vec<&'static str>),
    /// Filled if the other column has another value.
    Unless(usize, Vec<&'static str>),
    NotNegative,
    /// Eighteen letters or digits and two digits.
    LeiForm,
    /// A valid LEI; under the condition, if there is one.
    Lei(Option<(usize, &'static str)>),
    /// The form of an EUID, under the condition.
    Euid(Option<(usize, &'static str)>),
}

impl RowRuleKind {
    /// Whether it concerns an identifier: those come after the business rules.
    pub fn is_identifier(&self) -> bool {
        matches!(self, Self::Lei(_) | Self::Euid(_))
    }
}

/// The fixed parts of a report package.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
pub struct PackageParts {
    pub module: String,
    pub report_package: String,
    pub report: String,
    pub entry_point: String,
    pub base_currency: String,
    pub decimals_integer: String,
    pub decimals_monetary: String,
    pub conventions: Conventions,
}

/// The values for "does not apply".
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
pub struct Conventions {
    pub open_end: String,
    pub no_country: String,
    pub no_branch: String,
}

#[derive(Debug, Default)]
pub struct Release {
    pub(super) titles: Vec<Label>,
    pub(super) columns: Vec<Vec<Column>>,
    lists: HashMap<&'static str, &'static ClosedList>,
    pub references: Vec<Reference>,
    pub rules: Vec<RowRule>,
    pub package: PackageParts,
}

/// The tables of a release as text.
#[derive(Debug, Clone, Copy)]
pub struct Tables {
    pub templates: &'static str,
    pub columns: &'static str,
    pub lists: &'static str,
    pub references: &'static str,
    pub rules: &'static str,
    pub package: &'static str,
}

macro_rules! tables {
    ($folder:literal) => {
        Tables {
            templates: include_str!(concat!("../../../../data/register/", $folder, "/templates.csv")),
            columns: include_str!(concat!("../../../../data/register/", $folder, "/columns.csv")),
            lists: include_str!(concat!("../../../../data/register/", $folder, "/lists.csv")),
            references: include_str!(concat!("../../../../data/register/", $folder, "/references.csv")),
            rules: include_str!(concat!("../../../../data/register/", $folder, "/rules.csv")),
            package: include_str!(concat!("../../../../data/register/", $folder, "/package.toml")),
        }
    };
}

/// Release 4.0, module DORA 1.1.0: in use for the collections of 2025 and 2026.
pub const RELEASE_4_0: Tables = tables!("4.0");

static CURRENT: LazyLock<Release> = LazyLock::new(|| Release::parse(&RELEASE_4_0).unwrap_or_default());

impl Release {
    /// The release of reports. Its tables are compiled in, and a test parses them.
    pub fn current() -> &'static Self {
        &CURRENT
    }

    pub fn columns(&self, template: Template) -> &[Column] {
        self.columns.get(template as usize).map_or(&[], Vec::as_slice)
    }

    pub fn list(&self, name: &str) -> Option<&'static ClosedList> {
        self.lists.get(name).copied()
    }
}

#[cfg(test)]
mod tests;
