//! Measures: what a financial entity does to meet a duty, and which other duties that meets as well.

use domain::vocabulary;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::{Cadence, FrameworkId, Priority, Role},
};

vocabulary! {
    /// The part of DORA a measure serves.
    Pillar {
        IctRiskManagement = "ict-risk-management" ("ICT risk management", "IKT-Risikomanagement"),
        IncidentManagement = "incident-management" ("Incident management", "Vorfallmanagement"),
        ResilienceTesting = "resilience-testing" ("Resilience testing", "Resilienztests"),
        ThirdPartyRisk = "third-party-risk" ("ICT third-party risk", "IKT-Drittparteienrisiko"),
        InformationSharing = "information-sharing" ("Information sharing", "Informationsaustausch"),
    }
}

vocabulary! {
    /// Who states that a measure meets a requirement of another framework.
    Provenance {
        Published = "published" ("Published crosswalk", "Veröffentlichte Zuordnung"),
        Vendor = "vendor" ("A vendor's crosswalk", "Zuordnung eines Anbieters"),
        Own = "own" ("Own judgement", "Eigene Einschätzung"),
    }
}

#[derive(Debug, Clone)]
pub struct Measure {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    /// What to do.
    pub action: Text,
    /// Why.
    pub rationale: Text,
    pub owner: Role,
    pub cadence: Cadence,
    pub priority: Priority,
    pub pillar: Pillar,
    /// The DORA requirements it meets.
    pub requirements: Vec<Box<str>>,
    pub evidence: Vec<Box<str>>,
    pub mappings: Vec<Mapping>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

/// A requirement of another framework that the measure meets as well.
#[derive(Debug, Clone)]
pub struct Mapping {
    pub framework: FrameworkId,
    pub requirement: Box<str>,
    pub provenance: Provenance,
    /// The published crosswalk.
    pub source: Option<Box<str>>,
}

impl Measure {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let measure = Self {
            id: block.id(Kind::Measure),
            title: block.text("title"),
            summary: block.text("summary"),
            action: block.text("action"),
            rationale: block.text("rationale"),
            owner: block.word("owner"),
            cadence: block.word("cadence"),
            priority: block.word("priority"),
            pillar: block.word("pillar"),
            requirements: block.references("requirements", Kind::Requirement),
            evidence: block.references("evidence", Kind::Evidence),
            mappings: block.list("mappings", Mapping::read),
            cite: block.cite(),
            source: block.optional_line("source"),
        };
        if measure.requirements.is_empty() {
            block.fault("requirements", "must name at least one DORA requirement");
        }
        measure
    }

    /// Every requirement the measure meets, in DORA and elsewhere.
    pub fn meets(&self) -> impl Iterator<Item = &str> {
        let mapped = self.mappings.iter().map(|mapping| &*mapping.requirement);
        self.requirements.iter().map(|requirement| &**requirement).chain(mapped)
    }
}

impl Mapping {
    fn read(block: &mut Block<'_, '_>) -> Self {
        let mapping = Self {
            framework: block.framework("framework"),
            requirement: block.reference("requirement", Kind::Requirement),
            provenance: block.word("provenance"),
            source: block.optional_line("source"),
        };
        if mapping.provenance != Provenance::Own && mapping.source.is_none() {
            block.fault("provenance", "needs a source that names the crosswalk");
        }
        if mapping.framework == FrameworkId::DORA {
            block.fault("framework", "must not be dora; DORA requirements go into requirements");
        }
        mapping
    }
}

impl Record for Measure {
    fn kind(&self) -> Kind {
        Kind::Measure
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        for text in [&self.summary, &self.action, &self.rationale] {
            visit(Wording::Both(text));
        }
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
