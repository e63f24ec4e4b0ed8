//! Own fields in forms, filters and tables: one place for each type of field.

use domain::{
    custom_field::{CUSTOM, CustomField, CustomInput, CustomValue, CustomValues, FieldType, SentValue},
    format,
    moment::Day,
    text::Name,
    violation::Complaint,
    wording::Language,
};
use maud::{Markup, html};

use crate::{
    extract::View,
    form::Form,
    texts::{common, custom_field as texts},
    ui::{
        field::{complained, described_by, people},
        filter::Filter,
    },
};

/// The longest text of a field in a form.
const LONGEST_TEXT: usize = 500;

/// The values of own fields in a form that was sent.
pub(in crate::pages) fn sent(form: &Form) -> CustomInput {
    let mut input = CustomInput::default();
    for (name, value) in form.pairs() {
        if let Some(key) = name.strip_prefix(CUSTOM).and_then(|rest| rest.strip_prefix('.')) {
            input.set(key, SentValue::Typed(value.to_owned()));
        }
    }
    input
}

/// The values of a record as those of a form.
pub(in crate::pages) fn filled(values: &CustomValues, language: Language) -> Form {
    let pairs: Vec<_> = values
        .iter()
        .map(|(key, value)| {
            let text = match (value, language) {
                (CustomValue::Number(number), Language::German) => number.to_string().replace('.', ","),
                _ => value.to_string(),
            };
            (format!("{CUSTOM}.{key}"), text)
        })
        .collect();
    Form::filled(pairs.iter().map(|(name, text)| (name.as_str(), text.clone())))
}

/// A value as the reader reads it.
pub(in crate::pages) fn shown(view: &View, value: &CustomValue) -> String {
    match value {
        CustomValue::Flag(flag) => view.t(if *flag { common::YES } else { common::NO }).to_owned(),
        CustomValue::Number(number) => match view.language {
            Language::English => number.to_string(),
            Language::German => number.to_string().replace('.', ","),
        },
        CustomValue::Text(text) => match text.parse::<Day>() {
            Ok(day) => format::day(view.language, day),
            Err(_) => text.clone(),
        },
    }
}

/// The label of a field by its name, such as `custom.region`.
pub(in crate::pages) fn name_of<'f>(view: &View, fields: &'f [CustomField], name: &str) -> Option<&'f str> {
    let field = fields.iter().find(|field| field.name() == name)?;
    Some(field.label.text(view.language))
}

/// The fields of a form.
pub(super) fn inputs(view: &View, form: &Form, fields: &[CustomField]) -> Markup {
    html! { @for field in fields.iter().filter(|field| !field.is_archived()) { (input(view, form, field)) } }
}

fn input(view: &View, form: &Form, field: &CustomField) -> Markup {
    let name = field.name();
    let complaints = form.complaints(&name);
    let value = form.value(&name);
    html! {
        div.field {
            label for=(name) { (field.label.text(view.language)) }
            @match field.field_type {
                FieldType::Choice => {
                    (select(&name, view.t(texts::NOT_SET), &choices(field, value), value, complaints))
                }
                FieldType::Flag => (select(&name, view.t(texts::NOT_SET), &flags(view), value, complaints)),
                field_type => (line(&name, field_type, value, complaints)),
            }
            (complained(view, &name, complaints))
        }
    }
}

fn line(name: &str, field_type: FieldType, value: &str, complaints: &[Complaint]) -> Markup {
    let (kind, length) = match field_type {
        FieldType::Day => ("date", None),
        FieldType::Person => ("text", Some(Name::MAX)),
        _ => ("text", Some(LONGEST_TEXT)),
    };
    let is_person = field_type == FieldType::Person;
    html! {
        input id=(name) type=(kind) name=(name) value=(value) maxlength=[length]
            inputmode=[(field_type == FieldType::Number).then_some("decimal")]
            list=[is_person.then(|| format!("{name}-people"))]
            aria-invalid=[(!complaints.is_empty()).then_some("true")]
            aria-describedby=[described_by(name, false, complaints)];
        @if is_person { (people(name)) }
    }
}

/// The choices, with the one that a record has although it was taken away.
fn choices(field: &CustomField, value: &str) -> Vec<(String, String)> {
    let gone = Some(value.to_owned()).filter(|value| !value.is_empty() && !field.choices.contains(value));
    field.choices.iter().cloned().chain(gone).map(|choice| (choice.clone(), choice)).collect()
}

fn flags(view: &View) -> Vec<(String, String)> {
    [("true", common::YES), ("false", common::NO)]
        .map(|(value, label)| (value.to_owned(), view.t(label).to_owned()))
        .to_vec()
}

fn select(
    name: &str,
    none: &str,
    choices: &[(String, String)],
    value: &str,
    complaints: &[Complaint],
) -> Markup {
    html! {
        select id=(name) name=(name) aria-describedby=[described_by(name, false, complaints)] {
            option value="" { (none) }
            @for (choice, text) in choices { option value=(choice) selected[choice == value] { (text) } }
        }
    }
}

/// One filter for each field.
pub(in crate::pages) fn filters(view: &View, fields: &[CustomField]) -> Vec<Filter> {
    let live = fields.iter().filter(|field| !field.is_archived());
    live.map(|field| filter(view, field)).collect()
}

fn filter(view: &View, field: &CustomField) -> Filter {
    let name = field.name();
    let value = view.query(&name).unwrap_or_default();
    let any = view.t(texts::ANY);
    let input = match field.field_type {
        FieldType::Choice => select(&name, any, &choices(field, &value), &value, &[]),
        FieldType::Flag => select(&name, any, &flags(view), &value, &[]),
        field_type => line(&name, field_type, &value, &[]),
    };
    let label = field.label.text(view.language);
    let chosen = (!value.trim().is_empty())
        .then(|| field.of_text(&value, None).map_or(value.clone(), |read| shown(view, &read)));
    let content = html! { div.field { label for=(name) { (label) } (input) } };
    Filter::named(&name, label.to_owned(), chosen, content)
}
