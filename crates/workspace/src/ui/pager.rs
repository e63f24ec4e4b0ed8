//! Paging through a long list. Filters stay in the address, so a page can be bookmarked and shared.

use domain::{
    page::{Page, PageRequest},
    wording::Label,
};
use maud::{Markup, html};

use crate::{extract::View, texts::common};

/// The requested page in the address; an invalid one is the first.
pub(crate) fn requested(view: &View) -> PageRequest {
    let number = |name: &str| view.query(name).and_then(|text| text.parse().ok());
    PageRequest::new(number("limit"), number("offset")).unwrap_or_default()
}

pub(crate) fn pager<T>(view: &View, page: &Page<T>) -> Markup {
    let (offset, limit) = (page.request.offset(), u64::from(page.request.limit()));
    let shown = page.items.len() as u64;
    if page.total == 0 || (offset == 0 && shown == page.total) {
        return html! {};
    }
    let first = if shown == 0 { 0 } else { offset + 1 };
    let range =
        view.fill(common::RANGE, &[("first", &first), ("last", &(offset + shown)), ("total", &page.total)]);
    let before = (offset > 0).then(|| [0, offset.saturating_sub(limit)].map(|start| address(view, start)));
    let last = page.total.saturating_sub(1) / limit * limit;
    let after =
        (offset + shown < page.total).then(|| [offset + limit, last].map(|start| address(view, start)));
    html! {
        nav.pager aria-label=(view.t(common::PAGES)) {
            @if let Some([first, before]) = before {
                a.button href=(first) { (view.t(common::FIRST)) }
                a.button rel="prev" href=(before) { (view.t(common::PREVIOUS)) }
            }
            span { (range) }
            @if let Some([after, last]) = after {
                a.button rel="next" href=(after) { (view.t(common::NEXT)) }
                a.button href=(last) { (view.t(common::LAST)) }
            }
        }
    }
}

/// The number of matching records above the table; the singular is for exactly one.
pub(crate) fn counted(view: &View, total: u64, one: Label, many: Label) -> Markup {
    let text = if total == 1 { view.t(one).to_owned() } else { view.fill(many, &[("count", &total)]) };
    html! { p.quiet.count role="status" { (text) } }
}

/// This address with another offset.
fn address(view: &View, offset: u64) -> String {
    let query = view.address.split_once('?').map_or("", |(_, query)| query);
    let kept =
        form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "offset" && name != "done");
    let mut written = form_urlencoded::Serializer::new(String::new());
    written.extend_pairs(kept);
    if offset > 0 {
        written.append_pair("offset", &offset.to_string());
    }
    let query = written.finish();
    if query.is_empty() { view.path().to_owned() } else { format!("{}?{query}", view.path()) }
}
