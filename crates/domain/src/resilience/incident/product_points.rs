//! The points of the reports under CRA Art. 14 on an incident: the items of [`crate::cra_contents`], each with its
//! name in the API.

use std::sync::LazyLock;

use super::{
    contents::{From, Point},
    due::Stage,
    report::Obligation::{self, If, Yes},
};
use crate::cra_report::{
    CraReportKind::{self, ExploitedVulnerability, SevereIncident},
    CraStage,
};

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

/// The points of a stage; none for a stage the act does not have.
pub(super) fn points(kind: CraReportKind, stage: Stage) -> &'static [Point] {
    let found = POINTS.iter().find(|(of, at, _)| (*of, *at) == (kind, stage));
    found.map_or(&[], |(_, _, points)| points.as_slice())
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
            assert_eq!(points(kind, stage_of(stage)).len(), names.len());
        }
        assert!(points(SevereIncident, Stage::Interim).is_empty());
    }
}
