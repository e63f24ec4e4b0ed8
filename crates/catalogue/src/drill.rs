//! Incident drills: a scenario that unfolds by the minute, the tasks, and the success criteria.

mod solution;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::{Difficulty, Role},
};

pub use self::solution::{Due, Judged, Score, Solution};
pub use domain::drill_run::Judgement;

#[derive(Debug, Clone)]
pub struct Drill {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub difficulty: Difficulty,
    pub duration_minutes: u32,
    pub objective: Text,
    pub participants: Vec<Role>,
    /// The messages to the participants, in chronological order.
    pub injects: Vec<Inject>,
    pub tasks: Vec<Task>,
    pub success_criteria: Vec<Text>,
    /// Notes for the exercise lead.
    pub facilitator: Vec<Text>,
    pub solution: Option<Solution>,
    pub scoring: Vec<Score>,
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

/// A day and a half: a drill is not longer.
const LONGEST_MINUTES: u32 = 36 * 60;

impl Drill {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let duration_minutes = block.number("duration_minutes", 1..=LONGEST_MINUTES);
        let clocks = block.references("clocks", Kind::Clock);
        let drill = Self {
            id: block.id(Kind::Drill),
            title: block.text("title"),
            summary: block.text("summary"),
            difficulty: block.word("difficulty"),
            duration_minutes,
            objective: block.text("objective"),
            participants: block.words("participants"),
            injects: Inject::read_all(block, duration_minutes),
            tasks: block.list("tasks", Task::read),
            success_criteria: block.texts("success_criteria"),
            facilitator: block.texts("facilitator"),
            solution: block.table("solution", |inner| Solution::read(inner, &clocks)),
            scoring: Score::read_all(block),
            clocks,
            measures: block.references("measures", Kind::Measure),
            cite: block.cite(),
            source: block.optional_line("source"),
        };
        for (field, empty) in [("injects", drill.injects.is_empty()), ("tasks", drill.tasks.is_empty())] {
            if empty {
                block.fault(field, "must not be empty");
            }
        }
        drill
    }
}

impl Inject {
    /// The injects of a drill: times ascend and stay within its duration.
    fn read_all(block: &mut Block<'_, '_>, duration_minutes: u32) -> Vec<Self> {
        let mut earliest = 0;
        block.list("injects", |block| {
            let at_minute = block.number("at_minute", 0..=LONGEST_MINUTES);
            if at_minute < earliest {
                block.fault("at_minute", format_args!("must ascend: {at_minute} follows {}", earliest - 1));
            }
            if at_minute > duration_minutes {
                block.fault("at_minute", format_args!("is after the end, minute {duration_minutes}"));
            }
            earliest = at_minute + 1;
            Self { at_minute, text: block.text("text") }
        })
    }
}

impl Task {
    fn read(block: &mut Block<'_, '_>) -> Self {
        Self { role: block.word("role"), text: block.text("text") }
    }
}

/// The filters of drills or training modules.
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
    fn kind(&self) -> Kind {
        Kind::Drill
    }

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
        // The solution is left out: participants can use the search.
        injects.chain(tasks).chain(&self.success_criteria).for_each(|text| visit(Wording::Both(text)));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
