//! The picker of records: text fields with suggestions by reference and title, which the browser offers by mouse and by
//! keyboard. Without a script the newest records are suggested; with one, those that contain what was typed.

use domain::wording::Label;
use maud::{Markup, html};

use super::field::{complained, described_by, hinted};
use crate::{extract::View, form::Form};

/// The number of empty fields for further records.
const SPARE: usize = 2;

/// A field of a form that takes one record or several.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picker<'p> {
    pub(crate) name: &'p str,
    pub(crate) label: Label,
    pub(crate) hint: Label,
    /// Whether it takes several records.
    pub(crate) several: bool,
    pub(crate) required: bool,
    /// The newest records, as they are named.
    pub(crate) newest: &'p [String],
    /// Where a script asks for others.
    pub(crate) source: &'p str,
}

impl Picker<'_> {
    pub(crate) fn render(&self, view: &View, form: &Form) -> Markup {
        let Self { name, .. } = *self;
        let complaints = form.complaints(name);
        let filled = form.all(name).flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
        let mut values: Vec<_> = filled.collect();
        let spare = if self.several { SPARE } else { usize::from(values.is_empty()) };
        values.extend(std::iter::repeat_n("", spare));
        let (list, described) = (format!("{name}-records"), described_by(name, true, complaints));
        html! {
            fieldset.field.suggested aria-describedby=[described] {
                legend.is-required[self.required] { (view.t(self.label)) }
                @for (number, value) in values.iter().enumerate() {
                    input id={ (name) @if number > 0 { "-" (number + 1) } } name=(name) type="text" value=(value)
                        list=(list) autocomplete="off" spellcheck="false" required[self.required && number == 0]
                        aria-label={ (view.t(self.label)) @if self.several { " " (number + 1) } }
                        aria-invalid=[(!complaints.is_empty()).then_some("true")];
                }
                datalist id=(list) data-records=(self.source) {
                    @for record in self.newest { option value=(record) {} }
                }
                (hinted(view, name, Some(self.hint)))
                (complained(view, name, complaints))
            }
        }
    }
}
