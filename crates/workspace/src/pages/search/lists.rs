//! Tags and regions as results: each leads to the list that it narrows.

use app::search::{NarrowedBy, NarrowedList, SearchText};
use domain::arrangement::Arrangement;
use maud::{Markup, html};

use super::FEW;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    pages::views,
    texts::{search as texts, tag},
};

/// The lists that the words name by a tag or a region.
pub(super) async fn found(
    workspace: &Workspace,
    visit: &Visit,
    question: SearchText,
) -> Result<Vec<NarrowedList>, PageError> {
    Ok(workspace.app.reference.narrowed_lists(visit.caller(), question, FEW).await?)
}

pub(super) fn section(view: &View, lists: &[NarrowedList]) -> Markup {
    html! {
        @if !lists.is_empty() {
            section.card {
                h2 { (view.t(texts::LISTS)) }
                ul.hits {
                    @for list in lists {
                        li { a href=(address(list)) { (list.value) } " " span.quiet { (about(view, list)) } }
                    }
                }
            }
        }
    }
}

/// What it is, and of which records.
pub(super) fn about(view: &View, list: &NarrowedList) -> String {
    let by = match list.by {
        NarrowedBy::Tag => tag::TAG,
        NarrowedBy::Region => Arrangement::REGION.label,
    };
    format!("{} · {}", view.t(by), views::list_title(view, list.kind))
}

pub(super) fn address(list: &NarrowedList) -> String {
    let name = match list.by {
        NarrowedBy::Tag => "tag",
        NarrowedBy::Region => "region",
    };
    let query = form_urlencoded::Serializer::new(String::new()).append_pair(name, &list.value).finish();
    format!("{}?{query}", views::address_of(list.kind.table))
}
