//! Assigning trainings: one record for each person, in one transaction.

use std::collections::HashSet;

use domain::{
    id::UserId,
    right::{Resource, Right},
    text::Name,
    training::{Assignment, AssignmentInput, Training, TrainingComplaint},
    violation::Complaint,
    wording::Language,
};
use store::{Reader, Tx, record, training as rows, user};

use super::{TrainingRow, TrainingView};
use crate::{
    Compliance, Error, Result,
    author::Author,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    records::RecordKind,
};

/// How many people the form offers.
const OFFERED: u32 = 1_000;

/// A person to whom trainings can be assigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignable {
    pub id: UserId,
    pub name: Name,
    /// Whether a training marks them as a member of the management body.
    pub is_member: bool,
}

impl Compliance {
    /// The people with open accounts, by name.
    pub async fn assignable_people(&self, caller: &Caller) -> Result<Vec<Assignable>> {
        caller.require_right(Resource::Trainings, Right::Read)?;
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            let members: HashSet<UserId> = rows::members(reader, &scope)?.into_iter().collect();
            let people = rows::people(reader, &scope, OFFERED)?.into_iter();
            let mut people: Vec<Assignable> =
                people.map(|(id, name)| Assignable { id, name, is_member: members.contains(&id) }).collect();
            people.sort_by_key(|person| person.name.as_str().to_lowercase());
            Ok::<_, Error>(people)
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// Assigns a training to each person of the request. The title of a module is stored in the language of the request.
    pub async fn assign_trainings(
        &self,
        caller: &Caller,
        input: &AssignmentInput,
        language: Language,
        idempotency: Option<Idempotency>,
        render: fn(&[TrainingView]) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Trainings, Right::Write)?;
        let edition = self.catalogue()?;
        let title_of =
            |id: &str| edition.trainings.get(id).map(|module| module.title.get(language).to_owned());
        let assignment = input.read(title_of)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let rows = author.assign(tx, &assignment)?;
                    let first = rows.first().map(|row| row.id.to_string()).unwrap_or_default();
                    Ok((first, Training::views(&author.core, tx, &scope, rows)?))
                };
                let render = |trainings: &Vec<TrainingView>| render(trainings);
                author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await
    }
}

impl Author {
    fn assign(&self, tx: &mut Tx<'_>, assignment: &Assignment) -> Result<Vec<TrainingRow>> {
        let people = assignment.people.iter().enumerate();
        people.map(|(place, person)| self.assign_to(tx, assignment, (place, *person))).collect()
    }

    fn assign_to(
        &self,
        tx: &mut Tx<'_>,
        assignment: &Assignment,
        (place, person): (usize, UserId),
    ) -> Result<TrainingRow> {
        let account = user::get(tx, self.scope(), person)?;
        if account.is_none_or(|(account, _)| account.disabled_at.is_some()) {
            return Err(Error::invalid("people", Complaint::item(place, TrainingComplaint::NoSuchPerson)));
        }
        let is_member = match assignment.is_member(person) {
            Some(is_member) => is_member,
            None => rows::is_member(tx, self.scope(), person)?,
        };
        let reference = rows::next_reference(tx, self.scope())?;
        let id = self.add(tx, assignment.of(person, reference, is_member), None)?;
        record::get::<Training>(tx, self.scope(), id)?.ok_or(Error::NotFound)
    }

    /// Archives what a person has not passed when their account is closed: a training cannot be handed over.
    pub(crate) fn archive_trainings_of(&self, tx: &mut Tx<'_>, person: UserId) -> Result<()> {
        for id in rows::open_of(tx, self.scope(), person)? {
            let row = record::get::<Training>(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
            self.put_away(tx, &row, true)?;
        }
        Ok(())
    }
}
