//! Measures as a table for spreadsheets.

use std::io;

use catalogue::measure::Measure;
use domain::wording::Language;
use reports::csv::{
    ColumnKind::{self, Text},
    Writer,
};

use crate::{Error, Result, catalogue::Edition};

const COLUMNS: [(&str, ColumnKind); 15] = [
    ("id", Text),
    ("title", Text),
    ("summary", Text),
    ("action", Text),
    ("rationale", Text),
    ("owner", Text),
    ("cadence", Text),
    ("priority", Text),
    ("pillar", Text),
    ("articles", Text),
    ("requirements", Text),
    ("evidence", Text),
    ("mappings", Text),
    ("citation", Text),
    ("source", Text),
];

/// Separates several values in one cell. Spreadsheets split at commas, semicolons and tabs, never here.
const BETWEEN: &str = " | ";

/// The id of the measure with this title in either language.
pub fn named(edition: &Edition, title: &str) -> Option<String> {
    let is_title =
        |measure: &&Measure| Language::ALL.iter().any(|language| measure.title.get(*language) == title);
    edition.measures.iter().find(is_title).map(|measure| measure.id.to_string())
}

/// Writes every measure as CSV, row by row.
pub fn write_csv(edition: &Edition, language: Language, to: impl io::Write) -> Result<()> {
    let mut table = Writer::new(to, &COLUMNS).map_err(Error::internal)?;
    for measure in &edition.measures {
        table.row(cells(measure, edition, language)).map_err(Error::internal)?;
    }
    table.finish().map_err(Error::internal)?.flush().map_err(Error::internal)
}

fn cells(measure: &Measure, edition: &Edition, language: Language) -> [String; COLUMNS.len()] {
    let joined = |ids: &[Box<str>]| ids.join(BETWEEN);
    let articles = measure.requirements.iter().filter_map(|id| edition.requirements.get(id));
    let mapping =
        |mapping: &catalogue::measure::Mapping| format!("{} ({})", mapping.requirement, mapping.provenance);
    [
        measure.id.to_string(),
        measure.title.get(language).to_owned(),
        measure.summary.get(language).to_owned(),
        measure.action.get(language).to_owned(),
        measure.rationale.get(language).to_owned(),
        measure.owner.to_string(),
        measure.cadence.to_string(),
        measure.priority.to_string(),
        measure.pillar.to_string(),
        articles.map(|requirement| &*requirement.number).collect::<Vec<_>>().join(BETWEEN),
        joined(&measure.requirements),
        joined(&measure.evidence),
        measure.mappings.iter().map(mapping).collect::<Vec<_>>().join(BETWEEN),
        measure.cite.to_string(),
        measure.source.as_deref().unwrap_or_default().to_owned(),
    ]
}
