//! Adopting measures of the catalogue as controls: chosen ones, those of a framework or of some of its chapters.

use std::collections::{BTreeSet, HashMap, HashSet};

use domain::{
    change::{Change, Fields},
    control::{Control, ControlCadence, ControlComplaint, ControlInput},
    framework::Framework,
    right::{Resource, Right},
    text::Name,
    wording::Language,
};
use serde_json::json;
use store::{Reader, Tx, control as rows};

use crate::{
    Compliance, Error, Result,
    author::Author,
    authz::Caller,
    catalogue::{Edition, measure::Measure, vocabulary::Cadence},
};

/// Which measures to adopt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adoption {
    Measures(Vec<String>),
    Framework(Framework),
    /// Those that meet a requirement of these chapters of the framework.
    Sections(Framework, Vec<String>),
}

/// What a request to adopt says besides the measures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Adopting {
    /// The owner of the new controls.
    pub owner: Change<String>,
    /// The language of their titles.
    pub language: Language,
}

/// The result of adopting measures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Adopted {
    pub created: u64,
    pub skipped: u64,
}

/// What adopting would do, in all and for each chapter of the framework. A measure can meet requirements of several
/// chapters, so the chapters can add up to more than all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdoptionPreview {
    pub all: Adopted,
    pub sections: Vec<SectionPreview>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionPreview {
    pub section: String,
    pub counts: Adopted,
}

impl Adopted {
    fn count(&mut self, is_there: bool) {
        if is_there {
            self.skipped += 1;
        } else {
            self.created += 1;
        }
    }
}

impl Compliance {
    /// Creates controls from measures, in one transaction. Measures that already have a control are skipped.
    pub async fn adopt_controls(
        &self,
        caller: &Caller,
        adoption: &Adoption,
        adopting: Adopting,
    ) -> Result<Adopted> {
        caller.require_right(Resource::Controls, Right::Write)?;
        let edition = self.edition_of(caller).await?;
        let chosen = chosen(&edition, adoption)?;
        // Also where every measure has its control already, and none is created.
        let mut fields = Fields::default();
        let _ = fields.line("owner", &adopting.owner, None);
        fields.finish(Some(()))?;
        let inputs: Vec<ControlInput> = chosen.iter().map(|measure| adopted(measure, &adopting)).collect();
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.adopt(tx, &inputs);
        self.db.tenant(caller.scope()).write(write).await
    }

    /// What adopting would do. Nothing is stored.
    pub async fn adoption_preview(&self, caller: &Caller, adoption: Adoption) -> Result<AdoptionPreview> {
        caller.require_right(Resource::Controls, Right::Write)?;
        let (edition, scope) = (self.edition_of(caller).await?, *caller.scope());
        let read = move |r: &mut Reader<'_>| {
            let there: HashSet<String> = rows::measures(r, &scope)?.into_iter().collect();
            preview(&edition, &adoption, &there)
        };
        self.db.tenant(&scope).read(read).await
    }

    /// How many controls adopting each framework would create, and how many of its measures already have one.
    pub async fn adoption_previews(&self, caller: &Caller) -> Result<Vec<(Framework, Adopted)>> {
        let (edition, scope) = (self.edition_of(caller).await?, *caller.scope());
        let read = move |r: &mut Reader<'_>| {
            let there: HashSet<String> = rows::measures(r, &scope)?.into_iter().collect();
            let preview = |framework: Framework| {
                let mut counts = Adopted::default();
                for measure in edition.measures_of(framework) {
                    counts.count(there.contains(&*measure.id));
                }
                (framework, counts)
            };
            Ok::<_, Error>(edition.frameworks.iter().map(|framework| preview(framework.id)).collect())
        };
        self.db.tenant(&scope).read(read).await
    }
}

/// The chapters of a framework in which a measure meets a requirement.
fn sections_of<'e>(edition: &'e Edition, framework: Framework, measure: &Measure) -> BTreeSet<&'e str> {
    let met = edition.ledger().of_measure(&measure.id).iter();
    let requirements = met.filter_map(|position| edition.requirements.at(*position));
    requirements.filter(|met| met.framework == framework).map(|met| &*met.section).collect()
}

fn preview(edition: &Edition, adoption: &Adoption, there: &HashSet<String>) -> Result<AdoptionPreview> {
    let mut all = Adopted::default();
    for measure in chosen(edition, adoption)? {
        all.count(there.contains(&*measure.id));
    }
    let (Adoption::Framework(framework) | Adoption::Sections(framework, _)) = adoption else {
        return Ok(AdoptionPreview { all, sections: Vec::new() });
    };
    let mut counts: HashMap<&str, Adopted> = HashMap::new();
    for measure in edition.measures_of(*framework) {
        for section in sections_of(edition, *framework, measure) {
            counts.entry(section).or_default().count(there.contains(&*measure.id));
        }
    }
    let of_framework = edition.sections.iter().filter(|section| section.framework == *framework);
    let counted =
        |id: &str| counts.get(id).map(|counts| SectionPreview { section: id.to_owned(), counts: *counts });
    Ok(AdoptionPreview { all, sections: of_framework.filter_map(|section| counted(&section.id)).collect() })
}

fn chosen<'e>(edition: &'e Edition, adoption: &Adoption) -> Result<Vec<&'e Measure>> {
    let mut fields = Fields::default();
    match adoption {
        Adoption::Framework(framework) => Ok(edition.measures_of(*framework)),
        Adoption::Sections(framework, ids) => {
            let known = |id: &String| match edition.sections.get(id) {
                Some(section) if section.framework == *framework => Ok(id.clone()),
                _ => Err(ControlComplaint::NotASection),
            };
            let named = fields.list("sections", &Change::Set(ids.clone()), None, known);
            let wanted: HashSet<String> = fields.finish(Some(named))?.into_iter().collect();
            let is_met = |measure: &&Measure| {
                sections_of(edition, *framework, measure).iter().any(|section| wanted.contains(*section))
            };
            Ok(edition.measures_of(*framework).into_iter().filter(is_met).collect())
        }
        Adoption::Measures(ids) => {
            let known = |id: &String| edition.measures.get(id).ok_or(ControlComplaint::NotAMeasure);
            let named = fields.list("measures", &Change::Set(ids.clone()), None, known);
            let mut seen = HashSet::new();
            let once = named.into_iter().filter(|measure| seen.insert(&*measure.id)).collect();
            fields.finish(Some(once)).map_err(Error::from)
        }
    }
}

/// A measure as a planned control.
fn adopted(measure: &Measure, adopting: &Adopting) -> ControlInput {
    let text = |text: &str| Change::Set(text.to_owned());
    let title = Name::fitted(measure.title.get(adopting.language)).unwrap_or_else(Name::untitled);
    ControlInput {
        title: text(title.as_str()),
        description: text(measure.action.get(adopting.language)),
        measure_id: text(&measure.id),
        cadence: text(cadence(measure.cadence).as_str()),
        owner: adopting.owner.clone(),
        ..ControlInput::default()
    }
}

/// The nearest cadence a control can have. A measure without an interval has none; where there is no nearer one, a
/// daily measure is confirmed weekly, and one of every three years is reviewed yearly.
fn cadence(of_measure: Cadence) -> ControlCadence {
    match of_measure {
        Cadence::Continuous | Cadence::EventDriven | Cadence::Once => ControlCadence::None,
        Cadence::Daily | Cadence::Weekly => ControlCadence::Weekly,
        Cadence::Monthly => ControlCadence::Monthly,
        Cadence::Quarterly => ControlCadence::Quarterly,
        Cadence::HalfYearly => ControlCadence::HalfYearly,
        Cadence::Yearly | Cadence::ThreeYearly => ControlCadence::Yearly,
    }
}

impl Author {
    fn adopt(&self, tx: &mut Tx<'_>, inputs: &[ControlInput]) -> Result<Adopted> {
        let mut there: HashSet<String> = rows::measures(tx, self.scope())?.into_iter().collect();
        let mut adopted = Adopted::default();
        for input in inputs {
            let Change::Set(measure) = &input.measure_id else { continue };
            let is_new = there.insert(measure.clone());
            if is_new {
                self.create::<Control>(tx, input)?;
            }
            adopted.count(!is_new);
        }
        // Every change needs an audit entry, and this one records the request.
        let detail = json!({ "created": adopted.created, "skipped": adopted.skipped });
        self.audit(tx, "controls.adopted", self.caller.tenant(), &detail)?;
        Ok(adopted)
    }
}
