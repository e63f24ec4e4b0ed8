//! Small pictures. Drawn in the colour of the text around them; never the only way something is said.

use maud::{Markup, PreEscaped, html};

/// A picture of 16 by 16 units, as the inner part of an SVG.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Icon(&'static str);

impl Icon {
    /// The picture, unseen by those who hear the page: the text beside it says the same.
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
pub(crate) const LOG: Icon =
    Icon(r#"<path d="M3 2h8l2 2v10H3zM5.5 6h5M5.5 8.5h5M5.5 11h3" class="stroke"/>"#);
pub(crate) const PEOPLE: Icon = Icon(
    r#"<circle cx="6" cy="5" r="2.5" class="stroke"/><path d="M1.5 13.5c0-2.6 2-4.2 4.5-4.2s4.5 1.6 4.5 4.2M11 3.2a2.3 2.3 0 0 1 0 4.2M12 9.6c1.6.5 2.5 1.9 2.5 3.9" class="stroke"/>"#,
);
pub(crate) const SLIDERS: Icon = Icon(
    r#"<path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" class="stroke"/><circle cx="10" cy="4.5" r="1.8" class="stroke"/><circle cx="6" cy="11.5" r="1.8" class="stroke"/>"#,
);
