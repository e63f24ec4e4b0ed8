//! The reliability of a statement: its source, where it can be read, and when it was last compared.

use domain::{moment::Day, vocabulary, wording::Language};

use crate::{act::Act, block::Block};

vocabulary! {
    /// The kind of source of a statement.
    Grade {
        #[doc = "The act or an official publication itself."]
        Primary = "primary" ("Official text", "Amtlicher Text"),
        #[doc = "Another source's report of it."]
        Secondary = "secondary" ("Secondary source", "Sekundärquelle"),
        #[doc = "Follows from an official text by calculation."]
        Computed = "computed" ("Computed from an official text", "Aus amtlichem Text berechnet"),
    }
}

/// A record's information about its own source. What it leaves out comes from the act it cites.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proof {
    pub url: Option<Box<str>>,
    pub verified_on: Option<Day>,
    pub grade: Option<Grade>,
}

/// The same with the information of the act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proven<'c> {
    pub act: Option<&'c Act>,
    pub url: Option<String>,
    pub verified_on: Option<Day>,
    pub grade: Grade,
}

impl Proof {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            url: block.optional_url("url"),
            verified_on: block.optional_day("verified_on"),
            grade: block.optional_word("grade"),
        }
    }

    /// Applies what the file states for all its records.
    pub(crate) fn inherit(&mut self, verified_on: Option<Day>) {
        self.verified_on = self.verified_on.or(verified_on);
    }

    /// A record that names another source than the act rests on that source.
    pub(crate) fn grade(&self, source: Option<&str>, act: Option<&Act>) -> Grade {
        let inherited = || act.map_or(Grade::Primary, |act| act.grade);
        self.grade.unwrap_or_else(|| if source.is_some() { Grade::Secondary } else { inherited() })
    }

    pub(crate) fn proven<'c>(
        &self,
        source: Option<&str>,
        act: Option<&'c Act>,
        language: Language,
    ) -> Proven<'c> {
        let official = || act.map(|act| act.url(language));
        Proven {
            act,
            url: self.url.as_ref().map(ToString::to_string).or_else(official),
            verified_on: self.verified_on.or_else(|| act?.verified_on),
            grade: self.grade(source, act),
        }
    }
}

impl PartialEq for Act {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Act {}
