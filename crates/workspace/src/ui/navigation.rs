//! The pages and actions, for the menu, the command palette and the way back to a list.

use domain::wording::Label;
use maud::{Markup, html};

use super::icon;
use crate::{
    extract::{View, Visit},
    route::{self, ACTIONS, Entry, GROUPS, Group},
    texts::{common, palette, search},
};

fn entries() -> impl Iterator<Item = &'static Entry> {
    GROUPS.iter().flat_map(|group| group.entries)
}

/// The menu beside every page.
pub(crate) fn menu(visit: &Visit) -> Markup {
    let here = entry_of(visit.path()).map(|entry| entry.address);
    html! {
        @for group in GROUPS {
            @let open: Vec<_> = group.entries.iter().filter(|entry| (entry.open_to)(visit.caller())).collect();
            @if !open.is_empty() { (group_of(visit, group, &open, here)) }
        }
    }
}

/// A group with the entries that are open to the reader. Of a folded one, only the title is shown until it is opened or
/// contains the current page.
fn group_of(visit: &Visit, group: &Group, open: &[&Entry], here: Option<&str>) -> Markup {
    let is_here = open.iter().any(|entry| here == Some(entry.address));
    let list = html! { ul { @for entry in open { li { (link_to(visit, entry, here)) } } } };
    html! {
        @match (group.title, group.folded) {
            (Some(title), true) => {
                details.menu-fold open[is_here] { summary.menu-group { (visit.t(title)) } (list) }
            }
            (title, _) => {
                @if let Some(title) = title { p.menu-group { (visit.t(title)) } }
                (list)
            }
        }
    }
}

fn link_to(visit: &Visit, entry: &Entry, here: Option<&str>) -> Markup {
    let waiting = waiting(visit, entry);
    html! {
        a href=(entry.address) aria-current=[(here == Some(entry.address)).then_some("page")] {
            (entry.icon.render()) span { (visit.t(entry.text)) }
            @if waiting > 0 {
                span.menu-count aria-hidden="true" { (waiting.min(99)) }
                span.unseen { " " (visit.fill(common::WAITING, &[("count", &waiting)])) }
            }
        }
    }
}

/// How much waits for the reader on the page of an entry. Only what every request knows anyway is counted.
fn waiting(visit: &Visit, entry: &Entry) -> u64 {
    if entry.address == route::INBOX { visit.session().unread } else { 0 }
}

/// The menu entry of an address. Requirements and checklists are below their framework.
fn entry_of(path: &str) -> Option<&'static Entry> {
    let place = match path.strip_prefix(route::COMPLIANCE) {
        Some(rest) if rest.ends_with("/gaps") => route::GAPS,
        Some(rest) if rest.starts_with('/') && rest.matches('/').count() > 1 => route::REQUIREMENTS,
        _ => path,
    };
    let below = |address: &str| place.strip_prefix(address).is_some_and(|rest| rest.starts_with('/'));
    entries().find(|entry| entry.address == place || (entry.address != route::HOME && below(entry.address)))
}

/// The name of the page at this address in the menu.
pub(crate) fn name_of(view: &View, path: &str) -> Option<&'static str> {
    entry_of(path).map(|entry| view.t(entry.text))
}

/// The way from the menu to a page below a list: the group, the list with its filters if they are known, and the page.
pub(crate) fn trail(view: &View, title: &str) -> Markup {
    let opens =
        |entry: &Entry| view.signed.as_ref().is_some_and(|signed| (entry.open_to)(&signed.session.caller));
    let list = entry_of(view.path()).filter(|entry| entry.address != view.path() && opens(entry));
    let Some(entry) = list else {
        return html! {};
    };
    let group = GROUPS.iter().find(|group| group.entries.iter().any(|known| known.address == entry.address));
    let came_from = view.came_from.as_deref().filter(|from| from.split('?').next() == Some(entry.address));
    html! {
        nav.trail aria-label=(view.t(common::TRAIL)) {
            ol {
                @if let Some(group) = group.and_then(|group| group.title) { li { (view.t(group)) } }
                li { a href=(came_from.unwrap_or(entry.address)) data-list=(entry.address) { (view.t(entry.text)) } }
                li aria-current="page" { (title) }
            }
        }
    }
}

/// Every action and page by name, for the command palette. It needs a script; without one, the menu and the buttons
/// of the pages do the same.
pub(crate) fn palette(visit: &Visit) -> Markup {
    let open = |entry: &&Entry| (entry.open_to)(visit.caller());
    html! {
        dialog #palette aria-label=(visit.t(common::PALETTE_TITLE)) {
            label.unseen for="palette-filter" { (visit.t(common::PALETTE_TITLE)) }
            input #palette-filter type="search" autocomplete="off" placeholder=(visit.t(common::SEARCH_OR_GO));
            ul #palette-here hidden data-here=(visit.t(palette::HERE)) {}
            ul #palette-list {
                @for entry in ACTIONS.iter().filter(open) {
                    li { a href=(entry.address) {
                        (entry.icon.render()) (visit.t(entry.text)) span.quiet { (visit.t(palette::ACTION)) }
                    } }
                }
                @for entry in entries().filter(open) {
                    li { a href=(entry.address) { (entry.icon.render()) (visit.t(entry.text)) } }
                }
                @for (address, text) in own_pages(visit) {
                    li { a href=(address) { (icon::TIDE.render()) (visit.t(text)) } }
                }
            }
            ul #palette-found hidden data-from={ (route::SEARCH) "/suggestions" } {}
            p.quiet #palette-none hidden { (visit.t(common::PALETTE_NONE)) }
            p { a #palette-search href=(route::SEARCH) { (icon::SEARCH.render()) (visit.t(search::SEARCH_EVERYTHING)) } }
            p.hint { (visit.t(common::PALETTE_HINT)) }
        }
    }
}

/// Pages outside the menu. The design system is for developers of pages.
pub(crate) fn own_pages(view: &View) -> impl Iterator<Item = (&'static str, Label)> {
    let design = view.shows_design.then_some((route::DESIGN, common::DESIGN));
    [(route::PROFILE, common::PROFILE)].into_iter().chain(design)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_belongs_to_one_of_the_menu() {
        let of = |path: &str| entry_of(path).map(|entry| entry.address);
        assert_eq!(of("/workspace"), Some(route::HOME));
        assert_eq!(of("/workspace/findings"), Some(route::FINDINGS));
        assert_eq!(of("/workspace/findings/fnd_1/edit"), Some(route::FINDINGS));
        assert_eq!(of("/workspace/compliance/dora"), Some(route::COMPLIANCE));
        assert_eq!(of("/workspace/compliance/dora/dora-art-05-01"), Some(route::REQUIREMENTS));
        assert_eq!(of("/workspace/compliance/dora/gaps"), Some(route::GAPS));
        assert_eq!(of("/workspace/findings-of-old"), None);
        assert_eq!(of("/workspace/profile"), None);
    }

    #[test]
    fn no_two_entries_have_the_same_icon() {
        let all: Vec<_> = entries().collect();
        for (place, entry) in all.iter().enumerate() {
            let same = all[..place].iter().find(|other| other.icon == entry.icon);
            assert!(same.is_none(), "{} looks like {:?}", entry.address, same.map(|other| other.address));
        }
    }

    #[test]
    fn at_most_twenty_entries_stand_open() {
        let open: usize = GROUPS.iter().filter(|group| !group.folded).map(|group| group.entries.len()).sum();
        assert!(open <= 20, "{open}");
    }
}
