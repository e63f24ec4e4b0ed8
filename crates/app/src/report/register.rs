//! What changed in the register of information since a filing, as a table: one row for each cell that differs.

use domain::{
    id::RegisterFilingId,
    register::filing::difference::{DifferencePart, RowDifference, each_difference},
    register_filing::RegisterFilingComplaint,
    wording::Language,
};
use reports::csv::ColumnKind::{self, Text};

use super::{Content, File, TableFormat, rows::Table};
use crate::{Error, Reports, Result, authz::Caller, costly::WorkContext, register::filing::Compared};

const NAME: &str = "register-changes";

const COLUMNS: [(&str, ColumnKind); 7] = [
    ("template", Text),
    ("change", Text),
    ("key", Text),
    ("column", Text),
    ("title", Text),
    ("before", Text),
    ("after", Text),
];

impl Reports {
    /// The newest filing, which changes are compared with by default.
    pub async fn newest_register_filing(&self, caller: &Caller) -> Result<RegisterFilingId> {
        let (newest, _) = self.third_parties.register_filing_glance(caller).await?;
        let newest = newest.ok_or_else(|| Error::invalid("since", RegisterFilingComplaint::NoFiling))?;
        Ok(newest.id)
    }

    /// Every cell that differs between a filing and another one, or the current register.
    pub async fn register_changes_file(
        &self,
        caller: &Caller,
        from: RegisterFilingId,
        to: Option<RegisterFilingId>,
        part: DifferencePart,
        (format, language): (TableFormat, Language),
    ) -> Result<File> {
        let work = self.export_work(caller).await?;
        let Compared { before, after } = self.third_parties.compared(caller, from, to).await?;
        let write = move |context: &WorkContext| {
            let mut table = Table::new(format, NAME, &COLUMNS, context)?;
            each_difference(&before.sheets(context)?, &after.sheets(context)?, part, |row| {
                rows(&row, language).try_for_each(|cells| table.row(cells))
            })?;
            table.finish()
        };
        let file = work.run(write).await?;
        Ok(File { name: format!("{NAME}.{}", format.suffix()), content: Content::Stored(file) })
    }
}

fn rows(row: &RowDifference, language: Language) -> impl Iterator<Item = [String; COLUMNS.len()]> {
    let key: Vec<_> = row.key.iter().map(|(_, text)| text.as_str()).collect();
    let (key, template) = (key.join(" / "), row.template);
    row.cells.iter().map(move |cell| {
        let code = cell.column.to_string();
        let column = template.position(&code).and_then(|position| template.columns().get(position));
        let title = column.map(|column| column.label().text(language).to_owned());
        [
            template.id().to_owned(),
            row.kind.to_string(),
            key.clone(),
            code,
            title.unwrap_or_default(),
            cell.before.clone(),
            cell.after.clone(),
        ]
    })
}
