//! The menu of the files of a list.

use domain::right::{Resource, Right};
use maud::{Markup, html};

use super::as_of;
use crate::{
    extract::View,
    pages::PageKind,
    route,
    texts::{common, record as texts, sample},
};

/// The export formats of a list: a table, or also a report.
pub(crate) const TABLES: [(&str, &str); 2] = [("csv", "CSV"), ("xlsx", "XLSX")];
pub(crate) const REPORTS: [(&str, &str); 3] = [PDF, ("csv", "CSV"), ("xlsx", "XLSX")];
pub(crate) const PDF: (&str, &str) = ("pdf", "PDF");

/// The menu of the files of a list. A report is a table, or has every record in full.
pub(crate) fn exports(view: &View, kinds: &[(&str, &str)]) -> Markup {
    exports_of(view, "", kinds)
}

/// The same for files at an address below the page.
pub(crate) fn exports_of(view: &View, below: &str, kinds: &[(&str, &str)]) -> Markup {
    let query = view.address.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
    let long = if query.is_empty() { "?style=long".to_owned() } else { format!("{query}&style=long") };
    let files = html! {
        @for (suffix, name) in kinds {
            li { a href={ (view.path()) (below) "." (suffix) (query) } { (name) } }
            @if *suffix == "pdf" {
                li { a href={ (view.path()) (below) "." (suffix) (long) } { (view.t(texts::LONG_PDF)) } }
            }
        }
    };
    export_menu(view, &html! { (files) (sampled(view)) })
}

/// The item that draws a sample from what the list shows now, for those who may.
fn sampled(view: &View) -> Markup {
    let list = PageKind::sampled_at(view.path()).map(|kind| kind.table);
    let offered = list.filter(|_| view.may(Resource::Samples, Right::Write) && as_of(view).is_none());
    let query = view.address.split_once('?').map(|(_, query)| format!("&{query}")).unwrap_or_default();
    html! {
        @if let Some(list) = offered {
            li { a href={ (route::NEW_SAMPLE) "?list=" (list) (query) } { (view.t(sample::NEW)) } }
        }
    }
}

/// The one button behind which all files of a page are; `files` are the items of a list.
pub(crate) fn export_menu(view: &View, files: &Markup) -> Markup {
    html! {
        details.menu {
            summary.button { (view.t(common::EXPORT)) span.menu-arrow aria-hidden="true" { "▾" } }
            ul.menu-list { (files) }
        }
    }
}
