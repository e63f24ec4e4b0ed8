//! Provider archetypes, scored in five dimensions. They are patterns, never real companies.

use domain::{
    vocabulary,
    {arrangement::ServiceType, rounding::Hundredths},
};

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
};

vocabulary! {
    /// What depends on a provider of this kind.
    Criticality {
        Critical = "critical" ("Critical", "Kritisch"),
        Important = "important" ("Important", "Wichtig"),
        Standard = "standard" ("Standard", "Standard"),
    }
}

vocabulary! {
    /// The dimensions of a provider's score.
    DimensionId {
        Security = "security" ("Security", "Sicherheit"),
        Resilience = "resilience" ("Resilience", "Resilienz"),
        Compliance = "compliance" ("Compliance", "Konformität"),
        Concentration = "concentration" ("Concentration", "Konzentration"),
        Exit = "exit" ("Exit readiness", "Ausstiegsfähigkeit"),
    }
}

/// A dimension with its meaning and weight.
#[derive(Debug, Clone)]
pub struct Dimension {
    pub id: DimensionId,
    pub title: Text,
    pub summary: Text,
    /// Per cent; the five add up to 100.
    pub weight: u32,
    pub cite: Box<str>,
}

/// A score from 0 to 100 in each dimension, in the order of [`DimensionId`]. High is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scores([u32; Scores::COUNT]);

#[derive(Debug, Clone)]
pub struct Vendor {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub criticality: Criticality,
    pub service_types: Vec<ServiceType>,
    pub scores: Scores,
    /// The scores weighted by dimension, from 0 to 100.
    pub overall: Hundredths,
    pub strengths: Vec<Text>,
    pub weaknesses: Vec<Text>,
    pub measures: Vec<Box<str>>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

impl Dimension {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        block.id(Kind::Dimension);
        Self {
            id: block.word("id"),
            title: block.text("title"),
            summary: block.text("summary"),
            weight: block.number("weight", 1..=100),
            cite: block.cite(),
        }
    }
}

impl Scores {
    pub const COUNT: usize = 5;

    fn read(block: &mut Block<'_, '_>) -> Self {
        let fields = ["security", "resilience", "compliance", "concentration", "exit"];
        Self(fields.map(|field| block.number(field, 0..=100)))
    }

    pub fn get(&self, dimension: DimensionId) -> u32 {
        self.0[dimension as usize]
    }

    fn weighted(&self, dimensions: &[Dimension]) -> Hundredths {
        let sum: u32 = dimensions.iter().map(|d| self.get(d.id) * d.weight).sum();
        // Weights are per cent, so the sum is already in hundredths.
        Hundredths::new(i64::from(sum))
    }
}

impl Vendor {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Vendor),
            title: block.text("title"),
            summary: block.text("summary"),
            criticality: block.word("criticality"),
            service_types: block.parsed_list("service_types"),
            scores: block.table("scores", Scores::read).unwrap_or(Scores([0; Scores::COUNT])),
            overall: Hundredths::default(),
            strengths: block.texts("strengths"),
            weaknesses: block.texts("weaknesses"),
            measures: block.references("measures", Kind::Measure),
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }

    pub(crate) fn weigh(&mut self, dimensions: &[Dimension]) {
        self.overall = self.scores.weighted(dimensions);
    }
}

/// The filters of the scorecard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct VendorFilter {
    pub criticality: Option<Criticality>,
    /// The overall score must be at least this.
    pub min_score: Option<u8>,
}

impl VendorFilter {
    pub fn keeps(self, vendor: &Vendor) -> bool {
        let enough = |least| vendor.overall >= Hundredths::new(i64::from(least) * 100);
        self.criticality.is_none_or(|criticality| criticality == vendor.criticality)
            && self.min_score.is_none_or(enough)
    }
}

impl Record for Dimension {
    fn kind(&self) -> Kind {
        Kind::Dimension
    }

    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(&self.cite));
    }
}

impl Record for Vendor {
    fn kind(&self) -> Kind {
        Kind::Vendor
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        for text in self.strengths.iter().chain(&self.weaknesses) {
            visit(Wording::Both(text));
        }
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
