//! A line chart over time, as wide as its container.

use maud::{Markup, html};

use super::{count, number};

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 96.0;
const EDGE: f64 = 4.0;

/// One moment, from the oldest to the newest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    /// From 0 to 100 of the highest; absent if nothing was measured, which leaves a gap.
    pub(crate) percent: Option<f64>,
    /// A failure, drawn behind the line.
    pub(crate) loud: bool,
}

/// The drawing is stretched to its container, so it contains no text: names and numbers are beside it.
pub(crate) fn line(name: &str, points: &[Point]) -> Markup {
    let step = WIDTH / count(points.len().max(1));
    let across = |index: usize| step * (count(index) + 0.5);
    html! {
        svg.line viewBox={ "0 0 " (number(WIDTH)) " " (number(HEIGHT)) } width="100%" height="96"
            preserveAspectRatio="none" role="img" aria-label=(name) {
            rect.chart-track width="100%" height="100%" {}
            @for (index, _) in points.iter().enumerate().filter(|(_, point)| point.loud) {
                rect.line-loud x=(number(step * count(index))) width=(number(step)) height="100%" {}
            }
            @for run in runs(points) {
                @let drawn = run.iter().map(|(index, percent)| format!("{},{}", number(across(*index)), number(up(*percent))));
                @if let [(index, percent)] = run[..] {
                    rect.line-point x=(number(across(index) - 2.0)) y=(number(up(percent) - 2.0)) width="4" height="4" {}
                } @else {
                    polyline.line-stroke points=(drawn.collect::<Vec<_>>().join(" ")) {}
                }
            }
        }
    }
}

/// The vertical position of a value.
fn up(percent: f64) -> f64 {
    HEIGHT - EDGE - (HEIGHT - 2.0 * EDGE) * percent.clamp(0.0, 100.0) / 100.0
}

/// The points without gaps between them.
fn runs(points: &[Point]) -> Vec<Vec<(usize, f64)>> {
    let mut runs = Vec::new();
    let mut run = Vec::new();
    for (index, point) in points.iter().enumerate() {
        match point.percent {
            Some(percent) => run.push((index, percent)),
            None => runs.push(std::mem::take(&mut run)),
        }
    }
    runs.push(run);
    runs.retain(|run| !run.is_empty());
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(percent: Option<f64>, loud: bool) -> Point {
        Point { percent, loud }
    }

    #[test]
    fn a_gap_breaks_the_line_and_trouble_is_marked() {
        let points =
            [point(Some(0.0), false), point(Some(100.0), false), point(None, true), point(Some(50.0), false)];
        let drawn = line("Times", &points).into_string();
        assert!(drawn.contains(r#"points="75,92 225,4""#), "{drawn}");
        assert_eq!(drawn.matches("<polyline").count(), 1);
        assert_eq!(drawn.matches("line-point").count(), 1, "what stands alone is a point");
        assert!(drawn.contains(r#"line-loud" x="300" width="150""#), "{drawn}");
    }

    #[test]
    fn nothing_is_no_line() {
        assert!(!line("Times", &[]).into_string().contains("polyline"));
    }
}
