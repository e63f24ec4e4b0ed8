//! Open work in groups by its day: late, this week, next, later, and without a day. The groups are counted over the
//! whole list, whatever part of it a page shows.

use domain::{
    moment::{Day, Moment},
    task::TaskType,
    wording::Language,
};
use store::{
    Reader,
    work::{self as rows, WorkFilter},
};

use super::{TaskFilter, TaskReader, WorkItem, people::names_of, training::kinds_of};
use crate::{Result, Work, authz::Caller};

/// How many days after this week count as next.
const NEXT_DAYS: i64 = 28;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskGroup {
    Late,
    ThisWeek,
    Next,
    Later,
    NoDay,
}

impl TaskGroup {
    /// In the order of their days.
    pub const ALL: [Self; 5] = [Self::Late, Self::ThisWeek, Self::Next, Self::Later, Self::NoDay];
}

/// How many items of work each group has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaskGroups([u64; TaskGroup::ALL.len()]);

impl TaskGroups {
    pub fn of(&self, group: TaskGroup) -> u64 {
        self.0[group as usize]
    }

    fn add(&mut self, group: TaskGroup, count: u64) {
        self.0[group as usize] += count;
    }
}

/// The last day of the week of a day, which begins on Monday.
fn end_of_week(day: Day) -> Day {
    day.plus_days(6 - day.days_since_monday())
}

impl WorkItem {
    pub fn group(&self, today: Day) -> TaskGroup {
        let week = end_of_week(today);
        match self.day() {
            _ if self.late => TaskGroup::Late,
            Some(day) if day <= week => TaskGroup::ThisWeek,
            Some(day) if day <= week.plus_days(NEXT_DAYS) => TaskGroup::Next,
            Some(_) => TaskGroup::Later,
            None => TaskGroup::NoDay,
        }
    }
}

impl Work {
    /// How many items of the list each group has.
    pub async fn task_groups(&self, caller: &Caller, filter: &TaskFilter) -> Result<TaskGroups> {
        let (edition, clocks) = (self.edition_of(caller).await?, self.clocks()?);
        let (scope, now, filter) = (*caller.scope(), self.clock.now(), filter.clone());
        let kinds = asked_kinds(kinds_of(caller, &filter).as_deref(), &filter);
        let look = move |reader: &mut Reader<'_>| {
            let language = Language::English;
            let tasks = TaskReader { edition: &edition, clocks: &clocks, scope: &scope, language, now };
            let names = filter.owner.as_deref().map(|owner| names_of(reader, &scope, owner)).transpose()?;
            let mut groups = TaskGroups::default();
            for kind in kinds.iter().copied() {
                let stored = WorkFilter { names: names.clone(), due_before: None, kind };
                tasks.count_groups(reader, &stored, &mut groups)?;
            }
            Ok(groups)
        };
        self.db.tenant(caller.scope()).read(look).await
    }
}

/// The kinds to read one by one; `None` stands for all of them at once.
pub(super) fn asked_kinds(seen: Option<&[TaskType]>, filter: &TaskFilter) -> Vec<Option<TaskType>> {
    let Some(seen) = seen else { return vec![filter.kind] };
    let wanted = |kind: &TaskType| filter.kind.is_none_or(|wanted| wanted == *kind);
    seen.iter().copied().filter(wanted).map(Some).collect()
}

impl TaskReader<'_> {
    fn count_groups(
        &self,
        reader: &mut Reader<'_>,
        filter: &WorkFilter,
        groups: &mut TaskGroups,
    ) -> Result<()> {
        for report in self.reports(reader, filter)? {
            groups.add(report.group(self.now.day()), 1);
        }
        let mut before = 0;
        for (group, end) in ends(self.now) {
            let filter = WorkFilter { due_before: end, ..filter.clone() };
            let count = rows::count(reader, self.scope, &filter)?;
            groups.add(group, count.saturating_sub(before));
            before = count;
        }
        Ok(())
    }
}

/// The day before which the stored work of each group and of those before it is due.
fn ends(now: Moment) -> [(TaskGroup, Option<Day>); TaskGroup::ALL.len()] {
    let (today, week) = (now.day(), end_of_week(now.day()));
    [
        (TaskGroup::Late, Some(today)),
        (TaskGroup::ThisWeek, Some(week.plus_days(1))),
        (TaskGroup::Next, Some(week.plus_days(NEXT_DAYS + 1))),
        (TaskGroup::Later, Some(Day::LAST)),
        (TaskGroup::NoDay, None),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_ends_on_sunday() {
        for (day, end) in [
            ("2026-11-14", "2026-11-15"),
            ("2026-11-15", "2026-11-15"),
            ("2026-11-16", "2026-11-22"),
            ("2026-12-31", "2027-01-03"),
        ] {
            assert_eq!(end_of_week(day.parse().unwrap()).to_string(), end, "{day}");
        }
    }
}
