//! Evidence: proof for an auditor that a measure is in place.

use domain::vocabulary;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::{Cadence, Role},
};

vocabulary! {
    /// The form of the evidence.
    EvidenceKind {
        Document = "document" ("Document", "Dokument"),
        Record = "record" ("Record", "Aufzeichnung"),
        Report = "report" ("Report", "Bericht"),
        Configuration = "configuration" ("Configuration", "Konfiguration"),
        Log = "log" ("Log", "Protokoll"),
        Contract = "contract" ("Contract", "Vertrag"),
        TestResult = "test-result" ("Test result", "Testergebnis"),
    }
}

#[derive(Debug, Clone)]
pub struct Evidence {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub kind: EvidenceKind,
    pub owner: Role,
    /// A suggestion, not law.
    pub retention_years: u32,
    pub cadence: Cadence,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

impl Evidence {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Evidence),
            title: block.text("title"),
            summary: block.text("summary"),
            kind: block.word("kind"),
            owner: block.word("owner"),
            retention_years: block.number("retention_years", 1..=100),
            cadence: block.word("cadence"),
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }
}

impl Record for Evidence {
    fn kind(&self) -> Kind {
        Kind::Evidence
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
