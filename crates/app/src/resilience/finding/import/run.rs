//! The second pass: each result is compared with the stored findings and stored, or only counted.

use std::{collections::HashSet, ops::ControlFlow};

use domain::{
    due_days::DueDays,
    finding::{Finding, FindingStatus},
    id::FindingId,
    import::{Candidate, Fingerprint, Known, SourceName},
    moment::Moment,
    record_event::FINDING_IMPORT,
    service_note::ServiceNote,
};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx, due_days,
    finding::{self as rows, FindingRow},
    finding_origin::{self, OriginRow},
    record,
};

use super::{FindingImport, FindingImportReport, file::Opened};
use crate::{
    Error, Result,
    author::Author,
    inbox::Imported,
    upload::{Progress, Step, TELL_EVERY},
};

/// One running import.
pub(super) struct Run<'a> {
    author: &'a Author,
    digest: Fingerprint,
    options: &'a FindingImport,
    progress: &'a Progress,
}

/// The relation of a result to the stored findings.
pub(super) enum Verdict {
    New,
    /// Known, in this file or with the same content; only the file is recorded.
    Known(OriginRow),
    /// The file names the finding itself; the content is new or not.
    Named {
        before: Box<FindingRow>,
        after: Option<Box<Finding>>,
    },
    /// The finding before, and after.
    Changed {
        origin: OriginRow,
        before: Box<FindingRow>,
        after: Box<Finding>,
    },
}

impl Verdict {
    /// The finding that the file names itself.
    fn named(&self) -> Option<FindingId> {
        match self {
            Self::Named { before, .. } => Some(before.id),
            Self::New | Self::Known(_) | Self::Changed { .. } => None,
        }
    }
}

impl<'a> Run<'a> {
    pub(super) fn new(
        author: &'a Author,
        digest: Fingerprint,
        options: &'a FindingImport,
        progress: &'a Progress,
    ) -> Self {
        Self { author, digest, options, progress }
    }

    /// Stores everything in the running transaction.
    pub(super) fn store(&self, tx: &mut Tx<'_>, file: &mut Opened) -> Result<FindingImportReport> {
        tx.counting(|tx| self.store_all(tx, file))
    }

    fn store_all(&self, tx: &mut Tx<'_>, file: &mut Opened) -> Result<FindingImportReport> {
        let (scope, source) = (*self.author.scope(), self.source_of(file));
        let due_days = due_days::get(tx, &scope)?;
        let mut touched = false;
        let read = self.read_all(file, &mut |candidate, report| {
            let verdict = self.judge(tx, &scope, &source, &candidate)?;
            let named = verdict.named();
            touched |= self.take(tx, candidate, verdict, &due_days, report)?;
            if report.results.is_multiple_of(TELL_EVERY) {
                (self.progress)(Step::Stored, report.results);
            }
            Ok(named)
        })?;
        let mut report = read.report.clone();
        for (fingerprint, finding) in read.gone(tx, &scope)? {
            let Some(row) = record::get::<Finding>(tx, &scope, finding)? else { continue };
            let (waits, stays) =
                (self.waits_for_approval(tx, &row)?, self.author.lacks_retest(tx, &row, &row.record)?);
            report.left_open += u64::from((waits || stays) && row.record.status.is_open());
            let moved = if waits { None } else { self.close(tx, &row, stays, &source)? };
            touched |= moved.is_some();
            if moved == Some(FindingStatus::Closed) {
                finding_origin::decided(tx, &scope, &source, fingerprint, self.digest)?;
                report.closed += 1;
            }
        }
        if touched || report.closed > 0 {
            self.audit_all(tx, &report)?;
            self.author.notify_of_import(
                tx,
                &Imported {
                    kind: "findings",
                    source: report.source.as_str(),
                    records: report.added + report.changed + report.reopened + report.closed,
                    assigned: &report.assigned,
                },
            )?;
        }
        Ok(report)
    }

    fn audit_all(&self, tx: &mut Tx<'_>, report: &FindingImportReport) -> Result<()> {
        let detail = json!({
            "format": report.format,
            "source": report.source.as_str(),
            "file": self.digest.to_string(),
            "results": report.results,
            "added": report.added,
            "changed": report.changed,
            "reopened": report.reopened,
            "closed": report.closed,
            "left_open": report.left_open,
        });
        self.author.publish_import(tx, FINDING_IMPORT, &detail)?;
        self.author.audit(tx, "findings.imported", self.author.caller.tenant(), &detail)
    }

    /// Counts what storing would do.
    pub(super) fn count(&self, reader: &mut Reader<'_>, file: &mut Opened) -> Result<FindingImportReport> {
        let (scope, source) = (*self.author.scope(), self.source_of(file));
        let read = self.read_all(file, &mut |candidate, report| {
            let verdict = self.judge(reader, &scope, &source, &candidate)?;
            count_verdict(&verdict, report);
            report.tell_line(&candidate, &verdict);
            Ok(verdict.named())
        })?;
        let mut report = read.report.clone();
        for (_, finding) in read.gone(reader, &scope)? {
            let row = record::get::<Finding>(reader, &scope, finding)?;
            let Some(row) = row.filter(|row| row.record.status.is_open()) else { continue };
            let stays = self.waits_for_approval(reader, &row)?
                || self.author.lacks_retest(reader, &row, &row.record)?;
            report.tell_gone(&row, stays);
        }
        Ok(report)
    }

    /// Calls `each` for every result of the file.
    fn read_all(
        &self,
        file: &mut Opened,
        each: &mut dyn FnMut(Candidate, &mut FindingImportReport) -> Result<Option<FindingId>>,
    ) -> Result<Walked> {
        let source = self.source_of(file);
        let mut report = FindingImportReport::new(file.source, source, self.options.dry_run);
        let (mut seen, mut named, mut failure) = (HashSet::new(), HashSet::new(), None);
        let imported = file.each(self.author, &mut |read| {
            // Lines with problems were refused by the first pass.
            let Ok(candidate) = read else { return ControlFlow::Continue(()) };
            if self.options.close_missing {
                seen.insert(candidate.origin.fingerprint);
            }
            report.results += 1;
            match each(candidate, &mut report) {
                Ok(finding) => {
                    named.extend(finding);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        report.skipped = imported.skipped;
        report.repeated = imported.repeated;
        let scopes = if self.options.close_missing { imported.scopes } else { Vec::new() };
        Ok(Walked { report, seen, named, scopes })
    }

    /// The source name by which findings of this file are recognised.
    fn source_of(&self, file: &Opened) -> SourceName {
        self.options.source.clone().unwrap_or_else(|| SourceName::from(file.source))
    }

    fn judge(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        source: &SourceName,
        candidate: &Candidate,
    ) -> Result<Verdict> {
        if let Some(before) = named_row(reader, scope, candidate.known)? {
            let mut after = candidate.clone().renew(&before.record);
            // A workbook has times to the second.
            let second = |at: Moment| at.millis().div_euclid(1_000);
            if second(after.detected_at) == second(before.record.detected_at) {
                after.detected_at = before.record.detected_at;
            }
            // Archived findings stay as they are until they are restored.
            let after = (after != before.record && before.archived_at.is_none()).then(|| Box::new(after));
            return Ok(Verdict::Named { before: Box::new(before), after });
        }
        let Some(origin) = finding_origin::find(reader, scope, source, &candidate.origin)? else {
            return Ok(Verdict::New);
        };
        let says_the_same = origin.content == candidate.content();
        if says_the_same && origin.file == self.digest {
            return Ok(Verdict::Known(origin));
        }
        let before = record::get::<Finding>(reader, scope, origin.finding)?.ok_or(Error::NotFound)?;
        let mut after =
            if says_the_same { before.record.clone() } else { candidate.clone().renew(&before.record) };
        // A closed finding that is reported again is reopened.
        if origin.file != self.digest && after.status == FindingStatus::Closed {
            after = after.moved(FindingStatus::Open, self.author.now);
        }
        if after == before.record {
            return Ok(Verdict::Known(origin));
        }
        Ok(Verdict::Changed { origin, before: Box::new(before), after: Box::new(after) })
    }

    /// Applies the verdict and returns whether anything was stored.
    fn take(
        &self,
        tx: &mut Tx<'_>,
        candidate: Candidate,
        verdict: Verdict,
        due_days: &DueDays,
        report: &mut FindingImportReport,
    ) -> Result<bool> {
        count_verdict(&verdict, report);
        count_assigned(&candidate, &verdict, report);
        let (content, key) = (candidate.content(), candidate.origin.clone());
        let finding = match verdict {
            Verdict::New => self.add(tx, candidate, &report.source, due_days)?,
            Verdict::Known(origin) => {
                let is_same = origin.content == content && origin.file == self.digest;
                if is_same && origin.scope == key.scope {
                    return Ok(false);
                }
                origin.finding
            }
            Verdict::Named { after: None, .. } => return Ok(false),
            Verdict::Named { before, after: Some(after) } => {
                let after = self.author.replace(tx, &before, *after, None)?;
                self.author.audit_change(tx, &before, &after)?;
                return Ok(true);
            }
            Verdict::Changed { origin, before, after } => {
                let note = self.author.service_note(tx, ServiceNote::ReportedAgain(&report.source))?;
                let after = self.author.replace(tx, &before, *after, note)?;
                self.author.audit_change(tx, &before, &after)?;
                origin.finding
            }
        };
        let row = OriginRow { finding, scope: key.scope.clone(), content, file: self.digest };
        finding_origin::put(tx, self.author.scope(), &report.source, &key, &row)?;
        Ok(true)
    }

    fn add(
        &self,
        tx: &mut Tx<'_>,
        candidate: Candidate,
        source: &SourceName,
        due_days: &DueDays,
    ) -> Result<FindingId> {
        let note = self.author.service_note(tx, ServiceNote::Imported(source))?;
        let finding = self.author.number(tx, candidate.finding, due_days)?;
        let detail = json!({
            "reference": finding.reference,
            "title": finding.title.as_str(),
            "severity": finding.severity,
            "imported_from": source.as_str(),
        });
        self.author.add_as(tx, finding, note, &detail)
    }

    /// Moves a finding to closed by the permitted steps and returns its new status, `None` if there was no step to
    /// take. One that has to be retested first stays resolved.
    fn close(
        &self,
        tx: &mut Tx<'_>,
        before: &FindingRow,
        stays: bool,
        source: &SourceName,
    ) -> Result<Option<FindingStatus>> {
        let mut row = before.clone();
        let steps = before.record.status.steps_to_closed().iter();
        for step in steps.filter(|step| !stays || **step != FindingStatus::Closed) {
            let note = self.author.service_note(tx, ServiceNote::NoLongerReported(source))?;
            let moved = row.record.moved(*step, self.author.now);
            row = self.author.replace(tx, &row, moved, note)?;
        }
        if row.version == before.version {
            return Ok(None);
        }
        self.author.audit_change(tx, before, &row)?;
        Ok(Some(row.record.status))
    }

    /// Whether the policy leaves the closing of a finding to a second person.
    fn waits_for_approval(&self, reader: &mut Reader<'_>, row: &FindingRow) -> Result<bool> {
        if row.record.status.steps_to_closed().is_empty() {
            return Ok(false);
        }
        let closed = row.record.moved(FindingStatus::Closed, self.author.now);
        match self.author.check_decision(reader, row, &closed, None) {
            Ok(_) => Ok(false),
            Err(Error::ApprovalRequired(_)) => Ok(true),
            Err(error) => Err(error),
        }
    }
}

/// The result of reading a file to its end.
struct Walked {
    report: FindingImportReport,
    seen: HashSet<Fingerprint>,
    /// Findings that the file names by their id or reference.
    named: HashSet<FindingId>,
    /// The scopes in which findings that the file no longer contains are closed.
    scopes: Vec<String>,
}

impl Walked {
    /// The findings that the file no longer contains.
    fn gone(&self, reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<(Fingerprint, FindingId)>> {
        let mut gone = Vec::new();
        for import_scope in &self.scopes {
            finding_origin::of_scope(reader, scope, &self.report.source, import_scope, |print, finding| {
                if !self.seen.contains(&print) && !self.named.contains(&finding) {
                    gone.push((print, finding));
                }
            })?;
        }
        Ok(gone)
    }
}

fn count_verdict(verdict: &Verdict, report: &mut FindingImportReport) {
    match verdict {
        Verdict::New => report.added += 1,
        Verdict::Known(_) | Verdict::Named { after: None, .. } => report.unchanged += 1,
        Verdict::Changed { before, after, .. } if before.record.status != after.status => {
            report.reopened += 1;
        }
        Verdict::Named { after: Some(_), .. } | Verdict::Changed { .. } => report.changed += 1,
    }
}

/// Counts the finding for its new owner.
fn count_assigned(candidate: &Candidate, verdict: &Verdict, report: &mut FindingImportReport) {
    let (before, after) = match verdict {
        Verdict::New => (None, candidate.finding.owner.as_ref()),
        Verdict::Known(_) | Verdict::Named { after: None, .. } => return,
        Verdict::Named { before, after: Some(after) } | Verdict::Changed { before, after, .. } => {
            (before.record.owner.as_ref(), after.owner.as_ref())
        }
    };
    if let Some(owner) = after.filter(|owner| before != Some(*owner)) {
        *report.assigned.entry(owner.to_string()).or_default() += 1;
    }
}

fn named_row(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    known: Option<Known>,
) -> Result<Option<FindingRow>> {
    let id = match known {
        None => None,
        Some(Known::Id(id)) => Some(id),
        Some(Known::Reference(reference)) => rows::by_reference(reader, scope, reference)?,
    };
    Ok(match id {
        None => None,
        Some(id) => record::get::<Finding>(reader, scope, id)?,
    })
}
