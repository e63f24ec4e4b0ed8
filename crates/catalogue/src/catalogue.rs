//! The whole catalogue, read, checked and indexed; immutable.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use domain::{clock::Clocks, framework::FrameworkError, moment::Day, wording::Language};

use crate::{
    act::Act,
    change::Change,
    check::check,
    citation,
    clock::Clock,
    compliance::{Compliance, Coverage},
    crosswalk::{Crosswalk, Edges, Related},
    drill::Drill,
    evidence::Evidence,
    fault::Faults,
    framework::{Framework, Reference, Requirement, Section},
    gap::Gap,
    kind::Kind,
    load::{Draft, read_all},
    measure::Measure,
    milestone::Milestone,
    order::sort,
    own::{Added, OwnFramework},
    proof::{Proof, Proven},
    provider::Provider,
    question::Question,
    record::{Record, Shelf},
    risk::{Category, Matrix, Risk},
    search::{Document, SearchIndex},
    signal::Signal,
    source::{self, SourceFile},
    training::Training,
    vendor::{Dimension, Vendor},
    vocabulary::FrameworkId,
    widget::Widget,
};

/// The searchable kinds. Sections, categories and dimensions only group other records.
const SEARCHABLE: [Kind; 16] = [
    Kind::Framework,
    Kind::Measure,
    Kind::Requirement,
    Kind::Reference,
    Kind::Risk,
    Kind::Gap,
    Kind::Evidence,
    Kind::Drill,
    Kind::Clock,
    Kind::Milestone,
    Kind::Signal,
    Kind::Training,
    Kind::Question,
    Kind::Vendor,
    Kind::Provider,
    Kind::Widget,
];

/// Every record of the reference catalogue, in display order, with derived values.
#[derive(Debug)]
#[non_exhaustive]
pub struct Catalogue {
    /// A date label, raised with every published change.
    pub version: Day,
    /// The frameworks that require limits on the concentration of providers.
    pub concentration_limits: Vec<FrameworkId>,
    pub frameworks: Shelf<Framework>,
    pub sections: Shelf<Section>,
    /// By framework, section and number.
    pub requirements: Shelf<Requirement>,
    pub references: Shelf<Reference>,
    /// By pillar and article.
    pub measures: Shelf<Measure>,
    pub evidence: Shelf<Evidence>,
    pub categories: Vec<Category>,
    pub matrix: Matrix,
    pub risks: Shelf<Risk>,
    pub dimensions: Shelf<Dimension>,
    pub vendors: Shelf<Vendor>,
    pub drills: Shelf<Drill>,
    /// In the order of the requirements.
    pub gaps: Shelf<Gap>,
    /// Earliest first.
    pub milestones: Shelf<Milestone>,
    /// Newest first.
    pub signals: Shelf<Signal>,
    pub trainings: Shelf<Training>,
    /// In the order they are asked.
    pub questions: Shelf<Question>,
    pub widgets: Shelf<Widget>,
    pub clocks: Shelf<Clock>,
    /// The same clocks in the form that `domain` evaluates.
    pub deadlines: Clocks,
    pub providers: Shelf<Provider>,
    /// The acts and publications that records cite.
    pub acts: Shelf<Act>,
    pub crosswalks: Shelf<Crosswalk>,
    pub changes: Shelf<Change>,
    edges: Arc<Edges>,
    /// Those that follow from what the institution's own requirements are based on.
    own_edges: Edges,
    pub compliance: Compliance,
    search: Arc<OnceLock<SearchIndex>>,
    own_search: OnceLock<SearchIndex>,
}

impl Catalogue {
    /// The catalogue embedded in the library.
    pub fn embedded() -> Result<Self, Faults> {
        Self::from_files(&source::embedded()?)
    }

    /// Reads an edited copy. Every mistake in it is reported at once, and then there is no catalogue.
    pub fn from_dir(path: &Path) -> Result<Self, Faults> {
        Self::from_files(&source::from_dir(path)?)
    }

    /// Reads a catalogue (the embedded one if `None`) with the layers in the folders of `layers`.
    pub fn read(base: Option<&Path>, layers: Option<&Path>) -> Result<Self, Faults> {
        let mut files = base.map_or_else(source::embedded, source::from_dir)?;
        if let Some(layers) = layers {
            files.extend(source::from_layers(layers)?);
        }
        Self::from_files(&files)
    }

    pub(crate) fn from_files(files: &[SourceFile]) -> Result<Self, Faults> {
        let (mut draft, mut notes) = read_all(files);
        draft.complete();
        check(&draft, &mut notes, files);
        Faults::refuse(notes.into_faults(files))?;
        Self::assemble(draft).ok_or_else(|| Faults::one("catalogue.toml", 1, "has no version or no matrix"))
    }

    /// Sorts a checked draft and computes derived values. `None` only for a draft that was not checked.
    fn assemble(mut draft: Draft) -> Option<Self> {
        let matrix = draft.matrices.pop()?;
        draft.risks.iter_mut().for_each(|risk| risk.rate(&matrix));
        draft.vendors.iter_mut().for_each(|vendor| vendor.weigh(&draft.dimensions));
        sort(&mut draft);

        let frameworks = Shelf::new(draft.frameworks);
        let sections = Shelf::new(draft.sections);
        let requirements = Shelf::new(draft.requirements);
        let measures = Shelf::new(draft.measures);
        let crosswalks = Shelf::new(draft.crosswalks);
        let edges = Edges::join(crosswalks.iter().enumerate(), &requirements);
        let compliance = Compliance::derive(&frameworks, &sections, &requirements, &measures, &edges);
        let deadlines = Clocks::new(draft.clocks.iter().map(|clock| clock.rule.clone()).collect()).ok()?;
        link_gaps(&mut draft.gaps, &requirements, &measures, &compliance);
        Some(Self {
            version: draft.root.version?,
            concentration_limits: draft.root.concentration_limits,
            frameworks,
            sections,
            requirements,
            references: Shelf::new(draft.references),
            measures,
            evidence: Shelf::new(draft.evidence),
            categories: draft.categories,
            matrix,
            risks: Shelf::new(draft.risks),
            dimensions: Shelf::new(draft.dimensions),
            vendors: Shelf::new(draft.vendors),
            drills: Shelf::new(draft.drills),
            gaps: Shelf::new(draft.gaps),
            milestones: Shelf::new(draft.milestones),
            signals: Shelf::new(draft.signals),
            trainings: Shelf::new(draft.trainings),
            questions: Shelf::new(draft.questions),
            widgets: Shelf::new(draft.widgets),
            clocks: Shelf::new(draft.clocks),
            deadlines,
            providers: Shelf::new(draft.providers),
            acts: Shelf::new(draft.acts),
            changes: Shelf::new(draft.changes),
            crosswalks,
            edges: Arc::new(edges),
            own_edges: Edges::default(),
            compliance,
            search: Arc::default(),
            own_search: OnceLock::new(),
        })
    }

    /// This catalogue with an institution's own frameworks behind those of everybody. What is not theirs is shared.
    #[must_use]
    pub fn with_own(&self, own: &[OwnFramework<'_>]) -> Self {
        let Added { frameworks, sections, requirements, crosswalks } = Added::of(self, own);
        let compliance = self.compliance.with(&frameworks, &sections, &requirements, self);
        let (requirements, crosswalks) =
            (self.requirements.with(requirements), self.crosswalks.with(crosswalks));
        let tables = crosswalks.iter().enumerate().skip(self.crosswalks.len());
        let own_edges = Edges::join(tables, &requirements);
        Self {
            version: self.version,
            concentration_limits: self.concentration_limits.clone(),
            frameworks: self.frameworks.with(frameworks),
            sections: self.sections.with(sections),
            requirements,
            references: self.references.with(Vec::new()),
            measures: self.measures.with(Vec::new()),
            evidence: self.evidence.with(Vec::new()),
            categories: self.categories.clone(),
            matrix: self.matrix.clone(),
            risks: self.risks.with(Vec::new()),
            dimensions: self.dimensions.with(Vec::new()),
            vendors: self.vendors.with(Vec::new()),
            drills: self.drills.with(Vec::new()),
            gaps: self.gaps.with(Vec::new()),
            milestones: self.milestones.with(Vec::new()),
            signals: self.signals.with(Vec::new()),
            trainings: self.trainings.with(Vec::new()),
            questions: self.questions.with(Vec::new()),
            widgets: self.widgets.with(Vec::new()),
            clocks: self.clocks.with(Vec::new()),
            deadlines: self.deadlines.clone(),
            providers: self.providers.with(Vec::new()),
            acts: self.acts.with(Vec::new()),
            changes: self.changes.with(Vec::new()),
            crosswalks,
            edges: Arc::clone(&self.edges),
            own_edges,
            compliance,
            search: Arc::clone(&self.search),
            own_search: OnceLock::new(),
        }
    }

    /// What finds records of the catalogue by their words. Built when first asked for, which takes longer than a
    /// search; institutions share it.
    pub fn search(&self) -> &SearchIndex {
        self.search.get_or_init(|| SearchIndex::build(|| self.records()))
    }

    /// What finds the institution's own requirements; `None` without any.
    pub fn own_search(&self) -> Option<&SearchIndex> {
        self.own_records().next()?;
        Some(self.own_search.get_or_init(|| SearchIndex::build(|| self.own_records())))
    }

    /// Every searchable record of the catalogue, with its kind and its position within its kind.
    fn records(&self) -> impl Iterator<Item = Document<'_>> {
        SEARCHABLE.into_iter().flat_map(move |kind| {
            let all = (0..).map_while(move |position| Some((kind, position, self.record(kind, position)?)));
            all.take_while(move |(kind, position, _)| !self.is_added(*kind, *position))
        })
    }

    /// The requirements that an institution added for itself. Its frameworks are found among its records.
    fn own_records(&self) -> impl Iterator<Item = Document<'_>> {
        let (kind, first) = (Kind::Requirement, self.requirements.as_slice().len());
        (first..).map_while(move |position| Some((kind, position, self.record(kind, position)?)))
    }

    /// Whether an institution added this record for itself.
    pub(crate) fn is_added(&self, kind: Kind, position: usize) -> bool {
        match kind {
            Kind::Framework => position >= self.frameworks.as_slice().len(),
            Kind::Requirement => position >= self.requirements.as_slice().len(),
            _ => false,
        }
    }

    pub(crate) fn record(&self, kind: Kind, position: usize) -> Option<&dyn Record> {
        fn at<T: Record>(shelf: &Shelf<T>, position: usize) -> Option<&dyn Record> {
            shelf.at(position).map(|record| record as &dyn Record)
        }
        match kind {
            Kind::Framework => at(&self.frameworks, position),
            Kind::Section => at(&self.sections, position),
            Kind::Requirement => at(&self.requirements, position),
            Kind::Reference => at(&self.references, position),
            Kind::Measure => at(&self.measures, position),
            Kind::Evidence => at(&self.evidence, position),
            Kind::Category => None,
            Kind::Risk => at(&self.risks, position),
            Kind::Dimension => at(&self.dimensions, position),
            Kind::Vendor => at(&self.vendors, position),
            Kind::Drill => at(&self.drills, position),
            Kind::Gap => at(&self.gaps, position),
            Kind::Milestone => at(&self.milestones, position),
            Kind::Signal => at(&self.signals, position),
            Kind::Training => at(&self.trainings, position),
            Kind::Question => at(&self.questions, position),
            Kind::Widget => at(&self.widgets, position),
            Kind::Clock => at(&self.clocks, position),
            Kind::Provider => at(&self.providers, position),
            Kind::Act => at(&self.acts, position),
            Kind::Change => at(&self.changes, position),
            Kind::Crosswalk => at(&self.crosswalks, position),
        }
    }

    /// The framework with this id. The error lists the existing ones.
    pub fn framework_named(&self, id: &str) -> Result<FrameworkId, FrameworkError> {
        let found = self.frameworks.get(id).map(|framework| framework.id);
        found.ok_or_else(|| {
            let known: Vec<_> = self.frameworks.iter().map(|framework| framework.id.to_string()).collect();
            FrameworkError::Unknown { known: known.join(", ") }
        })
    }

    /// Whether an institution added the framework for itself.
    pub fn is_own(&self, framework: FrameworkId) -> bool {
        self.frameworks.position(framework.as_str()).is_some_and(|at| at >= self.frameworks.as_slice().len())
    }

    /// The requirements of one framework, in order.
    pub fn requirements_of(&self, framework: FrameworkId) -> impl Iterator<Item = &Requirement> {
        self.requirements.iter().filter(move |requirement| requirement.framework == framework)
    }

    /// The sources of a statement: those of the record itself, and those of the act it cites.
    pub fn proven(&self, cite: &str, source: Option<&str>, proof: &Proof, language: Language) -> Proven<'_> {
        proof.proven(source, citation::act_of(cite, self.acts.as_slice()), language)
    }

    /// The coverage of one requirement; `None` if it does not exist.
    pub fn coverage_of(&self, requirement: &str) -> Option<Coverage> {
        self.compliance.coverage_at(self.requirements.position(requirement)?)
    }

    /// The requirements of other frameworks that crosswalks relate to this one.
    pub fn related_to(&self, requirement: &str) -> impl Iterator<Item = Related<'_>> {
        let found = self.requirements.position(requirement);
        let steps = found.map(|found| [self.edges.of(found), self.own_edges.of(found)]).unwrap_or_default();
        steps.into_iter().flatten().filter_map(|(other, relation, table, row)| {
            let crosswalk = self.crosswalks.at(*table)?;
            let reason = crosswalk.edges.get(*row)?.reason.as_ref().unwrap_or(&crosswalk.reason);
            let requirement = self.requirements.at(*other)?;
            Some(Related { requirement, relation: *relation, crosswalk, reason })
        })
    }

    /// The measures that meet a requirement.
    pub fn measures_for(&self, requirement: &str) -> impl Iterator<Item = &Measure> {
        let met_by = self.requirements.position(requirement).map(|found| self.compliance.measures_at(found));
        met_by.unwrap_or_default().iter().filter_map(|position| self.measures.as_slice().get(*position))
    }
}

/// Adds to each gap the measures that meet its requirement, and sorts the gaps in the requirements' order.
fn link_gaps(
    gaps: &mut [Gap],
    requirements: &Shelf<Requirement>,
    measures: &Shelf<Measure>,
    compliance: &Compliance,
) {
    for gap in gaps.iter_mut() {
        let Some(requirement) = requirements.position(&gap.requirement) else { continue };
        for position in compliance.measures_at(requirement) {
            let id = &measures.as_slice()[*position].id;
            if !gap.measures.contains(id) {
                gap.measures.push(id.clone());
            }
        }
        gap.follow(measures);
    }
    gaps.sort_by_cached_key(|gap| requirements.position(&gap.requirement));
}
