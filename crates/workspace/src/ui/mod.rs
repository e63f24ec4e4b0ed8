//! The parts every page is made of. `/workspace/design` shows them all; their look is in `assets/`.

pub(crate) mod badge;
pub(crate) mod chart;
pub(crate) mod field;
pub(crate) mod filter;
pub(crate) mod history;
pub(crate) mod icon;
pub(crate) mod layout;
pub(crate) mod navigation;
pub(crate) mod notice;
pub(crate) mod pager;
pub(crate) mod table;

use domain::wording::Label;
use maud::{Markup, html};

use crate::{texts::common, visit::Visit};

/// The head of a page: its title, a sentence on what it is for, and the one thing to do first.
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

/// A part of a page under its own heading.
pub(crate) fn section(title: &str, content: &Markup) -> Markup {
    html! { section.card { h2 { (title) } (content) } }
}

/// A link that looks like the button it leads to.
pub(crate) fn link_button(address: &str, text: &str, primary: bool) -> Markup {
    html! { a.button.primary[primary] href=(address) { (text) } }
}

/// A button that changes something and nothing else: a form of its own.
pub(crate) fn post_button(visit: &Visit, action: &str, text: &str) -> Markup {
    html! {
        form.inline method="post" action=(action) { (visit.form_token()) button.button type="submit" { (text) } }
    }
}

/// What a destructive action asks before it is done.
#[derive(Debug)]
pub(crate) struct Confirm<'c> {
    pub(crate) action: &'c str,
    /// What opens the question.
    pub(crate) opener: Label,
    /// Whose question it is, for those who hear a page instead of seeing it.
    pub(crate) about: &'c str,
    pub(crate) question: String,
    pub(crate) sure: Label,
}

impl Confirm<'_> {
    /// A question that opens in place, without a script.
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

/// Something to be copied once, with a button that copies it where a script runs.
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

/// What a page without records shows: what to do first.
pub(crate) fn empty(title: &str, help: &str, action: Option<Markup>) -> Markup {
    html! {
        div.empty {
            (icon::TIDE.render())
            p.empty-title { (title) }
            p { (help) }
            @if let Some(action) = action { (action) }
        }
    }
}
