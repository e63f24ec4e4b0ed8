//! The institution's own frameworks as a table.

use domain::{
    own_framework::{OwnFramework, OwnFrameworkInput, OwnFrameworkStatus},
    page::Reading,
    text::{Name, Prose},
};

use super::{
    File, TableFormat,
    column::TableColumn,
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    own_framework::{OwnFrameworkChange, OwnFrameworkFilter, OwnFrameworkRow},
    records::{Exchanged, Given},
};

const COLUMNS: [TableColumn; 11] = [
    TableColumn::id(),
    TableColumn::text("key", word("Key", "Schlüssel")),
    TableColumn::text("title", words::TITLE),
    TableColumn::text("edition", word("Edition", "Ausgabe")),
    TableColumn::word::<OwnFrameworkStatus>("status", words::STATUS),
    TableColumn::text("owner", words::OWNER),
    TableColumn::number("requirements", words::REQUIREMENTS).unread(),
    TableColumn::number("content", word("State of the content", "Stand des Inhalts")).unread(),
    TableColumn::number("in_force", word("State in force", "Geltender Stand")).unread(),
    TableColumn::moment("approved_at", word("Approved", "Genehmigt")).unread(),
    TableColumn::text("description", words::DESCRIPTION),
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
        let load = self.record_pages_as_of::<OwnFramework>(caller, filter, reading);
        Ok(self
            .record_table::<OwnFramework, _>(caller, "own-frameworks", format, COLUMNS, load, cells)
            .await?
            .named_as_of(reading))
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

impl Exchanged for OwnFramework {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
    }

    fn input(given: &Given) -> Self::Input {
        OwnFrameworkChange::Fields(Box::new(OwnFrameworkInput {
            key: given.text("key"),
            title: given.text("title"),
            edition: given.text("edition"),
            status: given.text("status"),
            owner: given.text("owner"),
            description: given.text("description"),
            ..OwnFrameworkInput::default()
        }))
    }
}
