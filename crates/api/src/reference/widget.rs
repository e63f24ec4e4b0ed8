use app::catalogue::{
    Edition,
    record::Shelf,
    vocabulary::Role,
    widget::{self as source, WidgetKind, WidgetSize},
};
use domain::wording::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::Reference;
use crate::schema::word;

/// A dashboard widget.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DashboardWidget)]
pub(crate) struct Widget {
    id: String,
    title: String,
    summary: String,
    #[schema(value_type = word::WidgetKind)]
    kind: WidgetKind,
    /// The path of its data.
    #[schema(example = "/api/v2/risk-register")]
    source: String,
    #[schema(value_type = word::WidgetSize)]
    size: WidgetSize,
    /// The roles it is intended for.
    #[schema(value_type = Vec<word::Role>)]
    roles: Vec<Role>,
    citation: String,
}

impl Reference for Widget {
    type Source = source::Widget;

    const NAME: &'static str = "widgets";

    fn shelf(edition: &Edition) -> &Shelf<source::Widget> {
        &edition.widgets
    }

    fn new(widget: &source::Widget, _: &Edition, language: Language) -> Self {
        Self {
            id: widget.id.to_string(),
            title: widget.title.get(language).to_owned(),
            summary: widget.summary.get(language).to_owned(),
            kind: widget.kind,
            source: widget.source.to_string(),
            size: widget.size,
            roles: widget.roles.clone(),
            citation: widget.cite.to_string(),
        }
    }
}
