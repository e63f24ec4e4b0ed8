//! Whether valid records are consistent: keys, references, supply chains and the rules between columns.

mod chains;
mod keys;
mod references;
mod rules;

use super::{
    columns::ColumnId,
    index::Index,
    problem::{Problem, Problems, Rule, Table},
    records::Register,
    sentences::{RegisterFinding, RegisterRemedy},
    template::Numbering,
};

/// Reports every inconsistency.
pub(super) fn check(register: &Register, problems: &mut Problems) {
    let mut checker = Checker { register, index: Index::of(register), problems };
    checker.keys();
    checker.references();
    checker.rules();
    checker.chains();
}

struct Checker<'r, 'p> {
    register: &'r Register,
    index: Index<'r>,
    problems: &'p mut Problems,
}

/// The location of a problem.
#[derive(Clone, Copy)]
struct CellPosition {
    row: Option<u32>,
    column: ColumnId,
}

impl Checker<'_, '_> {
    fn note(&mut self, place: CellPosition, rule: Rule, finding: RegisterFinding, remedy: RegisterRemedy) {
        if self.problems.only_counts() {
            return;
        }
        self.problems.add(Problem {
            table: Table::Official(place.column.template),
            row: place.row,
            column: Some(place.column.template.heading(place.column.number, Numbering::DataPointModel)),
            rule,
            finding,
            remedy,
        });
    }
}
