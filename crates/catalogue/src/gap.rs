//! Gap-analysis items: the question about a requirement, the target state, and typical gaps.

use domain::vocabulary;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    measure::Measure,
    record::{Record, Shelf, Wording},
    vocabulary::{FrameworkId, Priority},
};

vocabulary! {
    /// The usual effort to close a gap.
    Effort {
        Low = "low" ("Low", "Gering"),
        Medium = "medium" ("Medium", "Mittel"),
        High = "high" ("High", "Hoch"),
    }
}

#[derive(Debug, Clone)]
pub struct Gap {
    pub id: Box<str>,
    pub framework: FrameworkId,
    pub requirement: Box<str>,
    pub title: Text,
    pub question: Text,
    /// The target state.
    pub target: Text,
    pub typical_gap: Text,
    pub priority: Priority,
    pub effort: Effort,
    /// The measures that close the gap: those named in the file, then those that meet the requirement.
    pub measures: Vec<Box<str>>,
    /// How to close it, in order: the steps of the file, or else the actions of its measures.
    pub steps: Vec<Text>,
    /// Proof that it is closed: the evidence named in the file, then that of its measures.
    pub evidence: Vec<Box<str>>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

impl Gap {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Gap),
            framework: block.framework("framework"),
            requirement: block.reference("requirement", Kind::Requirement),
            title: block.text("title"),
            question: block.text("question"),
            target: block.text("target"),
            typical_gap: block.text("typical_gap"),
            priority: block.word("priority"),
            effort: block.word("effort"),
            measures: block.references("measures", Kind::Measure),
            steps: block.optional_texts("steps"),
            evidence: block.optional_references("evidence", Kind::Evidence),
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }
}

impl Gap {
    /// The maximum number of steps taken from its measures if it has none of its own.
    const STEPS: usize = 5;

    /// Adds steps and evidence from its measures.
    pub(crate) fn follow(&mut self, measures: &Shelf<Measure>) {
        let own: Vec<&Measure> = self.measures.iter().filter_map(|id| measures.get(id)).collect();
        if self.steps.is_empty() {
            self.steps = own.iter().take(Self::STEPS).map(|measure| measure.action.clone()).collect();
        }
        for id in own.iter().flat_map(|measure| &measure.evidence) {
            if !self.evidence.contains(id) {
                self.evidence.push(id.clone());
            }
        }
    }
}

/// The filters of the gap analysis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct GapFilter {
    pub framework: Option<FrameworkId>,
}

impl GapFilter {
    pub fn keeps(self, gap: &Gap) -> bool {
        self.framework.is_none_or(|framework| framework == gap.framework)
    }
}

impl Record for Gap {
    fn kind(&self) -> Kind {
        Kind::Gap
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        for text in [&self.question, &self.target, &self.typical_gap] {
            visit(Wording::Both(text));
        }
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
