//! Own fields in the address of a list.

use domain::custom_field::{CUSTOM, CustomValue, Holding, ValueDigest};
use maud::{Markup, html};

use crate::{extract::View, pages::PageKind, texts::custom_field as texts};

/// The values of own fields in the address, which belong to the list that it shows or to a file of it. No record is
/// found by more than a list takes.
pub(crate) fn holding(view: &View) -> Holding {
    let list = view.path().split('.').next().unwrap_or_default();
    let Some(kind) = PageKind::sampled_at(list) else { return Holding::default() };
    let sought = view.members(CUSTOM);
    let digests = sought
        .iter()
        .map(|(key, text)| ValueDigest::of(kind.table, key, &CustomValue::Text(text.trim().to_owned())));
    Holding::of(digests).unwrap_or_else(|_| Holding::unheld())
}

/// Says that a list is not filtered by so many own fields.
pub(super) fn too_many(view: &View) -> Markup {
    let is_refused = view.members(CUSTOM).len() > Holding::MOST;
    html! {
        @if is_refused {
            p.wrong role="alert" { (view.fill(texts::TOO_MANY_FILTERS, &[("most", &Holding::MOST)])) }
        }
    }
}
