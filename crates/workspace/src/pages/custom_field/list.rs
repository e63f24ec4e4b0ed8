//! Own fields in lists: their filters, and their columns, which the reader chooses.

use app::records::RecordKind;
use domain::custom_field::{CUSTOM, CustomField, CustomValues};
use maud::{Markup, html};

use super::field::{filters, shown};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    ui::{
        filter::{Filter, with},
        table::Column,
    },
};

/// The own fields of the kind that a list shows.
#[derive(Debug)]
pub(in crate::pages) struct OwnColumns {
    fields: Vec<CustomField>,
    /// The names of the columns, such as `custom.region`.
    names: Vec<String>,
}

/// The address with the values of own fields as they are stored, if it has one in another form, such as `12,5`.
pub(in crate::pages) async fn as_stored<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
) -> Result<Option<String>, PageError> {
    let typed = visit.members(CUSTOM);
    if typed.is_empty() || visit.editing.is_some() || visit.said.is_some() {
        return Ok(None);
    }
    let fields = workspace.app.records.fields_of::<K>(visit.caller()).await?;
    let differs = |field: &CustomField| {
        let text = typed.get(&field.key)?.trim();
        let stored = field.of_text(text, None).ok()?.to_string();
        // Another case is the same value.
        (stored.to_lowercase() != text.to_lowercase()).then(|| with(visit, &field.name(), Some(&stored)))
    };
    Ok(fields.iter().find_map(differs))
}

impl OwnColumns {
    pub(in crate::pages) async fn of<K: RecordKind>(
        workspace: &Workspace,
        visit: &Visit,
    ) -> Result<Self, PageError> {
        let fields = workspace.app.records.fields_of::<K>(visit.caller()).await?;
        let names = fields.iter().map(CustomField::name).collect();
        Ok(Self { fields, names })
    }

    pub(in crate::pages) fn filters(&self, view: &View) -> Vec<Filter> {
        filters(view, &self.fields)
    }

    /// The columns, behind those of the kind.
    pub(in crate::pages) fn columns(&self, view: &View) -> impl Iterator<Item = Column<'_>> {
        let language = view.language;
        let pairs = self.fields.iter().zip(&self.names);
        pairs.map(move |(field, name)| Column::text(field.label.text(language)).optional(name))
    }

    /// Their cells.
    pub(in crate::pages) fn cells(&self, view: &View, values: &CustomValues) -> impl Iterator<Item = Markup> {
        let value = |field: &CustomField| values.get(&field.key).map(|value| shown(view, value));
        self.fields.iter().map(move |field| html! { @if let Some(text) = value(field) { (text) } })
    }
}
