//! The work of the job: claims reports one after the other, makes each and keeps its bytes.
//!
//! The bytes are stored in parts that belong to nothing until the transaction that calls the report made. A process that
//! is killed leaves no half report: the claim ends, and another run begins anew.

use std::{io::Cursor, sync::Arc};

use bytes::Bytes;
use data_encoding::BASE64;
use domain::{id::TenantId, inbox::Reason, moment::Moment, period_report::PeriodReportId};
use reports::logo::Logo;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use store::{
    Tx,
    evidence_file::{self, Storage},
    period_report::{self as rows, PeriodReportRow, ReportFile},
    report_template as templates,
};

use crate::{
    Error, PeriodReports, Result,
    author::Author,
    authz::Caller,
    ids::random_u128,
    inbox::About,
    report::{Content, period::Dress},
    upload::Upload,
};

/// How long a claim holds.
const CLAIM_MS: i64 = 15 * 60 * 1000;
/// How long a report waits for its next try when something was busy or away.
const PAUSE_MS: i64 = 60 * 1000;
/// How long after it was asked for it is tried again.
const TRIED_MS: i64 = 60 * 60 * 1000;
/// How many are looked for at a time.
const BATCH: u32 = 20;

/// A report that this process makes.
struct Claimed {
    row: PeriodReportRow,
    caller: Caller,
    claim: String,
}

impl PeriodReports {
    /// Begins at once with what was asked for. The job does what this process does not get to.
    pub(super) fn begin_reports(&self) {
        let this = self.clone();
        tokio::spawn(async move {
            if let Err(error) = Box::pin(this.make_reports()).await {
                tracing::warn!(%error, "reports wait for the next run of their job");
            }
        });
    }

    /// Makes every report that waits. A job calls it.
    pub async fn make_reports(&self) -> Result<u64> {
        let mut made = 0;
        loop {
            let now = self.clock.now();
            let open = self.db.platform().read(move |r| rows::open(r, now, BATCH)).await?;
            let mut claimed_any = false;
            for (tenant, id) in open {
                let Some(claimed) = self.claim_report(tenant, id).await? else { continue };
                claimed_any = true;
                made += u64::from(Box::pin(self.make_claimed_report(&claimed)).await?);
            }
            if !claimed_any {
                return Ok(made);
            }
        }
    }

    async fn claim_report(&self, tenant: TenantId, id: PeriodReportId) -> Result<Option<Claimed>> {
        let caller = Caller::system(tenant);
        let (scope, now) = (*caller.scope(), self.clock.now());
        let claim = format!("{:032x}", random_u128());
        let own = claim.clone();
        let write = move |tx: &mut Tx<'_>| {
            let is_mine = rows::claim(tx, &scope, id, &own, (now, now.plus_millis(CLAIM_MS)))?;
            if is_mine { rows::get(tx, &scope, id) } else { Ok(None) }
        };
        let row = self.db.tenant(&scope).bookkeep::<_, store::Error>(write).await?;
        Ok(row.map(|row| Claimed { row, caller, claim }))
    }

    /// Says whether it was made. One that cannot be made says why.
    async fn make_claimed_report(&self, claimed: &Claimed) -> Result<bool> {
        let Err(error) = Box::pin(self.make_report(claimed)).await else { return Ok(true) };
        let (now, reason) = (self.clock.now(), cause(&error));
        let (author, id, claim) = (Author::new(self, &claimed.caller), claimed.row.id, claimed.claim.clone());
        if is_tried_again(&error, claimed.row.asked_at, now) {
            tracing::warn!(report = %id, %reason, "a report cannot be made now");
            let until = now.plus_millis(PAUSE_MS);
            let postpone = move |tx: &mut Tx<'_>| rows::postpone(tx, author.scope(), id, &claim, until);
            self.db.tenant(claimed.caller.scope()).bookkeep::<_, store::Error>(postpone).await?;
            return Ok(false);
        }
        tracing::error!(report = %id, %reason, "a report cannot be made");
        // The report shows the same text as an error response, without internal details.
        let problem = error.to_string();
        let note = move |tx: &mut Tx<'_>| {
            if rows::failed(tx, author.scope(), id, &claim, &problem)? {
                author.audit(tx, "report.failed", id, &json!({ "problem": problem }))?;
            }
            Ok::<_, Error>(())
        };
        self.db.tenant(claimed.caller.scope()).bookkeep(note).await?;
        Ok(false)
    }

    async fn make_report(&self, claimed: &Claimed) -> Result<()> {
        let dress = self.dress(claimed).await?;
        let made = Box::pin(self.report.period_report_pdf(&claimed.caller, &claimed.row.wish, dress)).await?;
        let Content::Bytes(bytes) = made.content else {
            return Err(Error::internal("a report is made in memory"));
        };
        self.keep_report(claimed, bytes).await
    }

    /// What its template puts on a report. A template that was deleted meanwhile leaves it plain.
    async fn dress(&self, claimed: &Claimed) -> Result<Option<Dress>> {
        let Some(id) = claimed.row.wish.template else { return Ok(None) };
        let scope = *claimed.caller.scope();
        let found = self.db.tenant(&scope).read(move |r| templates::get(r, &scope, id)).await?;
        let Some(row) = found else { return Ok(None) };
        // Reading an image takes a while, so it is done off the runtime.
        let dress = move || {
            let logo = row.logo.and_then(|logo| BASE64.decode(logo.as_bytes()).ok());
            let logo = logo.and_then(|bytes| Logo::read(&bytes).ok()).map(Arc::new);
            Dress { template: row.template, logo }
        };
        tokio::task::spawn_blocking(dress).await.map(Some).map_err(Error::internal)
    }

    /// Stores the bytes and calls the report made, in one transaction, with notices to those who get it regularly.
    async fn keep_report(&self, claimed: &Claimed, content: Bytes) -> Result<()> {
        let (tenant, now) = (claimed.caller.tenant(), self.clock.now());
        let bytes = content.len() as u64;
        let sha256 = store::sql::hex(&Sha256::digest(&content).into());
        let stored = evidence_file::content_id(Storage::Store, random_u128());
        let begun = stored.clone();
        self.db.platform().bookkeep(move |tx| evidence_file::begin(tx, tenant, &begun, now)).await?;
        self.compliance.write_parts(tenant, &stored, Upload::Bytes(Cursor::new(content))).await?;
        let author = Author::new(self, &claimed.caller);
        let (row, claim) = (claimed.row.clone(), claimed.claim.clone());
        let file = ReportFile { content_id: stored, bytes, sha256 };
        let write = move |tx: &mut Tx<'_>| {
            let taken = evidence_file::take(tx, author.scope(), &file.content_id)?;
            if !taken || !rows::made(tx, author.scope(), row.id, &claim, (&file, author.now))? {
                return Err(Error::Unavailable("another node makes this report".to_owned()));
            }
            author.notify_of_report(tx, &row)?;
            author.audit(tx, "report.made", row.id, &json!({ "bytes": file.bytes, "sha256": file.sha256 }))
        };
        self.db.tenant(claimed.caller.scope()).bookkeep(write).await
    }
}

/// Whether the reason may pass by itself. What does not pass for an hour has to be looked at.
fn is_tried_again(error: &Error, asked_at: Moment, now: Moment) -> bool {
    let may_pass =
        matches!(error, Error::Unavailable(_) | Error::StorageAway(_) | Error::Busy | Error::BusyExports);
    may_pass && now < asked_at.plus_millis(TRIED_MS)
}

/// What the log says.
pub(super) fn cause(error: &Error) -> String {
    match error {
        Error::Internal(cause) => cause.to_string(),
        Error::Unavailable(why) | Error::StorageAway(why) => why.clone(),
        other => other.to_string(),
    }
}

impl Author {
    /// The people of a schedule get a notice that leads to the report and says nothing of its contents.
    fn notify_of_report(&self, tx: &mut Tx<'_>, row: &PeriodReportRow) -> Result<()> {
        let (Some(_), Some(id)) = (row.scheduled_for, row.wish.template) else { return Ok(()) };
        let Some(template) = templates::get(tx, self.scope(), id)? else { return Ok(()) };
        let Some(schedule) = template.template.content.schedule else { return Ok(()) };
        let about = About {
            subject: row.id.to_string(),
            version: 1,
            kind: "period_reports",
            reference: None,
            title: template.template.name.to_string(),
            due: None,
        };
        schedule.people.iter().try_for_each(|person| self.notify(tx, *person, Reason::ReportReady, &about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_tried_again_for_an_hour() {
        let asked_at = Moment::from_millis(0);
        let after = |minutes: i64| asked_at.plus_millis(minutes * 60 * 1000);
        for error in [Error::BusyExports, Error::Busy, Error::Unavailable("it took too long".to_owned())] {
            assert!(is_tried_again(&error, asked_at, after(59)), "{error}");
            assert!(!is_tried_again(&error, asked_at, after(60)), "{error}");
        }
        assert!(!is_tried_again(&Error::NotFound, asked_at, after(0)));
        let internal = Error::internal("no such column: secret");
        assert!(!is_tried_again(&internal, asked_at, after(0)));
        assert_eq!(cause(&internal), "no such column: secret");
        assert!(!internal.to_string().contains("secret"));
    }
}
