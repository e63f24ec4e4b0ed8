//! The fields of forms: label, value, hint and violation, connected for screen readers.

use std::borrow::Cow;

use domain::{moment::Moment, text::Name, violation::Complaint, vocabulary::Vocabulary, wording::Label};
use maud::{Markup, html};

use crate::{extract::View, form::Form, route, texts::common};

/// The browser's field type for a time without a zone.
const LOCAL_TIME: &str = "datetime-local";

/// One field of a form.
#[derive(Debug)]
pub(crate) struct Field<'f> {
    view: &'f View,
    form: &'f Form,
    name: &'f str,
    label: Label,
    hint: Option<Label>,
    required: bool,
    kind: &'static str,
    autocomplete: Option<&'static str>,
    length: Option<usize>,
    range: Option<(i64, i64)>,
    /// Secrets are never sent back to the browser.
    keeps_value: bool,
    focused: bool,
    /// The id of the list of suggestions.
    suggested_by: Option<&'static str>,
}

impl<'f> Field<'f> {
    pub(crate) fn text(view: &'f View, form: &'f Form, name: &'f str, label: Label) -> Self {
        Self {
            view,
            form,
            name,
            label,
            hint: None,
            required: true,
            kind: "text",
            autocomplete: None,
            length: None,
            range: None,
            keeps_value: true,
            focused: false,
            suggested_by: None,
        }
    }

    pub(crate) fn email(view: &'f View, form: &'f Form, name: &'f str, label: Label) -> Self {
        Self { kind: "email", ..Self::text(view, form, name, label) }
    }

    pub(crate) fn password(view: &'f View, form: &'f Form, name: &'f str, label: Label) -> Self {
        Self { kind: "password", keeps_value: false, ..Self::text(view, form, name, label) }
    }

    pub(crate) fn day(view: &'f View, form: &'f Form, name: &'f str, label: Label) -> Self {
        Self { kind: "date", ..Self::text(view, form, name, label) }
    }

    /// A point in time to the minute, in the reader's time zone, which is shown beside it.
    pub(crate) fn moment(view: &'f View, form: &'f Form, name: &'f str, label: Label) -> Self {
        Self { kind: LOCAL_TIME, ..Self::text(view, form, name, label) }
    }

    pub(crate) fn number(
        view: &'f View,
        form: &'f Form,
        name: &'f str,
        label: Label,
        range: (i64, i64),
    ) -> Self {
        Self { kind: "number", range: Some(range), ..Self::text(view, form, name, label) }
    }

    /// A user of the institution, suggested by a script, or any other name.
    pub(crate) fn person(view: &'f View, form: &'f Form, name: &'f str, label: Label) -> Self {
        Self { suggested_by: Some(route::PEOPLE), required: false, ..Self::text(view, form, name, label) }
            .at_most(Name::MAX)
    }

    pub(crate) fn hint(self, hint: Label) -> Self {
        Self { hint: Some(hint), ..self }
    }

    pub(crate) fn optional(self) -> Self {
        Self { required: false, ..self }
    }

    pub(crate) fn autocomplete(self, purpose: &'static str) -> Self {
        Self { autocomplete: Some(purpose), ..self }
    }

    pub(crate) fn at_most(self, characters: usize) -> Self {
        Self { length: Some(characters), ..self }
    }

    pub(crate) fn focused(self) -> Self {
        Self { focused: true, ..self }
    }

    pub(crate) fn render(&self) -> Markup {
        let Self { view, form, name, .. } = *self;
        let id = name;
        let complaints = form.complaints(name);
        let value = if self.keeps_value { form.value(name) } else { "" };
        html! {
            div.field {
                label.is-required[self.required] for=(id) {
                    (view.t(self.label))
                    @if self.kind == LOCAL_TIME { span.zone { " (" (view.zone.as_str()) ")" } }
                }
                input id=(id) name=(name) type=(self.kind) value=(value)
                    required[self.required] autocomplete=[self.autocomplete] maxlength=[self.length]
                    min=[self.range.map(|(min, _)| min)] max=[self.range.map(|(_, max)| max)]
                    autofocus[self.focused] list=[self.suggested_by.map(|_| people_list(id))]
                    aria-invalid=[(!complaints.is_empty()).then_some("true")]
                    aria-describedby=[described_by(id, self.hint.is_some(), complaints)];
                @if let Some(source) = self.suggested_by { (suggestions(id, source)) }
                (hinted(view, id, self.hint))
                (complained(view, id, complaints))
            }
        }
    }
}

/// What the mark of required fields means, once above the fields of a form.
pub(crate) fn required_key(view: &View) -> Markup {
    html! { p.hint.required-key { (view.t(common::REQUIRED_KEY)) } }
}

/// The help of a field, in the line below it.
pub(super) fn hinted(view: &View, id: &str, hint: Option<Label>) -> Markup {
    html! { @if let Some(hint) = hint { p.hint id={ (id) "-hint" } { (view.t(hint)) } } }
}

/// Fields of a form that belong together, under a heading.
pub(crate) fn section(view: &View, title: Label, fields: &Markup) -> Markup {
    html! { section.form-section { h2.part { (view.t(title)) } (fields) } }
}

fn people_list(id: &str) -> String {
    format!("{id}-people")
}

/// The users of the institution, as suggestions for the field with this id. A script loads them when needed.
pub(crate) fn people(id: &str) -> Markup {
    suggestions(id, route::PEOPLE)
}

fn suggestions(id: &str, source: &str) -> Markup {
    html! { datalist id=(people_list(id)) data-people=(source) {} }
}

pub(crate) fn described_by(id: &str, hinted: bool, complaints: &[Complaint]) -> Option<String> {
    let mut ids = Vec::new();
    if hinted {
        ids.push(format!("{id}-hint"));
    }
    if !complaints.is_empty() {
        ids.push(format!("{id}-wrong"));
    }
    (!ids.is_empty()).then(|| ids.join(" "))
}

pub(crate) fn complained(view: &View, id: &str, complaints: &[Complaint]) -> Markup {
    html! {
        @if !complaints.is_empty() {
            p.wrong id={ (id) "-wrong" } {
                @for complaint in complaints { (view.complaint(complaint)) " " }
            }
        }
    }
}

/// A moment as the value of a browser's field.
pub(crate) fn moment_value(view: &View, at: Option<Moment>) -> String {
    at.map(|at| view.zone.field(at)).unwrap_or_default()
}

/// One of several choices.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) value: Cow<'static, str>,
    pub(crate) text: String,
    pub(crate) help: Option<Cow<'static, str>>,
}

impl Choice {
    pub(crate) fn new(value: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { value: value.into(), text: text.into(), help: None }
    }

    pub(crate) fn help(self, help: impl Into<Cow<'static, str>>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// Every word of a vocabulary to choose from.
pub(crate) fn words<T: Vocabulary>(view: &View) -> Vec<Choice> {
    T::ALL.iter().map(|word| Choice::new(word.as_str(), view.t(word.label()))).collect()
}

/// A group of boxes or of radio buttons under one legend.
pub(crate) fn choices(
    view: &View,
    form: &Form,
    name: &str,
    label: Label,
    several: bool,
    choices: &[Choice],
) -> Markup {
    let complaints = form.complaints(name);
    let kind = if several { "checkbox" } else { "radio" };
    html! {
        fieldset.choices aria-describedby=[described_by(name, false, complaints)] {
            legend { (view.t(label)) }
            @for choice in choices {
                @let id = format!("{name}-{}", choice.value);
                div.choice {
                    input id=(id) type=(kind) name=(name) value=(choice.value)
                        checked[form.has(name, &choice.value)];
                    label for=(id) {
                        (choice.text)
                        @if let Some(help) = &choice.help { span.hint { (help) } }
                    }
                }
            }
            (complained(view, name, complaints))
        }
    }
}

/// One choice from a drop-down list.
pub(crate) fn select(view: &View, form: &Form, name: &str, label: Label, choices: &[Choice]) -> Markup {
    let complaints = form.complaints(name);
    html! {
        div.field {
            label for=(name) { (view.t(label)) }
            select id=(name) name=(name) aria-describedby=[described_by(name, false, complaints)] {
                @for choice in choices {
                    option value=(choice.value) selected[form.value(name) == choice.value] { (choice.text) }
                }
            }
            (complained(view, name, complaints))
        }
    }
}

/// One choice from a drop-down list in groups; empty groups are left out.
pub(crate) fn grouped_select(
    view: &View,
    form: &Form,
    name: &str,
    label: Label,
    none: &Choice,
    groups: &[(&str, Vec<Choice>)],
) -> Markup {
    let complaints = form.complaints(name);
    let option = |choice: &Choice| {
        html! { option value=(choice.value) selected[form.value(name) == choice.value] { (choice.text) } }
    };
    html! {
        div.field {
            label for=(name) { (view.t(label)) }
            select id=(name) name=(name) aria-describedby=[described_by(name, false, complaints)] {
                (option(none))
                @for (group, choices) in groups {
                    @if !choices.is_empty() {
                        optgroup label=(group) { @for choice in choices { (option(choice)) } }
                    }
                }
            }
            (complained(view, name, complaints))
        }
    }
}

/// Running text, or a list with one item per line.
pub(crate) fn area(view: &View, form: &Form, name: &str, label: Label, hint: Option<Label>) -> Markup {
    area_of(view, form, name, label, hint, false)
}

fn area_of(
    view: &View,
    form: &Form,
    name: &str,
    label: Label,
    hint: Option<Label>,
    required: bool,
) -> Markup {
    let complaints = form.complaints(name);
    html! {
        div.field.area {
            label.is-required[required] for=(name) { (view.t(label)) }
            textarea id=(name) name=(name) rows="5" required[required]
                aria-invalid=[(!complaints.is_empty()).then_some("true")]
                aria-describedby=[described_by(name, hint.is_some(), complaints)] {
                "\n" (form.value(name))
            }
            (hinted(view, name, hint))
            (complained(view, name, complaints))
        }
    }
}

/// A single check box.
pub(crate) fn switch(view: &View, form: &Form, name: &str, label: Label, help: Option<Label>) -> Markup {
    html! {
        div.choice.switch {
            input id=(name) type="checkbox" name=(name) value="1" checked[form.is_checked(name)];
            label for=(name) {
                (view.t(label))
                @if let Some(help) = help { span.hint { (view.t(help)) } }
            }
        }
    }
}

/// Running text that must not be empty.
pub(crate) fn required_area(
    view: &View,
    form: &Form,
    name: &str,
    label: Label,
    hint: Option<Label>,
) -> Markup {
    area_of(view, form, name, label, hint, true)
}

/// The number of empty fields for further values.
const SPARE: usize = 3;

/// Several values of one line each, with suggestions that are searched by name and text. Other values can be typed
/// too.
pub(crate) fn suggested(
    view: &View,
    form: &Form,
    name: &str,
    label: Label,
    hint: Option<Label>,
    suggestions: &[Choice],
) -> Markup {
    let complaints = form.complaints(name);
    let filled = form.all(name).flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let values: Vec<_> = filled.chain([""; SPARE]).collect();
    let (list, described) = (format!("{name}-suggestions"), described_by(name, hint.is_some(), complaints));
    html! {
        fieldset.field.suggested aria-describedby=[described] {
            legend { (view.t(label)) }
            @for (number, value) in values.iter().enumerate() {
                input id={ (name) @if number > 0 { "-" (number + 1) } } name=(name) type="text" value=(value)
                    list=(list) autocomplete="off" aria-label={ (view.t(label)) " " (number + 1) }
                    aria-invalid=[(!complaints.is_empty()).then_some("true")];
            }
            datalist id=(list) {
                @for suggestion in suggestions { option value=(suggestion.value) { (suggestion.text) } }
            }
            (hinted(view, name, hint))
            (complained(view, name, complaints))
        }
    }
}
