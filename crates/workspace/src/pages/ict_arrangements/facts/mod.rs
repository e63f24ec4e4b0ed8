//! The facts of an arrangement besides the contract: exit plan, notice period, places, group and supply chain, shown on its
//! page and changed in a form of their own.
//!
//! The chain is a table of rows, with a few empty ones at its end; a button adds more without a script.

mod entered;

use std::collections::HashMap;

use app::{Error, Revision, arrangement::ArrangementRow};
use axum::extract::{Path, State};
use domain::{
    arrangement::{Arrangement, ArrangementInput, Facts, MOST_NOTICE_DAYS, Party, Place},
    id::ArrangementId,
    moment::Day,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use self::entered::{input, placed};
use super::address_of;
use crate::{
    Workspace,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{
        concentration_risk,
        record::{
            self,
            form::{complaints, id_of},
        },
    },
    respond::{self, Answer},
    route,
    texts::{analysis as risk, arrangement as texts, common, provider as providers},
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        table::{Column, table},
    },
};

/// Empty rows at the end of the chain, and how many more the button adds.
const SPARE: usize = 3;
/// The maximum number of rows; the domain refuses longer chains.
const MOST_ROWS: usize = 500;

/// The fields of a row of the chain.
const ROW: [(&str, Label); 3] =
    [("supplier", texts::SUPPLIER), ("lei", texts::SUPPLIER_LEI), ("recipient", texts::RECIPIENT)];

fn place_field(place: Place) -> &'static str {
    match place {
        Place::Provision => "places.provision",
        Place::Storage => "places.storage",
        Place::Processing => "places.processing",
    }
}

fn row_field(row: usize, part: &str) -> String {
    format!("chain.{row}.{part}")
}

/// What the form calls places and rows of the chain.
fn names(rows: usize) -> Vec<(String, Label)> {
    let places = Place::ALL.iter().map(|place| (place_field(*place).to_owned(), place.label()));
    let rows = (0..rows).flat_map(|row| ROW.map(|(part, label)| (row_field(row, part), label)));
    places.chain(rows).collect()
}

async fn stored(
    workspace: &Workspace,
    visit: &Visit,
    id: ArrangementId,
) -> Result<(ArrangementRow, Revision), Error> {
    let (detail, revision) = workspace.app.records.record::<Arrangement>(visit.caller(), id).await?;
    Ok((detail.record, revision))
}

/// The facts beside the arrangement, and the last day to give notice for its end.
pub(super) fn besides(view: &View, facts: &Facts, notice_by: Option<Day>) -> Markup {
    let t = |label| view.t(label);
    let plan = match facts.exit_plan {
        Some(true) => badge(Tone::Good, t(common::YES)),
        Some(false) => badge(Tone::Critical, t(common::NO)),
        None => html! { span.quiet { (t(risk::UNKNOWN_PLAN)) } },
    };
    html! {
        dl.facts {
            dt { (t(Arrangement::EXIT_PLAN.label)) } dd { (plan) }
            dt { (t(Arrangement::NOTICE_DAYS.label)) } dd { (view.or_none(facts.notice_days.map(|days| days.to_string()))) }
            dt { (t(providers::NOTICE_BY)) } dd { (view.day_or_none(notice_by)) }
            dt { (t(Arrangement::PARENT.label)) } dd { (view.or_none(facts.ultimate_parent.as_ref().map(named))) }
            @for place in Place::ALL { dt { (t(place.label())) } dd { (countries(view, facts, *place)) } }
        }
    }
}

fn named(party: &Party) -> String {
    party.lei.map_or_else(|| party.name.to_string(), |lei| format!("{} ({lei})", party.name))
}

fn codes(facts: &Facts, of: Place) -> String {
    let there = facts.places.iter().filter(|(place, _)| *place == of);
    there.map(|(_, country)| country.to_string()).collect::<Vec<_>>().join(", ")
}

fn countries(view: &View, facts: &Facts, of: Place) -> Markup {
    let there = facts.places.iter().filter(|(place, _)| *place == of);
    let names: Vec<_> = there.map(|(_, country)| country.named(view.language)).collect();
    view.or_none((!names.is_empty()).then(|| names.join(", ")))
}

/// The chain with the rank of each supplier; the direct provider is rank 1, as in the register of information.
pub(super) fn chain(view: &View, row: &ArrangementRow) -> Markup {
    let t = |label| view.t(label);
    let columns = [
        Column::tight(t(texts::RANK)),
        Column::text(t(texts::SUPPLIER)),
        Column::text(t(texts::SUPPLIER_LEI)),
        Column::text(t(texts::RECIPIENT)),
    ];
    let ranks = ranks(row.record.contract.provider.name.as_str(), &row.record.facts);
    let mut rows: Vec<_> = row
        .record
        .facts
        .chain
        .iter()
        .map(|step| {
            let supplier = step.supplier.name.as_str();
            let rank = ranks.get(supplier).copied().unwrap_or_default();
            let cells = vec![
                html! { (rank) },
                html! { a href=(concentration_risk::blast_address(supplier)) { (supplier) } },
                view.or_none(step.supplier.lei.map(|lei| lei.to_string())),
                html! { (step.recipient.name.as_str()) },
            ];
            (rank, cells)
        })
        .collect();
    rows.sort_by_key(|(rank, _)| *rank);
    let rows: Vec<_> = rows.into_iter().map(|(_, cells)| cells).collect();
    let content = html! {
        @if rows.is_empty() { p.quiet { (t(texts::NO_CHAIN)) } }
        @else { p.hint { (t(texts::RANK_HELP)) } (table(t(Arrangement::SUPPLY_CHAIN.label), &columns, &rows)) }
    };
    ui::section(t(Arrangement::SUPPLY_CHAIN.label), &content)
}

/// The number of steps from each company to the bank. A chain has no cycles, so this terminates.
fn ranks<'f>(provider: &'f str, facts: &'f Facts) -> HashMap<&'f str, u32> {
    let mut ranks = HashMap::from([(provider, 1)]);
    loop {
        let before = ranks.len();
        for step in &facts.chain {
            if let Some(rank) = ranks.get(step.recipient.name.as_str()).copied() {
                ranks.entry(step.supplier.name.as_str()).or_insert(rank + 1);
            }
        }
        if ranks.len() == before {
            return ranks;
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Arrangements, Right::Write)?;
    let (row, revision) = stored(&workspace, &visit, id_of::<Arrangement>(&id)?).await?;
    let validator = workspace.app.record_validator(row.version, revision);
    respond::page(page(&visit, &row, &filled(&row, validator)))
}

fn filled(row: &ArrangementRow, validator: String) -> Form {
    let facts = &row.record.facts;
    let parent = facts.ultimate_parent.as_ref();
    let lei = |party: &Party| party.lei.map(|lei| lei.to_string()).unwrap_or_default();
    let plan = facts.exit_plan.map_or("", |plan| if plan { "yes" } else { "no" });
    let mut pairs = vec![
        (record::SEEN.to_owned(), validator),
        ("exit_plan".to_owned(), plan.to_owned()),
        ("notice_days".to_owned(), facts.notice_days.map(|days| days.to_string()).unwrap_or_default()),
        ("ultimate_parent.name".to_owned(), parent.map(|party| party.name.to_string()).unwrap_or_default()),
        ("ultimate_parent.lei".to_owned(), parent.map(lei).unwrap_or_default()),
        ("rows".to_owned(), (facts.chain.len() + SPARE).to_string()),
    ];
    pairs.extend(Place::ALL.iter().map(|place| (place_field(*place).to_owned(), codes(facts, *place))));
    for (number, step) in facts.chain.iter().enumerate() {
        let direct = step.recipient.name == row.record.contract.provider.name;
        let recipient = if direct { String::new() } else { step.recipient.name.to_string() };
        pairs.push((row_field(number, "supplier"), step.supplier.name.to_string()));
        pairs.push((row_field(number, "lei"), lei(&step.supplier)));
        pairs.push((row_field(number, "recipient"), recipient));
    }
    Form::filled(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

/// How many rows of the chain the form has.
fn rows(form: &Form) -> usize {
    form.value("rows").parse().unwrap_or(SPARE).clamp(SPARE, MOST_ROWS)
}

fn page(visit: &Visit, row: &ArrangementRow, form: &Form) -> Markup {
    let (address, t) = (address_of(row.id), |label| visit.t(label));
    let names = names(rows(form));
    let names: Vec<_> = names.iter().map(|(name, label)| (name.as_str(), *label)).collect();
    let content = html! {
        (ui::head(t(texts::EDIT_FACTS), row.record.contract.provider.name.as_str(), None))
        (record::overtaken(visit, form, &address))
        (complaints::<Arrangement>(visit, form, &names))
        form.card method="post" action={ (address) "/facts" } {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (fields(visit, form))
            (chain_fields(visit, form, row.record.contract.provider.name.as_str()))
            div.form-end {
                button.button.primary type="submit" { (t(common::SAVE)) }
                button.button type="submit" name="step" value="more" formnovalidate { (t(texts::MORE_ROWS)) }
                a.button href=(address) { (t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, t(texts::EDIT_FACTS), &content)
}

fn fields(visit: &Visit, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    let plans = [
        Choice::new("", t(risk::UNKNOWN_PLAN)),
        Choice::new("yes", t(common::YES)),
        Choice::new("no", t(common::NO)),
    ];
    html! {
        div.columns {
            (field::select(visit, form, "exit_plan", Arrangement::EXIT_PLAN.label, &plans))
            (Field::number(visit, form, "notice_days", Arrangement::NOTICE_DAYS.label, (0, i64::from(MOST_NOTICE_DAYS)))
                .optional().hint(texts::NOTICE_HINT).render())
            (Field::text(visit, form, "ultimate_parent.name", Arrangement::PARENT.label).optional().render())
            (Field::text(visit, form, "ultimate_parent.lei", Arrangement::PARENT_LEI.label).optional().render())
        }
        fieldset {
            legend { (t(Arrangement::PLACES.label)) }
            p.hint { (t(texts::PLACES_HINT)) }
            div.columns {
                @for place in Place::ALL {
                    (Field::text(visit, form, place_field(*place), place.label()).optional().render())
                }
            }
        }
    }
}

fn chain_fields(visit: &Visit, form: &Form, provider: &str) -> Markup {
    let names: Vec<_> =
        (0..rows(form)).map(|row| ROW.map(|(part, label)| (row_field(row, part), label))).collect();
    html! {
        fieldset #supply_chain {
            legend { (visit.t(Arrangement::SUPPLY_CHAIN.label)) }
            p.hint { (visit.fill(texts::CHAIN_HINT, &[("provider", &provider)])) }
            input type="hidden" name="rows" value=(rows(form));
            @for (number, row) in (1..).zip(&names) {
                div.columns role="group" aria-label={ (visit.t(Arrangement::SUPPLY_CHAIN.label)) " " (number) } {
                    @for (name, label) in row { (Field::text(visit, form, name, *label).optional().render()) }
                }
            }
            @for complaint in form.complaints("supply_chain") { p.wrong { (visit.complaint(complaint)) } }
        }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, id_of::<Arrangement>(&id)?);
    visit.caller().require_right(Resource::Arrangements, Right::Write)?;
    let (row, revision) = stored(&workspace, &visit, id).await?;
    if form.value("step") == "more" {
        let more = (rows(&form) + SPARE).min(MOST_ROWS).to_string();
        form.replace("rows", more);
        return respond::page(page(&visit, &row, &form));
    }
    let (facts, precondition) = (input(&mut form), record::precondition(&form));
    let input = ArrangementInput { facts, ..ArrangementInput::default() };
    let changed = match form.finish(Some(input)) {
        Ok(input) => {
            workspace.app.records.change_record::<Arrangement>(visit.caller(), id, input, precondition).await
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            form.overtake(record::SEEN, workspace.app.record_validator(row.version, revision));
            respond::overtaken(page(&visit, &row, &form))
        }
        Err(error) => {
            form.refuse(error)?;
            form.relocate(placed);
            respond::refused(page(&visit, &row, &form))
        }
    }
}
