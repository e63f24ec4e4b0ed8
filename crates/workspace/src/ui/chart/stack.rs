//! One bar divided into the parts of a whole, with a key that names them.

use maud::{Markup, html};

use super::{along, percent, texture};
use crate::ui::badge::{Tone, mark};

/// A part of the whole.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) label: String,
    pub(crate) weight: u64,
    /// As it is written in the key.
    pub(crate) shown: String,
    pub(crate) tone: Tone,
}

pub(crate) fn stack(name: &str, parts: &[Part]) -> Markup {
    let whole = parts.iter().map(|part| part.weight).sum();
    html! {
        div.stacked role="img" aria-label=(name) {
            svg width="100%" height="22" aria-hidden="true" focusable="false" {
                rect.chart-track width="100%" height="22" rx="3" {}
                @for (start, part) in placed(parts) {
                    @let (x, width) = (along(percent(start, whole)), along(percent(part.weight, whole)));
                    rect class={ "chart-bar chart-part " (part.tone.class()) } x=(x) width=(width) height="22" {}
                    @if let Some(texture) = texture(part.tone) {
                        rect x=(x) width=(width) height="22" fill=(texture) {}
                    }
                }
            }
        }
        ul.key {
            @for part in parts {
                li { (mark(part.tone)) span.key-label { (part.label) } strong { (part.shown) } }
            }
        }
    }
}

/// Each part that is seen, with where it begins.
fn placed(parts: &[Part]) -> Vec<(u64, &Part)> {
    let mut at = 0;
    let mut placed = Vec::with_capacity(parts.len());
    for part in parts.iter().filter(|part| part.weight > 0) {
        placed.push((at, part));
        at += part.weight;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(label: &str, weight: u64, tone: Tone) -> Part {
        Part { label: label.into(), weight, shown: weight.to_string(), tone }
    }

    #[test]
    fn parts_follow_each_other_and_fill_the_bar() {
        let parts = [part("a", 3, Tone::Good), part("none", 0, Tone::Notice), part("b", 1, Tone::Critical)];
        let drawn = stack("Parts", &parts).into_string();
        assert!(
            drawn.contains(r#"x="0%" width="75%""#) && drawn.contains(r#"x="75%" width="25%""#),
            "{drawn}"
        );
        assert_eq!(drawn.matches("chart-part").count(), 2, "nothing is not drawn");
        assert_eq!(drawn.matches("<li").count(), 3, "but it is named");
    }
}
