//! The institution's own frameworks as a table.

use domain::{
    own_framework::{OwnFramework, OwnFrameworkInput, OwnFrameworkStatus},
    page::Reading,
};

use super::{
    File, TableFormat,
    column::{RecordColumn, TableColumn, cell, cells, columns, of},
};
use crate::{
    Reports, Result,
    authz::Caller,
    own_framework::{OwnFrameworkFilter, OwnFrameworkRow},
    records::{Exchanged, Given},
};

const COLUMNS: &[RecordColumn<OwnFrameworkRow>] = &[
    (TableColumn::id(), |row| row.id.to_string()),
    (of::text(OwnFramework::KEY), |row| row.record.key.to_string()),
    (of::text(OwnFramework::TITLE), |row| row.record.title.to_string()),
    (of::text(OwnFramework::EDITION), |row| cell(row.record.edition.as_ref())),
    (of::word::<OwnFrameworkStatus>(OwnFramework::STATUS), |row| row.record.status.to_string()),
    (of::text(OwnFramework::OWNER), |row| cell(row.record.owner.as_ref())),
    (of::number(OwnFramework::REQUIREMENTS).unread(), |row| row.record.requirements.to_string()),
    (of::number(OwnFramework::CONTENT).unread(), |row| row.record.content.to_string()),
    (of::number(OwnFramework::IN_FORCE).unread(), |row| {
        cell(row.record.in_force.as_ref().map(|held| held.content))
    }),
    (of::moment(OwnFramework::APPROVED_AT).unread(), |row| {
        cell(row.record.approved.as_ref().map(|signed| signed.at))
    }),
    (of::text(OwnFramework::DESCRIPTION), |row| cell(row.record.description.as_ref())),
];

impl Reports {
    /// The frameworks a page with these filters lists.
    pub async fn own_frameworks_file(
        &self,
        caller: &Caller,
        filter: &OwnFrameworkFilter,
        reading: Reading,
        format: TableFormat,
    ) -> Result<File> {
        let load = self.records.record_pages_as_of::<OwnFramework>(caller, filter, reading);
        Ok(self
            .record_file::<OwnFramework>(caller, "own-frameworks", format, COLUMNS, load)
            .await?
            .named_as_of(reading))
    }
}

impl Exchanged for OwnFramework {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(row: &OwnFrameworkRow) -> Vec<String> {
        cells(COLUMNS, row)
    }

    fn input(given: &Given) -> Self::Input {
        OwnFrameworkInput {
            key: given.text("key"),
            title: given.text("title"),
            edition: given.text("edition"),
            status: given.text("status"),
            owner: given.text("owner"),
            description: given.text("description"),
            ..OwnFrameworkInput::default()
        }
    }
}
