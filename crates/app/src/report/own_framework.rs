//! The institution's own frameworks as a table.

use domain::{
    own_framework::OwnFramework as Record,
    page::Reading,
    text::{Name, Prose},
};
use reports::csv::ColumnKind::{self, Number, Text};

use super::{File, TableFormat};
use crate::{
    App, Result,
    authz::Caller,
    own_framework::{OwnFrameworkFilter, OwnFrameworkRow},
};

const COLUMNS: [(&str, ColumnKind); 11] = [
    ("id", Text),
    ("key", Text),
    ("title", Text),
    ("edition", Text),
    ("status", Text),
    ("owner", Text),
    ("requirements", Number),
    ("content", Number),
    ("in_force", Number),
    ("approved_at", Text),
    ("description", Text),
];

impl App {
    /// The frameworks a page with these filters lists.
    pub async fn own_frameworks_file(
        &self,
        caller: &Caller,
        filter: &OwnFrameworkFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Record>(caller, filter, reading);
        Ok(self.table(caller, "own-frameworks", format, COLUMNS, load, cells).await?.named_as_of(reading))
    }
}

fn cells(row: &OwnFrameworkRow) -> [String; COLUMNS.len()] {
    let record = &row.record;
    let name = |name: Option<&Name>| name.map(ToString::to_string).unwrap_or_default();
    [
        row.id.to_string(),
        record.key.to_string(),
        record.title.to_string(),
        name(record.edition.as_ref()),
        record.status.to_string(),
        name(record.owner.as_ref()),
        record.requirements.to_string(),
        record.content.to_string(),
        record.in_force.as_ref().map(|held| held.content.to_string()).unwrap_or_default(),
        record.approved.as_ref().map(|signed| signed.at.to_string()).unwrap_or_default(),
        record.description.as_ref().map(Prose::to_string).unwrap_or_default(),
    ]
}
