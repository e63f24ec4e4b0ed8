//! The gap checklist of a framework as a table to fill in elsewhere.

use domain::{framework::Framework, wording::Language};
use reports::csv::{
    ColumnKind::{self, Text},
    Writer,
};

use super::{Content, File};
use crate::{Error, Reports, Result};

const COLUMNS: [(&str, ColumnKind); 9] = [
    ("chapter", Text),
    ("requirement", Text),
    ("title", Text),
    ("question", Text),
    ("target", Text),
    ("typical_gap", Text),
    ("priority", Text),
    ("effort", Text),
    ("measures", Text),
];

impl Reports {
    /// Every question of the catalogue's checklist for this framework, in the reader's language.
    pub fn gaps_file(&self, framework: Framework, language: Language) -> Result<File> {
        let edition = self.catalogue()?;
        let of = |gap: &&catalogue::gap::Gap| gap.framework == framework;
        let rows: Vec<[String; 9]> = edition
            .gaps
            .iter()
            .filter(of)
            .map(|gap| {
                let requirement = edition.requirements.get(&gap.requirement);
                let section = requirement.and_then(|requirement| edition.sections.get(&requirement.section));
                let measures = gap.measures.iter().filter_map(|id| edition.measures.get(id));
                let measures: Vec<_> = measures.map(|measure| measure.title.get(language)).collect();
                let text = |text: &catalogue::language::Text| text.get(language).to_owned();
                [
                    section.map(|section| text(&section.title)).unwrap_or_default(),
                    requirement.map(|requirement| requirement.number.to_string()).unwrap_or_default(),
                    text(&gap.title),
                    text(&gap.question),
                    text(&gap.target),
                    text(&gap.typical_gap),
                    gap.priority.label().text(language).to_owned(),
                    gap.effort.label().text(language).to_owned(),
                    measures.join("; "),
                ]
            })
            .collect();
        if rows.is_empty() {
            return Err(Error::NotFound);
        }
        let mut table = Writer::new(Vec::new(), &COLUMNS).map_err(Error::internal)?;
        rows.into_iter().try_for_each(|row| table.row(row)).map_err(Error::internal)?;
        let bytes = table.finish().map_err(Error::internal)?;
        Ok(File { name: format!("gap-checklist-{framework}.csv"), content: Content::Bytes(bytes.into()) })
    }
}
