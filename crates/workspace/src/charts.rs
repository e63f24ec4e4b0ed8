//! Charts, drawn on the server as SVG. Positions are attributes and colours are classes, so no inline style is
//! needed; each chart is an image with a name, and the table behind it says the same in words.

use maud::{Markup, html};

use crate::ui::badge::Tone;

/// One bar of a chart.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    pub(crate) label: String,
    /// From 0 to 100.
    pub(crate) percent: f64,
    /// As it is written beside the bar.
    pub(crate) shown: String,
    pub(crate) tone: Tone,
}

const ROW: f64 = 30.0;
const LEFT: f64 = 150.0;
const WIDTH: f64 = 560.0;
const RIGHT: f64 = 60.0;
/// What fits left of the bars; the table behind the chart has the whole name.
const LABEL_CHARACTERS: usize = 22;

/// Horizontal bars, with a line where the threshold is.
pub(crate) fn bars(name: &str, bars: &[Bar], threshold: Option<f64>) -> Markup {
    let span = WIDTH - LEFT - RIGHT;
    let height = ROW * f64::from(u32::try_from(bars.len()).unwrap_or(0)) + 8.0;
    let x = |percent: f64| LEFT + span * percent.clamp(0.0, 100.0) / 100.0;
    html! {
        svg.chart viewBox={ "0 0 " (number(WIDTH)) " " (number(height)) } role="img" aria-label=(name) {
            @for (row, bar) in (0_u32..).zip(bars) {
                @let y = 4.0 + ROW * f64::from(row);
                text.chart-label x=(number(LEFT - 10.0)) y=(number(y + 19.0)) { (shortened(&bar.label)) }
                rect.chart-track x=(number(LEFT)) y=(number(y + 6.0)) width=(number(span)) height="18" rx="3" {}
                rect class={ "chart-bar " (bar.tone.class()) } x=(number(LEFT)) y=(number(y + 6.0))
                    width=(number(x(bar.percent) - LEFT)) height="18" rx="3" {}
                text.chart-value x=(number(LEFT + span + 8.0)) y=(number(y + 19.0)) { (bar.shown) }
            }
            @if let Some(threshold) = threshold {
                line.chart-threshold x1=(number(x(threshold))) x2=(number(x(threshold))) y1="0" y2=(number(height)) {}
            }
        }
    }
}

const SIZE: f64 = 240.0;
const RADIUS: f64 = 78.0;

/// Scores from 0 to 100 along as many axes as there are labels, beginning at the top.
pub(crate) fn radar(name: &str, axes: &[(String, f64)]) -> Markup {
    let count = f64::from(u32::try_from(axes.len()).unwrap_or(1)).max(1.0);
    let centre = SIZE / 2.0;
    let point = |axis: u32, share: f64| {
        let angle = std::f64::consts::TAU * f64::from(axis) / count - std::f64::consts::FRAC_PI_2;
        (centre + RADIUS * share * angle.cos(), centre + RADIUS * share * angle.sin())
    };
    let ring = |share: f64| {
        let corners = (0..).zip(axes).map(|(axis, _)| point(axis, share));
        corners.map(|(x, y)| format!("{},{}", number(x), number(y))).collect::<Vec<_>>().join(" ")
    };
    let shape: Vec<_> = (0..)
        .zip(axes)
        .map(|(axis, (_, score))| {
            let (x, y) = point(axis, score.clamp(0.0, 100.0) / 100.0);
            format!("{},{}", number(x), number(y))
        })
        .collect();
    html! {
        svg.chart.radar viewBox={ "0 0 " (number(SIZE)) " " (number(SIZE)) } role="img" aria-label=(name) {
            @for share in [0.25, 0.5, 0.75, 1.0] { polygon.chart-ring points=(ring(share)) {} }
            @for (axis, (label, _)) in (0..).zip(axes) {
                @let (x, y) = point(axis, 1.0);
                @let (lx, ly) = point(axis, 1.2);
                line.chart-axis x1=(number(centre)) y1=(number(centre)) x2=(number(x)) y2=(number(y)) {}
                text.chart-corner x=(number(lx)) y=(number(ly + 4.0)) text-anchor=(anchor(lx - centre)) { (label) }
            }
            polygon.chart-shape points=(shape.join(" ")) {}
        }
    }
}

fn anchor(offset: f64) -> &'static str {
    match offset {
        offset if offset > 4.0 => "start",
        offset if offset < -4.0 => "end",
        _ => "middle",
    }
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LABEL_CHARACTERS {
        return label.to_owned();
    }
    let kept: String = label.chars().take(LABEL_CHARACTERS - 1).collect();
    format!("{}…", kept.trim_end())
}

/// A coordinate, to a tenth of a unit.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_share_and_never_longer() {
        let bar = |percent| Bar { label: "A & B".into(), percent, shown: "x".into(), tone: Tone::Good };
        let svg = bars("Shares", &[bar(50.0), bar(140.0)], Some(25.0)).into_string();
        assert!(svg.contains(r#"width="175" height="18""#), "half of the span: {svg}");
        assert!(svg.contains(r#"width="350" height="18""#), "the whole span: {svg}");
        assert!(svg.contains("A &amp; B") && !svg.contains("style="));
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(shortened("Frankfurt am Main und Umgebung"), "Frankfurt am Main und…");
        assert_eq!(shortened("Frankfurt am Main"), "Frankfurt am Main");
    }

    #[test]
    fn a_radar_has_a_corner_for_each_axis() {
        let axes: Vec<_> = (1..=5).map(|n| (format!("Axis {n}"), 20.0 * f64::from(n))).collect();
        let svg = radar("Scores", &axes).into_string();
        assert_eq!(svg.matches("chart-axis").count(), 5);
        assert!(svg.contains(r#"points="120,"#) || svg.contains("120,"), "the first axis points up");
    }
}
