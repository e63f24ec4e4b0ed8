//! One arrangement: its content, and ending it.

use app::{Error, arrangement::ArrangementRow, catalogue::language::sector, pages::Precondition};
use axum::extract::{Path, State};
use domain::{
    arrangement::{Arrangement, ArrangementInput, Contract},
    change::Change,
    evidence::LinkType,
    id::ArrangementId,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{
    address_of, arrangement_id, cost, critical_badge,
    facts::{besides, chain},
    stored, substitutability_badge, term,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{analysis, approval, evidence, past, record},
    respond::{self, Answer},
    route,
    texts::{analysis as risk, arrangement as texts, common, record as shared},
    ui::{self, field::Field, notice::complaints},
};

pub(super) async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let (row, _) = stored(&workspace, &visit, arrangement_id(&id)?).await?;
    respond::page(page(&workspace, &visit, &row, &Form::default()).await?)
}

/// The page; `form` contains the entries of a refused end.
async fn page(
    workspace: &Workspace,
    visit: &Visit,
    row: &ArrangementRow,
    form: &Form,
) -> Result<Markup, PageError> {
    let past = past::whole_section::<Arrangement>(workspace, visit, row.id).await?;
    let notice_by = workspace.app.notice_by(visit.caller(), row.id).await?;
    let (content, t) = (&row.record.contract, |label| visit.t(label));
    let may_write = visit.may(Resource::Arrangements, Right::Write) && row.archived_at.is_none();
    let may_decide = visit.may(Resource::Arrangements, Right::Decide);
    let may_attach = visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::Arrangement, row.id, may_attach).await?;
    let (address, title) = (address_of(row.id), content.provider.name.as_str());
    let actions = html! {
        (ui::link_button(&analysis::blast_address(title), t(risk::BLAST), false))
        @if may_write {
            (ui::link_button(&format!("{}/simulate?end={}", route::CONCENTRATION, row.id), t(texts::SIMULATE_END), false))
            (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false))
        }
    };
    let names = (address.as_str(), content.reference.as_str());
    let removal = workspace.app.removal::<Arrangement>(visit.caller(), row.id).await?;
    let content = html! {
        (ui::head(title, content.service.as_str(), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (record::archived(visit, &address, row.archived_at, may_decide))
        (complaints(visit, form, &[("ends_on", texts::ENDS_ON), ("arrangement", risk::ARRANGEMENT)]))
        div.split {
            div { section.card { (facts(visit, row)) } (functions(visit, content)) (chain(visit, row)) }
            div {
                (ui::section(t(texts::BESIDES), &html! {
                    (besides(visit, &row.record.facts, notice_by))
                    @if may_write {
                        div.row { (ui::link_button(&format!("{address}/facts"), t(texts::CHANGE_FACTS), false)) }
                    }
                }))
                (evidence)
                @if may_write { (ending(visit, &address, form)) }
                (past)
            }
        }
        @if may_decide { (record::removal(visit, names.0, names.1, removal)) }
    };
    Ok(ui::layout::page(visit, title, &content))
}

fn facts(view: &View, row: &ArrangementRow) -> Markup {
    let (content, t) = (&row.record.contract, |label| view.t(label));
    html! {
        div.row {
            (substitutability_badge(view, content.substitutability))
            @if content.is_critical() { (critical_badge(view)) }
            (term(view, row))
        }
        dl.facts {
            dt { (t(texts::REFERENCE)) } dd { (content.reference.as_str()) }
            dt { (t(texts::SERVICE_TYPE)) } dd { (t(content.service_type.label())) }
            dt { (t(texts::LEI)) } dd { (view.or_none(content.provider.lei.map(|lei| lei.to_string()))) }
            dt { (t(texts::COUNTRY)) } dd { (content.provider.country.named(view.language)) }
            dt { (t(texts::SECTOR)) } dd { (sector(content.provider.sector.as_str(), view.language)) }
            dt { (t(texts::TECHNOLOGY)) } dd { (content.technology.as_str()) }
            dt { (t(texts::REGION)) } dd { (content.region.as_str()) }
            dt { (t(texts::COST)) } dd { (cost(view, content.annual_cost)) }
            dt { (t(texts::STARTS_ON)) } dd { (view.day(content.starts_on)) }
            dt { (t(texts::ENDS_ON)) } dd { (view.day_or_none(content.ends_on)) }
            dt { (t(common::CHANGED)) } dd { (view.time(row.updated_at)) }
        }
    }
}

fn functions(view: &View, content: &Contract) -> Markup {
    let list = html! {
        @if content.functions.is_empty() { p.quiet { (view.t(shared::NOT_SET)) } }
        ul.bullets {
            @for function in &content.functions {
                li {
                    (function.name.as_str()) " "
                    @if function.critical { (critical_badge(view)) }
                }
            }
        }
    };
    ui::section(view.t(texts::FUNCTIONS), &list)
}

fn ending(visit: &Visit, address: &str, form: &Form) -> Markup {
    let asked = html! {
        form method="post" action={ (address) "/end" } {
            (visit.form_token())
            p.hint { (visit.t(texts::END_HELP)) }
            (Field::day(visit, form, "ends_on", texts::ENDS_ON).render())
            div.form-end { button.button type="submit" { (visit.t(texts::END)) } }
        }
    };
    ui::section(visit.t(texts::END_TITLE), &asked)
}

pub(super) async fn end(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, arrangement_id(&id)?);
    let input = ArrangementInput { ends_on: last_day(&form), ..ArrangementInput::default() };
    let ended =
        workspace.app.change_record::<Arrangement>(visit.caller(), id, input, Precondition::None).await;
    match ended {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

/// An end without a day would reopen the arrangement, so it is refused.
fn last_day(form: &Form) -> Change<String> {
    Change::Set(form.value("ends_on").trim().to_owned())
}

pub(super) async fn delete(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, arrangement_id(&id)?);
    let deleted =
        workspace.app.delete_record::<Arrangement>(visit.caller(), id, record::precondition(&form)).await;
    match deleted {
        Ok(()) => respond::go_to(&route::done(route::ARRANGEMENTS, "deleted")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

pub(super) async fn archive(workspace: State<Workspace>, id: Path<String>, posted: Posted) -> Answer {
    put_away(workspace, id, posted, true).await
}

pub(super) async fn restore(workspace: State<Workspace>, id: Path<String>, posted: Posted) -> Answer {
    put_away(workspace, id, posted, false).await
}

async fn put_away(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    Posted { visit, form }: Posted,
    archived: bool,
) -> Answer {
    let id = arrangement_id(&id)?;
    let precondition = record::precondition(&form);
    match workspace.app.archive_record::<Arrangement>(visit.caller(), id, archived, precondition).await {
        Ok(_) => {
            respond::go_to(&route::done(&address_of(id), if archived { "archived" } else { "restored" }))
        }
        Err(Error::ApprovalRequired(wanted)) => respond::go_to(&approval::address_for(&wanted)),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

/// The page again, with why something was refused.
async fn refused(
    workspace: &Workspace,
    visit: &Visit,
    id: ArrangementId,
    mut form: Form,
    error: Error,
) -> Answer {
    form.refuse(error)?;
    let (row, _) = stored(workspace, visit, id).await?;
    respond::refused(page(workspace, visit, &row, &form).await?)
}
