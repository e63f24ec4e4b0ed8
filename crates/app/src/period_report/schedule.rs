//! Reports that are made by themselves. The time of each run is part of the report and unique for its template, so that
//! several nodes make one report for it.

use domain::{
    id::TenantId,
    moment::Moment,
    own_text::OwnText,
    period_report::{PeriodReportId, ReportWish},
    report_template::{ReportSchedule, ReportTemplateId},
    time_zone::TimeZone,
};
use store::{
    Tx,
    period_report::{self as rows, PeriodReportRow},
    report_template as templates, tenant,
};

use super::{make::cause, summary, with_template};
use crate::{Error, PeriodReports, Result, author::Author, authz::Caller};

/// How many are looked for at a time.
const BATCH: u32 = 50;

impl PeriodReports {
    /// Asks for the reports whose time has come and returns their number. A job calls it.
    pub async fn schedule_reports(&self) -> Result<u64> {
        let now = self.clock.now();
        let due = self.db.platform().read(move |r| templates::due(r, now, BATCH)).await?;
        let mut asked = 0;
        for (tenant, id) in due {
            match self.run_schedule(tenant, id).await {
                Ok(is_asked) => asked += u64::from(is_asked),
                // The others do not wait for it.
                Err(error) => {
                    tracing::error!(template = %id, reason = %cause(&error), "a scheduled report cannot be asked for");
                }
            }
        }
        if asked > 0 {
            self.begin_reports();
        }
        Ok(asked)
    }

    /// Asks for one report of a template, however many of its times have passed: for the last of them. An institution
    /// that is closed gets none.
    async fn run_schedule(&self, tenant: TenantId, id: ReportTemplateId) -> Result<bool> {
        let caller = Caller::system(tenant);
        let author = Author::new(self, &caller);
        let write = move |tx: &mut Tx<'_>| {
            let Some(row) = templates::get(tx, author.scope(), id)? else { return Ok(false) };
            let (Some(due), Some(schedule)) = (row.next_run_at, row.template.content.schedule.clone()) else {
                return Ok(false);
            };
            let zone = author.institution_zone(tx)?;
            let next = schedule.cron.next_after(author.now, &zone);
            if due > author.now || !templates::run(tx, author.scope(), id, (due, next))? {
                return Ok(false);
            }
            if tenant::by_id(tx, tenant)?.is_none_or(|institution| institution.closed_at.is_some()) {
                return Ok(false);
            }
            let due = last_due(&schedule, (due, author.now), &zone);
            let (from, until) = schedule.covers.before(zone.local(due).day);
            let wish = ReportWish {
                kind: schedule.kind,
                framework: schedule.framework,
                from,
                until,
                language: schedule.language,
                template: Some(id),
                own: OwnText::default(),
            };
            let wish = with_template(wish, &row);
            let report: PeriodReportId = author.core.ids.next(author.now);
            let new = PeriodReportRow::new(report, wish, author.caller.actor().to_string(), author.now);
            let new = PeriodReportRow { scheduled_for: Some(due), ..new };
            if !rows::insert(tx, author.scope(), &new)? {
                return Ok(false);
            }
            author.audit(tx, "report.asked", report, &summary(&new))?;
            Ok::<_, Error>(true)
        };
        self.db.tenant(caller.scope()).bookkeep(write).await
    }
}

/// The last of the times that have come since the first of them was due.
fn last_due(schedule: &ReportSchedule, (first, now): (Moment, Moment), zone: &TimeZone) -> Moment {
    let mut last = first;
    loop {
        let next = schedule.cron.next_after(last, zone);
        if next <= last || next > now {
            return last;
        }
        last = next;
    }
}
