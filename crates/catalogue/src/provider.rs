//! The critical ICT providers designated by the European supervisors: the only real companies in the catalogue.

use domain::moment::Day;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
};

#[derive(Debug, Clone)]
pub struct Provider {
    pub id: Box<str>,
    /// As printed in the official list.
    pub name: Box<str>,
    pub title: Text,
    pub listed_on: Day,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
}

impl Provider {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Provider),
            name: block.line("name"),
            title: block.text("title"),
            listed_on: block.day("listed_on"),
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }
}

impl Record for Provider {
    fn kind(&self) -> Kind {
        Kind::Provider
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::One(&self.name));
        Wording::of_source(&self.cite, self.source.as_deref(), visit);
    }
}
