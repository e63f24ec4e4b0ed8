//! The order in which records are shown; it does not depend on the files.

use crate::{framework::Requirement, load::Draft, vocabulary::FrameworkId};

pub(crate) fn sort(draft: &mut Draft) {
    let rank = std::mem::take(&mut draft.root.frameworks);
    let rank = |framework: FrameworkId| {
        let named = rank.iter().position(|known| *known == framework);
        (named.unwrap_or(usize::MAX), framework)
    };
    draft.frameworks.sort_by_key(|framework| rank(framework.id));
    draft.sections.sort_by_key(|section| rank(section.framework));
    let sections: Vec<Box<str>> = draft.sections.iter().map(|section| section.id.clone()).collect();
    let section_of = |requirement: &Requirement| sections.iter().position(|id| *id == requirement.section);
    draft.requirements.sort_by_cached_key(|requirement| (section_of(requirement), natural(&requirement.id)));
    draft.references.sort_by_key(|reference| rank(reference.framework));
    draft.measures.sort_by_cached_key(|measure| {
        (measure.pillar, measure.requirements.iter().map(|id| natural(id)).min())
    });
    draft.categories.sort_by_key(|category| category.id);
    draft.risks.sort_by_key(|risk| risk.category);
    draft.dimensions.sort_by_key(|dimension| dimension.id);
    draft.crosswalks.sort_by(|a, b| a.id.cmp(&b.id));
    draft.milestones.sort_by(|a, b| (a.date, &a.id).cmp(&(b.date, &b.id)));
    draft.signals.sort_by(|a, b| (b.date, &a.id).cmp(&(a.date, &b.id)));
    draft.changes.sort_by(|a, b| (b.date, &a.id).cmp(&(a.date, &b.id)));
    draft.trainings.sort_by_key(|training| training.difficulty);
    draft.questions.sort_by_key(|question| question.section);
}

/// Orders ids numerically: `a-8-9` before `a-8-10`.
fn natural(id: &str) -> Vec<Part> {
    id.split('-').map(|part| part.parse().map_or_else(|_| Part::Word(part.into()), Part::Number)).collect()
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u32),
    Word(Box<str>),
}
