//! Reads the files of a catalogue into records. Files are independent of each other, so they are read on several
//! threads; the rules across them are checked afterwards, in `check`.

use std::{
    collections::HashMap,
    num::NonZero,
    panic,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use domain::moment::Day;
use toml::de::{DeTable, DeValue};

use crate::{
    act::Act,
    applicability::{Applicability, Force},
    block::Block,
    change::Change,
    clock::Clock,
    crosswalk::Crosswalk,
    drill::Drill,
    evidence::Evidence,
    framework::{Framework, Reference, Requirement, Section},
    gap::Gap,
    kind::Kind,
    layer,
    measure::Measure,
    milestone::Milestone,
    notes::{Mention, Notes, SourcePosition},
    provider::Provider,
    question::Question,
    risk::{Category, Matrix, Risk},
    signal::Signal,
    source::SourceFile,
    training::Training,
    vendor::{Dimension, Vendor},
    vocabulary::FrameworkId,
    widget::Widget,
    wording::{
        law::{Corrigendum, Law, LawText, Without},
        signals::Differs,
    },
};

/// The records as read: not yet checked against each other, derived values not yet set.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) root: Root,
    pub(crate) frameworks: Vec<Framework>,
    pub(crate) sections: Vec<Section>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) references: Vec<Reference>,
    pub(crate) measures: Vec<Measure>,
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) categories: Vec<Category>,
    pub(crate) matrices: Vec<Matrix>,
    pub(crate) risks: Vec<Risk>,
    pub(crate) dimensions: Vec<Dimension>,
    pub(crate) vendors: Vec<Vendor>,
    pub(crate) drills: Vec<Drill>,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) milestones: Vec<Milestone>,
    pub(crate) signals: Vec<Signal>,
    pub(crate) trainings: Vec<Training>,
    pub(crate) questions: Vec<Question>,
    pub(crate) widgets: Vec<Widget>,
    pub(crate) clocks: Vec<Clock>,
    pub(crate) providers: Vec<Provider>,
    pub(crate) acts: Vec<Act>,
    pub(crate) crosswalks: Vec<Crosswalk>,
    pub(crate) changes: Vec<Change>,
    pub(crate) law: Law,
}

/// The settings in `catalogue.toml` for the catalogue as a whole.
#[derive(Debug, Default)]
pub(crate) struct Root {
    pub(crate) version: Option<Day>,
    /// The frameworks that are listed first, in this order. The others follow by id.
    pub(crate) frameworks: Vec<FrameworkId>,
    pub(crate) concentration_limits: Vec<FrameworkId>,
    /// The frameworks whose records are incomplete: missing records are not reported.
    pub(crate) unfinished: Vec<FrameworkId>,
    /// The frameworks that go beyond ICT, which the measures are limited to.
    pub(crate) beyond_ict: Vec<FrameworkId>,
    /// How many days facts of the timeline and the radar may go without being verified again.
    pub(crate) fact_age_days: Option<u32>,
}

impl Root {
    pub(crate) const FACT_AGE_DAYS: u32 = 183;
}

/// More threads gain nothing for a megabyte or two of text.
const MOST_THREADS: usize = 4;

/// Reads every file. The order of the records is the order of the files, whichever thread reads them.
pub(crate) fn read_all(files: &[SourceFile]) -> (Draft, Notes) {
    if files.iter().any(|file| file.layer > 0) {
        return read_layered(files);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut read = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { return read };
            read.push((index, read_file(index, file)));
        }
    };
    let helpers = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS) - 1;
    let mut parts = thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(work)).collect();
        let mut parts = work();
        for helper in helpers {
            parts.extend(helper.join().unwrap_or_else(|cause| panic::resume_unwind(cause)));
        }
        parts
    });
    parts.sort_by_key(|(index, _)| *index);

    let (mut draft, mut notes) = (Draft::default(), Notes::default());
    for (_, (part, part_notes)) in parts {
        draft.append(part);
        notes.append(part_notes);
    }
    (draft, notes)
}

/// Layers are merged before anything is read, so all files are parsed first.
fn read_layered(files: &[SourceFile]) -> (Draft, Notes) {
    let (mut draft, mut notes, mut tables) = (Draft::default(), Notes::default(), Vec::new());
    for (index, file) in files.iter().enumerate() {
        let (table, errors) = DeTable::parse_recoverable(&file.text);
        for error in &errors {
            let offset = error.span().map_or(0, |span| span.start);
            notes.fault(SourcePosition { file: index, offset }, error.message());
            notes.unparsed = true;
        }
        tables.push(errors.is_empty().then(|| table.into_inner()));
    }
    if !notes.unparsed {
        layer::merge(files, &mut tables);
    }
    for (index, table) in tables.iter().enumerate() {
        if let Some(table) = table {
            draft.read_table(index, &files[index], table, &mut notes);
        }
    }
    (draft, notes)
}

fn read_file(index: usize, file: &SourceFile) -> (Draft, Notes) {
    let (mut draft, mut notes) = (Draft::default(), Notes::default());
    let start = SourcePosition { file: index, offset: 0 };
    let (table, errors) = DeTable::parse_recoverable(&file.text);
    for error in &errors {
        let offset = error.span().map_or(0, |span| span.start);
        notes.fault(SourcePosition { offset, ..start }, error.message());
        notes.unparsed = true;
    }
    if errors.is_empty() {
        draft.read_table(index, file, table.get_ref(), &mut notes);
    }
    (draft, notes)
}

impl Draft {
    /// Passes what holds for a framework or a section on to its requirements.
    pub(crate) fn complete(&mut self) {
        let voluntary: Vec<FrameworkId> = self
            .frameworks
            .iter()
            .filter(|framework| framework.scope.force == Force::Voluntary)
            .map(|framework| framework.id)
            .collect();
        let sections = self.sections.iter().filter(|section| section.scope != Applicability::default());
        let scopes: HashMap<&str, &Applicability> =
            sections.map(|section| (&*section.id, &section.scope)).collect();
        for requirement in &mut self.requirements {
            let applies = &mut requirement.applicability;
            if let Some(scope) = scopes.get(&*requirement.section) {
                applies.inherit(scope);
            }
            if voluntary.contains(&requirement.framework) && applies.force == Force::Shall {
                applies.force = Force::Voluntary;
            }
        }
    }

    fn read_table<'s>(&mut self, index: usize, file: &SourceFile, table: &'s DeTable<'s>, notes: &mut Notes) {
        let place = SourcePosition { file: index, offset: 0 };
        let mut page = Page { table, place, asked: Vec::new(), notes };
        match file.path.split_once('/') {
            Some((folder, _)) => self.read_folder(folder, &mut page),
            None if file.path == "catalogue.toml" => self.read_root(&mut page),
            None => page.notes.fault(place, "does not belong here; records live in one folder per kind"),
        }
    }

    fn read_root(&mut self, page: &mut Page<'_, '_>) {
        let mut block = Block::new(page.table, page.place, page.notes);
        self.root = Root {
            version: Some(block.day("version")),
            frameworks: block.optional_frameworks("frameworks"),
            concentration_limits: block.optional_frameworks("concentration_limits"),
            unfinished: block.optional_frameworks("unfinished"),
            beyond_ict: block.optional_frameworks("beyond_ict"),
            fact_age_days: block.optional_number("fact_age_days", 1..=3660),
        };
        block.finish();
    }

    fn read_folder(&mut self, folder: &str, page: &mut Page<'_, '_>) {
        match folder {
            "frameworks" => self.read_framework(page),
            "measures" => page.many("measure", &mut self.measures, Measure::read),
            "evidence" => page.many("evidence", &mut self.evidence, Evidence::read),
            "risks" => {
                page.many("category", &mut self.categories, Category::read);
                page.one("matrix", &mut self.matrices, Matrix::read);
                page.many("risk", &mut self.risks, Risk::read);
            }
            "vendors" => {
                page.many("dimension", &mut self.dimensions, Dimension::read);
                page.many("vendor", &mut self.vendors, Vendor::read);
            }
            "drills" => page.many("drill", &mut self.drills, Drill::read),
            "gaps" => page.many("gap", &mut self.gaps, Gap::read),
            "timeline" => {
                let verified = page.verified_on();
                page.many("milestone", &mut self.milestones, Milestone::read);
                self.milestones.iter_mut().for_each(|fact| fact.proof.inherit(verified));
            }
            "radar" => {
                let verified = page.verified_on();
                page.many("signal", &mut self.signals, Signal::read);
                self.signals.iter_mut().for_each(|fact| fact.proof.inherit(verified));
            }
            "training" => page.many("module", &mut self.trainings, Training::read),
            "questions" => page.many("question", &mut self.questions, Question::read),
            "widgets" => page.many("widget", &mut self.widgets, Widget::read),
            "clocks" => page.many("clock", &mut self.clocks, Clock::read),
            "crosswalks" => page.one("crosswalk", &mut self.crosswalks, Crosswalk::read),
            "changes" => page.many("change", &mut self.changes, Change::read),
            "acts" => page.many("act", &mut self.acts, Act::read),
            "law" => {
                page.many("text", &mut self.law.texts, LawText::read);
                page.many("corrigendum", &mut self.law.corrigenda, Corrigendum::read);
                page.many("without", &mut self.law.without, Without::read);
                page.many("differs", &mut self.law.differs, Differs::read);
            }
            "providers" => page.many("designated", &mut self.providers, Provider::read),
            _ => return page.notes.fault(page.place, format!("{folder} is not a folder of the catalogue")),
        }
        page.finish();
    }

    fn read_framework(&mut self, page: &mut Page<'_, '_>) {
        let framework = page.framework();
        page.one("framework", &mut self.frameworks, Framework::read);
        page.many("section", &mut self.sections, |block| Section::read(framework, block));
        page.many("requirement", &mut self.requirements, |block| Requirement::read(framework, block));
        page.many("reference", &mut self.references, |block| Reference::read(framework, block));
    }

    fn append(&mut self, mut other: Self) {
        macro_rules! append {
            ($($field:ident)*) => { $(self.$field.append(&mut other.$field);)* };
        }
        if other.root.version.is_some() {
            self.root = other.root;
        }
        self.law.append(other.law);
        append! {
            frameworks sections requirements references measures evidence categories matrices risks
            dimensions vendors drills gaps milestones signals trainings questions widgets clocks providers acts crosswalks
            changes
        }
    }
}

/// A file while it is read, and the blocks read so far.
struct Page<'s, 'n> {
    table: &'s DeTable<'s>,
    place: SourcePosition,
    asked: Vec<&'static str>,
    notes: &'n mut Notes,
}

impl<'s> Page<'s, '_> {
    /// `[[name]]` blocks, any number of them.
    fn many<T>(
        &mut self,
        name: &'static str,
        into: &mut Vec<T>,
        mut read: impl FnMut(&mut Block<'s, '_>) -> T,
    ) {
        self.asked.push(name);
        let Some(value) = self.table.get(name) else { return };
        let place = SourcePosition { offset: value.span().start, ..self.place };
        let Some(blocks) = value.get_ref().as_array() else {
            return self.notes.fault(place, format!("{name} is written as [[{name}]]"));
        };
        for block in blocks {
            let place = SourcePosition { offset: block.span().start, ..self.place };
            self.block(name, block.get_ref(), place, into, &mut read);
        }
    }

    /// A `[name]` block, at most one in a file.
    fn one<T>(&mut self, name: &'static str, into: &mut Vec<T>, read: impl FnMut(&mut Block<'s, '_>) -> T) {
        self.asked.push(name);
        let Some(value) = self.table.get(name) else { return };
        let place = SourcePosition { offset: value.span().start, ..self.place };
        self.block(name, value.get_ref(), place, into, read);
    }

    fn block<T>(
        &mut self,
        name: &'static str,
        value: &'s DeValue<'s>,
        place: SourcePosition,
        into: &mut Vec<T>,
        mut read: impl FnMut(&mut Block<'s, '_>) -> T,
    ) {
        let Some(table) = value.as_table() else {
            return self.notes.fault(place, format!("{name} must be a block with fields"));
        };
        let mut block = Block::new(table, place, self.notes);
        into.push(read(&mut block));
        block.finish();
    }

    /// The day all facts of the file were verified, unless a record says otherwise.
    fn verified_on(&mut self) -> Option<Day> {
        self.asked.push("verified_on");
        let value = self.table.get("verified_on")?;
        let day = value.get_ref().as_str().unwrap_or_default().parse();
        day.map_err(|error| {
            let place = SourcePosition { offset: value.span().start, ..self.place };
            self.notes.fault(place, format!("verified_on {error}"));
        })
        .ok()
    }

    /// The framework the file is about: its own `[framework]`, or the one it belongs to.
    fn framework(&mut self) -> FrameworkId {
        self.asked.push("belongs_to");
        let own = self.table.get("framework").and_then(|own| own.get_ref().get("id"));
        let named = match (own, self.table.get("belongs_to")) {
            (Some(id), None) | (None, Some(id)) => id,
            (None, None) => {
                self.notes.fault(self.place, "needs a [framework] block or belongs_to = \"…\"");
                return FrameworkId::DORA;
            }
            (Some(_), Some(id)) => {
                let place = SourcePosition { offset: id.span().start, ..self.place };
                self.notes.fault(place, "belongs_to is for files without a [framework] block");
                return FrameworkId::DORA;
            }
        };
        let word = named.get_ref().as_str().unwrap_or_default();
        let place = SourcePosition { offset: named.span().start, ..self.place };
        match word.parse() {
            Ok(framework) => {
                let (kind, field) = (Kind::Framework, "belongs_to");
                self.notes.used.push(Mention { kind, id: word.into(), place, field });
                framework
            }
            Err(error) => {
                self.notes.fault(place, format!("the framework {error}, not {word:?}"));
                FrameworkId::DORA
            }
        }
    }

    /// Reports blocks that this kind of file does not have.
    fn finish(&mut self) {
        for (key, _) in self.table {
            let name = key.get_ref().as_ref();
            if !self.asked.contains(&name) {
                let place = SourcePosition { offset: key.span().start, ..self.place };
                let known = self.asked.join(", ");
                self.notes.fault(place, format!("{name} is not known here; known: {known}"));
            }
        }
    }
}
