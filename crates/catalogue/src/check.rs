//! The rules across records: ids, references, sums and completeness. Rules within one record are checked where it is
//! read.

mod scope;
mod sources;

use std::collections::{HashMap, HashSet};

use crate::{
    framework::Requirement,
    gap::Gap,
    kind::Kind,
    load::Draft,
    measure::Measure,
    notes::{Notes, SourcePosition},
    source::SourceFile,
    vocabulary::FrameworkId,
};

/// The frameworks in the API's routes; others may exist.
const WITH_ROUTES: [FrameworkId; 5] =
    [FrameworkId::DORA, FrameworkId::MARISK, FrameworkId::ISO_27001, FrameworkId::CRA, FrameworkId::NIS2];

/// Where every id is defined.
struct Definitions(HashMap<(Kind, Box<str>), SourcePosition>);

impl Definitions {
    fn place(&self, kind: Kind, id: &str) -> SourcePosition {
        self.0.get(&(kind, id.into())).copied().unwrap_or(SourcePosition::NOWHERE)
    }
}

/// Reports every breach of a rule.
pub(crate) fn check(draft: &Draft, notes: &mut Notes, files: &[SourceFile]) {
    // If a file could not be read, everything in it would be reported as missing elsewhere.
    if notes.unparsed {
        return;
    }
    let definitions = unique_ids(notes, files);
    references_resolve(notes, &definitions);
    let requirements: HashMap<&str, &Requirement> = draft.requirements.iter().map(|r| (&*r.id, r)).collect();
    one_of_each(draft, notes);
    sections_fit(draft, notes, &definitions);
    measures_fit(draft, notes, &definitions, &requirements);
    gaps_fit(draft, notes, &definitions, &requirements);
    every_requirement_can_be_tested(draft, notes, &definitions);
    summaries_say_more_than_titles(draft, notes, &definitions);
    every_duty_has_a_measure(draft, notes, &definitions);
    every_measure_has_evidence(draft, notes, &definitions);
    crosswalks_fit(draft, notes, &definitions, &requirements);
    scope::check(draft, notes, &definitions, &requirements);
    sources::check(draft, notes, &definitions);
    weights_add_up(draft, notes, &definitions);
    one_clock_a_stage(draft, notes, &definitions);
}

fn unique_ids(notes: &mut Notes, files: &[SourceFile]) -> Definitions {
    let mut definitions = HashMap::with_capacity(notes.defined.len());
    let mut twice = Vec::new();
    for mention in std::mem::take(&mut notes.defined) {
        let first = *definitions.entry((mention.kind, mention.id.clone())).or_insert(mention.place);
        if first != mention.place {
            let (path, line) = (first.path(files), first.line(files));
            twice.push((mention.place, format!("id {} is already used in {path}:{line}", mention.id)));
        }
    }
    for (place, message) in twice {
        notes.fault(place, message);
    }
    Definitions(definitions)
}

fn references_resolve(notes: &mut Notes, definitions: &Definitions) {
    for mention in std::mem::take(&mut notes.used) {
        if !definitions.0.contains_key(&(mention.kind, mention.id.clone())) {
            let (kind, id, field) = (mention.kind, &mention.id, mention.field);
            notes.fault(mention.place, format!("{field} names {id}, but there is no such {kind}"));
        }
    }
}

fn one_of_each(draft: &Draft, notes: &mut Notes) {
    let mut complain = |message: String| notes.fault(SourcePosition::NOWHERE, message);
    for framework in WITH_ROUTES {
        if !draft.frameworks.iter().any(|f| f.id == framework) {
            complain(format!("there is no [framework] block for {framework}"));
        }
    }
    if draft.root.version.is_none() {
        complain("version is missing; it is a day like 2026-11-14".to_owned());
    }
    if draft.matrices.len() != 1 {
        complain(format!("there must be one [matrix] block in risks/, not {}", draft.matrices.len()));
    }
    let categories = crate::risk::CategoryId::ALL;
    for missing in categories.iter().filter(|id| !draft.categories.iter().any(|c| c.id == **id)) {
        complain(format!("there is no [[category]] block for {missing} in risks/"));
    }
    let dimensions = crate::vendor::DimensionId::ALL;
    for missing in dimensions.iter().filter(|id| !draft.dimensions.iter().any(|d| d.id == **id)) {
        complain(format!("there is no [[dimension]] block for {missing} in vendors/"));
    }
}

fn sections_fit(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    let sections: HashMap<&str, FrameworkId> =
        draft.sections.iter().map(|section| (&*section.id, section.framework)).collect();
    for requirement in &draft.requirements {
        let section = sections.get(&*requirement.section);
        if section.is_some_and(|framework| *framework != requirement.framework) {
            let place = definitions.place(Kind::Requirement, &requirement.id);
            let (id, section, framework) = (&requirement.id, &requirement.section, requirement.framework);
            notes.fault(place, format!("{id} is in section {section}, which is not part of {framework}"));
        }
    }
}

fn measures_fit(
    draft: &Draft,
    notes: &mut Notes,
    definitions: &Definitions,
    requirements: &HashMap<&str, &Requirement>,
) {
    for measure in &draft.measures {
        let own = measure.requirements.iter().map(|id| (id, FrameworkId::DORA));
        let mapped = measure.mappings.iter().map(|mapping| (&mapping.requirement, mapping.framework));
        for (id, framework) in own.chain(mapped) {
            if requirements.get(&**id).is_some_and(|requirement| requirement.framework != framework) {
                let place = definitions.place(Kind::Measure, &measure.id);
                notes.fault(place, format!("{} names {id}, which is not part of {framework}", measure.id));
            }
        }
    }
}

fn gaps_fit(
    draft: &Draft,
    notes: &mut Notes,
    definitions: &Definitions,
    requirements: &HashMap<&str, &Requirement>,
) {
    let mut first: HashMap<&str, &Gap> = HashMap::new();
    for gap in &draft.gaps {
        let place = definitions.place(Kind::Gap, &gap.id);
        let (id, requirement) = (&gap.id, &gap.requirement);
        if requirements.get(&**requirement).is_some_and(|known| known.framework != gap.framework) {
            notes.fault(place, format!("{id} names {requirement}, which is not part of {}", gap.framework));
        }
        if let Some(other) = first.insert(requirement, gap)
            && other.id != gap.id
        {
            notes.fault(place, format!("{id} is a second gap for {requirement}, besides {}", other.id));
        }
    }
}

fn crosswalks_fit(
    draft: &Draft,
    notes: &mut Notes,
    definitions: &Definitions,
    requirements: &HashMap<&str, &Requirement>,
) {
    for crosswalk in &draft.crosswalks {
        let place = definitions.place(Kind::Crosswalk, &crosswalk.id);
        for complaint in crosswalk.complaints(requirements) {
            notes.fault(place, complaint);
        }
    }
}

/// A duty of an entity needs a gap item or audit steps of its own.
fn every_requirement_can_be_tested(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    let covered: HashSet<&str> = draft.gaps.iter().map(|gap| &*gap.requirement).collect();
    for requirement in &draft.requirements {
        let tested = covered.contains(&*requirement.id) || !requirement.audit_steps.is_empty();
        let bound = requirement.applicability.binds_entities();
        if bound && !tested && !draft.root.unfinished.contains(&requirement.framework) {
            let place = definitions.place(Kind::Requirement, &requirement.id);
            notes.fault(place, format!("{} has no gap item in gaps/ and no audit_steps", requirement.id));
        }
    }
}

/// A duty without a measure gives its reader no guidance.
fn every_duty_has_a_measure(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    let mut met: HashSet<&str> = draft.measures.iter().flat_map(Measure::meets).collect();
    let own = draft.requirements.iter().filter(|requirement| !requirement.measures.is_empty());
    met.extend(own.map(|requirement| &*requirement.id));
    // A requirement that asks no more than another one is met together with it.
    let edges: Vec<_> = draft.crosswalks.iter().flat_map(|crosswalk| &crosswalk.edges).collect();
    let fits = |end: &str, id: &str| end.strip_suffix('*').map_or(end == id, |stem| id.starts_with(stem));
    let through = |id: &str| {
        edges.iter().any(|edge| {
            (edge.relation.is_met_by_other() && fits(&edge.from, id) && met.contains(&*edge.to))
                || (edge.relation.reversed().is_met_by_other()
                    && fits(&edge.to, id)
                    && met.contains(&*edge.from))
        })
    };
    let excused = [&draft.root.unfinished[..], &draft.root.beyond_ict[..]].concat();
    for requirement in &draft.requirements {
        let has_measure = met.contains(&*requirement.id) || through(&requirement.id);
        let bound = requirement.applicability.binds_entities();
        if bound && !has_measure && !excused.contains(&requirement.framework) {
            let place = definitions.place(Kind::Requirement, &requirement.id);
            notes.fault(place, format!("{} binds entities, but no measure meets it", requirement.id));
        }
    }
}

/// Without evidence a measure cannot be shown to an auditor.
fn every_measure_has_evidence(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    for measure in draft.measures.iter().filter(|measure| measure.evidence.is_empty()) {
        let place = definitions.place(Kind::Measure, &measure.id);
        notes.fault(place, format!("{} names no evidence", measure.id));
    }
}

fn summaries_say_more_than_titles(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    let plain = |text: &str| text.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    // A text that is far longer differs, which avoids comparing most of them.
    let repeats =
        |title: &str, summary: &str| summary.len() <= 2 * title.len() && plain(title) == plain(summary);
    for requirement in &draft.requirements {
        let (title, summary) = (&requirement.title, &requirement.summary);
        if repeats(&title.en, &summary.en) || repeats(&title.de, &summary.de) {
            let place = definitions.place(Kind::Requirement, &requirement.id);
            notes.fault(place, format!("the summary of {} repeats its title", requirement.id));
        }
    }
}

fn weights_add_up(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    let sum: u32 = draft.dimensions.iter().map(|dimension| dimension.weight).sum();
    if let Some(first) = draft.dimensions.first()
        && sum != 100
    {
        let place = definitions.place(Kind::Dimension, first.id.as_str());
        notes.fault(place, format!("the weights of the dimensions must add up to 100, not {sum}"));
    }
}

fn one_clock_a_stage(draft: &Draft, notes: &mut Notes, definitions: &Definitions) {
    let mut first = HashMap::new();
    for clock in &draft.clocks {
        if let Some(other) = first.insert(clock.drives(), &clock.id)
            && *other != clock.id
        {
            let place = definitions.place(Kind::Clock, &clock.id);
            let (id, (_, applies_to, stage)) = (&clock.id, clock.drives());
            notes
                .fault(place, format!("{id} is a second clock for {stage} of {applies_to}, besides {other}"));
        }
    }
}
