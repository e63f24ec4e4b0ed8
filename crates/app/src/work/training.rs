//! Trainings in the lists of open work: who sees them, and how they name their module and their person.

use catalogue::language::LANGUAGES;
use domain::{id::UserId, task::TaskType};
use store::{Reader, user, work::WorkRow};

use crate::{
    Result,
    authz::Caller,
    training,
    work::{TaskFilter, TaskReader, WorkItem},
};

/// The kinds of work that a caller sees; `None` for all of them. The trainings of others are for those who may read them.
pub(super) fn kinds_of(caller: &Caller, filter: &TaskFilter) -> Option<Vec<TaskType>> {
    let is_own = filter.owner.as_deref() == Some(caller.actor().to_string().as_str());
    let sees_trainings = is_own || training::sees_all(caller);
    let shown =
        |kind: &TaskType| caller.sees(kind.as_str()) && (sees_trainings || *kind != TaskType::Training);
    let all = TaskType::ALL;
    (!all.iter().all(shown)).then(|| all.iter().copied().filter(shown).collect())
}

impl TaskReader<'_> {
    /// The items of these rows. Trainings store the id of the person's account instead of a name.
    pub(super) fn items(&self, reader: &mut Reader<'_>, rows: Vec<WorkRow>) -> Result<Vec<WorkItem>> {
        let mut items: Vec<WorkItem> = rows.into_iter().map(|row| self.item(row)).collect();
        for item in items.iter_mut().filter(|item| item.kind == TaskType::Training) {
            let person = item.owner.as_deref().and_then(|owner| owner.parse::<UserId>().ok());
            if let Some(id) = person
                && let Some((account, _)) = user::get(reader, self.scope, id)?
            {
                item.owner = Some(account.name.to_string());
            }
        }
        Ok(items)
    }

    /// The title of a module in the reader's language; it is stored in that of the person who assigned it.
    pub(super) fn module(&self, stored: &str) -> String {
        let found = self
            .edition
            .trainings
            .iter()
            .find(|module| LANGUAGES.iter().any(|language| module.title.get(*language) == stored));
        found.map_or_else(|| stored.to_owned(), |module| module.title.get(self.language).to_owned())
    }
}
