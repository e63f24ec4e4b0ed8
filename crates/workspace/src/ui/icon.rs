//! Icons, drawn in the colour of the surrounding text; never the only carrier of information.

use maud::{Markup, PreEscaped, html};

/// An icon of 16 by 16 units, as the inner part of an SVG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Icon(&'static str);

impl Icon {
    /// The icon, hidden from screen readers: the text beside it says the same.
    pub(crate) fn render(self) -> Markup {
        html! {
            svg.icon viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false" {
                (PreEscaped(self.0))
            }
        }
    }
}

pub(crate) const TIDE: Icon = Icon(
    r#"<path d="M1 6c1.2-1.6 2.8-1.6 4 0s2.8 1.6 4 0 2.8-1.6 4 0 1.4 1.1 2 1M1 11c1.2-1.6 2.8-1.6 4 0s2.8 1.6 4 0 2.8-1.6 4 0 1.4 1.1 2 1" class="stroke"/>"#,
);
pub(crate) const MENU: Icon = Icon(r#"<path d="M2 4h12M2 8h12M2 12h12" class="stroke"/>"#);
pub(crate) const CLOSE: Icon = Icon(r#"<path d="M3.5 3.5l9 9m0-9l-9 9" class="stroke"/>"#);
pub(crate) const SEARCH: Icon =
    Icon(r#"<circle cx="7" cy="7" r="4.5" class="stroke"/><path d="M10.5 10.5L14 14" class="stroke"/>"#);
pub(crate) const HOME: Icon = Icon(r#"<path d="M2 7.5L8 2.5l6 5V14H9.8v-4H6.2v4H2z" class="stroke"/>"#);
pub(crate) const KEY: Icon = Icon(
    r#"<circle cx="5" cy="11" r="3" class="stroke"/><path d="M7.2 8.8L13.5 2.5M11 5l2 2" class="stroke"/>"#,
);
pub(crate) const BELL: Icon =
    Icon(r#"<path d="M8 2a4 4 0 0 0-4 4v3l-1.2 2.2h10.4L12 9V6a4 4 0 0 0-4-4zM6.5 13.5h3" class="stroke"/>"#);
pub(crate) const PEOPLE: Icon = Icon(
    r#"<circle cx="6" cy="5" r="2.5" class="stroke"/><path d="M1.5 13.5c0-2.6 2-4.2 4.5-4.2s4.5 1.6 4.5 4.2M11 3.2a2.3 2.3 0 0 1 0 4.2M12 9.6c1.6.5 2.5 1.9 2.5 3.9" class="stroke"/>"#,
);
pub(crate) const SLIDERS: Icon = Icon(
    r#"<path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" class="stroke"/><circle cx="10" cy="4.5" r="1.8" class="stroke"/><circle cx="6" cy="11.5" r="1.8" class="stroke"/>"#,
);
pub(crate) const CHECK: Icon = Icon(
    r#"<rect x="2" y="2" width="12" height="12" rx="2" class="stroke"/><path d="M5 8.2l2.2 2.2L11.2 6" class="stroke"/>"#,
);
pub(crate) const STAMP: Icon = Icon(r#"<path d="M6 2.5h4v3.5l2.5 3.5h-9L6 6zM3 13h10" class="stroke"/>"#);
pub(crate) const FLAG: Icon = Icon(r#"<path d="M3.5 14.5V2h8.5l-2 3 2 3H3.5" class="stroke"/>"#);
pub(crate) const PLAN: Icon = Icon(
    r#"<rect x="2" y="3" width="12" height="11" rx="1.5" class="stroke"/><path d="M2 6.5h12M5.5 1.5v3M10.5 1.5v3" class="stroke"/>"#,
);
pub(crate) const ALARM: Icon = Icon(
    r#"<path d="M8 2.2L14.4 13.5H1.6z" class="stroke"/><path d="M8 6.4v3.2M8 11.4v.4" class="stroke"/>"#,
);
pub(crate) const SHIELD: Icon =
    Icon(r#"<path d="M8 1.5l5.5 2v4c0 3.4-2.2 5.8-5.5 7-3.3-1.2-5.5-3.6-5.5-7v-4z" class="stroke"/>"#);
pub(crate) const CLOCK: Icon =
    Icon(r#"<circle cx="8" cy="8" r="6" class="stroke"/><path d="M8 4.5V8l2.5 1.5" class="stroke"/>"#);
pub(crate) const RADAR: Icon = Icon(
    r#"<path d="M2.5 12.5a7.5 7.5 0 0 1 11 0M5 10.5a4.3 4.3 0 0 1 6 0" class="stroke"/><circle cx="8" cy="12.5" r="1"/><path d="M8 12.5V3" class="stroke"/>"#,
);
pub(crate) const GRID: Icon =
    Icon(r#"<path d="M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11" class="stroke"/>"#);
pub(crate) const SIREN: Icon = Icon(
    r#"<path d="M4 12V8a4 4 0 0 1 8 0v4M2.5 14h11M8 1v1.2M2.6 3.6l.9.9M13.4 3.6l-.9.9" class="stroke"/>"#,
);
pub(crate) const SCORE: Icon = Icon(
    r#"<path d="M8 1.8l5.8 4.2-2.2 6.8H4.4L2.2 6z" class="stroke"/><path d="M8 5.2l2.6 1.9-1 3.1H6.4l-1-3.1z"/>"#,
);
pub(crate) const CONTRACT: Icon =
    Icon(r#"<path d="M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 8h5M5.5 10.5h5" class="stroke"/>"#);
pub(crate) const BOOK: Icon = Icon(
    r#"<path d="M8 3.5c-1.6-1-3.4-1.2-5.5-1v10c2.1-.2 3.9 0 5.5 1 1.6-1 3.4-1.2 5.5-1v-10c-2.1-.2-3.9 0-5.5 1zm0 0v10" class="stroke"/>"#,
);
pub(crate) const PIE: Icon =
    Icon(r#"<circle cx="8" cy="8" r="6" class="stroke"/><path d="M8 8V2a6 6 0 0 1 5.2 9z"/>"#);
pub(crate) const TASKS: Icon = Icon(
    r#"<path d="M2 4l1.2 1.2L5.4 3M2 8.2l1.2 1.2 2.2-2.2M2 12.4l1.2 1.2 2.2-2.2M8 4h6M8 8.2h6M8 12.4h6" class="stroke"/>"#,
);
pub(crate) const INBOX: Icon = Icon(
    r#"<path d="M2 9.5L4 3h8l2 6.5V13.5H2zM2 9.5h3.5c0 1.4 1 2.2 2.5 2.2s2.5-.8 2.5-2.2H14" class="stroke"/>"#,
);
pub(crate) const TARGET: Icon = Icon(
    r#"<circle cx="8" cy="8" r="6" class="stroke"/><circle cx="8" cy="8" r="3" class="stroke"/><circle cx="8" cy="8" r="0.9"/>"#,
);
pub(crate) const LAYERS: Icon =
    Icon(r#"<path d="M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3" class="stroke"/>"#);
pub(crate) const STATEMENT: Icon = Icon(
    r#"<rect x="3" y="2" width="10" height="12" rx="1" class="stroke"/><path d="M5 5.5l1 1 1.6-1.8M9.5 5.8h2M5 10.5h6" class="stroke"/>"#,
);
pub(crate) const CHART: Icon =
    Icon(r#"<path d="M2.5 2v11.5H14M5.5 11V8M8.5 11V5M11.5 11V7" class="stroke"/>"#);
pub(crate) const LOCK: Icon = Icon(
    r#"<rect x="3" y="7" width="10" height="7" rx="1.2" class="stroke"/><path d="M5.2 7V5a2.8 2.8 0 0 1 5.6 0v2M8 9.8v1.6" class="stroke"/>"#,
);
pub(crate) const BUNDLE: Icon =
    Icon(r#"<path d="M2.5 5h11v8.5h-11zM4 2.5h8L13.5 5h-11zM6.5 8h3" class="stroke"/>"#);
pub(crate) const BOLT: Icon = Icon(r#"<path d="M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z" class="stroke"/>"#);
pub(crate) const CLIP: Icon = Icon(
    r#"<path d="M12.5 7.5l-4.8 4.8a3 3 0 0 1-4.3-4.3l5.3-5.2a2 2 0 0 1 2.9 2.8L6.4 10.8a1 1 0 0 1-1.4-1.4L9.3 5" class="stroke"/>"#,
);
pub(crate) const PENCIL: Icon =
    Icon(r#"<path d="M2.5 13.5l.8-3.3 7.4-7.4 2.5 2.5-7.4 7.4zM9.2 4.3l2.5 2.5" class="stroke"/>"#);
pub(crate) const TABLE: Icon = Icon(r#"<path d="M2 3h12v10H2zM2 6.2h12M6 6.2V13M2 9.6h12" class="stroke"/>"#);
pub(crate) const BUILDING: Icon =
    Icon(r#"<path d="M3.5 14V2.5h6V14M9.5 6.5h3V14M2 14h12M5.5 5h2M5.5 7.5h2M5.5 10h2" class="stroke"/>"#);
pub(crate) const PARAGRAPH: Icon =
    Icon(r#"<path d="M8 14V2.5M11 14V2.5M13 2.5H6.5a3 3 0 0 0 0 6H8" class="stroke"/>"#);
pub(crate) const GAP: Icon =
    Icon(r#"<path d="M2 4h4M10 4h4M2 8h7M12.5 8H14M2 12h2M8 12h6" class="stroke"/>"#);
pub(crate) const QUESTION: Icon = Icon(
    r#"<circle cx="8" cy="8" r="6" class="stroke"/><path d="M6 6.4c0-1.2.9-2 2-2s2 .8 2 1.8c0 1.4-2 1.5-2 3M8 11.2v.3" class="stroke"/>"#,
);
pub(crate) const DICE: Icon = Icon(
    r#"<path d="M2.5 2.5h11v11h-11zM5.3 5.3h.2M10.5 5.3h.2M7.9 7.9h.2M5.3 10.6h.2M10.5 10.6h.2" class="stroke"/>"#,
);
pub(crate) const ASK: Icon = Icon(
    r#"<path d="M2.5 2.5h11v8H8L4.5 13.5v-3h-2zM6.5 5.4c0-.9.7-1.4 1.5-1.4s1.5.5 1.5 1.3c0 1-1.5 1.1-1.5 2M8 8.6v.3" class="stroke"/>"#,
);
pub(crate) const SCENARIO: Icon =
    Icon(r#"<path d="M2 3.5h12v8H8.5L5 14v-2.5H2zM5 6.2h6M5 8.8h4" class="stroke"/>"#);
pub(crate) const CAP: Icon = Icon(
    r#"<path d="M8 3l6.5 3L8 9 1.5 6zM4.5 7.6V11c1 .9 2.2 1.3 3.5 1.3s2.5-.4 3.5-1.3V7.6M14.5 6v4" class="stroke"/>"#,
);
pub(crate) const LESSON: Icon =
    Icon(r#"<path d="M2 3h12v8H2zM8 11v2.5M5 14h6M5 6h6M5 8.3h3.5" class="stroke"/>"#);
pub(crate) const EYE: Icon = Icon(
    r#"<path d="M1.5 8C3 5.2 5.2 3.8 8 3.8S13 5.2 14.5 8c-1.5 2.8-3.7 4.2-6.5 4.2S3 10.8 1.5 8z" class="stroke"/><circle cx="8" cy="8" r="1.9" class="stroke"/>"#,
);
pub(crate) const PLUG: Icon =
    Icon(r#"<path d="M5.5 1.5V5m5-3.5V5m-7 0h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.5" class="stroke"/>"#);
pub(crate) const LINK: Icon = Icon(
    r#"<path d="M6.5 9.5l3-3M7 4.5l1.3-1.3a2.9 2.9 0 0 1 4.1 4.1L11 8.6M9 11.5l-1.3 1.3a2.9 2.9 0 0 1-4.1-4.1L5 7.4" class="stroke"/>"#,
);
