//! The resources that records are read and written under, for answers and changes that reach beyond the resource of
//! their own path: search results, tasks, alerts, links, events.

use crate::event::EventKind;

/// Nouns, as links, tasks, search results and alerts name them, with the resource of each.
const NOUNS: &[(&str, &str)] = &[
    ("analysis", "concentration-risk"),
    ("api_key", "keys"),
    ("approval", "approvals"),
    ("arrangement", "ict-arrangements"),
    ("assessment", "assessments"),
    ("comment", "comments"),
    ("control", "controls"),
    ("cra_report", "cra"),
    ("drill_run", "drill-runs"),
    ("evidence", "evidence"),
    ("evidence_request", "evidence-requests"),
    ("finding", "findings"),
    ("finding_import", "findings"),
    ("function", "functions"),
    ("ict_arrangement", "ict-arrangements"),
    ("incident", "incidents"),
    ("incident_import", "incidents"),
    ("management_review", "reports"),
    ("own_evidence", "evidence"),
    ("own_framework", "own-frameworks"),
    ("own_provider", "providers"),
    ("own_requirement", "own-frameworks"),
    ("own_risk", "risks"),
    ("programme", "programmes"),
    ("provider", "providers"),
    ("register_filing", "register"),
    ("register_import", "register"),
    ("review", "providers"),
    ("risk", "risks"),
    ("task", "tasks"),
    ("test_case", "test-cases"),
    ("training", "trainings"),
    ("webhook", "webhooks"),
];

/// The resource of a kind of record; none for the catalogue and the service itself.
pub fn resource_of_noun(noun: &str) -> Option<&'static str> {
    NOUNS.iter().find(|(known, _)| *known == noun).map(|(_, resource)| *resource)
}

/// The resources whose records an event shows.
pub fn resources_of_event(kind: EventKind) -> &'static [&'static str] {
    match kind {
        EventKind::FindingCreated | EventKind::FindingStatusChanged => &["findings"],
        EventKind::TestCaseStatusChanged => &["test-cases"],
        EventKind::DeadlineApproaching => &[
            "concentration-risk",
            "controls",
            "cra",
            "evidence",
            "findings",
            "ict-arrangements",
            "incidents",
            "programmes",
            "providers",
            "register",
            "test-cases",
            "trainings",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_limits::RESOURCES;

    #[test]
    fn every_record_has_a_resource_that_scopes_can_name() {
        let of_events = EventKind::ALL.iter().flat_map(|kind| resources_of_event(*kind));
        for resource in NOUNS.iter().map(|(_, resource)| resource).chain(of_events) {
            assert!(RESOURCES.contains(resource), "{resource}");
        }
        assert_eq!((resource_of_noun("finding"), resource_of_noun("measure")), (Some("findings"), None));
    }
}
