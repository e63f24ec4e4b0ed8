//! The content of a report, independent of its layout.
//!
//! The model is plain data with builders. It contains finished text: numbers, dates and states are already formatted
//! and translated, because only the caller knows the reader's language and time zone. Fonts, colours and positions
//! belong to the output format.

mod chart;
mod extent;
mod table;

pub use chart::{Bar, BarChart, Threshold};
pub use domain::{tone::Tone, wording::Language};
pub use table::{Align, Cell, Column, ColumnWidth, Table};

use std::sync::Arc;

use crate::logo::Logo;

/// A status or severity as a word with a tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    pub tone: Tone,
    pub text: String,
}

impl Badge {
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self { tone, text: text.into() }
    }
}

/// A fact: its name and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyValue {
    pub key: String,
    pub value: String,
}

impl<K: Into<String>, V: Into<String>> From<(K, V)> for KeyValue {
    fn from((key, value): (K, V)) -> Self {
        Self { key: key.into(), value: value.into() }
    }
}

/// The role of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParagraphStyle {
    Body,
    /// The summary of what follows.
    Lead,
    /// Small print: sources, how a figure was counted.
    Note,
}

/// Headings below a section's title, which is the first level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadingLevel {
    Two,
    Three,
}

/// One block of a section, from top to bottom.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Heading { level: HeadingLevel, text: String },
    Paragraph { style: ParagraphStyle, text: String },
    KeyValues(Vec<KeyValue>),
    Badges(Vec<Badge>),
    Table(Table),
    Chart(BarChart),
    PageBreak,
}

/// A chapter: its title is in the contents, the bookmarks and the first heading level.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub title: String,
    pub blocks: Vec<Block>,
}

impl Section {
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), blocks: Vec::new() }
    }

    #[must_use]
    pub fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    #[must_use]
    pub fn heading(self, text: impl Into<String>) -> Self {
        self.block(Block::Heading { level: HeadingLevel::Two, text: text.into() })
    }

    #[must_use]
    pub fn subheading(self, text: impl Into<String>) -> Self {
        self.block(Block::Heading { level: HeadingLevel::Three, text: text.into() })
    }

    #[must_use]
    pub fn paragraph(self, text: impl Into<String>) -> Self {
        self.styled(ParagraphStyle::Body, text)
    }

    #[must_use]
    pub fn lead(self, text: impl Into<String>) -> Self {
        self.styled(ParagraphStyle::Lead, text)
    }

    #[must_use]
    pub fn note(self, text: impl Into<String>) -> Self {
        self.styled(ParagraphStyle::Note, text)
    }

    #[must_use]
    pub fn key_values<I>(self, pairs: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<KeyValue>,
    {
        self.block(Block::KeyValues(pairs.into_iter().map(Into::into).collect()))
    }

    #[must_use]
    pub fn badges(self, badges: impl IntoIterator<Item = Badge>) -> Self {
        self.block(Block::Badges(badges.into_iter().collect()))
    }

    #[must_use]
    pub fn table(self, table: Table) -> Self {
        self.block(Block::Table(table))
    }

    #[must_use]
    pub fn chart(self, chart: BarChart) -> Self {
        self.block(Block::Chart(chart))
    }

    #[must_use]
    pub fn page_break(self) -> Self {
        self.block(Block::PageBreak)
    }

    fn styled(self, style: ParagraphStyle, text: impl Into<String>) -> Self {
        self.block(Block::Paragraph { style, text: text.into() })
    }
}

/// When a report gets a cover page and a table of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    Always,
    /// A shorter report begins with its title, on the page where its text begins.
    FromThreePages,
}

/// A whole report. A line with an empty text is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub title: String,
    pub subtitle: String,
    /// The owner of the report, on the cover and in the page header.
    pub organisation: String,
    /// The confidentiality class, beside the organisation on every page.
    pub classification: String,
    /// A watermark on every page, for documents that must not be mistaken for something else.
    pub mark: String,
    pub cover: Cover,
    pub language: Language,
    /// When the records were read, in the reader's notation.
    pub generated_at: String,
    /// The filter of the records; shown on every page, because pages may be separated.
    pub filter: String,
    /// More facts for the first page: prepared by, version, number of records.
    pub facts: Vec<KeyValue>,
    /// How many heading levels the contents list, 1 to 3.
    pub contents_depth: u8,
    pub sections: Vec<Section>,
    /// Shown on the cover page.
    pub logo: Option<Arc<Logo>>,
}

impl Document {
    pub fn new(language: Language, title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            subtitle: String::new(),
            organisation: String::new(),
            classification: String::new(),
            mark: String::new(),
            cover: Cover::Always,
            language,
            generated_at: String::new(),
            filter: String::new(),
            facts: Vec::new(),
            contents_depth: 2,
            sections: Vec::new(),
            logo: None,
        }
    }

    #[must_use]
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    #[must_use]
    pub fn organisation(mut self, organisation: impl Into<String>) -> Self {
        self.organisation = organisation.into();
        self
    }

    #[must_use]
    pub fn classification(mut self, classification: impl Into<String>) -> Self {
        self.classification = classification.into();
        self
    }

    #[must_use]
    pub fn mark(mut self, mark: impl Into<String>) -> Self {
        self.mark = mark.into();
        self
    }

    #[must_use]
    pub fn cover(mut self, cover: Cover) -> Self {
        self.cover = cover;
        self
    }

    #[must_use]
    pub fn generated_at(mut self, generated_at: impl Into<String>) -> Self {
        self.generated_at = generated_at.into();
        self
    }

    #[must_use]
    pub fn filter(mut self, filter: impl Into<String>) -> Self {
        self.filter = filter.into();
        self
    }

    #[must_use]
    pub fn fact(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push(KeyValue::from((key, value)));
        self
    }

    #[must_use]
    pub fn contents_depth(mut self, depth: u8) -> Self {
        self.contents_depth = depth;
        self
    }

    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }
}
