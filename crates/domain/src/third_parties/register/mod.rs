//! The register of information of Implementing Regulation (EU) 2024/2956: its records, its code lists, and how they
//! are parsed and checked.
//!
//! The caller splits files into rows; here a row is a list of texts with its number, so nothing in this module knows
//! of CSV, ZIP or spreadsheets.

mod arrangement_rows;
mod cell_kinds;
mod cells;
mod check;
pub mod codes;
pub mod columns;
mod convert;
mod field_table;
mod fields;
pub mod filing;
mod flat;
mod flat_columns;
mod flat_text;
mod function_rows;
mod index;
mod notice;
mod package;
mod problem;
mod read;
mod records;
pub mod release;
mod row_content;
mod sentences;
pub mod sheets;
mod take_over;
mod template;
mod write_back;

pub use cell_kinds::{NotANumber, OtherCurrency};
pub use codes::NotInList;
pub use columns::ColumnId;
pub use convert::Conversion;
pub use fields::{differing_fields, merged};
pub use flat::FlatReader;
pub use flat_columns::{FLAT_COLUMNS, FLAT_TEMPLATE, FlatColumn};
pub use function_rows::{follow_identifier, new_function_row, read_function, write_function};
pub use notice::Notice;
pub use package::{MAX_ROWS, Package, RowReader};
pub use problem::{MOST, Problem, Problems, Rule, Table};
pub use records::{
    Assessment, ChainLink, Contract, ContractLine, Entity, Function, Maintainer, Placed, ProviderCode,
    Register, RegisteredProvider,
};
pub use release::{Column, Need};
pub use sentences::{KnownPlace, Quoted, RecordKey, RegisterFinding, RegisterRemedy};
pub use take_over::{TakenOver, taken_over};
pub use template::{Numbering, Template};
pub use write_back::written_back;

#[cfg(test)]
mod tests;
