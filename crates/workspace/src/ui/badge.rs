//! States at a glance. Each tone has a shape of its own besides its colour, so that nobody needs to see colours.

use maud::{Markup, PreEscaped, html};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// A tick.
    Good,
    /// A ring.
    Notice,
    /// A triangle.
    Warning,
    /// An octagon with a bar.
    Critical,
    /// A half-filled disc.
    Running,
    /// A dash.
    Neutral,
    /// A dot.
    Muted,
}

impl Tone {
    pub(crate) const ALL: [Self; 7] =
        [Self::Good, Self::Notice, Self::Warning, Self::Critical, Self::Running, Self::Neutral, Self::Muted];

    /// The name its styles go by.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Critical => "critical",
            Self::Running => "running",
            Self::Neutral => "neutral",
            Self::Muted => "muted",
        }
    }

    fn shape(self) -> &'static str {
        match self {
            Self::Good => r#"<path d="M1.5 6.5l3 3 6-7" class="stroke"/>"#,
            Self::Notice => r#"<circle cx="6" cy="6" r="4" class="stroke"/>"#,
            Self::Warning => r#"<path d="M6 1.2L11.4 10.8H.6z"/>"#,
            Self::Critical => {
                r#"<path fill-rule="evenodd" d="M3.7.5h4.6l3.2 3.2v4.6l-3.2 3.2H3.7L.5 8.3V3.7zM2.8 5.1v1.8h6.4V5.1z"/>"#
            }
            Self::Running => {
                r#"<circle cx="6" cy="6" r="4.2" class="stroke"/><path d="M6 1.8a4.2 4.2 0 0 1 0 8.4z"/>"#
            }
            Self::Neutral => r#"<path d="M2 6h8" class="stroke"/>"#,
            Self::Muted => r#"<circle cx="6" cy="6" r="2.2"/>"#,
        }
    }
}

pub(crate) fn badge(tone: Tone, text: &str) -> Markup {
    html! { span class={ "badge " (tone.class()) } { (mark(tone)) (text) } }
}

/// The shape alone, in the colour of its tone.
pub(crate) fn mark(tone: Tone) -> Markup {
    html! {
        svg class={ "mark mark-" (tone.class()) } viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"
            focusable="false" { (shape(tone)) }
    }
}

/// The shape as a part of a larger drawing.
pub(crate) fn shape(tone: Tone) -> PreEscaped<&'static str> {
    PreEscaped(tone.shape())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn tones_differ_in_shape_and_name() {
        assert_eq!(Tone::ALL.iter().map(|tone| tone.shape()).collect::<HashSet<_>>().len(), Tone::ALL.len());
        assert_eq!(Tone::ALL.iter().map(|tone| tone.class()).collect::<HashSet<_>>().len(), Tone::ALL.len());
    }

    #[test]
    fn text_is_escaped() {
        assert!(badge(Tone::Good, "<b>").into_string().ends_with("&lt;b&gt;</span>"));
    }
}
