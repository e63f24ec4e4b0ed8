//! The matrix of the institution's risks, before and after treatment.

use app::risk::RiskMatrix;
use axum::extract::State;
use domain::risk::{Rating, STEPS};
use maud::{Markup, html};

use super::super::reference::{edition, level_tone};
use crate::{
    Workspace,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::own_risk as texts,
    ui::{
        self,
        chart::{self, Cell, Matrix},
    },
};

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let counts = workspace.app.risk_matrix(visit.caller()).await?;
    let edition = edition(&workspace)?;
    let t = |label| visit.t(label);
    let names = |texts: &[app::catalogue::language::Text]| -> Vec<String> {
        let short = |text: &app::catalogue::language::Text| {
            let name = text.get(visit.language);
            name.split_once(':').map_or(name, |(short, _)| short).to_owned()
        };
        texts.iter().map(short).collect()
    };
    let (likelihood, impact) = (names(&edition.matrix.likelihood), names(&edition.matrix.impact));
    let RiskMatrix { inherent, residual } = &counts;
    let drawn =
        |caption, rating: &str, counts| figure(&visit, caption, rating, counts, (&likelihood, &impact));
    let content = html! {
        (ui::head(t(texts::MATRIX_TITLE), t(texts::MATRIX_INTRO), None))
        p.quiet { (t(texts::RATING_RULE)) }
        (ui::section(t(texts::RESIDUAL), &drawn(t(texts::RESIDUAL), "residual", residual)))
        (ui::section(t(texts::INHERENT), &drawn(t(texts::INHERENT), "inherent", inherent)))
    };
    respond::page(ui::layout::page(&visit, t(texts::MATRIX_TITLE), &content))
}

/// Likelihood upwards, impact to the right, worst at the top right.
fn figure(
    view: &View,
    caption: &str,
    rating: &str,
    counts: &[[u64; 5]; 5],
    (likelihood, impact): (&[String], &[String]),
) -> Markup {
    let name = |names: &'_ [String], step: u8| -> String {
        names.get(usize::from(step - 1)).cloned().unwrap_or_else(|| step.to_string())
    };
    let columns: Vec<String> = STEPS.map(|step| name(impact, step)).collect();
    let rows: Vec<(String, Vec<Cell>)> = STEPS
        .rev()
        .map(|up| {
            (name(likelihood, up), STEPS.filter_map(|right| cell(view, rating, counts, up, right)).collect())
        })
        .collect();
    chart::matrix(&Matrix {
        caption,
        axes: [view.t(texts::LIKELIHOOD), view.t(texts::IMPACT)],
        columns: columns.iter().map(String::as_str).collect(),
        rows: rows.iter().map(|(name, cells)| (name.as_str(), cells.clone())).collect(),
    })
}

fn cell(view: &View, rating: &str, counts: &[[u64; 5]; 5], likelihood: u8, impact: u8) -> Option<Cell> {
    let level = Rating::new(likelihood.into(), impact.into())?.level();
    let count = *counts.get(usize::from(likelihood - 1))?.get(usize::from(impact - 1))?;
    Some(Cell {
        tone: level_tone(level),
        level: view.t(level.label()),
        count: usize::try_from(count).ok()?,
        address: format!("{}?likelihood={likelihood}&impact={impact}&rating={rating}", route::RISKS),
        name: view.fill(texts::FIELD, &[("likelihood", &likelihood), ("impact", &impact)]),
    })
}
