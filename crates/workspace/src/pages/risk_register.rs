//! The risk library: its matrix, the list, and one risk. It makes no statement about the institution.

use app::catalogue::{
    Edition,
    language::Text,
    record::Needle,
    risk::{Level, Matrix as Levels, Rating, Risk, RiskFilter},
};
use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use maud::{Markup, html};

use super::reference::{self, edition, level_badge, level_tone};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::{count, reference as texts},
    ui::{
        self,
        chart::{self, Cell, Matrix},
        filter,
        pager::counted,
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::RISK_REGISTER, get(list))
        .route(&format!("{}/{{id}}", route::RISK_REGISTER), get(show))
}

/// The rating and the cell of the matrix in the address, besides the filters.
struct Looked {
    inherent: bool,
    field: Option<(u8, u8)>,
}

impl Looked {
    fn of(view: &View) -> Self {
        let number = |name: &str| view.query(name).and_then(|text| text.parse().ok());
        let inherent = view.query("rating").is_some_and(|rating| rating == "inherent");
        Self { inherent, field: number("likelihood").zip(number("impact")) }
    }

    fn rating(&self, risk: &Risk) -> Rating {
        if self.inherent { risk.inherent } else { risk.residual }
    }

    fn keeps(&self, risk: &Risk) -> bool {
        let rating = self.rating(risk);
        self.field.is_none_or(|field| field == (rating.likelihood, rating.impact))
    }
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let wanted = RiskFilter { level: filter::word(&visit, "level"), status: None };
    let needle = Needle::new(&filter::search(&visit).unwrap_or_default());
    let looked = Looked::of(&visit);
    let shown =
        edition.risks.select(&needle, visit.language, |risk| wanted.keeps(risk) && looked.keeps(risk));
    let t = |label| visit.t(label);
    let columns =
        [Column::text(t(texts::RISK)), Column::tight(t(texts::INHERENT)), Column::tight(t(texts::RESIDUAL))];
    let rows: Vec<_> = shown.iter().map(|risk| cells(&visit, risk)).collect();
    let content = html! {
        (reference::head(&visit, t(texts::RISKS), t(texts::RISKS_INTRO), None))
        (ui::section(t(texts::MATRIX), &html! {
            (ratings(&visit, &looked))
            p.quiet { (t(texts::MATRIX_HELP)) }
            (matrix(&visit, &edition, &looked))
        }))
        (filter::bar(&visit, &[filter::words::<Level>(&visit, "level", texts::LEVEL)]))
        (narrowed(&visit, &looked))
        @if shown.is_empty() { (reference::nothing(&visit)) }
        @else {
            (counted(&visit, shown.len() as u64, count::RISK, count::RISKS))
            (table(t(texts::RISKS), &columns, &rows))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::RISKS), &content))
}

/// The choice between the ratings before and after measures.
fn ratings(view: &View, looked: &Looked) -> Markup {
    let inherent = format!("{}?rating=inherent", route::RISK_REGISTER);
    let choices =
        [(false, texts::RESIDUAL, route::RISK_REGISTER.to_owned()), (true, texts::INHERENT, inherent)];
    html! {
        nav.row aria-label=(view.t(texts::RATING)) {
            @for (inherent, label, address) in choices {
                a.choice-link href=(address) aria-current=[(inherent == looked.inherent).then_some("true")] {
                    (view.t(label))
                }
            }
        }
    }
}

/// Says that only one cell is listed, with a link to all.
fn narrowed(view: &View, looked: &Looked) -> Markup {
    let Some((likelihood, impact)) = looked.field else { return html! {} };
    let field = view.fill(texts::FIELD, &[("likelihood", &likelihood), ("impact", &impact)]);
    html! {
        p { (view.fill(texts::IN_FIELD, &[("field", &field)])) " "
            a href=(route::RISK_REGISTER) { (view.t(texts::ALL_FIELDS)) } }
    }
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
    ]
}

fn steps() -> std::ops::RangeInclusive<u8> {
    1..=u8::try_from(Levels::SIZE).unwrap_or(u8::MAX)
}

/// The word for a step, without its explanation.
fn short_name<'t>(view: &View, names: &'t [Text], step: u8) -> &'t str {
    let name = step_name(view, names, step);
    name.split_once(':').map_or(name, |(short, _)| short)
}

/// The word for a step, counted from 1.
fn step_name<'t>(view: &View, names: &'t [Text], step: u8) -> &'t str {
    names.get(usize::from(step).saturating_sub(1)).map_or("", |text| text.get(view.language))
}

/// Likelihood upwards, impact to the right, worst at the top right.
fn matrix(view: &View, edition: &Edition, looked: &Looked) -> Markup {
    let rows = steps().rev().map(|likelihood| {
        let fields = steps().map(|impact| field(view, edition, looked, (likelihood, impact)));
        (short_name(view, &edition.matrix.likelihood, likelihood), fields.collect())
    });
    chart::matrix(&Matrix {
        caption: view.t(texts::MATRIX),
        axes: [view.t(texts::LIKELIHOOD), view.t(texts::IMPACT)],
        columns: steps().map(|impact| short_name(view, &edition.matrix.impact, impact)).collect(),
        rows: rows.collect(),
    })
}

fn field(view: &View, edition: &Edition, looked: &Looked, at: (u8, u8)) -> Cell {
    let (likelihood, impact) = at;
    let level = edition.matrix.level(likelihood, impact);
    let here = |risk: &&Risk| {
        let rating = looked.rating(risk);
        (rating.likelihood, rating.impact) == at
    };
    let rating = if looked.inherent { "&rating=inherent" } else { "" };
    Cell {
        tone: level_tone(level),
        level: view.t(level.label()),
        count: edition.risks.iter().filter(here).count(),
        address: format!("{}?likelihood={likelihood}&impact={impact}{rating}", route::RISK_REGISTER),
        name: view.fill(texts::FIELD, &[("likelihood", &likelihood), ("impact", &impact)]),
    }
}

async fn show(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    let edition = edition(&workspace)?;
    let risk = edition.risks.get(&id).ok_or(PageError::NotFound)?;
    let t = |label| visit.t(label);
    let title = risk.title.get(visit.language);
    let content = html! {
        (reference::head(&visit, title, t(risk.category.label()), None))
        section.card {
            p.prose { (risk.summary.get(visit.language)) }
            dl.facts {
                dt { (t(texts::CAUSE)) } dd { (risk.cause.get(visit.language)) }
                dt { (t(texts::EVENT)) } dd { (risk.event.get(visit.language)) }
                dt { (t(texts::EFFECT)) } dd { (risk.effect.get(visit.language)) }
                dt { (t(texts::INDICATOR)) } dd { (risk.indicator.get(visit.language)) }
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
    html! {
        (level_badge(view, rating.level)) " "
        span.quiet {
            (view.t(texts::LIKELIHOOD)) ": " (step_name(view, &edition.matrix.likelihood, rating.likelihood)) ", "
            (view.t(texts::IMPACT)) ": " (step_name(view, &edition.matrix.impact, rating.impact))
        }
    }
}
