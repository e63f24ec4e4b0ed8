//! Incident drills: a scenario that unfolds by the minute, who does what, and what counts as success.

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::{Difficulty, Role},
};

#[derive(Debug, Clone)]
pub struct Drill {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub difficulty: Difficulty,
    pub duration_minutes: u32,
    pub objective: Text,
    pub participants: Vec<Role>,
    /// What the players are told, in the order it happens.
    pub injects: Vec<Inject>,
    pub tasks: Vec<Task>,
    pub success_criteria: Vec<Text>,
    /// The reporting clocks the scenario starts.
    pub clocks: Vec<Box<str>>,
    pub measures: Vec<Box<str>>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

#[derive(Debug, Clone)]
pub struct Inject {
    pub at_minute: u32,
    pub text: Text,
}

#[derive(Debug, Clone)]
pub struct Task {
    pub role: Role,
    pub text: Text,
}

/// A day and a half: longer is not a drill any more.
const LONGEST_MINUTES: u32 = 36 * 60;

impl Drill {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let drill = Self {
            id: block.id(Kind::Drill),
            title: block.text("title"),
            summary: block.text("summary"),
            difficulty: block.word("difficulty"),
            duration_minutes: block.number("duration_minutes", 1..=LONGEST_MINUTES),
            objective: block.text("objective"),
            participants: block.words("participants"),
            injects: block.list("injects", Inject::read),
            tasks: block.list("tasks", Task::read),
            success_criteria: block.texts("success_criteria"),
            clocks: block.references("clocks", Kind::Clock),
            measures: block.references("measures", Kind::Measure),
            cite: block.cite(),
            source: block.optional_line("source"),
        };
        drill.check_order(block);
        drill
    }

    fn check_order(&self, block: &mut Block<'_, '_>) {
        for (field, empty) in [("injects", self.injects.is_empty()), ("tasks", self.tasks.is_empty())] {
            if empty {
                block.fault(field, "must not be empty");
            }
        }
        let minutes: Vec<u32> = self.injects.iter().map(|inject| inject.at_minute).collect();
        for pair in minutes.windows(2) {
            if pair[1] <= pair[0] {
                let (before, after) = (pair[0], pair[1]);
                block.fault(
                    "injects",
                    format_args!("must ascend: minute {after} comes after minute {before}"),
                );
            }
        }
        if minutes.last().is_some_and(|last| *last > self.duration_minutes) {
            block.fault("injects", "must not be later than duration_minutes");
        }
    }
}

impl Inject {
    fn read(block: &mut Block<'_, '_>) -> Self {
        Self { at_minute: block.number("at_minute", 0..=LONGEST_MINUTES), text: block.text("text") }
    }
}

impl Task {
    fn read(block: &mut Block<'_, '_>) -> Self {
        Self { role: block.word("role"), text: block.text("text") }
    }
}

/// What a caller narrows drills or training modules down to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct DrillFilter {
    pub difficulty: Option<Difficulty>,
}

impl DrillFilter {
    pub fn keeps(self, drill: &Drill) -> bool {
        self.difficulty.is_none_or(|difficulty| difficulty == drill.difficulty)
    }
}

impl Record for Drill {
    const KIND: Kind = Kind::Drill;

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::Both(&self.objective));
        let injects = self.injects.iter().map(|inject| &inject.text);
        let tasks = self.tasks.iter().map(|task| &task.text);
        injects.chain(tasks).chain(&self.success_criteria).for_each(|text| visit(Wording::Both(text)));
        visit(Wording::One(&self.cite));
    }
}
