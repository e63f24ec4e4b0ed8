//! Filters that take several values: a box for each, and a parameter of the address for each that is chosen.

use std::str::FromStr;

use domain::{
    any_of::{AnyOf, UNSET},
    moment::Day,
    vocabulary::Vocabulary,
    wording::Label,
};
use maud::{Markup, html};

use super::{Chosen, Filter, FilterLabel, with_each};
use crate::{
    extract::View,
    texts::record as texts,
    ui::field::{self, Choice, people},
};

/// The same with one value less of a filter that takes several.
pub(super) fn without_value(view: &View, name: &str, value: &str) -> String {
    let rest: Vec<_> = wanted_words(view, name).into_iter().filter(|other| other != value).collect();
    with_each(view, name, rest.iter().map(String::as_str))
}

/// The values of a filter in the address: the parameter is there once for each.
fn wanted_words(view: &View, name: &str) -> Vec<String> {
    let values = view.queries(name).into_iter().map(|value| value.trim().to_owned());
    values.filter(|value| !value.is_empty()).collect()
}

/// The words of a filter that takes several; unknown ones are ignored.
pub(crate) fn any<T: Vocabulary>(view: &View, name: &str) -> AnyOf<T> {
    AnyOf::new(view.queries(name).iter().filter_map(|text| T::find(text)))
}

/// The same for a field that need not be set.
pub(crate) fn any_or_unset<T: Vocabulary>(view: &View, name: &str) -> AnyOf<T> {
    any(view, name).or_unset(asks_unset(view, name))
}

/// The records of a filter that takes several; what is no id is ignored.
pub(crate) fn any_id<T: FromStr + PartialEq>(view: &View, name: &str) -> AnyOf<T> {
    let known = view.queries(name).into_iter().filter_map(|text| text.parse().ok()).collect::<Vec<_>>();
    AnyOf::new(known).or_unset(asks_unset(view, name))
}

/// The day of a filter by what is before it, and whether records without a day are wanted.
pub(crate) fn any_day(view: &View, name: &str) -> AnyOf<Day> {
    any_id(view, name)
}

fn asks_unset(view: &View, name: &str) -> bool {
    view.queries(name).iter().any(|text| text == UNSET)
}

/// The choice of records in which the field is not set.
fn unset(view: &View) -> Choice {
    Choice::new(UNSET, view.t(texts::WITHOUT))
}

/// The people of a filter that takes several.
pub(crate) fn any_name(view: &View, name: &str) -> AnyOf<String> {
    AnyOf::names(view.queries(name))
}

/// One filter: everything, or any of the chosen words.
pub(crate) fn any_words<T: Vocabulary>(view: &View, name: &str, label: Label) -> Filter {
    any_choice(view, name, label, &field::words::<T>(view))
}

/// The same for a field that need not be set.
pub(crate) fn any_words_or_unset<T: Vocabulary>(view: &View, name: &str, label: Label) -> Filter {
    any_choice_or_unset(view, name, label, &field::words::<T>(view))
}

/// One filter: everything, any of the choices, or records without one.
pub(crate) fn any_choice_or_unset(view: &View, name: &str, label: Label, choices: &[Choice]) -> Filter {
    let choices: Vec<_> = choices.iter().cloned().chain([unset(view)]).collect();
    any_choice(view, name, label, &choices)
}

/// One filter: every day, those before one, or records without a day.
pub(crate) fn before(view: &View, name: &str, label: Label) -> Filter {
    let wanted = any_day(view, name);
    let (day, unset) = (wanted.values().iter().max(), unset(view));
    let chosen = [
        day.map(|day| Chosen { text: view.day(*day), one_of_several: Some(day.to_string()) }),
        wanted.asks_unset().then(|| of_choice(&unset)),
    ];
    let id = format!("{name}-filter");
    let field = html! {
        fieldset.choices {
            legend { (view.t(label)) }
            input id=(id) type="date" name=(name) value=[day] aria-label=(view.t(label));
            (box_of(name, &unset, wanted.asks_unset()))
        }
    };
    Filter {
        name: name.to_owned(),
        label: FilterLabel::Text(label),
        chosen: chosen.into_iter().flatten().collect(),
        field,
    }
}

fn of_choice(choice: &Choice) -> Chosen {
    Chosen { text: choice.text.clone(), one_of_several: Some(choice.value.to_string()) }
}

/// The same for other choices.
pub(crate) fn any_choice(view: &View, name: &str, label: Label, choices: &[Choice]) -> Filter {
    any_choice_or(view, name, label, None, choices)
}

/// The same with a hint that says what the list shows without a choice.
pub(crate) fn any_choice_or(
    view: &View,
    name: &str,
    label: Label,
    hint: Option<Label>,
    choices: &[Choice],
) -> Filter {
    let wanted = wanted_words(view, name);
    let is_wanted = |choice: &&Choice| wanted.iter().any(|value| *value == choice.value);
    let chosen = choices.iter().filter(is_wanted).map(of_choice);
    let boxes = html! { @for choice in choices { (box_of(name, choice, is_wanted(&choice))) } };
    let field = html! {
        fieldset.choices {
            legend { (view.t(label)) }
            @if let Some(hint) = hint { p.hint { (view.t(hint)) } }
            (boxes)
        }
    };
    Filter { name: name.to_owned(), label: FilterLabel::Text(label), chosen: chosen.collect(), field }
}

/// A box of the form above a list; a form on the same page may have a field with the same name.
fn box_of(name: &str, choice: &Choice, is_checked: bool) -> Markup {
    let id = format!("{name}-{}-filter", choice.value);
    html! {
        div.choice {
            input id=(id) type="checkbox" name=(name) value=(choice.value) checked[is_checked];
            label for=(id) { (choice.text) }
        }
    }
}

/// One filter: everyone, or any of the people by name, and records without a person.
pub(crate) fn any_person(view: &View, name: &str, label: Label) -> Filter {
    let wanted = any_name(view, name);
    let unset = unset(view);
    let named: Vec<_> =
        wanted.values().iter().map(|person| Choice::new(person.clone(), person.as_str())).collect();
    let chosen = named.iter().chain(wanted.asks_unset().then_some(&unset)).map(of_choice).collect();
    let id = format!("{name}-filter");
    let field = html! {
        fieldset.choices {
            legend { (view.t(label)) }
            @for (number, person) in named.iter().enumerate() {
                @let id = format!("{id}-{number}");
                div.choice {
                    input id=(id) type="checkbox" name=(name) value=(person.value) checked;
                    label for=(id) { (person.text) }
                }
            }
            (box_of(name, &unset, wanted.asks_unset()))
            input id=(id) type="text" name=(name) aria-label=(view.t(label)) list={ (id) "-people" };
            (people(&id))
        }
    };
    Filter { name: name.to_owned(), label: FilterLabel::Text(label), chosen, field }
}
