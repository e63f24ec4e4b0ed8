//! ICT risks and the matrix that turns likelihood and impact into a level. A level is never typed in.

use domain::vocabulary;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::Role,
};

vocabulary! {
    /// How grave a risk is, gravest first.
    Level {
        Critical = "critical" ("Critical", "Kritisch"),
        High = "high" ("High", "Hoch"),
        Medium = "medium" ("Medium", "Mittel"),
        Low = "low" ("Low", "Niedrig"),
    }
}

vocabulary! {
    /// What is going on about a risk.
    RiskStatus {
        Open = "open" ("Open", "Offen"),
        Mitigating = "mitigating" ("Being mitigated", "In Behandlung"),
        Accepted = "accepted" ("Accepted", "Akzeptiert"),
        Closed = "closed" ("Closed", "Geschlossen"),
    }
}

vocabulary! {
    /// How a risk is answered.
    Treatment {
        Reduce = "reduce" ("Reduce", "Vermindern"),
        Accept = "accept" ("Accept", "Akzeptieren"),
        Transfer = "transfer" ("Transfer", "Übertragen"),
        Avoid = "avoid" ("Avoid", "Vermeiden"),
    }
}

vocabulary! {
    /// Where a risk comes from.
    CategoryId {
        CyberAttack = "cyber-attack" ("Cyberattack", "Cyberangriff"),
        ThirdParty = "third-party" ("Third parties", "Drittparteien"),
        Availability = "availability" ("Availability", "Verfügbarkeit"),
        DataIntegrity = "data-integrity" ("Data integrity", "Datenintegrität"),
        Change = "change" ("Change", "Änderung"),
        People = "people" ("People", "Personal"),
        Physical = "physical" ("Physical", "Physisch"),
        Governance = "governance" ("Governance", "Governance"),
        Legacy = "legacy" ("Legacy", "Alttechnik"),
        Compliance = "compliance" ("Compliance", "Konformität"),
    }
}

/// A risk category with the title it is shown by.
#[derive(Debug, Clone)]
pub struct Category {
    pub id: CategoryId,
    pub title: Text,
}

/// How likely and how bad, from 1 to 5 each, and the level that follows from the matrix.
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

/// The 5 × 5 matrix: what the steps mean, and the level of each cell.
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

    /// The level that counts today: what remains with the treatment in place.
    pub fn level(&self) -> Level {
        self.residual.level
    }
}

/// What a caller narrows the risk register down to.
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
        visit(Wording::Both(&self.summary));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
