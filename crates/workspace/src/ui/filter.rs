//! Filters above a list. They stand in the address, so a view of a list can be kept, shared and exported.

use app::catalogue::Edition;
use domain::{framework::Framework, vocabulary::Vocabulary, wording::Label};
use maud::{Markup, html};

use super::{field::Choice, table::Sort};
use crate::{texts::record as texts, visit::View};

/// The word the address names for this filter; one that does not exist filters nothing.
pub(crate) fn word<T: Vocabulary>(view: &View, name: &str) -> Option<T> {
    view.query(name).and_then(|text| T::find(&text))
}

/// Free text the address searches for.
pub(crate) fn search(view: &View) -> Option<String> {
    view.query("search").filter(|text| !text.trim().is_empty())
}

/// The form around the filters. With a script it applies by itself.
pub(crate) fn bar(view: &View, filters: &[Markup]) -> Markup {
    html! {
        form.filters method="get" action=(view.path()) data-live {
            div.field.search {
                label for="search" { (view.t(texts::SEARCH)) }
                input #search type="search" name="search" value=(view.query("search").unwrap_or_default());
            }
            @for filter in filters { (filter) }
            button.button type="submit" data-live-submit { (view.t(texts::APPLY)) }
        }
    }
}

/// One filter: everything, or one of the words.
pub(crate) fn words<T: Vocabulary>(view: &View, name: &str, label: Label) -> Markup {
    let choices: Vec<_> =
        T::ALL.iter().map(|word| Choice::new(word.as_str(), view.t(word.label()))).collect();
    choice(view, name, label, &choices)
}

/// The framework the address names.
pub(crate) fn framework(view: &View) -> Option<Framework> {
    view.query("framework").and_then(|text| text.parse().ok())
}

/// One filter: every framework, or one of those the catalogue holds.
pub(crate) fn frameworks(view: &View, edition: &Edition) -> Markup {
    choice(view, "framework", texts::FRAMEWORK, &framework_choices(edition))
}

/// The frameworks of the catalogue to choose from.
pub(crate) fn framework_choices(edition: &Edition) -> Vec<Choice> {
    let choice = |framework: &app::catalogue::framework::Framework| {
        Choice::new(framework.id.to_string(), framework.id.name())
    };
    edition.frameworks.iter().map(choice).collect()
}

pub(crate) fn choice(view: &View, name: &str, label: Label, choices: &[Choice]) -> Markup {
    let current = view.query(name).unwrap_or_default();
    html! {
        div.field {
            label for=(name) { (view.t(label)) }
            select id=(name) name=(name) {
                option value="" { (view.t(texts::ANY)) }
                @for choice in choices {
                    option value=(choice.value) selected[current == choice.value] { (choice.text) }
                }
            }
        }
    }
}

/// The order of the list; the first is the default.
pub(crate) fn order<T: Vocabulary>(view: &View) -> Markup {
    order_or(view, T::ALL[0])
}

/// The order of a list whose page has a default of its own.
pub(crate) fn order_or<T: Vocabulary>(view: &View, default: T) -> Markup {
    let current = word::<T>(view, "sort").unwrap_or(default);
    html! {
        div.field {
            label for="sort" { (view.t(texts::SORT)) }
            select #sort name="sort" {
                @for word in T::ALL {
                    option value=(word.as_str()) selected[*word == current] { (view.t(word.label())) }
                }
            }
        }
    }
}

/// What a press on the head of a column does: sorts by it, and the other way round when it is pressed again.
pub(crate) fn sorting<T: Vocabulary>(view: &View, current: T, rising: T, falling: T) -> Sort {
    let (next, now) = if current == rising {
        (falling, Some("ascending"))
    } else if current == falling {
        (rising, Some("descending"))
    } else {
        (rising, None)
    };
    let query = view.address.split_once('?').map_or("", |(_, query)| query);
    let kept = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| !matches!(&**name, "sort" | "offset" | "done"));
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(kept)
        .append_pair("sort", next.as_str())
        .finish();
    Sort { address: format!("{}?{query}", view.path()), now }
}

/// Links to the same list as a file. A report comes as a table, or with every record in full.
pub(crate) fn exports(view: &View, kinds: &[(&str, &str)]) -> Markup {
    let query = view.address.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
    let long = if query.is_empty() { "?style=long".to_owned() } else { format!("{query}&style=long") };
    html! {
        @for (suffix, name) in kinds {
            a.button href={ (view.path()) "." (suffix) (query) } { (name) }
            @if *suffix == "pdf" {
                a.button href={ (view.path()) "." (suffix) (long) } { (view.t(texts::LONG_PDF)) }
            }
        }
    }
}
