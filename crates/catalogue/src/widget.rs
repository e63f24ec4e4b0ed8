//! Widgets of a dashboard.

use domain::vocabulary;

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::Role,
};

vocabulary! {
    /// How a widget draws its numbers.
    WidgetKind {
        Gauge = "gauge" ("Gauge", "Messuhr"),
        List = "list" ("List", "Liste"),
        Bar = "bar" ("Bar chart", "Balkendiagramm"),
        Line = "line" ("Line chart", "Liniendiagramm"),
        Matrix = "matrix" ("Matrix", "Matrix"),
        Counter = "counter" ("Counter", "Zähler"),
    }
}

vocabulary! {
    /// The size of a widget.
    WidgetSize {
        Small = "small" ("Small", "Klein"),
        Medium = "medium" ("Medium", "Mittel"),
        Large = "large" ("Large", "Groß"),
    }
}

#[derive(Debug, Clone)]
pub struct Widget {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub kind: WidgetKind,
    /// The API path of its data.
    pub source: Box<str>,
    pub size: WidgetSize,
    pub roles: Vec<Role>,
    pub cite: Box<str>,
}

impl Widget {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let widget = Self {
            id: block.id(Kind::Widget),
            title: block.text("title"),
            summary: block.text("summary"),
            kind: block.word("kind"),
            source: block.line("source"),
            size: block.word("size"),
            roles: block.words("roles"),
            cite: block.cite(),
        };
        if !widget.source.is_empty() && !widget.source.starts_with("/api/") {
            block.fault("source", "must be a path that starts with /api/");
        }
        widget
    }
}

impl Record for Widget {
    fn kind(&self) -> Kind {
        Kind::Widget
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(&self.source));
        visit(Wording::One(&self.cite));
    }
}
