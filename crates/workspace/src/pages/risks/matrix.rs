//! The matrix of the institution's risks, before and after treatment.

use app::{
    catalogue::{Edition, language::Text},
    risk::RiskMatrix,
};
use axum::extract::State;
use domain::{
    risk::{Rating, Risk, STEPS},
    wording::Language,
};
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
    let counts = workspace.app.compliance.risk_matrix(visit.caller()).await?;
    let edition = edition(&workspace)?;
    let t = |label| visit.t(label);
    let Scale { likelihood, impact } = Scale::of(&edition, visit.language);
    let RiskMatrix { inherent, residual, unrated } = &counts;
    let drawn =
        |caption, rating: &str, counts| figure(&visit, caption, rating, counts, (&likelihood, &impact));
    let content = html! {
        (ui::head(t(texts::MATRIX_TITLE), t(texts::MATRIX_INTRO), None))
        p.quiet { (t(texts::RATING_RULE)) }
        @if *unrated > 0 { p { (visit.fill(texts::UNRATED_COUNT, &[("count", unrated)])) } }
        (ui::section(t(Risk::RESIDUAL.label), &drawn(t(Risk::RESIDUAL.label), "residual", residual)))
        (ui::section(t(Risk::INHERENT.label), &drawn(t(Risk::INHERENT.label), "inherent", inherent)))
    };
    respond::page(ui::layout::page(&visit, t(texts::MATRIX_TITLE), &content))
}

/// The words of the steps of likelihood and impact.
pub(super) struct Scale {
    likelihood: Vec<String>,
    impact: Vec<String>,
}

impl Scale {
    pub(super) fn of(edition: &Edition, language: Language) -> Self {
        let short = |text: &Text| {
            let name = text.get(language);
            name.split_once(':').map_or(name, |(short, _)| short).to_owned()
        };
        Self {
            likelihood: edition.matrix.likelihood.iter().map(short).collect(),
            impact: edition.matrix.impact.iter().map(short).collect(),
        }
    }

    pub(super) fn likelihood(&self, step: u8) -> String {
        numbered(step, &word_of(&self.likelihood, step))
    }

    pub(super) fn impact(&self, step: u8) -> String {
        numbered(step, &word_of(&self.impact, step))
    }
}

fn numbered(step: u8, word: &str) -> String {
    format!("{step} – {word}")
}

fn word_of(words: &[String], step: u8) -> String {
    words.get(usize::from(step - 1)).cloned().unwrap_or_else(|| step.to_string())
}

/// Likelihood upwards, impact to the right, worst at the top right.
fn figure(
    view: &View,
    caption: &str,
    rating: &str,
    counts: &[[u64; 5]; 5],
    (likelihood, impact): (&[String], &[String]),
) -> Markup {
    let columns: Vec<String> = STEPS.map(|step| word_of(impact, step)).collect();
    let rows: Vec<(String, Vec<Cell>)> = STEPS
        .rev()
        .map(|up| {
            (
                word_of(likelihood, up),
                STEPS.filter_map(|right| cell(view, rating, counts, up, right)).collect(),
            )
        })
        .collect();
    chart::matrix(&Matrix {
        caption,
        axes: [view.t(Risk::LIKELIHOOD.label), view.t(Risk::IMPACT.label)],
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
