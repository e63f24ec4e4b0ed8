//! What the pages know of a kind of record. What depends on the kind of a record is found in the table of kinds: by an id,
//! by the name of a table, or by an address.

use app::records::RecordKind;
use domain::wording::Label;

use super::{
    PAGE_KINDS,
    record::{
        form::{RecordForm, label_of},
        list::RecordList,
    },
    samples::{self, Draw},
    search::Found,
};

/// A kind of record that has pages.
#[derive(Debug)]
pub(crate) struct PageKind {
    /// The name of its table.
    pub(crate) table: &'static str,
    /// The address of its list; the pages of its records are below it.
    pub(crate) address: &'static str,
    /// How the search shows its records; `None` if it does not find them.
    pub(super) found: Option<Found>,
    /// How a sample is drawn from its list.
    pub(super) draw: Option<Draw>,
    /// Whether its list can be shown as of a day.
    pub(crate) shows_the_past: bool,
    found_as: Option<&'static str>,
    is_id: fn(&str) -> bool,
    form_label: Option<fn(&str) -> Option<Label>>,
}

impl PageKind {
    /// A kind without a form.
    pub(super) const fn page<K: RecordKind>(address: &'static str, found: Option<Found>) -> Self {
        Self {
            table: K::TABLE.name,
            address,
            found,
            draw: None,
            shows_the_past: true,
            found_as: K::FOUND,
            is_id: |text| text.parse::<K::Id>().is_ok(),
            form_label: None,
        }
    }

    /// A kind whose list is its own.
    pub(super) const fn form<K: RecordForm>(found: Option<Found>) -> Self {
        Self { form_label: Some(label_of::<K>), ..Self::page::<K>(K::ADDRESS, found) }
    }

    /// A kind whose list is like that of most kinds.
    pub(super) const fn list<K: RecordList>(found: Option<Found>) -> Self {
        Self { draw: Some(samples::from_list::<K>), ..Self::form::<K>(found) }
    }

    pub(super) const fn drawn(self, draw: Draw) -> Self {
        Self { draw: Some(draw), ..self }
    }

    pub(super) const fn without_past(self) -> Self {
        Self { shows_the_past: false, ..self }
    }

    /// The kind whose list has this address.
    pub(crate) fn at(address: &str) -> Option<&'static Self> {
        PAGE_KINDS.iter().find(|kind| kind.address == address)
    }

    /// The kind whose list offers samples at this address.
    pub(crate) fn sampled_at(address: &str) -> Option<&'static Self> {
        Self::at(address).filter(|kind| kind.draw.is_some())
    }

    /// The kind whose table has this name.
    pub(crate) fn of_table(table: &str) -> Option<&'static Self> {
        PAGE_KINDS.iter().find(|kind| kind.table == table)
    }

    /// The kind with this name in the results of the search.
    pub(super) fn found_as(word: &str) -> Option<&'static Self> {
        PAGE_KINDS.iter().find(|kind| kind.found_as == Some(word))
    }

    /// The kind of the record with this id.
    pub(super) fn of_id(id: &str) -> Option<&'static Self> {
        PAGE_KINDS.iter().find(|kind| (kind.is_id)(id))
    }

    pub(super) fn has_form(&self) -> bool {
        self.form_label.is_some()
    }

    fn form_label(&self, field: &str) -> Option<Label> {
        self.form_label.and_then(|label| label(field))
    }
}

/// The label of a field in the form of a record, by the id of the record.
pub(super) fn form_label(record: &str, field: &str) -> Option<Label> {
    PageKind::of_id(record)?.form_label(field)
}

/// The label of a field in the first form that has it.
pub(super) fn any_form_label(field: &str) -> Option<Label> {
    PAGE_KINDS.iter().find_map(|kind| kind.form_label(field))
}

#[cfg(test)]
mod tests {
    use app::records::KINDS;
    use domain::noun::NOUNS;

    use super::*;

    #[test]
    fn every_kind_has_pages_and_is_shown_where_it_is_found() {
        for kind in KINDS.iter().filter(|kind| kind.table != "provider_reviews") {
            let page = PageKind::of_table(kind.table);
            assert!(page.is_some(), "{} is not in PAGE_KINDS", kind.table);
            assert_eq!(page.is_some_and(|page| page.found.is_some()), kind.found.is_some(), "{}", kind.table);
        }
    }

    /// Messages about deadlines link to these pages.
    #[test]
    fn every_announced_kind_has_its_page_where_messages_link_to() {
        for noun in NOUNS.iter().filter(|noun| noun.due.is_some()) {
            let kind = KINDS.iter().find(|kind| kind.noun == noun.word);
            let page = kind.and_then(|kind| PageKind::of_table(kind.table));
            assert_eq!(page.map(|page| page.address), Some(&*format!("/workspace/{}", noun.page())));
        }
    }
}
