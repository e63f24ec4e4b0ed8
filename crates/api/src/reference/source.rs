use app::catalogue::{Edition, act::Act, proof::Grade, record::Shelf};
use domain::{moment::Day, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional, owned};
use crate::schema::word;

/// An act or a publication that records cite, with the address of its official text.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LegalSource)]
pub(crate) struct LegalSource {
    #[schema(example = "dora")]
    id: String,
    title: String,
    /// As citations begin.
    #[schema(example = "Regulation (EU) 2022/2554")]
    number: String,
    /// The number in EUR-Lex.
    #[schema(example = "32022R2554")]
    celex: Option<String>,
    /// The official text, or where the issuer publishes.
    url: String,
    #[schema(value_type = Option<String>, format = Date)]
    published: Option<Day>,
    #[schema(value_type = Option<String>, format = Date)]
    in_force: Option<Day>,
    /// The day from which it applies, if that is another day.
    #[schema(value_type = Option<String>, format = Date)]
    applies: Option<Day>,
    amended_by: Vec<String>,
    /// The number of articles.
    articles: Option<u32>,
    /// The day the records were last compared with it.
    #[schema(value_type = Option<String>, format = Date)]
    verified_on: Option<Day>,
    #[schema(value_type = word::Grade)]
    grade: Grade,
}

impl Reference for LegalSource {
    type Source = Act;

    const NAME: &'static str = "sources";

    fn shelf(edition: &Edition) -> &Shelf<Act> {
        &edition.acts
    }

    fn new(act: &Act, _: &Edition, language: Language) -> Self {
        Self {
            id: act.id.to_string(),
            title: act.title.get(language).to_owned(),
            number: act.number.to_string(),
            celex: optional(act.celex.as_deref()),
            url: act.url(language),
            published: act.published,
            in_force: act.in_force,
            applies: act.applies,
            amended_by: owned(&act.amended_by),
            articles: act.articles,
            verified_on: act.verified_on,
            grade: act.grade,
        }
    }
}
