//! Gap-analysis items: the question to ask about a requirement, what good looks like, what usually lacks.

use domain::vocabulary;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::{FrameworkId, Priority},
};

vocabulary! {
    /// How much work closing a gap usually is.
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
    /// What good looks like.
    pub target: Text,
    pub typical_gap: Text,
    pub priority: Priority,
    pub effort: Effort,
    /// The measures that close the gap: those named in the file, then those that meet the requirement.
    pub measures: Vec<Box<str>>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

impl Gap {
    /// The frameworks with gap items. A requirement of theirs that binds entities has a gap item or audit steps.
    pub const FRAMEWORKS: [FrameworkId; 5] =
        [FrameworkId::Dora, FrameworkId::MaRisk, FrameworkId::Iso27001, FrameworkId::Cra, FrameworkId::Nis2];

    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Gap),
            framework: block.word("framework"),
            requirement: block.reference("requirement", Kind::Requirement),
            title: block.text("title"),
            question: block.text("question"),
            target: block.text("target"),
            typical_gap: block.text("typical_gap"),
            priority: block.word("priority"),
            effort: block.word("effort"),
            measures: block.references("measures", Kind::Measure),
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }
}

/// What a caller narrows the gap analysis down to.
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
