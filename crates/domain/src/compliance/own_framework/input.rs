//! An own framework's fields as a caller sends them.

use super::{OwnFramework, OwnFrameworkComplaint, OwnFrameworkStatus};
use crate::{
    change::{Change, Fields},
    framework::Framework,
    text::Name,
    violation::Violations,
};

/// The fields of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnFrameworkInput {
    pub key: Change<String>,
    pub title: Change<String>,
    pub description: Change<String>,
    pub edition: Change<String>,
    pub owner: Change<String>,
    pub status: Change<String>,
    /// Why the status moves, for the history.
    pub note: Change<String>,
}

impl OwnFrameworkInput {
    pub fn create(&self) -> Result<OwnFramework, Violations> {
        self.read(None)
    }

    /// The framework after this change. An approval is not decided here, because it depends on who asks for it.
    pub fn change(&self, current: &OwnFramework) -> Result<OwnFramework, Violations> {
        self.read(Some(current))
    }

    fn read(&self, current: Option<&OwnFramework>) -> Result<OwnFramework, Violations> {
        let mut fields = Fields::default();
        let key = self.key(&mut fields, current);
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let description =
            fields.prose("description", &self.description, current.and_then(|c| c.description.clone()));
        let edition = fields.line("edition", &self.edition, current.and_then(|c| c.edition.clone()));
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        fields.prose("note", &self.note, None);
        let status = fields.status(&self.status, current.map(|c| c.status));
        let framework = key.zip(title).zip(status).map(|((key, title), status)| OwnFramework {
            key,
            title,
            description,
            edition,
            owner,
            status,
            content: current.map_or(0, |c| c.content),
            requirements: current.map_or(0, |c| c.requirements),
            in_force: current.and_then(|c| c.in_force.clone()),
            editors: current.map(|c| c.editors.clone()).unwrap_or_default(),
            approved: current.and_then(|c| c.approved.clone()),
        });
        if let (Some(current), Some(after)) = (current, &framework)
            && current.status == OwnFrameworkStatus::Retired
            && after.status == OwnFrameworkStatus::Retired
            && after != current
        {
            fields.refuse("status", OwnFrameworkComplaint::IsRetired);
        }
        fields.finish(framework)
    }

    fn key(&self, fields: &mut Fields, current: Option<&OwnFramework>) -> Option<Framework> {
        let parse = |text: &String| -> Result<Framework, OwnFrameworkComplaint> {
            let begins = text.chars().next().is_some_and(|first| first.is_ascii_lowercase());
            text.parse().ok().filter(|_| begins).ok_or(OwnFrameworkComplaint::Key)
        };
        let before = current.map(|c| c.key);
        let key = fields.required("key", &self.key, before, parse);
        if before.is_some() && key.is_some() && key != before {
            fields.refuse("key", OwnFrameworkComplaint::KeyFixed);
        }
        key
    }
}
