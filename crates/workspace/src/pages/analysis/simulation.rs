//! What ending or signing arrangements would change. Nothing is kept.

use app::analysis::{Simulated, WantedChange};
use axum::extract::State;
use domain::exact::Hundredths;
use maud::{Markup, html};

use super::{arrangement, arrangement_choices, level_badge, question, request};
use crate::{
    Workspace,
    form::Form,
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::analysis as texts,
    ui::{
        self, field,
        notice::complaints,
        table::{Column, table},
    },
    visit::{Posted, View, Visit},
};

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, &Form::default(), &html! {}).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form, outcome: &Markup) -> Result<Markup, Oops> {
    let t = |label| visit.t(label);
    let choices = arrangement_choices(workspace, visit).await?;
    let names = [("end", texts::END), ("rates", texts::RATES), ("as_of", texts::AS_OF)];
    let content = html! {
        (ui::head(t(texts::SIMULATION), t(texts::SIMULATION_INTRO), None))
        (complaints(visit, form, &names))
        (outcome)
        form.card method="post" action={ (route::CONCENTRATION) "/simulate" } {
            (visit.form_token())
            (field::choices(visit, form, "end", texts::END, true, &choices))
            (question(visit, form))
            div.form-end {
                button.button.primary type="submit" { (t(texts::SIMULATE)) }
                a.button href=(route::CONCENTRATION) { (t(texts::TITLE)) }
            }
        }
    };
    Ok(ui::layout::page(visit, t(texts::SIMULATION), &content))
}

pub(super) async fn run(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let simulated = match changes(&mut form) {
        Ok((request, changes)) => workspace.app.simulate(visit.caller(), request, changes).await,
        Err(error) => Err(error),
    };
    match simulated {
        Ok(simulated) => {
            let outcome = outcome(&visit, &simulated);
            respond::page(page(&workspace, &visit, &form, &outcome).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form, &html! {}).await?)
        }
    }
}

type Wanted = (app::analysis::AnalysisRequest, Vec<WantedChange>);

/// What is to end, and, when the form of a new arrangement sent it, what is to be signed.
fn changes(form: &mut Form) -> Result<Wanted, app::Error> {
    let request = request(form)?;
    let mut changes: Vec<_> =
        form.all("end").filter_map(|id| id.parse().ok()).map(WantedChange::End).collect();
    if form.is_checked("provider.name") {
        changes.push(WantedChange::Sign(arrangement::draft(form)?));
    }
    Ok((request, changes))
}

fn outcome(view: &View, simulated: &Simulated) -> Markup {
    let t = |label| view.t(label);
    let level = |analysis: &Option<app::analysis::Analysis>| {
        analysis.as_ref().map_or_else(|| html! { "–" }, |analysis| level_badge(view, &analysis.head.level))
    };
    let difference = &simulated.difference;
    let moved = difference.dimensions.iter().any(|dimension| !dimension.entries.is_empty());
    let part = html! {
        div.stats {
            div { span.quiet { (t(texts::LEVEL)) " " (t(texts::BEFORE)) } span.figure { (level(&simulated.before)) } }
            div { span.quiet { (t(texts::LEVEL)) " " (t(texts::AFTER)) } span.figure { (level(&simulated.after)) } }
        }
        @if !moved { p { (t(texts::NO_CHANGE)) } }
        @for dimension in difference.dimensions.iter().filter(|dimension| !dimension.entries.is_empty()) {
            h3 { (t(dimension.dimension.label())) }
            (shares(view, &dimension.entries))
        }
        (breaches(view, texts::NEW_BREACHES, &difference.new_breaches))
        (breaches(view, texts::GONE_BREACHES, &difference.gone_breaches))
    };
    ui::section(t(texts::DIFFERENCE), &part)
}

fn shares(view: &View, entries: &[domain::concentration::EntryDifference]) -> Markup {
    let columns = [
        Column::text(view.t(texts::NAME)),
        Column::number(view.t(texts::BEFORE)),
        Column::number(view.t(texts::AFTER)),
        Column::number(view.t(texts::DIFFERENCE)),
    ];
    let shown = |share: Option<Hundredths>| share.map_or_else(|| "–".to_owned(), |share| view.percent(share));
    let rows: Vec<_> = entries
        .iter()
        .map(|entry| {
            vec![
                html! { (entry.name) },
                html! { (shown(entry.before)) },
                html! { (shown(entry.after)) },
                html! { (shown(Some(entry.difference))) },
            ]
        })
        .collect();
    table(view.t(texts::DIFFERENCE), &columns, &rows)
}

fn breaches(
    view: &View,
    title: domain::wording::Label,
    breaches: &[(domain::concentration::Dimension, std::sync::Arc<str>)],
) -> Markup {
    html! {
        @if !breaches.is_empty() {
            h3 { (view.t(title)) }
            ul.bullets { @for (dimension, name) in breaches { li { (view.t(dimension.label())) ": " (name) } } }
        }
    }
}
