//! The risk register: its matrix, the list, and one risk.

use app::catalogue::{
    Edition,
    record::Needle,
    risk::{Level, Matrix, Rating, Risk, RiskFilter, RiskStatus},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use domain::vocabulary::Vocabulary as _;
use maud::{Markup, html};

use super::reference::{self, edition, level_badge, level_tone};
use crate::{
    Workspace,
    oops::Oops,
    respond::{self, Answer},
    route,
    texts::{common, record as shared, reference as texts},
    ui::{
        self,
        badge::{Tone, badge},
        filter,
        table::{Column, table},
    },
    visit::{View, Visit},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::RISK_REGISTER, get(list))
        .route(&format!("{}/{{id}}", route::RISK_REGISTER), get(show))
}

fn status_badge(view: &View, status: RiskStatus) -> Markup {
    let tone = match status {
        RiskStatus::Open => Tone::Notice,
        RiskStatus::Mitigating => Tone::Running,
        RiskStatus::Accepted => Tone::Warning,
        RiskStatus::Closed => Tone::Neutral,
    };
    badge(tone, view.t(status.label()))
}

/// The field of the matrix the address asks for.
fn field(view: &View) -> Option<(u8, u8)> {
    let number = |name: &str| view.query(name).and_then(|text| text.parse().ok());
    number("likelihood").zip(number("impact"))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let wanted = RiskFilter { level: filter::word(&visit, "level"), status: filter::word(&visit, "status") };
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let field = field(&visit);
    let shown = edition.risks.select(&needle, visit.language, |risk| {
        let at = (risk.residual.likelihood, risk.residual.impact);
        wanted.keeps(risk) && field.is_none_or(|field| field == at)
    });
    let t = |label| visit.t(label);
    let columns = [
        Column::text(t(texts::RISK)),
        Column::tight(t(texts::INHERENT)),
        Column::tight(t(texts::RESIDUAL)),
        Column::tight(t(common::STATUS)),
        Column::text(t(texts::OWNER)),
    ];
    let rows: Vec<_> = shown.iter().map(|risk| cells(&visit, risk)).collect();
    let content = html! {
        (ui::head(t(texts::RISKS), t(texts::RISKS_INTRO), None))
        (ui::section(t(texts::MATRIX), &html! { p { (t(texts::MATRIX_HELP)) } (matrix(&visit, &edition)) }))
        (filter::bar(&visit, &[
            filter::words::<Level>(&visit, "level", texts::LEVEL),
            filter::words::<RiskStatus>(&visit, "status", common::STATUS),
        ]))
        @if shown.is_empty() { (ui::empty(t(shared::NOTHING), t(shared::NOTHING_HELP), None)) }
        @else { (table(t(texts::RISKS), &columns, &rows)) }
    };
    respond::page(ui::layout::page(&visit, t(texts::RISKS), &content))
}

fn cells(view: &View, risk: &Risk) -> Vec<Markup> {
    vec![
        html! {
            a href={ (route::RISK_REGISTER) "/" (risk.id) } { (risk.title.get(view.language)) }
            br;
            span.quiet { (view.t(risk.category.label())) }
        },
        level_badge(view, risk.inherent.level),
        level_badge(view, risk.residual.level),
        status_badge(view, risk.status),
        html! { (view.t(risk.owner.label())) },
    ]
}

/// Likelihood from top to bottom, impact from left to right, worst at the top right.
fn matrix(view: &View, edition: &Edition) -> Markup {
    let steps = || 1..=u8::try_from(Matrix::SIZE).unwrap_or(5);
    let count = |likelihood: u8, impact: u8| {
        let here = |risk: &&Risk| (risk.residual.likelihood, risk.residual.impact) == (likelihood, impact);
        edition.risks.iter().filter(here).count()
    };
    let name = |names: &[app::catalogue::language::Text], step: u8| {
        names.get(usize::from(step) - 1).map_or_else(String::new, |text| text.get(view.language).to_owned())
    };
    html! {
        table.matrix {
            caption.unseen { (view.t(texts::MATRIX)) }
            thead {
                tr {
                    th scope="col" { (view.t(texts::LIKELIHOOD)) " / " (view.t(texts::IMPACT)) }
                    @for impact in steps() { th scope="col" { (name(&edition.matrix.impact, impact)) } }
                }
            }
            tbody {
                @for likelihood in steps().rev() {
                    tr {
                        th scope="row" { (name(&edition.matrix.likelihood, likelihood)) }
                        @for impact in steps() {
                            @let level = edition.matrix.level(likelihood, impact);
                            @let count = count(likelihood, impact);
                            td class=(level_tone(level).class()) {
                                @if count > 0 {
                                    a href={ (route::RISK_REGISTER) "?likelihood=" (likelihood) "&impact=" (impact) }
                                        aria-label={ (count) ", " (view.fill(texts::FIELD,
                                            &[("likelihood", &likelihood), ("impact", &impact)])) } { (count) }
                                }
                                span.unseen { " " (view.t(level.label())) }
                            }
                        }
                    }
                }
            }
        }
    }
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let risk = edition.risks.get(&id).ok_or(Oops::NotFound)?;
    let t = |label| visit.t(label);
    let title = risk.title.get(visit.language);
    let content = html! {
        (ui::head(title, t(risk.category.label()), None))
        section.card {
            div.row { (status_badge(&visit, risk.status)) }
            p.prose { (risk.summary.get(visit.language)) }
            dl.facts {
                dt { (t(texts::INHERENT)) } dd { (rating(&visit, &edition, risk.inherent)) }
                dt { (t(texts::RESIDUAL)) } dd { (rating(&visit, &edition, risk.residual)) }
                dt { (t(texts::TREATMENT)) } dd { (t(risk.treatment.label())) }
                dt { (t(texts::OWNER)) } dd { (t(risk.owner.label())) }
            }
        }
        (ui::section(t(texts::MEASURES), &html! {
            (reference::measures(&visit, &edition, risk.measures.iter().map(|id| &**id)))
            (reference::provenance(&visit, &risk.cite, risk.source.as_deref()))
        }))
    };
    respond::page(ui::layout::page(&visit, title, &content))
}

fn rating(view: &View, edition: &Edition, rating: Rating) -> Markup {
    let name = |names: &[app::catalogue::language::Text], step: u8| {
        names.get(usize::from(step).saturating_sub(1)).map_or_else(String::new, |text| text.get(view.language).to_owned())
    };
    html! {
        (level_badge(view, rating.level)) " "
        span.quiet {
            (view.t(texts::LIKELIHOOD)) ": " (name(&edition.matrix.likelihood, rating.likelihood)) ", "
            (view.t(texts::IMPACT)) ": " (name(&edition.matrix.impact, rating.impact))
        }
    }
}
