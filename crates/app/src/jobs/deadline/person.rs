//! Notices to people about the days of their work: when it is overdue, and before the day of work that no event
//! announces. A statutory report whose clock has run out reaches the managers too.

use domain::{
    deadline::{Deadline, Due, Subject, day_bands},
    id::TenantId,
    inbox::Reason,
    lead_time::{Lead, LeadTimes},
    moment::Day,
    task::TaskType,
    wording::Language,
};
use store::{
    Reader, Tx, announcement,
    work::{
        WorkFilter, WorkRow,
        noticed::{self, OVERDUE},
    },
};

use super::announce::notice_version;
use crate::{
    App, Result,
    author::Author,
    authz::Caller,
    inbox::About,
    records::AnyKind,
    work::{TaskReader, WorkItem},
};

/// How many records of each kind get notices in one transaction.
const BATCH: u32 = 500;
/// Work that was due earlier is old news. Notices are stored for longer than that.
const LOOKED_BACK_DAYS: i64 = 60;

/// A day of work that its person may have to be notified of.
#[derive(Debug, Clone)]
enum Said {
    Late(WorkRow),
    Soon(WorkRow, Lead),
    /// A statutory report whose clock has run out.
    Missed(WorkItem),
}

impl App {
    /// Gives people notices about the days of their work and returns their number. A job calls it.
    pub async fn notify_of_days(&self) -> Result<u64> {
        let leads = self.all_lead_times().await?;
        let open = self.people.tenants().await?.into_iter().filter(|tenant| tenant.closed_at.is_none());
        let mut given = 0;
        for tenant in open {
            loop {
                let found = self.days_to_mention(tenant.id, leads.of(tenant.id)).await?;
                let now_given = self.mention(tenant.id, found).await?;
                given += now_given;
                // Nothing was stored although something was found: another node is doing it.
                if now_given == 0 {
                    break;
                }
            }
        }
        Ok(given)
    }

    async fn days_to_mention(&self, tenant: TenantId, leads: &LeadTimes) -> Result<Vec<Said>> {
        let (caller, now) = (Caller::system(tenant), self.clock.now());
        let (app, scope, clocks, bands) =
            (self.clone(), *caller.scope(), self.clocks()?, day_bands(now.day(), &leads.days));
        let look = move |reader: &mut Reader<'_>| {
            let (from, to) = (now.day().plus_days(-LOOKED_BACK_DAYS), now.day().plus_days(-1));
            let mut found: Vec<Said> =
                noticed::late(reader, &scope, (from, to), BATCH)?.into_iter().map(Said::Late).collect();
            for band in &bands {
                let soon = noticed::soon(reader, &scope, band, BATCH)?.into_iter();
                found.extend(soon.map(|row| Said::Soon(row, band.lead)));
            }
            let edition = app.edition_in(reader, &scope)?;
            let language = Language::English;
            let tasks = TaskReader { edition: &edition, clocks: &clocks, scope: &scope, language, now };
            for report in tasks.reports(reader, &WorkFilter::default())? {
                let is_missed =
                    report.late && matches!(report.kind, TaskType::Incident | TaskType::CraReport);
                let is_recent = report.day().is_some_and(|day| day >= from);
                let deadline = deadline_of(&report);
                if is_missed && is_recent && !announcement::is_said(reader, &scope, &deadline, OVERDUE)? {
                    found.push(Said::Missed(report));
                }
            }
            Ok(found)
        };
        self.db.tenant(caller.scope()).read(look).await
    }

    async fn mention(&self, tenant: TenantId, found: Vec<Said>) -> Result<u64> {
        if found.is_empty() {
            return Ok(0);
        }
        let author = Author::new(self, &Caller::system(tenant));
        let write = move |tx: &mut Tx<'_>| {
            let mut given = 0;
            for said in &found {
                given += u64::from(author.mention(tx, said)?);
            }
            Ok(given)
        };
        self.db.platform().bookkeep(write).await
    }
}

/// The deadline of a report, by the record it is about.
fn deadline_of(report: &WorkItem) -> Deadline {
    let due = report.due.unwrap_or(Due::On(Day::LAST));
    Deadline { subject: Subject::Record(report.kind, report.id.clone()), due }
}

impl Author {
    /// Returns whether it was not mentioned before.
    fn mention(&self, tx: &mut Tx<'_>, said: &Said) -> Result<bool> {
        match said {
            Said::Late(row) => self.mention_day(tx, row, Reason::Overdue, (OVERDUE, 0)),
            Said::Soon(row, lead) => {
                self.mention_day(tx, row, Reason::DueSoon, (&lead.to_string(), lead.hours()))
            }
            Said::Missed(report) => self.mention_missed(tx, report),
        }
    }

    fn mention_day(&self, tx: &mut Tx<'_>, row: &WorkRow, reason: Reason, lead: (&str, u32)) -> Result<bool> {
        let (Some(due), Some(owner)) = (row.due, &row.owner) else { return Ok(false) };
        let deadline = Deadline { subject: Subject::Record(row.kind, row.id.clone()), due: Due::On(due) };
        if !announcement::put_once(tx, self.scope(), &deadline, lead, self.now)? {
            return Ok(false);
        }
        let about = About {
            due: Some(due.to_string()),
            ..self.about_work(tx, row.kind, &row.id, (&row.title, notice_version(&deadline, lead.1)))?
        };
        self.notify_named(tx, reason, owner, &about)?;
        Ok(true)
    }

    fn mention_missed(&self, tx: &mut Tx<'_>, report: &WorkItem) -> Result<bool> {
        let deadline = deadline_of(report);
        if !announcement::put_once(tx, self.scope(), &deadline, (OVERDUE, 0), self.now)? {
            return Ok(false);
        }
        let version = notice_version(&deadline, 0);
        let about = About {
            due: Some(deadline.due.to_string()),
            ..self.about_work(tx, report.kind, &report.id, (&report.title, version))?
        };
        self.notify_managers(tx, Reason::StatutoryClock, report.owner.as_deref(), &about)?;
        Ok(true)
    }

    /// What a notice says of a record. Assessments are named by their requirement.
    fn about_work(
        &self,
        tx: &mut Tx<'_>,
        kind: TaskType,
        id: &str,
        (title, version): (&str, i64),
    ) -> Result<About> {
        let Some(any) = AnyKind::of_task(kind) else {
            let language = self.language(tx)?;
            let edition = self.core.edition_in(tx, self.scope())?;
            let named = edition.requirements.get(id).map(|one| one.title.get(language).to_owned());
            return Ok(About {
                subject: id.to_owned(),
                version,
                kind: "assessments",
                reference: Some(id.to_owned()),
                title: named.unwrap_or_else(|| title.to_owned()),
                due: None,
            });
        };
        let fields = any.find(tx, self.scope(), id)?.unwrap_or_default();
        let mut about = About::of_fields(any.table, id.to_owned(), version, &fields);
        if about.title.is_empty() {
            title.clone_into(&mut about.title);
        }
        Ok(about)
    }
}
