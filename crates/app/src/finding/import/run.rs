//! The second reading: each result is compared with what is there and stored, or only counted.

use std::{collections::HashSet, ops::ControlFlow};

use domain::{
    finding::FindingStatus,
    id::FindingId,
    import::{Candidate, Fingerprint, Source},
    text::Prose,
};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx,
    finding::{self as rows, FindingRow},
    finding_count::Tally,
    finding_origin::{self, OriginRow},
};

use super::{FindingImport, FindingImportReport, file::Opened};
use crate::{
    Error, Result,
    author::Author,
    change_log::difference,
    finding::told,
    upload::{Progress, Step, TELL_EVERY},
};

/// One import on its way.
pub(super) struct Run<'a> {
    author: &'a Author,
    digest: Fingerprint,
    options: FindingImport,
    progress: &'a Progress,
}

/// What a result means for what is there.
pub(super) enum Verdict {
    New,
    /// Said before, in this file or in words that are the same; nothing to do but remember the file.
    Known(OriginRow),
    /// The finding before, and after.
    Changed {
        origin: OriginRow,
        before: Box<FindingRow>,
        after: Box<domain::finding::Finding>,
    },
}

impl<'a> Run<'a> {
    pub(super) fn new(
        author: &'a Author,
        digest: Fingerprint,
        options: FindingImport,
        progress: &'a Progress,
    ) -> Self {
        Self { author, digest, options, progress }
    }

    /// Stores everything in the running transaction.
    pub(super) fn store(&self, tx: &mut Tx<'_>, file: &mut Opened) -> Result<FindingImportReport> {
        let scope = *self.author.scope();
        let (mut tally, mut touched) = (Tally::default(), false);
        let walked = self.walk(file, &mut |candidate, report| {
            let verdict = self.judge(tx, &scope, &candidate)?;
            touched |= self.take(tx, candidate, verdict, &mut tally, report)?;
            if report.results.is_multiple_of(TELL_EVERY) {
                (self.progress)(Step::Stored, report.results);
            }
            Ok(())
        })?;
        let mut report = walked.report.clone();
        for (fingerprint, finding) in walked.gone(tx, &scope)? {
            if self.close(tx, finding, report.format, &mut tally)? {
                finding_origin::decided(tx, &scope, report.format, fingerprint, self.digest)?;
                report.closed += 1;
            }
        }
        tally.write(tx, &scope)?;
        if touched || report.closed > 0 {
            self.audit_all(tx, &report)?;
        }
        Ok(report)
    }

    fn audit_all(&self, tx: &mut Tx<'_>, report: &FindingImportReport) -> Result<()> {
        let detail = json!({
            "format": report.format,
            "file": self.digest.to_string(),
            "results": report.results,
            "added": report.added,
            "changed": report.changed,
            "reopened": report.reopened,
            "closed": report.closed,
        });
        self.author.audit(tx, "findings.imported", self.author.caller.tenant(), &detail)
    }

    /// Says what storing would do.
    pub(super) fn count(&self, reader: &mut Reader<'_>, file: &mut Opened) -> Result<FindingImportReport> {
        let scope = *self.author.scope();
        let walked = self.walk(file, &mut |candidate, report| {
            let verdict = self.judge(reader, &scope, &candidate)?;
            tell(&verdict, report);
            report.tell_line(&candidate, &verdict);
            Ok(())
        })?;
        let mut report = walked.report.clone();
        for (_, finding) in walked.gone(reader, &scope)? {
            if let Some(row) = rows::get(reader, &scope, finding)?.filter(|row| row.finding.status.is_open())
            {
                report.tell_closed(&row);
            }
        }
        Ok(report)
    }

    /// Hands on every result of the file.
    fn walk(
        &self,
        file: &mut Opened,
        each: &mut dyn FnMut(Candidate, &mut FindingImportReport) -> Result<()>,
    ) -> Result<Walked> {
        let mut report = FindingImportReport::new(file.source, self.options.dry_run);
        let (mut seen, mut failure) = (HashSet::new(), None);
        let imported = file.each(self.author, &mut |read| {
            // Lines with something wrong were refused by the first reading.
            let Ok(candidate) = read else { return ControlFlow::Continue(()) };
            if self.options.close_missing {
                seen.insert(candidate.origin.fingerprint);
            }
            report.results += 1;
            match each(candidate, &mut report) {
                Ok(()) => ControlFlow::Continue(()),
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
        Ok(Walked { report, seen, scopes })
    }

    fn judge(&self, reader: &mut Reader<'_>, scope: &TenantScope, candidate: &Candidate) -> Result<Verdict> {
        let Some(origin) = finding_origin::find(reader, scope, &candidate.origin)? else {
            return Ok(Verdict::New);
        };
        let says_the_same = origin.content == candidate.content();
        if says_the_same && origin.file == self.digest {
            return Ok(Verdict::Known(origin));
        }
        let before = rows::get(reader, scope, origin.finding)?.ok_or(Error::NotFound)?;
        let mut after =
            if says_the_same { before.finding.clone() } else { candidate.clone().renew(&before.finding) };
        // What was closed and is reported again was not gone after all.
        if origin.file != self.digest && after.status == FindingStatus::Closed {
            after = after.moved(FindingStatus::Open, self.author.now);
        }
        if after == before.finding {
            return Ok(Verdict::Known(origin));
        }
        Ok(Verdict::Changed { origin, before: Box::new(before), after: Box::new(after) })
    }

    /// Does what the verdict says, and tells whether anything was written.
    fn take(
        &self,
        tx: &mut Tx<'_>,
        candidate: Candidate,
        verdict: Verdict,
        tally: &mut Tally,
        report: &mut FindingImportReport,
    ) -> Result<bool> {
        tell(&verdict, report);
        let (content, key) = (candidate.content(), candidate.origin.clone());
        let finding = match verdict {
            Verdict::New => self.add(tx, candidate, tally)?,
            Verdict::Known(origin) => {
                let is_same = origin.content == content && origin.file == self.digest;
                if is_same && origin.scope == key.scope {
                    return Ok(false);
                }
                origin.finding
            }
            Verdict::Changed { origin, before, after } => {
                let note = note(&format!("Reported again by a {}.", key.source.label().en));
                let after = self.author.replace_finding(tx, &before, *after, note, tally)?;
                let detail = difference(&told(&before.finding), &told(&after.finding));
                self.author.audit(tx, "finding.changed", after.id, &detail)?;
                origin.finding
            }
        };
        let row = OriginRow { finding, scope: key.scope.clone(), content, file: self.digest };
        finding_origin::put(tx, self.author.scope(), &key, &row)?;
        Ok(true)
    }

    fn add(&self, tx: &mut Tx<'_>, candidate: Candidate, tally: &mut Tally) -> Result<FindingId> {
        let source = candidate.origin.source;
        let note = note(&format!("Imported from a {}.", source.label().en));
        let row = self.author.add_finding(tx, candidate.finding, note, tally)?;
        let detail = json!({
            "reference": row.reference,
            "title": row.finding.title.as_str(),
            "severity": row.finding.severity,
            "imported_from": source,
        });
        self.author.audit(tx, "finding.created", row.id, &detail)?;
        Ok(row.id)
    }

    /// Moves a finding to closed step by step, as everybody must, and says whether there was a step to take.
    fn close(&self, tx: &mut Tx<'_>, id: FindingId, source: Source, tally: &mut Tally) -> Result<bool> {
        let Some(before) = rows::get(tx, self.author.scope(), id)? else { return Ok(false) };
        let mut row = before.clone();
        for step in before.finding.status.steps_to_closed() {
            let note = note(&format!("No longer in the {}.", source.label().en));
            let moved = row.finding.moved(*step, self.author.now);
            row = self.author.replace_finding(tx, &row, moved, note, tally)?;
        }
        if row.version == before.version {
            return Ok(false);
        }
        let detail = difference(&told(&before.finding), &told(&row.finding));
        self.author.audit(tx, "finding.changed", id, &detail)?;
        Ok(true)
    }
}

/// A file that was walked through.
struct Walked {
    report: FindingImportReport,
    seen: HashSet<Fingerprint>,
    /// Where findings are to be closed that the file no longer has.
    scopes: Vec<String>,
}

impl Walked {
    /// The findings the file no longer has.
    fn gone(&self, reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<(Fingerprint, FindingId)>> {
        let mut gone = Vec::new();
        for import_scope in &self.scopes {
            finding_origin::of_scope(reader, scope, self.report.format, import_scope, |print, finding| {
                if !self.seen.contains(&print) {
                    gone.push((print, finding));
                }
            })?;
        }
        Ok(gone)
    }
}

fn tell(verdict: &Verdict, report: &mut FindingImportReport) {
    match verdict {
        Verdict::New => report.added += 1,
        Verdict::Known(_) => report.unchanged += 1,
        Verdict::Changed { before, after, .. } if before.finding.status != after.status => {
            report.reopened += 1;
        }
        Verdict::Changed { .. } => report.changed += 1,
    }
}

fn note(text: &str) -> Option<Prose> {
    Prose::parse(text).ok()
}
