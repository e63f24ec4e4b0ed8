//! The contents of the reports of NIS2, the GDPR and the CRA and of DORA's threat notice, filled from the known
//! facts.
//!
//! NIS2 and the GDPR define no form; these are the points in their articles, in our own words. Points that are
//! required only if applicable or available never count as missing, because an early warning must not wait for them.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::{country::Country, moment::Moment, text::Prose, wording::Label};

use super::{
    client_points,
    due::Stage,
    facts::{Facts, Times},
    met::Met,
    product_points::CraEvent,
    report::Obligation,
    words::Regime,
};

/// One point of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Its name in the API.
    pub field: &'static str,
    pub name: Label,
    pub article: &'static str,
    /// `If` is what the article requires if applicable, possible or available.
    pub obligation: Obligation,
    pub(super) known: Option<From>,
}

/// The known data that answers the point, at least in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    Description,
    RootCause,
    MeasuresTaken,
    SuspectedMalicious,
    CrossBorder,
    MemberStates,
    DetectedAt,
}

pub(super) const fn must(field: &'static str, article: &'static str, name: Label) -> Point {
    Point { field, name, article, obligation: Obligation::Yes, known: None }
}

pub(super) const fn may(field: &'static str, article: &'static str, name: Label) -> Point {
    Point { field, name, article, obligation: Obligation::If, known: None }
}

impl Point {
    const fn from(self, known: From) -> Self {
        Self { known: Some(known), ..self }
    }

    /// Answered by the description of the incident.
    pub(super) const fn described(self) -> Self {
        self.from(From::Description)
    }

    /// Answered by the measures taken.
    pub(super) const fn prevented(self) -> Self {
        self.from(From::MeasuresTaken)
    }

    /// Answered by the time of detection.
    pub(super) const fn detected(self) -> Self {
        self.from(From::DetectedAt)
    }
}

const CROSS_BORDER: Label =
    Label::new("Possible impact in other Member States", "Mögliche Auswirkungen in anderen Mitgliedstaaten");
const STATUS: Label = Label::new("Relevant changes of the status", "Relevante Änderungen des Stands");
const NATURE: Label = Label::new("Nature of the breach", "Art der Verletzung");
const CONTACT: Label = Label::new(
    "Name and contact details of the data protection officer or another contact",
    "Name und Kontaktdaten der oder des Datenschutzbeauftragten oder einer anderen Anlaufstelle",
);
const CONSEQUENCES: Label =
    Label::new("Likely consequences of the breach", "Wahrscheinliche Folgen der Verletzung");
const MEASURES: Label = Label::new(
    "Measures taken or proposed, also to mitigate adverse effects",
    "Ergriffene oder vorgeschlagene Maßnahmen, auch zur Abmilderung nachteiliger Folgen",
);

const NIS2_WARNING: &[Point] = &[
    may(
        "suspected_malicious",
        "2022/2555 Art. 23(4)(a)",
        Label::new(
            "Whether unlawful or malicious acts are suspected as the cause",
            "Ob rechtswidrige oder böswillige Handlungen als Ursache vermutet werden",
        ),
    )
    .from(From::SuspectedMalicious),
    may("cross_border", "2022/2555 Art. 23(4)(a)", CROSS_BORDER).from(From::CrossBorder),
];
const NIS2_NOTIFICATION: &[Point] = &[
    must(
        "assessment",
        "2022/2555 Art. 23(4)(b)",
        Label::new(
            "First assessment of the incident with its severity and impact",
            "Erste Bewertung des Vorfalls mit Schweregrad und Auswirkungen",
        ),
    )
    .from(From::Description),
    may(
        "update",
        "2022/2555 Art. 23(4)(b)",
        Label::new("Update of the early warning", "Aktualisierung der Frühwarnung"),
    ),
    may(
        "indicators",
        "2022/2555 Art. 23(4)(b)",
        Label::new("Indicators of compromise", "Kompromittierungsindikatoren"),
    ),
];
const NIS2_INTERIM: &[Point] = &[must("status_update", "2022/2555 Art. 23(4)(c)", STATUS)];
const NIS2_PROGRESS: &[Point] = &[must("status_update", "2022/2555 Art. 23(4)(e)", STATUS)];
const NIS2_FINAL: &[Point] = &[
    must(
        "description",
        "2022/2555 Art. 23(4)(d)(i)",
        Label::new(
            "Detailed description of the incident with its severity and impact",
            "Ausführliche Beschreibung des Vorfalls mit Schweregrad und Auswirkungen",
        ),
    )
    .from(From::Description),
    must(
        "cause",
        "2022/2555 Art. 23(4)(d)(ii)",
        Label::new(
            "Kind of threat or root cause that probably triggered it",
            "Art der Bedrohung oder Ursache, die ihn wahrscheinlich ausgelöst hat",
        ),
    )
    .from(From::RootCause),
    must(
        "mitigation",
        "2022/2555 Art. 23(4)(d)(iii)",
        Label::new("Mitigation measures, applied and ongoing", "Abhilfemaßnahmen, getroffene und laufende"),
    )
    .from(From::MeasuresTaken),
    may("cross_border", "2022/2555 Art. 23(4)(d)(iv)", CROSS_BORDER).from(From::CrossBorder),
];
const GDPR_NOTIFICATION: &[Point] = &[
    must("nature", "2016/679 Art. 33(3)(a)", NATURE).from(From::Description),
    may(
        "persons",
        "2016/679 Art. 33(3)(a)",
        Label::new(
            "Categories and approximate number of persons concerned",
            "Kategorien und ungefähre Zahl der betroffenen Personen",
        ),
    ),
    may(
        "records",
        "2016/679 Art. 33(3)(a)",
        Label::new(
            "Categories and approximate number of data records concerned",
            "Kategorien und ungefähre Zahl der betroffenen Datensätze",
        ),
    ),
    must("contact", "2016/679 Art. 33(3)(b)", CONTACT),
    must("consequences", "2016/679 Art. 33(3)(c)", CONSEQUENCES),
    must("measures", "2016/679 Art. 33(3)(d)", MEASURES).from(From::MeasuresTaken),
    may(
        DELAY,
        "2016/679 Art. 33(1)",
        Label::new(
            "Reasons for a notification after 72 hours",
            "Gründe für eine Meldung nach mehr als 72 Stunden",
        ),
    ),
];
const GDPR_COMMUNICATION: &[Point] = &[
    must("nature", "2016/679 Art. 34(2)", NATURE).from(From::Description),
    must("contact", "2016/679 Art. 34(2), Art. 33(3)(b)", CONTACT),
    must("consequences", "2016/679 Art. 34(2), Art. 33(3)(c)", CONSEQUENCES),
    must("measures", "2016/679 Art. 34(2), Art. 33(3)(d)", MEASURES).from(From::MeasuresTaken),
];
/// Required once the notification is late.
const DELAY: &str = "delay_reasons";

/// The points of a report; empty if the act has no such report or it has a form of its own. Under the CRA they depend
/// on the kind of event.
pub fn points(regime: Regime, stage: Stage, event: CraEvent) -> &'static [Point] {
    match (regime, stage) {
        (Regime::Dora, Stage::Communication) => client_points::CLIENTS,
        (Regime::Nis2, Stage::Communication) => client_points::RECIPIENTS_OF_SERVICES,
        (Regime::Cra, Stage::Communication) => client_points::USERS,
        (Regime::Nis2, Stage::EarlyWarning) => NIS2_WARNING,
        (Regime::Nis2, Stage::Notification) => NIS2_NOTIFICATION,
        (Regime::Nis2, Stage::Interim) => NIS2_INTERIM,
        (Regime::Nis2, Stage::Progress) => NIS2_PROGRESS,
        (Regime::Nis2, Stage::Final) => NIS2_FINAL,
        (Regime::Gdpr, Stage::Notification) => GDPR_NOTIFICATION,
        (Regime::Gdpr, Stage::Communication) => GDPR_COMMUNICATION,
        (Regime::Dora, Stage::ThreatNotice) => super::threat_notice::POINTS,
        (Regime::Cra, stage) => super::product_points::points(event, stage),
        _ => &[],
    }
}

/// The points of a report that was sent with this content.
pub fn sent_points(regime: Regime, stage: Stage, content: &Json) -> &'static [Point] {
    let of = |event: &CraEvent| points(regime, stage, *event);
    let fits = |points: &&[Point]| points.iter().all(|point| content.get(point.field).is_some());
    let fitting = CraEvent::ALL.iter().map(of).filter(fits).max_by_key(|points| points.len());
    fitting.unwrap_or_else(|| of(&CraEvent::Incident))
}

/// The known data of an incident for filling the points.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    pub facts: &'a Facts,
    pub times: &'a Times,
    pub description: Option<&'a Prose>,
    pub root_cause: Option<&'a str>,
    pub measures_taken: Option<&'a Prose>,
    pub now: Moment,
}

/// A point with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub point: &'static Point,
    pub value: Option<Said>,
    pub missing: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    Text(String),
    Flag(bool),
}

/// Fills the points of a report: a person's entry takes precedence over known data.
#[must_use]
pub fn fill(
    regime: Regime,
    stage: Stage,
    source: &Source<'_>,
    entered: &BTreeMap<String, String>,
) -> Vec<Made> {
    let points = points(regime, stage, CraEvent::of(&source.facts.cra));
    let is_late = source.facts.aware_at(regime, source.times).plus_seconds(72 * 3600) < source.now;
    let mut made = fill_points(points, source, entered);
    for made in made.iter_mut().filter(|made| made.point.field == DELAY) {
        made.missing = is_late && made.value.is_none();
    }
    made
}

/// Fills these points: a person's entry takes precedence over known data.
#[must_use]
pub fn fill_points(
    points: &'static [Point],
    source: &Source<'_>,
    entered: &BTreeMap<String, String>,
) -> Vec<Made> {
    let make = |point: &'static Point| {
        let given = entered.get(point.field).map(|text| text.trim()).filter(|text| !text.is_empty());
        let value = given
            .map(|text| Said::Text(text.to_owned()))
            .or_else(|| point.known.and_then(|known| known.said(source)));
        Made { point, missing: point.obligation == Obligation::Yes && value.is_none(), value }
    };
    points.iter().map(make).collect()
}

impl From {
    fn said(self, source: &Source<'_>) -> Option<Said> {
        let text = |text: Option<&str>| text.map(|text| Said::Text(text.to_owned()));
        let (dora, nis2) = (&source.facts.dora, &source.facts.nis2);
        match self {
            Self::Description => text(source.description.map(Prose::as_str)),
            Self::RootCause => text(source.root_cause),
            Self::DetectedAt => Some(Said::Text(source.times.detected_at.to_string())),
            Self::MeasuresTaken => text(source.measures_taken.map(Prose::as_str)),
            Self::SuspectedMalicious => {
                let signs =
                    [dora.malicious_access, nis2.disruptive_access, nis2.data_compromised_maliciously];
                Met::any(signs.map(Met::from)).known().map(Said::Flag)
            }
            Self::MemberStates => {
                let codes =
                    |states: &Vec<Country>| states.iter().map(Country::as_str).collect::<Vec<_>>().join(", ");
                dora.member_states.as_ref().map(codes).filter(|codes| !codes.is_empty()).map(Said::Text)
            }
            Self::CrossBorder => dora.member_states.as_ref().map(|states| Said::Flag(states.len() > 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(
        regime: Regime,
        stage: Stage,
        source: &Source<'_>,
        entered: &[(&str, &str)],
    ) -> Vec<&'static str> {
        let entered = entered.iter().map(|(field, text)| ((*field).to_owned(), (*text).to_owned())).collect();
        let made = fill(regime, stage, source, &entered);
        made.into_iter().filter(|made| made.missing).map(|made| made.point.field).collect()
    }

    #[test]
    fn what_is_known_is_said_and_what_must_be_said_is_missed() {
        let aware: Moment = "2026-11-14T08:00:00Z".parse().unwrap();
        let (mut facts, times) = (Facts::default(), Times::noticed(aware));
        facts.dora.malicious_access = Some(true);
        let bare = Source {
            facts: &facts,
            times: &times,
            description: None,
            root_cause: None,
            measures_taken: None,
            now: aware.plus_seconds(72 * 3600),
        };
        let warning = fill(Regime::Nis2, Stage::EarlyWarning, &bare, &BTreeMap::new());
        assert_eq!(warning[0].value, Some(Said::Flag(true)));
        assert_eq!(warning[1].value, None);
        assert!(warning.iter().all(|made| !made.missing), "a warning waits for nothing");
        assert_eq!(missing(Regime::Nis2, Stage::Notification, &bare, &[]), ["assessment"]);
        assert_eq!(missing(Regime::Nis2, Stage::Final, &bare, &[]), ["description", "cause", "mitigation"]);
        assert_eq!(
            missing(
                Regime::Gdpr,
                Stage::Notification,
                &bare,
                &[("contact", "dpo@bank.example"), ("nature", " ")]
            ),
            ["nature", "consequences", "measures"]
        );
        let late = Source { now: bare.now.plus_millis(1), ..bare };
        let all = [("nature", "x"), ("contact", "x"), ("consequences", "x"), ("measures", "x")];
        assert_eq!(missing(Regime::Gdpr, Stage::Notification, &late, &all), ["delay_reasons"]);
        assert_eq!(missing(Regime::Gdpr, Stage::Communication, &late, &all), Vec::<&str>::new());
        let description = Prose::parse("Mails were read.").unwrap();
        let described = Source { description: Some(&description), ..bare };
        let made = fill(Regime::Nis2, Stage::Notification, &described, &BTreeMap::new());
        assert_eq!(made[0].value, Some(Said::Text("Mails were read.".to_owned())));
    }

    #[test]
    fn what_was_sent_under_the_cra_is_shown_by_the_points_of_its_kind() {
        let sent = |content: Json| sent_points(Regime::Cra, Stage::EarlyWarning, &content).len();
        assert_eq!(sent(serde_json::json!({ "member_states": "DE" })), 1);
        assert_eq!(sent(serde_json::json!({ "suspected_malicious": true, "member_states": null })), 2);
    }

    #[test]
    fn no_point_is_named_twice_in_a_report() {
        for regime in Regime::ALL {
            for (stage, event) in
                Stage::ALL.iter().flat_map(|stage| CraEvent::ALL.iter().map(move |event| (stage, event)))
            {
                let fields: Vec<_> =
                    points(*regime, *stage, *event).iter().map(|point| point.field).collect();
                let unique: std::collections::HashSet<_> = fields.iter().collect();
                assert_eq!(unique.len(), fields.len(), "{regime} {stage} {event:?}");
            }
        }
    }
}
