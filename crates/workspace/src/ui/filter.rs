//! Filters above a list. They are in the address, so a view of a list can be bookmarked, shared and exported.

mod any;
mod export;
mod holding;

use app::catalogue::Edition;
use domain::{
    any_of::AnyOf, framework::Framework, moment::Day, page::Reading, tag::Tag, vocabulary::Vocabulary,
    wording::Label,
};
use maud::{Markup, Render, html};

use self::any::without_value;
pub(crate) use self::any::{
    any, any_choice, any_choice_or, any_choice_or_unset, any_day, any_id, any_name, any_or_unset, any_person,
    any_words, any_words_or_unset, before,
};
pub(crate) use self::{
    export::{PDF, REPORTS, TABLES, export_menu, exports, exports_of},
    holding::holding,
};
use super::{
    field::{self, Choice, people},
    table::Sort,
};
use crate::{
    extract::View,
    texts::{assessment, record as texts, tag as tags},
};

/// The value of this filter in the address; an unknown one is ignored.
pub(crate) fn word<T: Vocabulary>(view: &View, name: &str) -> Option<T> {
    view.query(name).and_then(|text| T::find(&text))
}

/// The search text in the address.
pub(crate) fn search(view: &View) -> Option<String> {
    view.query("search").filter(|text| !text.trim().is_empty())
}

/// One filter: its field, and what it is set to.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    name: String,
    label: FilterLabel,
    /// The values in the address; none if the filter leaves nothing out.
    chosen: Vec<Chosen>,
    field: Markup,
}

/// What a filter is called: by a text of the pages, or as the institution calls an own field.
#[derive(Debug, Clone)]
enum FilterLabel {
    Text(Label),
    Own(String),
}

/// A value of a filter, as the reader sees it.
#[derive(Debug, Clone)]
struct Chosen {
    text: String,
    /// The value in the address, of a filter that takes several.
    one_of_several: Option<String>,
}

impl Filter {
    pub(crate) fn new(name: &str, label: Label, chosen: Option<String>, field: Markup) -> Self {
        Self::labelled(name, FilterLabel::Text(label), chosen, field)
    }

    /// A filter by an own field.
    pub(crate) fn named(name: &str, label: String, chosen: Option<String>, field: Markup) -> Self {
        Self::labelled(name, FilterLabel::Own(label), chosen, field)
    }

    fn labelled(name: &str, label: FilterLabel, chosen: Option<String>, field: Markup) -> Self {
        let chosen = chosen.into_iter().map(|text| Chosen { text, one_of_several: None }).collect();
        Self { name: name.to_owned(), label, chosen, field }
    }

    /// A part of the form that leaves nothing out, such as the order.
    pub(crate) fn plain(name: &str, label: Label, field: Markup) -> Self {
        Self::new(name, label, None, field)
    }
}

/// The field alone, for a form of another kind.
impl Render for Filter {
    fn render(&self) -> Markup {
        self.field.clone()
    }
}

/// The form around the filters: the search, one button that opens the other fields, and what is chosen, each to be
/// removed by a click. With a script it is submitted automatically.
pub(crate) fn bar(view: &View, filters: &[Filter]) -> Markup {
    let search = html! {
        div.field.search {
            label.unseen for="search" { (view.t(texts::SEARCH)) }
            input #search type="search" name="search" placeholder=(view.t(texts::SEARCH))
                value=(view.query("search").unwrap_or_default());
        }
    };
    form(view, &search, filters)
}

/// The same for a list that is not searched by words.
pub(crate) fn bar_without_search(view: &View, filters: &[Filter]) -> Markup {
    form(view, &html! {}, filters)
}

fn form<'f>(view: &View, search: &Markup, filters: &'f [Filter]) -> Markup {
    let of = |filter: &'f Filter| filter.chosen.iter().map(move |value| (filter, value));
    let chosen: Vec<_> = filters.iter().flat_map(of).collect();
    html! {
        form.filters method="get" action=(view.path()) data-live {
            @if let Some(columns) = view.query("columns") { input type="hidden" name="columns" value=(columns); }
            (search)
            (fold(view, filters, chosen.len()))
            button.button type="submit" data-live-submit { (view.t(texts::APPLY)) }
            (holding::too_many(view))
            @if !chosen.is_empty() {
                ul.chips aria-label=(view.t(texts::CHOSEN)) {
                    @for (filter, value) in &chosen { li { (chip(view, filter, value)) } }
                }
            }
        }
    }
}

fn fold(view: &View, filters: &[Filter], chosen: usize) -> Markup {
    html! {
        @if !filters.is_empty() {
            details.filter-fold data-stays-open {
                summary.button {
                    (view.t(texts::FILTER))
                    @if chosen > 0 { " " span.count { (chosen) } }
                }
                div.filter-fields { @for filter in filters { (filter) } }
            }
        }
    }
}

/// A chosen value, as the link to the list without it.
fn chip(view: &View, filter: &Filter, chosen: &Chosen) -> Markup {
    let label = match &filter.label {
        FilterLabel::Text(label) => view.t(*label),
        FilterLabel::Own(label) => label,
    };
    let without = match &chosen.one_of_several {
        Some(value) => without_value(view, &filter.name, value),
        None => without(view, &filter.name),
    };
    html! {
        a.chip href=(without) {
            span { (label) ": " (chosen.text) }
            span aria-hidden="true" { "×" }
            span.unseen { " (" (view.t(texts::REMOVE_FILTER)) ")" }
        }
    }
}

/// The address of the list without this filter, from its first page on.
fn without(view: &View, name: &str) -> String {
    with(view, name, None)
}

/// The address of the list with another value of this parameter, or without it, from its first page on.
pub(crate) fn with(view: &View, name: &str, value: Option<&str>) -> String {
    with_each(view, name, value.into_iter())
}

fn with_each<'v>(view: &View, name: &str, values: impl Iterator<Item = &'v str>) -> String {
    let query = view.address.split_once('?').map_or("", |(_, query)| query);
    let kept = form_urlencoded::parse(query.as_bytes())
        .filter(|(key, value)| key != name && !value.is_empty() && !matches!(&**key, "offset" | "done"));
    let mut written = form_urlencoded::Serializer::new(String::new());
    written.extend_pairs(kept);
    for value in values {
        written.append_pair(name, value);
    }
    let query = written.finish();
    if query.is_empty() { view.path().to_owned() } else { format!("{}?{query}", view.path()) }
}

/// One filter: everything, or one of the words.
pub(crate) fn words<T: Vocabulary>(view: &View, name: &str, label: Label) -> Filter {
    choice(view, name, label, &field::words::<T>(view))
}

/// The framework in the address.
pub(crate) fn framework(view: &View) -> Option<Framework> {
    view.query("framework").and_then(|text| text.parse().ok())
}

/// The frameworks in the address, for a filter that takes several.
pub(crate) fn any_framework(view: &View) -> AnyOf<Framework> {
    any_id(view, "framework")
}

/// One filter: every framework, or any of those in the catalogue.
pub(crate) fn any_frameworks(view: &View, edition: &Edition) -> Filter {
    any_choice(view, "framework", texts::FRAMEWORK, &framework_choices(edition))
}

/// One filter: every framework, or one of those in the catalogue.
pub(crate) fn frameworks(view: &View, edition: &Edition) -> Filter {
    choice(view, "framework", texts::FRAMEWORK, &framework_choices(edition))
}

/// The frameworks of the catalogue to choose from.
pub(crate) fn framework_choices(edition: &Edition) -> Vec<Choice> {
    let choice = |framework: &app::catalogue::framework::Framework| {
        Choice::new(framework.id.to_string(), framework.id.name())
    };
    edition.frameworks.iter().map(choice).collect()
}

/// One filter: every chapter of a framework, or one of them.
pub(crate) fn sections(view: &View, edition: &Edition, framework: Framework) -> Filter {
    let own = edition.sections.iter().filter(|section| section.framework == framework);
    let choices: Vec<_> =
        own.map(|section| Choice::new(section.id.to_string(), section.title.get(view.language))).collect();
    choice(view, "section", assessment::SECTION, &choices)
}

pub(crate) fn choice(view: &View, name: &str, label: Label, choices: &[Choice]) -> Filter {
    choice_or(view, name, label, texts::ANY, choices)
}

/// The same with a word of its own for the list without the filter.
pub(crate) fn choice_or(view: &View, name: &str, label: Label, none: Label, choices: &[Choice]) -> Filter {
    let current = view.query(name).unwrap_or_default();
    let chosen = choices.iter().find(|choice| choice.value == current).map(|choice| choice.text.clone());
    let field = html! {
        div.field {
            label for=(name) { (view.t(label)) }
            select id=(name) name=(name) {
                option value="" { (view.t(none)) }
                @for choice in choices {
                    option value=(choice.value) selected[current == choice.value] { (choice.text) }
                }
            }
        }
    };
    Filter::new(name, label, chosen, field)
}

/// One filter: every day, or those up to or from one.
pub(crate) fn day(view: &View, name: &str, label: Label) -> Filter {
    let chosen: Option<Day> = view.query(name).and_then(|day| day.parse().ok());
    let field = html! {
        div.field {
            label for=(name) { (view.t(label)) }
            input id=(name) type="date" name=(name) value=(view.query(name).unwrap_or_default());
        }
    };
    Filter::new(name, label, chosen.map(|day| view.day(day)), field)
}

/// The person in the address for this filter.
pub(crate) fn person_of(view: &View, name: &str) -> Option<String> {
    view.query(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// One filter: everyone, or one person by name.
pub(crate) fn person(view: &View, name: &str, label: Label) -> Filter {
    // A form on the same page may have a field of the same name.
    let id = format!("{name}-filter");
    let field = html! {
        div.field {
            label for=(id) { (view.t(label)) }
            input id=(id) type="text" name=(name) value=(view.query(name).unwrap_or_default())
                list={ (id) "-people" };
            (people(&id))
        }
    };
    Filter::new(name, label, person_of(view, name), field)
}

/// The day in the address for a list as of a day.
pub(crate) fn as_of(view: &View) -> Option<Day> {
    view.query("as_of").and_then(|day| day.parse().ok())
}

/// The tag in the address; an invalid one is ignored.
pub(crate) fn tag(view: &View) -> Option<Tag> {
    view.query("tag").and_then(|text| Tag::parse(&text).ok())
}

/// The day, the tag and the own fields in the address, for files.
pub(crate) fn reading(view: &View) -> Reading {
    Reading { day: as_of(view), tag: tag(view), holding: holding(view) }
}

/// Whether the address asks for a day, a tag or own fields, which lists of all kinds have besides their filters.
pub(crate) fn is_part(view: &View) -> bool {
    reading(view) != Reading::default()
}

/// One filter: everything, or the records with one of these tags. `None` while there are no tags.
pub(crate) fn tag_field(view: &View, mut used: Vec<String>) -> Option<Filter> {
    let chosen = tag(view).map(|tag| tag.as_str().to_owned());
    // A tag can be written in another case, or be one of too many to offer.
    used.extend(chosen.filter(|chosen| !used.contains(chosen)));
    let choices: Vec<_> = used.iter().map(|tag| Choice::new(tag.clone(), tag.as_str())).collect();
    (!choices.is_empty()).then(|| choice(view, "tag", tags::TAG, &choices))
}

/// The choice of a day for a list as of that day.
pub(crate) fn as_of_field(view: &View) -> Filter {
    day(view, "as_of", texts::AS_OF)
}

/// Says above a list that it is one of the past, and what in it is of today.
pub(crate) fn as_of_notice(view: &View) -> Markup {
    html! {
        @if let Some(day) = as_of(view) {
            p.notice { (view.fill(texts::AS_OF_NOTICE, &[("day", &view.day(day))])) }
        }
    }
}

/// The order of the list; the first is the default.
pub(crate) fn order<T: Vocabulary>(view: &View) -> Filter {
    order_or(view, T::ALL[0])
}

/// The order of a list whose page has a default of its own.
pub(crate) fn order_or<T: Vocabulary>(view: &View, default: T) -> Filter {
    let current = word::<T>(view, "sort").unwrap_or(default);
    let field = html! {
        div.field {
            label for="sort" { (view.t(texts::SORT)) }
            select #sort name="sort" {
                @for word in T::ALL {
                    option value=(word.as_str()) selected[*word == current] { (view.t(word.label())) }
                }
            }
        }
    };
    Filter::plain("sort", texts::SORT, field)
}

/// The sort order after a click on the header of a column: by that column, and reversed at the next click.
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
