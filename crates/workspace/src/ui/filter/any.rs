//! Filters that take several values: a box for each, and a parameter of the address for each that is chosen.

use domain::{
    any_of::{AnyOf, UNSET},
    vocabulary::Vocabulary,
    wording::Label,
};
use maud::{Markup, html};

use super::{Chosen, Filter, with_each};
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

/// The people of a filter that takes several.
pub(crate) fn any_name(view: &View, name: &str) -> AnyOf<String> {
    AnyOf::names(view.queries(name))
}

/// One filter: everything, or any of the chosen words.
pub(crate) fn any_words<T: Vocabulary>(view: &View, name: &str, label: Label) -> Filter {
    any_choice(view, name, label, &field::words::<T>(view))
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
    let chosen = choices
        .iter()
        .filter(is_wanted)
        .map(|choice| Chosen { text: choice.text.clone(), one_of_several: Some(choice.value.to_string()) });
    let boxes = html! { @for choice in choices { (box_of(name, choice, is_wanted(&choice))) } };
    let field = html! {
        fieldset.choices {
            legend { (view.t(label)) }
            @if let Some(hint) = hint { p.hint { (view.t(hint)) } }
            (boxes)
        }
    };
    Filter { name: name.to_owned(), label, chosen: chosen.collect(), field }
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
    let unset = Choice::new(UNSET, view.t(texts::NOT_SET));
    let named: Vec<_> =
        wanted.values().iter().map(|person| Choice::new(person.clone(), person.as_str())).collect();
    let of_choice = |choice: &Choice| Chosen {
        text: choice.text.clone(),
        one_of_several: Some(choice.value.to_string()),
    };
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
    Filter { name: name.to_owned(), label, chosen, field }
}
