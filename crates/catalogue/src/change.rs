//! What changed: corrigenda and amendments of acts, and corrections of the catalogue's own records.
//!
//! An assessment that was made before a change of its requirement is to be confirmed again.

use domain::{moment::Day, vocabulary};

use crate::{
    Catalogue,
    block::Block,
    kind::Kind,
    language::Text,
    proof::Proof,
    record::{Record, Wording},
};

vocabulary! {
    /// What kind of change it is.
    ChangeKind {
        #[doc = "The publisher corrected the text of the act."]
        Corrigendum = "corrigendum" ("Corrigendum", "Berichtigung"),
        #[doc = "The legislator or the supervisor changed the text."]
        Amendment = "amendment" ("Amendment", "Änderung"),
        #[doc = "The act stayed the same; the catalogue describes it better."]
        Correction = "correction" ("Correction of the catalogue", "Korrektur des Katalogs"),
    }
}

/// A change, on the day the catalogue took it in.
#[derive(Debug, Clone)]
pub struct Change {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub kind: ChangeKind,
    pub date: Day,
    /// The day of the official publication.
    pub published: Option<Day>,
    pub requirements: Vec<ChangedRequirement>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
    pub proof: Proof,
}

/// A requirement that a change touched.
#[derive(Debug, Clone)]
pub struct ChangedRequirement {
    pub requirement: Box<str>,
    /// Its summary before, if that changed.
    pub was: Option<Text>,
}

impl Change {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let change = Self {
            id: block.id(Kind::Change),
            title: block.text("title"),
            summary: block.text("summary"),
            kind: block.word("kind"),
            date: block.day("date"),
            published: block.optional_day("published"),
            requirements: block.list("requirements", |block| ChangedRequirement {
                requirement: block.reference("requirement", Kind::Requirement),
                was: block.optional_text("was"),
            }),
            cite: block.cite(),
            source: block.optional_line("source"),
            proof: Proof::read(block),
        };
        if change.published.is_some_and(|published| published > change.date) {
            block.fault("published", "must not be after date, the day the catalogue took the change in");
        }
        change
    }
}

impl Catalogue {
    /// The changes of a requirement, newest first.
    pub fn changes_of(&self, requirement: &str) -> impl Iterator<Item = &Change> {
        let touches = move |change: &&Change| {
            change.requirements.iter().any(|touched| &*touched.requirement == requirement)
        };
        self.changes.iter().filter(touches)
    }
}

impl Record for Change {
    fn kind(&self) -> Kind {
        Kind::Change
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
