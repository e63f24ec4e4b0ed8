//! Catalogue coverage: what the catalogue contains for every framework, with links to requirements, measures and
//! evidence. It says nothing about what the institution has done.

mod framework;
mod gaps;
mod measure;
mod requirement;

use app::{
    catalogue::{
        Edition,
        compliance::{Coverage, Tally},
    },
    score::Score,
};
use axum::{Router, extract::State, routing::get};
use domain::{framework::Framework, rounding::Hundredths};
use maud::{Markup, html};

use super::reference;
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::reference as texts,
    ui::{
        self,
        badge::Tone,
        chart::{self, Gauge, Part},
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let below = |name: &str| format!("{}/{name}", route::COMPLIANCE);
    Router::new()
        .route(route::COMPLIANCE, get(overview))
        .route(route::REQUIREMENTS, get(requirement::list))
        .route(route::GAPS, get(gaps::overview))
        .route(&below("{framework}"), get(framework::show))
        .route(&below("{framework}/gaps"), get(gaps::show))
        .route(&below("{framework}/gaps.csv"), get(gaps::table_file))
        .route(&below("{framework}/{requirement}"), get(requirement::show))
        .route(&below("measures/{id}"), get(measure::show))
}

pub(super) fn framework_address(framework: Framework) -> String {
    format!("{}/{framework}", route::COMPLIANCE)
}

pub(super) fn requirement_address(framework: Framework, requirement: &str) -> String {
    format!("{}/{framework}/{requirement}", route::COMPLIANCE)
}

pub(super) fn gap_address(framework: Framework) -> String {
    format!("{}/{framework}/gaps", route::COMPLIANCE)
}

/// The question of a gap on the page of its chapter: a long checklist shows its questions only there.
pub(super) fn address_of_gap(edition: &Edition, gap: &app::catalogue::gap::Gap) -> String {
    let (checklist, id) = (gap_address(gap.framework), &gap.id);
    match edition.requirements.get(&gap.requirement) {
        Some(requirement) => format!("{checklist}?section={}#{id}", requirement.section),
        None => format!("{checklist}#{id}"),
    }
}

fn known(name: &str, edition: &Edition) -> Result<Framework, PageError> {
    edition.framework_named(name).map_err(|_| PageError::NotFound)
}

/// Neutral tones: catalogue coverage is neither good nor bad news about the institution.
fn coverage_tone(coverage: Coverage) -> Tone {
    match coverage {
        Coverage::Covered => Tone::Neutral,
        Coverage::Partial => Tone::Notice,
        Coverage::Gap => Tone::Muted,
    }
}

fn coverage_of(view: &View, tally: Tally) -> String {
    view.fill(texts::COVERAGE_OF, &[("covered", &tally.covered), ("total", &tally.requirements)])
}

/// A tally as one bar of three parts, with a table of its numbers.
fn tally_figure(view: &View, name: &str, tally: Tally) -> Markup {
    drawn_tally(view, name, &html! {}, tally)
}

/// The same below a gauge of the share that is covered.
fn coverage_figure(view: &View, name: &str, label: &str, tally: Tally) -> Markup {
    drawn_tally(view, name, &chart::gauge(&coverage_gauge(view, label, tally)), tally)
}

fn drawn_tally(view: &View, name: &str, above: &Markup, tally: Tally) -> Markup {
    let part = |coverage: Coverage, count: u64| Part {
        label: view.t(coverage.label()).to_owned(),
        weight: count,
        shown: count.to_string(),
        tone: coverage_tone(coverage),
    };
    let parts = [
        part(Coverage::Covered, tally.covered),
        part(Coverage::Partial, tally.partial),
        part(Coverage::Gap, tally.gap),
    ];
    let columns = [Column::text(view.t(texts::COVERAGE)), Column::number(view.t(texts::REQUIREMENTS))];
    let rows: Vec<_> =
        parts.iter().map(|part| vec![html! { (part.label) }, html! { (part.shown) }]).collect();
    let drawn = html! { (above) (chart::stack(name, &parts)) };
    chart::figure(view, name, &drawn, &columns, &rows)
}

/// The share that is covered.
fn coverage_gauge<'g>(view: &View, label: &'g str, tally: Tally) -> Gauge<'g> {
    let share = tally.coverage_pct();
    Gauge {
        name: format!("{label}: {}", coverage_of(view, tally)),
        label,
        percent: chart::share(share),
        shown: view.percent(rounded(share)),
        threshold: None,
        tone: Tone::Neutral,
    }
}

/// To whole per cent; only full coverage is shown as 100.
fn rounded(share: Hundredths) -> Hundredths {
    let whole = (share.get() + 50) / 100;
    let kept = if share < Hundredths::new(10_000) { whole.min(99) } else { whole };
    Hundredths::new(kept * 100)
}

async fn overview(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let (edition, scores) = workspace.app.compliance.compliance_scores().await?;
    let t = |label| visit.t(label);
    let content = html! {
        (reference::head(&visit, t(texts::COMPLIANCE), t(texts::COMPLIANCE_INTRO), None))
        (ui::section(t(texts::OVERALL), &html! {
            p { (coverage_of(&visit, edition.compliance.overall)) }
            (tally_figure(&visit, t(texts::OVERALL), edition.compliance.overall))
        }))
        div.cards { @for score in &scores { (card(&visit, &edition, score)) } }
    };
    respond::page(ui::layout::page(&visit, t(texts::COMPLIANCE), &content))
}

fn card(view: &View, edition: &Edition, score: &Score) -> Markup {
    let (framework, tally) = (score.status.framework, score.status.tally);
    let name = framework.name();
    let has_gaps = edition.gaps.iter().any(|gap| gap.framework == framework);
    html! {
        section.card.framework {
            h2 { a href=(framework_address(framework)) { (name) } }
            (coverage_figure(view, &name, view.t(texts::COVERAGE_SHARE), tally))
            (trend(view, score))
            @if has_gaps { p { a href=(gap_address(framework)) { (view.t(texts::GAPS)) span.unseen { " " (name) } } } }
        }
    }
}

/// The change of the share since the last edition of the catalogue.
fn trend(view: &View, score: &Score) -> Markup {
    let Some(before) = score.previous else { return html! {} };
    let change = score.status.tally.coverage_pct().minus(before);
    let sign = match change.get() {
        ..0 => "",
        0 => "±",
        1.. => "+",
    };
    let points = format!("{sign}{}", view.decimal(change));
    html! { p.hint { (view.fill(texts::TREND, &[("change", &points)])) } }
}

/// The words a framework's requirements are filtered by.
fn coverage_filter(view: &View) -> ui::filter::Filter {
    ui::filter::words::<Coverage>(view, "coverage", texts::COVERAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn almost_everything_is_not_everything() {
        let shown = |hundredths| rounded(Hundredths::new(hundredths)).to_string();
        assert_eq!([9_999, 10_000, 4_950, 0].map(shown), ["99", "100", "50", "0"]);
    }
}
