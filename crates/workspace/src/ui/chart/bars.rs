//! Horizontal bars, with a line for the threshold.

use maud::{Markup, html};

use super::{along, texture};
use crate::ui::badge::{Tone, mark};

/// One bar of a chart.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    pub(crate) label: String,
    /// From 0 to 100.
    pub(crate) percent: f64,
    /// The value beside the bar.
    pub(crate) shown: String,
    pub(crate) tone: Tone,
}

/// Two bars: the first is compared with the threshold, the second is below for comparison.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub(crate) first: Bar,
    pub(crate) second: f64,
    pub(crate) second_shown: String,
}

pub(crate) fn bars(name: &str, bars: &[Bar], threshold: Option<f64>) -> Markup {
    html! {
        div.bars role="img" aria-label=(name) {
            @for bar in bars { (row(bar, &line(bar, threshold), &html! { (bar.shown) })) }
        }
    }
}

/// Pairs of bars; `names` are the names of the two measures, for the key.
pub(crate) fn pairs(name: &str, names: [&str; 2], pairs: &[Pair], threshold: Option<f64>) -> Markup {
    html! {
        div.bars role="img" aria-label=(name) {
            @for pair in pairs {
                @let lines = html! { (line(&pair.first, threshold)) (second(pair.second)) };
                @let shown = html! { (pair.first.shown) span.bar-second { (pair.second_shown) } };
                (row(&pair.first, &lines, &shown))
            }
        }
        ul.key aria-hidden="true" {
            li { (swatch("chart-bar neutral")) (names[0]) }
            li { (swatch("chart-second")) (names[1]) }
        }
    }
}

fn row(bar: &Bar, lines: &Markup, shown: &Markup) -> Markup {
    let loud = matches!(bar.tone, Tone::Critical | Tone::Warning);
    html! {
        div.bar-row {
            span.bar-label { (bar.label) }
            div.bar-lines { (lines) }
            span.bar-value { @if loud { (mark(bar.tone)) } span { (shown) } }
        }
    }
}

fn line(bar: &Bar, threshold: Option<f64>) -> Markup {
    let width = along(bar.percent);
    html! {
        svg width="100%" height="24" aria-hidden="true" focusable="false" {
            rect.chart-track y="4" width="100%" height="16" rx="3" {}
            rect class={ "chart-bar " (bar.tone.as_str()) } y="4" width=(width) height="16" rx="3" {}
            @if let Some(texture) = texture(bar.tone) {
                rect y="4" width=(width) height="16" rx="3" fill=(texture) {}
            }
            @if let Some(threshold) = threshold {
                @let here = along(threshold);
                line.chart-threshold x1=(here) x2=(here) y1="0" y2="24" {}
            }
        }
    }
}

fn second(percent: f64) -> Markup {
    html! {
        svg width="100%" height="10" aria-hidden="true" focusable="false" {
            rect.chart-track width="100%" height="7" rx="2" {}
            rect.chart-second width=(along(percent)) height="7" rx="2" {}
        }
    }
}

fn swatch(class: &str) -> Markup {
    html! { svg width="14" height="14" aria-hidden="true" focusable="false" { rect class=(class) width="14" height="14" rx="3" {} } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(percent: f64, tone: Tone) -> Bar {
        Bar { label: "A & B".into(), percent, shown: "x".into(), tone }
    }

    #[test]
    fn bars_are_as_long_as_their_share_and_never_longer() {
        let drawn =
            bars("Shares", &[bar(50.0, Tone::Good), bar(140.0, Tone::Good)], Some(25.0)).into_string();
        assert!(drawn.contains(r#"width="50%" height="16""#), "{drawn}");
        assert!(drawn.contains(r#"x1="25%" x2="25%""#), "{drawn}");
        assert!(drawn.contains("A &amp; B") && !drawn.contains("140") && !drawn.contains("style="));
    }

    #[test]
    fn a_breach_differs_in_shape_too() {
        let breach = bars("Shares", &[bar(50.0, Tone::Critical)], None).into_string();
        let sound = bars("Shares", &[bar(50.0, Tone::Good)], None).into_string();
        assert!(breach.contains("texture-hatched") && !sound.contains("texture"));
        assert!(breach.matches("<svg").count() > sound.matches("<svg").count(), "a mark beside the number");
    }

    #[test]
    fn a_pair_shows_both_measures() {
        let pair = Pair { first: bar(10.0, Tone::Good), second: 75.0, second_shown: "3 of 4".into() };
        let drawn = pairs("Shares", ["Cost", "Functions"], &[pair], None).into_string();
        assert!(drawn.contains(r#"chart-second" width="75%""#) && drawn.contains("3 of 4"), "{drawn}");
        assert!(drawn.contains("Functions"));
    }
}
