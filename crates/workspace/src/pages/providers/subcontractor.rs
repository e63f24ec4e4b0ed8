//! The companies behind a provider, and the press that makes a record of one.

use app::provider::{ProviderPage, Subcontractor};
use axum::extract::{Path, State};
use domain::{
    country::Country,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, detail, provider_id};
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::provider as texts,
    ui::{
        self,
        table::{Column, table},
    },
};

pub(super) fn section(visit: &Visit, page: &ProviderPage, form: &Form, may_write: bool) -> Markup {
    if page.subcontractors.is_empty() {
        return html! {};
    }
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::SUBCONTRACTORS)),
        Column::text(t(texts::BEHIND)),
        Column::text(t(texts::OWN_RECORD)),
    ];
    let action = format!("{}/subcontractors", address_of(page.provider.row.id));
    let row = |one: &Subcontractor| {
        let contracts: Vec<&str> = one.contracts.iter().map(String::as_str).collect();
        vec![
            html! {
                (one.party.name.as_str())
                @if let Some(lei) = one.party.lei { br; span.quiet { (lei) } }
            },
            html! { (contracts.join(", ")) },
            html! {
                @match one.record {
                    Some(id) => a href=(address_of(id)) { (t(texts::OWN_RECORD)) },
                    None => { @if may_write { (making(visit, &action, one, form)) } },
                }
            },
        ]
    };
    let rows: Vec<_> = page.subcontractors.iter().map(row).collect();
    let content = html! {
        p.hint { (t(texts::SUBCONTRACTORS_HELP)) }
        (table(t(texts::SUBCONTRACTORS), &columns, &rows))
    };
    html! { div #subcontractors { (ui::section(t(texts::SUBCONTRACTORS), &content)) } }
}

/// The press. The country is asked for only once it turned out that the register does not name it.
fn making(visit: &Visit, action: &str, one: &Subcontractor, form: &Form) -> Markup {
    let name = one.party.name.as_str();
    let asked = form.value("name") == name;
    html! {
        form.inline method="post" action=(action) {
            (visit.form_token())
            input type="hidden" name="name" value=(name);
            @if asked {
                label for="country" { (visit.t(texts::MAKE_COUNTRY)) }
                input #country name="country" type="text" maxlength="2" size="3" value=(form.value("country"));
            }
            button.button type="submit" { (visit.t(texts::MAKE_RECORD)) }
        }
    }
}

pub(super) async fn make(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, provider_id(&id)?);
    visit.caller().require_right(Resource::Providers, Right::Write)?;
    let country = form.parse_optional::<Country>("country");
    let name = form.value("name").to_owned();
    let made = match form.finish(Some(())) {
        Ok(()) => workspace.app.third_parties.create_subcontractor(visit.caller(), id, name, country).await,
        Err(error) => Err(error),
    };
    match made {
        Ok((made, _)) => respond::go_to(&route::done(&address_of(made.record.row.id), "made")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}
