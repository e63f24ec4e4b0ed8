//! The acts and publications that records cite: where their official text is, since when they apply, and their
//! articles.

use std::{fmt, str::FromStr};

use domain::{moment::Day, wording::Language};

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    proof::Grade,
    record::{Record, Wording},
};

/// A regulation, a directive, a circular, a standard.
#[derive(Debug, Clone)]
pub struct Act {
    pub id: Box<str>,
    pub title: Text,
    /// As citations begin: `Regulation (EU) 2022/2554`.
    pub number: Box<str>,
    /// The part of a citation by which the act is recognised: `2022/2554`.
    pub cited_as: Vec<Box<str>>,
    /// The number of the act in EUR-Lex.
    pub celex: Option<Box<str>>,
    url: Option<Box<str>>,
    pub published: Option<Day>,
    pub in_force: Option<Day>,
    pub applies: Option<Day>,
    /// Acts that amended it since.
    pub amended_by: Vec<Box<str>>,
    pub articles: Option<u32>,
    pub paragraphs: Paragraphs,
    /// The day the records were last compared with the text.
    pub verified_on: Option<Day>,
    pub grade: Grade,
}

/// How many numbered paragraphs an article has, written `5:4 6:10`. An article that is not listed is not checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paragraphs(Vec<(u32, u32)>);

/// The text is no list of articles and paragraphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotParagraphs;

impl fmt::Display for NotParagraphs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must list articles with their number of paragraphs like \"5:4 6:10\"")
    }
}

impl FromStr for Paragraphs {
    type Err = NotParagraphs;

    fn from_str(text: &str) -> Result<Self, NotParagraphs> {
        let one = |part: &str| {
            let (article, paragraphs) = part.split_once(':')?;
            Some((article.parse().ok()?, paragraphs.parse().ok()?))
        };
        text.split_whitespace().map(|part| one(part).ok_or(NotParagraphs)).collect::<Result<_, _>>().map(Self)
    }
}

impl Paragraphs {
    pub fn of(&self, article: u32) -> Option<u32> {
        self.0.iter().find(|(known, _)| *known == article).map(|(_, paragraphs)| *paragraphs)
    }
}

impl Act {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        let act = Self {
            id: block.id(Kind::Act),
            title: block.text("title"),
            number: block.line("number"),
            cited_as: block.parsed_list::<String>("cited_as").into_iter().map(Into::into).collect(),
            celex: block.optional_line("celex"),
            url: block.optional_url("url"),
            published: block.optional_day("published"),
            in_force: block.optional_day("in_force"),
            applies: block.optional_day("applies"),
            amended_by: block.optional_lines("amended_by"),
            articles: block.optional_number("articles", 1..=999),
            paragraphs: block.optional_parsed("paragraphs").unwrap_or_default(),
            verified_on: block.optional_day("verified_on"),
            grade: block.optional_word("grade").unwrap_or(Grade::Primary),
        };
        if act.celex.is_none() && act.url.is_none() {
            block.fault("id", "needs celex or url: where the official text is");
        }
        act
    }

    /// The address of the official text, in the reader's language if it exists in several.
    pub fn url(&self, language: Language) -> String {
        let spoken = match language {
            Language::English => "EN",
            Language::German => "DE",
        };
        match (&self.celex, &self.url) {
            (_, Some(url)) => url.to_string(),
            (Some(celex), None) => {
                format!("https://eur-lex.europa.eu/legal-content/{spoken}/TXT/?uri=CELEX:{celex}")
            }
            (None, None) => String::new(),
        }
    }

    /// The address of the official text in a language by its European Legislation Identifier; `None` for acts that are
    /// not of the European Union.
    pub fn eli(&self, language: Language) -> Option<String> {
        self.celex.as_ref()?;
        let kinds = [
            ("Delegated Regulation", "reg_del"),
            ("Implementing Regulation", "reg_impl"),
            ("Regulation", "reg"),
            ("Directive", "dir"),
        ];
        let (_, kind) = kinds.iter().find(|(name, _)| self.number.starts_with(name))?;
        let number = self.number.rsplit(' ').next().filter(|number| number.contains('/'))?;
        let spoken = match language {
            Language::English => "eng",
            Language::German => "deu",
        };
        Some(format!("https://data.europa.eu/eli/{kind}/{number}/oj/{spoken}"))
    }

    /// What is wrong with a reference to this article and paragraph.
    pub(crate) fn lacks(&self, article: u32, paragraph: Option<u32>) -> Option<String> {
        let last = self.articles?;
        if article == 0 || article > last {
            return Some(format!("Art. {article}; it has {last} articles"));
        }
        let (named, there) = (paragraph?, self.paragraphs.of(article)?);
        (named == 0 || named > there)
            .then(|| format!("Art. {article}({named}); that article has {there} paragraphs"))
    }
}

impl Record for Act {
    fn kind(&self) -> Kind {
        Kind::Act
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn number(&self) -> Option<&str> {
        Some(&self.number)
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::One(&self.number));
    }
}
