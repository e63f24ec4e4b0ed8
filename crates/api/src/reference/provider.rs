use app::catalogue::{Edition, provider as source, record::Shelf};
use domain::{moment::Day, wording::Language};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Reference, optional};

/// An ICT provider that the European supervisors have designated as critical.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DesignatedProvider)]
pub(crate) struct Provider {
    id: String,
    /// The name in the official list.
    name: String,
    title: String,
    #[schema(value_type = String, format = Date)]
    listed_on: Day,
    citation: String,
    source: Option<String>,
}

impl Reference for Provider {
    type Source = source::Provider;

    const NAME: &'static str = "providers";

    fn shelf(edition: &Edition) -> &Shelf<source::Provider> {
        &edition.providers
    }

    fn new(provider: &source::Provider, _: &Edition, language: Language) -> Self {
        Self {
            id: provider.id.to_string(),
            name: provider.name.to_string(),
            title: provider.title.get(language).to_owned(),
            listed_on: provider.listed_on,
            citation: provider.cite.to_string(),
            source: optional(provider.source.as_deref()),
        }
    }
}
