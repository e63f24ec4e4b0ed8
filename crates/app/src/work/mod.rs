//! Open work until a day, over every kind of record, soonest first.
//!
//! The store merges work with a stored day. Reports on incidents and under the CRA are due by clocks that are
//! computed at the time of reading; they are few, and are merged in here.

pub mod alert;
pub mod calendar;
mod changed;
pub mod dashboard;
pub mod group;
mod people;
mod training;

use std::collections::BTreeSet;

use domain::{
    clock::Clocks,
    cra_report::{CraReport, CraStage},
    deadline::{Due, Subject},
    incident::Incident,
    moment::{Day, Moment},
    page::{Page, PageRequest},
    task::{TaskAction, TaskType},
    text::Name,
    wording::Language,
};
use store::{
    Reader, TenantScope, assessment as assessment_rows, profile, record,
    work::{self as rows, WorkFilter, WorkRow},
};

use crate::{
    Result, Work, assessment, authz::Caller, catalogue::Edition, cra_report as cra, incident::IncidentView,
};

use self::{people::names_of, training::kinds_of};

/// The maximum number of open incidents and running CRA reports that are read, the newest of each.
const REPORTS: u32 = 500;
/// How many days after a change of a requirement its assessment should be confirmed again.
const CONFIRM_DAYS: i64 = 30;

/// Which tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// The id of a user, or a name or an address in any letter case.
    pub owner: Option<String>,
    pub due_before: Option<Day>,
    pub kind: Option<TaskType>,
}

/// An item of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkItem {
    pub kind: TaskType,
    pub action: TaskAction,
    /// The id of the record; for an assessment that of the requirement.
    pub id: String,
    pub title: String,
    pub owner: Option<String>,
    /// `None` only for a task without a day.
    pub due: Option<Due>,
    pub late: bool,
    /// Which of the reports about the record: regime and stage.
    pub report: Option<String>,
    /// When the record was last changed.
    pub updated_at: Moment,
}

impl WorkItem {
    pub fn day(&self) -> Option<Day> {
        self.due.map(|due| match due {
            Due::On(day) => day,
            Due::At(moment) => moment.day(),
        })
    }

    /// The sort key; items without a day come last.
    fn place(&self) -> (bool, Option<Day>) {
        (self.due.is_none(), self.day())
    }
}

impl Work {
    /// A page of open work, soonest first.
    pub async fn tasks(
        &self,
        caller: &Caller,
        filter: TaskFilter,
        language: Language,
        request: PageRequest,
    ) -> Result<Page<WorkItem>> {
        let load = self.task_pages(caller, filter, language).await?;
        self.db.tenant(caller.scope()).read(move |reader| load(reader, request)).await
    }

    /// Reads pages of open work inside a snapshot: soonest first, or oldest change first where changes are asked for.
    pub(crate) async fn task_pages(
        &self,
        caller: &Caller,
        filter: TaskFilter,
        language: Language,
    ) -> Result<impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<WorkItem>> + Send + use<> + 'static>
    {
        let (edition, clocks) = (self.edition_of(caller).await?, self.clocks()?);
        let (scope, now, kinds) = (*caller.scope(), self.clock.now(), kinds_of(caller, &filter));
        Ok(move |reader: &mut Reader<'_>, request: PageRequest| {
            let tasks = TaskReader { edition: &edition, clocks: &clocks, scope: &scope, language, now };
            match &kinds {
                _ if request.updated_since().is_some() || request.cursor().is_some() => {
                    tasks.changed(reader, kinds.as_deref(), &filter, request)
                }
                None => tasks.page(reader, &filter, request),
                Some(kinds) => tasks.page_of(reader, kinds, &filter, request),
            }
        })
    }
}

/// The context for reading tasks at one moment, in one language.
pub(crate) struct TaskReader<'d> {
    pub(crate) edition: &'d Edition,
    pub(crate) clocks: &'d Clocks,
    pub(crate) scope: &'d TenantScope,
    pub(crate) language: Language,
    pub(crate) now: Moment,
}

impl TaskReader<'_> {
    pub(super) fn page(
        &self,
        reader: &mut Reader<'_>,
        filter: &TaskFilter,
        request: PageRequest,
    ) -> Result<Page<WorkItem>> {
        let names = filter.owner.as_deref().map(|owner| names_of(reader, self.scope, owner)).transpose()?;
        let stored = WorkFilter { names, due_before: filter.due_before, kind: filter.kind };
        let reports = self.reports(reader, &stored)?;
        let total = rows::count(reader, self.scope, &stored)? + reports.len() as u64;
        let skipped = request.offset().saturating_sub(reports.len() as u64);
        let more = u32::try_from(request.offset() - skipped).unwrap_or(u32::MAX);
        let part = PageRequest::part(request.limit().saturating_add(more), skipped);
        let items = rows::list(reader, self.scope, &stored, part)?;
        let items = self.items(reader, items)?;
        Ok(Page::new(cut(items, skipped, reports, request), total, request))
    }

    /// The same of some kinds of records, for a key whose scopes leave out others. Each kind is read by itself, because
    /// such keys are few and the statements list either one kind or all.
    fn page_of(
        &self,
        reader: &mut Reader<'_>,
        kinds: &[TaskType],
        filter: &TaskFilter,
        request: PageRequest,
    ) -> Result<Page<WorkItem>> {
        let names = filter.owner.as_deref().map(|owner| names_of(reader, self.scope, owner)).transpose()?;
        let end = u32::try_from(request.offset()).unwrap_or(u32::MAX).saturating_add(request.limit());
        let (mut items, mut total) = (Vec::new(), 0);
        for kind in kinds.iter().filter(|kind| filter.kind.is_none_or(|wanted| wanted == **kind)) {
            let stored =
                WorkFilter { names: names.clone(), due_before: filter.due_before, kind: Some(*kind) };
            let reports = self.reports(reader, &stored)?;
            total += rows::count(reader, self.scope, &stored)? + reports.len() as u64;
            let rows = rows::list(reader, self.scope, &stored, PageRequest::part(end, 0))?;
            items.extend(self.items(reader, rows)?);
            items.extend(reports);
        }
        items.sort_by_key(WorkItem::place);
        let skip = usize::try_from(request.offset()).unwrap_or(usize::MAX);
        let items = items.into_iter().skip(skip).take(request.limit() as usize).collect();
        Ok(Page::new(items, total, request))
    }

    pub(super) fn item(&self, row: WorkRow) -> WorkItem {
        let title = match row.kind {
            TaskType::Training => self.module(&row.title),
            TaskType::Assessment => self.requirement(&row.id),
            TaskType::RegisterFiling => format!("{} {}", row.kind.label().text(self.language), row.title),
            _ => row.title,
        };
        let late = row.due.is_some_and(|day| day < self.now.day());
        let WorkRow { kind, action, id, owner, due, updated_at, .. } = row;
        WorkItem { kind, action, id, title, owner, due: due.map(Due::On), late, report: None, updated_at }
    }

    /// The title of a requirement; its id if the catalogue no longer contains it.
    fn requirement(&self, id: &str) -> String {
        let title = self.edition.requirements.get(id).map(|one| one.title.get(self.language));
        title.map_or_else(|| id.to_owned(), |title| format!("{title} ({id})"))
    }

    /// Reports with a deadline by clock, soonest first. They belong to the owner of their record.
    pub(crate) fn reports(&self, reader: &mut Reader<'_>, filter: &WorkFilter) -> Result<Vec<WorkItem>> {
        let wanted = |kind| filter.kind.is_none_or(|one| one == kind);
        let mut reports = Vec::new();
        if wanted(TaskType::Incident) {
            self.incident_reports(reader, filter, &mut reports)?;
        }
        if wanted(TaskType::CraReport) {
            self.cra_reports(reader, filter, &mut reports)?;
        }
        if wanted(TaskType::Assessment) {
            self.confirmations(reader, filter, &mut reports)?;
        }
        reports.retain(|(at, _)| filter.due_before.is_none_or(|day| at.day() < day));
        reports.sort_by(|(at, one), (later, other)| (at, &one.id).cmp(&(later, &other.id)));
        Ok(reports.into_iter().map(|(_, item)| item).collect())
    }

    fn incident_reports(
        &self,
        reader: &mut Reader<'_>,
        filter: &WorkFilter,
        reports: &mut Vec<(Moment, WorkItem)>,
    ) -> Result<()> {
        let ids = rows::incidents(reader, self.scope, filter, REPORTS)?;
        if ids.is_empty() {
            return Ok(());
        }
        let reporter = profile::get(reader, self.scope)?.profile.filer();
        for row in record::get_many::<Incident>(reader, self.scope, &ids)? {
            let incident = IncidentView::of(row, self.clocks, &reporter, self.now);
            let (title, owner) = (incident.row.record.title.as_str(), incident.row.record.owner.as_ref());
            for deadline in incident.deadlines() {
                if let (Subject::IncidentReport(id, regime, stage), Due::At(at)) =
                    (&deadline.subject, deadline.due)
                {
                    let which = format!("{regime}-{stage}");
                    let stage = stage.label_under(*regime).text(self.language);
                    let regime = regime.label().text(self.language);
                    let title = format!("{title}: {regime}, {stage}");
                    let place = (TaskType::Incident, id.to_string(), which);
                    reports.push((at, self.report(place, title, owner, (at, incident.row.updated_at))));
                }
            }
        }
        Ok(())
    }

    fn cra_reports(
        &self,
        reader: &mut Reader<'_>,
        filter: &WorkFilter,
        reports: &mut Vec<(Moment, WorkItem)>,
    ) -> Result<()> {
        let ids = rows::cra_reports(reader, self.scope, filter, REPORTS)?;
        if ids.is_empty() {
            return Ok(());
        }
        let zone = profile::get(reader, self.scope)?.profile.time_zone;
        for row in record::get_many::<CraReport>(reader, self.scope, &ids)? {
            for stage in CraStage::ALL.iter().copied() {
                let deadline = cra::deadline(&row, stage, (self.clocks, &zone), self.now);
                if let Some(Due::At(at)) = deadline.map(|deadline| deadline.due) {
                    let record = &row.record;
                    let title = format!("{}: {}", record.title.as_str(), stage.label().text(self.language));
                    let place = (TaskType::CraReport, row.id.to_string(), stage.to_string());
                    let item = self.report(place, title, record.owner.as_ref(), (at, row.updated_at));
                    reports.push((at, item));
                }
            }
        }
        Ok(())
    }

    /// Assessments that are older than the latest change of their requirement.
    fn confirmations(
        &self,
        reader: &mut Reader<'_>,
        filter: &WorkFilter,
        reports: &mut Vec<(Moment, WorkItem)>,
    ) -> Result<()> {
        let changed: BTreeSet<&str> = self
            .edition
            .changes
            .iter()
            .flat_map(|change| change.requirements.iter().map(|touched| &*touched.requirement))
            .collect();
        let ids: Vec<&str> = changed.into_iter().collect();
        if ids.is_empty() {
            return Ok(());
        }
        let names: Option<Vec<&str>> =
            filter.names.as_ref().map(|names| names.iter().flatten().map(String::as_str).collect());
        for row in assessment_rows::get_many(reader, self.scope, &ids)? {
            let said = &row.assessment;
            let owner = said.owner.as_ref().map(ToString::to_string);
            let is_theirs = names.as_ref().is_none_or(|names| {
                owner
                    .as_deref()
                    .is_some_and(|owner| names.iter().any(|name| name.eq_ignore_ascii_case(owner)))
            });
            let changed = assessment::unconfirmed_since(self.edition, &row.requirement, said, self.now.day());
            let Some(changed) = changed.filter(|_| is_theirs && said.applies(true)) else { continue };
            let day = changed.plus_days(CONFIRM_DAYS);
            let item = WorkItem {
                kind: TaskType::Assessment,
                action: TaskAction::Confirm,
                title: self.requirement(&row.requirement),
                id: row.requirement,
                owner,
                due: Some(Due::On(day)),
                late: day < self.now.day(),
                report: None,
                updated_at: row.updated_at,
            };
            reports.push((day.start(), item));
        }
        Ok(())
    }

    fn report(
        &self,
        (kind, id, which): (TaskType, String, String),
        title: String,
        owner: Option<&Name>,
        (at, updated_at): (Moment, Moment),
    ) -> WorkItem {
        let (action, late) = (TaskAction::Report, at < self.now);
        let (owner, due, report) = (owner.map(ToString::to_string), Some(Due::At(at)), Some(which));
        WorkItem { kind, action, id, title, owner, due, late, report, updated_at }
    }
}

/// The page of both lists merged, where the first `skipped` stored items were not read.
///
/// No more were skipped than there are reports before the page, so everything skipped comes before it. On the same
/// day, stored items come first.
fn cut(stored: Vec<WorkItem>, skipped: u64, reports: Vec<WorkItem>, request: PageRequest) -> Vec<WorkItem> {
    let first = stored.first().map(WorkItem::place);
    let is_before = |report: &&WorkItem| skipped > 0 && first.is_none_or(|first| report.place() < first);
    let passed = reports.iter().take_while(is_before).count();
    let mut all = stored;
    all.extend(reports.into_iter().skip(passed));
    all.sort_by_key(WorkItem::place);
    let place = skipped + passed as u64;
    let skip = usize::try_from(request.offset().saturating_sub(place)).unwrap_or(usize::MAX);
    all.into_iter().skip(skip).take(request.limit() as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: TaskType, number: usize, day: i64) -> WorkItem {
        let at = "2027-01-01".parse::<Day>().unwrap().plus_days(day);
        let due = if kind == TaskType::Incident { Due::At(at.start()) } else { Due::On(at) };
        WorkItem {
            kind,
            action: TaskAction::Do,
            id: number.to_string(),
            title: String::new(),
            owner: None,
            due: Some(due),
            late: false,
            report: None,
            updated_at: at.start(),
        }
    }

    /// Every page of two lists is the same part of both lists sorted together.
    #[test]
    fn a_page_is_cut_out_of_the_whole_list() {
        for seed in 0..60_usize {
            let days = |count: usize, factor: usize| {
                let mut days: Vec<i64> =
                    (0..count).map(|n| i64::try_from((n * factor + seed) % 7).unwrap()).collect();
                days.sort_unstable();
                days
            };
            let of = |kind, days: Vec<i64>| -> Vec<WorkItem> {
                days.into_iter().enumerate().map(|(number, day)| item(kind, number, day)).collect()
            };
            let stored = of(TaskType::Task, days(seed % 9, 3));
            let reports = of(TaskType::Incident, days(seed % 5, 5));
            let mut all = [stored.clone(), reports.clone()].concat();
            all.sort_by_key(WorkItem::place);
            for offset in 0..15_u64 {
                for limit in 1..5_u64 {
                    let request = PageRequest::new(Some(limit), Some(offset)).unwrap();
                    let skipped = offset.saturating_sub(reports.len() as u64);
                    let read = usize::try_from(limit + offset - skipped).unwrap();
                    let read: Vec<_> =
                        stored.iter().skip(usize::try_from(skipped).unwrap()).take(read).cloned().collect();
                    let page = cut(read, skipped, reports.clone(), request);
                    let wanted: Vec<_> = all
                        .iter()
                        .skip(usize::try_from(offset).unwrap())
                        .take(usize::try_from(limit).unwrap())
                        .cloned()
                        .collect();
                    assert_eq!(page, wanted, "seed {seed}, offset {offset}, limit {limit}");
                }
            }
        }
    }
}
