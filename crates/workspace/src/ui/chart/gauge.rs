//! A half circle that fills up, with a tick for the threshold.

use maud::{Markup, html};

use super::{number, texture};
use crate::ui::badge::Tone;

/// What a gauge shows.
#[derive(Debug, Clone)]
pub(crate) struct Gauge<'g> {
    /// The name of the measure for screen readers; `label` is the visible text below.
    pub(crate) name: String,
    pub(crate) label: &'g str,
    /// From 0 to 100.
    pub(crate) percent: f64,
    pub(crate) shown: String,
    pub(crate) threshold: Option<f64>,
    pub(crate) tone: Tone,
}

const CENTRE: (f64, f64) = (60.0, 60.0);
const RADIUS: f64 = 48.0;

pub(crate) fn gauge(gauge: &Gauge<'_>) -> Markup {
    let filled = format!("M{} A{RADIUS} {RADIUS} 0 0 1 {}", point(0.0, RADIUS), point(gauge.percent, RADIUS));
    let whole = format!("M{} A{RADIUS} {RADIUS} 0 0 1 {}", point(0.0, RADIUS), point(100.0, RADIUS));
    html! {
        div.gauge {
            svg viewBox="0 0 120 66" role="img" aria-label=(gauge.name) {
                path.gauge-track d=(whole) {}
                @if gauge.percent > 0.0 {
                    path class={ "gauge-line " (gauge.tone.as_str()) } d=(filled) {}
                    @if let Some(texture) = texture(gauge.tone) {
                        path.gauge-texture d=(filled) stroke=(texture) {}
                    }
                }
                @if let Some(threshold) = gauge.threshold {
                    path.chart-threshold
                        d={ "M" (point(threshold, RADIUS - 10.0)) " L" (point(threshold, RADIUS + 10.0)) } {}
                }
                text.gauge-value x="60" y="58" { (gauge.shown) }
            }
            span.gauge-label aria-hidden="true" { (gauge.label) }
        }
    }
}

/// The point of a percentage on the half circle, from left to right.
fn point(percent: f64, radius: f64) -> String {
    let angle = std::f64::consts::PI * (1.0 - percent.clamp(0.0, 100.0) / 100.0);
    let (x, y) = (CENTRE.0 + radius * angle.cos(), CENTRE.1 - radius * angle.sin());
    format!("{} {}", number(x), number(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_it_points_up() {
        assert_eq!(point(0.0, RADIUS), "12 60");
        assert_eq!(point(50.0, RADIUS), "60 12");
        assert_eq!(point(250.0, RADIUS), "108 60");
    }

    #[test]
    fn a_gauge_has_a_name_and_a_tick() {
        let drawn = gauge(&Gauge {
            name: "Provider: 38 % of 25 %".into(),
            label: "Provider",
            percent: 38.0,
            shown: "38 %".into(),
            threshold: Some(25.0),
            tone: Tone::Critical,
        });
        let drawn = drawn.into_string();
        assert!(drawn.contains(r#"aria-label="Provider: 38 % of 25 %""#));
        assert!(drawn.contains("chart-threshold") && drawn.contains("texture-hatched"));
    }
}
