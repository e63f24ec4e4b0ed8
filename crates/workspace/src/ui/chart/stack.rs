//! One bar divided into the parts of a whole, with a key.

use maud::{Markup, html};

use super::{along, percent, texture};
use crate::ui::badge::{Tone, mark};

/// A part of the whole.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) label: String,
    pub(crate) weight: u64,
    /// The value in the key.
    pub(crate) shown: String,
    pub(crate) tone: Tone,
}

/// Several wholes of the same parts, one below the other.
#[derive(Debug, Clone)]
pub(crate) struct Stack {
    pub(crate) label: String,
    pub(crate) parts: Vec<Part>,
    /// The value beside the bar.
    pub(crate) shown: String,
}

pub(crate) fn stacks(name: &str, all: &[Stack]) -> Markup {
    html! {
        div.bars role="img" aria-label=(name) {
            @for stack in all {
                div.bar-row {
                    span.bar-label { (stack.label) }
                    div.bar-lines.stacked { (bar(&stack.parts, 16)) }
                    span.bar-value { (stack.shown) }
                }
            }
        }
        ul.key aria-hidden="true" {
            @for part in all.first().map_or(&[][..], |stack| &stack.parts) {
                li { (mark(part.tone)) span.key-label { (part.label) } }
            }
        }
    }
}

fn bar(parts: &[Part], height: u32) -> Markup {
    let whole = parts.iter().map(|part| part.weight).sum();
    html! {
        svg width="100%" height=(height) aria-hidden="true" focusable="false" {
            rect.chart-track width="100%" height=(height) rx="3" {}
            @for (start, part) in placed(parts) {
                @let (x, width) = (along(percent(start, whole)), along(percent(part.weight, whole)));
                rect class={ "chart-bar chart-part " (part.tone.as_str()) } x=(x) width=(width) height=(height) {}
                @if let Some(texture) = texture(part.tone) {
                    rect x=(x) width=(width) height=(height) fill=(texture) {}
                }
            }
        }
    }
}

pub(crate) fn stack(name: &str, parts: &[Part]) -> Markup {
    html! {
        div.stacked role="img" aria-label=(name) { (bar(parts, 22)) }
        ul.key {
            @for part in parts {
                li { (mark(part.tone)) span.key-label { (part.label) } strong { (part.shown) } }
            }
        }
    }
}

/// Each visible part, with its start.
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
    fn several_share_one_key() {
        let one = |label: &str| Stack {
            label: label.into(),
            parts: vec![part("met", 1, Tone::Good), part("open", 3, Tone::Critical)],
            shown: "1 of 4".into(),
        };
        let drawn = stacks("Chapters", &[one("First"), one("Second")]).into_string();
        assert_eq!((drawn.matches("bar-row").count(), drawn.matches("<li").count()), (2, 2), "{drawn}");
        assert!(drawn.contains("1 of 4") && drawn.contains(r#"x="25%" width="75%" height="16""#), "{drawn}");
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
