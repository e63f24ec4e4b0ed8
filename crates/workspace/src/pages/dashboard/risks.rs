//! The risk register on its matrix, before and after treatment.

use maud::{Markup, html};

use super::Board;
use crate::{
    pages::risk,
    route,
    texts::{dashboard as texts, reference},
};

impl Board<'_> {
    pub(super) fn risks(&self) -> Markup {
        let (view, edition) = (self.view, &self.dashboard.edition);
        if edition.risks.is_empty() {
            return html! { p.quiet { (self.t(texts::NO_RISKS)) } };
        }
        html! {
            div.halves {
                @for (inherent, title) in [(true, reference::INHERENT), (false, reference::RESIDUAL)] {
                    div { h3 { (self.t(title)) } (risk::matrix(view, edition, inherent, title)) }
                }
            }
            p { a href=(route::RISK_REGISTER) { (self.t(texts::TO_RISKS)) } }
        }
    }
}
