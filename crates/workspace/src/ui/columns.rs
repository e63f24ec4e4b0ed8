//! The columns of a list that the reader has chosen, in the order of `?columns=` in the address.
//!
//! The column that names a row and columns of boxes and buttons have no key: they are always there.

use maud::{Markup, html};

use super::{
    filter::with,
    table::{Column, table},
};
use crate::{extract::View, texts::view as texts};

/// The name of the choice in the address.
const NAME: &str = "columns";

/// The keys of the columns that the address names.
fn wanted(view: &View) -> Vec<String> {
    let text = view.query(NAME).unwrap_or_default();
    text.split(',').map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect()
}

/// The keys of the columns that are shown, in their order: those of the address, or the usual ones if it names none that
/// exists.
fn shown<'c>(view: &View, columns: &[Column<'c>]) -> Vec<&'c str> {
    let every: Vec<&str> = columns.iter().filter_map(Column::named).collect();
    let mut chosen: Vec<&str> = Vec::new();
    for key in wanted(view) {
        let known = every.iter().find(|known| **known == key).filter(|known| !chosen.contains(known));
        chosen.extend(known.copied());
    }
    if chosen.is_empty() {
        let usual = columns.iter().filter(|column| !column.is_optional());
        return usual.filter_map(Column::named).collect();
    }
    chosen
}

/// The places of the columns that are shown.
fn places(view: &View, columns: &[Column<'_>]) -> Vec<usize> {
    let first = columns.iter().position(|column| column.named().is_some()).unwrap_or(columns.len());
    let place = |key: &&str| columns.iter().position(|column| column.named() == Some(*key));
    let fixed = |place: &usize| columns.get(*place).is_some_and(|column| column.named().is_none());
    let mut places: Vec<usize> = (0..first).collect();
    places.extend(shown(view, columns).iter().filter_map(place));
    places.extend((first..columns.len()).filter(fixed));
    places
}

/// The table with the columns that the reader has chosen.
pub(crate) fn chosen_table(
    view: &View,
    caption: &str,
    columns: &[Column<'_>],
    rows: &[Vec<Markup>],
) -> Markup {
    let places = places(view, columns);
    let kept: Vec<_> = places.iter().filter_map(|place| columns.get(*place).cloned()).collect();
    let cut = |row: &Vec<Markup>| places.iter().filter_map(|place| row.get(*place).cloned()).collect();
    let rows: Vec<Vec<Markup>> = rows.iter().map(cut).collect();
    table(caption, &kept, &rows)
}

/// The menu in which columns are shown, hidden and moved to the front. Each choice is a link.
pub(crate) fn menu(view: &View, columns: &[Column<'_>]) -> Markup {
    let shown = shown(view, columns);
    let label = |key: &str| {
        columns.iter().find(|column| column.named() == Some(key)).map_or("", |column| column.heading())
    };
    let hidden: Vec<_> =
        columns.iter().filter_map(Column::named).filter(|key| !shown.contains(key)).collect();
    let address = |keys: &[&str]| with(view, NAME, Some(&keys.join(",")));
    html! {
        details.menu {
            summary.button { (view.t(texts::COLUMNS)) span.menu-arrow aria-hidden="true" { "▾" } }
            ul.menu-list {
                @for (place, key) in shown.iter().enumerate() {
                    @if place > 0 {
                        li { a href=(address(&moved(&shown, place))) {
                            (view.fill(texts::MOVE_COLUMN, &[("column", &label(key))]))
                        } }
                    }
                    @if shown.len() > 1 {
                        li { a href=(address(&without(&shown, key))) {
                            (view.fill(texts::HIDE_COLUMN, &[("column", &label(key))]))
                        } }
                    }
                }
                @for key in &hidden {
                    li { a href=(address(&[shown.as_slice(), &[*key]].concat())) {
                        (view.fill(texts::SHOW_COLUMN, &[("column", &label(key))]))
                    } }
                }
                @if view.query(NAME).is_some() {
                    li { a href=(with(view, NAME, None)) { (view.t(texts::ALL_COLUMNS)) } }
                }
            }
        }
    }
}

fn without<'k>(keys: &[&'k str], key: &str) -> Vec<&'k str> {
    keys.iter().copied().filter(|other| *other != key).collect()
}

/// The keys with the one at this place before its neighbour.
fn moved<'k>(keys: &[&'k str], place: usize) -> Vec<&'k str> {
    let mut keys = keys.to_vec();
    if place > 0 && place < keys.len() {
        keys.swap(place - 1, place);
    }
    keys
}
