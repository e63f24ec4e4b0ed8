//! ICT risks and the matrix that turns likelihood and impact into a level. A level is always computed.

pub use domain::risk::{RiskCategory as CategoryId, RiskLevel as Level};
use domain::vocabulary;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::Role,
};

vocabulary! {
    /// The status of a risk.
    RiskStatus {
        Open = "open" ("Open", "Offen"),
        Mitigating = "mitigating" ("Being mitigated", "In Behandlung"),
        Accepted = "accepted" ("Accepted", "Akzeptiert"),
        Closed = "closed" ("Closed", "Geschlossen"),
    }
}

vocabulary! {
    /// How a risk is treated.
    Treatment {
        Reduce = "reduce" ("Reduce", "Vermindern"),
        Accept = "accept" ("Accept", "Akzeptieren"),
        Transfer = "transfer" ("Transfer", "Übertragen"),
        Avoid = "avoid" ("Avoid", "Vermeiden"),
    }
}

/// A risk category with its title.
#[derive(Debug, Clone)]
pub struct Category {
    pub id: CategoryId,
    pub title: Text,
}

/// Likelihood and impact, from 1 to 5 each, and their level in the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    pub likelihood: u8,
    pub impact: u8,
    pub level: Level,
}

#[derive(Debug, Clone)]
pub struct Risk {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    /// Why it can happen.
    pub cause: Text,
    /// What happens.
    pub event: Text,
    /// The consequences for the institution.
    pub effect: Text,
    /// An early sign that it is growing.
    pub indicator: Text,
    pub category: CategoryId,
    pub inherent: Rating,
    pub residual: Rating,
    pub status: RiskStatus,
    pub treatment: Treatment,
    pub owner: Role,
    pub measures: Vec<Box<str>>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

/// The 5 × 5 matrix: the meaning of the steps, and the level of each cell.
#[derive(Debug, Clone)]
pub struct Matrix {
    pub likelihood: Vec<Text>,
    pub impact: Vec<Text>,
    /// Rows are likelihood 1 to 5, columns are impact 1 to 5.
    pub levels: [[Level; Matrix::SIZE]; Matrix::SIZE],
    pub cite: Box<str>,
}

impl Category {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        block.id(Kind::Category);
        Self { id: block.word("id"), title: block.text("title") }
    }
}

impl Matrix {
    pub const SIZE: usize = 5;

    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let likelihood = block.texts("likelihood");
        let impact = block.texts("impact");
        for (field, labels) in [("likelihood", &likelihood), ("impact", &impact)] {
            if labels.len() != Self::SIZE {
                block.fault(field, "must have 5 labels, from 1 to 5");
            }
        }
        let mut levels = [[Level::Low; Self::SIZE]; Self::SIZE];
        let rows: Vec<Vec<Level>> = block.rows("levels");
        if rows.len() != Self::SIZE || rows.iter().any(|row| row.len() != Self::SIZE) {
            block.fault("levels", "must have 5 rows of 5 levels");
        }
        for (to, from) in levels.iter_mut().flatten().zip(rows.into_iter().flatten()) {
            *to = from;
        }
        Self { likelihood, impact, levels, cite: block.cite() }
    }

    /// The level of a cell; likelihood and impact count from 1.
    pub fn level(&self, likelihood: u8, impact: u8) -> Level {
        let row = self.levels.get(usize::from(likelihood.saturating_sub(1)));
        let cell = row.and_then(|row| row.get(usize::from(impact.saturating_sub(1))));
        // Ratings are checked to be within 1 to 5 when they are read.
        cell.copied().unwrap_or(Level::Critical)
    }
}

impl Rating {
    fn read(block: &mut Block<'_, '_>) -> Self {
        let mut step = |field| u8::try_from(block.number(field, 1..=5)).unwrap_or(1);
        Self { likelihood: step("likelihood"), impact: step("impact"), level: Level::Low }
    }

    const LOWEST: Self = Self { likelihood: 1, impact: 1, level: Level::Low };
}

impl Risk {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Risk),
            title: block.text("title"),
            summary: block.text("summary"),
            cause: block.text("cause"),
            event: block.text("event"),
            effect: block.text("effect"),
            indicator: block.text("indicator"),
            category: block.word("category"),
            inherent: block.table("inherent", Rating::read).unwrap_or(Rating::LOWEST),
            residual: block.table("residual", Rating::read).unwrap_or(Rating::LOWEST),
            status: block.word("status"),
            treatment: block.word("treatment"),
            owner: block.word("owner"),
            measures: block.references("measures", Kind::Measure),
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }

    /// Sets the levels of both ratings.
    pub(crate) fn rate(&mut self, matrix: &Matrix) {
        for rating in [&mut self.inherent, &mut self.residual] {
            rating.level = matrix.level(rating.likelihood, rating.impact);
        }
    }

    /// The current level: the residual one with the treatment in place.
    pub fn level(&self) -> Level {
        self.residual.level
    }
}

/// The filters of the risk register.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct RiskFilter {
    pub level: Option<Level>,
    pub status: Option<RiskStatus>,
}

impl RiskFilter {
    pub fn keeps(self, risk: &Risk) -> bool {
        self.level.is_none_or(|level| level == risk.level())
            && self.status.is_none_or(|status| status == risk.status)
    }
}

impl Record for Risk {
    fn kind(&self) -> Kind {
        Kind::Risk
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        for text in [&self.summary, &self.cause, &self.event, &self.effect, &self.indicator] {
            visit(Wording::Both(text));
        }
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
