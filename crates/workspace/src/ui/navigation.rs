//! The pages and actions, for the menu, the command palette and the link back to a list.

use app::authz::Caller;
use domain::{permission::Permission, wording::Label};
use maud::{Markup, html};

use super::icon::{self, Icon};
use crate::{
    extract::{View, Visit},
    route,
    texts::{
        common, drill_run, evidence, function, identity_provider, institution, own_framework, own_risk,
        palette, provider, search, work,
    },
};

struct Entry {
    address: &'static str,
    text: Label,
    icon: Icon,
    /// Whether the page has any content for this caller.
    open_to: fn(&Caller) -> bool,
}

impl Entry {
    const fn new(address: &'static str, text: Label, icon: Icon, open_to: fn(&Caller) -> bool) -> Self {
        Self { address, text, icon, open_to }
    }
}

fn every_role(_: &Caller) -> bool {
    true
}

fn key_managers(caller: &Caller) -> bool {
    caller.may(Permission::ManageKeys)
}

fn writers(caller: &Caller) -> bool {
    caller.may(Permission::Write)
}

const GROUPS: &[(Option<Label>, &[Entry])] = &[
    (
        None,
        &[
            Entry::new(route::HOME, common::DASHBOARD, icon::HOME, every_role),
            Entry::new(route::WORK, work::TITLE, icon::CHECK, every_role),
            Entry::new(route::SEARCH, common::SEARCH, icon::SEARCH, every_role),
        ],
    ),
    (
        Some(common::GROUP_WORK),
        &[
            Entry::new(route::PROGRAMMES, common::PROGRAMMES, icon::PLAN, every_role),
            Entry::new(route::TEST_CASES, common::TEST_CASES, icon::CHECK, every_role),
            Entry::new(route::FINDINGS, common::FINDINGS, icon::FLAG, every_role),
            Entry::new(route::EVIDENCE, evidence::TITLE, icon::CONTRACT, every_role),
            Entry::new(route::RISKS, own_risk::TITLE, icon::GRID, every_role),
            Entry::new(route::INCIDENTS, common::INCIDENTS, icon::SIREN, every_role),
            Entry::new(route::DRILL_RUNS, drill_run::TITLE, icon::CLOCK, every_role),
            Entry::new(route::FUNCTIONS, function::TITLE, icon::GRID, every_role),
            Entry::new(route::CRA_REPORTS, common::CRA_REPORTS, icon::ALARM, every_role),
        ],
    ),
    (
        Some(common::GROUP_COMPLIANCE),
        &[
            Entry::new(route::ASSESSMENTS, common::ASSESSMENTS, icon::SHIELD, every_role),
            Entry::new(route::CONTROLS, common::CONTROLS, icon::CHECK, every_role),
            Entry::new(route::STATEMENT, common::STATEMENT, icon::LOG, every_role),
            Entry::new(route::OWN_FRAMEWORKS, own_framework::TITLE, icon::BOOK, every_role),
        ],
    ),
    (
        Some(common::GROUP_THIRD_PARTIES),
        &[
            Entry::new(route::ARRANGEMENTS, common::ARRANGEMENTS, icon::CONTRACT, every_role),
            Entry::new(route::REGISTER, common::REGISTER, icon::GRID, every_role),
            Entry::new(route::PROVIDERS, provider::TITLE, icon::PEOPLE, every_role),
            Entry::new(route::CONCENTRATION, common::CONCENTRATION, icon::PIE, every_role),
        ],
    ),
    (
        Some(common::GROUP_LIBRARY),
        &[
            Entry::new(route::COMPLIANCE, common::COMPLIANCE, icon::BOOK, every_role),
            Entry::new(route::REQUIREMENTS, common::REQUIREMENTS, icon::LOG, every_role),
            Entry::new(route::GAPS, common::GAPS, icon::CHECK, every_role),
            Entry::new(route::RISK_REGISTER, common::RISK_REGISTER, icon::GRID, every_role),
            Entry::new(route::VENDOR_SCORECARD, common::VENDOR_SCORECARD, icon::SCORE, every_role),
            Entry::new(route::PROVIDER_QUESTIONS, common::PROVIDER_QUESTIONS, icon::CHECK, every_role),
            Entry::new(route::DRILLS, common::DRILLS, icon::SIREN, every_role),
            Entry::new(route::TRAINING, common::TRAINING, icon::BOOK, every_role),
            Entry::new(route::TIMELINE, common::TIMELINE, icon::CLOCK, every_role),
            Entry::new(route::RADAR, common::RADAR, icon::RADAR, every_role),
        ],
    ),
    (
        Some(common::GROUP_ADMINISTRATION),
        &[
            Entry::new(route::WEBHOOKS, common::WEBHOOKS, icon::BELL, every_role),
            Entry::new(route::API_KEYS, common::API_KEYS, icon::KEY, key_managers),
            Entry::new(route::AUDIT, common::AUDIT, icon::LOG, Caller::may_review),
            Entry::new(route::USERS, common::USERS, icon::PEOPLE, Caller::may_review),
            Entry::new(route::SETTINGS, common::SETTINGS, icon::SLIDERS, every_role),
        ],
    ),
];

/// Actions that can be started from any page.
const ACTIONS: &[Entry] = &[
    Entry::new(route::NEW_INCIDENT, palette::NEW_INCIDENT, icon::SIREN, Caller::may_write_records),
    Entry::new(route::NEW_FINDING, palette::NEW_FINDING, icon::FLAG, Caller::may_write_records),
    Entry::new(route::NEW_CONTROL, palette::NEW_CONTROL, icon::CHECK, Caller::may_write_records),
    Entry::new(route::ADOPT_CONTROLS, palette::ADOPT_CONTROLS, icon::CHECK, Caller::may_write_records),
    Entry::new(route::NEW_TEST_CASE, palette::NEW_TEST_CASE, icon::CHECK, Caller::may_write_records),
    Entry::new(route::NEW_PROGRAMME, palette::NEW_PROGRAMME, icon::PLAN, Caller::may_write_records),
    Entry::new(route::NEW_OWN_FRAMEWORK, own_framework::NEW, icon::BOOK, Caller::may_write_records),
    Entry::new(route::NEW_FUNCTION, function::NEW, icon::GRID, Caller::may_write_records),
    Entry::new(route::IMPORT_FINDINGS, palette::IMPORT_FINDINGS, icon::FLAG, Caller::may_write_records),
    Entry::new(route::NEW_EVIDENCE, evidence::NEW, icon::CONTRACT, Caller::may_write_records),
    Entry::new(route::NEW_RISK, own_risk::NEW, icon::GRID, Caller::may_write_records),
    Entry::new(route::NEW_TASK, work::NEW, icon::CHECK, Caller::may_write_records),
    Entry::new(route::ADOPT_RISKS, own_risk::ADOPT, icon::GRID, Caller::may_write_records),
    Entry::new(route::IMPORT_INCIDENTS, palette::IMPORT_INCIDENTS, icon::SIREN, Caller::may_write_records),
    Entry::new(route::NEW_DRILL_RUN, drill_run::NEW, icon::CLOCK, Caller::may_write_records),
    Entry::new(route::NEW_CRA_REPORT, palette::NEW_CRA_REPORT, icon::ALARM, writers),
    Entry::new(route::NEW_ARRANGEMENT, palette::NEW_ARRANGEMENT, icon::CONTRACT, writers),
    Entry::new(route::IMPORT_REGISTER, palette::IMPORT_ARRANGEMENTS, icon::CONTRACT, writers),
    Entry::new(route::REGISTER_IMPORT, palette::IMPORT_REGISTER, icon::GRID, writers),
    Entry::new(route::REGISTER_FILINGS, palette::REGISTER_FILINGS, icon::GRID, every_role),
    Entry::new(route::ANALYSE, palette::ANALYSE, icon::PIE, writers),
    Entry::new(route::NEW_WEBHOOK, palette::NEW_WEBHOOK, icon::BELL, writers),
    Entry::new(route::NEW_API_KEY, palette::NEW_API_KEY, icon::KEY, key_managers),
    Entry::new(route::INSTITUTION, institution::TITLE, icon::SLIDERS, writers),
    Entry::new(route::INVITE, palette::INVITE, icon::PEOPLE, Caller::may_administer),
    Entry::new(route::SIGN_IN_SETTINGS, identity_provider::OPEN, icon::KEY, Caller::may_administer),
];

fn entries() -> impl Iterator<Item = &'static Entry> {
    GROUPS.iter().flat_map(|(_, entries)| *entries)
}

/// The menu beside every page.
pub(crate) fn menu(visit: &Visit) -> Markup {
    let here = entry_of(visit.path()).map(|entry| entry.address);
    html! {
        @for (group, entries) in GROUPS {
            @let open: Vec<_> = entries.iter().filter(|entry| (entry.open_to)(visit.caller())).collect();
            @if !open.is_empty() {
                @if let Some(group) = group { p.menu-group { (visit.t(*group)) } }
                ul {
                    @for entry in open {
                        li {
                            a href=(entry.address) aria-current=[(here == Some(entry.address)).then_some("page")] {
                                (entry.icon.render()) (visit.t(entry.text))
                            }
                        }
                    }
                }
            }
        }
    }
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

/// The link back from a record to its list, with the list's filters if they are known.
pub(crate) fn trail(view: &View) -> Markup {
    let Some(entry) = entry_of(view.path()).filter(|entry| entry.address != view.path()) else {
        return html! {};
    };
    let came_from = view.came_from.as_deref().filter(|from| from.split('?').next() == Some(entry.address));
    html! {
        nav.trail aria-label=(view.t(common::TRAIL)) {
            a href=(came_from.unwrap_or(entry.address)) data-list=(entry.address) {
                span aria-hidden="true" { "←" } " " (view.t(entry.text))
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
}
