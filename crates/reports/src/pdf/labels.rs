//! The few texts that the renderer adds itself, in the language of the report.

use crate::document::Language;

#[derive(Debug, Clone, Copy)]
pub(super) struct Labels(pub(super) Language);

impl Labels {
    fn pick(self, en: &'static str, de: &'static str) -> &'static str {
        match self.0 {
            Language::English => en,
            Language::German => de,
        }
    }

    /// The language tag of the file.
    pub(super) fn tag(self) -> &'static str {
        self.pick("en-GB", "de-DE")
    }

    /// Replaces a missing title, which a tagged file must have.
    pub(super) fn untitled(self) -> &'static str {
        self.pick("Report", "Bericht")
    }

    pub(super) fn contents(self) -> &'static str {
        self.pick("Contents", "Inhalt")
    }

    pub(super) fn generated(self) -> &'static str {
        self.pick("Generated", "Erstellt")
    }

    pub(super) fn filter(self) -> &'static str {
        self.pick("Filter", "Filter")
    }

    pub(super) fn no_entries(self) -> &'static str {
        self.pick("No entries", "Keine Einträge")
    }

    pub(super) fn page(self, number: usize, total: usize) -> String {
        match self.0 {
            Language::English => format!("Page {number} of {total}"),
            Language::German => format!("Seite {number} von {total}"),
        }
    }

    /// The text of a line of the contents for screen readers.
    pub(super) fn link(self, title: &str, page: usize) -> String {
        match self.0 {
            Language::English => format!("{title}, page {page}"),
            Language::German => format!("{title}, Seite {page}"),
        }
    }

    pub(super) fn bar_chart(self) -> &'static str {
        self.pick("Bar chart", "Balkendiagramm")
    }
}
