//! One arrangement: its content, and ending it.

use app::{arrangement::ArrangementRow, catalogue::language::sector, pages::Precondition};
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
    address_of, cost, critical_badge,
    facts::{besides, chain},
    substitutability_badge, term,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{
        concentration_risk, evidence, past,
        record::{
            self,
            form::{complaints, id_of, settled},
        },
    },
    respond::Answer,
    route,
    texts::{analysis as risk, arrangement as texts, common, record as shared},
    ui::{self, field::Field},
};

/// The page; `form` contains the entries of a refused end.
pub(super) async fn page(
    workspace: &Workspace,
    visit: &Visit,
    id: ArrangementId,
    form: &Form,
) -> Result<Markup, PageError> {
    let (detail, _) = workspace.app.records.record::<Arrangement>(visit.caller(), id).await?;
    let row = &detail.record;
    let past = past::whole_section::<Arrangement>(workspace, visit, row.id).await?;
    let notice_by = workspace.app.third_parties.notice_by(visit.caller(), row.id).await?;
    let (content, t) = (&row.record.contract, |label| visit.t(label));
    let may_write = visit.may(Resource::Arrangements, Right::Write) && row.archived_at.is_none();
    let may_decide = visit.may(Resource::Arrangements, Right::Decide);
    let may_attach = visit.may(Resource::Evidence, Right::Write);
    let evidence = evidence::section(workspace, visit, LinkType::Arrangement, row.id, may_attach).await?;
    let (address, title) = (address_of(row.id), content.provider.name.as_str());
    let actions = html! {
        (ui::link_button(&concentration_risk::blast_address(title), t(risk::BLAST), false))
        @if may_write {
            (ui::link_button(&format!("{}/simulate?end={}", route::CONCENTRATION, row.id), t(texts::SIMULATE_END), false))
            (ui::link_button(&format!("{address}/edit"), t(shared::EDIT), false))
        }
    };
    let names = (address.as_str(), content.reference.as_str());
    let removal = workspace.app.records.removal::<Arrangement>(visit.caller(), row.id).await?;
    let content = html! {
        (ui::head(title, content.service.as_str(), Some(actions)))
        (ui::notice::done(visit, &record::DONE))
        (record::archived(visit, &address, row.archived_at, may_decide))
        (complaints::<Arrangement>(visit, form, &[]))
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
            (record::field::facts(view, &row.record))
            dt { (t(Arrangement::COUNTRY.label)) } dd { (content.provider.country.named(view.language)) }
            dt { (t(Arrangement::SECTOR.label)) } dd { (sector(content.provider.sector.as_str(), view.language)) }
            dt { (t(Arrangement::ANNUAL_COST.label)) } dd { (cost(view, content.annual_cost)) }
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
    ui::section(view.t(Arrangement::FUNCTIONS.label), &list)
}

fn ending(visit: &Visit, address: &str, form: &Form) -> Markup {
    let asked = html! {
        form method="post" action={ (address) "/end" } {
            (visit.form_token())
            p.hint { (visit.t(texts::END_HELP)) }
            (Field::day(visit, form, "ends_on", Arrangement::ENDS_ON.label).render())
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
    let (Posted { visit, form }, id) = (posted, id_of::<Arrangement>(&id)?);
    let input = ArrangementInput { ends_on: last_day(&form), ..ArrangementInput::default() };
    let ended = workspace
        .app
        .records
        .change_record::<Arrangement>(visit.caller(), id, input, Precondition::None)
        .await;
    settled::<Arrangement, _>(&workspace, &visit, id, form, ended, "changed").await
}

/// An end without a day would reopen the arrangement, so it is refused.
fn last_day(form: &Form) -> Change<String> {
    Change::Set(form.value("ends_on").trim().to_owned())
}
