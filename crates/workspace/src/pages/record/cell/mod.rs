//! Changing a record in its list: the status, the owner and the day have a form in place of their cell. Without a
//! script the form comes with the list, opened by the address.

mod form;
mod row;

use app::records::RecordRow;
use domain::{field::Field as Named, moment::Day, text::Name, transition::Lifecycle, wording::Label};

pub(crate) use self::{
    form::{CellForm, Entry},
    row::{
        back_to, left_over, left_over_of, may_write, opened, place_asked, plain, router, said, shown_at,
        wrapped,
    },
};
use super::{
    field::{Entry as FormEntry, FormField, Need, all as form_fields},
    form::{RecordForm, address_of, filled, label_of},
};
use crate::{
    extract::{Editing, View, Visit},
    form::Form,
    texts::{common, record as shared},
    ui::field::Choice,
};

/// A column of a list whose cells can be changed in place.
#[derive(Debug)]
pub(crate) struct Cell<K: RecordForm> {
    column: &'static str,
    field: &'static str,
    label: Label,
    change: CellChange<K>,
}

#[derive(Debug)]
enum CellChange<K: RecordForm> {
    /// One of the next states, the present one first.
    Step {
        offered: fn(&Visit, &K) -> Vec<Choice>,
        step: fn(&Form) -> K::Input,
    },
    /// Any of some words.
    Word {
        choices: fn(&View) -> Vec<Choice>,
        value: fn(&K) -> &'static str,
    },
    Person(fn(&K) -> Option<&Name>),
    Day {
        value: fn(&K) -> Option<Day>,
        is_required: bool,
    },
}

impl<K: RecordForm> Copy for Cell<K> {}
impl<K: RecordForm> Copy for CellChange<K> {}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived one asks for a kind whose records can be copied"
)]
impl<K: RecordForm> Clone for Cell<K> {
    fn clone(&self) -> Self {
        *self
    }
}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "a derived one asks for a kind whose records can be copied"
)]
impl<K: RecordForm> Clone for CellChange<K> {
    fn clone(&self) -> Self {
        *self
    }
}

/// The cell of this column.
fn cell_named<K: RecordForm>(column: &str) -> Option<Cell<K>> {
    let own = K::CELLS.iter().copied().find(|cell| cell.column == column);
    own.or_else(|| form_fields::<K>().filter_map(Cell::of_form).find(|cell| cell.column == column))
}

impl<K: RecordForm> Cell<K> {
    /// A field of the form, if a cell changes it.
    fn of_form(asked: &FormField<K>) -> Option<Self> {
        let change = match asked.entry {
            FormEntry::Choice(choices, value) => CellChange::Word { choices, value },
            FormEntry::Person(value) => CellChange::Person(value),
            FormEntry::Day(value) => CellChange::Day { value, is_required: asked.need != Need::Optional },
            _ => return None,
        };
        let Named { name: field, label } = asked.field;
        Some(Self { column: asked.column?, field, label, change })
    }

    pub(crate) const fn step(offered: fn(&Visit, &K) -> Vec<Choice>, step: fn(&Form) -> K::Input) -> Self {
        let change = CellChange::Step { offered, step };
        Self { column: "status", field: "status", label: common::STATUS, change }
    }

    /// What the script's keys call it.
    fn kind(&self) -> &'static str {
        match self.change {
            CellChange::Step { .. } | CellChange::Word { .. } => "status",
            CellChange::Person(_) => "owner",
            CellChange::Day { .. } => "day",
        }
    }

    fn choices(&self, visit: &Visit, record: &K) -> Vec<Choice> {
        match self.change {
            CellChange::Step { offered, .. } => offered(visit, record),
            CellChange::Word { choices, .. } => choices(visit),
            CellChange::Person(_) | CellChange::Day { .. } => Vec::new(),
        }
    }

    /// The value in the form.
    fn value(&self, visit: &Visit, record: &K) -> String {
        match self.change {
            CellChange::Step { offered, .. } => offered(visit, record)
                .into_iter()
                .next()
                .map(|now| now.value.into_owned())
                .unwrap_or_default(),
            CellChange::Word { value, .. } => value(record).to_owned(),
            CellChange::Person(value) => filled(value(record)),
            CellChange::Day { value, .. } => filled(value(record)),
        }
    }

    /// The value as a reader sees it.
    fn shown(&self, visit: &Visit, record: &K) -> String {
        let value = self.value(visit, record);
        let text = if let CellChange::Day { value, .. } = self.change {
            value(record).map(|day| visit.day(day)).unwrap_or_default()
        } else {
            let choices = self.choices(visit, record);
            choices.into_iter().find(|choice| choice.value == value).map_or(value, |choice| choice.text)
        };
        if text.is_empty() { visit.t(shared::NOT_SET).to_owned() } else { text }
    }

    /// Whether there is anything to choose.
    fn is_open(&self, visit: &Visit, record: &K) -> bool {
        match self.change {
            // The first choice is the present one.
            CellChange::Step { offered, .. } => offered(visit, record).len() > 1,
            CellChange::Word { .. } | CellChange::Person(_) | CellChange::Day { .. } => true,
        }
    }

    fn form(&self, visit: &Visit, row: &RecordRow<K>, form: &Form) -> Editing {
        let entry = match self.change {
            CellChange::Step { .. } | CellChange::Word { .. } => {
                Entry::Choices(self.choices(visit, &row.record))
            }
            CellChange::Person(_) => Entry::Person,
            CellChange::Day { is_required, .. } => Entry::Day { is_required },
        };
        let other = |field: &str| label_of::<K>(field).filter(|_| field != self.field);
        let cell = CellForm {
            id: &row.id.to_string(),
            address: &format!("{}/cell", address_of::<K>(row.id)),
            names: (self.column, self.field),
            label: self.label,
            record: &row.record.shown_as(),
            entry,
            has_note: matches!(self.change, CellChange::Step { .. }),
            now: &self.shown(visit, &row.record),
        };
        cell.editing(visit, form, other)
    }
}

/// The present state and the next ones that are offered, for a select.
pub(crate) fn steps<S: Lifecycle>(visit: &Visit, status: S, offered: impl Fn(S) -> bool) -> Vec<Choice> {
    let next = status.moves().iter().map(|step| step.to).filter(|to| offered(*to));
    let all = std::iter::once(status).chain(next);
    all.map(|state| Choice::new(state.as_str(), visit.t(state.label()))).collect()
}
