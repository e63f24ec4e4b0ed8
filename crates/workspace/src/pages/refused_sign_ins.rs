//! Refused sign-ins: of the user's own account, of one account, and of all.

use app::refused_sign_in::RefusedRow;
use maud::{Markup, html};

use crate::{
    extract::{View, Visit},
    route,
    texts::{profile, refused_sign_in as texts, user},
    ui::table::{Column, table},
};

/// On the user's own profile.
pub(super) fn own(visit: &Visit, refused: &[RefusedRow]) -> Markup {
    part(visit, refused, texts::OWN_HELP, false)
}

/// On the page of one account, for administrators.
pub(super) fn of_account(visit: &Visit, refused: &[RefusedRow]) -> Markup {
    part(visit, refused, texts::HELP, false)
}

/// Under the list of all accounts, for administrators.
pub(super) fn of_all(visit: &Visit, refused: &[RefusedRow]) -> Markup {
    part(visit, refused, texts::HELP, true)
}

fn part(visit: &Visit, refused: &[RefusedRow], help: domain::wording::Label, named: bool) -> Markup {
    if refused.is_empty() {
        return html! { p.quiet { (visit.t(texts::NONE)) } };
    }
    let t = |label| visit.t(label);
    let mut columns = if named { vec![Column::text(t(user::PERSON))] } else { Vec::new() };
    columns.extend([
        Column::text(t(texts::LAST)),
        Column::text(t(texts::MEANS)),
        Column::text(t(profile::ADDRESS)),
        Column::number(t(texts::TRIES)),
    ]);
    let rows: Vec<_> = refused.iter().map(|row| cells(visit, row, named)).collect();
    html! {
        p { (t(help)) }
        (table(t(texts::TITLE), &columns, &rows))
    }
}

fn cells(view: &View, row: &RefusedRow, named: bool) -> Vec<Markup> {
    let means = match row.means.as_str() {
        "code" => texts::CODE,
        "passkey" => texts::PASSKEY,
        _ => texts::PASSWORD,
    };
    let mut cells = Vec::new();
    if named {
        cells.push(html! { a href={ (route::USERS) "/" (row.user) } { (row.name.as_str()) } });
    }
    cells.extend([
        view.time(row.last_at),
        html! { (view.t(means)) },
        html! {
            @if row.address.is_empty() { span.quiet { (view.t(texts::FURTHER)) } } @else { (row.address) }
        },
        html! { (row.tries) },
    ]);
    cells
}
