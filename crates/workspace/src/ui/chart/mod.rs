//! Charts, drawn on the server as SVG, each with a table of its numbers.
//!
//! Positions are attributes and colours are classes, so that no inline style is needed. Positions along a line are in
//! per cent of its width, with the text beside it in HTML, so that a chart keeps its font size on every screen. Tones
//! differ in texture and shape besides their colour. Charts are not interactive: to a screen reader a chart is one
//! image with a name.

mod band;
mod bars;
mod gauge;
mod line;
mod matrix;
mod radar;
mod sparkline;
mod stack;

use domain::rounding::Hundredths;
use maud::{Markup, html};

pub(crate) use self::{
    band::{Mark, band},
    bars::{Bar, Pair, bars, pairs},
    gauge::{Gauge, gauge},
    line::{Point, line},
    matrix::{Cell, Matrix, matrix},
    radar::{radar, radar_shape},
    sparkline::sparkline,
    stack::{Part, Stack, stack, stacks},
};
use super::{
    badge::Tone,
    table::{Column, table},
};
use crate::{extract::View, texts::chart as texts};

/// A chart and, in a closed section, its numbers as a table.
pub(crate) fn figure(
    view: &View,
    name: &str,
    chart: &Markup,
    columns: &[Column<'_>],
    rows: &[Vec<Markup>],
) -> Markup {
    html! {
        figure.chart-figure {
            (chart)
            details.behind {
                summary { (view.t(texts::AS_TABLE)) span.unseen { ": " (name) } }
                (table(name, columns, rows))
            }
        }
    }
}

/// Bars with their table.
pub(crate) fn bar_figure(view: &View, name: &str, heading: [&str; 2], all: &[Bar]) -> Markup {
    let columns = [Column::text(heading[0]), Column::number(heading[1])];
    let rows: Vec<_> = all.iter().map(|bar| vec![html! { (bar.label) }, html! { (bar.shown) }]).collect();
    figure(view, name, &bars(name, all, None), &columns, &rows)
}

/// The textures of tones; once on every page, since charts refer to them.
pub(crate) fn textures() -> Markup {
    html! {
        svg.chart-textures width="0" height="0" aria-hidden="true" focusable="false" {
            defs {
                pattern #texture-hatched patternUnits="userSpaceOnUse" width="6" height="6" patternTransform="rotate(45)" {
                    rect.chart-ink width="2.2" height="6" {}
                }
                pattern #texture-dotted patternUnits="userSpaceOnUse" width="6" height="6" {
                    circle.chart-ink cx="3" cy="3" r="1.3" {}
                }
                pattern #texture-lined patternUnits="userSpaceOnUse" width="5" height="5" {
                    rect.chart-ink width="5" height="1.6" {}
                }
            }
        }
    }
}

/// The texture of this tone.
fn texture(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Critical => Some("url(#texture-hatched)"),
        Tone::Warning => Some("url(#texture-dotted)"),
        Tone::Running => Some("url(#texture-lined)"),
        Tone::Good | Tone::Notice | Tone::Neutral | Tone::Muted => None,
    }
}

/// A part of a whole, from 0 to 100.
pub(crate) fn percent(part: u64, whole: u64) -> f64 {
    share(Hundredths::percent(part, whole))
}

/// Per cent as a length. Hundredths of what a chart can show are exact in a float.
pub(crate) fn share(percent: Hundredths) -> f64 {
    f64::from(i32::try_from(percent.get()).unwrap_or(i32::MAX)) / 100.0
}

/// A length in per cent of the chart's width, within its bounds.
fn along(percent: f64) -> String {
    format!("{}%", number(percent.clamp(0.0, 100.0)))
}

/// A coordinate, to a tenth of a unit.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A number of things as a coordinate.
fn count(things: usize) -> f64 {
    f64::from(u32::try_from(things).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_stay_inside_the_chart() {
        assert_eq!([-3.0, 0.0, 38.44, 100.0, 140.0].map(along), ["0%", "0%", "38.4%", "100%", "100%"]);
        assert_eq!(number(percent(1, 3)), "33.3");
        assert_eq!(number(percent(1, 0)), "0");
    }

    #[test]
    fn every_texture_a_tone_asks_for_is_there() {
        let drawn = textures().into_string();
        for tone in Tone::ALL {
            let Some(name) = texture(tone) else { continue };
            let id = name.trim_start_matches("url(#").trim_end_matches(')');
            assert!(drawn.contains(&format!("id=\"{id}\"")), "{id}");
        }
    }
}
