//! Regulatory clocks as data: which report of which regime is due how long after which event.

use domain::{
    clock::{self, Bound, Span},
    vocabulary,
};

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
};

vocabulary! {
    /// The law a clock comes from.
    Regime {
        Cra = "cra" ("CRA", "CRA"),
        Dora = "dora" ("DORA", "DORA"),
        Nis2 = "nis2" ("NIS2", "NIS2"),
        Gdpr = "gdpr" ("GDPR", "DSGVO"),
    }
}

#[derive(Debug, Clone)]
pub struct Clock {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    /// The rule that `domain` evaluates.
    pub rule: clock::Clock,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

impl Clock {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Clock),
            title: block.text("title"),
            summary: block.text("summary"),
            rule: clock::Clock {
                regime: block.word::<Regime>("regime").to_string(),
                stage: read_name(block, "stage"),
                applies_to: read_name(block, "applies_to"),
                bound: read_bound(block),
                cap: block.optional_table("cap", read_bound),
            },
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }

    /// The key that must be unique for each stage.
    pub(crate) fn drives(&self) -> (&str, &str, &str) {
        (&self.rule.regime, &self.rule.applies_to, &self.rule.stage)
    }
}

fn read_bound(block: &mut Block<'_, '_>) -> Bound {
    Bound { base: read_name(block, "base"), duration: block.parsed("duration").unwrap_or(Span::Hours(1)) }
}

/// The name of an event, a stage or a kind of case, as used in code.
fn read_name(block: &mut Block<'_, '_>, field: &'static str) -> String {
    let name = block.line(field);
    if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        block.fault(field, "must be lower-case letters and underscores");
    }
    name.into()
}

impl Record for Clock {
    fn kind(&self) -> Kind {
        Kind::Clock
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(&self.rule.regime));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
