//! The components of all pages. `/workspace/design` shows them all; their styles are in `assets/`.

pub(crate) mod badge;
pub(crate) mod chart;
pub(crate) mod columns;
pub(crate) mod field;
pub(crate) mod filter;
pub(crate) mod history;
pub(crate) mod icon;
pub(crate) mod layout;
pub(crate) mod navigation;
pub(crate) mod notice;
pub(crate) mod pager;
pub(crate) mod passkey;
pub(crate) mod person;
pub(crate) mod picker;
pub(crate) mod table;

use domain::wording::Label;
use maud::{Markup, html};

use crate::{extract::Visit, texts::common};

/// The header of a page: its title, a sentence on its purpose, and the main action.
pub(crate) fn head(title: &str, intro: &str, action: Option<Markup>) -> Markup {
    html! {
        div.page-head {
            div {
                h1 { (title) }
                @if !intro.is_empty() { p.intro { (intro) } }
            }
            @if let Some(action) = action { div.page-action { (action) } }
        }
    }
}

/// A section of a page with its own heading.
pub(crate) fn section(title: &str, content: &Markup) -> Markup {
    html! { section.card { h2 { (title) } (content) } }
}

/// A link styled as a button.
pub(crate) fn link_button(address: &str, text: &str, primary: bool) -> Markup {
    html! { a.button.primary[primary] href=(address) { (text) } }
}

/// A button that makes one change, as a form of its own.
pub(crate) fn post_button(visit: &Visit, action: &str, text: &str) -> Markup {
    html! {
        form.inline method="post" action=(action) { (visit.form_token()) button.button type="submit" { (text) } }
    }
}

/// The confirmation of a destructive action.
#[derive(Debug)]
pub(crate) struct Confirm<'c> {
    pub(crate) action: &'c str,
    /// The label of the button that opens the confirmation.
    pub(crate) opener: Label,
    /// The subject of the confirmation, for screen readers.
    pub(crate) about: &'c str,
    pub(crate) question: String,
    pub(crate) sure: Label,
}

impl Confirm<'_> {
    /// The confirmation, which opens in place, without a script.
    pub(crate) fn render(&self, visit: &Visit) -> Markup {
        html! {
            details.confirm {
                summary.button.danger { (visit.t(self.opener)) span.unseen { " " (self.about) } }
                form.confirm-body method="post" action=(self.action) {
                    (visit.form_token())
                    p { (self.question) }
                    button.button.danger.solid type="submit" { (visit.t(self.sure)) }
                }
            }
        }
    }
}

/// A secret to be copied, with a button that copies it if a script runs.
pub(crate) fn secret(visit: &Visit, label: &str, value: &str) -> Markup {
    html! {
        div.secret {
            code #secret-value aria-label=(label) { (value) }
            button.button type="button" hidden data-copy="secret-value" data-done=(visit.t(common::COPIED)) {
                (visit.t(common::COPY))
            }
        }
    }
}

/// The text of a page without records: what to do first.
pub(crate) fn empty(title: &str, help: &str, action: Option<Markup>) -> Markup {
    html! {
        div.empty {
            (icon::TIDE.render())
            p.empty-title { (title) }
            p { (help) }
            @if let Some(action) = action { div.row.empty-actions { (action) } }
        }
    }
}
