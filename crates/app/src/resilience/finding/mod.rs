//! Findings: their rules, events and archive, bulk changes and imports.

mod bulk;
mod import;
mod links;
mod retest;

use std::collections::HashMap;

use domain::{
    approval::{ApprovalAction, ApprovalComplaint},
    change::Change,
    cve::Cve,
    due_days::DueDays,
    event::EventKind,
    finding::{AcceptanceInput, Finding, FindingDraft, FindingInput, FindingStatus},
    id::FindingId,
    import::SourceName,
    moment::Day,
    right::Resource,
    text::{Name, Prose},
    violation::ArchiveComplaint,
    vocabulary::Severity,
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx, approval, due_days, finding as rows, finding_origin, history, retest as retests,
};

use self::links::Linked;
use crate::{
    Core, Error, Resilience, Result,
    approval::ApprovalTerms,
    archive::finding_is_kept,
    author::Author,
    authz::Caller,
    records::{Announced, RecordKind, RecordRequest, RecordRow},
    words::{Kind, Texts},
};

pub use self::{
    bulk::{BulkOutcome, MAX_BULK},
    import::{
        FindingImport, FindingImportLine, FindingImportOutcome, FindingImportReport, FindingLineOutcome,
        LineProblem, LineProblems,
    },
    retest::RetestRow,
};
pub use store::finding::{FindingFilter, FindingRow, States};

impl Resilience {
    /// The sources that findings were imported from; findings entered by hand have none.
    pub async fn finding_sources(
        &self,
        caller: &Caller,
        ids: Vec<FindingId>,
    ) -> Result<HashMap<FindingId, SourceName>> {
        let scope = *caller.scope();
        let found = self
            .db
            .tenant(&scope)
            .read(move |r| finding_origin::sources(r, &scope, &ids).map_err(Error::from))
            .await?;
        Ok(found.into_iter().filter_map(|(id, name)| Some((id, SourceName::parse(&name).ok()?))).collect())
    }
}

impl Author {
    /// Gives a new finding its reference and, if it has none, its due day.
    fn number(&self, tx: &mut Tx<'_>, draft: FindingDraft, due_days: &DueDays) -> Result<Finding> {
        let reference = rows::next_reference(tx, self.scope(), self.now.day().year())?;
        Ok(draft.numbered(reference, due_days))
    }

    /// Refuses a new last day that is later than the policy allows, as a request for the acceptance would be.
    fn check_acceptance_term(&self, tx: &mut Tx<'_>, before: &Finding, after: &Finding) -> Result<()> {
        let until = |finding: &Finding| finding.acceptance.as_ref().map(|acceptance| acceptance.until);
        let Some(chosen) = until(after).filter(|chosen| until(before) != Some(*chosen)) else {
            return Ok(());
        };
        let policy = approval::policy(tx, self.scope())?;
        let latest = policy.latest(after.severity, self.now.day());
        if chosen <= latest || !self.follows(&policy) {
            return Ok(());
        }
        Err(Error::invalid("acceptance.until", ApprovalComplaint::TooLong { latest }))
    }
}

impl RecordKind for Finding {
    type Input = FindingInput;
    type New = FindingInput;
    type Change = FindingInput;
    type View = FindingRow;

    const NOUN: &'static str = "finding";
    const LIST: &'static str = "findings";
    const WORDS: Kind = Kind::new('f');
    const FOUND: Option<&'static str> = Some("finding");
    const RESOURCE: Resource = Resource::Findings;
    const CACHED: bool = true;

    const DECISIONS: &'static [ApprovalAction] =
        &[ApprovalAction::Accept, ApprovalAction::FalsePositive, ApprovalAction::Close];

    fn decision(action: ApprovalAction, terms: &ApprovalTerms) -> Option<FindingInput> {
        let status = match action {
            ApprovalAction::Accept => FindingStatus::RiskAccepted,
            ApprovalAction::FalsePositive => FindingStatus::FalsePositive,
            ApprovalAction::Close => FindingStatus::Closed,
            ApprovalAction::Approve
            | ApprovalAction::NotApplicable
            | ApprovalAction::Classify
            | ApprovalAction::Send
            | ApprovalAction::Submit
            | ApprovalAction::Archive => return None,
        };
        let set = |text: &str| Change::Set(text.to_owned());
        let acceptance = terms.until.map(|until| AcceptanceInput {
            reason: set(terms.reason.as_str()),
            until: Change::Set(until.to_string()),
        });
        Some(FindingInput {
            status: set(status.as_str()),
            acceptance: acceptance.map_or(Change::Keep, Change::Set),
            note: set(terms.reason.as_str()),
            ..FindingInput::default()
        })
    }

    fn decided(before: &Self, after: &Self) -> Option<ApprovalAction> {
        let moved = before.status != after.status;
        match after.status {
            // What was accepted as harmless is not accepted as grave. The worst severity comes first.
            FindingStatus::RiskAccepted
                if moved || before.acceptance != after.acceptance || after.severity < before.severity =>
            {
                Some(ApprovalAction::Accept)
            }
            FindingStatus::FalsePositive if moved => Some(ApprovalAction::FalsePositive),
            FindingStatus::Closed if moved => Some(ApprovalAction::Close),
            _ => None,
        }
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn create(author: &Author, tx: &mut Tx<'_>, input: &FindingInput) -> Result<Self> {
        let linked = Linked::look_up(author, tx, input, None)?;
        let draft = author.judge(|context| linked.with(|links| input.create(links, context)))?;
        author.check_controls(tx, &draft.controls, &[])?;
        let due_days = due_days::get(tx, author.scope())?;
        author.number(tx, draft, &due_days)
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &FindingRow, input: &FindingInput) -> Result<Self> {
        if before.archived_at.is_some() {
            return Err(Error::invalid("finding", ArchiveComplaint::Archived));
        }
        let linked = Linked::look_up(author, tx, input, Some(&before.record))?;
        let after =
            author.judge(|context| linked.with(|links| input.change(&before.record, links, context)))?;
        author.check_controls(tx, &after.controls, &before.record.controls)?;
        author.check_acceptance_term(tx, &before.record, &after)?;
        author.require_retest(tx, before, &after)?;
        Ok(after)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        let acceptance = self.acceptance.as_ref();
        json!({
            "reference": self.reference,
            "programme_id": self.programme_id,
            "test_case_id": self.test_case_id,
            "title": self.title.as_str(),
            "description": self.description.as_ref().map(Prose::as_str),
            "severity": self.severity,
            "status": self.status,
            "owner": self.owner.as_ref().map(Name::as_str),
            "affected_asset": self.affected_asset.as_ref().map(Name::as_str),
            "cve": self.cve.as_ref().map(Cve::as_str),
            "cvss": self.cvss,
            "remediation": self.remediation.as_ref().map(Prose::as_str),
            "root_cause": self.root_cause.as_ref().map(Prose::as_str),
            "acceptance": acceptance.map(|a| json!({ "reason": a.reason.as_str(), "until": a.until })),
            "measures": self.measures,
            "requirements": self.requirements,
            "controls": self.controls,
            "detected_at": self.detected_at,
            "due_on": self.due_on,
            "closed_at": self.closed_at,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let single = [
            self.description.as_ref().map(Prose::as_str),
            self.remediation.as_ref().map(Prose::as_str),
            self.root_cause.as_ref().map(Prose::as_str),
            self.acceptance.as_ref().map(|acceptance| acceptance.reason.as_str()),
            self.affected_asset.as_ref().map(Name::as_str),
            self.owner.as_ref().map(Name::as_str),
            self.cve.as_ref().map(Cve::as_str),
        ];
        let named = self.measures.iter().chain(&self.requirements);
        Texts {
            heading: vec![self.title.as_str().into(), self.reference.to_string().into()],
            body: single.into_iter().flatten().chain(named.map(String::as_str)).collect(),
        }
    }

    fn search_text(filter: &FindingFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        _: &Core,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<FindingRow>,
    ) -> Result<Vec<FindingRow>> {
        Ok(rows)
    }

    fn row(view: &FindingRow) -> &FindingRow {
        view
    }

    fn created(author: &Author, tx: &mut Tx<'_>, row: &FindingRow) -> Result<()> {
        author.raise(tx, EventKind::FindingCreated, row.id, &json!({ "finding": summary(row) }))
    }

    fn changed(author: &Author, tx: &mut Tx<'_>, before: &FindingRow, after: &FindingRow) -> Result<()> {
        let previous = before.record.status;
        if previous == after.record.status {
            return Ok(());
        }
        let payload = json!({ "finding": summary(after), "previous_status": previous });
        author.raise(tx, EventKind::FindingStatusChanged, after.id, &payload)
    }

    fn check_archive(&self, _: Day) -> Result<()> {
        if self.status.can_be_archived() {
            return Ok(());
        }
        Err(Error::invalid("finding", ArchiveComplaint::FindingIsOpen))
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(FindingInput { owner: Change::Set(heir.to_string()), ..FindingInput::default() })
    }

    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        row.record.due_on.filter(|_| row.record.status.is_open()).map(|due| (due, summary(row)))
    }

    fn release(author: &Author, tx: &mut Tx<'_>, row: &FindingRow) -> Result<()> {
        let kept = finding_is_kept(&history::of(tx, author.scope(), &row.id.to_string())?);
        if row.archived_at.is_some() {
            return Err(Error::invalid("finding", ArchiveComplaint::ArchivedIsKept));
        }
        if kept || !retests::of(tx, author.scope(), row.id, 1)?.is_empty() {
            return Err(Error::invalid("finding", ArchiveComplaint::FindingIsKept));
        }
        finding_origin::forget(tx, author.scope(), row.id).map_err(Error::from)
    }
}

impl RecordRequest<Finding> for FindingInput {
    fn decides(&self, before: Option<&Finding>) -> bool {
        self.decides(before)
    }

    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

/// The fields of a finding in events.
pub(crate) fn summary(row: &FindingRow) -> Value {
    let finding = &row.record;
    json!({
        "id": row.id,
        "reference": finding.reference,
        "programme_id": finding.programme_id,
        "test_case_id": finding.test_case_id,
        "title": finding.title.as_str(),
        "severity": finding.severity,
        "status": finding.status,
        "owner": finding.owner.as_ref().map(Name::as_str),
        "affected_asset": finding.affected_asset.as_ref().map(Name::as_str),
        "cve": finding.cve.as_ref().map(Cve::as_str),
        "detected_at": finding.detected_at,
        "due_on": finding.due_on,
    })
}
