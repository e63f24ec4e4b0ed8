//! Two analyses beside each other.

use app::analysis::{AnalysisComparison, HhiDifference};
use axum::extract::State;
use domain::{concentration::Dimension, id::AnalysisId, rounding::Hundredths, vocabulary::Vocabulary as _};
use maud::{Markup, html};

use super::{address_of, kept, level_badge};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    respond::{self, Answer},
    route,
    texts::analysis as texts,
    ui::{
        self,
        badge::Tone,
        table::{Column, table},
    },
};

/// The address that compares an analysis with the latest.
pub(super) fn address(from: AnalysisId) -> String {
    format!("{}/compare?from={from}", route::CONCENTRATION)
}

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let read = |name: &str| visit.query(name).map(|id| id.parse::<AnalysisId>());
    let from = read("from").and_then(Result::ok).ok_or(PageError::NotFound)?;
    let to = read("to").transpose().map_err(|_| PageError::NotFound)?;
    let compared = workspace.app.third_parties.compare_analyses(visit.caller(), from, to).await?;
    let t = |label| visit.t(label);
    let (before, after) = (&compared.before.head, &compared.after.head);
    let (earlier, later) = (visit.moment(before.analysed_at), visit.moment(after.analysed_at));
    let values: [(&str, &dyn std::fmt::Display); 2] = [("before", &earlier), ("after", &later)];
    let back = ui::link_button(route::CONCENTRATION, t(texts::TO_LATEST), false);
    let content = html! {
        (ui::head(t(texts::COMPARISON), &visit.fill(texts::COMPARISON_INTRO, &values), Some(back)))
        @if !compared.is_alike() { (ui::notice::notice(Tone::Warning, t(texts::OTHER_MEASURE), &html! {})) }
        section.card {
            div.stats {
                @for (label, head) in [(texts::BEFORE, before), (texts::AFTER, after)] {
                    div {
                        span.quiet { (t(label)) }
                        span.figure { (level_badge(&visit, &head.level)) }
                        span.hint { (t(texts::BREACHES)) ": " (head.breaches) }
                        a href=(address_of(head.id)) { (visit.moment(head.analysed_at)) }
                    }
                }
            }
        }
        (changes(&visit, &compared))
    };
    respond::page(ui::layout::page(&visit, t(texts::COMPARISON), &content))
}

fn changes(view: &View, compared: &AnalysisComparison) -> Markup {
    let t = |label| view.t(label);
    let part = html! {
        (kept::breaches(view, texts::NEW_BREACHES, Tone::Critical, &compared.new_breaches))
        (kept::breaches(view, texts::GONE_BREACHES, Tone::Good, &compared.gone_breaches))
        @if compared.shares.is_empty() { p { (t(texts::NO_CHANGE)) } }
        @for dimension in Dimension::ALL {
            @let moved: Vec<_> =
                compared.shares.iter().filter(|share| share.dimension == dimension.as_str()).collect();
            @if !moved.is_empty() {
                h3 { (t(dimension.label())) }
                (kept::shares(view, t(dimension.label()), &moved))
            }
        }
        h3 { (t(texts::HHI_CHANGE)) }
        (hhi(view, &compared.hhi))
    };
    ui::section(t(texts::OUTCOME), &part)
}

fn hhi(view: &View, differences: &[HhiDifference]) -> Markup {
    let columns = [
        Column::text(view.t(texts::DIMENSION)),
        Column::number(view.t(texts::BEFORE)),
        Column::number(view.t(texts::AFTER)),
    ];
    let row = |one: &HhiDifference| {
        let label = Dimension::find(&one.dimension).map(|known| view.t(known.label()));
        vec![
            html! { (label.unwrap_or(one.dimension.as_str())) },
            html! { (view.decimal(Hundredths::new(one.before))) },
            html! { (view.decimal(Hundredths::new(one.after))) },
        ]
    };
    let rows: Vec<_> = differences.iter().map(row).collect();
    table(view.t(texts::HHI_CHANGE), &columns, &rows)
}
