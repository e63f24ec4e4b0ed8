//! The part of a drill that only the exercise lead sees: how to classify, when reports are due, which decisions are
//! expected, and how to score the result.

use domain::{drill_run::Judgement, incident::Criterion};

use crate::{block::Block, kind::Kind, language::Text};

/// The model solution of a drill.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The result of the classification, and why.
    pub result: Text,
    pub classification: Vec<Judged>,
    /// When each report is due, in minutes of the scenario.
    pub due: Vec<Due>,
    /// The decisions that participants should have made, in order.
    pub decisions: Vec<Text>,
}

/// One criterion of DORA Art. 18(1) applied to the scenario.
#[derive(Debug, Clone)]
pub struct Judged {
    pub criterion: Criterion,
    pub judgement: Judgement,
    pub reason: Text,
}

/// When the report of a clock is due.
#[derive(Debug, Clone)]
pub struct Due {
    pub clock: Box<str>,
    pub at: Text,
}

/// A line of the score sheet.
#[derive(Debug, Clone)]
pub struct Score {
    pub points: u32,
    pub text: Text,
}

impl Solution {
    /// Every criterion is judged once, and every clock of the drill has a due time.
    pub(super) fn read(block: &mut Block<'_, '_>, clocks: &[Box<str>]) -> Self {
        let solution = Self {
            result: block.text("result"),
            classification: block.optional_list("classification", Judged::read),
            due: block.optional_list("due", Due::read),
            decisions: block.texts("decisions"),
        };
        let judged = |criterion| solution.classification.iter().filter(|j| j.criterion == criterion).count();
        for criterion in Criterion::ALL.iter().filter(|criterion| judged(**criterion) > 1) {
            block.fault("classification", format_args!("judges {criterion} twice"));
        }
        let lacking = |clock: &&str| !solution.due.iter().any(|due| *due.clock == **clock);
        for clock in clocks.iter().map(|clock| &**clock).filter(lacking) {
            block.fault("due", format_args!("does not say when {clock} ends"));
        }
        solution
    }
}

impl Judged {
    fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            criterion: block.word("criterion"),
            judgement: block.word("judgement"),
            reason: block.text("reason"),
        }
    }
}

impl Due {
    fn read(block: &mut Block<'_, '_>) -> Self {
        Self { clock: block.reference("clock", Kind::Clock), at: block.text("at") }
    }
}

impl Score {
    /// The maximum score of a drill.
    pub const FULL: u32 = 100;

    /// The score sheet of a drill, whose points must add up.
    pub(super) fn read_all(block: &mut Block<'_, '_>) -> Vec<Self> {
        let sheet: Vec<Self> = block.list("scoring", |line| Self {
            points: line.number("points", 1..=Self::FULL),
            text: line.text("text"),
        });
        let sum: u32 = sheet.iter().map(|line| line.points).sum();
        if sum != Self::FULL {
            block.fault("scoring", format_args!("must add up to {} points, not {sum}", Self::FULL));
        }
        sheet
    }
}
