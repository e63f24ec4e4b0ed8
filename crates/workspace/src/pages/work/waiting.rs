//! Decisions on the list of work: what waits for the reader, and what the reader asked for and waits for others.

use app::approval::{ApprovalFilter, ApprovalRow};
use domain::{
    approval::{Approval, ApprovalState},
    page::{Page, PageRequest},
    wording::Label,
};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    pages::names::Names,
    route,
    texts::{approval, work as texts},
    ui::table::{Column, table},
};

/// How many requests each section shows; its heading counts all.
const SHOWN: u32 = 10;

pub(super) async fn sections(workspace: &Workspace, visit: &Visit) -> Result<Markup, PageError> {
    let user = visit.session().user.id;
    let for_me = ApprovalFilter { approver: Some(user), ..Default::default() };
    let (state, asked_by) = (ApprovalState::Asked.into(), Some(user.to_string()));
    let by_me = ApprovalFilter { state, asked_by, ..Default::default() };
    let mut parts = Vec::new();
    for (filter, place, label, list) in
        [(for_me, "to-decide", texts::TO_DECIDE, "mine"), (by_me, "asked", texts::ASKED, "asked")]
    {
        let request = PageRequest::part(SHOWN, 0);
        let (page, _) =
            workspace.app.records.records_at::<Approval>(visit.caller(), &filter, request).await?;
        let people = page.items.iter().map(|row| row.record.asked_by.clone());
        let names = Names::of(workspace, visit, people).await?;
        parts.push(part(visit, &page, (place, label, list), &names));
    }
    Ok(html! { @for part in &parts { (part) } })
}

fn part(
    visit: &Visit,
    page: &Page<ApprovalRow>,
    (place, label, list): (&str, Label, &str),
    names: &Names,
) -> Markup {
    if page.total == 0 {
        return html! {};
    }
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(approval::SUBJECT)),
        Column::text(t(approval::ACTION)),
        Column::person(t(approval::ASKED_BY)),
        Column::tight(t(approval::ASKED_AT)),
    ];
    let cells = |row: &ApprovalRow| {
        vec![
            html! { a href={ (route::APPROVALS) "/" (row.id) } data-step { (row.record.title.as_str()) } },
            html! { (t(row.record.action.label())) },
            html! { (names.get(&row.record.asked_by).unwrap_or_default()) },
            visit.time(row.created_at),
        ]
    };
    let rows: Vec<_> = page.items.iter().map(cells).collect();
    html! {
        section.card id=(place) {
            h2 { (t(label)) " (" (page.total) ")" }
            (table(t(label), &columns, &rows))
            @if page.total > u64::from(SHOWN) {
                p { a href={ (route::APPROVALS) "?list=" (list) } { (t(texts::ALL_OF_THEM)) } }
            }
        }
    }
}
