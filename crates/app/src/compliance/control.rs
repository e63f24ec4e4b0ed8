//! Controls: their rules, the catalogue data of their measure, adopting measures, and recording performances.

use domain::{
    any_of::{AnyOf, UNSET},
    change::Change,
    control::{Control, ControlComplaint, ControlInput, ControlWorld, PerformedInput},
    evidence::LinkType,
    framework::Framework,
    id::{ControlId, EvidenceId},
    right::{Resource, Right},
    text::{Name, Prose},
    wording::Language,
};
use serde_json::{Value, json};
use store::{
    Reader, Revision, TenantScope, Tx,
    control::{self as rows, PerformanceRow, framework_key},
    evidence_link, measure_use,
    record::RecordRow,
};

use crate::{
    Compliance, Core, Error, Result,
    author::Author,
    authz::Caller,
    catalogue::Edition,
    history::Detail,
    library_text::{self, LibraryTexts},
    pages::Precondition,
    records::{Announced, RecordKind, RecordRequest},
    words::{Kind, Texts},
};

pub use super::adoption::{Adopted, Adopting, Adoption, AdoptionPreview, SectionPreview};
pub use store::control::{CompactControl, ControlFilter, ControlRow, Keys, PerformanceRow as Performed};

/// The maximum number of controls of an institution: finding those for a requirement reads all of them.
const MOST: u64 = 2000;
/// The number of performances shown with a control.
const PERFORMANCES: u32 = 50;

/// A control with values computed from the catalogue and from findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlView {
    pub row: ControlRow,
    /// Those of the measure and its own, in the order of the catalogue; then those that the catalogue no longer
    /// contains.
    pub requirements: Vec<String>,
    pub open_findings: u64,
    pub evidence: Vec<EvidenceId>,
    /// The fields whose texts are still those of the measure.
    pub library_texts: LibraryTexts,
}

/// The search keys of the controls of these frameworks; without a framework, of the controls that belong to none.
pub fn keys_of_frameworks(edition: &Edition, frameworks: &AnyOf<Framework>) -> Keys {
    let own: Vec<String> =
        frameworks.values().iter().map(|framework| framework_key(framework.as_str())).collect();
    let measures = frameworks.values().iter().flat_map(|framework| edition.measures_of(*framework));
    let unset = frameworks.asks_unset().then_some(UNSET);
    Keys::of(measures.map(|measure| &*measure.id).chain(own.iter().map(String::as_str)).chain(unset))
}

/// The search keys of the controls that address a requirement.
pub fn keys_of_requirement(edition: &Edition, requirement: &str) -> Keys {
    Keys::of(edition.measures_for(requirement).map(|measure| &*measure.id).chain([requirement]))
}

/// Every requirement a control addresses.
pub(crate) fn requirements_of(edition: &Edition, measure: Option<&str>, own: &[String]) -> Vec<String> {
    let by_measure = measure.map_or(&[][..], |measure| edition.ledger().of_measure(measure));
    let known = own.iter().filter_map(|id| edition.requirements.position(id));
    let mut positions: Vec<usize> = by_measure.iter().copied().chain(known).collect();
    positions.sort_unstable();
    positions.dedup();
    let found = positions.into_iter().filter_map(|position| edition.requirements.at(position));
    let found = found.map(|requirement| requirement.id.to_string());
    let gone = own.iter().filter(|id| edition.requirements.position(id).is_none()).cloned();
    found.chain(gone).collect()
}

fn judged<T>(
    author: &Author,
    tx: &mut Tx<'_>,
    rules: impl FnOnce(&ControlWorld<'_>) -> Result<T, domain::violation::Violations>,
) -> Result<T> {
    let edition = author.core.edition_in(tx, author.scope())?;
    let world = ControlWorld {
        today: author.now.day(),
        is_measure: &|id| edition.measures.get(id).is_some(),
        is_requirement: &|id| edition.requirements.get(id).is_some(),
    };
    rules(&world).map_err(Error::from)
}

/// The control with the current results of tests and findings about it and its measure.
fn proven(author: &Author, tx: &mut Tx<'_>, id: Option<ControlId>, mut control: Control) -> Result<Control> {
    let proof = measure_use::proof(tx, author.scope(), id, control.measure_id.as_deref())?;
    control.computed = proof.effectiveness();
    Ok(control)
}

impl RecordKind for Control {
    type Input = ControlInput;
    type New = ControlInput;
    type Change = ControlInput;
    type View = ControlView;

    const NOUN: &'static str = "control";
    const LIST: &'static str = "controls";
    const WORDS: Kind = Kind::new('o');
    const FOUND: Option<&'static str> = Some("control");
    const RESOURCE: Resource = Resource::Controls;
    const KEEPS: bool = true;
    const CORRECTS: bool = true;

    fn owner(&self) -> Option<&Name> {
        self.owner.as_ref()
    }

    fn create(author: &Author, tx: &mut Tx<'_>, input: &ControlInput) -> Result<Self> {
        if rows::count(tx, author.scope())? >= MOST {
            return Err(Error::invalid("controls", ControlComplaint::TooMany { most: MOST }));
        }
        let reference = rows::next_reference(tx, author.scope())?;
        let control = judged(author, tx, |world| input.create(reference, world))?;
        proven(author, tx, None, control)
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &ControlRow, input: &ControlInput) -> Result<Self> {
        let control = judged(author, tx, |world| input.change(&before.record, world))?;
        proven(author, tx, Some(before.id), control)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference,
            "title": self.title.as_str(),
            "description": self.description.as_ref().map(Prose::as_str),
            "measure_id": self.measure_id,
            "requirements": self.requirements,
            "status": self.status,
            "effectiveness": self.effectiveness(),
            "effectiveness_reason": self.overrule.as_ref().map(|overrule| overrule.reason.as_str()),
            "owner": self.owner.as_ref().map(Name::as_str),
            "cadence": self.cadence,
            "last_performed_on": self.last_performed_on,
            "next_due_on": self.next_due_on,
            "functions": self.functions.iter().map(Name::as_str).collect::<Vec<_>>(),
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let single = [
            self.description.as_ref().map(Prose::as_str),
            self.owner.as_ref().map(Name::as_str),
            self.measure_id.as_deref(),
        ];
        let functions = self.functions.iter().map(Name::as_str);
        let requirements = self.requirements.iter().map(String::as_str);
        let body = single.into_iter().flatten().chain(functions).chain(requirements).collect();
        Texts { heading: vec![self.title.as_str().into(), self.reference.to_string().into()], body }
    }

    fn search_text(filter: &ControlFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<ControlRow>,
    ) -> Result<Vec<ControlView>> {
        let edition = core.edition_in(reader, scope)?;
        let ids: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
        let pairs = rows.iter().zip(&ids);
        let pairs = pairs.flat_map(|(row, id)| {
            let keys = row.record.measure_id.as_deref().into_iter().chain([id.as_str()]);
            keys.map(move |key| (id.as_str(), key))
        });
        let open = measure_use::open_findings(reader, scope, pairs)?;
        let targets = ids.iter().map(String::as_str);
        let mut attached = evidence_link::of_targets(reader, scope, LinkType::Control, targets)?;
        let view = |(row, id): (ControlRow, String)| ControlView {
            requirements: requirements_of(
                &edition,
                row.record.measure_id.as_deref(),
                &row.record.requirements,
            ),
            open_findings: open.get(&id).copied().unwrap_or_default(),
            library_texts: library_text::of_control(&edition, &row.record),
            evidence: attached.remove(&id).unwrap_or_default().iter().map(|one| one.evidence).collect(),
            row,
        };
        Ok(rows.into_iter().zip(ids).map(view).collect())
    }

    fn row(view: &ControlView) -> &ControlRow {
        &view.row
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(ControlInput { owner: Change::Set(heir.to_string()), ..ControlInput::default() })
    }

    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        row.record.next_due_on.map(|due| (due, summary(row.id, &row.record)))
    }

    fn is_referred(reader: &mut Reader<'_>, scope: &TenantScope, row: &ControlRow) -> Result<bool> {
        Ok(!rows::performances(reader, scope, row.id, 1)?.is_empty())
    }

    fn translate(view: &mut ControlView, edition: &Edition, language: Language) {
        library_text::translate_control(edition, &mut view.row.record, language);
    }

    fn release(author: &Author, tx: &mut Tx<'_>, row: &ControlRow) -> Result<()> {
        rows::forget(tx, author.scope(), row.id).map_err(Error::from)
    }
}

impl RecordRequest<Control> for ControlInput {
    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

impl Compliance {
    /// The latest performances of a control, last recorded first.
    pub async fn control_performances(&self, caller: &Caller, id: ControlId) -> Result<Vec<PerformanceRow>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| rows::performances(r, &scope, id, PERFORMANCES);
        self.db.tenant(&scope).read(move |r| read(r).map_err(Error::from)).await
    }

    /// Records one performance and moves the day the control is due next.
    pub async fn perform_control(
        &self,
        caller: &Caller,
        id: ControlId,
        input: PerformedInput,
        precondition: Precondition,
    ) -> Result<(Detail<ControlView>, Revision)> {
        caller.require_right(Resource::Performances, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.perform(tx, id, &input, &precondition);
        self.db.tenant(caller.scope()).write(write).await?;
        self.records.record::<Control>(caller, id).await
    }
}

/// The fields of a control in events.
pub(crate) fn summary(id: ControlId, control: &Control) -> Value {
    json!({
        "id": id,
        "reference": control.reference,
        "title": control.title.as_str(),
        "status": control.status,
        "effectiveness": control.effectiveness(),
        "owner": control.owner.as_ref().map(Name::as_str),
        "cadence": control.cadence,
        "next_due_on": control.next_due_on,
    })
}
