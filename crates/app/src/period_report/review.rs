//! Management reviews: released through an approval by a second person, as numbered versions that are signed.

use domain::{
    any_of::AnyOf,
    approval::{Approval, ApprovalAction, ApprovalComplaint, ApprovalState},
    approval_policy::ApprovedKind,
    format,
    page::{Page, PageRequest},
    period_report::{PeriodReportId, ReportKind},
    right::{Resource, Right},
};
use store::{
    Reader, Tx,
    approval::{self as approvals, ApprovalFilter, ApprovalRow},
    approved_document::{self as documents, ApprovedDocument},
    period_report::{self as rows, PeriodReportRow},
    record,
};

use super::{
    check_reader,
    release::{Release, made},
};
use crate::{
    Error, PeriodReports, Result, approval::Subject, author::Author, authz::Caller, records::Standing,
};

/// How many open requests are shown beside the reviews.
const MOST_ASKED: u32 = 200;

/// Under this name the versions of the management review are kept.
pub const MANAGEMENT_REVIEW: &str = "management-review";

/// A released management review with its signed version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManagementReview {
    pub report: PeriodReportRow,
    pub document: ApprovedDocument,
}

/// A management review by its id; no other report is decided about.
fn review(author: &Author, reader: &mut Reader<'_>, id: &str) -> Result<Option<PeriodReportRow>> {
    let Ok(id) = id.parse::<PeriodReportId>() else { return Ok(None) };
    let row = rows::get(reader, author.scope(), id)?;
    Ok(row.filter(|row| row.wish.kind == ReportKind::ManagementReview))
}

/// A review as far as its approval depends on it. What a report holds never changes, so it has one version; the person
/// who asked for the report wrote what the institution says in it.
pub(crate) fn review_standing(
    author: &Author,
    reader: &mut Reader<'_>,
    id: &str,
) -> Result<Option<Standing>> {
    let Some(row) = review(author, reader, id)? else { return Ok(None) };
    let policy = approvals::policy(reader, author.scope())?;
    let rule = policy.rule(ApprovalAction::Approve, ApprovedKind::ManagementReview);
    Ok(Some(Standing {
        version: 1,
        owner: None,
        severity: None,
        policy,
        rules: vec![(ApprovalAction::Approve, rule)],
        editors: Some(vec![row.asked_by]),
    }))
}

/// What people call a review: by its period.
pub(crate) fn review_name(author: &Author, reader: &mut Reader<'_>, id: &str) -> Result<Option<String>> {
    let Some(row) = review(author, reader, id)? else { return Ok(None) };
    let language = author.language(reader)?;
    let day = |day| format::day(language, day);
    let kind = row.wish.kind.label().text(language);
    Ok(Some(format!("{kind} {} – {}", day(row.wish.from), day(row.wish.until))))
}

impl Author {
    /// A review is approved once, after it is made.
    pub(crate) fn try_out_review(&self, tx: &mut Tx<'_>, id: &str) -> Result<()> {
        let row = review(self, tx, id)?.ok_or(Error::NotFound)?;
        made(&row)?;
        if row.released.is_some() {
            return Err(Error::invalid("subject", ApprovalComplaint::AlreadyApproved));
        }
        Ok(())
    }

    /// Releases a review whose approval this transaction grants, as the next version.
    pub(crate) fn confirm_review(&self, tx: &mut Tx<'_>, id: &str) -> Result<()> {
        let row = review(self, tx, id)?.ok_or(Error::NotFound)?;
        let version = documents::count(tx, self.scope(), MANAGEMENT_REVIEW)? + 1;
        let release = Release { by: self.caller.actor().to_string(), version: Some(version) };
        self.release_report(tx, row, release).map(|_| ())
    }
}

impl PeriodReports {
    /// The requests for the approval of management reviews that wait for a decision.
    pub async fn reviews_asked(&self, caller: &Caller) -> Result<Vec<ApprovalRow>> {
        check_reader(caller)?;
        let scope = *caller.scope();
        let filter = ApprovalFilter {
            state: AnyOf::new([ApprovalState::Asked]),
            kinds: Some(format!(",{},", Subject::Review.noun())),
            ..ApprovalFilter::default()
        };
        let read = move |reader: &mut Reader<'_>| {
            let all = PageRequest::part(MOST_ASKED, 0);
            Ok(record::list::<Approval>(reader, &scope, &filter, None, all)?.items)
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The released management reviews, newest first.
    pub async fn management_reviews(
        &self,
        caller: &Caller,
        request: PageRequest,
    ) -> Result<Page<ManagementReview>> {
        check_reader(caller)?;
        caller.require_right(Resource::Reports, Right::Read)?;
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            let page = documents::list(reader, &scope, MANAGEMENT_REVIEW, request)?;
            let numbers =
                page.items.last().zip(page.items.first()).map(|(old, new)| (old.number, new.number));
            let reports = match numbers {
                Some(numbers) => rows::reviews(reader, &scope, numbers)?,
                None => Vec::new(),
            };
            let version = |row: &PeriodReportRow| row.released.as_ref().and_then(|released| released.version);
            let both = page.items.into_iter().filter_map(|document| {
                let report = reports.iter().find(|row| version(row) == Some(document.number))?.clone();
                Some(ManagementReview { report, document })
            });
            Ok(Page::new(both.collect(), page.total, request))
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}
