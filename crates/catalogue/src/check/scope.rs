//! Rules on duties and their scope: what hangs on a definition, and what claims to reach further than its basis.

use std::collections::HashMap;

use super::Definitions;
use crate::{
    applicability::{Applicability, Force},
    framework::Requirement,
    kind::Kind,
    load::Draft,
    notes::Notes,
};

type Requirements<'d> = HashMap<&'d str, &'d Requirement>;

pub(super) fn check(
    draft: &Draft,
    notes: &mut Notes,
    definitions: &Definitions,
    requirements: &Requirements<'_>,
) {
    mappings_name_duties(draft, notes, definitions, requirements);
    gaps_ask_about_duties(draft, notes, definitions, requirements);
    details_are_not_wider(draft, notes, definitions, requirements);
}

/// A definition or a heading cannot be met, so a measure that is mapped to it would meet nothing.
fn mappings_name_duties(
    draft: &Draft,
    notes: &mut Notes,
    definitions: &Definitions,
    requirements: &Requirements<'_>,
) {
    for measure in &draft.measures {
        for id in measure.mappings.iter().map(|mapping| &*mapping.requirement) {
            let force = requirements.get(id).map(|known| known.applicability.force);
            if force == Some(Force::Definition) {
                let place = definitions.place(Kind::Measure, &measure.id);
                let message = format!("{} is mapped to {id}, which is a definition and no duty", measure.id);
                notes.fault(place, message);
            }
        }
    }
}

/// A question about a record that is no duty of an institution has no right answer.
fn gaps_ask_about_duties(
    draft: &Draft,
    notes: &mut Notes,
    definitions: &Definitions,
    requirements: &Requirements<'_>,
) {
    for gap in &draft.gaps {
        let known = requirements.get(&*gap.requirement);
        if known.is_some_and(|known| !known.applicability.binds_entities()) {
            let place = definitions.place(Kind::Gap, &gap.id);
            notes.fault(place, format!("{} asks about {}, which is no duty", gap.id, gap.requirement));
        }
    }
}

/// Level 2 details level 1 and cannot bind others or earlier.
fn details_are_not_wider(
    draft: &Draft,
    notes: &mut Notes,
    definitions: &Definitions,
    requirements: &Requirements<'_>,
) {
    for requirement in &draft.requirements {
        let basis: Option<Vec<&Applicability>> = requirement
            .basis
            .iter()
            .map(|id| requirements.get(&**id).map(|known| &known.applicability))
            .collect();
        let Some(basis) = basis.filter(|basis| !basis.is_empty()) else { continue };
        for field in wider_fields(&requirement.applicability, &basis) {
            let place = definitions.place(Kind::Requirement, &requirement.id);
            let message = format!("{} reaches further than its basis: {field}", requirement.id);
            notes.fault(place, message);
        }
    }
}

/// The fields in which the requirement names what none of its bases allows.
fn wider_fields(own: &Applicability, basis: &[&Applicability]) -> Vec<&'static str> {
    let mut wider = Vec::new();
    let all_limit = |limited: fn(&Applicability) -> bool| basis.iter().all(|one| limited(one));
    if all_limit(|one| !one.entities.is_empty())
        && own.entities.iter().any(|kind| !basis.iter().any(|one| one.entities.contains(kind)))
    {
        wider.push("entities");
    }
    if all_limit(|one| one.regime.is_some())
        && own.regime.is_some()
        && !basis.iter().any(|one| one.regime == own.regime)
    {
        wider.push("regime");
    }
    if all_limit(|one| one.significance.is_some())
        && own.significance.is_some()
        && !basis.iter().any(|one| one.significance == own.significance)
    {
        wider.push("significance");
    }
    let begins = basis.iter().map(|one| one.applies_from).min().flatten();
    if begins.is_some_and(|begins| own.applies_from.is_some_and(|day| day < begins)) {
        wider.push("applies_from");
    }
    wider
}
