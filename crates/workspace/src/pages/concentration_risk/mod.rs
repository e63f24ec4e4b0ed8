//! Concentration risk: the latest analysis or an earlier one, the history, and a new analysis.

mod blast;
mod compare;
mod kept;
mod question;
mod resilience;
mod shares;
mod simulation;

use app::{
    analysis::{Analysis, AnalysisHead},
    arrangement::ArrangementFilter,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    arrangement::Arrangement,
    concentration::Level,
    format,
    id::AnalysisId,
    page::{Page, PageRequest},
    right::{Resource, Right},
    vocabulary::Vocabulary as _,
};
use maud::{Markup, html};

use self::shares::Shown;
pub(super) use self::{blast::address_of as blast_address, question::rate};
use super::file;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{analysis as texts, common},
    ui::{
        self,
        badge::{Tone, badge},
        chart,
        notice::complaints,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let below = |name: &str| format!("{}/{name}", route::CONCENTRATION);
    Router::new()
        .route(route::CONCENTRATION, get(show).post(analyse))
        .route(&format!("{}.pdf", route::CONCENTRATION), get(latest_pdf))
        .route(&below("simulate"), get(simulation::ask).merge(post(simulation::run)))
        .route(&below("simulations"), post(kept::keep))
        .route(&below("simulations/{id}"), get(kept::show))
        .route(&below("simulations/{id}/delete"), post(kept::delete))
        .route(&below("simulations/{id}/attach"), post(kept::attach))
        .route(&below("blast-radius"), get(blast::show))
        .route(&below("compare"), get(compare::show))
        .route(&below("{id}"), get(show_kept))
}

/// How many earlier analyses the page shows.
const HISTORY: u64 = 12;

fn address_of(id: AnalysisId) -> String {
    format!("{}/{id}", route::CONCENTRATION)
}

async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    respond::page(page(&workspace, &visit, &Form::default()).await?)
}

async fn latest_pdf(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    file::pdf(workspace.app.report.concentration_pdf(visit.caller(), None, visit.language).await?)
}

async fn show_kept(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let read = |id: &str| id.parse::<AnalysisId>().map_err(|_| PageError::NotFound);
    if let Some(id) = id.strip_suffix(".pdf") {
        let id = Some(read(id)?);
        return file::pdf(workspace.app.report.concentration_pdf(visit.caller(), id, visit.language).await?);
    }
    let analysis =
        workspace.app.third_parties.kept_analysis(visit.caller(), read(&id)?).await?.spoken(visit.language);
    let t = |label| visit.t(label);
    let actions = html! {
        (ui::link_button(&format!("{}.pdf", address_of(analysis.head.id)), "PDF", false))
        (ui::link_button(route::CONCENTRATION, t(texts::TO_LATEST), false))
    };
    let shown = everything(&workspace, &visit, &analysis).await?;
    let content = html! {
        (ui::head(t(texts::EARLIER), &visit.day(analysis.head.as_of), Some(actions)))
        (shown)
    };
    respond::page(ui::layout::page(&visit, t(texts::EARLIER), &content))
}

/// The latest analysis; `form` contains the entries of a refused one.
async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let (app, caller, t) = (&workspace.app, visit.caller(), |label| visit.t(label));
    let analysis = app.third_parties.analysis(caller).await?.map(|analysis| analysis.spoken(visit.language));
    let earlier =
        app.third_parties.analyses(caller, PageRequest::new(Some(HISTORY), None).unwrap_or_default()).await?;
    let may_write = visit.may(Resource::Analyses, Right::Write);
    let shown = match &analysis {
        Some(analysis) => everything(workspace, visit, analysis).await?,
        None => nothing_yet(visit, registered(workspace, visit).await?),
    };
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(html! {
            @if analysis.is_some() { (actions(visit)) }
            @if may_write { (again(visit, analysis.as_ref(), t(texts::ANALYSE))) }
        })))
        (ui::notice::done(visit, &[("analysed", texts::WAS_ANALYSED)]))
        (complaints(visit, form, &question::NAMES))
        @if let Some(analysis) = &analysis { (out_of_date(visit, analysis, may_write)) }
        @if may_write { (new_analysis(visit, form)) }
        (shown)
        @if earlier.total > 1 {
            (ui::section(t(texts::HISTORY), &history(visit, &earlier, analysis.as_ref().map(|one| one.head.id))))
        }
    };
    Ok(ui::layout::page(visit, t(texts::TITLE), &content))
}

/// How many arrangements there are to analyse.
async fn registered(workspace: &Workspace, visit: &Visit) -> Result<u64, PageError> {
    let one = PageRequest::new(Some(1), None).unwrap_or_default();
    Ok(workspace
        .app
        .records
        .records::<Arrangement>(visit.caller(), &ArrangementFilter::default(), one)
        .await?
        .total)
}

fn nothing_yet(visit: &Visit, registered: u64) -> Markup {
    let t = |label| visit.t(label);
    let help = match registered {
        0 => t(texts::EMPTY_HELP).to_owned(),
        1 => t(texts::ONE_TO_ANALYSE).to_owned(),
        count => visit.fill(texts::MANY_TO_ANALYSE, &[("count", &format::count(visit.language, count))]),
    };
    let to_register = ui::link_button(route::ARRANGEMENTS, t(common::ARRANGEMENTS), false);
    ui::empty(t(texts::EMPTY), &help, Some(to_register))
}

/// A button that analyses at once, with the options of the last analysis.
fn again(visit: &Visit, last: Option<&Analysis>, text: &str) -> Markup {
    html! {
        form.inline method="post" action=(route::CONCENTRATION) {
            (visit.form_token())
            @if let Some(last) = last {
                input type="hidden" name="basis" value=(last.head.basis.as_str());
                input type="hidden" name="scope" value=(last.head.scope.as_str());
            }
            button.button.primary type="submit" { (text) }
        }
    }
}

/// A notice that inputs have changed since, with a button for another analysis.
fn out_of_date(visit: &Visit, analysis: &Analysis, may_write: bool) -> Markup {
    if analysis.stale.is_empty() {
        return html! {};
    }
    let said = html! {
        @for cause in &analysis.stale { p { (visit.t(cause.label())) } }
        @if may_write { div.row { (again(visit, Some(analysis), visit.t(texts::ANALYSE_AGAIN))) } }
    };
    ui::notice::notice(Tone::Warning, visit.t(texts::OUT_OF_DATE), &said)
}

fn actions(visit: &Visit) -> Markup {
    let below = |name: &str| format!("{}/{name}", route::CONCENTRATION);
    html! {
        (ui::filter::export_menu(visit, &html! { li { a href={ (route::CONCENTRATION) ".pdf" } { "PDF" } } }))
        (ui::link_button(&below("blast-radius"), visit.t(texts::BLAST), false))
        (ui::link_button(&below("simulate"), visit.t(texts::SIMULATION), false))
    }
}

/// All parts of one analysis.
async fn everything(workspace: &Workspace, visit: &Visit, analysis: &Analysis) -> Result<Markup, PageError> {
    let by_group = visit.query("by").is_some_and(|by| by == "group");
    let request = PageRequest::default();
    let breaches =
        workspace.app.third_parties.breaches(visit.caller(), analysis.head.id, by_group, request).await?;
    let shown = Shown { view: visit, analysis, by_group };
    Ok(html! {
        (shown.figures())
        (shown.gauges())
        (shown.breaches(&breaches))
        (shown.dimensions())
        (shown.critical_functions())
        (shown.common_nodes())
        (shown.places())
        (shown.designated())
    })
}

pub(super) fn level_tone(level: Level) -> Tone {
    level.tone()
}

pub(super) fn level_badge(view: &View, word: &str) -> Markup {
    let known = |level: Level| badge(level_tone(level), view.t(level.label()));
    Level::find(word).map_or_else(|| html! { (word) }, known)
}

fn new_analysis(visit: &Visit, form: &Form) -> Markup {
    html! {
        details.card #analyse open[question::is_refused(form)] {
            summary { (visit.t(texts::NEW)) }
            p { (visit.t(texts::NEW_HELP)) }
            form method="post" action=(route::CONCENTRATION) {
                (visit.form_token())
                (question::fields(visit, form))
                div.form-end { button.button type="submit" { (visit.t(texts::ANALYSE_SO)) } }
            }
        }
    }
}

async fn analyse(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Analyses, Right::Write)?;
    let analysed = match question::request(&mut form) {
        Ok(request) => {
            workspace
                .app
                .third_parties
                .analyse(visit.caller(), request, None, Box::new(|_| String::new()))
                .await
        }
        Err(error) => Err(error),
    };
    match analysed {
        Ok(_) => respond::go_to(&route::done(route::CONCENTRATION, "analysed")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

fn history(view: &View, analyses: &Page<AnalysisHead>, latest: Option<AnalysisId>) -> Markup {
    let columns = [
        Column::text(view.t(texts::ANALYSED)),
        Column::tight(view.t(texts::LEVEL)),
        Column::number(view.t(texts::BREACHES)),
        Column::number(view.t(texts::ARRANGEMENTS)),
        Column::text(view.t(texts::BASIS)),
        Column::tight(view.t(texts::COMPARISON)),
    ];
    let rows: Vec<_> = analyses.items.iter().map(|head| history_cells(view, head, latest)).collect();
    let trend: Vec<f64> = analyses
        .items
        .iter()
        .rev()
        .map(|head| f64::from(u32::try_from(head.breaches).unwrap_or(u32::MAX)))
        .collect();
    html! {
        p.row { span.quiet { (view.t(texts::BREACHES)) } (chart::sparkline(view.t(texts::TREND), &trend)) }
        (table(view.t(texts::HISTORY), &columns, &rows))
    }
}

fn history_cells(view: &View, head: &AnalysisHead, latest: Option<AnalysisId>) -> Vec<Markup> {
    vec![
        html! { a href=(address_of(head.id)) { (view.time(head.analysed_at)) } },
        level_badge(view, &head.level),
        html! { (head.breaches) },
        html! { (head.arrangements) },
        html! { (view.t(head.basis.label())) ", " (view.t(head.scope.label())) },
        html! { @if latest != Some(head.id) { a href=(compare::address(head.id)) { (view.t(texts::COMPARE)) } } },
    ]
}
