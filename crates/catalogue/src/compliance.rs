//! How far the measures cover the requirements, always computed: a requirement is covered when a measure with
//! evidence meets it, partly covered when only measures without evidence do.

use domain::{rounding::Hundredths, vocabulary};

use crate::{
    Catalogue,
    crosswalk::Edges,
    framework::{Framework, Requirement, Section},
    measure::Measure,
    record::Shelf,
    vocabulary::FrameworkId,
};

vocabulary! {
    /// The coverage of a requirement by the catalogue. It says nothing about what an institution has done.
    Coverage {
        Covered = "covered" ("Measures with evidence", "Maßnahmen mit Nachweisen"),
        Partial = "partial" ("Measures without evidence", "Maßnahmen ohne Nachweise"),
        Gap = "gap" ("No measure", "Keine Maßnahme"),
    }
}

/// The number of requirements by coverage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub requirements: u64,
    pub covered: u64,
    pub partial: u64,
    pub gap: u64,
}

/// The coverage of one framework, as a whole and by section.
#[derive(Debug, Clone)]
pub struct FrameworkStatus {
    pub framework: FrameworkId,
    pub tally: Tally,
    pub sections: Vec<SectionStatus>,
}

#[derive(Debug, Clone)]
pub struct SectionStatus {
    pub section: Box<str>,
    pub tally: Tally,
}

/// The coverage of every framework.
#[derive(Debug, Clone, Default)]
pub struct Compliance {
    pub frameworks: Vec<FrameworkStatus>,
    pub overall: Tally,
    /// By position of the requirement.
    coverage: Vec<Coverage>,
    /// By position of the requirement: the positions of the measures that meet it.
    measures: Vec<Vec<usize>>,
}

impl Tally {
    fn add(&mut self, coverage: Coverage) {
        self.requirements += 1;
        *match coverage {
            Coverage::Covered => &mut self.covered,
            Coverage::Partial => &mut self.partial,
            Coverage::Gap => &mut self.gap,
        } += 1;
    }

    fn join(&mut self, other: Self) {
        self.requirements += other.requirements;
        self.covered += other.covered;
        self.partial += other.partial;
        self.gap += other.gap;
    }

    /// The share of requirements that are covered, in per cent.
    pub fn coverage_pct(self) -> Hundredths {
        Hundredths::percent(self.covered, self.requirements)
    }
}

impl Compliance {
    pub(crate) fn derive(
        frameworks: &Shelf<Framework>,
        sections: &Shelf<Section>,
        requirements: &Shelf<Requirement>,
        measures: &Shelf<Measure>,
        edges: &Edges,
    ) -> Self {
        let met_by = met_through(&met_by(requirements, measures), edges);
        let coverage: Vec<Coverage> = met_by.iter().map(|by| cover(by, measures.as_slice())).collect();
        let mut compliance = Self::default();
        for framework in frameworks {
            let of_section = |section: &Section| {
                let mut tally = Tally::default();
                let stand = requirements.iter().zip(&coverage).filter(|(r, _)| r.section == section.id);
                stand.for_each(|(_, coverage)| tally.add(*coverage));
                SectionStatus { section: section.id.clone(), tally }
            };
            let own = sections.iter().filter(|section| section.framework == framework.id);
            let sections: Vec<_> = own.map(of_section).collect();
            let mut tally = Tally::default();
            for section in &sections {
                tally.join(section.tally);
            }
            compliance.overall.join(tally);
            compliance.frameworks.push(FrameworkStatus { framework: framework.id, tally, sections });
        }
        Self { coverage, measures: met_by, ..compliance }
    }

    /// The same with an institution's own frameworks. They do not count for the catalogue as a whole.
    pub(crate) fn with(
        &self,
        frameworks: &[Framework],
        sections: &[Section],
        requirements: &[Requirement],
        base: &Catalogue,
    ) -> Self {
        let measures = &base.measures;
        let mut all = self.clone();
        let first = all.coverage.len();
        for requirement in requirements {
            let mut met_by: Vec<usize> =
                requirement.measures.iter().filter_map(|id| measures.position(id)).collect();
            met_by.sort_unstable();
            met_by.dedup();
            let direct = cover(&met_by, measures.as_slice());
            all.coverage.push(if direct == Coverage::Gap {
                through_basis(requirement, base)
            } else {
                direct
            });
            all.measures.push(met_by);
        }
        for framework in frameworks {
            let (mut whole, mut parts) = (Tally::default(), Vec::new());
            for section in sections.iter().filter(|section| section.framework == framework.id) {
                let mut tally = Tally::default();
                let stand = requirements.iter().zip(&all.coverage[first..]);
                stand.filter(|(r, _)| r.section == section.id).for_each(|(_, coverage)| tally.add(*coverage));
                whole.join(tally);
                parts.push(SectionStatus { section: section.id.clone(), tally });
            }
            all.frameworks.push(FrameworkStatus { framework: framework.id, tally: whole, sections: parts });
        }
        all
    }

    pub fn framework(&self, id: FrameworkId) -> Option<&FrameworkStatus> {
        self.frameworks.iter().find(|status| status.framework == id)
    }

    pub(crate) fn coverage_at(&self, requirement: usize) -> Option<Coverage> {
        self.coverage.get(requirement).copied()
    }

    pub(crate) fn measures_at(&self, requirement: usize) -> &[usize] {
        self.measures.get(requirement).map_or(&[], Vec::as_slice)
    }
}

/// The coverage of an own requirement without measures. What it is based on overlaps with it, so that the measures for
/// that meet it in part.
fn through_basis(requirement: &Requirement, base: &Catalogue) -> Coverage {
    let is_met = |id: &str| base.coverage_of(id).is_some_and(|coverage| coverage != Coverage::Gap);
    if requirement.basis.iter().any(|id| is_met(id)) { Coverage::Partial } else { Coverage::Gap }
}

/// Adds measures that meet a requirement because they meet one that asks the same or more. Only one step, because
/// edges by different authors must not be combined.
fn met_through(direct: &[Vec<usize>], edges: &Edges) -> Vec<Vec<usize>> {
    let through = |(requirement, own): (usize, &Vec<usize>)| {
        let mut all = own.clone();
        for (other, ..) in edges.of(requirement).iter().filter(|(_, relation, ..)| relation.is_met_by_other())
        {
            all.extend_from_slice(&direct[*other]);
        }
        all.sort_unstable();
        all.dedup();
        all
    };
    direct.iter().enumerate().map(through).collect()
}

/// For each requirement the measures that meet it.
fn met_by(requirements: &Shelf<Requirement>, measures: &Shelf<Measure>) -> Vec<Vec<usize>> {
    let mut met_by = vec![Vec::new(); requirements.len()];
    for (position, measure) in measures.iter().enumerate() {
        for met in measure.meets().filter_map(|id| requirements.position(id)) {
            if met_by[met].last() != Some(&position) {
                met_by[met].push(position);
            }
        }
    }
    for (requirement, met_by) in requirements.iter().zip(&mut met_by) {
        met_by.extend(requirement.measures.iter().filter_map(|id| measures.position(id)));
        met_by.sort_unstable();
        met_by.dedup();
    }
    met_by
}

fn cover(met_by: &[usize], measures: &[Measure]) -> Coverage {
    if met_by.iter().any(|position| !measures[*position].evidence.is_empty()) {
        Coverage::Covered
    } else if met_by.is_empty() {
        Coverage::Gap
    } else {
        Coverage::Partial
    }
}
