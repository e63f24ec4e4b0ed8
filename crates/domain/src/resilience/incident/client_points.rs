//! The content of what clients, recipients of services and users are informed of: DORA Art. 19(3), NIS2 Art. 23(1) and
//! (2), CRA Art. 14(8). The acts have no form for it; these points are what a record of it needs.

use crate::wording::Label;

use super::contents::{Point, must};

const EVENT: Label = Label::new("What happened", "Was geschehen ist");
const CHANNEL: Label = Label::new("Channel", "Kanal");
const RECIPIENTS: Label = Label::new("Sent to", "Gesendet an");

/// Four points on one article; `measures` is what those informed can do.
const fn points(article: &'static str, measures: Label) -> [Point; 4] {
    [
        must("inform_event", article, EVENT).described(),
        must("inform_measures", article, measures),
        must("inform_channel", article, CHANNEL),
        must("inform_recipients", article, RECIPIENTS),
    ]
}

pub(super) const CLIENTS: &[Point] = &points(
    "2022/2554 Art. 19(3)",
    Label::new(
        "Measures taken, and measures that clients can take",
        "Ergriffene Maßnahmen und Maßnahmen, die Kunden ergreifen können",
    ),
);
pub(super) const RECIPIENTS_OF_SERVICES: &[Point] = &points(
    "2022/2555 Art. 23(1), (2)",
    Label::new(
        "Measures or remedies that recipients of the services can take",
        "Maßnahmen oder Abhilfe, die Empfänger der Dienste ergreifen können",
    ),
);
pub(super) const USERS: &[Point] = &points(
    "2024/2847 Art. 14(8)",
    Label::new(
        "Risk mitigation and corrective measures that users can take",
        "Risikominderung und Korrekturmaßnahmen, die Nutzer ergreifen können",
    ),
);
