//! The resources that records are read and written under, for answers and changes that reach beyond the resource of
//! their own path: search results, tasks, alerts, links, events.

use crate::{
    event::EventKind,
    noun::{NOUNS, Noun},
};

/// What links, tasks, search results and alerts name besides the kinds of records, with the resource of each.
const OTHERS: &[(&str, &str)] = &[
    ("analysis", ANALYSES),
    ("api_key", "keys"),
    ("assessment", "assessments"),
    ("comment", "comments"),
    ("finding_import", "findings"),
    ("ict_arrangement", "ict-arrangements"),
    ("incident_import", "incidents"),
    ("management_review", "reports"),
    ("own_evidence", "evidence"),
    ("own_provider", "providers"),
    ("own_requirement", "own-frameworks"),
    ("own_risk", "risks"),
    ("register_import", "register"),
    ("webhook", "webhooks"),
];

const ANALYSES: &str = "concentration-risk";

/// The resource of a kind of record; none for a noun that no scope names.
pub fn resource_of_noun(noun: &str) -> Option<&'static str> {
    let other = || OTHERS.iter().find(|(known, _)| *known == noun).map(|(_, resource)| *resource);
    Noun::of(noun).map(Noun::resource).or_else(other)
}

/// The resources whose records an event shows, in alphabetical order.
pub fn resources_of_event(kind: EventKind) -> Vec<&'static str> {
    match kind {
        EventKind::FindingCreated | EventKind::FindingStatusChanged => vec!["findings"],
        EventKind::TestCaseStatusChanged => vec!["test-cases"],
        EventKind::DeadlineApproaching => {
            let announced = NOUNS.iter().filter(|noun| noun.due.is_some()).map(Noun::resource);
            let mut resources: Vec<_> = announced.chain([ANALYSES]).collect();
            resources.sort_unstable();
            resources
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_limits::RESOURCES;

    #[test]
    fn every_record_has_a_resource_that_scopes_can_name() {
        let of_events = EventKind::ALL.iter().flat_map(|kind| resources_of_event(*kind));
        for resource in OTHERS.iter().map(|(_, resource)| *resource).chain(of_events) {
            assert!(RESOURCES.contains(&resource), "{resource}");
        }
        assert_eq!((resource_of_noun("finding"), resource_of_noun("measure")), (Some("findings"), None));
    }
}
