//! The points of the reports under CRA Art. 14 on an incident: the items of [`crate::cra_contents`], each with its
//! name in the API.

use std::sync::LazyLock;

use super::{
    contents::{From, Point, must},
    due::Stage,
    facts::CraFacts,
    report::Obligation::{self, If, Yes},
};
use crate::{
    cra_report::{
        CraReportKind::{self, ExploitedVulnerability, SevereIncident},
        CraStage,
    },
    wording::Label,
};

/// What has to be reported of a product. An event of both kinds has two duties (Art. 14(1) and (3)): one early warning
/// and one notification with the points of both, and a final report for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CraEvent {
    Vulnerability,
    Incident,
    Both,
}

impl CraEvent {
    pub const ALL: [Self; 3] = [Self::Both, Self::Vulnerability, Self::Incident];

    /// The event by the facts; while they do not decide it, an incident.
    pub fn of(facts: &CraFacts) -> Self {
        let is_incident = facts.product_security == Some(true) || facts.product_malicious_code == Some(true);
        match (facts.exploited_vulnerability == Some(true), is_incident) {
            (true, true) => Self::Both,
            (true, false) => Self::Vulnerability,
            (false, _) => Self::Incident,
        }
    }
}

const INTERIM: &[Point] = &[must(
    "status_update",
    "2024/2847 Art. 14(6)",
    Label::new("Relevant changes of the status", "Relevante Änderungen des Stands"),
)];

/// A name, its obligation, and its known data, in the order of the items.
type Named = (&'static str, Obligation, Option<From>);

const WARNING_OF_VULNERABILITY: &[Named] = &[("member_states", If, Some(From::MemberStates))];
const NOTIFICATION_OF_VULNERABILITY: &[Named] = &[
    ("product", If, None),
    ("nature", Yes, Some(From::Description)),
    ("measures_taken", If, Some(From::MeasuresTaken)),
    ("measures_for_users", If, None),
    ("sensitivity", If, None),
];
const FINAL_OF_VULNERABILITY: &[Named] = &[
    ("description", Yes, Some(From::Description)),
    ("actor", If, None),
    ("correction", Yes, Some(From::MeasuresTaken)),
];
const WARNING_OF_INCIDENT: &[Named] = &[
    ("suspected_malicious", Yes, Some(From::SuspectedMalicious)),
    ("member_states", If, Some(From::MemberStates)),
];
const NOTIFICATION_OF_INCIDENT: &[Named] = &[
    ("nature", If, Some(From::Description)),
    ("assessment", Yes, None),
    ("measures_taken", If, Some(From::MeasuresTaken)),
    ("measures_for_users", If, None),
    ("sensitivity", If, None),
];
const FINAL_OF_INCIDENT: &[Named] = &[
    ("description", Yes, Some(From::Description)),
    ("cause", Yes, Some(From::RootCause)),
    ("mitigation", Yes, Some(From::MeasuresTaken)),
];

const NAMES: [(CraReportKind, CraStage, &[Named]); 6] = [
    (ExploitedVulnerability, CraStage::EarlyWarning, WARNING_OF_VULNERABILITY),
    (ExploitedVulnerability, CraStage::Notification, NOTIFICATION_OF_VULNERABILITY),
    (ExploitedVulnerability, CraStage::FinalReport, FINAL_OF_VULNERABILITY),
    (SevereIncident, CraStage::EarlyWarning, WARNING_OF_INCIDENT),
    (SevereIncident, CraStage::Notification, NOTIFICATION_OF_INCIDENT),
    (SevereIncident, CraStage::FinalReport, FINAL_OF_INCIDENT),
];

static POINTS: LazyLock<Vec<(CraReportKind, Stage, Vec<Point>)>> = LazyLock::new(|| {
    let of = |(kind, stage, names): &(CraReportKind, CraStage, &'static [Named])| {
        let asked = stage.contents(*kind).iter();
        let points = names.iter().zip(asked).map(|((field, obligation, known), asked)| Point {
            field,
            name: asked.label,
            article: asked.cite,
            obligation: *obligation,
            known: *known,
        });
        (*kind, stage_of(*stage), points.collect())
    };
    NAMES.iter().map(of).collect()
});

fn stage_of(stage: CraStage) -> Stage {
    match stage {
        CraStage::EarlyWarning => Stage::EarlyWarning,
        CraStage::Notification => Stage::Notification,
        CraStage::FinalReport => Stage::Final,
    }
}

/// The points of a stage of an event of both kinds: those of a vulnerability, then those that an incident has besides.
static OF_BOTH: LazyLock<Vec<(Stage, Vec<Point>)>> = LazyLock::new(|| {
    let of = |stage: Stage| {
        let mut all = of_kind(ExploitedVulnerability, stage).to_vec();
        for point in of_kind(SevereIncident, stage) {
            if !all.iter().any(|other| other.field == point.field) {
                all.push(*point);
            }
        }
        (stage, all)
    };
    [Stage::EarlyWarning, Stage::Notification].map(of).to_vec()
});

fn of_kind(kind: CraReportKind, stage: Stage) -> &'static [Point] {
    let found = POINTS.iter().find(|(of, at, _)| (*of, *at) == (kind, stage));
    found.map_or(&[], |(_, _, points)| points.as_slice())
}

/// The points of a stage of a report of this kind.
pub fn cra_points(kind: CraReportKind, stage: CraStage) -> &'static [Point] {
    of_kind(kind, stage_of(stage))
}

/// The points of a stage; none for a stage the act does not have.
pub(super) fn points(event: CraEvent, stage: Stage) -> &'static [Point] {
    match (event, stage) {
        (_, Stage::Interim) => INTERIM,
        (CraEvent::Vulnerability, _) | (CraEvent::Both, Stage::Final) => {
            of_kind(ExploitedVulnerability, stage)
        }
        (CraEvent::Incident, _) => of_kind(SevereIncident, stage),
        (CraEvent::Both, Stage::FinalIncident) => of_kind(SevereIncident, Stage::Final),
        (CraEvent::Both, _) => {
            let found = OF_BOTH.iter().find(|(of, _)| *of == stage);
            found.map_or(&[], |(_, points)| points.as_slice())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_asked_for_has_a_name_of_its_own() {
        for (kind, stage, names) in NAMES {
            assert_eq!(names.len(), stage.contents(kind).len(), "{kind} {stage}");
            let mut fields: Vec<_> = names.iter().map(|(field, ..)| field).collect();
            fields.sort_unstable();
            fields.dedup();
            assert_eq!(fields.len(), names.len(), "{kind} {stage}");
            assert_eq!(of_kind(kind, stage_of(stage)).len(), names.len());
        }
        assert!(points(CraEvent::Incident, Stage::FinalIncident).is_empty());
    }

    #[test]
    fn an_event_of_both_kinds_has_the_points_of_both() {
        let fields =
            |stage| points(CraEvent::Both, stage).iter().map(|point| point.field).collect::<Vec<_>>();
        assert_eq!(fields(Stage::EarlyWarning), ["member_states", "suspected_malicious"]);
        assert!(fields(Stage::Notification).contains(&"product"));
        assert!(fields(Stage::Notification).contains(&"assessment"));
        assert_eq!(fields(Stage::Final), ["description", "actor", "correction"]);
        assert_eq!(fields(Stage::FinalIncident), ["description", "cause", "mitigation"]);
    }
}
