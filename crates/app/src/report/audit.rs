//! The audit log as a table.

use domain::{
    right::{Resource, Right},
    wording::Language,
};
use reports::csv::ColumnKind;
use store::Reader;

use super::{Content, File, TableFormat, rows::Table};
use crate::{
    Reports, Result,
    audit::Who,
    audit_search::{AuditFilter, AuditItem, Log},
    authz::Caller,
};

const COLUMNS: [(&str, ColumnKind); 9] = [
    ("number", ColumnKind::Number),
    ("at", ColumnKind::Text),
    ("who", ColumnKind::Text),
    ("actor", ColumnKind::Text),
    ("action", ColumnKind::Text),
    ("what", ColumnKind::Text),
    ("record", ColumnKind::Text),
    ("record_name", ColumnKind::Text),
    ("detail", ColumnKind::Text),
];

impl Reports {
    /// Every matching entry, newest first, with times in UTC and the sentences in this language.
    pub async fn audit_file(&self, caller: &Caller, filter: AuditFilter, language: Language) -> Result<File> {
        caller.require_right(Resource::AuditLog, Right::Read)?;
        let work = self.export_work(caller).await?;
        let (scope, held) = (*caller.scope(), work.held());
        let write = move |reader: &mut Reader<'_>| {
            let mut table = Table::new(TableFormat::Csv, "audit-log", &COLUMNS, held.context())?;
            Log::new(reader, scope, &filter, None)?.scan(usize::MAX, |item| {
                table.row(cells(&item, language))?;
                Ok(true)
            })?;
            table.finish()
        };
        let file = self.db.tenant(caller.scope()).read(write).await?;
        Ok(File { name: "audit-log.csv".to_owned(), content: Content::Stored(file) })
    }
}

fn cells(item: &AuditItem, language: Language) -> [String; 9] {
    let entry = &item.row.entry;
    [
        item.row.seq.to_string(),
        entry.at.to_string(),
        name(&item.who),
        entry.actor.clone(),
        entry.action.clone(),
        item.deed(language).unwrap_or_default(),
        entry.subject.clone(),
        item.subject.clone().unwrap_or_default(),
        if entry.detail == "{}" { String::new() } else { entry.detail.clone() },
    ]
}

pub(crate) fn name(who: &Who) -> String {
    match who {
        Who::Person { name, email } => format!("{name} <{email}>"),
        Who::Key { name, prefix } => format!("{name} ({prefix}…)"),
        Who::Operator => "operator".to_owned(),
        Who::System => "system".to_owned(),
        Who::Unknown(id) => id.clone(),
    }
}
