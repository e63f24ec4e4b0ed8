//! Badges for states. Each tone has a shape besides its colour, so that readers need not distinguish colours.

pub(crate) use domain::tone::Tone;
use maud::{Markup, PreEscaped, html};

fn drawing(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => r#"<path d="M1.5 6.5l3 3 6-7" class="stroke"/>"#,
        Tone::Notice => r#"<circle cx="6" cy="6" r="4" class="stroke"/>"#,
        Tone::Warning => r#"<path d="M6 1.2L11.4 10.8H.6z"/>"#,
        Tone::Critical => {
            r#"<path fill-rule="evenodd" d="M3.7.5h4.6l3.2 3.2v4.6l-3.2 3.2H3.7L.5 8.3V3.7zM2.8 5.1v1.8h6.4V5.1z"/>"#
        }
        Tone::Running => {
            r#"<circle cx="6" cy="6" r="4.2" class="stroke"/><path d="M6 1.8a4.2 4.2 0 0 1 0 8.4z"/>"#
        }
        Tone::Neutral => r#"<path d="M2 6h8" class="stroke"/>"#,
        Tone::Muted => r#"<circle cx="6" cy="6" r="2.2"/>"#,
    }
}

pub(crate) fn badge(tone: Tone, text: &str) -> Markup {
    html! { span class={ "badge " (tone.as_str()) } { (mark(tone)) (text) } }
}

/// The shape alone, in the colour of its tone.
pub(crate) fn mark(tone: Tone) -> Markup {
    html! {
        svg class={ "mark mark-" (tone.as_str()) } viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"
            focusable="false" { (shape(tone)) }
    }
}

/// The shape as a part of a larger drawing.
pub(crate) fn shape(tone: Tone) -> PreEscaped<&'static str> {
    PreEscaped(drawing(tone))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn tones_differ_in_shape_and_name() {
        assert_eq!(Tone::ALL.map(drawing).into_iter().collect::<HashSet<_>>().len(), Tone::ALL.len());
        assert_eq!(Tone::ALL.iter().map(|tone| tone.as_str()).collect::<HashSet<_>>().len(), Tone::ALL.len());
    }

    #[test]
    fn text_is_escaped() {
        assert!(badge(Tone::Good, "<b>").into_string().ends_with("&lt;b&gt;</span>"));
    }
}
