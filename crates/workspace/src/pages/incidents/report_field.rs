//! One field of a report: how it is entered, how it is displayed, and its notes.

use app::incident::{Entry, ReportField};
use domain::{
    incident::{
        Met, Regime,
        report::{Field as FormField, Kind, Obligation, Origin},
    },
    moment::Moment,
    time_zone::TimeZone,
    wording::{Label, Language},
};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::{
    extract::View,
    form::Form,
    texts::{common, incident as texts},
    ui::{
        badge::{Tone, badge},
        field::{self, Choice, Field},
    },
};

/// The name of the field in the form.
pub(super) fn input(regime: Regime, each: &ReportField) -> String {
    format!("report_values.{}", each.key(regime))
}

fn before(regime: Regime, each: &ReportField) -> String {
    format!("was.{}", each.key(regime))
}

fn kind(each: &ReportField) -> Kind {
    match each.entry {
        Entry::Form(form) => form.kind,
        Entry::Point(_) => Kind::Text,
    }
}

/// The value as the form shows it.
fn shown(view: &View, each: &ReportField) -> Vec<String> {
    match (kind(each), &each.value) {
        (_, Value::Null) => Vec::new(),
        (_, Value::Bool(flag)) => vec![flag.to_string()],
        (_, Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        (Kind::Moment, Value::String(text)) => {
            let at: Option<Moment> = text.parse().ok();
            at.map(|at| TimeZone::utc().field(at)).into_iter().collect()
        }
        (_, Value::Number(number)) => {
            let number = number.to_string();
            vec![if view.language == Language::German { number.replace('.', ",") } else { number }]
        }
        (_, Value::String(text)) => vec![text.clone()],
        (_, value @ Value::Object(_)) => vec![value.to_string()],
    }
}

/// The fields with their values, now and when the form was rendered.
pub(super) fn filled(view: &View, regime: Regime, fields: &[ReportField]) -> Form {
    let mut pairs = Vec::new();
    for each in fields {
        let values = shown(view, each);
        pairs.push((before(regime, each), values.join("\n")));
        pairs.extend(values.into_iter().map(|value| (input(regime, each), value)));
    }
    Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

/// The changed values as domain input; a cleared field is `null`.
pub(super) fn change(view: &View, form: &mut Form, regime: Regime, each: &ReportField) -> Option<Value> {
    let name = input(regime, each);
    let was = before(regime, each);
    let entered: Vec<String> = form
        .all(&name)
        .map(|text| text.trim().replace("\r\n", "\n"))
        .filter(|text| !text.is_empty())
        .collect();
    let is_sent = form.is_checked(&was) && (kind(each) == Kind::Choices || form.is_checked(&name));
    if !is_sent || entered.join("\n") == form.value(&was).replace("\r\n", "\n") {
        return None;
    }
    let Some(first) = entered.first() else { return Some(Value::Null) };
    match kind(each) {
        Kind::Choices => Some(json!(entered)),
        Kind::Moment => match TimeZone::utc().read(first) {
            Ok(at) => Some(json!(at)),
            Err(error) => {
                form.complain(&name, error);
                None
            }
        },
        Kind::Money | Kind::Percent | Kind::Integer => Some(json!(plain_number(view, first))),
        _ => Some(json!(first)),
    }
}

/// A number in the user's notation, converted to the notation of programs.
fn plain_number(view: &View, text: &str) -> String {
    let text = text.replace([' ', '\u{a0}'], "");
    match view.language {
        Language::German => text.replace('.', "").replace(',', "."),
        Language::English => text.replace(',', ""),
    }
}

/// The field with its number, its obligation and the source of its value.
pub(super) fn entry(view: &View, form: &Form, regime: Regime, each: &ReportField) -> Markup {
    let (name, was) = (input(regime, each), before(regime, each));
    html! {
        div.stack.report-field {
            (about(view, each))
            input type="hidden" name=(was) value=(form.value(&was));
            (control(view, form, &name, each))
        }
    }
}

/// The notes beside a field.
pub(super) fn about(view: &View, each: &ReportField) -> Markup {
    let origin = each.origin.and_then(|origin| match origin {
        Origin::Entered => None,
        Origin::Derived => Some(texts::FROM_FACTS),
        Origin::Carried => Some(texts::FROM_BEFORE),
    });
    let article = match each.entry {
        Entry::Form(_) => each.field,
        Entry::Point(point) => point.article,
    };
    html! {
        div.row {
            span.hint.cite { (view.citation(article)) }
            @if each.obligation != Obligation::No { span.hint { (view.t(each.obligation.label())) } }
            @if each.missing { (badge(Tone::Critical, view.t(texts::MISSING))) }
            @if each.obligation == Obligation::If && each.applies == Met::Unknown {
                span.hint { (view.t(texts::MAY_APPLY)) }
            }
            @if let Some(origin) = origin { span.hint { (view.t(origin)) } }
            @if each.corrected { (badge(Tone::Notice, view.t(texts::CORRECTED))) }
        }
    }
}

fn control(view: &View, form: &Form, name: &str, each: &ReportField) -> Markup {
    let label: Label = each.name;
    match each.entry {
        Entry::Point(_) => field::area(view, form, name, label, None),
        Entry::Form(asked) => match asked.kind {
            Kind::Text => field::area(view, form, name, label, None),
            Kind::Choice => {
                let mut choices = vec![Choice::new("", "–")];
                choices.extend(answers(view, asked));
                field::select(view, form, name, label, &choices)
            }
            Kind::Choices => field::choices(view, form, name, label, true, &answers(view, asked)),
            Kind::Boolean => {
                let choices = [
                    Choice::new("", "–"),
                    Choice::new("true", view.t(common::YES)),
                    Choice::new("false", view.t(common::NO)),
                ];
                field::select(view, form, name, label, &choices)
            }
            kind => Field::text(view, form, name, label).hint(kind.label()).optional().render(),
        },
    }
}

fn answers(view: &View, asked: &FormField) -> Vec<Choice> {
    asked.choices().map(|choice| Choice::new(choice.code, view.t(choice.label))).collect()
}

/// A read-only value.
pub(super) fn said(view: &View, each: &ReportField) -> Markup {
    let label_of = |code: &str| match each.entry {
        Entry::Form(asked) => {
            let choice = asked.choices().find(|choice| choice.code == code);
            choice.map_or_else(|| code.to_owned(), |choice| view.t(choice.label).to_owned())
        }
        Entry::Point(_) => code.to_owned(),
    };
    let text = match &each.value {
        Value::Bool(flag) => view.t(if *flag { common::YES } else { common::NO }).to_owned(),
        Value::String(text) => label_of(text),
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).map(label_of).collect::<Vec<_>>().join(", ")
        }
        _ => shown(view, each).join(", "),
    };
    view.or_none((!text.is_empty()).then_some(text))
}
