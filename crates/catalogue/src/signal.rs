//! Radar signals: publications of supervisors and legislators, and what to do about them.

use domain::{moment::Day, vocabulary};

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    proof::Proof,
    record::{Record, Wording},
    vocabulary::FrameworkId,
};

vocabulary! {
    /// How much a signal changes for a financial entity.
    Impact {
        High = "high" ("High", "Hoch"),
        Medium = "medium" ("Medium", "Mittel"),
        Low = "low" ("Low", "Gering"),
    }
}

#[derive(Debug, Clone)]
pub struct Signal {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub authority: Box<str>,
    pub date: Day,
    pub topic: Text,
    pub impact: Impact,
    pub frameworks: Vec<FrameworkId>,
    /// What a financial entity should do about it.
    pub so_what: Text,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
    pub proof: Proof,
}

impl Signal {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Signal),
            title: block.text("title"),
            summary: block.text("summary"),
            authority: block.line("authority"),
            date: block.day("date"),
            topic: block.text("topic"),
            impact: block.word("impact"),
            frameworks: block.frameworks("frameworks"),
            so_what: block.text("so_what"),
            cite: block.cite(),
            source: block.optional_line("source"),
            proof: Proof::read(block),
        }
    }
}

impl Record for Signal {
    fn kind(&self) -> Kind {
        Kind::Signal
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        for text in [&self.summary, &self.so_what, &self.topic] {
            visit(Wording::Both(text));
        }
        visit(Wording::One(&self.authority));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
