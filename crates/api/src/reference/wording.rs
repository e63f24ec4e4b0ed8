use app::catalogue::{Edition, framework as source, wording::OfficialWording};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference as _, Requirement};

/// A requirement with its official wording.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WordedRequirement {
    #[serde(flatten)]
    requirement: Requirement,
    /// The official text of the provision in the languages at hand.
    wording: Vec<Wording>,
    /// Why there is none; null if there is one.
    wording_missing: Option<String>,
}

/// The official text of a provision in one language.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Wording {
    #[schema(example = "en")]
    language: &'static str,
    /// The text; `[…]` marks what is left out between opening words and a point.
    text: String,
    /// The act, as `/api/sources` lists it.
    #[schema(example = "dora")]
    act: String,
    /// The print that the text follows.
    #[schema(example = "OJ L 333, 27.12.2022, p. 1")]
    version: String,
    /// Article, paragraph and point.
    #[schema(example = "Art. 9(4)(c)")]
    at: String,
    /// Of the text in UTF-8.
    sha256: String,
    /// What is to be known about the text, such as a corrigendum that touches it.
    note: Option<String>,
}

impl WordedRequirement {
    pub(crate) fn new(requirement: &source::Requirement, edition: &Edition, language: Language) -> Self {
        let found = edition.official_wording(requirement);
        let missing = edition.why_no_wording(requirement).filter(|_| found.is_empty());
        Self {
            wording_missing: missing.map(|reason| reason.get(language).to_owned()),
            wording: found.into_iter().map(|one| Wording::new(one, language)).collect(),
            requirement: Requirement::new(requirement, edition, language),
        }
    }
}

impl Wording {
    fn new(wording: OfficialWording<'_>, language: Language) -> Self {
        Self {
            language: wording.language.as_str(),
            text: wording.text,
            act: wording.act.id.to_string(),
            version: wording.version,
            at: wording.at,
            sha256: wording.sha256,
            note: wording.note.map(|note| note.get(language).to_owned()),
        }
    }
}
