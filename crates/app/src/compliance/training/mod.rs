//! Trainings of people and their rules. Each person sees and takes their own; the role decides about those of others.

mod assign;
mod correct;
mod take;
mod total;

use std::{collections::HashMap, convert::Infallible};

use domain::{
    actor::Actor,
    evidence::LinkType,
    id::{EvidenceId, TrainingId, UserId},
    right::{Resource, Right},
    text::Name,
    training::{Training, TrainingInput, TrainingState},
    wording::Language,
};
use serde_json::{Value, json};
use store::{Reader, Revision, TenantScope, Tx, evidence_link, record, user};

use crate::{
    Compliance, Core, Error, Result,
    author::Author,
    authz::Caller,
    catalogue::Edition,
    history::Detail,
    records::{Announced, RecordKind, RecordRequest},
    words::{Kind, Texts},
};

pub use self::{
    assign::Assignable,
    take::{Mistake, Quiz},
};
pub use store::training::{TrainingCounts, TrainingFilter, TrainingRow, TrainingTotals};

/// The current state of a training.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingView {
    pub row: TrainingRow,
    pub state: TrainingState,
    /// The title in the reader's language, where the catalogue has the module.
    pub title: String,
    /// The name of the person; their id if the account is gone.
    pub person: String,
    pub evidence: Vec<EvidenceId>,
}

impl RecordKind for Training {
    type Input = TrainingInput;
    type New = Infallible;
    type Change = TrainingInput;
    type View = TrainingView;

    const NOUN: &'static str = "training";
    const LIST: &'static str = "trainings";
    const WORDS: Kind = Kind::new('l');
    const RESOURCE: Resource = Resource::Trainings;
    const KEEPS: bool = true;
    const CORRECTS: bool = true;

    /// Trainings are assigned to several people at once.
    fn create(_: &Author, _: &mut Tx<'_>, new: &Infallible) -> Result<Self> {
        match *new {}
    }

    fn change(_: &Author, _: &mut Tx<'_>, before: &TrainingRow, input: &TrainingInput) -> Result<Self> {
        Ok(input.change(&before.record)?)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference,
            "module": self.module,
            "title": self.title.as_str(),
            "provider": self.provider.as_ref().map(Name::as_str),
            "owner": self.person,
            "due_on": self.due_on,
            "management_body": self.management_body,
            "status": self.status,
            "attempts": self.attempts,
            "score": self.score,
            "passed_on": self.passed_on,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let provider = self.provider.as_ref().map(Name::as_str);
        Texts {
            heading: vec![self.title.as_str().into(), self.reference.to_string().into()],
            body: provider.into_iter().chain(self.module.as_deref()).collect(),
        }
    }

    fn search_text(filter: &TrainingFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<TrainingRow>,
    ) -> Result<Vec<TrainingView>> {
        let today = core.clock.now().day();
        let names = names(reader, scope, &rows)?;
        let ids: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
        let targets = ids.iter().map(String::as_str);
        let mut attached = evidence_link::of_targets(reader, scope, LinkType::Training, targets)?;
        let view = |(row, id): (TrainingRow, String)| TrainingView {
            state: row.record.state(today),
            title: row.record.title.to_string(),
            person: names.get(&row.record.person).cloned().unwrap_or_else(|| row.record.person.to_string()),
            evidence: attached.remove(&id).unwrap_or_default().iter().map(|one| one.evidence).collect(),
            row,
        };
        Ok(rows.into_iter().zip(ids).map(view).collect())
    }

    fn row(view: &TrainingView) -> &TrainingRow {
        &view.row
    }

    fn translate(view: &mut TrainingView, edition: &Edition, language: Language) {
        let module = view.row.record.module.as_deref().and_then(|id| edition.trainings.get(id));
        if let Some(module) = module {
            module.title.get(language).clone_into(&mut view.title);
        }
    }

    fn deadline(row: &TrainingRow) -> Option<Announced> {
        let is_open = row.record.is_open() && row.archived_at.is_none();
        is_open.then(|| (row.record.due_on, summary(row.id, &row.record)))
    }

    /// The event names the person, too: the record has the id of the account.
    fn deadline_of(
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        id: TrainingId,
    ) -> Result<Option<Announced>> {
        let Some(row) = record::get::<Self>(reader, scope, id)? else { return Ok(None) };
        let Some((due, mut summary)) = Self::deadline(&row) else { return Ok(None) };
        let person = user::get(reader, scope, row.record.person)?.map(|(account, _)| account.name);
        summary["person"] = json!(person.as_ref().map(Name::as_str));
        Ok(Some((due, summary)))
    }

    fn release(author: &Author, tx: &mut Tx<'_>, row: &TrainingRow) -> Result<()> {
        evidence_link::forget_target(tx, author.scope(), &row.id.to_string()).map_err(Error::from)
    }
}

impl RecordRequest<Training> for TrainingInput {}

/// The names of the people of these trainings.
fn names(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    rows: &[TrainingRow],
) -> Result<HashMap<UserId, String>> {
    let mut names = HashMap::new();
    for person in rows.iter().map(|row| row.record.person) {
        if !names.contains_key(&person)
            && let Some((account, _)) = user::get(reader, scope, person)?
        {
            names.insert(person, account.name.to_string());
        }
    }
    Ok(names)
}

/// What an event says of a training.
fn summary(id: TrainingId, record: &Training) -> Value {
    json!({
        "id": id,
        "reference": record.reference,
        "title": record.title.as_str(),
        "module": record.module,
        "owner": record.person,
        "due_on": record.due_on,
        "management_body": record.management_body,
        "status": record.status,
    })
}

/// Whether the caller may see the training of this person.
fn sees(caller: &Caller, person: UserId) -> bool {
    caller.has(Resource::Trainings, Right::Read) || caller.actor() == Actor::User(person)
}

/// The filter with what the caller may see: a person without the right to read all trainings sees their own.
#[must_use]
pub fn seen_by(caller: &Caller, filter: TrainingFilter) -> TrainingFilter {
    match caller.actor() {
        Actor::User(person) if !sees_all(caller) => TrainingFilter { person: Some(person), ..filter },
        _ => filter,
    }
}

/// Whether the caller sees the trainings of all people.
pub fn sees_all(caller: &Caller) -> bool {
    caller.has(Resource::Trainings, Right::Read)
}

impl Compliance {
    /// A training that the caller may see.
    pub async fn training(
        &self,
        caller: &Caller,
        id: TrainingId,
    ) -> Result<(Detail<TrainingView>, Revision)> {
        let found = self.records.record::<Training>(caller, id).await?;
        if sees(caller, found.0.record.row.record.person) { Ok(found) } else { Err(Error::NotFound) }
    }
}
