//! Which pages there are, for the menu and for the command palette.

use app::authz::Caller;
use domain::{permission::Permission, wording::Label};
use maud::{Markup, html};

use super::icon::{self, Icon};
use crate::{
    route,
    texts::{common, search},
    visit::Visit,
};

struct Entry {
    address: &'static str,
    text: Label,
    icon: Icon,
    /// Whether the page shows this caller anything.
    open_to: fn(&Caller) -> bool,
}

impl Entry {
    const fn new(address: &'static str, text: Label, icon: Icon, open_to: fn(&Caller) -> bool) -> Self {
        Self { address, text, icon, open_to }
    }
}

fn everybody(_: &Caller) -> bool {
    true
}

fn key_managers(caller: &Caller) -> bool {
    caller.may(Permission::ManageKeys)
}

const GROUPS: &[(Option<Label>, &[Entry])] = &[
    (
        None,
        &[
            Entry::new(route::HOME, common::DASHBOARD, icon::HOME, everybody),
            Entry::new(route::SEARCH, common::SEARCH, icon::SEARCH, everybody),
        ],
    ),
    (
        Some(common::GROUP_WORK),
        &[
            Entry::new(route::PROGRAMMES, common::PROGRAMMES, icon::PLAN, everybody),
            Entry::new(route::TEST_CASES, common::TEST_CASES, icon::CHECK, everybody),
            Entry::new(route::FINDINGS, common::FINDINGS, icon::FLAG, everybody),
            Entry::new(route::CRA_REPORTS, common::CRA_REPORTS, icon::ALARM, everybody),
        ],
    ),
    (
        Some(common::GROUP_THIRD_PARTIES),
        &[
            Entry::new(route::ARRANGEMENTS, common::ARRANGEMENTS, icon::CONTRACT, everybody),
            Entry::new(route::CONCENTRATION, common::CONCENTRATION, icon::PIE, everybody),
            Entry::new(route::VENDOR_SCORECARD, common::VENDOR_SCORECARD, icon::SCORE, everybody),
        ],
    ),
    (
        Some(common::GROUP_COMPLIANCE),
        &[
            Entry::new(route::COMPLIANCE, common::COMPLIANCE, icon::SHIELD, everybody),
            Entry::new(route::TIMELINE, common::TIMELINE, icon::CLOCK, everybody),
            Entry::new(route::RADAR, common::RADAR, icon::RADAR, everybody),
            Entry::new(route::RISK_REGISTER, common::RISK_REGISTER, icon::GRID, everybody),
            Entry::new(route::DRILLS, common::DRILLS, icon::SIREN, everybody),
            Entry::new(route::TRAINING, common::TRAINING, icon::BOOK, everybody),
        ],
    ),
    (
        Some(common::GROUP_ADMINISTRATION),
        &[
            Entry::new(route::WEBHOOKS, common::WEBHOOKS, icon::BELL, everybody),
            Entry::new(route::API_KEYS, common::API_KEYS, icon::KEY, key_managers),
            Entry::new(route::AUDIT, common::AUDIT, icon::LOG, Caller::may_administer),
            Entry::new(route::USERS, common::USERS, icon::PEOPLE, Caller::may_administer),
            Entry::new(route::SETTINGS, common::SETTINGS, icon::SLIDERS, everybody),
        ],
    ),
];

/// The menu beside every page.
pub(crate) fn menu(visit: &Visit) -> Markup {
    html! {
        @for (group, entries) in GROUPS {
            @let open: Vec<_> = entries.iter().filter(|entry| (entry.open_to)(visit.caller())).collect();
            @if !open.is_empty() {
                @if let Some(group) = group { p.menu-group { (visit.t(*group)) } }
                ul { @for entry in open { li { (link(visit, entry)) } } }
            }
        }
    }
}

fn link(visit: &Visit, entry: &Entry) -> Markup {
    let here = visit.path();
    let inside = here.strip_prefix(entry.address).is_some_and(|rest| rest.starts_with('/'));
    let current = here == entry.address || (inside && entry.address != route::HOME);
    html! {
        a href=(entry.address) aria-current=[current.then_some("page")] {
            (entry.icon.render()) (visit.t(entry.text))
        }
    }
}

/// Every page by name, for the command palette. It opens with a script only; without one, the menu does the same.
pub(crate) fn palette(visit: &Visit) -> Markup {
    let own = [(route::PROFILE, common::PROFILE), (route::DESIGN, common::DESIGN)];
    html! {
        dialog #palette aria-label=(visit.t(common::PALETTE_TITLE)) {
            label.unseen for="palette-filter" { (visit.t(common::PALETTE_TITLE)) }
            input #palette-filter type="search" autocomplete="off" placeholder=(visit.t(common::SEARCH_OR_GO));
            ul #palette-list {
                @for entry in GROUPS.iter().flat_map(|(_, entries)| *entries) {
                    @if (entry.open_to)(visit.caller()) {
                        li { a href=(entry.address) { (entry.icon.render()) (visit.t(entry.text)) } }
                    }
                }
                @for (address, text) in own { li { a href=(address) { (icon::TIDE.render()) (visit.t(text)) } } }
            }
            ul #palette-found hidden data-from={ (route::SEARCH) "/suggestions" } {}
            p.quiet #palette-none hidden { (visit.t(common::PALETTE_NONE)) }
            p { a #palette-search href=(route::SEARCH) { (icon::SEARCH.render()) (visit.t(search::SEARCH_EVERYTHING)) } }
            p.hint { (visit.t(common::PALETTE_HINT)) }
        }
    }
}
