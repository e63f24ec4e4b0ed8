//! Reports over a period: asked for, made by a job from one snapshot, released and kept for ever.
//!
//! [`report`](crate::report) sets them on paper. A report that is released is never made again: its bytes stay as they
//! were when a manager released it, whatever changes in the records.

mod make;
mod release;
mod review;
mod schedule;
mod template;

use domain::{
    evidence::{EvidenceFile, FileName},
    key_limits::Verb,
    own_text::OwnText,
    page::{Page, PageRequest},
    period_report::{PeriodReportComplaint, PeriodReportId, ReportKind, ReportState, ReportWish},
    report_template::ReportTemplateId,
    right::{Resource, Right},
};
use serde_json::{Value, json};
use store::{Reader, Tx, evidence_file::StoredFile, period_report as rows, report_template as templates};

pub use self::review::{MANAGEMENT_REVIEW, ManagementReview};
pub(crate) use self::review::{review_name, review_standing};
pub use self::template::{LogoChange, ReportTemplateChange};
pub use store::{
    period_report::{PeriodReportRow, Released},
    report_template::ReportTemplateRow,
};

use crate::{
    Error, PeriodReports, Result,
    author::Author,
    authz::Caller,
    evidence::EvidenceContent,
    idempotency::{Creation, Idempotency},
    pages::{self, Rendered},
    records::KINDS,
};

/// How many reports of an institution can wait or be made at the same time.
const MOST_IN_HAND: u64 = 5;
/// How many it keeps that are not released.
const MOST_UNRELEASED: u64 = 500;

impl PeriodReports {
    /// Asks for a report, which a job makes.
    pub async fn ask_for_report(
        &self,
        caller: &Caller,
        wish: ReportWish,
        idempotency: Option<Idempotency>,
        render: fn(&PeriodReportRow) -> String,
    ) -> Result<Creation> {
        check_reader(caller)?;
        caller.require_right(Resource::Reports, Right::Write)?;
        let author = Author::new(self, caller);
        let tenant = self.tenant_of(caller).await?;
        wish.check(tenant.time_zone.local(author.now).day)?;
        let ask = move |tx: &mut Tx<'_>| {
            let create = |tx: &mut Tx<'_>| {
                let row = author.add_report(tx, &wish)?;
                Ok((row.id.to_string(), row))
            };
            author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
        };
        let made = self.db.tenant(caller.scope()).write(ask).await?;
        self.begin_reports();
        Ok(made)
    }

    /// A rendered page of the list, newest first.
    pub async fn report_page(
        &self,
        caller: &Caller,
        request: PageRequest,
        render: fn(&Page<PeriodReportRow>) -> Vec<u8>,
    ) -> Result<Rendered> {
        check_reader(caller)?;
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| Ok(rows::list(r, &scope, request)?);
        self.page(caller, "period-reports", &pages::part(request), load, render).await
    }

    /// One report, rendered.
    pub async fn rendered_report(
        &self,
        caller: &Caller,
        id: PeriodReportId,
        render: fn(&PeriodReportRow) -> Vec<u8>,
    ) -> Result<Rendered> {
        check_reader(caller)?;
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| rows::get(r, &scope, id)?.ok_or(Error::NotFound);
        self.page(caller, "period-report", &id.to_string(), load, render).await
    }

    /// A page of the list as values.
    pub async fn reports(&self, caller: &Caller, request: PageRequest) -> Result<Page<PeriodReportRow>> {
        check_reader(caller)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, request)).await.map_err(Error::from)
    }

    /// The bytes of a report that is made.
    pub async fn report_content(&self, caller: &Caller, id: PeriodReportId) -> Result<EvidenceContent> {
        check_reader(caller)?;
        let scope = *caller.scope();
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope, id)).await?;
        let row = found.ok_or(Error::NotFound)?;
        let Some(file) = row.file.filter(|_| row.state == ReportState::Made) else {
            return Err(Error::Conflict(PeriodReportComplaint::NotMade.into()));
        };
        let wish = &row.wish;
        let kind = wish.kind.as_str().replace('_', "-");
        let name = FileName::cleaned(&format!("{kind}-report-{}-{}.pdf", wish.from, wish.until));
        let (bytes, sha256) = (file.bytes, file.sha256);
        let shown = EvidenceFile { name, media_type: "application/pdf".to_owned(), bytes, sha256 };
        let stored = StoredFile { content_id: file.content_id, bytes };
        Ok(EvidenceContent::of(self, scope, shown, stored))
    }
}

impl Author {
    /// Stores a wish of the caller.
    fn add_report(&self, tx: &mut Tx<'_>, wish: &ReportWish) -> Result<PeriodReportRow> {
        let (unreleased, in_hand) = rows::counts(tx, self.scope())?;
        if in_hand >= MOST_IN_HAND {
            return Err(Error::Conflict(PeriodReportComplaint::TooManyInHand { most: MOST_IN_HAND }.into()));
        }
        if unreleased >= MOST_UNRELEASED {
            let most = MOST_UNRELEASED;
            return Err(Error::Conflict(PeriodReportComplaint::TooManyUnreleased { most }.into()));
        }
        let mut wish = wish.clone();
        if let Some(template) = wish.template {
            let row = match self.report_template(tx, template) {
                Err(Error::NotFound) => return Err(Error::invalid("template", domain::id::NotAnId)),
                found => found?,
            };
            wish = with_template(wish, &row);
        }
        let id: PeriodReportId = self.core.ids.next(self.now);
        let row = PeriodReportRow::new(id, wish, self.caller.actor().to_string(), self.now);
        rows::insert(tx, self.scope(), &row)?;
        self.audit(tx, "report.asked", id, &summary(&row))?;
        Ok(row)
    }

    fn report_template(&self, reader: &mut Reader<'_>, id: ReportTemplateId) -> Result<ReportTemplateRow> {
        templates::get(reader, self.scope(), id)?.ok_or(Error::NotFound)
    }
}

/// A management review keeps what its template says on the day on which it was asked for: the next review repeats its
/// decisions, whatever becomes of the template.
fn with_template(wish: ReportWish, row: &ReportTemplateRow) -> ReportWish {
    if wish.kind != ReportKind::ManagementReview {
        return wish;
    }
    let content = &row.template.content;
    let said = OwnText { paragraphs: content.paragraphs.clone(), signatories: content.signatories.clone() };
    ReportWish { own: said.and(wish.own), ..wish }
}

/// What the audit log says of a report.
fn summary(row: &PeriodReportRow) -> Value {
    let wish = &row.wish;
    let paragraphs: Vec<&str> = wish.own.paragraphs.iter().map(|one| one.title.as_str()).collect();
    json!({
        "paragraphs": paragraphs,
        "kind": wish.kind, "framework": wish.framework, "from": wish.from, "until": wish.until,
        "language": wish.language.as_str(), "template": wish.template.map(|id| id.to_string()),
    })
}

/// A report holds figures of records of every kind.
pub(crate) fn check_reader(caller: &Caller) -> Result<()> {
    caller.require_right(Resource::Reports, Right::Read)?;
    caller.require_noun("assessment", Verb::Read)?;
    for resource in ["approvals", "concentration-risk", "register", "test-coverage", "trainings"] {
        caller.require_scope(resource, Verb::Read)?;
    }
    KINDS.iter().try_for_each(|kind| caller.require_noun(kind.noun, Verb::Read))
}
