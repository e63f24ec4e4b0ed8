//! The tabs of the settings. Every tab has an address of its own, so that it can be bookmarked and needs no script.

use domain::wording::Label;
use maud::{Markup, html};

use super::{PERCENTS, REVIEW, due_days, key_life, lead_time, lists};
use crate::{extract::View, form::Form, route, texts::setting as texts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Institution,
    Limits,
    Access,
    Mail,
}

impl Tab {
    const ALL: [Self; 4] = [Self::Institution, Self::Limits, Self::Access, Self::Mail];

    /// Its name in the address.
    fn name(self) -> &'static str {
        match self {
            Self::Institution => "institution",
            Self::Limits => "limits",
            Self::Access => "access",
            Self::Mail => "mail",
        }
    }

    fn label(self) -> Label {
        match self {
            Self::Institution => texts::TAB_INSTITUTION,
            Self::Limits => texts::TAB_LIMITS,
            Self::Access => texts::TAB_ACCESS,
            Self::Mail => texts::TAB_MAIL,
        }
    }

    /// The tab with the form that was just sent: by its refused fields, or by what was saved; else the one in the address.
    pub(super) fn chosen(view: &View, form: &Form) -> Self {
        let refused = form.violations().fields().keys().find_map(|field| Self::of_field(field));
        let done = || view.query("done").and_then(|done| Self::of_done(&done));
        let named =
            || view.query("tab").and_then(|name| Self::ALL.into_iter().find(|tab| tab.name() == name));
        refused.or_else(named).or_else(done).unwrap_or(Self::Institution)
    }

    fn of_field(field: &str) -> Option<Self> {
        let is_in = |names: &[(&str, Label)]| names.iter().any(|(name, _)| *name == field);
        let limits =
            is_in(&PERCENTS) || is_in(&lead_time::NAMES) || is_in(&due_days::NAMES) || field == REVIEW;
        if limits {
            return Some(Self::Limits);
        }
        if field == key_life::FIELD {
            return Some(Self::Access);
        }
        is_in(&lists::NAMES).then_some(Self::Mail)
    }

    fn of_done(done: &str) -> Option<Self> {
        match done {
            "saved" | "leads" | "due-days" => Some(Self::Limits),
            "key-life" | "key-policy" | "second-factor" => Some(Self::Access),
            "evidence-types" | "mail-domains" | "mail-test" | "mail-titles" => Some(Self::Mail),
            _ => None,
        }
    }

    /// The links to all tabs; this one is open.
    pub(super) fn bar(self, view: &View) -> Markup {
        html! {
            nav.tabs aria-label=(view.t(texts::TITLE)) {
                ul {
                    @for tab in Self::ALL {
                        li {
                            a href={ (route::SETTINGS) "?tab=" (tab.name()) }
                                aria-current=[(tab == self).then_some("page")] { (view.t(tab.label())) }
                        }
                    }
                }
            }
        }
    }

    /// The content of one tab, which is hidden while another is open.
    pub(super) fn panel(self, tab: Self, content: &Markup) -> Markup {
        html! { div.tab-panel data-tab=(tab.name()) hidden[tab != self] { (content) } }
    }
}
