//! The requests that assign trainings and change them.

use super::{Training, TrainingComplaint, TrainingReference, TrainingStatus};
use crate::{
    change::{Change, Fields},
    identifier::UserId,
    moment::Day,
    text::Name,
    violation::{Complaint, Violations},
};

/// A training for several people, as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssignmentInput {
    /// The id of a module of the catalogue.
    pub module: Change<String>,
    /// The title of a course held elsewhere.
    pub title: Change<String>,
    pub provider: Change<String>,
    /// The ids of the people.
    pub people: Change<Vec<String>>,
    pub due_on: Change<String>,
    /// Whether they are members of the management body. Left out, each person stays what they were marked as before.
    pub management_body: Change<bool>,
    /// The members among them, where a form marks each person.
    pub members: Option<Vec<String>>,
}

/// A training for several people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub module: Option<String>,
    pub title: Name,
    pub provider: Option<Name>,
    /// Each once.
    pub people: Vec<UserId>,
    pub due_on: Day,
    management_body: Option<bool>,
    members: Option<Vec<String>>,
}

impl AssignmentInput {
    /// `title_of` gives the title of a module of the catalogue, `None` if there is no such module.
    pub fn read(&self, title_of: impl Fn(&str) -> Option<String>) -> Result<Assignment, Violations> {
        let mut fields = Fields::default();
        let module = filled(&self.module);
        let title = match &module {
            Some(id) => {
                if filled(&self.title).is_some() {
                    fields.refuse("title", TrainingComplaint::ModuleOrTitle);
                }
                let title = title_of(id).and_then(|title| Name::fitted(&title));
                if title.is_none() {
                    fields.refuse("module", TrainingComplaint::NoModule);
                }
                title
            }
            None => self.own_title(&mut fields),
        };
        let provider = fields.line("provider", &self.provider, None);
        if module.is_some() && provider.is_some() {
            fields.refuse("provider", TrainingComplaint::ModuleOrTitle);
        }
        let people = self.read_people(&mut fields);
        let due_on = fields.required("due_on", &self.due_on, None, |day| day.parse());
        let management_body = match self.management_body {
            Change::Set(is_member) => Some(is_member),
            Change::Keep | Change::Clear => None,
        };
        let members = self.members.clone();
        let build = || {
            Some(Assignment {
                module,
                title: title?,
                provider,
                people,
                due_on: due_on?,
                management_body,
                members,
            })
        };
        fields.finish(build())
    }

    fn own_title(&self, fields: &mut Fields) -> Option<Name> {
        if filled(&self.title).is_none() {
            fields.refuse("module", TrainingComplaint::WhatIsMissing);
            return None;
        }
        fields.line("title", &self.title, None)
    }

    fn read_people(&self, fields: &mut Fields) -> Vec<UserId> {
        let mut people: Vec<UserId> =
            fields.list("people", &self.people, None, |id: &String| id.trim().parse::<UserId>());
        let mut seen = std::collections::HashSet::new();
        people.retain(|person| seen.insert(*person));
        let named = matches!(&self.people, Change::Set(ids) if !ids.is_empty());
        if !named {
            fields.refuse("people", TrainingComplaint::NoPeople);
        }
        people
    }
}

impl Assignment {
    /// Whether the request says of a person that they are a member of the management body.
    pub fn is_member(&self, person: UserId) -> Option<bool> {
        match &self.members {
            Some(members) => Some(members.contains(&person.to_string())),
            None => self.management_body,
        }
    }

    /// The training of one of the people.
    #[must_use]
    pub fn of(&self, person: UserId, reference: TrainingReference, management_body: bool) -> Training {
        Training {
            reference,
            module: self.module.clone(),
            title: self.title.clone(),
            provider: self.provider.clone(),
            person,
            due_on: self.due_on,
            management_body,
            status: TrainingStatus::Assigned,
            attempts: 0,
            score: None,
            answers: Vec::new(),
            passed_on: None,
        }
    }
}

/// The text, unless it is left out or blank.
fn filled(change: &Change<String>) -> Option<String> {
    match change {
        Change::Set(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    }
}

/// The fields of a training that can be changed, as a caller sent them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrainingInput {
    pub due_on: Change<String>,
    pub management_body: Change<bool>,
}

impl TrainingInput {
    /// The training after this change.
    pub fn change(&self, current: &Training) -> Result<Training, Violations> {
        let mut fields = Fields::default();
        let due_on = fields.required("due_on", &self.due_on, Some(current.due_on), |day| day.parse());
        let management_body = fields.required(
            "management_body",
            &self.management_body,
            Some(current.management_body),
            |is_member| Ok::<_, Complaint>(*is_member),
        );
        let changed = due_on.zip(management_body);
        let changed =
            changed.map(|(due_on, management_body)| Training { due_on, management_body, ..current.clone() });
        fields.finish(changed)
    }
}
